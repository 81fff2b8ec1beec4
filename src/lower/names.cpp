// Takes the wanted name when it is free, else the first free one with a number behind it.
#include "lower/names.hpp"

#include <algorithm>
#include <iterator>

namespace tmemc::lower {

namespace {

/// The special registers (PTX ISA 10). A program may well have a scalar `laneid`; its register is another.
constexpr std::string_view special[] = {"aggr_smem_size",
                                        "clock",
                                        "clock64",
                                        "clock_hi",
                                        "cluster_ctaid",
                                        "cluster_ctarank",
                                        "cluster_nctaid",
                                        "cluster_nctarank",
                                        "clusterid",
                                        "ctaid",
                                        "current_graph_exec",
                                        "dynamic_smem_size",
                                        "globaltimer",
                                        "globaltimer_hi",
                                        "globaltimer_lo",
                                        "gridid",
                                        "is_explicit_cluster",
                                        "laneid",
                                        "lanemask_eq",
                                        "lanemask_ge",
                                        "lanemask_gt",
                                        "lanemask_le",
                                        "lanemask_lt",
                                        "nclusterid",
                                        "nctaid",
                                        "nsmid",
                                        "ntid",
                                        "nwarpid",
                                        "reserved_smem_offset_begin",
                                        "reserved_smem_offset_cap",
                                        "reserved_smem_offset_end",
                                        "smid",
                                        "tid",
                                        "total_smem_size",
                                        "warpid"};
/// And those that a number ends: %envreg31, %pm7; %pm0_64 and %reserved_smem_offset_1 read like a range's.
constexpr std::string_view numbered[] = {"envreg", "pm", "reserved_smem_offset_"};

template <std::size_t N>
bool holds(const std::string_view (&table)[N], std::string_view name) {
    return std::find(std::begin(table), std::end(table), name) != std::end(table);
}

std::string_view without_number(std::string_view name) {
    return name.substr(0, name.find_last_not_of("0123456789") + 1);
}

bool is_special(std::string_view name) {
    return holds(special, name) || holds(numbered, without_number(name));
}

/// True when a register `name`_N could be one of them.
bool begins_special(std::string_view name) {
    return name == "reserved_smem_offset" || without_number(name) == "pm";
}

} // namespace

template <class Free>
std::string Names::first_free(std::string_view wanted, std::string_view joint, Free free) {
    std::string name(wanted);
    if (free(name)) return name;
    int& number = numbers_.try_emplace(name + std::string(joint), 2).first->second;
    do {
        name = wanted;
        name += joint;
        name += std::to_string(number++);
    } while (!free(name));
    return name;
}

/// True when `name` reads as a numbered register of a range: "X_12" of X.
bool Names::in_a_range(const std::string& name) const {
    const std::size_t last = name.find_last_not_of("0123456789");
    return last != std::string::npos && last + 1 < name.size() && name[last] == '_' &&
           ranges_.count(name.substr(0, last)) != 0;
}

std::string Names::single(std::string_view wanted) {
    const std::string name = first_free(wanted, "$", [&](const std::string& each) {
        return singles_.count(each) == 0 && !in_a_range(each) && !is_special(each);
    });
    singles_.insert(name);
    return "%" + name;
}

std::string Names::range(std::string_view wanted) {
    const auto meets_a_single = [&](const std::string& prefix) {
        for (const std::string& each : singles_)
            if (each.size() > prefix.size() + 1 && each.compare(0, prefix.size(), prefix) == 0 &&
                each[prefix.size()] == '_' &&
                each.find_first_not_of("0123456789", prefix.size() + 1) == std::string::npos)
                return true;
        return false;
    };
    const std::string name = first_free(wanted, "_", [&](const std::string& each) {
        return ranges_.count(each) == 0 && !meets_a_single(each) && !begins_special(each);
    });
    ranges_.insert(name);
    return "%" + name + "_";
}

std::string Names::symbol(std::string_view wanted) {
    const std::string name =
        first_free(wanted, "_", [&](const std::string& each) { return symbols_.count(each) == 0; });
    symbols_.insert(name);
    return "$" + name;
}

} // namespace tmemc::lower
