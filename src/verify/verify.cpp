// The sentence: read the text, cut it, look at what stands where, follow its paths, play it.
#include "verify/verify.hpp"

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

std::optional<Mismatch> verify_kernel(const Subject& subject, std::size_t k, const ptx::ReadResult& read,
                                      const emulator::LoadResult& loaded) {
    const sema::Kernel& kernel = subject.program.kernels[k];
    const lower::KernelTrace& trace = subject.trace.kernels[k];
    const lower::CellImage& image = trace.cells;
    const bool software = subject.program.software_tmem, any = subject.space.kernels[k].columns != 0;
    const Memory memory = !any                      ? Memory::none
                          : !software               ? Memory::hardware
                          : image.parameter.empty() ? Memory::shared
                                                    : Memory::global;
    const auto signature = std::find_if(loaded.kernels.begin(), loaded.kernels.end(),
                                        [&](const auto& each) { return each.name == kernel.name; });
    if (signature == loaded.kernels.end() ||
        signature->parameters.size() != kernel.parameters.size() + (memory == Memory::global ? 1 : 0) ||
        trace.function >= read.module.functions.size() ||
        trace.statements.size() != kernel.statements.size()) {
        Mismatch made;
        made.what = "the text has no such kernel";
        return made;
    }
    const Outline cut = outline(trace, subject.ptx.lines[trace.function], read);
    if (auto found = misplaced(cut, kernel, memory)) return found;
    if (auto found = leaking_path(cut)) return found;
    if (auto found = unordered_lanes(cut, kernel)) return found;
    if (memory == Memory::hardware)
        if (auto found = broken_frame(cut)) return found;
    return play({kernel, subject.schedule.kernels[k], subject.space.kernels[k], trace, cut, loaded.executable,
                 *signature, memory});
}

} // namespace

VerifyResult verify(const Subject& subject) {
    const base::Source text("ptx", subject.ptx.text);
    const ptx::ReadResult read = ptx::read(text);
    const emulator::LoadResult loaded = emulator::load(text, read);
    VerifyResult result;
    if (!loaded.executable) {
        result.mismatch = unreadable(loaded.diagnostics.list.front(), text);
        return result;
    }
    for (std::size_t k = 0; k < subject.program.kernels.size() && !result.mismatch; ++k) {
        result.mismatch = verify_kernel(subject, k, read, loaded);
        if (result.mismatch) result.mismatch->kernel = subject.program.kernels[k].name;
    }
    return result;
}

} // namespace tmemc::verify
