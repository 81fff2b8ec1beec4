// Takes the wanted name when it is free, else the first free one with a number behind it.
#include "lower/names.hpp"

namespace tmemc::lower {

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
    const std::string name = first_free(
        wanted, "$", [&](const std::string& each) { return singles_.count(each) == 0 && !in_a_range(each); });
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
        return ranges_.count(each) == 0 && !meets_a_single(each);
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
