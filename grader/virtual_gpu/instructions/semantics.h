// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the effect of instructions on one lane, as pure functions, of one line if
// possible. Section titles refer to the PTX ISA manual, chapter "Instruction Set".
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

// --- Floats. -----------------------------------------------------------------------------------------

/// NVIDIA GPUs give one NaN for every invalid operation, whatever the operands' payloads ("Floating
/// Point Instructions": f32 0x7fffffff). For f64 the payload is not specified; x86 keeps the first's.
/// (A choice between bit patterns: between floats, the compiler would branch, lane by lane.)
inline float Canonical(float x) {
  const u32 bits = std::bit_cast<u32>(x);
  return std::bit_cast<float>((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : bits);
}
inline double Canonical(double x) {
  return x;
}

/// .ftz: subnormals become zero of the same sign. Only f32 has it.
inline float Flush(float x) {
  const u32 bits = std::bit_cast<u32>(x);
  return std::bit_cast<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
inline double Flush(double x) {
  return x;
}

/// .sat: clamps to [0, 1]; NaN becomes 0.
template <class T>
inline T Saturate(T x) {
  return x >= T(1) ? T(1) : x > T(0) ? x : T(0);
}

struct Add {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct Sub {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(a - b);
  }
};
struct Mul {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(a * b);
  }
};
struct Div {
  template <class T>
  static T Apply(T a, T b) {
    return a / b;
  }
};
struct Fma {
  static float Apply(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static double Apply(double a, double b, double c) { return __builtin_fma(a, b, c); }
};

/// min and max of floats: a NaN operand is not chosen; -0 is less than +0.
struct FloatMin {
  template <class T>
  static T Apply(T a, T b) {
    const T least = a < b || (a == b && std::signbit(a)) ? a : b;
    return a != a ? b : b != b ? a : least;
  }
};
struct FloatMax {
  template <class T>
  static T Apply(T a, T b) {
    const T most = a > b || (a == b && !std::signbit(a)) ? a : b;
    return a != a ? b : b != b ? a : most;
  }
};

// --- Integers. Unsigned arithmetic, because signed overflow wraps in PTX. -----------------------------

template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
constexpr int kBits = static_cast<int>(sizeof(T) * 8);

struct IntAdd {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(Unsigned<T>(a) + Unsigned<T>(b));
  }
};
struct IntSub {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(Unsigned<T>(a) - Unsigned<T>(b));
  }
};
struct MulLow {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(u64(Unsigned<T>(a)) * u64(Unsigned<T>(b)));
  }
};
template <class T>
struct Wider;
template <>
struct Wider<u16> {
  using Type = u32;
};
template <>
struct Wider<s16> {
  using Type = s32;
};
template <>
struct Wider<u32> {
  using Type = u64;
};
template <>
struct Wider<s32> {
  using Type = s64;
};
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;
template <>
struct Wider<u64> {
  using Type = u128;
};
template <>
struct Wider<s64> {
  using Type = s128;
};
struct MulHigh {
  template <class T>
  static T Apply(T a, T b) {
    using W = typename Wider<T>::Type;
    return static_cast<T>((W(a) * W(b)) >> kBits<T>);
  }
};
template <class T>
inline typename Wider<T>::Type MulWide(T a, T b) {
  using W = typename Wider<T>::Type;
  return W(a) * W(b);
}
/// Division by zero is unspecified in PTX; an H200 gives all ones, of the remainder as well, and so do we.
struct IntDiv {
  template <class T>
  static T Apply(T a, T b) {
    if constexpr (std::is_signed_v<T>) {
      if (b == T(-1)) return static_cast<T>(Unsigned<T>(0) - Unsigned<T>(a));
    }
    return b == 0 ? static_cast<T>(~T(0)) : static_cast<T>(a / b);
  }
};
struct IntRem {
  template <class T>
  static T Apply(T a, T b) {
    if constexpr (std::is_signed_v<T>) {
      if (b == T(-1)) return T(0);
    }
    return b == 0 ? static_cast<T>(~T(0)) : static_cast<T>(a % b);
  }
};
struct IntMin {
  template <class T>
  static T Apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct IntMax {
  template <class T>
  static T Apply(T a, T b) {
    return a > b ? a : b;
  }
};
struct And {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T Apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
/// Shift amounts above the width count as the width ("shl", "shr").
struct ShiftLeft {
  template <class T>
  static T Apply(T a, u32 b) {
    return b >= u32(kBits<T>) ? T(0) : static_cast<T>(Unsigned<T>(a) << b);
  }
};
struct ShiftRight {
  template <class T>
  static T Apply(T a, u32 b) {
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> (b >= u32(kBits<T>) ? kBits<T> - 1 : int(b)));
    return b >= u32(kBits<T>) ? T(0) : static_cast<T>(a >> b);
  }
};
template <class T>
inline T Saturated(s64 x) {
  return static_cast<T>(x < std::numeric_limits<T>::min()   ? std::numeric_limits<T>::min()
                        : x > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max()
                                                            : x);
}
/// bfe: `length` bits from `start`, of which the 32-bit form takes the low 8 bits (the manual says so of
/// both; an H200's 64-bit form takes all); signed ones extend the field's top bit, or a's where the field
/// ends beyond it.
template <class T>
inline T BitFieldExtract(T a, u32 start, u32 length) {
  if (sizeof(T) == 4) start &= 0xff, length &= 0xff;
  constexpr u32 kWidth = u32(kBits<T>);
  const u64 end = u64{start} + length - 1;
  const u32 top = end < kWidth - 1 ? u32(end) : kWidth - 1;
  bool sign = false;
  if constexpr (std::is_signed_v<T>) sign = length != 0 && ((Unsigned<T>(a) >> top) & 1);
  Unsigned<T> result = sign ? static_cast<Unsigned<T>>(~Unsigned<T>(0)) : Unsigned<T>(0);
  if (start < kWidth && length) {
    const u32 bits = length < kWidth - start ? length : kWidth - start;
    const Unsigned<T> mask =
        bits >= kWidth ? static_cast<Unsigned<T>>(~Unsigned<T>(0)) : (Unsigned<T>(1) << bits) - 1;
    result = (result & ~mask) | ((Unsigned<T>(a) >> start) & mask);
  }
  return static_cast<T>(result);
}
template <class T>
inline T BitFieldInsert(T a, T b, u32 start, u32 length) {
  if (sizeof(T) == 4) start &= 0xff, length &= 0xff;
  constexpr u32 kWidth = u32(kBits<T>);
  if (start >= kWidth || !length) return b;
  const u32 bits = length < kWidth - start ? length : kWidth - start;
  const T mask = static_cast<T>((bits >= kWidth ? ~T(0) : (T(1) << bits) - 1) << start);
  return static_cast<T>((b & ~mask) | ((a << start) & mask));
}
inline u32 ReverseBits(u32 x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  return __builtin_bswap32(x);
}
inline u64 ReverseBits(u64 x) {
  return (u64(ReverseBits(u32(x))) << 32) | ReverseBits(u32(x >> 32));
}
/// bfind: position of the highest bit that is set (unsigned) or differs from the sign; ~0 if none.
template <class T>
inline u32 FindHighest(T a) {
  Unsigned<T> bits = Unsigned<T>(a);
  if constexpr (std::is_signed_v<T>) bits = a < 0 ? static_cast<Unsigned<T>>(~bits) : bits;
  return bits == 0 ? ~0u : u32(kBits<T> - 1 - std::countl_zero(bits));
}
/// prmt, default mode: four selectors of four bits pick bytes of {b, a}; bit 3 replicates the sign.
inline u32 Permute(u32 a, u32 b, u32 selector) {
  const u64 bytes = (u64(b) << 32) | a;
  u32 result = 0;
  for (int i = 0; i < 4; ++i) {
    const u32 pick = (selector >> (4 * i)) & 0xf;
    u32 byte = u32(bytes >> (8 * (pick & 7))) & 0xff;
    if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
inline u32 FunnelLeft(u32 low, u32 high, u32 by, bool wrap) {
  const u32 n = wrap ? by & 31 : by < 32 ? by : 32;
  return u32((((u64(high) << 32) | low) << n) >> 32);
}
inline u32 FunnelRight(u32 low, u32 high, u32 by, bool wrap) {
  const u32 n = wrap ? by & 31 : by < 32 ? by : 32;
  return u32(((u64(high) << 32) | low) >> n);
}

// --- Conversions ("cvt"). -----------------------------------------------------------------------------

/// Float to integer: clamps to the target's range. NaN gives 0; from or to 64 bits, the top bit alone.
template <class D, class A>
inline D FloatToInt(A rounded) {
  if (rounded != rounded) {
    return sizeof(D) == 8 || sizeof(A) == 8 ? static_cast<D>(u64(1) << (kBits<D> - 1)) : D(0);
  }
  // The bounds are exact in A: powers of two.
  constexpr A kUpper = A(2) * A(u64(1) << (kBits<D> - (std::is_signed_v<D> ? 2 : 1)));
  constexpr A kLower = std::is_signed_v<D> ? -kUpper : A(0);
  if (rounded >= kUpper) return std::numeric_limits<D>::max();
  if (rounded <= kLower) return std::numeric_limits<D>::min();
  return static_cast<D>(rounded);
}

// --- Comparisons ("setp"). ----------------------------------------------------------------------------

enum Comparison : u32 { kEq, kNe, kLt, kLe, kGt, kGe, kEqu, kNeu, kLtu, kLeu, kGtu, kGeu, kNum, kNan };

template <class T, class F>
inline Mask CompareLanes(const T* a, const T* b, F f) {
  return BitOfEach([&](int i) { return f(a[i], b[i]); });
}

template <class T>
inline Mask Compare(const T* a, const T* b, u32 comparison) {
  auto unordered = [](T x, T y) { return x != x || y != y; };
  switch (comparison) {
    case kEq: return CompareLanes(a, b, [](T x, T y) { return x == y; });
    // Of floats, "ne" is false where an operand is NaN, unlike C++'s !=.
    case kNe: return CompareLanes(a, b, [](T x, T y) { return x < y || x > y; });
    case kLt: return CompareLanes(a, b, [](T x, T y) { return x < y; });
    case kLe: return CompareLanes(a, b, [](T x, T y) { return x <= y; });
    case kGt: return CompareLanes(a, b, [](T x, T y) { return x > y; });
    case kGe: return CompareLanes(a, b, [](T x, T y) { return x >= y; });
    case kEqu: return CompareLanes(a, b, [](T x, T y) { return !(x < y || x > y); });
    case kNeu: return CompareLanes(a, b, [](T x, T y) { return x != y; });
    case kLtu: return CompareLanes(a, b, [](T x, T y) { return !(x >= y); });
    case kLeu: return CompareLanes(a, b, [](T x, T y) { return !(x > y); });
    case kGtu: return CompareLanes(a, b, [](T x, T y) { return !(x <= y); });
    case kGeu: return CompareLanes(a, b, [](T x, T y) { return !(x < y); });
    case kNum: return CompareLanes(a, b, [&](T x, T y) { return !unordered(x, y); });
    default: return CompareLanes(a, b, unordered);
  }
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
