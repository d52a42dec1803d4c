// SPDX-License-Identifier: Apache-2.0
// Kernels for the fuzzers that launch kernels. They are PTX text, so that no CUDA compiler is needed.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace warplings::fuzz {

inline constexpr std::string_view kPtxHead = R"(
.version 7.0
.target sm_80
.address_size 64
)";

/// Kernels whose results depend on the order in which they run.
inline constexpr std::string_view kArithmetic = R"(
// p[i] = p[i] * 3 + c for each i < n.
.visible .entry a(.param .u64 p, .param .u32 n, .param .u32 c)
{
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  ld.param.u32 %r2, [c];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.u32 %r3, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r3, %r1;
  @%p1 bra done;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd1, %rd1, %rd2;
  ld.global.u32 %r6, [%rd1];
  mad.lo.u32 %r6, %r6, 3, %r2;
  st.global.u32 [%rd1], %r6;
done:
  ret;
}

// p[i] = p[i] * 5 + q[i] for each i < n.
.visible .entry m(.param .u64 p, .param .u64 q, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p];
  ld.param.u64 %rd2, [q];
  ld.param.u32 %r1, [n];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.u32 %r3, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r3, %r1;
  @%p1 bra done;
  mul.wide.u32 %rd3, %r3, 4;
  add.u64 %rd1, %rd1, %rd3;
  add.u64 %rd2, %rd2, %rd3;
  ld.global.u32 %r6, [%rd1];
  ld.global.u32 %r7, [%rd2];
  mad.lo.u32 %r6, %r6, 5, %r7;
  st.global.u32 [%rd1], %r6;
done:
  ret;
}
)";

/// Kernels with behaviour that a device must survive: shared memory and barriers, endless loops, the heap,
/// printf, asynchronous copies that are never waited for, recursion, traps, blocks that wait for each other.
/// Names are single letters, which a fuzzer finds by itself.
inline constexpr std::string_view kHostile = R"(
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.visible .global .align 4 .b32 v = 5;
.visible .global .align 8 .b8 w[64];
.global .align 1 .b8 text[6] = {37, 42, 100, 37, 115, 0};

// Reverses 32 words by way of shared memory; more threads leave it.
.visible .entry b(.param .u64 p, .param .u64 q)
{
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  .shared .align 4 .b8 tile[128];
  ld.param.u64 %rd1, [p];
  ld.param.u64 %rd2, [q];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd1, %rd1, %rd3;
  ld.global.u32 %r2, [%rd1];
  mov.u32 %r3, tile;
  shl.b32 %r4, %r1, 2;
  add.u32 %r4, %r3, %r4;
  st.shared.u32 [%r4], %r2;
  bar.sync 0;
  sub.u32 %r5, 31, %r1;
  shl.b32 %r5, %r5, 2;
  add.u32 %r5, %r3, %r5;
  ld.shared.u32 %r6, [%r5];
  add.u64 %rd2, %rd2, %rd3;
  st.global.u32 [%rd2], %r6;
  ret;
}

// Counts without an end.
.visible .entry c(.param .u64 p)
{
  .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
again:
  atom.global.add.u32 %r1, [%rd1], 1;
  bra again;
}

// Takes n bytes from the heap, writes to them, prints, and frees what it was told to.
.visible .entry d(.param .u64 n, .param .u64 freed, .param .u32 width)
{
  .reg .b32 %r<4>; .reg .b64 %rd<8>;
  .local .align 8 .b8 depot[16];
  ld.param.u64 %rd1, [n];
  ld.param.u64 %rd2, [freed];
  ld.param.u32 %r1, [width];
  { .param .b64 i; st.param.b64 [i+0], %rd1; .param .b64 o; call.uni (o), malloc, (i); ld.param.b64 %rd3, [o+0]; }
  st.global.u32 [%rd3], %r1;
  mov.u64 %rd4, depot;
  cvta.local.u64 %rd4, %rd4;
  mov.u64 %rd5, text;
  cvta.global.u64 %rd5, %rd5;
  st.b32 [%rd4], %r1;
  st.b32 [%rd4+4], 7;
  st.b64 [%rd4+8], %rd5;
  { .param .b64 f; st.param.b64 [f+0], %rd5; .param .b64 x; st.param.b64 [x+0], %rd4; .param .b32 o;
    call.uni (o), vprintf, (f, x); ld.param.b32 %r2, [o+0]; }
  { .param .b64 i; st.param.b64 [i+0], %rd3; call.uni free, (i); }
  { .param .b64 i; st.param.b64 [i+0], %rd2; call.uni free, (i); }
  ld.global.u32 %r3, [%rd3];
  ret;
}

// Copies asynchronously n times, and nobody waits.
.visible .entry e(.param .u64 p, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
  .shared .align 16 .b8 tile[512];
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  shl.b32 %r2, %r2, 4;
  mov.u32 %r3, tile;
  add.u32 %r2, %r2, %r3;
again:
  cp.async.ca.shared.global [%r2], [%rd1], 16;
  sub.u32 %r1, %r1, 1;
  setp.gt.s32 %p1, %r1, 0;
  @%p1 bra again;
  ret;
}

// Calls itself n times, each time with an array of its own.
.func deeper(.param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
  .local .align 4 .b8 own[64];
  ld.param.u32 %r1, [n];
  mov.u64 %rd1, own;
  st.local.u32 [%rd1], %r1;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra done;
  sub.u32 %r1, %r1, 1;
  { .param .b32 i; st.param.b32 [i+0], %r1; call deeper, (i); }
done:
  ret;
}
.visible .entry f(.param .u32 n)
{
  .reg .b32 %r<2>;
  ld.param.u32 %r1, [n];
  { .param .b32 i; st.param.b32 [i+0], %r1; call deeper, (i); }
  ret;
}

// Traps in one lane, while others wait at a barrier that not all come to.
.visible .entry g(.param .u32 lane)
{
  .reg .pred %p<3>; .reg .b32 %r<3>;
  ld.param.u32 %r1, [lane];
  mov.u32 %r2, %tid.x;
  setp.eq.u32 %p1, %r1, %r2;
  @%p1 trap;
  setp.lt.u32 %p2, %r2, 16;
  @%p2 bar.sync 0;
  ret;
}

// Each block adds one and waits until all have: only blocks that are on the card together come to an end.
.visible .entry h(.param .u64 p, .param .u32 n)
{
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  atom.global.add.u32 %r2, [%rd1], 1;
again:
  ld.volatile.global.u32 %r3, [%rd1];
  setp.lt.u32 %p1, %r3, %r1;
  @%p1 bra again;
  ret;
}
)";

inline std::string ArithmeticPtx() {
  return std::string(kPtxHead).append(kArithmetic);
}
inline std::string HostilePtx() {
  return ArithmeticPtx().append(kHostile);
}
inline constexpr std::array<std::string_view, 9> kHostileKernels = {"a", "m", "b", "c", "d",
                                                                    "e", "f", "g", "h"};

}  // namespace warplings::fuzz
