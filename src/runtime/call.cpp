// A scalar travels in the parameter block, little-endian, in its own size; a tensor travels as a 64-bit
// address.
#include "runtime/call.hpp"

#include "base/invariant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace tmemc::runtime {

namespace {

/// How a dense array's rows lie in device memory, in bytes.
struct Rows {
    std::size_t count, dense, pitched;
    [[nodiscard]] std::size_t device_bytes() const { return count == 0 ? 0 : (count - 1) * pitched + dense; }
};

Rows rows_of(const Formal& formal) {
    const auto element = static_cast<std::size_t>(base::bytes(formal.dtype));
    const auto columns = static_cast<std::size_t>(formal.shape.back());
    std::size_t count = 1;
    for (std::size_t d = 0; d + 1 < formal.shape.size(); ++d)
        count *= static_cast<std::size_t>(formal.shape[d]);
    const std::size_t pitch = formal.pitch == 0 ? columns : static_cast<std::size_t>(formal.pitch);
    base::invariant(pitch >= columns, "a pitch below the columns");
    return {count, columns * element, pitch * element};
}

std::vector<std::byte> spread(const std::vector<std::byte>& dense, const Rows& rows) {
    std::vector<std::byte> device(rows.device_bytes());
    for (std::size_t r = 0; r < rows.count; ++r) {
        std::copy_n(dense.data() + r * rows.dense, rows.dense, device.data() + r * rows.pitched);
    }
    return device;
}

std::vector<std::byte> gather(const std::vector<std::byte>& device, const Rows& rows) {
    std::vector<std::byte> dense(rows.count * rows.dense);
    for (std::size_t r = 0; r < rows.count; ++r) {
        std::copy_n(device.data() + r * rows.pitched, rows.dense, dense.data() + r * rows.dense);
    }
    return dense;
}

const Array& value_for(const Formal& formal, const std::map<std::string, Array>& values) {
    const auto found = values.find(formal.name);
    base::invariant(found != values.end(), "no value for the parameter " + formal.name);
    const Array& array = found->second;
    const std::int64_t wanted = make_array(formal.dtype, formal.shape).elements();
    base::invariant(array.dtype == formal.dtype && array.elements() == wanted,
                    fmt::format("the parameter {} is {}, its value {}", formal.name,
                                to_string(formal.dtype, formal.shape), to_string(array.dtype, array.shape)));
    return array;
}

std::vector<std::byte> address_bytes(Address address) {
    std::vector<std::byte> bytes(sizeof(Address));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(address >> (8 * i));
    return bytes;
}

/// Allocates and fills the buffer of a tensor.
Address place_tensor(Device& device, const Formal& formal, const std::map<std::string, Array>& values) {
    const Rows rows = rows_of(formal);
    const std::vector<std::byte> contents = formal.in ? spread(value_for(formal, values).bytes, rows)
                                                      : std::vector<std::byte>(rows.device_bytes());
    const Address address = device.allocate(contents.size());
    device.write(address, contents);
    return address;
}

Array fetch_tensor(Device& device, const Formal& formal, Address address) {
    const Rows rows = rows_of(formal);
    std::vector<std::byte> contents(rows.device_bytes());
    device.read(address, contents);
    return {formal.dtype, formal.shape, gather(contents, rows)};
}

/// For every CTA of the grid.
std::uint64_t scratch(const Signature& signature) {
    std::uint64_t bytes = signature.scratch_bytes;
    for (const std::uint32_t extent : signature.grid) bytes *= extent;
    return bytes;
}

} // namespace

CallResult call(Device& device, const Signature& signature, std::map<std::string, Array>& values,
                int repeats) {
    CallResult result;
    try {
        std::vector<Address> addresses;
        std::vector<std::vector<std::byte>> parameters;
        for (const Formal& formal : signature.formals) {
            addresses.push_back(formal.is_scalar() ? 0 : place_tensor(device, formal, values));
            parameters.push_back(formal.is_scalar() ? value_for(formal, values).bytes
                                                    : address_bytes(addresses.back()));
        }
        if (signature.scratch_bytes != 0)
            parameters.push_back(address_bytes(device.allocate(scratch(signature))));
        const LaunchShape shape{signature.grid, signature.block, signature.shared_bytes};
        result.error = device.launch(signature.kernel, shape, parameters, result.statistics);
        if (result.error) return result;
        for (std::size_t i = 0; i < signature.formals.size(); ++i) {
            const Formal& formal = signature.formals[i];
            if (formal.out) values[formal.name] = fetch_tensor(device, formal, addresses[i]);
        }
        if (repeats > 0)
            result.error = device.time(signature.kernel, shape, parameters, repeats, result.timing);
    } catch (const DeviceFailure& failure) {
        result.error = failure.error();
    }
    return result;
}

} // namespace tmemc::runtime
