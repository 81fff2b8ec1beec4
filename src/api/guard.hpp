// Where exceptions end. A program that embeds the compiler must not die of a bug in it, so what is thrown
// below becomes a status here: too little memory, or a broken invariant with its sentence.
//
//     guarded([&] { throw base::InternalError("a copy has no message"); }).status == Status::internal
#pragma once

#include "api/tmemc.hpp"

#include <cstddef>
#include <exception>
#include <new>

namespace tmemc::api {

/// Throws std::bad_alloc when there is not so much memory. The values of the JSON library allocate while they
/// are freed, where nothing may be thrown, and so would end the program; they are begun only with room to
/// spare.
inline void need_room(std::size_t bytes) { ::operator delete(::operator new(bytes)); }

/// What `make` returns, or a Result that says how it failed.
template <class Make>
[[nodiscard]] Result guarded(const Make& make) noexcept {
    Result failed;
    try {
        return make();
    } catch (const std::bad_alloc&) {
        failed.status = Status::out_of_memory;
    } catch (const std::exception& broken) {
        failed.status = Status::internal;
        try {
            failed.message = broken.what();
        } catch (const std::bad_alloc&) { // then it goes without saying
        }
    }
    return failed;
}

} // namespace tmemc::api
