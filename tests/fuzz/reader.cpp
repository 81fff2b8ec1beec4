// Fuzz target: any bytes as PTX. Reading must end, with diagnostics or with a module; what was read without
// an error is written and read back the same, lines included.
#include "fuzz.hpp"

#include "ptx/read.hpp"
#include "ptx/write.hpp"

using namespace tmemc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const ptx::ReadResult first = ptx::read(base::Source("fuzz.ptx", text));
    fuzz::demand(first.lines.size() == first.module.functions.size(), "there are lines for every function");
    for (const base::Diagnostic& each : first.diagnostics.list)
        fuzz::demand(each.span.begin <= each.span.end && each.span.end <= size,
                     "a diagnostic lies in the text");
    if (first.diagnostics.has_errors()) return 0;
    const ptx::Written written = ptx::write(first.module);
    const ptx::ReadResult again = ptx::read(base::Source("written.ptx", written.text));
    fuzz::demand(!again.diagnostics.has_errors(), "what is written reads");
    fuzz::demand(again.module == first.module, "what is written reads the same");
    fuzz::demand(again.lines == written.lines, "both sides know the same lines");
    return 0;
}
