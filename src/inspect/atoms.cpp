// Rows of the atlas, completed by trial copies, and the two ways to write them.
#include "inspect/atoms.hpp"

#include "atlas/images.hpp"
#include "atlas/limits.hpp"
#include "base/json.hpp"
#include "match/plan_copy.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::inspect {
namespace {

using base::Json;

constexpr int trial_words = 32; // columns of a trial tile: a multiple of what every image needs

/// The messages between whole tiles of the two images, or none.
std::vector<match::Message> trial(const atlas::ImageRow& atom, const atlas::ImageRow& datapath, int bits,
                                  bool unpacked) {
    if (atom.rows != datapath.rows) return {};
    const int rows = atom.rows, cols = trial_words * (32 / bits);
    const auto slots = layout::slot_map(atlas::layout_of(atom, cols, bits), rows, cols, bits);
    const auto cells = layout::cell_map(atlas::layout_of(datapath, cols, bits, unpacked), rows, cols, bits);
    const match::Copy copy{std::get<layout::SlotMap>(slots),
                           std::get<layout::CellMap>(cells),
                           {},
                           {},
                           rows,
                           cols,
                           false,
                           unpacked,
                           0};
    const match::Outcome outcome = match::plan_copy(copy, match::Limits{});
    const auto* messages = std::get_if<std::vector<match::Message>>(&outcome);
    return messages == nullptr ? std::vector<match::Message>{} : *messages;
}

AtomFragment fragment_of(const atlas::ImageRow& image) {
    AtomFragment fragment{image.rows, image.word_multiple, {}};
    for (const atlas::ImageRow& datapath : atlas::datapath_rows())
        if (!trial(image, datapath, 32, false).empty()) fragment.datapaths.emplace_back(datapath.name);
    return fragment;
}

bool packs(const atlas::ImageRow& image, atlas::Shape shape) {
    for (const atlas::ImageRow& datapath : atlas::datapath_rows())
        for (const match::Message& message : trial(image, datapath, 16, true))
            if (message.pack && message.shape == shape) return true;
    return false;
}

Atom atom_of(const atlas::ShapeRow& shape) {
    Atom atom{&shape, {}, {}, false, {}};
    for (int num = 1; num <= shape.max_num; num *= 2) atom.nums.push_back(num);
    for (int lane = 0; lane < atlas::lanes_per_warp; lane += shape.lanes) atom.start_lanes.push_back(lane);
    for (const atlas::ImageRow& image : atlas::atom_rows()) {
        if (image.name != shape.name) continue;
        atom.fragments.push_back(fragment_of(image));
        atom.pack = atom.pack || packs(image, shape.shape);
    }
    return atom;
}

std::string numbers(const std::vector<int>& list) { return fmt::format("{}", fmt::join(list, " ")); }

Json fragment_entry(const AtomFragment& fragment) {
    return {{"rows", fragment.rows},
            {"column_multiple",
             {{"bits_32", fragment.multiple},
              {"bits_16", 2 * fragment.multiple},
              {"bits_8", 4 * fragment.multiple}}},
            {"datapaths", fragment.datapaths}};
}

} // namespace

std::vector<Atom> atoms() {
    std::vector<Atom> list;
    for (const atlas::ShapeRow& shape : atlas::shape_rows()) list.push_back(atom_of(shape));
    return list;
}

std::string atoms_text(const std::vector<Atom>& atoms) {
    std::string text = "messages: one tile of .x1, and .xN is N tiles side by side\n\n";
    text += fmt::format("{:<10}{:<11}{:<9}{:<7}{:<13}{:<24}{:<6}{}\n", "shape", "registers", "columns",
                        "lanes", "start lanes", ".xN", "pack", "half split");
    for (const Atom& atom : atoms)
        text += fmt::format("{:<10}{:<11}{:<9}{:<7}{:<13}{:<24}{:<6}{}\n", atom.shape->name,
                            atom.shape->registers, atom.shape->columns, atom.shape->lanes,
                            numbers(atom.start_lanes), numbers(atom.nums), atom.pack ? "yes" : "no",
                            atom.shape->split ? "yes" : "no");
    text += "\nfragments: columns are a multiple of, by the bits of an element; datapaths of whole tiles\n\n";
    text += fmt::format("{:<10}{:<6}{:<8}{:<8}{:<8}{}\n", "atom", "rows", "32-bit", "16-bit", "8-bit",
                        "datapaths");
    for (const Atom& atom : atoms)
        for (const AtomFragment& each : atom.fragments)
            text +=
                fmt::format("{:<10}{:<6}{:<8}{:<8}{:<8}{}\n", atom.shape->name, each.rows, each.multiple,
                            2 * each.multiple, 4 * each.multiple,
                            each.datapaths.empty() ? "-" : fmt::format("{}", fmt::join(each.datapaths, " ")));
    return text;
}

std::string atoms_json(const std::vector<Atom>& atoms) {
    Json list = Json::array();
    for (const Atom& atom : atoms) {
        Json fragments = Json::array();
        for (const AtomFragment& each : atom.fragments) fragments.push_back(fragment_entry(each));
        list.push_back({{"shape", atom.shape->name},
                        {"registers", atom.shape->registers},
                        {"columns", atom.shape->columns},
                        {"lanes", atom.shape->lanes},
                        {"start_lanes", atom.start_lanes},
                        {"nums", atom.nums},
                        {"pack", atom.pack},
                        {"half_split", atom.shape->split},
                        {"fragments", std::move(fragments)}});
    }
    return base::to_text({{"schema", 1}, {"atoms", std::move(list)}});
}

} // namespace tmemc::inspect
