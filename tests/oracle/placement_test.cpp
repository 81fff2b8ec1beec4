// The placement oracle. A store and a load through the same map prove nothing: both may be wrong in the same
// way. So tensor memory is filled through the plainest view, datapath D by 32x32b, with a number that names
// the cell, and read through another view; what arrives must be what the published tables say lies there. The
// mirror for stores: write through the view, read the cells plainly. The programs and the tables are those of
// support/placement.hpp. Every program's PTX is also assembled by ptxas, where there is one; programs that
// become the same PTX count once.
#include "base/render.hpp"
#include "pipeline.hpp"
#include "placement.hpp"
#include "runtime/call.hpp"
#include "skip.hpp"
#include "trial/signature.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <mutex>
#include <set>

namespace {

using namespace tmemc;

using namespace tmemc::placement;

/// With tensor memory in hardware for sm_100a, for other targets in software.
Compilation compiled(const base::Source& source, const std::string& target) {
    CompileOptions options;
    options.text.comments = false;
    options.check.target = target;
    options.check.tensor_memory = sema::TensorMemoryMode::automatic;
    return compile(source, options);
}

/// Empty when the case holds.
std::string judge(const Case& c, const std::string& target) {
    const base::Source source("placement.tmx", program(c));
    const Compilation made = compiled(source, target);
    if (!made.ok()) return base::render_text(made.diagnostics.list.front(), source);
    const auto device = runtime::make_emulator();
    if (device->load({"placement.ptx", made.ptx.text, {}}, {}).has_errors())
        return "the emulator does not take the PTX";
    std::map<std::string, runtime::Array> values{{"A", plain_array(c)}};
    if (c.store) values["S"] = stored(c);
    const auto signature =
        trial::signature_of(made.program.kernels.front(), made.trace.kernels.front().cells.scratch_bytes());
    const runtime::CallResult called = runtime::call(*device, signature, values);
    if (called.error) return called.error->message;
    const runtime::Array wanted = c.store ? wanted_of_store(c) : wanted_of_load(c);
    const runtime::Array& got = values.at("R");
    for (std::int64_t i = 0; i < wanted.elements(); ++i)
        if (got.get(i) != wanted.get(i))
            return fmt::format("element {} is {:#x}, wanted {:#x}\n{}", i, got.get(i), wanted.get(i),
                               source.text());
    return {};
}

TEST_CASE("every view of tensor memory places every element where the tables say") {
    const std::vector<Case> all = cases();
    std::vector<std::string> problems(all.size());
    in_parallel(all.size(), [&](std::size_t i) { problems[i] = judge(all[i], "sm_100a"); });
    std::map<std::string, int> classes;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const View& view = all[i].view;
        ++classes[fmt::format("{}{} {} {} rows", view.datapath, view.sub_slab == 1 ? "+16" : "", view.atom,
                              view.rows)];
        ++classes[fmt::format("num x{}", all[i].num)];
        ++classes[fmt::format("dtype {}{}", base::name(all[i].dtype), all[i].unpacked ? " unpacked" : "")];
        ++classes[all[i].store ? "direction st" : "direction ld"];
        INFO(all[i].name());
        CHECK(problems[i] == "");
    }
    CHECK(classes.size() == std::size(views) + 8 + 15 + 5 + 2); // each class was drawn
    for (const auto& [name, count] : classes) MESSAGE(name << ": " << count);
}

TEST_CASE("every view of tensor memory in software places every element where the tables say") {
    const std::vector<Case> all = cases();
    std::vector<std::string> problems(all.size());
    in_parallel(all.size(), [&](std::size_t i) { problems[i] = judge(all[i], "sm_75"); });
    for (std::size_t i = 0; i < all.size(); ++i) {
        INFO(all[i].name());
        CHECK(problems[i] == "");
    }
}

TEST_CASE("ptxas assembles the program of every view") {
    if (toolchain::find_ptxas().path.empty()) return tests::skipped("the programs of every view", "no ptxas");
    const std::vector<Case> all = cases();
    std::set<std::pair<std::string, std::string>> texts; // target and text: many dtypes become the same PTX
    std::mutex lock;
    in_parallel(all.size(), [&](std::size_t i) {
        for (const std::string target : {"sm_100a", "sm_75", "sm_80", "sm_90", "sm_120"}) {
            std::string text = compiled(base::Source("placement.tmx", program(all[i])), target).ptx.text;
            const std::lock_guard<std::mutex> guard(lock);
            texts.emplace(target, std::move(text));
        }
    });
    const std::vector<std::pair<std::string, std::string>> distinct(texts.begin(), texts.end());
    std::vector<std::string> refusals(distinct.size());
    in_parallel(distinct.size(), [&](std::size_t i) {
        const auto& [target, text] = distinct[i];
        const toolchain::Assembled made = toolchain::assemble(text, {{}, target, {"-O1"}, false});
        if (made.status != toolchain::Assembled::Status::ok) refusals[i] = made.raw_errors + text;
        if (target != "sm_100a" && text.find("tcgen05") != std::string::npos) refusals[i] += "tcgen05";
    });
    for (const std::string& refusal : refusals) CHECK(refusal == "");
    MESSAGE("assembled by ptxas: " << distinct.size());
}

} // namespace
