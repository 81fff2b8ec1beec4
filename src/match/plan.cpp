// The little that a plan computes.
#include "match/plan.hpp"

#include <fmt/format.h>

namespace tmemc::match {

std::string name_of(const Message& message, sema::TmemCopy::Op op) {
    const bool load = op == sema::TmemCopy::Op::ld;
    return fmt::format("{}.x{}{}", atlas::row(message.shape).name, message.num,
                       !message.pack ? ""
                       : load        ? ".pack::16b"
                                     : ".unpack::16b");
}

} // namespace tmemc::match
