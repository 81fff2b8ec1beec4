"""The tightest PTX known for a round trip through tensor memory, written for one shape and size at a time: what the
compiler's own output is measured against. Each choice was measured with ptxas 13.0 for sm_100a:

- `mul.wide` and `add` for a pointer (`mad.wide` is four instructions dearer), 32-byte accesses at constant offsets;
- the variable's address in a register before the branch around the allocation (two fewer);
- loads ahead of the allocation (fewer registers), registers of a message in order (no moves);
- the right to allocate given up right before the deallocation: two fewer than behind the allocation, where the
  compiler puts it so that the next CTA of the SM need not wait.

`round_trip` is for row-per-thread tiles, `fragment` for the 16-row atoms, `epilogue` for arithmetic on the way. tests/data/floor has six such kernels that were
written by hand; floor.py gives the same counts.
"""

HEAD = """.version 8.8
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) .reqntid 128
{{
  .reg .b32 r<{registers}>; .reg .b64 a<6>; .reg .pred p;
  .shared .align 4 .b32 s;
  mov.u32 r0, %tid.x;
  mov.u32 r7, s;
  setp.gt.u32 p, r0, 31;
  ld.param.b64 a0, [in]; ld.param.b64 a1, [out];
{offset}
  mul.wide.u32 a2, {scaled}; add.u64 a0, a0, a2; add.u64 a1, a1, a2;
{loads}
  @p bra L;
  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [r7], {columns};
L:
  bar.sync 0;
  ld.shared.b32 r1, [r7];
  and.b32 r2, r0, 96; shl.b32 r2, r2, 16; add.u32 r2, r1, r2;
{puts}
  tcgen05.wait::st.sync.aligned;
{gets}
  tcgen05.wait::ld.sync.aligned;
{stores}
  bar.sync 0;
  @p ret;
  tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
  tcgen05.dealloc.cta_group::1.sync.aligned.b32 r1, {columns};
  ret;
}}
"""
FIRST = 8  # of the registers that hold the tile


def vector(first, count):
    names = ", ".join(f"r{FIRST + first + i}" for i in range(count))
    return names if count == 1 else "{" + names + "}"


def braces(first, count):
    return "{" + ", ".join(f"r{FIRST + first + i}" for i in range(count)) + "}"


def epilogue(cols, step):
    """`cols` f32 columns of 128 rows through tensor memory, `step` at a time; scaled, biased, and narrowed to bf16."""
    before, after = [], []
    for c in range(0, cols, step):
        message = f"sync.aligned.32x32b.x{step}.b32"
        for at in range(0, step, 8):
            before.append(f"  ld.global.v8.b32 {braces(at, 8)}, [a0+{4 * (c + at)}];")
        before.append(f"  tcgen05.st.{message} [r2+{c}], {braces(0, step)};")
        after += [f"  tcgen05.ld.{message} {braces(0, step)}, [r2+{c}];", "  tcgen05.wait::ld.sync.aligned;"]
        for at in range(0, step, 2):
            after += [f"  mov.b64 a5, {braces(at, 2)}; fma.rn.f32x2 a5, a5, a3, a4; mov.b64 {braces(at, 2)}, a5;",
                      f"  cvt.rn.bf16x2.f32 {vector(at, 1)}, {vector(at + 1, 1)}, {vector(at, 1)};"]
        for at in range(0, step, 16):
            data = ", ".join(f"r{FIRST + at + 2 * i}" for i in range(8))
            after.append(f"  st.global.v8.b32 [a1+{2 * (c + at)}], {{{data}}};")
    text = HEAD.replace(".param .u64 out", ".param .u64 out, .param .f32 scale, .param .f32 bias")
    text = text.replace("a1, [out];", "a1, [out]; ld.param.f32 r3, [scale]; ld.param.f32 r4, [bias];")
    text = text.replace("add.u64 a1, a1, a2;", f"mul.wide.u32 a2, r0, {2 * cols}; add.u64 a1, a1, a2;")
    return text.format(offset="  mov.b64 a3, {r3, r3}; mov.b64 a4, {r4, r4};", scaled=f"r0, {4 * cols}", loads="",
                       columns=max(32, cols), puts="\n".join(before), gets="\n".join(after), stores="",
                       registers=FIRST + step)


def kernel(offset, scaled, accesses, messages, columns):
    """Accesses are (first register, registers, byte offset), messages (shape, num, first register, registers, row)."""
    suffix = {1: ".b32", 2: ".v2.b32", 4: ".v4.b32", 8: ".v8.b32"}
    lines = {"loads": [], "stores": [], "puts": [], "gets": []}
    for first, count, at in accesses:
        lines["loads"].append(f"  ld.global{suffix[count]} {vector(first, count)}, [a0+{at}];")
        lines["stores"].append(f"  st.global{suffix[count]} [a1+{at}], {vector(first, count)};")
    for shape, num, first, count, row in messages:
        name, address = f"sync.aligned.{shape}.x{num}.b32", f"[r2+{row << 16}]"
        lines["puts"].append(f"  tcgen05.st.{name} {address}, {braces(first, count)};")
        lines["gets"].append(f"  tcgen05.ld.{name} {braces(first, count)}, {address};")
    registers = FIRST + max(first + count for first, count, _ in accesses)
    return HEAD.format(offset="\n".join(f"  {line}" for line in offset), scaled=scaled, registers=registers,
                       columns=max(32, columns), **{part: "\n".join(text) for part, text in lines.items()})


def round_trip(words):
    """Rows of so many 32-bit words, one per thread."""
    width = min(8, words)
    accesses = [(first, width, 4 * first) for first in range(0, words, width)]
    return kernel([], f"r0, {4 * words}", accesses, [("32x32b", words, 0, words, 0)], words)


def fragment(atom, rows, words):
    """A tile of `rows` rows of so many words; 128 rows are two messages of 16 rows for each warp."""
    # Per atom: registers of a .x1, the thread's first word and row, and what register r adds to them in words and rows.
    per_tile, thread, words_of = {
        "16x64b": (1, ["and.b32 r4, r0, 1; bfe.u32 r5, r0, 1, 1; bfe.u32 r6, r0, 2, 3; shr.u32 r3, r0, 5;",
                       f"mad.lo.u32 r5, r4, {8 * words}, r5;"], lambda r: (2 * r, 0)),
        "16x128b": (2, ["and.b32 r5, r0, 3; bfe.u32 r6, r0, 2, 3; shr.u32 r3, r0, 5;"],
                    lambda r: (r // 2 * 4, r % 2 * 8)),
        "16x256b": (4, ["and.b32 r5, r0, 3; shl.b32 r5, r5, 1; bfe.u32 r6, r0, 2, 3; shr.u32 r3, r0, 5;"],
                    lambda r: (r // 4 * 8 + r % 2, r // 2 % 2 * 8)),
    }[atom]
    slabs = rows // 64
    offset = thread + [f"mad.lo.u32 r5, r6, {words}, r5; mad.lo.u32 r5, r3, {16 * slabs * words}, r5;"]
    count = words // 2  # registers of a slab
    width = 2 if atom == "16x256b" else 1
    accesses, messages = [], []
    for slab in range(slabs):
        messages.append((atom, count // per_tile, slab * count, count, 16 * slab))
        for r in range(0, count, width):
            word, row = words_of(r)
            accesses.append((slab * count + r, width, 4 * (word + words * (row + 16 * slab))))
    return kernel(offset, "r5, 4", accesses, messages, words)
