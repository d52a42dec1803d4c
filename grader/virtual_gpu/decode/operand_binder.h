// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/virtual_gpu/decode/control_flow.h"
#include "grader/virtual_gpu/decode/function_frame.h"
#include "grader/virtual_gpu/decode/program_builder.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu {

/// Binds the operands of a function's instructions: stores in Inst where the lanes of each operand are, by
/// the operand's role in the instruction's row.
class OperandBinder {
 public:
  OperandBinder(ProgramBuilder& builder, const ptx::Function& function, const FunctionFrame& frame)
      : builder_(builder), program_(*builder.program), function_(function), frame_(frame) {}

  /// Binds all operands of an instruction. Returns what does not match the row, if anything. `inst` must
  /// already have the opcode's mods.
  MaybeRefusal Bind(const InstructionRow& row, const ptx::Instruction& source, Inst& inst);

  /// The targets of each brx.idx so far, as positions in the function; Inst::imm selects the table.
  BranchTables& branch_tables() { return tables_; }

 private:
  /// An instruction whose operands are being bound.
  struct Binding {
    const InstructionRow& row;
    Inst& inst;
    int next = 0;  ///< The next free index in Inst::op.

    OperandRef& NextDestination() { return inst.op[next++]; }
    /// Sources begin at 1, even if there is no destination.
    OperandRef& NextSource() {
      if (next == 0) next = 1;
      return inst.op[next++];
    }
  };

  using Binder = MaybeRefusal (OperandBinder::*)(const OperandRole& role, const ptx::Operand& operand,
                                                 Binding& to);
  static const Binder kBinders[];  ///< In the order of enum class Role.

  // One for each role: operand_binder.cc.
  MaybeRefusal BindPlainDestination(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindDestinationAndPredicate(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindWideDestination(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindDestinationParts(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindDestinationList(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindDestinationPredicate(const OperandRole&, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindDestinationPredicates(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindPlainSource(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindWideSource(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindWholeSource(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindSourceParts(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindSourceList(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindSourcePredicate(const OperandRole&, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindMembers(const OperandRole&, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindVote(const OperandRole&, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindConstant(const OperandRole&, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindElements(const ptx::Operand& operand, const OperandRole& role, OperandRef* refs,
                            bool destination);
  MaybeRefusal BindList(const ptx::Operand& operand, const OperandRole& role, bool destination,
                        OperandRef& list);

  // Registers, predicates, constants: register_operands.cc.
  ptx::Type RegisterType(const ptx::Operand& operand) const;
  std::uint8_t WidthOf(const ptx::Operand& operand, ptx::Type type) const;
  MaybeRefusal BindRegister(const ptx::Operand& operand, std::uint32_t bytes, bool any_width,
                            OperandRef& ref) const;
  MaybeRefusal BindDestination(const ptx::Operand& operand, ptx::Type type, OperandRef& ref) const;
  MaybeRefusal BindAnyWidth(const ptx::Operand& operand, ptx::Type type, OperandRef& ref);
  MaybeRefusal BindPredicate(const ptx::Operand& operand, OperandRef& ref, bool is_destination);
  MaybeRefusal BindSource(const ptx::Operand& operand, ptx::Type type, OperandRef& ref);
  MaybeRefusal BindSpecial(const ptx::Operand& operand, ptx::Type type, OperandRef& ref);
  /// Sets imm to the shift that selects the half of the 64-bit time.
  MaybeRefusal BindClock(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  std::optional<std::uint64_t> SymbolValue(const std::string& name) const;

  // Memory: memory_operands.cc.
  MaybeRefusal BindAddress(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  /// Records the access sizes in the instruction: the race check works in whole words unless a kernel
  /// accesses less than a word of shared memory or stores less than a word of global memory.
  static void NoteAccess(const OperandRole& role, Binding& to);
  /// The source of a copy. Its offset is stored in the upper half of imm; the lower half is the target's
  /// offset.
  MaybeRefusal BindSourceAddress(const OperandRole&, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindSlot(const FrameSlot& slot, ptx::Type type, Inst& inst);
  /// Values of ld and st: one register, or as many as the opcode's .v2 or .v4 says.
  MaybeRefusal BindVector(const ptx::Operand& operand, ptx::Type type, bool is_load, Inst& inst);
  MaybeRefusal BindDestinationVector(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindSourceVector(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindTexture(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindIgnored(const OperandRole& role, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindCopySize(const OperandRole&, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindCachePolicy(const OperandRole& role, const ptx::Operand& operand, Binding& to);

  // Branches and calls: control_operands.cc.
  MaybeRefusal BindLabel(const OperandRole&, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindLabels(const OperandRole&, const ptx::Operand& operand, Binding& to);
  MaybeRefusal BindSlots(const ptx::Operand& list, std::vector<FrameSlot>& slots) const;
  MaybeRefusal BindCall(const ptx::Instruction& source, Inst& inst);

  ProgramBuilder& builder_;
  Program& program_;
  const ptx::Function& function_;
  const FunctionFrame& frame_;
  BranchTables tables_;
};

}  // namespace warplings::vgpu
