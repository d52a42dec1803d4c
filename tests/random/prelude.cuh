// SPDX-License-Identifier: Apache-2.0
// The head of each program that `generate` writes: short names of types, functions that make every result
// one that CUDA C++ and PTX determine, and the host's part. `generate` pastes it, so a program is one file.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef int s32;
typedef unsigned u32;
typedef long long s64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
typedef __half f16;
typedef __nv_bfloat16 b16;
typedef __half2 f16x2;
typedef __nv_bfloat162 b16x2;
typedef unsigned __int128 u128;

#define DEVICE __device__ __forceinline__

// The bits of a value. A NaN's sign and payload are not specified, so all NaNs are one here.
DEVICE u8 Bits(bool v) {
  return v ? 1 : 0;
}
DEVICE u8 Bits(s8 v) {
  return (u8)v;
}
DEVICE u8 Bits(u8 v) {
  return v;
}
DEVICE u16 Bits(s16 v) {
  return (u16)v;
}
DEVICE u16 Bits(u16 v) {
  return v;
}
DEVICE u32 Bits(s32 v) {
  return (u32)v;
}
DEVICE u32 Bits(u32 v) {
  return v;
}
DEVICE u64 Bits(s64 v) {
  return (u64)v;
}
DEVICE u64 Bits(u64 v) {
  return v;
}
DEVICE u32 Bits(f32 v) {
  return v != v ? 0x7fc00000u : __float_as_uint(v);
}
DEVICE u64 Bits(f64 v) {
  return v != v ? 0x7ff8000000000000ull : (u64)__double_as_longlong(v);
}
DEVICE u16 Bits(f16 v) {
  const u16 bits = __half_as_ushort(v);
  return (bits & 0x7fff) > 0x7c00 ? (u16)0x7e00 : bits;
}
DEVICE u16 Bits(b16 v) {
  const u16 bits = __bfloat16_as_ushort(v);
  return (bits & 0x7fff) > 0x7f80 ? (u16)0x7fc0 : bits;
}
DEVICE u32 Bits(f16x2 v) {
  return Bits(__low2half(v)) | (u32)Bits(__high2half(v)) << 16;
}
DEVICE u32 Bits(b16x2 v) {
  return Bits(__low2bfloat16(v)) | (u32)Bits(__high2bfloat16(v)) << 16;
}
DEVICE f32 Canon(f32 v) {
  return __uint_as_float(Bits(v));
}
DEVICE f64 Canon(f64 v) {
  return __longlong_as_double((s64)Bits(v));
}
DEVICE f16 Canon(f16 v) {
  return __ushort_as_half(Bits(v));
}
DEVICE b16 Canon(b16 v) {
  return __ushort_as_bfloat16(Bits(v));
}

DEVICE u64 Mix(u64 hash, u64 bits) {
  hash = (hash ^ bits) * 0x9e3779b97f4a7c15ull;
  return hash ^ hash >> 29;
}

// Division without a zero divisor and without the one quotient that overflows.
template <typename T>
DEVICE T SafeDiv(T a, T b) {
  if (b == 0) return (T)(a ^ 21);
  return (T)-1 < 0 && b == (T)-1 ? (T)(~(u64)a + 1) : (T)(a / b);
}
template <typename T>
DEVICE T SafeRem(T a, T b) {
  return b == 0 || ((T)-1 < 0 && b == (T)-1) ? (T)(b ^ 3) : (T)(a % b);
}
DEVICE s32 Odd(s32 v) {
  return (v & 0x7fffffff) | 1;
}
DEVICE s64 Odd(s64 v) {
  return (v & 0x7fffffffffffffffll) | 1;
}

// Minimum and maximum of +0 and -0 may be either zero.
DEVICE f32 Min(f32 a, f32 b) {
  return __fadd_rn(fminf(a, b), 0.0f);
}
DEVICE f32 Max(f32 a, f32 b) {
  return __fadd_rn(fmaxf(a, b), 0.0f);
}
DEVICE f64 Min(f64 a, f64 b) {
  return __dadd_rn(fmin(a, b), 0.0);
}
DEVICE f64 Max(f64 a, f64 b) {
  return __dadd_rn(fmax(a, b), 0.0);
}
DEVICE f16 Min(f16 a, f16 b) {
  return __hadd_rn(__hmin(a, b), __ushort_as_half(0));
}
DEVICE f16 Max(f16 a, f16 b) {
  return __hadd_rn(__hmax(a, b), __ushort_as_half(0));
}
DEVICE b16 Min(b16 a, b16 b) {
  return __hadd_rn(__hmin(a, b), __ushort_as_bfloat16(0));
}
DEVICE b16 Max(b16 a, b16 b) {
  return __hadd_rn(__hmax(a, b), __ushort_as_bfloat16(0));
}
DEVICE f16x2 Min(f16x2 a, f16x2 b) {
  return __hadd2_rn(__hmin2(a, b), __float2half2_rn(0.0f));
}
DEVICE f16x2 Max(f16x2 a, f16x2 b) {
  return __hadd2_rn(__hmax2(a, b), __float2half2_rn(0.0f));
}

// Conversions of small floating-point types to integers differ in what they make of a NaN.
DEVICE f16 Num(f16 v) {
  return __hisnan(v) ? __ushort_as_half(0x3c00) : v;
}
DEVICE b16 Num(b16 v) {
  return __hisnan(v) ? __ushort_as_bfloat16(0x3f80) : v;
}
DEVICE f32 Num(f32 v) {
  return v != v ? 1.5f : v;
}
DEVICE f64 Num(f64 v) {
  return v != v ? 2.5 : v;
}

// Before sm_80 there is no fma of bfloat16, and the header's replacement rounds twice. Here the sum of an
// exact product and c is rounded to odd in double precision first, so the second rounding is the right one.
DEVICE b16 Fma(b16 a, b16 b, b16 c) {
#if __CUDA_ARCH__ >= 800
  return __hfma(a, b, c);
#else
  const f64 p = __dmul_rn((f64)__bfloat162float(a), (f64)__bfloat162float(b)), z = __bfloat162float(c);
  const f64 sum = __dadd_rn(p, z), part = __dsub_rn(sum, p);
  const f64 lost = __dadd_rn(__dsub_rn(p, __dsub_rn(sum, part)), __dsub_rn(z, part));
  u64 bits = (u64)__double_as_longlong(sum);
  if (isfinite(sum) && lost != 0 && (bits & 1) == 0) bits += (lost > 0) == (sum > 0) ? 1 : -1;
  return __double2bfloat16(__longlong_as_double((s64)bits));
#endif
}

// C++ leaves open whether `exponent` is read before or after the call. nvcc reads it after, at every level.
// Two statements would say so, but would change every digest: write them when all seeds are recorded anew.
DEVICE f32 Fraction(f32 v) {
  s32 exponent = 0;
  return isfinite(v) ? frexpf(v, &exponent) + (f32)exponent : v;
}
DEVICE s32 Exponent(f64 v) {
  s32 exponent = 0;
  return isfinite(v) ? (frexp(v, &exponent), exponent) : 77;
}
DEVICE f32 Parts(f32 v) {
  f32 whole = 0;
  const f32 rest = modff(v, &whole);
  return __fsub_rn(whole, rest);
}
DEVICE f64 Parts(f64 v) {
  f64 whole = 0;
  const f64 rest = modf(v, &whole);
  return __dsub_rn(whole, rest);
}

// Instructions that no expression of C++ is sure to give.
#define ASM_OF_3(NAME, INSTRUCTION, T, LETTER, A, LETTER_A, B, LETTER_B, C, LETTER_C)            \
  DEVICE T NAME(A a, B b, C c) {                                                                 \
    T d;                                                                                         \
    asm(INSTRUCTION " %0, %1, %2, %3;" : "=" LETTER(d) : LETTER_A(a), LETTER_B(b), LETTER_C(c)); \
    return d;                                                                                    \
  }
ASM_OF_3(BfeU32, "bfe.u32", u32, "r", u32, "r", u32, "r", u32, "r")
ASM_OF_3(BfeS32, "bfe.s32", s32, "r", s32, "r", u32, "r", u32, "r")
ASM_OF_3(BfeU64, "bfe.u64", u64, "l", u64, "l", u32, "r", u32, "r")
ASM_OF_3(BfeS64, "bfe.s64", s64, "l", s64, "l", u32, "r", u32, "r")
ASM_OF_3(MadHiU32, "mad.hi.u32", u32, "r", u32, "r", u32, "r", u32, "r")
ASM_OF_3(MadHiS32, "mad.hi.s32", s32, "r", s32, "r", s32, "r", s32, "r")
ASM_OF_3(MadHiU64, "mad.hi.u64", u64, "l", u64, "l", u64, "l", u64, "l")
ASM_OF_3(MadWideU16, "mad.wide.u16", u32, "r", u16, "h", u16, "h", u32, "r")
ASM_OF_3(MadWideS16, "mad.wide.s16", s32, "r", s16, "h", s16, "h", s32, "r")
ASM_OF_3(MadWideS32, "mad.wide.s32", s64, "l", s32, "r", s32, "r", s64, "l")
ASM_OF_3(Mad24, "mad24.lo.s32", s32, "r", s32, "r", s32, "r", s32, "r")
ASM_OF_3(SadS32, "sad.s32", s32, "r", s32, "r", s32, "r", s32, "r")
ASM_OF_3(SlctU64, "slct.u64.s32", u64, "l", u64, "l", u64, "l", s32, "r")
ASM_OF_3(SlctF32, "slct.f32.s32", f32, "f", f32, "f", f32, "f", s32, "r")
ASM_OF_3(ShfLClamp, "shf.l.clamp.b32", u32, "r", u32, "r", u32, "r", u32, "r")
ASM_OF_3(ShfRWrap, "shf.r.wrap.b32", u32, "r", u32, "r", u32, "r", u32, "r")
ASM_OF_3(PrmtF4e, "prmt.b32.f4e", u32, "r", u32, "r", u32, "r", u32, "r")
ASM_OF_3(PrmtRc16, "prmt.b32.rc16", u32, "r", u32, "r", u32, "r", u32, "r")
ASM_OF_3(Dp2a, "dp2a.lo.s32.u32", s32, "r", u32, "r", u32, "r", s32, "r")

#define ASM_OF_2(NAME, INSTRUCTION, T, LETTER, A, LETTER_A, B, LETTER_B)        \
  DEVICE T NAME(A a, B b) {                                                     \
    T d;                                                                        \
    asm(INSTRUCTION " %0, %1, %2;" : "=" LETTER(d) : LETTER_A(a), LETTER_B(b)); \
    return d;                                                                   \
  }
ASM_OF_2(AddSat, "add.sat.s32", s32, "r", s32, "r", s32, "r")
ASM_OF_2(SubSat, "sub.sat.s32", s32, "r", s32, "r", s32, "r")
ASM_OF_2(MulHiU16, "mul.hi.u16", u16, "h", u16, "h", u16, "h")
ASM_OF_2(MulHiS16, "mul.hi.s16", s16, "h", s16, "h", s16, "h")
ASM_OF_2(ShlB32, "shl.b32", u32, "r", u32, "r", u32, "r")
ASM_OF_2(ShrS64, "shr.s64", s64, "l", s64, "l", u32, "r")
ASM_OF_2(ShrU16, "shr.u16", u16, "h", u16, "h", u32, "r")

#define ASM_OF_1(NAME, INSTRUCTION, T, LETTER, A, LETTER_A)    \
  DEVICE T NAME(A a) {                                         \
    T d;                                                       \
    asm(INSTRUCTION " %0, %1;" : "=" LETTER(d) : LETTER_A(a)); \
    return d;                                                  \
  }
ASM_OF_1(Cnot, "cnot.b32", u32, "r", u32, "r")
ASM_OF_1(BfindS32, "bfind.s32", u32, "r", s32, "r")
ASM_OF_1(BfindU64, "bfind.shiftamt.u64", u32, "r", u64, "l")
ASM_OF_1(SatS8, "cvt.sat.s8.s32", s32, "r", s32, "r")
ASM_OF_1(SatU8, "cvt.sat.u8.s32", u32, "r", s32, "r")
ASM_OF_1(SatS16, "cvt.sat.s16.s32", s16, "h", s32, "r")
ASM_OF_1(SatU16, "cvt.sat.u16.u64", u16, "h", u64, "l")
ASM_OF_1(SatS32, "cvt.sat.s32.s64", s32, "r", s64, "l")
ASM_OF_1(SatU32, "cvt.sat.u32.s64", u32, "r", s64, "l")
ASM_OF_1(RoundSatU8, "cvt.rni.sat.u8.f32", u32, "r", f32, "f")
ASM_OF_1(RoundSatS16, "cvt.rmi.sat.s16.f64", s16, "h", f64, "d")
ASM_OF_1(UnitSat, "cvt.rn.sat.f32.s32", f32, "f", s32, "r")

DEVICE u64 CarryChain(u64 a, u64 b, u32 c, u32 d) {
  u32 low, high;
  asm("{\n  .reg .u32 t;\n  add.cc.u32 %0, %2, %4;\n  addc.cc.u32 %1, %3, %5;\n  addc.u32 t, 0, 0;\n"
      "  madc.lo.cc.u32 %0, %0, %5, t;\n  madc.hi.u32 %1, %1, %4, %3;\n}"
      : "=&r"(low), "=&r"(high)
      : "r"((u32)a), "r"((u32)(b >> 32)), "r"(c), "r"(d));
  return low | (u64)high << 32;
}

// Reductions of a warp, which sm_75 has to make of shuffles.
enum class Fold { kAdd, kMin, kMax, kAnd, kOr, kXor };
template <Fold kFold, typename T>
DEVICE T Folded(T v) {
#if __CUDA_ARCH__ >= 800
  switch (kFold) {
    case Fold::kAdd: return __reduce_add_sync(~0u, v);
    case Fold::kMin: return __reduce_min_sync(~0u, v);
    case Fold::kMax: return __reduce_max_sync(~0u, v);
    case Fold::kAnd: return (T)__reduce_and_sync(~0u, (u32)v);
    case Fold::kOr: return (T)__reduce_or_sync(~0u, (u32)v);
    default: return (T)__reduce_xor_sync(~0u, (u32)v);
  }
#else
  for (int step = 16; step > 0; step /= 2) {
    const T w = __shfl_xor_sync(~0u, v, step);
    switch (kFold) {
      case Fold::kAdd: v = (T)((u32)v + (u32)w); break;
      case Fold::kMin: v = w < v ? w : v; break;
      case Fold::kMax: v = w > v ? w : v; break;
      case Fold::kAnd: v &= w; break;
      case Fold::kOr: v |= w; break;
      default: v ^= w;
    }
  }
  return v;
#endif
}

// Read-modify-write with compare-and-swap; the operations are commutative, so the order does not matter.
DEVICE void MultiplyAtomically(u32* place, u32 factor) {
  u32 seen = atomicAdd(place, 0u), before;
  do {
    before = seen;
    seen = atomicCAS(place, before, before * (factor | 1));
  } while (seen != before);
}
DEVICE void MultiplyAtomically(u64* place, u64 factor) {
  u64 seen = atomicAdd(place, 0ull), before;
  do {
    before = seen;
    seen = atomicCAS(place, before, before * (factor | 1));
  } while (seen != before);
}
DEVICE void XorAtomically(u16* place, u16 bits) {
  u16 seen = 0, before;
  do {
    before = seen;
    seen = atomicCAS(place, before, (u16)(before ^ bits));
  } while (seen != before);
}

// --- The host's part.

constexpr int kInputs = 64;  ///< Of each type.

struct Buffers {
  u64* w64;
  u32* w32;
  u16* w16;
  u8* w8;
  f32* f;
  f64* d;
  u16* h;
  u16* b;
  unsigned char* out;
};

static u64 NextRandom(u64& state) {
  u64 z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

/// Any bits, few bits, or near the ends of the range: `width` of them.
static u64 Edgy(u64& state, int width) {
  const u64 any = NextRandom(state), kind = NextRandom(state) % 8,
            all = width == 64 ? ~0ull : (1ull << width) - 1;
  if (kind < 3) return any & all;
  if (kind < 5) return any % 17;
  if (kind == 5) return (0 - any % 9) & all;
  if (kind == 6) return ((1ull << (width - 1)) - any % 3) & all;
  return (1ull << any % width) & all;
}

/// Bits of a floating-point number: often moderate, sometimes an infinity, a NaN, a subnormal or a small
/// integer.
static u64 EdgyFloat(u64& state, int exponent_bits, int fraction_bits) {
  const u64 any = NextRandom(state), kind = NextRandom(state) % 16;
  const u64 sign = (any >> 63) << (exponent_bits + fraction_bits),
            fraction = any & ((1ull << fraction_bits) - 1);
  const u64 bias = (1ull << (exponent_bits - 1)) - 1, most = (1ull << exponent_bits) - 1;
  const u64 round = kind & 1 ? fraction : fraction & ~((1ull << (fraction_bits - 3)) - 1);
  if (kind < 9) return sign | (bias - 6 + NextRandom(state) % 13) << fraction_bits | round;
  if (kind < 12) return sign | (NextRandom(state) & most) << fraction_bits | fraction;
  if (kind == 12) return sign;
  if (kind == 13) return sign | fraction >> NextRandom(state) % fraction_bits;
  if (kind == 14) return sign | most << fraction_bits;
  return most << fraction_bits | 1ull << (fraction_bits - 1);
}

static void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(3);
}

template <typename T, typename Make>
static void Fill(T* place, Make make) {
  T values[kInputs];
  for (T& value : values) value = (T)make();
  Check(cudaMemcpy(place, values, sizeof values, cudaMemcpyHostToDevice), "cudaMemcpy");
}

static void FillInputs(const Buffers& to, u64 state) {
  Fill(to.w64, [&] { return Edgy(state, 64); });
  Fill(to.w32, [&] { return Edgy(state, 32); });
  Fill(to.w16, [&] { return Edgy(state, 16); });
  Fill(to.w8, [&] { return Edgy(state, 8); });
  Fill((u32*)to.f, [&] { return EdgyFloat(state, 8, 23); });
  Fill((u64*)to.d, [&] { return EdgyFloat(state, 11, 52); });
  Fill(to.h, [&] { return EdgyFloat(state, 5, 10); });
  Fill(to.b, [&] { return EdgyFloat(state, 8, 7); });
}

struct Case {
  void (*launch)(const Buffers&);
  int number;
  int bytes;  ///< Of the output.
};

static int RunAll(u64 seed, const Case* cases, int count, int argc, char** argv) {
  Buffers buffers;
  u64** const places[] = {&buffers.w64,      (u64**)&buffers.w32, (u64**)&buffers.w16, (u64**)&buffers.w8,
                          (u64**)&buffers.f, (u64**)&buffers.d,   (u64**)&buffers.h,   (u64**)&buffers.b};
  for (u64** place : places) Check(cudaMalloc(place, kInputs * 8), "cudaMalloc");
  int most = 0;
  for (int i = 0; i < count; ++i) most = cases[i].bytes > most ? cases[i].bytes : most;
  Check(cudaMalloc(&buffers.out, most), "cudaMalloc");
  std::vector<unsigned char> out(most);
  for (int i = 0; i < count; ++i) {
    // With arguments, only the kernels of these numbers.
    bool wanted = argc < 2;
    for (int k = 1; k < argc; ++k) wanted = wanted || std::atoi(argv[k]) == cases[i].number;
    if (!wanted) continue;
    FillInputs(buffers, seed * 1000003 + cases[i].number);
    Check(cudaMemset(buffers.out, 0x5a, cases[i].bytes), "cudaMemset");
    cases[i].launch(buffers);
    Check(cudaGetLastError(), "launch");
    Check(cudaMemcpy(out.data(), buffers.out, cases[i].bytes, cudaMemcpyDeviceToHost), "kernel");
    u64 hash = 0xcbf29ce484222325ull;
    for (int k = 0; k < cases[i].bytes; ++k) hash = (hash ^ out[k]) * 0x100000001b3ull;
    std::printf("%llu.%d %016llx\n", seed, cases[i].number, hash);
    std::fflush(stdout);
  }
  for (u64** place : places) cudaFree(*place);
  cudaFree(buffers.out);
  return 0;
}
