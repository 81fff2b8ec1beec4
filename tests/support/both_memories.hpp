// A kernel compiled with tensor memory in hardware and in software, for targets that have other instructions,
// and run on the emulator with the same inputs: what tests of software mode compare.
#pragma once

#include "base/render.hpp"
#include "pipeline.hpp"
#include "runtime/call.hpp"
#include "runtime/compare.hpp"
#include "runtime/generate.hpp"
#include "runtime/sizes.hpp"
#include "trial/signature.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

namespace tmemc::tests {

using Arrays = std::map<std::string, runtime::Array>;

/// Targets that lack more and more of what sm_100a has, and one that lacks tensor memory only.
inline const std::vector<std::string> software_targets{"sm_120", "sm_90", "sm_80", "sm_75"};

inline Compilation compiled_for(const base::Source& source, const std::string& kernel,
                                const std::string& target, bool software) {
    CompileOptions options;
    if (!kernel.empty()) options.check.only = {kernel};
    options.check.target = target;
    if (software) options.check.tensor_memory = sema::TensorMemoryMode::software;
    return compile(source, options);
}

inline runtime::Signature signature(const Compilation& made) {
    return trial::signature_of(made.program.kernels.front(),
                               made.trace.kernels.front().cells.scratch_bytes());
}

/// A value for everything that the kernel reads: extents cut its slices, pitches are wide.
inline Arrays inputs(runtime::Signature signature, std::uint64_t seed) {
    Arrays values;
    const auto make = [&](const runtime::Formal& formal, runtime::Generator generator) {
        const auto made = runtime::generate(generator, formal.dtype, formal.shape);
        if (const auto* array = std::get_if<runtime::Array>(&made)) values[formal.name] = *array;
    };
    for (std::size_t p = 0; p < signature.formals.size(); ++p) {
        const runtime::Formal& formal = signature.formals[p];
        if (!formal.is_scalar()) continue;
        std::int64_t size = 0;
        for (const runtime::Formal& each : signature.formals) {
            if (each.extent_from == p) size = std::max<std::int64_t>(size, 300);
            if (each.pitch_from == p) size = std::max(size, each.shape.back() + 8);
        }
        if (size == 0)
            make(formal, {runtime::Generator::Kind::random, seed + p});
        else
            make(formal, {runtime::Generator::Kind::full, 0, size});
    }
    if (runtime::give_sizes(signature, values)) return {};
    for (std::size_t p = 0; p < signature.formals.size(); ++p)
        if (const runtime::Formal& formal = signature.formals[p]; !formal.is_scalar() && formal.in)
            make(formal, {runtime::Generator::Kind::random, seed + p});
    return values;
}

struct Ran {
    std::string problem; // empty: none
    Arrays values;       // as the kernel left them
};
inline Ran ran(const Compilation& made, Arrays values) {
    const auto device = runtime::make_emulator();
    const base::Diagnostics loaded = device->load({"k.ptx", made.ptx.text, {}}, {});
    if (loaded.has_errors())
        return {"the emulator does not take the PTX: " + loaded.list.front().message, {}};
    runtime::Signature called = signature(made);
    if (const auto sentence = runtime::give_sizes(called, values)) return {*sentence, {}};
    const runtime::CallResult result = runtime::call(*device, called, values);
    if (result.error) return {result.error->message, {}};
    return {{}, std::move(values)};
}

/// What a kernel does otherwise with its tensor memory in software on each of the targets; empty: nothing.
/// Any NaN may be any other, if so wanted.
inline std::string difference(const base::Source& source, const std::string& kernel, const Arrays& given,
                              bool nans_alike = false) {
    const Ran wanted = ran(compiled_for(source, kernel, "sm_100a", false), given);
    if (!wanted.problem.empty()) return fmt::format("{} in {}: {}", kernel, source.name(), wanted.problem);
    for (const std::string& target : software_targets) {
        const Compilation made = compiled_for(source, kernel, target, true);
        const auto wrong = [&](const std::string& what) {
            return fmt::format("{} in {}, {}: {}\n{}", kernel, source.name(), target, what, made.ptx.text);
        };
        if (!made.ok()) return wrong(base::render_text(made.diagnostics.list.front(), source));
        if (made.ptx.text.find("tcgen05") != std::string::npos) return wrong("there is tcgen05 in the text");
        if (const auto mismatch = verify_text(made).mismatch)
            return wrong(verify::to_string(*mismatch, source));
        const Ran got = ran(made, given);
        if (!got.problem.empty()) return wrong(got.problem);
        for (const auto& [name, array] : wanted.values) {
            const runtime::Array& found = got.values.at(name);
            if (found == array || (nans_alike && runtime::compare(found, array).different == 0)) continue;
            std::int64_t at = 0;
            while (found.get(at) == array.get(at)) ++at;
            return wrong(
                fmt::format("`{}`, element {}: {:#x}, wanted {:#x}", name, at, found.get(at), array.get(at)));
        }
    }
    return {};
}

} // namespace tmemc::tests
