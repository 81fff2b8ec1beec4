// One thread of a lowered kernel without tensor memory, executed an instruction at a time: a slow and plain
// judge of addresses and packing, for these tests only. It knows what lower emits for global copies and
// nothing else, and it notes every byte that the thread reads and every access that is not aligned. Threads
// that meet at barriers of their warp run one after the other from barrier to barrier, so that what one reads
// of another with no barrier between is wrong.
#pragma once

#include "ptx/module.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tmemc::lower::test {

struct ThreadMachine {
    std::map<std::uint64_t, std::uint8_t>& memory; // by address
    std::map<std::string, std::uint64_t> parameters, registers;
    std::vector<std::uint64_t> bytes_read, bytes_written;
    std::map<std::string, int> executed;                     // by instruction name
    std::map<std::uint64_t, std::uint8_t>* shared = nullptr; // the memory of every thread
    std::size_t at = 0;                                      // the next statement
    std::vector<std::uint64_t> shared_places{};              // of accesses

    void run(const ptx::Function& function, std::uint64_t thread) {
        registers["%tid.x"] = thread;
        go_on(function);
    }
    /// To behind the next barrier of the warp; false at the end.
    bool go_on(const ptx::Function& function) {
        for (; at < function.body.size(); ++at) {
            const auto* i = std::get_if<ptx::Instruction>(&function.body[at]);
            if (!i || (i->guard && (value(ptx::Register{i->guard->predicate}) != 0) == i->guard->negated))
                continue;
            ++executed[i->name];
            if (i->name == "ret") break;
            if (i->name == "bar.warp.sync") {
                ++at;
                return true;
            }
            if (i->name == "bra") {
                const auto& target = std::get<ptx::Symbol>(i->operands[0]).name;
                while (function.body[at] != ptx::Statement{ptx::Label{target}})
                    at = (at + 1) % function.body.size();
                continue;
            }
            step(*i);
        }
        at = function.body.size();
        return false;
    }

  private:
    std::uint64_t value(const ptx::Operand& operand) {
        if (const auto* immediate = std::get_if<ptx::Immediate>(&operand)) return immediate->bits;
        const std::string& name = std::get<ptx::Register>(operand).name;
        if (registers.count(name) == 0) FAIL(name << " is read before it is written");
        return registers[name];
    }
    static std::string base_of(const std::string& name) { return name.substr(0, name.find('.')); }

    void access(const ptx::Instruction& i, bool load) {
        const ptx::Address& address = std::get<ptx::Address>(i.operands[load ? 1 : 0]);
        std::uint64_t place =
            value(std::get<ptx::Register>(address.base)) + static_cast<std::uint64_t>(address.offset);
        const std::uint64_t bytes =
            std::stoul(i.name.substr(i.name.size() - (i.name.back() == '8' ? 1 : 2))) / 8;
        if (address.offset < -(1 << 23) || address.offset >= 1 << 23)
            FAIL_CHECK("a constant beyond 24 bits: " << address.offset);
        std::vector<ptx::Operand> data;
        if (const auto* vector = std::get_if<ptx::Vector>(&i.operands[load ? 0 : 1]))
            for (const auto& each : vector->elements) data.emplace_back(std::get<ptx::Register>(each));
        else
            data.push_back(i.operands[load ? 0 : 1]);
        if (place % (bytes * data.size()) != 0) FAIL_CHECK(i.name << " at " << place);
        const bool in_shared = i.name.find(".shared") != std::string::npos;
        if (in_shared) shared_places.push_back(place);
        std::map<std::uint64_t, std::uint8_t>& bytes_of = in_shared ? *shared : memory;
        for (const ptx::Operand& each : data) {
            std::uint64_t bits = 0;
            for (std::uint64_t b = 0; b < bytes; ++b, ++place) {
                if (load) {
                    if (bytes_of.count(place) == 0) FAIL(i.name << " reads what is not there, at " << place);
                    bits |= std::uint64_t{bytes_of[place]} << 8 * b;
                    if (!in_shared) bytes_read.push_back(place);
                } else {
                    bytes_of[place] = static_cast<std::uint8_t>(value(each) >> 8 * b);
                    if (!in_shared) bytes_written.push_back(place);
                }
            }
            if (load) registers[std::get<ptx::Register>(each).name] = bits;
        }
    }

    void step(const ptx::Instruction& i) {
        const std::string base = base_of(i.name);
        if (i.name == "ld.param.u64") {
            registers[std::get<ptx::Register>(i.operands[0]).name] =
                parameters.at(std::get<ptx::Symbol>(std::get<ptx::Address>(i.operands[1]).base).name);
            return;
        }
        if (base == "ld") return access(i, true);
        if (base == "st") return access(i, false);
        const auto arg = [&](std::size_t k) { return value(i.operands.at(k)); };
        const bool wide = i.name.find("64") != std::string::npos || i.name.find(".wide") != std::string::npos;
        const auto sign = [](std::uint64_t x) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(x)));
        };
        std::uint64_t result = 0;
        if (base == "mov")
            result = std::holds_alternative<ptx::Symbol>(i.operands[1]) ? 0x80 : arg(1); // the one variable
        else if (base == "xor")
            result = arg(1) ^ arg(2);
        else if (i.name == "cvt.u64.u32")
            result = arg(1) & 0xFFFFFFFF;
        else if (base == "and")
            result = arg(1) & arg(2);
        else if (base == "shr")
            result = (arg(1) & 0xFFFFFFFF) >> arg(2);
        else if (base == "shl")
            result = arg(1) << arg(2);
        else if (i.name == "prmt.b32") // low halves
            result = (arg(1) & 0xFFFF) | arg(2) << 16;
        else if (base == "add")
            result = arg(1) + arg(2);
        else if (base == "sub")
            result = arg(1) - arg(2);
        else if (base == "bfe")
            result = (arg(1) >> arg(2)) & ((1U << arg(3)) - 1);
        else if (base == "bfi") {
            const std::uint64_t mask = ((std::uint64_t{1} << arg(4)) - 1) << arg(3);
            result = (arg(2) & ~mask) | ((arg(1) << arg(3)) & mask);
        } else if (i.name == "mul.wide.u32")
            result = (arg(1) & 0xFFFFFFFF) * (arg(2) & 0xFFFFFFFF);
        else if (i.name == "mul.wide.s32")
            result = sign(arg(1)) * sign(arg(2));
        else if (base == "mul")
            result = arg(1) * arg(2);
        else if (base == "mad")
            result = arg(1) * arg(2) + arg(3);
        else if (i.name == "setp.eq.u32")
            result = arg(1) == arg(2);
        else if (i.name == "setp.le.u32")
            result = arg(1) <= arg(2);
        else if (i.name == "setp.ge.u32")
            result = arg(1) >= arg(2);
        else
            FAIL("the thread machine does not know " << i.name);
        registers[std::get<ptx::Register>(i.operands[0]).name] = wide ? result : result & 0xFFFFFFFF;
    }
};

} // namespace tmemc::lower::test
