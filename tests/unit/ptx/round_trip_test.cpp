// read(write(m)) == m for modules made at random: every kind of statement and operand, with names and
// constants at their limits. The classes are counted, so that a generator that stopped making one of them
// would show.
#include "ptx/read.hpp"
#include "ptx/write.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using namespace tmemc;
using namespace tmemc::ptx;

namespace {

class Generator {
  public:
    explicit Generator(std::uint32_t seed) : random_(seed) {}
    std::map<std::string, int> classes;

    Module module() {
        Module m;
        m.version = {number(1, 12), number(0, 20)};
        m.target = pick({"sm_100a", "sm_110f", "sm_75"});
        for (int i = number(0, 2); i > 0; --i)
            m.variables.push_back(variable(pick({"shared", "global", "const"})));
        for (int i = number(0, 3); i > 0; --i) m.functions.push_back(function());
        if (chance()) m.options = {"debug"};
        for (int i = number(0, 2); i > 0; --i) m.aliases.push_back({symbol(), symbol()});
        for (int i = number(0, 2); i > 0; --i)
            m.files.push_back({any(), pick({"k.cu", "a/b.h"}), chance() ? 0U : any(), any() % 2});
        if (chance()) m.pragmas.push_back({"module knob"});
        return m;
    }

  private:
    int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    std::uint32_t any() { return static_cast<std::uint32_t>(random_()); }
    bool chance() { return number(0, 1) == 1; }
    std::string pick(const std::vector<std::string>& from) {
        return from[static_cast<std::size_t>(number(0, static_cast<int>(from.size()) - 1))];
    }
    void count(const char* what) { ++classes[what]; }

    std::string symbol() {
        return pick({"a", "L1", "$L__BB0_1", "_x", "in", "A_2", "s$"}) + std::to_string(number(0, 9));
    }
    std::string register_name() {
        return pick({"%r", "%X_", "%tid.", "%p", "%$"}) + std::to_string(number(0, 300));
    }
    std::string type() { return pick({"b8", "b16", "b32", "b64", "u32", "s64", "f32", "pred"}); }
    std::int64_t wide() {
        switch (number(0, 3)) {
        case 0: return number(-3, 3);
        case 1: return number(65530, 65540);
        case 2: return std::int64_t{1} << number(0, 62);
        default: return static_cast<std::int64_t>(any() | std::uint64_t{any()} << 32);
        }
    }
    Immediate immediate() {
        switch (number(0, 3)) {
        case 0: count("f32 immediate"); return {any(), Immediate::Form::f32_bits};
        case 1:
            count("f64 immediate");
            return {static_cast<std::uint64_t>(wide()), Immediate::Form::f64_bits};
        default:
            count("integer immediate");
            return {static_cast<std::uint64_t>(wide()), Immediate::Form::integer};
        }
    }
    Address address() {
        Address a;
        a.offset = chance() ? 0 : wide();
        switch (number(0, 2)) {
        case 0:
            count("register address");
            a.base = Register{register_name()};
            break;
        case 1:
            count("symbol address");
            a.base = Symbol{symbol()};
            break;
        default:
            count("constant address");
            a.base = Immediate{static_cast<std::uint64_t>(wide()), Immediate::Form::integer};
        }
        return a;
    }
    Vector vector() {
        count("vector");
        Vector v;
        for (int i = number(1, 9); i > 0; --i) switch (number(0, 4)) {
            case 0: v.elements.emplace_back(immediate()); break;
            case 1: v.elements.emplace_back(Symbol{symbol()}); break;
            case 2: v.elements.emplace_back(Sink{}); break;
            default: v.elements.emplace_back(Register{register_name()});
            }
        return v;
    }
    std::variant<Register, Sink> result() {
        if (number(0, 3) == 0) return Sink{};
        return Register{register_name()};
    }
    Operand operand() {
        switch (number(0, 10)) {
        case 0: return immediate();
        case 1: count("symbol"); return Symbol{symbol()};
        case 2: count("sink"); return Sink{};
        case 3: return address();
        case 4: return vector();
        case 5: count("negated"); return Negated{register_name()};
        case 6: count("pair"); return Pair{result(), result()};
        case 7: {
            count("offset");
            const std::int64_t offset = wide();
            return Offset{symbol(), offset};
        }
        case 8: count("coordinates"); return Coordinates{address().base, vector().elements};
        case 9: count("arguments"); return Arguments{chance() ? std::vector<Element>{} : vector().elements};
        default: count("register"); return Register{register_name()};
        }
    }
    InitialValue initial_value() {
        if (chance()) return immediate();
        count("initial address");
        return InitialAddress{symbol(), chance() ? 0 : wide(), chance(),
                              chance() ? 0 : 0xFFULL << 8 * number(0, 7)};
    }
    Variable variable(const std::string& space) {
        count("variable");
        Variable v{space, chance() ? 0U : 1U << number(0, 7), type(), symbol(), {}};
        for (int d = number(0, 3); d > 0; --d)
            v.extents.push_back(static_cast<std::uint64_t>(number(v.extents.empty() ? 0 : 1, 4)));
        if (number(0, 3) == 0) v.elements = chance() ? 2 : 4;
        v.linkage = static_cast<Linkage>(number(0, 2));
        v.managed = number(0, 5) == 0;
        if (chance()) {
            count(v.extents.size() > 1 ? "table of values" : "initial values");
            for (int n = shape(v).empty() ? 1 : number(1, 20); n > 0; --n)
                v.values.push_back(initial_value());
        }
        return v;
    }
    Parameter parameter(const std::string& name) {
        Parameter p{type(), name, chance() ? 0U : 8U,
                    chance() ? std::optional<std::uint64_t>(16) : std::nullopt};
        if (number(0, 3) == 0)
            p.pointer = Parameter::Pointer{pick({"", "global", "shared"}), chance() ? 0U : 16U};
        p.in_register = number(0, 5) == 0;
        return p;
    }
    std::vector<Parameter> parameters(int most) {
        std::vector<Parameter> list;
        for (int i = number(0, most); i > 0; --i) list.push_back(parameter(symbol()));
        return list;
    }
    /// What is declared is declared once.
    std::string fresh(const std::string& name) { return name + "_" + std::to_string(declared_++); }
    std::optional<Extents> extents() {
        if (chance()) return std::nullopt;
        return Extents{any(), 1 + any() % 2, 1 + any() % 2};
    }
    std::optional<std::uint32_t> small() {
        return chance() ? std::nullopt : std::optional<std::uint32_t>(any() % 256);
    }
    Location location() {
        Location at{1, any(), 7};
        if (chance()) {
            count("inlined location");
            at.inlined = Location::Inlined{symbol(), chance() ? 0 : 12, 2, any(), 3};
        }
        return at;
    }
    Statement statement() {
        switch (number(0, 12)) {
        case 0: count("label"); return Label{fresh(symbol())};
        case 1:
            count("comment");
            return Comment{pick({"k.tmx:1: copy X <- A; // so", "", "\" /* not closed"})};
        case 2: count("blank line"); return BlankLine{};
        case 3:
            count("range");
            return RegisterDeclaration{type(), fresh(register_name()),
                                       static_cast<std::uint32_t>(number(1, 9))};
        case 4: count("single register"); return RegisterDeclaration{type(), fresh(register_name()), 0};
        case 5: return variable(pick({"shared", "local", "param"}));
        case 6: count("location"); return location();
        case 7: count("pragma"); return Pragma{pick({"nounroll", "", "a b; }"})};
        case 8: count("targets"); return Targets{chance(), {symbol(), symbol()}};
        case 9: count("prototype"); return Prototype{parameters(1), parameters(3), chance()};
        default: {
            count("instruction");
            Instruction i;
            if (chance()) {
                i.guard = Guard{register_name(), chance()};
                count(i.guard->negated ? "negated guard" : "guard");
            }
            i.name = pick(
                {"ret", "ld.global.v8.b32", "tcgen05.ld.sync.aligned.16x32bx2.x1.pack::16b.b32", "bar.sync"});
            for (int n = number(0, 4); n > 0; --n) i.operands.push_back(operand());
            for (const Operand& each : i.operands) // elsewhere a parenthesis opens an expression
                if (std::holds_alternative<Arguments>(each)) i.name = "call.uni";
            return i;
        }
        }
    }
    Function function() {
        count("function");
        Function f;
        f.name = fresh(symbol());
        f.entry = chance();
        f.linkage = static_cast<Linkage>(number(0, 3));
        if (!f.entry) f.results = parameters(2);
        f.parameters = parameters(3);
        f.required_threads = extents();
        f.max_threads = extents();
        f.required_cluster = extents();
        f.max_registers = small();
        f.min_ctas = small();
        f.max_cluster = small();
        f.explicit_cluster = chance();
        f.blocks_are_clusters = chance();
        f.no_return = chance();
        for (int i = number(0, 2); i > 0; --i) f.pragmas.push_back({"global knob"});
        f.prototype = number(0, 5) == 0;
        if (f.prototype) return f;
        int depth = 0;
        for (int i = number(0, 12); i > 0; --i) {
            if (chance() && depth < 3) {
                count("scope");
                f.body.emplace_back(ScopeBegin{});
                ++depth;
            }
            f.body.push_back(statement());
            if (chance() && depth > 0) {
                f.body.emplace_back(ScopeEnd{});
                --depth;
            }
        }
        for (; depth > 0; --depth) f.body.emplace_back(ScopeEnd{});
        return f;
    }

    std::mt19937 random_;
    int declared_ = 0;
};

/// The module as the reader may give it back.
Module without_comments(Module module) {
    for (Function& function : module.functions) {
        std::vector<Statement> kept;
        for (Statement& each : function.body)
            if (!std::holds_alternative<Comment>(each) && !std::holds_alternative<BlankLine>(each))
                kept.push_back(each);
        function.body = std::move(kept);
    }
    return module;
}

} // namespace

TEST_CASE("what is written is read back, whatever the module") {
    Generator generator(1);
    for (int i = 0; i < 2000; ++i) {
        const Module module = generator.module();
        const Written written = write(module);
        CAPTURE(written.text);
        const ReadResult result = read(base::Source("t.ptx", written.text));
        for (const base::Diagnostic& each : result.diagnostics.list) FAIL_CHECK(each.message);
        REQUIRE(result.diagnostics.list.empty());
        REQUIRE(result.module == without_comments(module));

        // Both sides agree on the line of every statement.
        for (std::size_t f = 0; f < module.functions.size(); ++f) {
            std::vector<std::uint32_t> lines;
            for (std::size_t s = 0; s < module.functions[f].body.size(); ++s)
                if (!std::holds_alternative<Comment>(module.functions[f].body[s]) &&
                    !std::holds_alternative<BlankLine>(module.functions[f].body[s]))
                    lines.push_back(written.lines[f][s]);
            REQUIRE(result.lines[f] == lines);
        }
    }
    std::string counts;
    for (const auto& entry : generator.classes) {
        const std::string& what = entry.first;
        const int count = entry.second;
        counts += what + " " + std::to_string(count) + ", ";
        CHECK_MESSAGE(count > 100, what);
    }
    CHECK(generator.classes.size() == 34);
    MESSAGE(counts);
}
