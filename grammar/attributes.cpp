// Attributes and layout literals. A list in a layout is `(a, b)` or one entry; since an entry may itself
// begin with a bracket, `(a)*2`, what follows the closing bracket decides: a list ends before `:` or `]`.
#include "grammar/attributes.hpp"

#include "grammar/ast_adapted.hpp"
#include "grammar/expression.hpp"
#include "grammar/primitives.hpp"

namespace tmemc::grammar {

namespace {

constexpr Names axis{"an axis", [](const Token& token) {
                         return token.is_name() &&
                                std::find(axes.begin(), axes.end(), token.text) != axes.end();
                     }};
constexpr Names atom{"an atom", [](const Token& token) { return token.kind == Kind::atom; }};
constexpr Names datapath{"a datapath",
                         [](const Token& token) { return token.is_name() && token.text.size() == 1; }};
constexpr Lookahead opens_list{"a list", [](const Token& token) {
                                   if (!token.is("(") || token.partner == nullptr) return false;
                                   const Token& behind = token.partner[1];
                                   return behind.is(":") || behind.is("]");
                               }};

} // namespace

struct LayoutId : Placed {};
struct ReplicaId {};
struct DigitsId : Placed {};
struct ListId : Placed {};
struct EntriesId {};
struct OneEntryId {};
struct EntryId : Placed {};
struct OnAxisId {};
struct OffsetId : Placed {};

constexpr x3::rule<LayoutId, ast::Layout> layout{"a layout `S[...]`"};
constexpr x3::rule<ReplicaId, ast::Digits> replica{"`R[...]`"};
constexpr x3::rule<DigitsId, ast::Digits> digits{"`[`"};
constexpr x3::rule<ListId, ast::List> list{"an expression"};
constexpr x3::rule<EntriesId, std::vector<ast::Entry>> entries{"an expression"};
constexpr x3::rule<OneEntryId, std::vector<ast::Entry>> one_entry{"an expression"};
constexpr x3::rule<EntryId, ast::Entry> entry{"an expression"};
constexpr x3::rule<OnAxisId, ast::Name> on_axis{"`@`"};
constexpr x3::rule<OffsetId, ast::Offset> offset{"an offset"};

// layout = "S" digits [ "+" "R" digits ] { "+" product [ "@" axis ] }
constexpr auto layout_def = lit("S") > digits >> -replica >> *offset;
constexpr auto replica_def = lit("+") >> lit("R") >> &lit("[") > digits;
constexpr auto offset_def = lit("+") > product >> -on_axis;

// digits = "[" list ":" list "]"
constexpr auto digits_def = lit("[") > list > lit(":") > list > lit("]");

// list = "(" entry { "," entry } ")" | entry
constexpr auto list_def = here >> (entries | one_entry);
constexpr auto entries_def = opens_list >> lit("(") > list_of(entry) > lit(")", "`,` or `)`");
constexpr auto one_entry_def = x3::repeat(1)[entry];

// entry = expr [ "@" axis ]
constexpr auto entry_def = expr >> -on_axis;
constexpr auto on_axis_def = lit("@") > axis;

BOOST_SPIRIT_DEFINE(layout, replica, offset, digits, list, entries, one_entry, entry, on_axis)

namespace {

using AttributeKind = ast::Attribute::Kind;
using NoValue = decltype(ast::Attribute::value);

// A word, and what stands behind it.
constexpr auto with = [](std::string_view word, AttributeKind kind, auto value) {
    return lit(word) >> x3::attr(kind) > value;
};

} // namespace

struct AttributeDatapathId : Placed {};
struct AttributeSubSlabId : Placed {};
struct AttributeLayoutId : Placed {};
struct AttributeUnpackedId : Placed {};
struct AttributeAtId : Placed {};
struct AttributeAtomId : Placed {};
struct AttributeSwizzleId : Placed {};
struct AttributePitchId : Placed {};
struct AttributeAlignId : Placed {};

constexpr x3::rule<AttributeDatapathId, ast::Attribute> attribute_datapath{"`datapath`"};
constexpr x3::rule<AttributeSubSlabId, ast::Attribute> attribute_sub_slab{"`sub_slab`"};
constexpr x3::rule<AttributeLayoutId, ast::Attribute> attribute_layout{"`layout`"};
constexpr x3::rule<AttributeUnpackedId, ast::Attribute> attribute_unpacked{"`unpacked`"};
constexpr x3::rule<AttributeAtId, ast::Attribute> attribute_at{"`at`"};
constexpr x3::rule<AttributeAtomId, ast::Attribute> attribute_atom{"`atom`"};
constexpr x3::rule<AttributeSwizzleId, ast::Attribute> attribute_swizzle{"`swizzle`"};
constexpr x3::rule<AttributePitchId, ast::Attribute> attribute_pitch{"`pitch`"};
constexpr x3::rule<AttributeAlignId, ast::Attribute> attribute_align{"`align`"};

constexpr auto attribute_datapath_def = with("datapath", AttributeKind::datapath, datapath);
constexpr auto attribute_sub_slab_def = with("sub_slab", AttributeKind::sub_slab, expr);
constexpr auto attribute_layout_def = with("layout", AttributeKind::layout, layout);
const auto attribute_unpacked_def = lit("unpacked") >>
                                    x3::attr(AttributeKind::unpacked) >> x3::attr(NoValue{});
constexpr auto attribute_at_def = with("at", AttributeKind::at, expr);
constexpr auto attribute_atom_def = with("atom", AttributeKind::atom, atom);
constexpr auto attribute_swizzle_def = with("swizzle", AttributeKind::swizzle, expr);
constexpr auto attribute_pitch_def = with("pitch", AttributeKind::pitch, expr);
constexpr auto attribute_align_def = with("align", AttributeKind::align, expr);

constexpr auto tmem_parameter_attributes_def =
    *(attribute_datapath | attribute_sub_slab | attribute_layout | attribute_unpacked);
constexpr auto tmem_attributes_def =
    *(attribute_datapath | attribute_sub_slab | attribute_layout | attribute_unpacked | attribute_at);
constexpr auto frag_attributes_def = *(attribute_atom | attribute_layout);
constexpr auto smem_attributes_def = *(attribute_swizzle | attribute_layout);
constexpr auto tensor_attributes_def = *(attribute_pitch | attribute_align);

BOOST_SPIRIT_DEFINE(attribute_datapath, attribute_sub_slab, attribute_layout, attribute_unpacked,
                    attribute_at, attribute_atom, attribute_swizzle, attribute_pitch, attribute_align,
                    tmem_parameter_attributes, tmem_attributes, frag_attributes, smem_attributes,
                    tensor_attributes)

BOOST_SPIRIT_INSTANTIATE(decltype(tmem_attributes), Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(decltype(tmem_parameter_attributes), Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(decltype(frag_attributes), Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(decltype(smem_attributes), Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(decltype(tensor_attributes), Iterator, Context)

} // namespace tmemc::grammar
