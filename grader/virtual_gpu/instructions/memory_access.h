// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: loads, stores and atomics. Each has three steps: compute the lanes' addresses;
// check the access (access_check.h), which takes out lanes with errors; move the data.
#pragma once

#include <cstring>

#include "grader/virtual_gpu/instructions/access_check.h"
#include "grader/virtual_gpu/instructions/semantics.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// The part that does not depend on the data type: one function per state space, with everything inlined,
/// because every access goes through it.
template <class Space>
[[gnu::noinline, gnu::flatten]] Mask CheckAccess(WarpAccess& at) {
  at.pattern = RecognisePattern(at);
  return Space::CheckAccess(at);
}

// --- Moving the data. ---------------------------------------------------------------------------------

template <class R, class T>
inline void StoreLanes(const WarpContext& w, OperandRef operand, const T* value, Mask mask) {
  R* d = w.Lanes<R>(operand);
  if (mask == kAllLanes) {
    for (int i = 0; i < kWarpSize; ++i) d[i] = static_cast<R>(value[i]);
    return;
  }
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) d[i] = (mask >> i) & 1 ? static_cast<R>(value[i]) : d[i];
}

/// Writes values to a register that may be wider than T; they are sign- or zero-extended, depending on T.
template <class T>
inline void WriteLanes(const WarpContext& w, OperandRef operand, u32 register_bytes, const T* value,
                       Mask mask) {
  using Wide64 = std::conditional_t<std::is_signed_v<T>, s64, u64>;
  switch (register_bytes) {
    case 2: StoreLanes<u16>(w, operand, value, mask); break;
    case 4: StoreLanes<u32>(w, operand, value, mask); break;
    default: StoreLanes<Wide64>(w, operand, value, mask); break;
  }
}

/// Reads the low bits of a register that may be wider than T.
template <class T>
inline void ReadLanes(const WarpContext& w, OperandRef operand, u32 register_bytes, T* value) {
  auto read = [&](const auto* a) {
    for (int i = 0; i < kWarpSize; ++i) value[i] = static_cast<T>(a[i]);
  };
  switch (register_bytes) {
    case 2: read(w.Lanes<const u16>(operand)); break;
    case 4: read(w.Lanes<const u32>(operand)); break;
    default: read(w.Lanes<const u64>(operand)); break;
  }
}

template <class T>
inline T ReadLane(const WarpContext& w, OperandRef operand, u32 register_bytes, int lane) {
  switch (register_bytes) {
    case 2: return static_cast<T>(w.Lanes<const u16>(operand)[lane]);
    case 4: return static_cast<T>(w.Lanes<const u32>(operand)[lane]);
    default: return static_cast<T>(w.Lanes<const u64>(operand)[lane]);
  }
}

/// The value for lanes whose read was suppressed: all ones, which is a NaN in every floating-point format.
template <class T>
constexpr T kPoison = static_cast<T>(~T(0));

/// Loads lane by lane. Lanes in `mask` get a value.
template <class T, class Space>
[[gnu::noinline]] void LoadEach(const WarpAccess& at, Mask mask, Mask permitted) {
  const WarpContext& w = *at.warp;
  const Inst& in = *at.inst;
  for (u32 e = 0; e < ElementCount(in); ++e) {
    if (in.op[e] == kNoOperand) continue;  // a sink
    alignas(64) T value[kWarpSize];
    for (int i = 0; i < kWarpSize; ++i) value[i] = kPoison<T>;
    ForEachLane(permitted, [&](int i) {
      std::memcpy(&value[i], Space::Host(w, i, at.address[i]) + e * sizeof(T), sizeof(T));
    });
    WriteLanes<T>(w, in.op[e], in.register_bytes, value, mask);
  }
}

template <class T, class Space>
inline void LoadFrom(WarpContext& w, const Inst& in, Mask mask, const u64* address, Space) {
  const u32 count = ElementCount(in);
  WarpAccess at{&w, &in, mask, address, u32(sizeof(T)) * count, Access::kRead};
  const Mask permitted = CheckAccess<Space>(at);
  if constexpr (Space::kIsFlat) {
    if (CanMoveIn(at.pattern, count) && in.register_bytes == sizeof(T) && permitted == kAllLanes) {
      const std::byte* memory = Space::Host(w, 0, address[0]);
      for (u32 e = 0; e < count; ++e) {
        if (in.op[e] == kNoOperand) continue;  // a sink
        MoveIn<T>(*at.pattern, memory + e * sizeof(T), w.Lanes<T>(in.op[e]));
      }
      return;
    }
  }
  LoadEach<T, Space>(at, mask, permitted);
}

/// True if a lane's store would not change memory.
template <class T, class Space>
bool StoresWhatIsThere(const WarpAccess& access, int lane) {
  const Inst& in = *access.inst;
  for (u32 e = 0; e < ElementCount(in); ++e) {
    const T value = ReadLane<T>(*access.warp, in.op[e], in.register_bytes, lane);
    const std::byte* there = Space::Host(*access.warp, lane, access.address[lane]) + e * sizeof(T);
    if (std::memcmp(there, &value, sizeof(T)) != 0) return false;
  }
  return true;
}
/// True if two lanes store the same value.
template <class T>
bool StoreTheSame(const WarpAccess& access, int lane, int other) {
  const Inst& in = *access.inst;
  for (u32 e = 0; e < ElementCount(in); ++e) {
    const T value = ReadLane<T>(*access.warp, in.op[e], in.register_bytes, lane);
    const T others = ReadLane<T>(*access.warp, in.op[e], in.register_bytes, other);
    if (std::memcmp(&others, &value, sizeof(T)) != 0) return false;
  }
  return true;
}
template <class T, class Space>
constexpr StoredValues kStoredValues = {StoresWhatIsThere<T, Space>, StoreTheSame<T>};

template <class T, class Space>
[[gnu::noinline]] void StoreEach(const WarpAccess& at, Mask permitted) {
  const Inst& in = *at.inst;
  for (u32 e = 0; e < ElementCount(in); ++e) {
    alignas(64) T value[kWarpSize];
    ReadLanes<T>(*at.warp, in.op[e], in.register_bytes, value);
    ForEachLane(permitted, [&](int i) {
      std::memcpy(Space::Host(*at.warp, i, at.address[i]) + e * sizeof(T), &value[i], sizeof(T));
    });
  }
}

template <class T, class Space>
inline void StoreTo(WarpContext& w, const Inst& in, Mask mask, const u64* address, Space) {
  const u32 count = ElementCount(in);
  WarpAccess at{&w, &in, mask, address, u32(sizeof(T)) * count, Access::kWrite, &kStoredValues<T, Space>};
  const Mask permitted = CheckAccess<Space>(at);
  if constexpr (Space::kIsFlat) {
    if (CanMoveOut(at.pattern, count) && in.register_bytes == sizeof(T) && permitted == kAllLanes) {
      MoveOut<T>(*at.pattern, w.Lanes<const T>(in.op[0]), Space::Host(w, 0, address[0]));
      return;
    }
  }
  StoreEach<T, Space>(at, permitted);
}

template <class T, class Space>
void Load(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) u64 address[kWarpSize];
  ComputeAddresses(w, in, address);
  LoadFrom<T>(w, in, mask, address, Space{});
}
template <class T>
void LoadParam(WarpContext& w, const Inst& in, Mask mask) {
  if (in.mods & mods::kFrame) {
    Load<T, FrameSpace>(w, in, mask);
  } else {
    Load<T, ParamSpace>(w, in, mask);
  }
}
template <class T>
void LoadGeneric(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) u64 address[kWarpSize];
  ComputeAddresses(w, in, address);
  SplitGeneric(address, mask,
               [&](auto space, const u64* at, Mask lanes) { LoadFrom<T>(w, in, lanes, at, space); });
}
template <class T, class Space>
void Store(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) u64 address[kWarpSize];
  ComputeAddresses(w, in, address);
  StoreTo<T>(w, in, mask, address, Space{});
}
template <class T>
void StoreGeneric(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) u64 address[kWarpSize];
  ComputeAddresses(w, in, address);
  SplitGeneric(address, mask,
               [&](auto space, const u64* at, Mask lanes) { StoreTo<T>(w, in, lanes, at, space); });
}

// --- Atomics ("atom", "red"): one lane after the other. -------------------------------------------------

enum AtomicMode : u32 {
  kAtomAdd,
  kAtomMin,
  kAtomMax,
  kAtomAnd,
  kAtomOr,
  kAtomXor,
  kAtomExch,
  kAtomCas,
  kAtomInc,
  kAtomDec
};

/// `flush`: f32 additions in global memory flush subnormal inputs and results to zero; those in shared memory
/// do not ("atom").
template <class T>
inline T AtomicResult(u32 mode, T old, T b, T c, bool flush) {
  if constexpr (std::is_floating_point_v<T>) {
    if (mode != kAtomAdd) return b;
    return flush ? Flush(Canonical(Flush(old) + Flush(b))) : Canonical(old + b);
  } else {
    switch (mode) {
      case kAtomAdd: return IntAdd::Apply(old, b);
      case kAtomMin: return IntMin::Apply(old, b);
      case kAtomMax: return IntMax::Apply(old, b);
      case kAtomAnd: return And::Apply(old, b);
      case kAtomOr: return Or::Apply(old, b);
      case kAtomXor: return Xor::Apply(old, b);
      case kAtomCas: return old == b ? c : old;
      case kAtomInc: return old >= b ? T(0) : static_cast<T>(old + 1);
      case kAtomDec: return old == 0 || old > b ? b : static_cast<T>(old - 1);
      default: return b;
    }
  }
}

/// op: 0 destination (absent for red), 1 b, 2 c (cas only).
template <class T, class Space>
inline void AtomicIn(WarpContext& w, const Inst& in, Mask mask, const u64* address, Space) {
  WarpAccess at{&w, &in, mask, address, u32(sizeof(T)), Access::kAtomic};
  const Mask permitted = CheckAccess<Space>(at);
  const u32 mode = (in.mods & mods::kModeMask) >> mods::kModeShift;
  const T* b = w.Lanes<const T>(in.op[1]);
  const T* c = mode == kAtomCas ? w.Lanes<const T>(in.op[2]) : b;
  alignas(64) T before[kWarpSize] = {};
  ForEachLane(permitted, [&](int i) {
    std::byte* target = Space::Host(w, i, address[i]);
    std::memcpy(&before[i], target, sizeof(T));
    const T after = AtomicResult<T>(mode, before[i], b[i], c[i], std::is_same_v<Space, GlobalSpace>);
    std::memcpy(target, &after, sizeof(T));
  });
  if (in.op[0] != kNoOperand) Merge(w.Lanes<T>(in.op[0]), before, mask);
}
template <class T, class Space>
void Atomic(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) u64 address[kWarpSize];
  ComputeAddresses(w, in, address);
  AtomicIn<T>(w, in, mask, address, Space{});
}
template <class T>
void AtomicGeneric(WarpContext& w, const Inst& in, Mask mask) {
  alignas(64) u64 address[kWarpSize];
  ComputeAddresses(w, in, address);
  SplitGeneric(address, mask,
               [&](auto space, const u64* at, Mask lanes) { AtomicIn<T>(w, in, lanes, at, space); });
}

// --- Addresses of spaces as generic addresses ("cvta", "isspacep"). --------------------------------------

template <std::uint64_t kWindow>
void ConvertAddress(WarpContext& w, const Inst& in, Mask mask) {
  if (in.mods & mods::kToSpace) {
    Map1<u64, u64>(w, in, mask, [](u64 a) { return a - kWindow; });
  } else {
    Map1<u64, u64>(w, in, mask, [](u64 a) { return a + kWindow; });
  }
}
template <std::uint64_t kWindow>
void IsInWindow(WarpContext& w, const Inst& in, Mask mask) {
  const u64* a = w.Lanes<const u64>(in.op[1]);
  SetPredicate(w, in.op[0], BitOfEach([&](int i) { return a[i] - kWindow < kWindowBytes; }), mask);
}
/// An address outside all windows is global, except for constant memory.
template <bool kWantsConstant>
void IsInGlobal(WarpContext& w, const Inst& in, Mask mask) {
  const u64* a = w.Lanes<const u64>(in.op[1]);
  const Mask result = BitOfEach([&](int i) {
    if (a[i] - kSharedWindow < kWindowBytes || a[i] - kLocalWindow < kWindowBytes) return false;
    const Region* region = w.block->grid->memory->Find(a[i]);
    return (region && region->is_constant) == kWantsConstant;
  });
  SetPredicate(w, in.op[0], result, mask);
}
/// createpolicy: the value of a policy is never used.
inline void MakePolicy(WarpContext& w, const Inst& in, Mask mask) {
  ForEachLane(mask, [&](int i) { w.Lanes<u64>(in.op[0])[i] = 0; });
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
