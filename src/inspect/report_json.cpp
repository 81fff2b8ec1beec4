// The report as JSON, schema 1 (command-line reference, "report --format=json"), and back. What is not known
// is null; a number that is missing is not known, so that reports of earlier versions can be read.
#include "inspect/report.hpp"

#include "base/json.hpp"

#include <limits>

namespace tmemc::inspect {
namespace {

using base::Json;
constexpr int schema = 1;

Json number(KernelReport::Count count) { return count ? Json(*count) : Json(); }
Json messages(const KernelReport::Messages& counts) {
    if (!counts) return {};
    Json object = Json::object();
    for (const auto& [name, count] : *counts) object[name] = count;
    return object;
}

/// What is wrong with a report, said of the member that is read.
struct Unreadable {
    std::string why;
};

const Json* member(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

int read_int(const Json& value, const std::string& name) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<int>::max())
        throw Unreadable{"`" + name + "` is no count"};
    return value.get<int>();
}
KernelReport::Count read_count(const Json& object, const char* name) {
    const Json* const value = member(object, name);
    return value == nullptr ? std::nullopt : KernelReport::Count(read_int(*value, name));
}

KernelReport::Messages read_messages(const Json& object, const char* name) {
    const Json* const value = member(object, name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_object()) throw Unreadable{"`messages` is no object of objects"};
    std::map<std::string, int> counts;
    for (const auto& [shape, count] : value->items()) counts[shape] = read_int(count, shape);
    return counts;
}

std::string read_string(const Json& object, const char* name) {
    const Json* const value = member(object, name);
    if (value == nullptr || !value->is_string())
        throw Unreadable{std::string("`") + name + "` is missing or no string"};
    return value->get<std::string>();
}

KernelReport read_kernel(const Json& object) {
    if (!object.is_object()) throw Unreadable{"a kernel is no object"};
    KernelReport kernel;
    kernel.name = read_string(object, "name");
    kernel.registers = read_count(object, "registers");
    kernel.spill_stores = read_count(object, "spill_stores");
    kernel.spill_loads = read_count(object, "spill_loads");
    kernel.shared_bytes = read_count(object, "shared_bytes");
    kernel.barriers = read_count(object, "barriers");
    kernel.columns = read_count(object, "tmem_columns");
    kernel.instructions = read_count(object, "instructions");
    for (const char* each : {"messages", "waits"})
        if (const Json* const value = member(object, each); value != nullptr && !value->is_object())
            throw Unreadable{std::string("`") + each + "` is no object"};
    if (const Json* const counts = member(object, "messages")) {
        kernel.loads = read_messages(*counts, "ld");
        kernel.stores = read_messages(*counts, "st");
    }
    if (const Json* const counts = member(object, "waits")) {
        kernel.load_waits = read_count(*counts, "ld");
        kernel.store_waits = read_count(*counts, "st");
    }
    return kernel;
}

} // namespace

std::string report_json(const Report& report) {
    Json kernels = Json::array();
    for (const KernelReport& each : report.kernels)
        kernels.push_back({{"name", each.name},
                           {"registers", number(each.registers)},
                           {"spill_stores", number(each.spill_stores)},
                           {"spill_loads", number(each.spill_loads)},
                           {"shared_bytes", number(each.shared_bytes)},
                           {"barriers", number(each.barriers)},
                           {"tmem_columns", number(each.columns)},
                           {"instructions", number(each.instructions)},
                           {"messages", {{"ld", messages(each.loads)}, {"st", messages(each.stores)}}},
                           {"waits", {{"ld", number(each.load_waits)}, {"st", number(each.store_waits)}}}});
    return base::to_text({{"schema", schema}, {"target", report.target}, {"kernels", std::move(kernels)}});
}

ParsedReport read_report(std::string_view json) {
    ParsedReport made;
    const Json whole = Json::parse(json, nullptr, false);
    try {
        if (!whole.is_object()) throw Unreadable{"it is no JSON object"};
        const Json* const version = member(whole, "schema");
        if (version == nullptr || *version != schema)
            throw Unreadable{"its schema is " + (version == nullptr ? "missing" : version->dump()) +
                             ", not 1"};
        made.report.target = read_string(whole, "target");
        const Json* const kernels = member(whole, "kernels");
        if (kernels == nullptr || !kernels->is_array()) throw Unreadable{"`kernels` is missing or no array"};
        for (const Json& each : *kernels) made.report.kernels.push_back(read_kernel(each));
    } catch (const Unreadable& found) {
        made.error = found.why;
    }
    return made;
}

} // namespace tmemc::inspect
