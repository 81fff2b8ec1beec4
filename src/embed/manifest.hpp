// The manifest: what a program must know to load a cubin and launch its kernels, as JSON. Its schema is
// manifest.schema.json. A tensor's pointer and a scalar's value take the bytes [offset, offset + bytes) of
// the parameter space, in the order given; an extent or a pitch that is a scalar's name is known at launch.
//
//     {"name": "A", "kind": "tensor", "type": "f16", "bits": 16, "direction": "in", "shape": ["n", 64],
//      "layout": {"order": "row-major", "pitch": "p", "align": 32}, "offset": 0, "bytes": 8}
//
// A target that keeps a kernel's tensor memory in global memory names the bytes of scratch memory, to which a
// last parameter of 8 bytes points, behind those of the list. A cubin is known by its SHA-256, so that it is
// not launched by the manifest of another.
#pragma once

#include "embed/package.hpp"

#include <string>

namespace tmemc::embed {

[[nodiscard]] std::string manifest(const Package& package);

} // namespace tmemc::embed
