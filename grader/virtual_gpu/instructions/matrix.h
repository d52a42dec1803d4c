// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: matrix fragments, distributed over the lanes of a warp ("wmma", "mma",
// "ldmatrix").
//
// The assignment of elements to lanes follows one pattern ("Matrix Fragments"; for wmma, which the manual
// leaves open, that of an H200): lane / 4 selects a line, and lane % 4 selects neighbouring elements of that
// line. Each further register doubles the fragment, in the number of lines or along the lines.
#pragma once

#include <algorithm>
#include <utility>

#include "grader/virtual_gpu/instructions/half.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

struct Fragment {
  int lines, length;  ///< Dimensions; a line is a row, or a column if `lines_are_columns`.
  bool lines_are_columns;
  int pack;  ///< Number of neighbouring elements of a line in one lane: a pack.
  /// Effect of each bit of the pack's number: 'L' is another line, 'A' a step along the line.
  const char* steps;

  int Packs() const {
    int packs = 1;
    for (const char* step = steps; *step; ++step) packs *= 2;
    return packs;
  }
  /// Line and position of element `e` of a lane; packs after the last repeat the first ones.
  std::pair<int, int> At(int lane, int e) const {
    int line = lane >> 2, along = (lane & 3) * pack + e % pack, more_lines = 8, bit = 0;
    const int number = e / pack;
    for (const char* step = steps; *step; ++step, ++bit) {
      const bool set = (number >> bit) & 1;
      if (*step == 'A') along += set ? 4 * pack : 0;
      if (*step == 'L') line += set ? more_lines : 0, more_lines *= 2;
    }
    return {line, along};
  }
};

// A's lines are rows, B's columns: a lane's elements run along K.
inline constexpr Fragment kHalfA16{16, 16, false, 2, "LA"}, kHalfA32{32, 16, false, 2, "LAL"},
    kHalfA8{8, 16, false, 2, "A"}, kHalfA16x8{16, 8, false, 2, "L"};
inline constexpr Fragment kHalfB16{16, 16, true, 2, "AL"}, kHalfB8{8, 16, true, 2, "A"},
    kHalfB32{32, 16, true, 2, "LAL"}, kHalfB8x8{8, 8, true, 2, ""};
inline constexpr Fragment kByteA16{16, 16, false, 4, "L"}, kByteA32{32, 16, false, 4, "LL"},
    kByteA8{8, 16, false, 4, ""}, kByteA16x32{16, 32, false, 4, "LA"};
inline constexpr Fragment kByteB16{16, 16, true, 4, "L"}, kByteB8{8, 16, true, 4, ""},
    kByteB32{32, 16, true, 4, "LL"}, kByteB8x32{8, 32, true, 4, "A"};
inline constexpr Fragment kWordA16{16, 8, false, 1, "LA"}, kWordA16x4{16, 4, false, 1, "L"};
inline constexpr Fragment kWordB16{16, 8, true, 1, "AL"}, kWordB8{8, 8, true, 1, "A"},
    kWordB8x4{8, 4, true, 1, ""};
inline constexpr Fragment kDoubleA{8, 4, false, 1, ""}, kDoubleB{8, 4, true, 1, ""};
// Accumulators.
inline constexpr Fragment kSum16x16{16, 16, false, 2, "LA"}, kSum32x8{32, 8, false, 2, "LL"},
    kSum8x32{32, 8, true, 2, "LL"}, kSum16x8{16, 8, false, 2, "L"}, kSum8x8{8, 8, false, 2, ""};

/// The bytes of a fragment in each lane: its registers, concatenated.
using FragmentBytes = u8[kWarpSize][32];

inline OperandRef ListedRegister(const WarpContext& w, OperandRef list, int k) {
  return w.block->grid->program->operand_lists[list + static_cast<u32>(k)];
}
inline void ReadRegisters(const WarpContext& w, OperandRef list, int count, u32 bytes, FragmentBytes data) {
  for (int k = 0; k < count; ++k) {
    const u8* lanes = w.Lanes<const u8>(ListedRegister(w, list, k));
    for (u32 i = 0; i < kWarpSize; ++i) std::memcpy(data[i] + u32(k) * bytes, lanes + i * bytes, bytes);
  }
}
inline void WriteRegisters(const WarpContext& w, OperandRef list, int count, u32 bytes, Mask mask,
                           const FragmentBytes data) {
  for (int k = 0; k < count; ++k) {
    u8* lanes = w.Lanes<u8>(ListedRegister(w, list, k));
    ForEachLane(mask, [&](int i) { std::memcpy(lanes + u32(i) * bytes, data[i] + u32(k) * bytes, bytes); });
  }
}

/// All lanes of the warp must execute a matrix instruction together, which also synchronises them. Unlike at
/// a barrier, it is an error if threads have returned.
inline void SynchroniseForMatrix(WarpContext& w, const Inst& in, Mask mask) {
  if (mask != kAllLanes && !w.is_torn && w.block->grid->observation.checks)
    w.block->faults->PartialWarpAtCollective(w, in, mask);
  for (Observer* observer : w.block->observers) observer->OnWarpSync(w, w.live);
}

// --- Loads and stores. -----------------------------------------------------------------------------------

enum MatrixSpace : u32 { kMatrixGeneric, kMatrixGlobal, kMatrixShared };

/// Calls `f(Space, addresses, lanes)` for the state space that the opcode names.
template <class F>
inline void InNamedSpace(const Inst& in, u64* address, Mask mask, F f) {
  switch (ModeOf(in)) {
    case kMatrixGlobal: f(GlobalSpace{}, address, mask); break;
    case kMatrixShared: f(SharedSpace{}, address, mask); break;
    default: SplitGeneric(address, mask, f);
  }
}

/// Moves the fragment's elements between memory and `data`: a pack at a time if lines are contiguous in
/// memory, otherwise element by element.
inline void MoveFragment(WarpContext& w, const Inst& in, Mask mask, const Fragment& f, u32 element_bytes,
                         OperandRef stride, Access way, FragmentBytes data) {
  const bool row_major = !(in.mods & mods::kWrap);
  const bool lines_lie_whole = row_major != f.lines_are_columns;
  const u32 together = lines_lie_whole ? u32(f.pack) : 1;
  const u32 bytes = together * element_bytes;
  alignas(64) u64 base[kWarpSize], address[kWarpSize];
  ComputeAddresses(w, in, base);
  const u32* strides = stride == kNoOperand ? nullptr : w.Lanes<const u32>(stride);
  const u32 tight = u32(lines_lie_whole ? f.length : f.lines);
  for (int e = 0; e < f.Packs() * f.pack; e += int(together)) {
    for (int i = 0; i < kWarpSize; ++i) {
      const auto [line, along] = f.At(i, e);
      const u64 leading = strides ? strides[i] : tight;
      const u64 at = lines_lie_whole ? u64(line) * leading + u64(along) : u64(along) * leading + u64(line);
      address[i] = base[i] + at * element_bytes;
    }
    InNamedSpace(in, address, mask, [&](auto space, const u64* at, Mask lanes) {
      using Space = decltype(space);
      WarpAccess access{&w, &in, lanes, at, bytes, way};
      const Mask permitted = Space::CheckAccess(access);
      const u32 place = u32(e) * element_bytes;
      if (way == Access::kRead) {
        ForEachLane(lanes & ~permitted, [&](int i) { std::memset(data[i] + place, 0xff, bytes); });
        ForEachLane(permitted, [&](int i) { std::memcpy(data[i] + place, Space::Host(w, i, at[i]), bytes); });
      } else {
        ForEachLane(permitted, [&](int i) { std::memcpy(Space::Host(w, i, at[i]), data[i] + place, bytes); });
      }
    });
  }
}

/// "wmma.load": op 0 the registers, 1 the stride. kRegisters of T's fragment.
template <const Fragment& kFragment, class T, int kRegisters>
void MatrixLoad(WarpContext& w, const Inst& in, Mask mask) {
  constexpr u32 kRegisterBytes = sizeof(T) == 8 ? 8 : 4;
  FragmentBytes data;
  SynchroniseForMatrix(w, in, mask);
  MoveFragment(w, in, mask, kFragment, sizeof(T), in.op[1], Access::kRead, data);
  // f16 has more registers than its fragment needs: copies.
  const u32 held = u32(kFragment.Packs() * kFragment.pack) * sizeof(T);
  for (u32 at = held; at < kRegisters * kRegisterBytes; at += held) {
    for (auto& lane : data) std::memcpy(lane + at, lane, held);
  }
  WriteRegisters(w, in.op[0], kRegisters, kRegisterBytes, mask, data);
}
/// "wmma.store": op 1 the registers, 2 the stride.
template <const Fragment& kFragment, class T, int kRegisters>
void MatrixStore(WarpContext& w, const Inst& in, Mask mask) {
  FragmentBytes data;
  ReadRegisters(w, in.op[1], kRegisters, sizeof(T) == 8 ? 8 : 4, data);
  SynchroniseForMatrix(w, in, mask);
  MoveFragment(w, in, mask, kFragment, sizeof(T), in.op[2], Access::kWrite, data);
}

/// "ldmatrix": kCount matrices of 8 x 8 elements of 16 bits; lanes 8j to 8j + 7 say where matrix j's rows
/// are.
template <int kCount>
void LoadMatrices(WarpContext& w, const Inst& in, Mask mask) {
  const bool transposed = in.mods & mods::kWrap;
  SynchroniseForMatrix(w, in, mask);
  alignas(64) u64 address[kWarpSize];
  alignas(4) u8 rows[kWarpSize][16] = {};
  ComputeAddresses(w, in, address);
  const Mask asked = kCount == 4 ? kAllLanes : (1u << (8 * kCount)) - 1;
  InNamedSpace(in, address, mask & asked, [&](auto space, const u64* at, Mask lanes) {
    using Space = decltype(space);
    WarpAccess access{&w, &in, lanes, at, 16, Access::kRead};
    const Mask permitted = Space::CheckAccess(access);
    ForEachLane(lanes & ~permitted, [&](int i) { std::memset(rows[i], 0xff, 16); });
    ForEachLane(permitted, [&](int i) { std::memcpy(rows[i], Space::Host(w, i, at[i]), 16); });
  });
  FragmentBytes data;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int e = 0; e < 2 * kCount; ++e) {
      const int line = lane >> 2, along = (lane & 3) * 2 + e % 2, first = e / 2 * 8;
      const int row = transposed ? along : line, column = transposed ? line : along;
      std::memcpy(data[lane] + 2 * e, rows[first + row] + 2 * column, 2);
    }
  }
  WriteRegisters(w, in.op[0], kCount, 4, mask, data);
}

// --- Products. -------------------------------------------------------------------------------------------

/// The storage type of an operand's elements, and the type in which they are multiplied.
struct HalfElement {
  using Bits = u16;
  using Value = float;
  static float From(u16 bits) { return F16::Widen(bits); }
};
struct BrainElement {
  using Bits = u16;
  using Value = float;
  static float From(u16 bits) { return BF16::Widen(bits); }
};
/// The lowest 13 of the 32 bits are ignored.
struct Tf32Element {
  using Bits = u32;
  using Value = float;
  static float From(u32 bits) { return std::bit_cast<float>(bits & 0xffffe000u); }
};
struct SignedByte {
  using Bits = s8;
  using Value = s32;
  static s32 From(s8 bits) { return bits; }
};
struct UnsignedByte {
  using Bits = u8;
  using Value = s32;
  static s32 From(u8 bits) { return bits; }
};
struct DoubleElement {
  using Bits = u64;
  using Value = double;
  static double From(u64 bits) { return std::bit_cast<double>(bits); }
};

inline int ExponentOf(float x) {
  const u32 field = (std::bit_cast<u32>(x) >> 23) & 0xff;
  if (field) return int(field) - 127;
  return x == 0 ? -10'000 : std::ilogb(x);
}

/// Sum of products and an addend as computed by Hopper's tensor cores: each term is truncated 25 bits below
/// the leading bit of the largest one, and the sum is exact (measured on an H200). Infinities and NaNs behave
/// as usual.
inline double SumOfProducts(const float* a, const float* b, const int* a_exponent, const int* b_exponent,
                            int count, float addend) {
  int top = ExponentOf(addend);
  double plain = addend;
  for (int k = 0; k < count; ++k) {
    const int exponent = a_exponent[k] + b_exponent[k];
    top = exponent > top ? exponent : top;
    plain += double(a[k]) * double(b[k]);
  }
  if (!(std::abs(plain) <= std::numeric_limits<double>::max())) return plain;
  if (top < -5'000) return 0;  // of zeros alone, whatever their signs
  const double scale = std::ldexp(1.0, 25 - top);
  s64 sum = static_cast<s64>(double(addend) * scale);
  for (int k = 0; k < count; ++k) sum += static_cast<s64>(double(a[k]) * double(b[k]) * scale);
  return std::ldexp(double(sum), top - 25);
}
/// Rounds f64 to f32 towards zero.
inline float CutToFloat(double x) {
  const float nearest = static_cast<float>(x);
  if (!(std::abs(double(nearest)) > std::abs(x)) || nearest - nearest != 0) return Canonical(nearest);
  return std::bit_cast<float>(std::bit_cast<u32>(nearest) - 1);
}

struct FloatSum {
  using Bits = u32;
  static float Addend(u32 bits) { return std::bit_cast<float>(bits); }
  static u32 Result(double sum) { return std::bit_cast<u32>(CutToFloat(sum)); }
};
struct HalfSum {
  using Bits = u16;
  static float Addend(u16 bits) { return F16::Widen(bits); }
  static u16 Result(double sum) { return Narrow<F16>(CutToFloat(sum)); }
};
struct IntSum {
  using Bits = s32;
};
struct DoubleSum {
  using Bits = u64;
};

template <class E>
inline typename E::Value ElementOf(const FragmentBytes data, int lane, int e) {
  typename E::Bits bits;
  std::memcpy(&bits, data[lane] + u32(e) * sizeof bits, sizeof bits);
  return E::From(bits);
}

/// An operand as lines of values: [line][position].
template <class E, int kLines, int kLength>
struct Operand {
  /// Number of products that are summed at once: four for tf32, sixteen for halves (measured on an H200).
  static constexpr int kTogether = sizeof(typename E::Bits) == 4 ? 4 : 16;
  typename E::Value value[kLines][kLength];
  int exponent[kLines][kLength];

  void Gather(const Fragment& f, const FragmentBytes data) {
    for (int lane = 0; lane < kWarpSize; ++lane) {
      for (int e = 0; e < f.Packs() * f.pack; ++e) {
        const auto [line, along] = f.At(lane, e);
        value[line][along] = ElementOf<E>(data, lane, e);
        if constexpr (std::is_same_v<typename E::Value, float>) {
          exponent[line][along] = ExponentOf(value[line][along]);
        }
      }
    }
  }
};

/// One element of the result.
template <class C, class D, class A, class B>
inline typename D::Bits Element(const A& a, const B& b, int row, int column, int length,
                                typename C::Bits addend, [[maybe_unused]] bool saturate) {
  if constexpr (std::is_same_v<D, IntSum>) {
    s64 sum = addend;
    for (int k = 0; k < length; ++k) sum += s64(a.value[row][k]) * b.value[column][k];
    return saturate ? Saturated<s32>(sum) : static_cast<s32>(sum);
  } else if constexpr (std::is_same_v<D, DoubleSum>) {
    double sum = std::bit_cast<double>(addend);
    for (int k = 0; k < length; ++k) sum = Fma::Apply(a.value[row][k], b.value[column][k], sum);
    return std::bit_cast<u64>(sum);
  } else {
    constexpr int kTogether = A::kTogether;
    double sum = C::Addend(addend);
    for (int k = 0; k < length; k += kTogether) {
      sum = SumOfProducts(a.value[row] + k, b.value[column] + k, a.exponent[row] + k, b.exponent[column] + k,
                          std::min(kTogether, length - k), CutToFloat(sum));
    }
    return D::Result(sum);
  }
}

/// "wmma.mma", "mma": d = a * b + c; op 0 to 3 are the registers of d, a, b, c.
template <const Fragment& kA, class EA, int kCountA, const Fragment& kB, class EB, int kCountB,
          const Fragment& kC, class D, class C>
void MatrixMultiply(WarpContext& w, const Inst& in, Mask mask) {
  constexpr u32 kBytes = sizeof(typename EA::Bits) == 8 ? 8 : 4;
  FragmentBytes data_a, data_b, data_c, data_d;
  SynchroniseForMatrix(w, in, mask);
  ReadRegisters(w, in.op[1], kCountA, kBytes, data_a);
  ReadRegisters(w, in.op[2], kCountB, kBytes, data_b);
  const int elements = kC.Packs() * kC.pack;
  const auto registers = [&](u32 bytes) { return int(u32(elements) * bytes / (bytes == 8 ? 8 : 4)); };
  ReadRegisters(w, in.op[3], registers(sizeof(typename C::Bits)), kBytes, data_c);
  Operand<EA, kA.lines, kA.length> a;
  Operand<EB, kB.lines, kB.length> b;
  a.Gather(kA, data_a);
  b.Gather(kB, data_b);
  const bool saturate = in.mods & mods::kSat;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int e = 0; e < elements; ++e) {
      const auto [line, along] = kC.At(lane, e);
      const int row = kC.lines_are_columns ? along : line, column = kC.lines_are_columns ? line : along;
      typename C::Bits addend;
      std::memcpy(&addend, data_c[lane] + u32(e) * sizeof addend, sizeof addend);
      const typename D::Bits result = Element<C, D>(a, b, row, column, kA.length, addend, saturate);
      std::memcpy(data_d[lane] + u32(e) * sizeof result, &result, sizeof result);
    }
  }
  WriteRegisters(w, in.op[0], registers(sizeof(typename D::Bits)), kBytes, mask, data_d);
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
