// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/function_decoder.h"

#include <algorithm>
#include <iterator>

#include "grader/fatbin/device_names.h"
#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/decode/address_bases.h"
#include "grader/virtual_gpu/decode/control_flow.h"
#include "grader/virtual_gpu/decode/function_frame.h"
#include "grader/virtual_gpu/decode/load_uses.h"
#include "grader/virtual_gpu/decode/operand_binder.h"
#include "grader/virtual_gpu/decode/unsupported_family.h"
#include "grader/virtual_gpu/isa/form.h"
#include "grader/virtual_gpu/machine/local_layout.h"

namespace warplings::vgpu {
namespace {

/// Decodes the instructions of a function whose frame has been laid out.
class FunctionDecoder {
 public:
  FunctionDecoder(ProgramBuilder& builder, const ptx::Function& function, const FunctionFrame& frame,
                  FunctionCode& code)
      : builder_(builder),
        program_(*builder.program),
        function_(function),
        frame_(frame),
        function_code_(code),
        binder_(builder, function, frame) {}

  Status Run() {
    first_location_ = static_cast<std::int32_t>(program_.locations.size());
    for (const ptx::Location& location : function_.locations) {
      program_.locations.push_back(builder_.module.Where(location));
      program_.caller_lines.push_back(location.caller_line);
    }
    if (!function_.unsupported.empty() && !function_.instructions.empty()) {
      return Unsupported(FirstWithLine(), function_.unsupported);
    }
    for (std::size_t i = 0; i < function_.instructions.size(); ++i) {
      const ptx::Instruction& instruction = function_.instructions[i];
      const auto moved = frame_.moved.find(i);
      const MaybeRefusal refusal = moved == frame_.moved.end()
                                       ? DecodeInstruction(instruction)
                                       : DecodeInstruction(WithOffset(instruction, moved->second));
      if (refusal) return Unsupported(instruction, refusal->message);
      const std::size_t bytes = program_.constants.size();
      if (auto fits = CheckSize(function_.name, say::of_constants, bytes, kMaxConstantBytes); !fits)
        return fits;
    }
    AppendExit();
    Append();
    function_code_.is_decoded = true;
    return Unit{};
  }

 private:
  Error Unsupported(const ptx::Instruction& instruction, const Message& why) {
    const std::string name = fatbin::DemangledName(function_.name);
    Message message = say::cannot_run_at_ptx_line(name, why, instruction.ptx_line);
    if (instruction.location >= 0) {
      const SourceLine where =
          builder_.module.Where(function_.locations[static_cast<std::size_t>(instruction.location)]);
      if (where.line)
        message = say::cannot_run_from_line(name, why, instruction.ptx_line, where.file, where.line);
      builder_.refused_at = where;
    }
    return SubmissionError(std::move(message), say::what_it_runs());
  }

  const ptx::Instruction& FirstWithLine() const {
    for (const ptx::Instruction& instruction : function_.instructions) {
      if (instruction.location >= 0) return instruction;
    }
    return function_.instructions.front();
  }

  MaybeRefusal DecodeInstruction(const ptx::Instruction& source) {
    bool known = false;
    MaybeRefusal misfit;
    for (std::size_t row = 0; row < builder_.engine.rows.size(); ++row) {
      const auto bits = MatchForm(builder_.engine.rows[row].form, source.opcode);
      if (!bits) continue;
      known = true;
      Inst inst;
      inst.mods = *bits;
      inst.row = static_cast<std::uint16_t>(row);
      if (auto refusal = binder_.Bind(builder_.engine.rows[row], source, inst)) {
        if (!misfit) misfit = std::move(refusal);
        continue;  // another row may have this form with other operands
      }
      Finish(builder_.engine.rows[row], source, inst);
      return std::nullopt;
    }
    if (known && misfit->is_of_program) return misfit;
    if (known) return Refusal{say::operands_do_not_fit(source.opcode, misfit->message)};
    const Message family = UnsupportedFamily(source.opcode);
    return Refusal{family.empty() ? say::instruction_not_supported(source.opcode)
                                  : say::instruction_of_family_not_supported(source.opcode, family)};
  }

  void Finish(const InstructionRow& row, const ptx::Instruction& source, Inst& inst) {
    inst.handler = row.handler;
    inst.control = row.control;
    // What returns from a kernel ends its threads.
    if (row.control == Control::kReturn && function_.is_entry) inst.control = Control::kExit;
    inst.flops = row.flops.value;
    inst.location = source.location < 0 ? -1 : first_location_ + source.location;
    if (source.guard >= 0) {
      inst.guard = frame_.registers[static_cast<std::size_t>(source.guard)];
      inst.guard_negated = source.guard_negated;
    }
    inst.is_aligned = row.effect != Effect::kLanesArriveApart || (inst.mods & mods::kAligned) != 0;
    inst.communicates = inst.access == Access::kAtomic || (inst.mods & mods::kStrong) != 0;
    inst.is_volatile = (inst.mods & mods::kVolatile) != 0;
    inst.is_compare_and_swap = row.effect == Effect::kCompareAndSwap;
    inst.is_async_copy = row.effect == Effect::kAsyncCopy;
    inst.orders = row.ordering == Ordering::kFence || (inst.mods & mods::kOrders) != 0;
    if (IsSeenByOtherBlocks(row, inst)) program_.blocks_communicate = true;
    program_.has_fences = program_.has_fences || inst.orders;
    code_.push_back(inst);
    opcodes_.push_back(source.opcode);
  }

  /// Whether other blocks may see what this instruction does, in an order that they can rely on.
  static bool IsSeenByOtherBlocks(const InstructionRow& row, const Inst& inst) {
    if (row.ordering == Ordering::kProxyFence) return true;
    if (row.ordering == Ordering::kFence) return (inst.mods & mods::kBeyondBlock) != 0;
    const StateSpace space = row.SpaceWith(inst.mods);
    return inst.communicates && space != StateSpace::kShared && space != StateSpace::kLocal;
  }

  /// Every path through the code ends in an instruction that the scheduler stops at.
  void AppendExit() {
    Inst inst;
    inst.control = function_.is_entry ? Control::kExit : Control::kReturn;
    code_.push_back(inst);
    opcodes_.emplace_back();
  }

  /// Puts the function's code behind what the program has, where its branches go along.
  void Append() {
    FindReconvergence(code_, binder_.branch_tables());
    const RegisterFlow flow = FindRegisterFlow(function_, builder_.engine.rows, code_);
    if (function_.is_entry) FindUses(flow);
    program_.live_registers = std::max(program_.live_registers, CountLiveRegisters(function_, flow, code_));
    program_.waits_for_values = program_.waits_for_values || program_.is_debug ||
                                WaitsForValues(function_, flow, code_, binder_.branch_tables());
    program_.uses_strong_values =
        program_.uses_strong_values || program_.is_debug || UsesStrongValues(function_, flow, code_);
    // Lanes that call different functions through a pointer meet behind the call.
    for (std::size_t i = 0; i + 1 < code_.size(); ++i) {
      if (code_[i].control == Control::kCall && code_[i].op[1] != kNoOperand) code_[i + 1].is_join = true;
    }
    const auto base = static_cast<std::int32_t>(program_.code.size());
    const auto first_table = static_cast<std::int64_t>(program_.branch_tables.size());
    for (std::vector<std::int32_t>& table : binder_.branch_tables()) {
      for (std::int32_t& target : table) target += base;
      program_.branch_tables.push_back(std::move(table));
    }
    for (Inst& inst : code_) {
      if (inst.control == Control::kBranchTable) inst.imm += first_table;
      if (inst.target >= 0) inst.target += base;
      if (inst.reconverge >= 0) inst.reconverge += base;
      inst.index = static_cast<std::uint32_t>(program_.code.size());
      program_.code.push_back(inst);
    }
    std::ranges::move(FindAddressBases(builder_, function_, flow), std::back_inserter(program_.bases));
    program_.bases.resize(program_.code.size());
    std::ranges::move(opcodes_, std::back_inserter(program_.opcodes));
  }

  void FindUses(const RegisterFlow& flow) {
    std::vector<UsedWhen> found = FindLoadUses(function_, builder_.engine.rows, flow, frame_,
                                               binder_.branch_tables(), program_.used_when.size(), code_);
    std::ranges::move(found, std::back_inserter(program_.used_when));
  }

  ProgramBuilder& builder_;
  Program& program_;
  const ptx::Function& function_;
  const FunctionFrame& frame_;
  FunctionCode& function_code_;
  OperandBinder binder_;
  std::vector<Inst> code_;
  std::vector<std::string> opcodes_;  ///< Of code_.
  std::int32_t first_location_ = 0;
};

}  // namespace

Status DecodeFunction(ProgramBuilder& builder, const ptx::Function& function, FunctionCode& code) {
  code.plain_name = fatbin::DemangledName(function.name);
  code.entry = static_cast<std::int32_t>(builder.program->code.size());
  auto frame = LayOutFunction(function, code);
  if (!frame) return frame.error();
  return FunctionDecoder(builder, function, *frame, code).Run();
}

}  // namespace warplings::vgpu
