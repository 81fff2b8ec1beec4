// Where the kernel's tensors lie, and which parts of them exist. A tensor of which the copies use a good part
// is there as a whole; of a huge one only the rows of the copies' regions are.
#include "verify/state.hpp"

#include <algorithm>
#include <map>

namespace tmemc::verify {
namespace {

constexpr std::uint64_t apart = std::uint64_t{1} << 44; // from one tensor to the next

/// The bytes of a tensor that the copies reach, row by row.
std::vector<std::pair<std::uint64_t, std::uint64_t>> rows_used(const sema::Kernel& kernel, const Cta& cta,
                                                               std::size_t parameter) {
    const auto& tensor = std::get<sema::Tensor>(kernel.parameters[parameter]);
    const auto bytes = static_cast<std::int64_t>(base::bytes(tensor.dtype));
    std::map<std::array<std::int64_t, 5>, Rectangle> regions; // each once
    for (const sema::Statement& statement : kernel.statements) {
        const auto* copy = std::get_if<sema::GlobalCopy>(&statement.what);
        if (copy == nullptr || copy->tensor.object != parameter) continue;
        const Rectangle all = rectangle(kernel, cta, *copy);
        regions.try_emplace({all.row, all.col, all.rows, all.cols, all.masked ? 1 : 0}, all);
    }
    std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;
    for (const auto& [key, all] : regions)
        for (int r = 0; r < all.rows; ++r) {
            const auto [first, last] = all.inside(r, 0, all.cols);
            if (first == last) continue;
            rows.emplace_back(static_cast<std::uint64_t>(all.element(r, first) * bytes),
                              static_cast<std::uint64_t>(all.element(r, last) * bytes));
        }
    std::sort(rows.begin(), rows.end());
    return rows;
}

} // namespace

Tensors::Tensors(const sema::Kernel& kernel, const Cta& cta) {
    constexpr std::uint64_t near = 256; // rows so close are one segment
    scratch_ = (kernel.parameters.size() + 1) * apart;
    for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
        const auto* tensor = std::get_if<sema::Tensor>(&kernel.parameters[p]);
        const std::uint64_t align = tensor == nullptr ? 0 : static_cast<std::uint64_t>(tensor->align) % 256;
        bases_.push_back((p + 1) * apart + align); // aligned to what is promised and to no more
        if (tensor == nullptr) continue;
        const auto rows = rows_used(kernel, cta, p);
        if (rows.empty()) continue;
        std::uint64_t used = 0;
        for (const auto& [first, last] : rows) used += last - first;
        const std::uint64_t span = std::max_element(rows.begin(), rows.end(), [](auto& a, auto& b) {
                                       return a.second < b.second;
                                   })->second;
        if (span <= 4 * used) {
            map(bases_[p], bases_[p] + span);
            continue;
        }
        auto [first, last] = rows.front();
        for (const auto& row : rows) {
            if (row.first > last + near) {
                map(bases_[p] + first, bases_[p] + last);
                first = row.first;
                last = row.second;
            }
            last = std::max(last, row.second);
        }
        map(bases_[p] + first, bases_[p] + last);
    }
}

void Tensors::map(std::uint64_t first, std::uint64_t last) {
    std::uint64_t offset = 0;
    real_.map(first, last - first);
    expected_.map(first, last - first);
    segments_.push_back({first, last, real_.find(first, 1, offset), expected_.find(first, 1, offset)});
}

Tensors::Byte Tensors::locate(std::uint64_t address) const {
    const std::size_t parameter = std::clamp<std::size_t>(address / apart, 1, bases_.size()) - 1;
    return {parameter, static_cast<std::int64_t>(address - bases_[parameter])};
}

Tensors::Range Tensors::at(std::uint64_t address, std::uint64_t bytes) {
    const auto holds = [&](const Segment& s) { return s.first <= address && address + bytes <= s.last; };
    if (last_ >= segments_.size() || !holds(segments_[last_])) {
        const auto after = std::upper_bound(segments_.begin(), segments_.end(), address,
                                            [](std::uint64_t a, const Segment& s) { return a < s.first; });
        if (after == segments_.begin() || !holds(*std::prev(after))) return {};
        last_ = static_cast<std::size_t>(std::prev(after) - segments_.begin());
    }
    const Segment& segment = segments_[last_];
    const std::uint64_t offset = address - segment.first;
    return {segment.real->bytes.data() + offset, segment.expected->bytes.data() + offset,
            segment.real->written.data() + offset};
}

} // namespace tmemc::verify
