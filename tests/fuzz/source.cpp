// Fuzz target: any bytes as a program, through the whole compiler. It ends with diagnostics that lie in the
// text or with PTX that verifies; a tree that was read without an error is printed and read back the same.
#include "fuzz.hpp"

#include "grammar/print.hpp"
#include "pipeline.hpp"

using namespace tmemc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size > 1 << 16) return 0; // more text of the same kind finds nothing
    const base::Source source("fuzz.tmx", {reinterpret_cast<const char*>(data), size});
    const Compilation made = compile(source);
    for (const base::Diagnostic& each : made.diagnostics.list)
        fuzz::demand(each.span == base::no_place ||
                         (each.span.begin <= each.span.end && each.span.end <= size),
                     "a diagnostic lies in the text");
    const Compilation parsed = parse(source);
    if (parsed.ok()) {
        const std::string printed = grammar::print(parsed.tree);
        const Compilation again = parse(base::Source("printed.tmx", printed));
        fuzz::demand(again.ok() && grammar::print(again.tree) == printed, "what is printed reads the same");
    }
    if (!made.ok()) return 0;
    const verify::VerifyResult verified = verify_text(made);
    if (verified.mismatch) std::fputs(verify::to_string(*verified.mismatch, source).c_str(), stderr);
    fuzz::demand(!verified.mismatch, "the text does what the program says");
    return 0;
}
