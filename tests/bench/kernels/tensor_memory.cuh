// What the kernels of this folder need of tensor memory, as inline assembly. TENSOR_MEMORY_MOVES(shape, num, count)
// defines tmem_load and tmem_store for one message, `count` registers of a thread.
#pragma once

#include <stdint.h>

#define T0 "%0,%1,%2,%3"
#define T16 T0 ",%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15"
#define T32 T16 ",%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define T64                                                                                                         \
    T32 ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57," \
        "%58,%59,%60,%61,%62,%63"
#define T128                                                                                                      \
    T64 ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%86,%87,%88,"   \
        "%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111," \
        "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
#define TEXT_1 "%0"
#define TEXT_4 T0
#define TEXT_16 T16
#define TEXT_32 T32
#define TEXT_64 T64
#define TEXT_128 T128

#define LIST_1(c, i) c(r[i])
#define LIST_4(c, i) c(r[i]), c(r[i + 1]), c(r[i + 2]), c(r[i + 3])
#define LIST_16(c, i) LIST_4(c, i), LIST_4(c, i + 4), LIST_4(c, i + 8), LIST_4(c, i + 12)
#define LIST_32(c, i) LIST_16(c, i), LIST_16(c, i + 16)
#define LIST_64(c, i) LIST_32(c, i), LIST_32(c, i + 32)
#define LIST_128(c, i) LIST_64(c, i), LIST_64(c, i + 64)
#define NUMBER_(count) #count
#define NUMBER(count) NUMBER_(count)
#define TEXT_(count) TEXT_##count
#define TEXT(count) TEXT_(count)
#define LIST_(count, c) LIST_##count(c, 0)
#define LIST(count, c) LIST_(count, c)

#define TENSOR_MEMORY_MOVES(shape, num, count)                                                              \
    static __device__ __forceinline__ void tmem_load(uint32_t (&r)[count], uint32_t address) {              \
        asm volatile("tcgen05.ld.sync.aligned." shape "." num ".b32 {" TEXT(count) "}, [%" NUMBER(count) "];"      \
                     : LIST(count, "=r")                                                                    \
                     : "r"(address)                                                                         \
                     : "memory");                                                                           \
    }                                                                                                       \
    static __device__ __forceinline__ void tmem_store(uint32_t address, const uint32_t (&r)[count]) {       \
        asm volatile("tcgen05.st.sync.aligned." shape "." num ".b32 [%" NUMBER(count) "], {" TEXT(count) "};" ::LIST( \
                         count, "r"),                                                                       \
                     "r"(address)                                                                           \
                     : "memory");                                                                           \
    }

static __device__ __forceinline__ void wait_load() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
static __device__ __forceinline__ void wait_store() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }

/// Warp 0 allocates; every thread gets the allocation's address. `slot` is in shared memory.
template <int columns> static __device__ __forceinline__ uint32_t allocate(uint32_t* slot) {
    if (threadIdx.x < 32) {
        const uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(slot));
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(at), "n"(columns) : "memory");
        asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
    }
    __syncthreads();
    return *slot;
}
template <int columns> static __device__ __forceinline__ void release(uint32_t allocation) {
    __syncthreads();
    if (threadIdx.x < 32)
        asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(allocation), "n"(columns));
}
/// The address at the warp's lanes.
static __device__ __forceinline__ uint32_t at_lanes(uint32_t allocation) {
    return allocation + ((threadIdx.x & 96) << 16);
}
