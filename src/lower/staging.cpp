// Fields of the thread number are multiplied where their bits do not meet, and joined.
#include "lower/staging.hpp"

#include "atlas/costs.hpp"
#include "atlas/limits.hpp"
#include "lower/parameters.hpp"

namespace tmemc::lower {
namespace {

std::vector<std::uint32_t> key_of(const StagedBits& bits) {
    std::vector<std::uint32_t> key;
    key.reserve(bits.size());
    for (const XorBytes& each : bits) key.push_back(each.value);
    return key;
}

/// Adjacent thread bits of which each contributes twice what the one before does, no bit of it twice.
std::vector<Field> fields_of(const StagedBits& bits) {
    std::vector<Field> list;
    std::uint32_t taken = 0; // by the last field
    for (std::size_t bit = 0; bit < bits.size(); ++bit) {
        const std::uint32_t step = bits[bit].value;
        if (step == 0) continue;
        const bool goes_on = !list.empty() && list.back().shift + list.back().width == bit &&
                             step == 2 * bits[bit - 1].value && (taken & step) == 0;
        if (goes_on)
            ++list.back().width;
        else
            list.push_back({bit, 1, step});
        taken = goes_on ? taken | step : step;
    }
    return list;
}

} // namespace

void Staging::reserve(int bytes) { bytes_ = std::max(bytes_, bytes); }

const ptx::Register& Staging::part_of_warp() {
    if (part_) return *part_;
    const ptx::Register thread = kernel_.function ? text_.thread() : text_.cta_thread(),
                        warp = text_.scratch();
    emit("shr.u32", {warp, thread, constant(5)});
    const ptx::Register all = whole();
    part_ = text_.declare("b32", "staging");
    emit("mad.lo.u32", {*part_, warp, constant(bytes_), all});
    return *part_;
}

/// The address of all of it.
ptx::Register Staging::whole() {
    if (kernel_.function) {
        const std::string name = staging_parameter(kernel_);
        return text_.parameter(kernel_.parameters.size(), "ld.param.b32", "b32", name + "_base", name);
    }
    ptx::Register all = text_.scratch();
    const std::string variable = text_.names.symbol("staging");
    const int used = bytes(), most = atlas::static_shared_bytes - part_alignment - others_;
    const int taken = used > atlas::staging_alone ? std::max(used, most) : used;
    text_.declarations.emplace_back(ptx::Variable{"shared",
                                                  static_cast<std::uint32_t>(part_alignment),
                                                  "b8",
                                                  variable,
                                                  {static_cast<std::uint64_t>(taken)}});
    emit("mov.u32", {all, ptx::Symbol{variable}});
    return all;
}

/// What the thread contributes; nothing when that is 0.
const std::optional<ptx::Register>& Staging::number(const StagedBits& bits) {
    const auto [known, is_new] = numbers_.emplace(key_of(bits), std::nullopt);
    if (!is_new) return known->second;
    std::optional<ptx::Register>& sum = known->second;
    std::uint32_t taken = 0; // bits that the sum may have
    for (const Field& field : fields_of(bits)) {
        std::uint32_t own = 0;
        for (std::size_t i = 0; i < field.width; ++i) own |= static_cast<std::uint32_t>(field.step) << i;
        const ptx::Register value = numbers_of_.field(field);
        const ptx::Register next = text_.scratch();
        if (sum && (own & taken) == 0) {
            emit("mad.lo.u32", {next, value, constant(field.step), *sum});
        } else {
            emit("mul.lo.u32", {next, value, constant(field.step)});
            if (sum) emit("xor.b32", {next, next, *sum});
        }
        sum = next;
        taken |= own;
    }
    return sum;
}

const ptx::Register& Staging::place(const StagedBits& bits, std::uint32_t joined) {
    const auto key = std::pair{key_of(bits), joined};
    const auto known = places_.find(key);
    if (known != places_.end()) return known->second;
    const ptx::Register part = part_of_warp();
    const std::optional<ptx::Register> thread = number(bits);
    if (!thread) return places_.emplace(key, part).first->second;
    if (joined != 0 && joined < static_cast<std::uint32_t>(part_alignment)) {
        const ptx::Register first = place(bits, 0); // the part begins with zeros there
        const ptx::Register made = text_.declare("b32", "place");
        emit("xor.b32", {made, first, constant(joined)});
        return places_.emplace(key, made).first->second;
    }
    ptx::Register inside = *thread;
    if (joined != 0) {
        inside = text_.scratch();
        emit("xor.b32", {inside, *thread, constant(joined)});
    }
    const ptx::Register made = text_.declare("b32", "place");
    emit("add.u32", {made, part, inside});
    return places_.emplace(key, made).first->second;
}

ptx::Address Staging::at(const StagedBits& bits, std::uint32_t constant_part) {
    std::uint32_t of_thread = 0;
    for (const XorBytes& each : bits) of_thread |= each.value;
    return {place(bits, constant_part & of_thread), constant_part & ~of_thread};
}

const std::vector<std::string>& Staging::registers() {
    if (!registers_.empty()) return registers_;
    constexpr auto count = static_cast<std::size_t>(atlas::staged_registers);
    constexpr auto longest = static_cast<std::size_t>(atlas::staged_row_bytes) * 4; // a walk, of bytes
    const std::string prefix = text_.declare_range("b32", "staged", atlas::staged_registers);
    registers_.reserve(longest);
    for (std::size_t i = 0; i < longest; ++i) registers_.push_back(prefix + std::to_string(i % count));
    return registers_;
}

} // namespace tmemc::lower
