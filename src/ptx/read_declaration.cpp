// Variables, initial values and parameters by recursive descent; the only recursion is that of initial
// values, as deep as the array has dimensions.
#include "ptx/read_declaration.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <string>

namespace tmemc::ptx {
namespace {

using Kind = Token::Kind;

constexpr std::size_t most_dimensions = 8;

struct LinkageRow {
    std::string_view directive;
    Linkage linkage{};
};
constexpr LinkageRow linkages[] = {{".visible", Linkage::visible},
                                   {".extern", Linkage::external},
                                   {".weak", Linkage::weak},
                                   {".common", Linkage::common}};

/// .align 8 or nothing.
bool alignment(Cursor& cursor, std::uint32_t& into) {
    if (!cursor.take_if(".align")) return true;
    return cursor.number(into) && (std::has_single_bit(into) || cursor.fail_last("a power of two"));
}

/// [2][3], [] or nothing.
bool extents(Cursor& cursor, Variable& into) {
    constexpr std::uint64_t most_elements = std::uint64_t{1} << 31;
    std::uint64_t elements = 1;
    while (cursor.take_if('[')) {
        std::uint64_t& extent = into.extents.emplace_back(0);
        if (into.extents.size() > most_dimensions) return cursor.fail("at most 8 dimensions");
        const bool open = into.extents.size() == 1 && cursor.peek().is(']');
        if (!open && !cursor.number(extent, std::numeric_limits<std::uint32_t>::max())) return false;
        if (!open && extent == 0) return cursor.fail_last("at least one element");
        elements *= std::max<std::uint64_t>(extent, 1); // of less than 2^32 and less than 2^31
        if (elements > most_elements) return cursor.fail_last("a variable of at most 2^31 elements");
        if (!cursor.expect(']')) return false;
    }
    return true;
}

/// name, name+4, generic(name), generic(name)+4
bool initial_address(Cursor& cursor, InitialAddress& into) {
    into.generic = cursor.peek().text == "generic" && cursor.peek(1).is('(');
    if (into.generic) {
        cursor.take();
        cursor.take();
    }
    if (!cursor.name(into.symbol, "an initial value") || (into.generic && !cursor.expect(')'))) return false;
    if (!cursor.take_if('+')) return true;
    Immediate offset;
    if (!cursor.integer(offset)) return false;
    into.offset = static_cast<std::int64_t>(offset.bits);
    return true;
}

/// A constant, an address, or the bits of a mask of one: 0xFF00(name+4)
bool initial_value(Cursor& cursor, InitialValue& into) {
    if (cursor.peek().is(Kind::word)) return initial_address(cursor, into.emplace<InitialAddress>());
    if (!cursor.at_constant()) return cursor.fail("an initial value");
    const bool masked = cursor.peek(1).is('(');
    Immediate constant;
    if (!cursor.immediate(constant)) return false;
    if (!masked) {
        into = constant;
        return true;
    }
    if (constant.bits == 0) return cursor.fail_last("a mask of at least one bit");
    auto& address = into.emplace<InitialAddress>();
    cursor.take();
    if (!initial_address(cursor, address)) return false;
    address.mask = constant.bits;
    return cursor.expect(')');
}

/// Elements of dimension `dimension`, or their lists; a new list begins on a new row.
bool initial_list(Cursor& cursor, const std::vector<std::uint64_t>& shape, std::size_t dimension,
                  std::vector<InitialValue>& into) {
    std::uint64_t row = 1;
    for (std::size_t d = dimension; d < shape.size(); ++d) row *= std::max<std::uint64_t>(shape[d], 1);
    if (dimension != 0 && into.size() % row != 0) {
        const std::uint64_t padding = row - into.size() % row;
        if (!cursor.pad(padding)) return false;
        into.resize(into.size() + padding);
    }
    if (!cursor.expect('{')) return false;
    if (cursor.take_if('}')) return true;
    do {
        const bool deeper = cursor.peek().is('{') && dimension + 1 < shape.size();
        if (!(deeper ? initial_list(cursor, shape, dimension + 1, into)
                     : initial_value(cursor, into.emplace_back())))
            return false;
    } while (cursor.take_if(','));
    return cursor.take_if('}') || cursor.fail("`,` or `}`");
}

bool initial_values(Cursor& cursor, Variable& into) {
    const std::vector<std::uint64_t> all = shape(into);
    if (all.empty()) return initial_value(cursor, into.values.emplace_back());
    return initial_list(cursor, all, 0, into.values);
}

bool attribute(Cursor& cursor, Variable& into) {
    static const std::vector<std::string> known = {".managed"};
    if (!cursor.take_if(".attribute")) return true;
    if (!cursor.expect('(')) return false;
    if (!cursor.take_if(".managed")) return cursor.unknown_directive("as an attribute here", known);
    into.managed = true;
    return cursor.expect(')');
}

bool parameter(Cursor& cursor, Parameter& into) {
    into.in_register = cursor.take_if(".reg");
    if (!into.in_register && !cursor.expect(".param")) return false;
    if (!alignment(cursor, into.align)) return false;
    if (!cursor.type(into.type)) return false;
    if (cursor.take_if(".ptr")) {
        Parameter::Pointer& pointer = into.pointer.emplace(Parameter::Pointer{{}, 0});
        if (cursor.peek().is(Kind::directive) && cursor.peek().text != ".align")
            pointer.space = cursor.take().text.substr(1);
        if (!alignment(cursor, pointer.align)) return false;
    }
    if (!cursor.name(into.name, "the parameter's name")) return false;
    if (!cursor.take_if('[')) return true;
    return cursor.number(into.count.emplace(), std::numeric_limits<std::uint32_t>::max()) &&
           cursor.expect(']');
}

} // namespace

std::vector<std::uint64_t> shape(const Variable& variable) {
    std::vector<std::uint64_t> all = variable.extents;
    if (variable.elements != 1) all.push_back(variable.elements);
    return all;
}

Linkage take_linkage(Cursor& cursor) {
    for (const LinkageRow& row : linkages)
        if (cursor.take_if(row.directive)) return row.linkage;
    return Linkage::none;
}

bool is_space(std::string_view directive) {
    static constexpr std::string_view spaces[] = {".shared", ".global", ".const", ".local", ".param", ".tex"};
    return std::find(std::begin(spaces), std::end(spaces), directive) != std::end(spaces);
}

bool read_variable(Cursor& cursor, Variable& into) {
    if (!is_space(cursor.peek().text)) return cursor.fail("a state space such as `.shared`");
    into.space = cursor.take().text.substr(1);
    if (!attribute(cursor, into)) return false;
    if (!alignment(cursor, into.align)) return false;
    if (cursor.take_if(".v2")) into.elements = 2;
    if (cursor.take_if(".v4")) into.elements = 4;
    if (!cursor.type(into.type) || !cursor.name(into.name, "the variable's name") || !extents(cursor, into))
        return false;
    return !cursor.take_if('=') || initial_values(cursor, into);
}

bool read_parameters(Cursor& cursor, std::vector<Parameter>& into) {
    if (!cursor.expect('(')) return false;
    if (cursor.take_if(')')) return true;
    do
        if (!parameter(cursor, into.emplace_back())) return false;
    while (cursor.take_if(','));
    return cursor.take_if(')') || cursor.fail("`,` or `)`");
}

} // namespace tmemc::ptx
