// The sentence: read the text, cut it, look at what stands where, follow its paths, play it.
#include "verify/verify.hpp"

#include "verify/fusions.hpp"
#include "verify/outline.hpp"
#include "verify/play.hpp"

#include <algorithm>

namespace tmemc::verify {
namespace {

Mismatch unreadable(const base::Diagnostic& diagnostic, const base::Source& text) {
    Mismatch made;
    made.what = "the text cannot be read: " + diagnostic.message;
    made.line = text.position(diagnostic.span.begin).line;
    return made;
}

/// How many parameters the text must have: fragments are registers, staging memory has one more.
std::size_t travelling(const sema::Kernel& kernel, const lower::KernelTrace& trace) {
    const auto fragments =
        std::count_if(kernel.parameters.begin(), kernel.parameters.end(),
                      [](const auto& each) { return std::holds_alternative<sema::FragmentParameter>(each); });
    return kernel.parameters.size() - static_cast<std::size_t>(fragments) + (trace.shared_bytes != 0 ? 1 : 0);
}

std::optional<Mismatch> verify_kernel(const Subject& subject, std::size_t k, const ptx::ReadResult& read,
                                      const emulator::LoadResult& loaded) {
    const sema::Kernel& kernel = subject.program.kernels[k];
    const lower::KernelTrace& trace = subject.trace.kernels[k];
    const lower::CellImage& image = trace.cells;
    const bool software = subject.trace.software, any = subject.space.kernels[k].columns != 0;
    const Memory memory = software ? image.parameter.empty() ? Memory::shared : Memory::global
                          : any    ? Memory::hardware
                                   : Memory::none;
    const auto signature = std::find_if(loaded.kernels.begin(), loaded.kernels.end(),
                                        [&](const auto& each) { return each.name == kernel.name; });
    const std::size_t hidden = memory == Memory::global ? 1 : 0;
    if (signature == loaded.kernels.end() ||
        signature->parameters.size() != travelling(kernel, trace) + hidden ||
        trace.function >= read.module.functions.size() ||
        trace.statements.size() != kernel.statements.size()) {
        Mismatch made;
        made.what = "the text has no such kernel";
        return made;
    }
    if (auto found = misfused(subject.written.kernels[k], kernel)) return found;
    const Outline cut = outline(trace, subject.ptx.lines[trace.function], read);
    if (auto found = misplaced(cut, kernel, memory)) return found;
    if (auto found = leaking_path(cut)) return found;
    if (auto found = unordered_lanes(cut, kernel)) return found;
    if (memory == Memory::hardware)
        if (auto found = broken_frame(cut)) return found;
    return play({kernel, subject.schedule.kernels[k], subject.space.kernels[k], trace, cut, loaded.executable,
                 *signature, memory});
}

/// Functions that stage may be called one after the other with one memory: the parts of its warps are the
/// same.
std::optional<Mismatch> other_parts(const lower::Trace& trace) {
    int bytes = 0;
    for (const lower::KernelTrace& each : trace.kernels) {
        if (bytes != 0 && each.shared_bytes != 0 && each.shared_bytes != bytes) {
            Mismatch made;
            made.what = "functions divide staging memory in different ways";
            return made;
        }
        bytes = std::max(bytes, each.shared_bytes);
    }
    return std::nullopt;
}

} // namespace

VerifyResult verify(const Subject& subject) {
    const base::Source text("ptx", subject.ptx.text);
    ptx::ReadResult read = ptx::read(text);
    for (const lower::KernelTrace& trace : subject.trace.kernels) // functions are launched by themselves
        if (trace.function < read.module.functions.size()) read.module.functions[trace.function].entry = true;
    const emulator::LoadResult loaded = emulator::load(text, read);
    VerifyResult result;
    if (!loaded.executable) {
        result.mismatch = unreadable(loaded.diagnostics.list.front(), text);
        return result;
    }
    result.mismatch = other_parts(subject.trace);
    for (std::size_t k = 0; k < subject.program.kernels.size() && !result.mismatch; ++k) {
        result.mismatch = verify_kernel(subject, k, read, loaded);
        if (result.mismatch) result.mismatch->kernel = subject.program.kernels[k].name;
    }
    return result;
}

} // namespace tmemc::verify
