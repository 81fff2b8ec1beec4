// Global copies and fills as instructions: accesses by width, packing of registers whose elements lie apart,
// and the predicates of threads that hold no part of the region.
#include "lower/copies.hpp"

#include "base/invariant.hpp"
#include "ptx/opcodes.hpp"

#include <algorithm>
#include <iterator>

namespace tmemc::lower {
namespace {

/// ".v4.b32" for 16 bytes.
std::string width_suffix(int bytes) { return bytes > 4 ? ".v" + std::to_string(bytes / 4) + ".b32" : ".b32"; }

/// One register, or several in braces.
ptx::Operand data(const Access& access, const std::vector<std::string>& names) {
    if (access.registers.size() == 1)
        return ptx::Register{names.at(static_cast<std::size_t>(access.registers[0]))};
    ptx::Vector vector;
    for (const int reg : access.registers)
        vector.elements.emplace_back(ptx::Register{names.at(static_cast<std::size_t>(reg))});
    return vector;
}

std::string unsigned_suffix(int bits) { return ".u" + std::to_string(bits); }

/// Bytes of the widest access to global memory.
int widest_access(const std::string& target) {
    const ptx::TargetRow* row = ptx::target(target);
    base::invariant(row != nullptr, "`" + target + "` has a row in targets.def");
    return ptx::has(*row, ptx::opcode("ld.global.v8.b32")->feature) ? 32 : 16;
}

ptx::Instruction insert(const ptx::Register& into, const ptx::Operand& element, int bit, int bits,
                        const std::optional<ptx::Guard>& guard) {
    return instruction("bfi.b32", {into, element, into, constant(bit), constant(bits)}, guard);
}

} // namespace

const std::vector<ThreadForm>& Copies::forms(const sema::Fragment& fragment, bool every_copy) {
    const auto key = std::pair{fragment.image, every_copy};
    auto known = forms_.find(key);
    if (known == forms_.end())
        known = forms_.emplace(key, thread_forms(kernel_.slots(fragment), every_copy)).first;
    return known->second;
}

Copies::Copies(KernelText& text, const sema::Kernel& kernel,
               const std::vector<std::vector<std::string>>& registers, const std::string& target)
    : text_(text), kernel_(kernel), registers_(registers), widest_(widest_access(target)),
      addresses_(text, kernel) {}

/// Packing waits in its own list, so that the loads of a copy go out before anything waits for one.
void Copies::load(const std::string& name, const Access& access, const ptx::Address& from,
                  const std::vector<std::string>& names, std::vector<ptx::Statement>& packing) {
    const std::optional<ptx::Guard> guard = text_.predicate(access.threads);
    if (access.bytes >= 4) {
        text_.body.emplace_back(
            instruction(name + width_suffix(access.bytes), {data(access, names), from}, guard));
        return;
    }
    const ptx::Register into{names.at(static_cast<std::size_t>(access.registers[0]))};
    const std::string narrow = name + unsigned_suffix(access.bytes * 8);
    if (access.fills_register && access.bit == 0) { // clears the bits that its neighbours are put into next
        text_.body.emplace_back(instruction(narrow, {into, from}, guard));
        return;
    }
    if (!access.fills_register) text_.zero_first(into.name);
    const ptx::Register element = text_.scratch();
    text_.body.emplace_back(instruction(narrow, {element, from}, guard));
    packing.emplace_back(insert(into, element, access.bit, access.bytes * 8, guard));
}

/// Elements are moved to the low bits at once, and the stores wait in their own list.
void Copies::store(const Access& access, const ptx::Address& to, const std::vector<std::string>& names,
                   std::vector<ptx::Statement>& stores) {
    const std::optional<ptx::Guard> guard = text_.predicate(access.threads);
    if (access.bytes >= 4) {
        stores.emplace_back(
            instruction("st.global" + width_suffix(access.bytes), {to, data(access, names)}, guard));
        return;
    }
    ptx::Register element{names.at(static_cast<std::size_t>(access.registers[0]))};
    if (access.bit != 0) { // a store takes the low bits of a register
        const ptx::Register shifted = text_.scratch();
        text_.body.emplace_back(instruction("shr.u32", {shifted, element, constant(access.bit)}, guard));
        element = shifted;
    }
    stores.emplace_back(instruction("st.global" + unsigned_suffix(access.bytes * 8), {to, element}, guard));
}

int Copies::copy(const sema::GlobalCopy& copy) {
    const bool is_load = copy.op == sema::GlobalCopy::Op::load;
    const sema::Tensor& tensor = std::get<sema::Tensor>(kernel_.parameters.at(copy.tensor.object));
    const std::vector<std::string>& names = registers_.at(copy.fragment.object);
    const std::string load_name = tensor.direction == sema::Direction::in ? "ld.global.nc" : "ld.global";
    std::vector<ptx::Statement> last; // what waits until the others are under way
    int width = 0;
    for (const AccessGroup& group :
         accesses(copy, tensor, forms(kernel_.fragments.at(copy.fragment.object), is_load), widest_))
        for (const Access& access : group.accesses) {
            const ptx::Address address = addresses_.at(copy.tensor.object, group.bits, access.offset);
            if (is_load)
                load(load_name, access, address, names, last);
            else
                store(access, address, names, last);
            width = std::max(width, access.bytes);
        }
    std::move(last.begin(), last.end(), std::back_inserter(text_.body));
    return width;
}

void Copies::fill(const sema::Fill& fill) {
    const sema::Fragment& fragment = kernel_.fragments.at(fill.fragment.object);
    const std::vector<std::string>& names = registers_.at(fill.fragment.object);
    const int bits = base::bits(fragment.dtype);
    std::uint32_t word = 0;
    for (int bit = 0; bit < 32; bit += bits) word |= fill.bits << bit;
    for (const ThreadForm& form : forms(fragment, true)) {
        const ThreadForm part =
            restricted(form, {fill.fragment.row, fill.fragment.col}, fill.fragment.rows, fill.fragment.cols);
        for (std::size_t first = 0, last = 0; first < part.slots.size(); first = last) {
            const SlotForm& slot = part.slots[first];
            bool same = true; // the threads of every slot of the register
            for (; last < part.slots.size() && part.slots[last].reg == slot.reg; ++last)
                same = same && part.slots[last].threads == slot.threads;
            const ptx::Register into{names.at(static_cast<std::size_t>(slot.reg))};
            if (same && last - first == static_cast<std::size_t>(32 / bits)) {
                text_.body.emplace_back(
                    instruction("mov.b32", {into, constant(word)}, text_.predicate(slot.threads)));
                continue;
            }
            text_.zero_first(into.name);
            for (std::size_t i = first; i < last; ++i)
                text_.body.emplace_back(insert(into, constant(fill.bits), part.slots[i].bit, bits,
                                               text_.predicate(part.slots[i].threads)));
        }
    }
}

} // namespace tmemc::lower
