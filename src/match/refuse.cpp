// One function per kind of obstacle.
#include "match/refuse.hpp"

#include "atlas/limits.hpp"
#include "match/advice.hpp"
#include "match/copy_of.hpp"
#include "match/shape_notes.hpp"

#include <fmt/core.h>

namespace tmemc::match {

namespace catalogue = base::catalogue;

namespace {

constexpr int warp_threads = atlas::lanes_per_warp;

void help(base::Diagnostic& refused, const std::optional<std::string>& advice) {
    if (advice) refused.help(*advice);
}

base::Diagnostic& report_no_instruction(sema::Reports& reports, base::Span span, const Refusal& refusal) {
    return reports.report(catalogue::no_instruction, span, fragment_phrase(refusal),
                          refusal.store() ? "to" : "from", buffer_phrase(refusal));
}

/// A note for each shape, and a picture of what the first speaks of.
void explain(base::Diagnostic& refused, const Refusal& refusal, const std::vector<ShapeNote>& notes) {
    for (const ShapeNote& each : notes) {
        refused.note(each.text);
        if (!refused.picture && each.first) refused.picture = picture_of(refusal, *each.first);
    }
}

/// Extents differ: the first element, of the rows both have, that is out of reach, then what does not fit.
void refuse_extents(sema::Reports& reports, base::Span span, const Refusal& refusal,
                    const Obstacle* obstacle) {
    base::Diagnostic& refused = report_no_instruction(reports, span, refusal);
    if (obstacle != nullptr) explain(refused, refusal, shape_notes(refusal, atlas::shape_rows()));
    const auto note = [&](int ours, int theirs, std::string_view what) {
        if (ours != theirs)
            refused.note(fmt::format("`{}` has {} {} here, `{}` has {}", refusal.fragment().name, ours, what,
                                     refusal.buffer().name, theirs));
    };
    note(refusal.copy.fragment.rows, refusal.copy.buffer.rows, "rows");
    note(refusal.copy.fragment.cols, refusal.copy.buffer.cols, "columns");
    help(refused, fragment_advice(refusal));
}

const base::Kind& kind_of(Obstacle::What what) {
    switch (what) {
    case Obstacle::What::reach:
    case Obstacle::What::pattern: break;
    case Obstacle::What::part_word:
    case Obstacle::What::mixed_word: return catalogue::part_of_word;
    case Obstacle::What::part_warp:
    case Obstacle::What::part_unit: return catalogue::part_of_unit;
    case Obstacle::What::odd_column: return catalogue::odd_packed_column;
    case Obstacle::What::upper_half: return catalogue::upper_half_lost;
    case Obstacle::What::two_writers: return catalogue::two_writers;
    case Obstacle::What::too_wide: return catalogue::message_too_wide;
    }
    return catalogue::no_instruction;
}

class Refuser {
  public:
    Refuser(sema::Reports& reports, base::Span span, const Refusal& refusal, const Obstacle& obstacle)
        : reports_(reports), span_(span), refusal_(refusal), obstacle_(obstacle) {}

    void refuse() {
        switch (obstacle_.what) {
        case Obstacle::What::reach:
        case Obstacle::What::pattern: return no_instruction();
        case Obstacle::What::part_word: return part_of_word();
        case Obstacle::What::mixed_word: return mixed_word();
        case Obstacle::What::part_warp: return part_of_warp();
        case Obstacle::What::part_unit: return part_of_unit();
        case Obstacle::What::odd_column: return odd_column();
        case Obstacle::What::upper_half: return upper_half();
        case Obstacle::What::two_writers: return two_writers();
        case Obstacle::What::too_wide: return too_wide();
        }
    }

  private:
    /// Every shape fails: the one that comes furthest first, with the first element out of reach if that is
    /// it.
    void no_instruction() {
        base::Diagnostic& refused = report_no_instruction(reports_, span_, refusal_);
        const auto notes = shape_notes(refusal_, atlas::shape_rows());
        if (obstacle_.what == Obstacle::What::reach) {
            const std::string first = reach_text(refusal_, obstacle_);
            if (notes.empty() || !notes.front().text.ends_with(": " + first)) {
                refused.note("every shape: " + first);
                refused.picture = picture_of(refusal_, out_of_reach(obstacle_));
            }
        }
        explain(refused, refusal_, notes);
        help(refused, fragment_advice(refusal_));
    }

    void part_of_word() {
        base::Diagnostic& refused = reports_.report(catalogue::part_of_word, span_, "register", fragment());
        const std::string content =
            fragment_content(refusal_, obstacle_.thread, obstacle_.reg, obstacle_.bit);
        if (content != nothing) {
            refused.note(fmt::format("register {} of thread {} also holds {}, which the copy leaves out",
                                     obstacle_.reg, obstacle_.thread, content));
            help_whole_words(refused);
            return;
        }
        const int bits = base::bits(refusal_.fragment().dtype);
        refused.note(fmt::format("no element of `{}` lies in bits {}..{} of register {} of thread {}, and an "
                                 "instruction moves whole registers",
                                 fragment(), obstacle_.bit, obstacle_.bit + bits - 1, obstacle_.reg,
                                 obstacle_.thread));
        refused.help(
            fmt::format("lay `{}` out so that its elements fill the registers they are in", fragment()));
    }

    void mixed_word() {
        base::Diagnostic& refused = reports_.report(catalogue::part_of_word, span_, "cell", buffer());
        const int bits = base::bits(refusal_.fragment().dtype);
        const Pairs pairs = compose(copy_of(refusal_.kernel, refusal_.copy));
        for (std::size_t i = 0; i < pairs.registers.size(); ++i) {
            const WarpRegister& which = pairs.registers[i];
            if (which.warp != obstacle_.thread / warp_threads || which.reg != obstacle_.reg) continue;
            for (int part = 0; part < pairs.parts; ++part) {
                const int bit = part * 32 / pairs.parts;
                const layout::Cell& cell = pairs.at(i, obstacle_.thread % warp_threads, part);
                refused.note(fmt::format(
                    "{} is in bits {}..{} of register {} of thread {}, but in bits {}..{} of lane "
                    "{}, column {}",
                    fragment_content(refusal_, obstacle_.thread, obstacle_.reg, bit), bit,
                    bit + 32 / pairs.parts - 1, obstacle_.reg, obstacle_.thread, cell.bit,
                    cell.bit + 32 / pairs.parts - 1, cell.lane, cell.column));
                if (cell.bit == bit || refused.picture) continue;
                refused.picture = base::two_places(
                    fragment_content(refusal_, obstacle_.thread, obstacle_.reg, bit),
                    bits == 16 ? "half" : "byte", 32 / bits,
                    {fragment_label(), bit / bits, fmt::format("register {}", obstacle_.reg)},
                    {"cell holds it", cell.bit / bits,
                     fmt::format("lane {}, column {}", cell.lane, cell.column)});
            }
            break;
        }
        help_whole_words(refused);
    }

    void help_whole_words(base::Diagnostic& refused) {
        const base::Dtype dtype = refusal_.fragment().dtype;
        refused.help(
            fmt::format("{} columns of {} share 32 bits: start and end both slices at multiples of {}",
                        base::per_word(dtype), base::name(dtype), base::per_word(dtype)));
    }

    void part_of_warp() {
        base::Diagnostic& refused =
            reports_.report(catalogue::part_of_unit, span_, fragment_phrase(refusal_));
        const std::string content = fragment_content(refusal_, obstacle_.thread, obstacle_.reg);
        const bool empty = content == nothing;
        refused.note(
            fmt::format("the copy needs register {} of warp {} in some of its 32 threads: thread {} holds {} "
                        "there{}; an instruction moves it in all",
                        obstacle_.reg, obstacle_.thread / warp_threads, obstacle_.thread, content,
                        empty ? "" : ", which the copy leaves out"));
        if (empty)
            refused.help(
                fmt::format("lay `{}` out over all 32 threads of the warps that hold it", fragment()));
        else
            refused.help(unit_advice(refusal_, obstacle_.thread / warp_threads, obstacle_.reg));
    }

    void part_of_unit() {
        const atlas::ShapeRow& shape = atlas::row(obstacle_.shape);
        base::Diagnostic& refused =
            reports_.report(catalogue::part_of_unit, span_, fragment_phrase(refusal_));
        refused.note(fmt::format(
            "{} moves {} registers at once: with register {} of warp {} comes the one whose thread "
            "{} meets lane {}, column {}, and the copy has none",
            shape.name, shape.registers, obstacle_.reg, obstacle_.thread / warp_threads, obstacle_.thread,
            obstacle_.lane, obstacle_.column));
        refused.help(unit_advice(refusal_, obstacle_.thread / warp_threads, obstacle_.reg));
    }

    void odd_column() {
        const sema::Buffer& object = refusal_.buffer();
        const std::optional<int>& fixed = refusal_.kernel.groups[object.group].fixed;
        base::Diagnostic& refused =
            reports_.report(catalogue::odd_packed_column, span_, buffer(), obstacle_.column);
        const bool far = obstacle_.thread % warp_threads != 0; // the second half of a split message
        refused.note(fmt::format("the {} with register {} of thread {} would start there, at lane {}",
                                 far ? "second half of a message, beginning" : "message that begins",
                                 obstacle_.reg, obstacle_.thread, obstacle_.lane));
        // What counts is the column of the allocation. Groups that are placed later start on an even one.
        if (fixed)
            refused.note(fmt::format("that is column {} of the allocation: `{}` starts at column {}",
                                     *fixed + object.offset + obstacle_.column, buffer(),
                                     *fixed + object.offset));
        else if (object.offset != 0)
            refused.note(
                fmt::format("`{}` starts {} column{} behind the buffer that it is declared at, which "
                            "starts on an even column of the allocation",
                            buffer(), object.offset, object.offset == 1 ? "" : "s"));
        if (far)
            refused.help(
                fmt::format("an even number of columns must lie between the two halves of `{}`", buffer()));
        else if ((fixed.value_or(0) + object.offset) % 2 != 0)
            refused.help(fmt::format("declare `{}` at an even column of the allocation, or start the slice "
                                     "at an odd column of it",
                                     buffer()));
        else
            refused.help(fmt::format("start the slice of `{}` at an even column", buffer()));
    }

    void upper_half() {
        reports_
            .report(catalogue::upper_half_lost, span_, buffer(), obstacle_.lane, obstacle_.column,
                    obstacle_.reg, obstacle_.thread)
            .help("store all elements of these cells at once, or declare the buffer `unpacked`");
    }

    void two_writers() {
        const bool with_column = true;
        reports_.report(catalogue::two_writers, span_, obstacle_.lane, obstacle_.column, fragment())
            .note(fmt::format(
                "{} is in register {} of thread {} and in register {} of thread {}, both in warp {}",
                element_phrase(refusal_, obstacle_.row, obstacle_.col, with_column), obstacle_.reg,
                obstacle_.thread, obstacle_.other_reg, obstacle_.other_thread,
                obstacle_.thread / warp_threads))
            .help("store from a fragment that holds every element once in the warp that reaches its lane")
            .picture = base::two_places(
            fmt::format("lane {}, column {}", obstacle_.lane, obstacle_.column), "thread", atlas::lanes,
            {"fragment has it", obstacle_.thread, fmt::format("register {}", obstacle_.reg)},
            {"and once more", obstacle_.other_thread, fmt::format("register {}", obstacle_.other_reg)});
    }

    void too_wide() {
        const atlas::ShapeRow& shape = atlas::row(obstacle_.shape);
        reports_
            .report(catalogue::message_too_wide, span_, shape.name, shape.registers,
                    refusal_.limits.registers)
            .help(fmt::format("allow {} registers: --max-message={}", shape.registers, shape.registers));
    }

    [[nodiscard]] std::string fragment_label() const {
        return refusal_.store() ? "fragment has it" : "fragment wants it";
    }
    [[nodiscard]] const std::string& fragment() const { return refusal_.fragment().name; }
    [[nodiscard]] const std::string& buffer() const { return refusal_.buffer().name; }

    sema::Reports& reports_;
    base::Span span_;
    const Refusal& refusal_;
    const Obstacle& obstacle_;
};

} // namespace

void refuse(sema::Reports& reports, base::Span span, const Refusal& refusal, const Obstacle* obstacle) {
    // A copy in a loop is explained in the first turn that fails; finding the words for each would take
    // longer than the matching.
    const bool extents = refusal.extents_differ();
    if (reports.repeat(extents ? catalogue::no_instruction : kind_of(obstacle->what), span)) return;
    if (extents)
        refuse_extents(reports, span, refusal, obstacle);
    else
        Refuser(reports, span, refusal, *obstacle).refuse();
}

} // namespace tmemc::match
