// The pipeline with a value in front and a value behind. What stands here beside `build` of the command line
// is the same order of things: compile, see that the outputs can be had at all, verify while ptxas works,
// write.
#include "api/tmemc.hpp"

#include "api/diagnostics.hpp"
#include "api/guard.hpp"
#include "api/parameters.hpp"
#include "base/invariant.hpp"
#include "embed/cuda.hpp"
#include "embed/header.hpp"
#include "embed/manifest.hpp"
#include "grammar/limits.hpp"
#include "grammar/print.hpp"
#include "inspect/layout_json.hpp"
#include "inspect/layout_model.hpp"
#include "inspect/plan_json.hpp"
#include "inspect/report.hpp"
#include "pipeline.hpp"
#include "verify/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <future>

namespace tmemc::api {
namespace {

bool needs_machine_code(Kind kind) {
    return kind == Kind::cubin || kind == Kind::report || kind == Kind::header || kind == Kind::manifest;
}

/// The last part of a path, which is all that outputs may say of where the file lies.
std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

CompileOptions compile_options(const Options& options) {
    CompileOptions made;
    made.check.definitions = options.definitions;
    made.check.target = options.target;
    using Mode = sema::TensorMemoryMode;
    switch (options.tensor_memory) {
    case TensorMemory::hardware: made.check.tensor_memory = Mode::hardware; break;
    case TensorMemory::software: made.check.tensor_memory = Mode::software; break;
    case TensorMemory::automatic: made.check.tensor_memory = Mode::automatic; break;
    }
    made.match.max_message = options.max_message;
    made.order.automatic = options.auto_wait;
    made.text.comments = options.comments;
    made.text.locations = std::find(options.ptxas_flags.begin(), options.ptxas_flags.end(), "-lineinfo") !=
                          options.ptxas_flags.end();
    return made;
}

/// What speaks against the options by themselves; else empty.
std::string complaint(const Options& options) {
    if (options.max_message < 1 || options.max_message > 128 ||
        !std::has_single_bit(static_cast<unsigned>(options.max_message)))
        return fmt::format("max_message is a power of two from 1 to 128, not {}", options.max_message);
    if (!options.prefix.empty() && !embed::is_name(options.prefix + "x"))
        return fmt::format("prefix is the beginning of a name, such as my_, not `{}`", options.prefix);
    if (!options.name_space.empty() && !embed::is_name(options.name_space, true))
        return fmt::format("name_space is a name, such as mine or my::kernels, not `{}`", options.name_space);
    return {};
}

/// One call of compile(): the steps hand the Result on.
class Compiler {
  public:
    Compiler(std::string_view text, const Options& options)
        : options_(options), names_{options.prefix, options.name_space},
          source_(options.name, std::string(text.substr(0, grammar::largest_source + 1))) {}

    Result run() {
        if (std::string wrong = complaint(options_); !wrong.empty()) return refuse(std::move(wrong));
        made_ = only_ast() ? parse(source_) : compile(source_, compile_options(options_));
        append(result_.diagnostics, made_.diagnostics, source_);
        result_.target = made_.program.target;
        if (!made_.ok()) return end(Status::source);
        if (std::string wrong = missing(); !wrong.empty()) return refuse(std::move(wrong));
        for (const Kind kind : options_.outputs)
            if ((kind == Kind::ptx || needs_machine_code(kind)) && !has_ptx(kind)) return end(Status::source);
        if (!assemble_and_verify()) return std::move(result_);
        if (!only_ast()) list_kernels();
        for (const Kind kind : options_.outputs) write(kind);
        return std::move(result_);
    }

  private:
    const Options& options_;
    embed::Names names_;
    base::Source source_;
    Compilation made_;
    Assembly assembly_;
    Result result_;

    Result end(Status status) {
        result_.status = status;
        return std::move(result_);
    }
    Result refuse(std::string sentence) {
        result_.message = std::move(sentence);
        return end(Status::option);
    }
    [[nodiscard]] bool wants(Kind kind) const {
        return std::find(options_.outputs.begin(), options_.outputs.end(), kind) != options_.outputs.end();
    }
    [[nodiscard]] bool only_ast() const {
        return !options_.outputs.empty() && std::all_of(options_.outputs.begin(), options_.outputs.end(),
                                                        [](Kind each) { return each == Kind::ast; });
    }
    /// What an output needs and the program does not have; else empty.
    [[nodiscard]] std::string missing() const {
        if (wants(Kind::cuda) && !embed::has_functions(made_.program))
            return fmt::format("`{}` has no function that a CUDA C++ header could hold", source_.name());
        if (wants(Kind::layout) && kernel_to_show() == nullptr)
            return options_.kernel.empty()
                       ? fmt::format("`{}` has no kernel and no function", source_.name())
                       : fmt::format("`{}` has no kernel `{}`", source_.name(), options_.kernel);
        if (wants(Kind::header) && embed::launchable(made_.program) == 0)
            return fmt::format("`{}` has no kernel, so there is nothing to launch", source_.name());
        return {};
    }
    [[nodiscard]] bool has_ptx(Kind kind) {
        const base::Diagnostics found = fragments_in_ptx(made_, kind != Kind::ptx);
        append(result_.diagnostics, found, source_);
        return !found.has_errors();
    }

    [[nodiscard]] bool assemble_and_verify() {
        std::future<Assembly> assembling;
        if (std::any_of(options_.outputs.begin(), options_.outputs.end(), needs_machine_code))
            assembling = std::async([this] { return assemble(made_, how_to_assemble()); });
        if (options_.verify) {
            const verify::VerifyResult verified = verify_text(made_);
            if (verified.mismatch) throw base::InternalError(verify::to_string(*verified.mismatch, source_));
        }
        if (!assembling.valid()) return true;
        assembly_ = assembling.get();
        append(result_.diagnostics, assembly_.diagnostics, source_);
        const bool assembled = assembly_.assembled.status == toolchain::Assembled::Status::ok;
        if (!assembled) result_.status = Status::toolchain;
        return assembled;
    }
    [[nodiscard]] toolchain::PtxasOptions how_to_assemble() const {
        toolchain::PtxasOptions made = ptxas_options(made_, options_.ptxas, options_.ptxas_flags);
        made.timeout = std::chrono::milliseconds(options_.ptxas_timeout_ms);
        return made;
    }

    [[nodiscard]] embed::Package package() const {
        return embed::package(source_.name(), {{made_.program, made_.space, made_.trace, made_.ptx.text,
                                                assembly_.assembled.cubin}});
    }
    void list_kernels() {
        const embed::Package all = package();
        const std::vector<std::uint64_t>& scratch = all.images.front().scratch_bytes;
        result_.kernels.reserve(all.kernels.size());
        for (std::size_t k = 0; k < all.kernels.size(); ++k) {
            Kernel& made = result_.kernels.emplace_back();
            made.name = all.kernels[k].name;
            made.parameters = parameters_of(all.kernels[k]);
            for (std::size_t d = 0; d < 3; ++d)
                made.grid[d] = static_cast<std::uint32_t>(all.kernels[k].grid[d]);
            made.threads = static_cast<std::uint32_t>(all.kernels[k].threads);
            made.scratch_bytes = scratch.empty() ? 0 : scratch[k];
        }
    }

    /// The kernel asked for, or the first; null when there is none.
    [[nodiscard]] const sema::Kernel* kernel_to_show() const {
        if (options_.kernel.empty()) return first_kernel(made_.program);
        for (const sema::Kernel& each : made_.program.kernels)
            if (each.name == options_.kernel) return &each;
        return nullptr;
    }
    void write_layout() {
        const sema::Kernel& kernel = *kernel_to_show();
        const auto k = static_cast<std::size_t>(&kernel - made_.program.kernels.data());
        result_.layout = inspect::layout_json(inspect::layout_model(source_, kernel, made_.space.kernels[k]));
    }

    void write(Kind kind) {
        need_room((std::size_t{256} << 10) + 64 * made_.ptx.text.size()); // several times what JSON needs
        switch (kind) {
        case Kind::ast: result_.ast = grammar::print(made_.tree); break;
        case Kind::plan:
            result_.plan = inspect::plan_json(source_, made_.fused, made_.plan, made_.schedule, made_.space,
                                              made_.trace);
            break;
        case Kind::layout: write_layout(); break;
        case Kind::ptx: result_.ptx = made_.ptx.text; break;
        case Kind::cubin: result_.cubin = assembly_.assembled.cubin; break;
        case Kind::report:
            result_.report =
                inspect::report_json(inspect::report(made_.program, made_.space, assembly_.assembled.cubin));
            break;
        case Kind::cuda:
            result_.cuda = embed::cuda_header({made_.program, made_.module, made_.trace,
                                               file_name(source_.name()), names_, options_.comments});
            break;
        case Kind::header: result_.header = embed::header(package(), names_); break;
        case Kind::manifest: result_.manifest = embed::manifest(package()); break;
        }
    }
};

} // namespace

Result compile(std::string_view text, const Options& options) noexcept {
    return guarded([&] { return Compiler(text, options).run(); });
}

std::string_view version() noexcept { return TMEMC_VERSION; }

} // namespace tmemc::api
