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
    Operand operand() {
        switch (number(0, 5)) {
        case 0: return immediate();
        case 1: count("symbol"); return Symbol{symbol()};
        case 2: count("sink"); return Sink{};
        case 3: return address();
        case 4: return vector();
        default: count("register"); return Register{register_name()};
        }
    }
    Variable variable(const std::string& space) {
        count("variable");
        return {space, chance() ? 0U : 1U << number(0, 7), type(), symbol(),
                chance() ? std::optional<std::uint64_t>(number(0, 4096)) : std::nullopt};
    }
    Statement statement() {
        switch (number(0, 9)) {
        case 0: count("label"); return Label{symbol()};
        case 1:
            count("comment");
            return Comment{pick({"k.tmx:1: copy X <- A; // so", "", "\" /* not closed"})};
        case 2: count("blank line"); return BlankLine{};
        case 3:
            count("range");
            return RegisterDeclaration{type(), register_name(), static_cast<std::uint32_t>(number(1, 9))};
        case 4: count("single register"); return RegisterDeclaration{type(), register_name(), 0};
        case 5: return variable("shared");
        case 6: count("location"); return Location{1, any(), 7};
        case 7: count("pragma"); return Pragma{pick({"nounroll", "", "a b; }"})};
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
            return i;
        }
        }
    }
    Function function() {
        count("function");
        Function f;
        f.name = symbol();
        f.entry = chance();
        f.visible = chance();
        for (int i = number(0, 3); i > 0; --i)
            f.parameters.push_back({type(), symbol(), chance() ? 0U : 8U,
                                    chance() ? std::optional<std::uint64_t>(16) : std::nullopt});
        if (chance()) f.required_threads = {any(), 1 + any() % 2, 1 + any() % 2};
        if (chance()) f.max_registers = any() % 256;
        for (int i = number(0, 12); i > 0; --i) f.body.push_back(statement());
        return f;
    }

    std::mt19937 random_;
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
    CHECK(generator.classes.size() == 22);
    MESSAGE(counts);
}
