// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/core/finding.h"
#include "grader/virtual_gpu/isa/operand_role.h"
#include "grader/virtual_gpu/machine/program.h"

/// A row of the instruction table. The decoder uses these columns, never the opcode's text.
namespace warplings::vgpu {

/// The state space of an instruction's address (PTX ISA manual, "State Spaces").
enum class StateSpace : std::uint8_t {
  kGeneric,  ///< Each lane's address determines it.
  kGlobal,
  kShared,
  kLocal,
  kConst,
  kParam,
  kByWord,  ///< A modifier of the opcode selects one of the first three (mods::kModeShift).
};

/// Column: how an instruction accesses the memory at its address.
struct MemoryUse {
  Access access = Access::kNone;  ///< kNone: hints, which access nothing.
  StateSpace space = StateSpace::kGeneric;
};
constexpr MemoryUse Reads(StateSpace space) {
  return {Access::kRead, space};
}
constexpr MemoryUse Writes(StateSpace space) {
  return {Access::kWrite, space};
}
/// Atomic read-modify-write.
constexpr MemoryUse Updates(StateSpace space) {
  return {Access::kAtomic, space};
}

/// Column: which memory accesses of its thread an instruction orders. Accesses with .acquire, .release or
/// .acq_rel also order others, by that modifier (mods::kOrders).
enum class Ordering : std::uint8_t {
  kNone,
  kFence,       ///< All accesses; also towards other blocks if its scope is wider than a block
                ///< (mods::kBeyondBlock).
  kProxyFence,  ///< Accesses through different proxies; also towards other blocks.
};

/// Column: other properties that the decoder needs.
enum class Effect : std::uint8_t {
  kNone,
  kCompareAndSwap,  ///< Stores only if memory holds the expected value.
  kAsyncCopy,  ///< Also reads global memory; its write is complete only when the thread has waited for it.
  kLanesArriveApart,  ///< A barrier at which the lanes of a warp may arrive separately, unless it has the
                      ///< modifier .aligned.
};

/// Column: floating-point operations per lane.
struct Flops {
  constexpr explicit Flops(int count) : value(static_cast<std::uint16_t>(count)) {}
  std::uint16_t value = 0;
};

/// One form of an instruction. `form` is the opcode in the notation of the PTX manual: modifiers in [] are
/// optional, and one of those in {} must be chosen. form.cc defines what each modifier means. The columns
/// after the handler may be given in any order; missing ones have the defaults below.
struct InstructionRow {
  const char* form = "";
  Operands operands;
  Handler handler = nullptr;
  Control control = Control::kNone;
  MemoryUse memory;
  Ordering ordering = Ordering::kNone;
  Effect effect = Effect::kNone;
  Flops flops{0};

  constexpr InstructionRow() = default;
  template <class... Columns>
  constexpr InstructionRow(const char* the_form, Operands the_operands, Handler the_handler,
                           Columns... columns)
      : form(the_form), operands(the_operands), handler(the_handler) {
    (Set(columns), ...);
  }

  /// The state space of an opcode with these modifiers.
  constexpr StateSpace SpaceWith(std::uint32_t mods) const {
    if (memory.space != StateSpace::kByWord) return memory.space;
    return static_cast<StateSpace>((mods & mods::kModeMask) >> mods::kModeShift);
  }

 private:
  constexpr void Set(Control column) { control = column; }
  constexpr void Set(MemoryUse column) { memory = column; }
  constexpr void Set(Ordering column) { ordering = column; }
  constexpr void Set(Effect column) { effect = column; }
  constexpr void Set(Flops column) { flops = column; }
};

}  // namespace warplings::vgpu
