// What the tests of `test` blocks share: kernels whose bodies are lambdas on a device in memory, tensors by
// name, and blocks written as text.
#pragma once

#include "base/source.hpp"
#include "fake_device.hpp"
#include "grammar/parse.hpp"
#include "runtime/element.hpp"
#include "trial/check.hpp"
#include "trial/trial.hpp"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tmemc::testing {

using base::Dtype;
using sema::Direction;

inline sema::Tensor tensor(std::string name, Dtype dtype, Direction direction,
                           std::vector<std::int64_t> extents) {
    sema::Tensor made;
    made.name = std::move(name);
    made.dtype = dtype;
    made.direction = direction;
    made.pitch = extents.back();
    made.extents = std::move(extents);
    return made;
}

inline std::vector<grammar::ast::Test> tests_of(const std::string& text) {
    const grammar::ParseResult parsed = grammar::parse(base::Source("t.tmx", text));
    for (const base::Diagnostic& each : parsed.diagnostics.list) FAIL(each.message);
    std::vector<grammar::ast::Test> tests;
    for (const grammar::ast::Item& item : parsed.module.items) {
        if (const auto* const test = std::get_if<grammar::ast::Test>(&item.node)) tests.push_back(*test);
    }
    return tests;
}

/// Kernels to run by name. A kernel that was given errors does not compile.
struct Bench {
    sema::Program program;
    std::map<std::string, sema::Kernel> kernels;
    std::map<std::string, FakeDevice::Kernel> bodies;
    std::map<std::string, base::Diagnostics> errors;
    std::map<std::string, std::string> files;
    std::vector<std::string> compiled; // names, each time the trial asks
    bool has_device = true;
    base::Diagnostics load_diagnostics;

    void add(std::string name, std::vector<sema::Parameter> parameters, FakeDevice::Kernel body) {
        sema::Kernel kernel;
        kernel.name = name;
        kernel.parameters = std::move(parameters);
        program.kernels.push_back(kernel);
        kernels[name] = kernel;
        bodies[name] = std::move(body);
    }

    trial::Options options() {
        trial::Options made;
        made.compile = [this](const std::string& name) {
            compiled.push_back(name);
            trial::Compiled result;
            if (errors.count(name) != 0)
                result.diagnostics = errors[name];
            else if (kernels.count(name) != 0)
                result.kernel = kernels[name];
            result.ptx = "// " + name + "\n";
            return result;
        };
        made.device = [this](const runtime::Code&, bool) -> std::unique_ptr<runtime::Device> {
            if (!has_device) return nullptr;
            auto device = std::make_unique<FakeDevice>();
            device->kernels = bodies;
            device->load_diagnostics = load_diagnostics;
            return device;
        };
        made.read_file = [this](const std::string& path, std::size_t limit) -> runtime::FileContents {
            const auto found = files.find(path);
            if (found != files.end()) return {found->second.substr(0, limit), ""};
            return {std::nullopt, "cannot read `" + path + "`: no such file"};
        };
        return made;
    }

    /// The verdicts on blocks written as text; where there are mistakes, one by these, and nothing runs.
    std::vector<trial::Verdict> verdicts(const std::string& text) {
        program.tests = tests_of(text);
        base::Diagnostics mistakes = trial::check(program, {}, {}, {});
        if (!mistakes.has_errors()) return run_tests(program, options());
        const grammar::ast::Test& test = program.tests.front();
        return {{test.title.text, test.place, trial::Verdict::Outcome::failed, {}, std::move(mistakes)}};
    }
    /// The verdict on the statements of one block.
    trial::Verdict verdict(const std::string& statements) {
        const auto list = verdicts("test \"t\" { " + statements + " }");
        REQUIRE(list.size() == 1);
        return list.front();
    }
};

/// Messages and diagnostics of a verdict, a line each, behind its outcome.
inline std::string told(const trial::Verdict& verdict) {
    std::string text = verdict.outcome == trial::Verdict::Outcome::passed    ? "passed"
                       : verdict.outcome == trial::Verdict::Outcome::skipped ? "skipped"
                                                                             : "failed";
    for (const std::string& message : verdict.messages) text += "\n" + message;
    for (const base::Diagnostic& each : verdict.diagnostics.list) {
        text += "\n" + std::string(each.kind->code) + ": " + each.message;
        for (const std::string& help : each.helps) text += "\n  help: " + help;
    }
    return text;
}

} // namespace tmemc::testing
