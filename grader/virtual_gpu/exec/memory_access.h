// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: loads, stores and atomics. Each runs in three steps: addresses of the lanes;
// admission (bounds, alignment, observers), which holds lanes back; moving the data.
#pragma once

#include <cstring>

#include "grader/virtual_gpu/checks/fault_reporter.h"
#include "grader/virtual_gpu/exec/semantics.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

inline void ComputeAddresses(WarpContext& w, const Inst& in, u64* address) {
  const u64 offset = static_cast<u64>(in.imm);
  if (in.address_bytes == 8) {
    const u64* base = w.Lanes<const u64>(in.op[4]);
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i) address[i] = base[i] + offset;
  } else {
    const u32* base = w.Lanes<const u32>(in.op[4]);
#pragma GCC ivdep
    for (int i = 0; i < kWarpSize; ++i) address[i] = u32(base[i] + u32(offset));
  }
}

inline u32 ElementCount(const Inst& in) {
  return 1u << ((in.mods & mods::kVectorMask) >> mods::kVectorShift);
}

// --- Admission. ---------------------------------------------------------------------------------------

struct Lookup {
  WarpContext& w;
  const Inst& in;
  const u64* address;
  u32 bytes;
  Access access;
  const StoredValues* values = nullptr;
  bool is_copy = false;

  WarpAccess For(Mask mask) const { return {&w, &in, mask, address, bytes, access, values, is_copy}; }
};

/// Lanes of `mask` whose access lies within a region and is aligned; reports the others.
inline Mask CheckGlobalBounds(const Lookup& at, Mask mask) {
  auto& cached = (*at.w.block->cached_regions)[at.in.index];
  const u64 start = cached.start;
  const u64 last = cached.bytes >= at.bytes ? cached.bytes - at.bytes : 0;
  const u64 low_bits = at.bytes - 1;
  const bool usable = cached.bytes >= at.bytes;
  const Mask outside =
      BitOfEach([&](int i) { return (at.address[i] - start > last) | ((at.address[i] & low_bits) != 0); });
  if (usable && !(outside & mask)) return mask;

  Mask admitted = 0;
  ForEachLane(mask, [&](int lane) {
    const u64 address = at.address[lane];
    const Region* region = at.w.block->grid->memory->Find(address);
    const bool inside = region && at.bytes <= region->bytes - (address - region->start);
    const bool read_only = region && region->is_constant && at.access != Access::kRead;
    if (!inside || read_only) {
      at.w.block->faults->OutOfBoundsGlobal(at.w, at.in, lane, address, at.bytes, at.access);
    } else if (address & low_bits) {
      at.w.block->faults->Misaligned(at.w, at.in, lane, MemorySpace::kGlobal, address, at.bytes, at.access);
    } else {
      cached = {region->start, region->bytes};
      admitted |= 1u << lane;
    }
  });
  return admitted;
}

inline Mask AdmitGlobal(const Lookup& at, Mask mask) {
  mask = CheckGlobalBounds(at, mask);
  const WarpAccess access = at.For(mask);
  for (Observer* observer : at.w.block->observers) {
    if (mask) mask &= observer->OnGlobal(access);
  }
  return mask;
}

inline Mask CheckWindowBounds(const Lookup& at, Mask mask, MemorySpace space, u64 size) {
  const u64 low_bits = at.bytes - 1;
  const u64 last = size >= at.bytes ? size - at.bytes : 0;
  const Mask outside =
      BitOfEach([&](int i) { return (at.address[i] > last) | ((at.address[i] & low_bits) != 0); });
  if (size >= at.bytes && !(outside & mask)) return mask;
  Mask admitted = 0;
  ForEachLane(mask, [&](int lane) {
    const u64 offset = at.address[lane];
    if (size < at.bytes || offset > last) {
      at.w.block->faults->OutOfBoundsWindow(at.w, at.in, lane, space, offset, at.bytes, at.access);
    } else if (offset & low_bits) {
      at.w.block->faults->Misaligned(at.w, at.in, lane, space, offset, at.bytes, at.access);
    } else {
      admitted |= 1u << lane;
    }
  });
  return admitted;
}

inline Mask AdmitShared(const Lookup& at, Mask mask) {
  mask = CheckWindowBounds(at, mask, MemorySpace::kShared, at.w.block->shared_bytes);
  const WarpAccess access = at.For(mask);
  for (Observer* observer : at.w.block->observers) {
    if (mask) mask &= observer->OnShared(access);
  }
  return mask;
}

inline Mask AdmitLocal(const Lookup& at, Mask mask) {
  mask = CheckWindowBounds(at, mask, MemorySpace::kLocal, at.w.block->grid->program->local_bytes);
  const WarpAccess access = at.For(mask);
  for (Observer* observer : at.w.block->observers) {
    if (mask) mask &= observer->OnLocal(access);
  }
  return mask;
}

// --- State spaces: where a lane's address leads once admitted. -----------------------------------------

struct GlobalSpace {
  static Mask Admit(const Lookup& at, Mask mask) { return AdmitGlobal(at, mask); }
  static std::byte* Host(const WarpContext&, int, u64 address) {
    return reinterpret_cast<std::byte*>(address);
  }
};
/// Constant memory lies in global memory, and is not counted as global traffic.
struct ConstSpace {
  static Mask Admit(const Lookup& at, Mask mask) { return CheckGlobalBounds(at, mask); }
  static std::byte* Host(const WarpContext&, int, u64 address) {
    return reinterpret_cast<std::byte*>(address);
  }
};
struct SharedSpace {
  static Mask Admit(const Lookup& at, Mask mask) { return AdmitShared(at, mask); }
  static std::byte* Host(const WarpContext& w, int, u64 address) { return w.block->shared + address; }
};
struct LocalSpace {
  static Mask Admit(const Lookup& at, Mask mask) { return AdmitLocal(at, mask); }
  static std::byte* Host(const WarpContext& w, int lane, u64 address) {
    return w.local + static_cast<u64>(lane) * w.block->grid->program->local_bytes + address;
  }
};
/// The kernel's arguments: read-only, the same for all lanes.
struct ParamSpace {
  static Mask Admit(const Lookup& at, Mask mask) {
    return CheckWindowBounds(at, mask, MemorySpace::kParameter, at.w.block->grid->arguments.size());
  }
  static std::byte* Host(const WarpContext& w, int, u64 address) {
    return const_cast<std::byte*>(w.block->grid->arguments.data()) + address;
  }
};

/// A parameter or result of a call, in the frame of the activation; checked when it was decoded.
struct FrameSpace {
  static Mask Admit(const Lookup&, Mask mask) { return mask; }
  static std::byte* Host(const WarpContext& w, int, u64 address) { return w.base[0] + address; }
};

/// Runs `f(Space, addresses, lanes)` for the lanes of each space that generic addresses lead to.
template <class F>
inline void SplitGeneric(u64* address, Mask mask, F f) {
  const Mask shared = mask & BitOfEach([&](int i) { return address[i] - kSharedWindow < kWindowBytes; });
  const Mask local = mask & BitOfEach([&](int i) { return address[i] - kLocalWindow < kWindowBytes; });
  const Mask global = mask & ~shared & ~local;
  if (global) f(GlobalSpace{}, address, global);
  alignas(64) u64 offset[kWarpSize];
  if (shared) {
    for (int i = 0; i < kWarpSize; ++i) offset[i] = address[i] - kSharedWindow;
    f(SharedSpace{}, offset, shared);
  }
  if (local) {
    for (int i = 0; i < kWarpSize; ++i) offset[i] = address[i] - kLocalWindow;
    f(LocalSpace{}, offset, local);
  }
}

// --- Moving the data. ---------------------------------------------------------------------------------

template <class R, class T>
inline void StoreLanes(WarpContext& w, OperandRef operand, const T* value, Mask mask) {
  R* d = w.Lanes<R>(operand);
#pragma GCC ivdep
  for (int i = 0; i < kWarpSize; ++i) d[i] = (mask >> i) & 1 ? static_cast<R>(value[i]) : d[i];
}

/// Writes values into a register that may be wider than T: sign- or zero-extended by T.
template <class T>
inline void WriteLanes(WarpContext& w, OperandRef operand, u32 register_bytes, const T* value, Mask mask) {
  using Wide64 = std::conditional_t<std::is_signed_v<T>, s64, u64>;
  switch (register_bytes) {
    case 2: StoreLanes<u16>(w, operand, value, mask); break;
    case 4: StoreLanes<u32>(w, operand, value, mask); break;
    default: StoreLanes<Wide64>(w, operand, value, mask); break;
  }
}

/// Reads values out of a register that may be wider than T: its low bits.
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

/// What lanes get whose read was not admitted: all ones, which is a NaN in every float format.
template <class T>
constexpr T kPoison = static_cast<T>(~T(0));

template <class T, class Space>
inline void LoadFrom(WarpContext& w, const Inst& in, Mask mask, const u64* address, Space) {
  const u32 count = ElementCount(in);
  const Mask admitted = Space::Admit({w, in, address, u32(sizeof(T)) * count, Access::kRead}, mask);
  for (u32 e = 0; e < count; ++e) {
    if (in.op[e] == kNoOperand) continue;  // a sink
    alignas(64) T value[kWarpSize];
    for (int i = 0; i < kWarpSize; ++i) value[i] = kPoison<T>;
    if (admitted == kAllLanes) {
      for (int i = 0; i < kWarpSize; ++i) {
        std::memcpy(&value[i], Space::Host(w, i, address[i]) + e * sizeof(T), sizeof(T));
      }
    } else {
      ForEachLane(admitted, [&](int i) {
        std::memcpy(&value[i], Space::Host(w, i, address[i]) + e * sizeof(T), sizeof(T));
      });
    }
    WriteLanes<T>(w, in.op[e], in.register_bytes, value, mask);
  }
}

/// Whether a lane's store would leave memory as it is.
template <class T, class Space>
bool StoresWhatIsThere(const WarpAccess& access, int lane) {
  const Inst& in = *access.inst;
  for (u32 e = 0; e < ElementCount(in); ++e) {
    alignas(64) T value[kWarpSize];
    ReadLanes<T>(*access.warp, in.op[e], in.register_bytes, value);
    const std::byte* there = Space::Host(*access.warp, lane, access.address[lane]) + e * sizeof(T);
    if (std::memcmp(there, &value[lane], sizeof(T)) != 0) return false;
  }
  return true;
}
/// Whether two lanes store the same.
template <class T>
bool StoreTheSame(const WarpAccess& access, int lane, int other) {
  const Inst& in = *access.inst;
  for (u32 e = 0; e < ElementCount(in); ++e) {
    alignas(64) T value[kWarpSize];
    ReadLanes<T>(*access.warp, in.op[e], in.register_bytes, value);
    if (std::memcmp(&value[other], &value[lane], sizeof(T)) != 0) return false;
  }
  return true;
}
template <class T, class Space>
constexpr StoredValues kStoredValues = {StoresWhatIsThere<T, Space>, StoreTheSame<T>};

template <class T, class Space>
inline void StoreTo(WarpContext& w, const Inst& in, Mask mask, const u64* address, Space) {
  const u32 count = ElementCount(in);
  const Mask admitted =
      Space::Admit({w, in, address, u32(sizeof(T)) * count, Access::kWrite, &kStoredValues<T, Space>}, mask);
  for (u32 e = 0; e < count; ++e) {
    alignas(64) T value[kWarpSize];
    ReadLanes<T>(w, in.op[e], in.register_bytes, value);
    ForEachLane(admitted, [&](int i) {
      std::memcpy(Space::Host(w, i, address[i]) + e * sizeof(T), &value[i], sizeof(T));
    });
  }
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

/// `flush`: f32 sums in global memory take and give subnormals as zeros; in shared memory they do not
/// ("atom").
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
  const Mask admitted = Space::Admit({w, in, address, u32(sizeof(T)), Access::kAtomic}, mask);
  const u32 mode = (in.mods & mods::kModeMask) >> mods::kModeShift;
  const T* b = w.Lanes<const T>(in.op[1]);
  const T* c = mode == kAtomCas ? w.Lanes<const T>(in.op[2]) : b;
  alignas(64) T before[kWarpSize] = {};
  ForEachLane(admitted, [&](int i) {
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
/// What lies in no window is global, but for the constants among it.
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
/// createpolicy: nothing reads what a policy holds.
inline void MakePolicy(WarpContext& w, const Inst& in, Mask mask) {
  ForEachLane(mask, [&](int i) { w.Lanes<u64>(in.op[0])[i] = 0; });
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
