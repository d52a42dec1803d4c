// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: arithmetic of more than 64 bits ("Extended-Precision Integer Arithmetic
// Instructions"). The condition code CC.CF is a predicate of its own in each function's frame, Inst::carry.
#pragma once

#include "grader/virtual_gpu/instructions/semantics.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// Whether an instruction uses the carry-in, and whether it sets the carry-out.
enum class Carry { kOut = 1, kIn = 2, kInOut = 3 };

/// `f(lane, carry, result)` returns the carry-out.
template <class T, Carry kCarry, class F>
inline void MapWithCarry(WarpContext& w, const Inst& in, Mask mask, F f) {
  const Mask carry = static_cast<int>(kCarry) & 2 ? PredicateOf(w, in.carry) : 0;
  alignas(64) T result[kWarpSize];
  const Mask out = BitOfEach([&](int i) { return f(i, (carry >> i) & 1, result[i]); });
  Merge(w.Lanes<T>(in.op[0]), result, mask);
  if (static_cast<int>(kCarry) & 1) SetPredicate(w, in.carry, out, mask);
}

/// add.cc, addc
template <class T, Carry kCarry>
void AddCarry(WarpContext& w, const Inst& in, Mask mask) {
  const T* a = w.Lanes<const T>(in.op[1]);
  const T* b = w.Lanes<const T>(in.op[2]);
  MapWithCarry<T, kCarry>(w, in, mask, [=](int i, u32 carry, T& result) {
    T sum;
    const bool first = __builtin_add_overflow(a[i], b[i], &sum);
    return __builtin_add_overflow(sum, T(carry), &result) | first;
  });
}
/// sub.cc, subc: the carry is a borrow.
template <class T, Carry kCarry>
void SubBorrow(WarpContext& w, const Inst& in, Mask mask) {
  const T* a = w.Lanes<const T>(in.op[1]);
  const T* b = w.Lanes<const T>(in.op[2]);
  MapWithCarry<T, kCarry>(w, in, mask, [=](int i, u32 borrow, T& result) {
    T difference;
    const bool first = __builtin_sub_overflow(a[i], b[i], &difference);
    return __builtin_sub_overflow(difference, T(borrow), &result) | first;
  });
}
/// mad.cc, madc: half of the product, then a sum with carry. T has the product's sign.
template <class Op, class T, Carry kCarry>
void MadCarry(WarpContext& w, const Inst& in, Mask mask) {
  using U = Unsigned<T>;
  const T* a = w.Lanes<const T>(in.op[1]);
  const T* b = w.Lanes<const T>(in.op[2]);
  const U* c = w.Lanes<const U>(in.op[3]);
  MapWithCarry<U, kCarry>(w, in, mask, [=](int i, u32 carry, U& result) {
    U sum;
    const bool first = __builtin_add_overflow(static_cast<U>(Op::Apply(a[i], b[i])), c[i], &sum);
    return __builtin_add_overflow(sum, U(carry), &result) | first;
  });
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
