// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/exec/decoder.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "grader/virtual_gpu/exec/control_flow.h"
#include "grader/virtual_gpu/exec/form.h"
#include "grader/virtual_gpu/ptx/demangle.h"

namespace warplings::vgpu {
namespace {

/// Space between two shared arrays. A multiple of 128 bytes keeps every array in the banks it has on
/// hardware, where they follow each other.
constexpr std::uint32_t kSharedGap = 1024;

constexpr std::uint32_t RoundUp(std::uint32_t value, std::uint32_t unit) {
  return unit ? (value + unit - 1) / unit * unit : value;
}

struct SpecialName {
  std::string_view name;
  Special special;
};
constexpr SpecialName kSpecialNames[] = {
    {"%tid.x", Special::kTidX},
    {"%tid.y", Special::kTidY},
    {"%tid.z", Special::kTidZ},
    {"%ntid.x", Special::kNtidX},
    {"%ntid.y", Special::kNtidY},
    {"%ntid.z", Special::kNtidZ},
    {"%ctaid.x", Special::kCtaidX},
    {"%ctaid.y", Special::kCtaidY},
    {"%ctaid.z", Special::kCtaidZ},
    {"%nctaid.x", Special::kNctaidX},
    {"%nctaid.y", Special::kNctaidY},
    {"%nctaid.z", Special::kNctaidZ},
    {"%laneid", Special::kLaneId},
    {"%warpid", Special::kWarpId},
    {"%nwarpid", Special::kNwarpId},
    {"%smid", Special::kSmId},
    {"%nsmid", Special::kNsmId},
    {"%gridid", Special::kGridId},
    {"%lanemask_eq", Special::kLaneMaskEq},
    {"%lanemask_lt", Special::kLaneMaskLt},
    {"%lanemask_le", Special::kLaneMaskLe},
    {"%lanemask_gt", Special::kLaneMaskGt},
    {"%lanemask_ge", Special::kLaneMaskGe},
    {"%dynamic_smem_size", Special::kDynamicSharedBytes},
    {"%total_smem_size", Special::kTotalSharedBytes},
};

/// Bytes a lane of a register of this type has in the register file; predicates are one mask.
std::uint32_t LaneBytes(ptx::Type type) {
  return std::max(2u, ptx::TypeBytes(type));
}

/// A failed operand or instruction; the message lacks the place, which Decode adds.
struct Refusal {
  std::string message;
};

class Decoder {
 public:
  Decoder(const Engine& engine, const ptx::Module& module, const ptx::Function& function,
          const SymbolTable& symbols)
      : engine_(engine), module_(module), function_(function), symbols_(symbols) {}

  Result<std::unique_ptr<Program>> Run() {
    program_->name = function_.name;
    program_->plain_name = ptx::DemangledName(function_.name);
    program_->max_threads = function_.max_threads;
    program_->required_threads = function_.required_threads;
    for (const ptx::Location& location : function_.locations) {
      program_->locations.push_back(module_.Where(location));
    }
    LayOutRegisters();
    LayOutParameters();
    LayOutShared();
    LayOutLocal();
    for (const ptx::Instruction& instruction : function_.instructions) {
      if (auto refusal = DecodeInstruction(instruction)) return Unsupported(instruction, refusal->message);
    }
    AppendExit();
    FindReconvergence(program_->code);
    return std::move(program_);
  }

 private:
  using MaybeRefusal = std::optional<Refusal>;

  Error Unsupported(const ptx::Instruction& instruction, const std::string& why) const {
    std::string message = "The virtual GPU cannot run kernel " + program_->plain_name + ": " + why +
                          " (PTX line " + std::to_string(instruction.ptx_line);
    if (instruction.location >= 0) {
      const SourceLine where =
          module_.Where(function_.locations[static_cast<std::size_t>(instruction.location)]);
      if (where.line) message += ", from " + where.file + ":" + std::to_string(where.line);
    }
    return SubmissionError(message + ").", "The list of what it runs is in docs/virtual_gpu.md.");
  }

  // --- Layout. --------------------------------------------------------------------------------------

  void LayOutRegisters() {
    // Predicates first, four bytes each; then lanes, aligned for SIMD.
    std::uint32_t next = 0;
    registers_.resize(function_.registers.size());
    for (std::size_t i = 0; i < registers_.size(); ++i) {
      if (function_.registers[i].type != ptx::Type::kPred) continue;
      registers_[i] = MakeOperand(Bank::kRegisters, next);
      next += sizeof(Mask);
    }
    next = RoundUp(next, 64);
    for (std::size_t i = 0; i < registers_.size(); ++i) {
      if (function_.registers[i].type == ptx::Type::kPred) continue;
      registers_[i] = MakeOperand(Bank::kRegisters, next);
      next += LaneBytes(function_.registers[i].type) * kWarpSize;
    }
    scratch_ = MakeOperand(Bank::kRegisters, next);  // what "_" destinations write
    program_->register_bytes = next + 16 * kWarpSize;
  }

  void LayOutParameters() {
    std::uint32_t next = 0;
    for (const ptx::Variable& parameter : function_.parameters) {
      next = RoundUp(next, parameter.alignment);
      const auto bytes = static_cast<std::uint32_t>(parameter.Bytes());
      program_->parameters.push_back({next, bytes});
      offsets_[parameter.name] = next;
      next += bytes;
    }
    program_->argument_bytes = next;
  }

  bool IsReferenced(const std::string& name) const {
    auto mentions = [&](const auto& self, const ptx::Operand& operand) -> bool {
      return operand.name == name || std::any_of(operand.elements.begin(), operand.elements.end(),
                                                 [&](const ptx::Operand& e) { return self(self, e); });
    };
    return std::any_of(
        function_.instructions.begin(), function_.instructions.end(), [&](const auto& instruction) {
          return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                             [&](const ptx::Operand& operand) { return mentions(mentions, operand); });
        });
  }

  void LayOutShared() {
    std::vector<const ptx::Variable*> fixed, dynamic;
    auto consider = [&](const ptx::Variable& variable) {
      if (variable.space != ptx::Space::kShared) return;
      (variable.is_extern || variable.count == 0 ? dynamic : fixed).push_back(&variable);
    };
    for (const ptx::Variable& variable : function_.variables) consider(variable);
    for (const ptx::Variable& variable : module_.variables) {
      if (variable.space == ptx::Space::kShared && IsReferenced(variable.name)) consider(variable);
    }
    std::uint32_t natural = 0, gaps = 0;
    for (const ptx::Variable* variable : fixed) {
      natural = RoundUp(natural, variable->alignment);
      AddShared(*variable, natural + gaps, static_cast<std::uint32_t>(variable->Bytes()), false);
      natural += static_cast<std::uint32_t>(variable->Bytes());
      gaps += kSharedGap;
    }
    program_->static_shared_bytes = natural;
    std::uint32_t alignment = 16;
    for (const ptx::Variable* variable : dynamic) alignment = std::max(alignment, variable->alignment);
    const std::uint32_t end = RoundUp(natural, alignment) + gaps;
    for (const ptx::Variable* variable : dynamic) AddShared(*variable, end, 0, true);
    // Without a dynamic array nothing is addressable behind the last gap.
    program_->shared_bytes = dynamic.empty() && !fixed.empty() ? natural + gaps - kSharedGap : end;
  }

  void AddShared(const ptx::Variable& variable, std::uint32_t offset, std::uint32_t bytes, bool is_dynamic) {
    offsets_[variable.name] = offset;
    // Several names of the one dynamic array are one array.
    if (is_dynamic && !program_->shared.empty() && program_->shared.back().is_dynamic) return;
    program_->shared.push_back({ptx::DemangledName(variable.name), offset, bytes, is_dynamic});
  }

  void LayOutLocal() {
    std::uint32_t next = 0;
    for (const ptx::Variable& variable : function_.variables) {
      if (variable.space != ptx::Space::kLocal) continue;
      next = RoundUp(next, variable.alignment);
      offsets_[variable.name] = next;
      next += static_cast<std::uint32_t>(variable.Bytes());
    }
    program_->local_bytes = RoundUp(next, 16);
  }

  // --- Instructions. ------------------------------------------------------------------------------------

  MaybeRefusal DecodeInstruction(const ptx::Instruction& source) {
    bool known = false;
    MaybeRefusal misfit;
    for (std::size_t row = 0; row < engine_.rows.size(); ++row) {
      const auto bits = MatchForm(engine_.rows[row].form, source.opcode);
      if (!bits) continue;
      known = true;
      Inst inst;
      inst.mods = *bits;
      inst.row = static_cast<std::uint16_t>(row);
      misfit = Bind(engine_.rows[row], source, inst);
      if (misfit) continue;  // another row may have this form with other operands
      Finish(engine_.rows[row], source, inst);
      return std::nullopt;
    }
    if (!known) return Refusal{"instruction '" + source.opcode + "' is not supported"};
    return Refusal{"operands of '" + source.opcode + "' do not fit: " + misfit->message};
  }

  void Finish(const InstructionRow& row, const ptx::Instruction& source, Inst& inst) {
    inst.handler = row.handler;
    inst.control = row.control;
    inst.flops = row.flops;
    inst.location = source.location;
    inst.index = static_cast<std::uint32_t>(program_->code.size());
    inst.is_aligned = !source.opcode.starts_with("barrier") || source.opcode.ends_with(".aligned");
    if (source.guard >= 0) {
      inst.guard = registers_[static_cast<std::size_t>(source.guard)];
      inst.guard_negated = source.guard_negated;
    }
    program_->code.push_back(inst);
  }

  /// Every path through the code ends in an instruction that the scheduler stops at.
  void AppendExit() {
    Inst inst;
    inst.control = Control::kExit;
    inst.index = static_cast<std::uint32_t>(program_->code.size());
    program_->code.push_back(inst);
  }

  // --- Operands. ----------------------------------------------------------------------------------------

  /// Where the next source goes when nothing was written: sources begin at 1 (see Inst::op).
  MaybeRefusal Bind(const InstructionRow& row, const ptx::Instruction& source, Inst& inst) {
    const std::vector<OperandRole> roles = ParseOperands(row.operands);
    std::size_t next_operand = 0;
    int next_slot = 0;
    for (const OperandRole& role : roles) {
      if (next_operand == source.operands.size()) {
        if (role.optional) continue;
        return Refusal{"too few operands"};
      }
      const ptx::Operand& operand = source.operands[next_operand++];
      if (auto refusal = BindOne(role, operand, source, inst, next_slot)) return refusal;
    }
    if (next_operand != source.operands.size()) return Refusal{"too many operands"};
    return std::nullopt;
  }

  MaybeRefusal BindOne(const OperandRole& role, const ptx::Operand& operand, const ptx::Instruction& source,
                       Inst& inst, int& next_slot) {
    auto source_slot = [&]() -> OperandRef& {
      if (next_slot == 0) next_slot = 1;
      return inst.op[next_slot++];
    };
    switch (role.role) {
      case 'd': return BindDestination(operand, role.type, inst.op[next_slot++]);
      case 'D': {
        if (operand.kind != ptx::OperandKind::kPair)
          return BindDestination(operand, role.type, inst.op[next_slot++]);
        if (auto refusal = BindDestination(operand.elements[0], role.type, inst.op[next_slot++]))
          return refusal;
        return BindPredicate(operand.elements[1], inst.op[5], true);
      }
      case 'x': {
        inst.register_bytes = WidthOf(operand, role.type);
        return BindAnyWidth(operand, role.type, inst.op[next_slot++]);
      }
      case 'y': {
        inst.source_bytes = WidthOf(operand, role.type);
        return BindAnyWidth(operand, role.type, source_slot());
      }
      case 's': return BindSource(operand, role.type, source_slot());
      case 'z': return BindSource(operand, role.type, inst.op[4]);
      case 'k': return BindSource(operand, ptx::Type::kB32, inst.op[4]);
      case 'q': return BindPredicate(operand, inst.op[next_slot++], true);
      case 'Q': {
        ++next_slot;
        if (operand.kind != ptx::OperandKind::kPair) return BindPredicate(operand, inst.op[0], true);
        if (auto refusal = BindPredicate(operand.elements[0], inst.op[0], true)) return refusal;
        return BindPredicate(operand.elements[1], inst.op[5], true);
      }
      case 'p': {
        if (operand.negated) inst.mods |= mods::kNegate;
        return BindPredicate(operand, source_slot(), false);
      }
      case 'm': return BindAddress(operand, source, inst);
      case 'v': return BindVector(operand, role.type, source, inst);
      case 'P': return BindElements(operand, role, &inst.op[1], false);
      case 'U': return BindElements(operand, role, &inst.op[0], true);
      case 't': {
        if (operand.kind != ptx::OperandKind::kLabel) return Refusal{"a label is expected"};
        inst.target = operand.index;
        return std::nullopt;
      }
      case 'i': {
        if (operand.kind != ptx::OperandKind::kImmediate) return Refusal{"a constant is expected"};
        inst.imm = static_cast<std::int64_t>(operand.bits);
        return std::nullopt;
      }
      default: return Refusal{"the instruction table has an unknown role"};
    }
  }

  ptx::Type RegisterType(const ptx::Operand& operand) const {
    return function_.registers[static_cast<std::size_t>(operand.index)].type;
  }

  std::uint8_t WidthOf(const ptx::Operand& operand, ptx::Type type) const {
    if (operand.kind == ptx::OperandKind::kRegister) {
      return static_cast<std::uint8_t>(LaneBytes(RegisterType(operand)));
    }
    return static_cast<std::uint8_t>(LaneBytes(type));
  }

  MaybeRefusal BindRegister(const ptx::Operand& operand, std::uint32_t bytes, bool any_width,
                            OperandRef& ref) const {
    const ptx::Type type = RegisterType(operand);
    const std::string& name = function_.registers[static_cast<std::size_t>(operand.index)].name;
    if (type == ptx::Type::kPred) return Refusal{name + " is a predicate"};
    if (any_width ? LaneBytes(type) < bytes || LaneBytes(type) > 8 : LaneBytes(type) != bytes) {
      return Refusal{name + " has the wrong width"};
    }
    ref = registers_[static_cast<std::size_t>(operand.index)];
    return std::nullopt;
  }

  MaybeRefusal BindDestination(const ptx::Operand& operand, ptx::Type type, OperandRef& ref) const {
    if (operand.kind == ptx::OperandKind::kSink) {
      ref = scratch_;
      return std::nullopt;
    }
    if (operand.kind != ptx::OperandKind::kRegister) return Refusal{"a register is expected"};
    return BindRegister(operand, LaneBytes(type), false, ref);
  }

  MaybeRefusal BindAnyWidth(const ptx::Operand& operand, ptx::Type type, OperandRef& ref) {
    if (operand.kind == ptx::OperandKind::kRegister) return BindRegister(operand, LaneBytes(type), true, ref);
    return BindSource(operand, type, ref);
  }

  MaybeRefusal BindPredicate(const ptx::Operand& operand, OperandRef& ref, bool is_destination) {
    if (operand.kind == ptx::OperandKind::kSink && is_destination) {
      ref = kNoOperand;
      return std::nullopt;
    }
    if (operand.kind == ptx::OperandKind::kImmediate && !is_destination) {
      ref = Constant(operand.bits ? kAllLanes : 0, sizeof(Mask));
      return std::nullopt;
    }
    if (operand.kind != ptx::OperandKind::kRegister || RegisterType(operand) != ptx::Type::kPred) {
      return Refusal{"a predicate is expected"};
    }
    ref = registers_[static_cast<std::size_t>(operand.index)];
    return std::nullopt;
  }

  MaybeRefusal BindSource(const ptx::Operand& operand, ptx::Type type, OperandRef& ref) {
    switch (operand.kind) {
      case ptx::OperandKind::kRegister: return BindRegister(operand, LaneBytes(type), false, ref);
      case ptx::OperandKind::kImmediate:
        ref = Constant(ImmediateBits(operand, type), LaneBytes(type));
        return std::nullopt;
      case ptx::OperandKind::kSpecial: return BindSpecial(operand, type, ref);
      case ptx::OperandKind::kSymbol: {
        const auto value = SymbolValue(operand.name);
        if (!value) return Refusal{"'" + operand.name + "' has no address on the virtual GPU"};
        ref = Constant(*value + static_cast<std::uint64_t>(operand.offset), LaneBytes(type));
        return std::nullopt;
      }
      default: return Refusal{"a register or a constant is expected"};
    }
  }

  /// An immediate as the type wants it: a float where a float is meant, whatever its spelling.
  static std::uint64_t ImmediateBits(const ptx::Operand& operand, ptx::Type type) {
    const bool wants_single = type == ptx::Type::kF32;
    const bool wants_double = type == ptx::Type::kF64;
    double value = 0;
    if (operand.is_float && operand.is_double) std::memcpy(&value, &operand.bits, sizeof value);
    if (operand.is_float && !operand.is_double) {
      float single;
      const auto bits = static_cast<std::uint32_t>(operand.bits);
      std::memcpy(&single, &bits, sizeof single);
      value = single;
    }
    if (wants_single && operand.is_float && operand.is_double) {
      const auto single = static_cast<float>(value);
      std::uint32_t bits;
      std::memcpy(&bits, &single, sizeof bits);
      return bits;
    }
    if (wants_double && operand.is_float && !operand.is_double) {
      std::uint64_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      return bits;
    }
    return operand.bits;
  }

  MaybeRefusal BindSpecial(const ptx::Operand& operand, ptx::Type type, OperandRef& ref) {
    for (const SpecialName& entry : kSpecialNames) {
      if (entry.name != operand.name) continue;
      if (LaneBytes(type) != 4) return Refusal{operand.name + " has 32 bits"};
      ref = MakeOperand(Bank::kSpecials, SpecialOffset(entry.special));
      return std::nullopt;
    }
    return Refusal{"special register '" + operand.name + "' is not supported"};
  }

  std::uint32_t SpecialOffset(Special special) {
    for (const auto& slot : program_->specials) {
      if (slot.special == special) return slot.offset;
    }
    const std::uint32_t offset = program_->special_bytes;
    program_->specials.push_back({special, offset});
    program_->special_bytes += sizeof(std::uint32_t) * kWarpSize;
    return offset;
  }

  std::optional<std::uint64_t> SymbolValue(const std::string& name) const {
    if (auto own = offsets_.find(name); own != offsets_.end()) return own->second;
    if (auto global = symbols_.find(name); global != symbols_.end()) return global->second;
    return std::nullopt;
  }

  MaybeRefusal BindAddress(const ptx::Operand& operand, const ptx::Instruction& source, Inst& inst) {
    if (operand.kind != ptx::OperandKind::kAddress) return Refusal{"an address in [] is expected"};
    inst.imm = operand.offset;
    inst.access = source.opcode.starts_with("ld")   ? Access::kRead
                  : source.opcode.starts_with("st") ? Access::kWrite
                                                    : Access::kAtomic;
    NoteSharedAccess(source.opcode, inst);
    if (operand.index >= 0) {
      const std::uint32_t bytes = LaneBytes(RegisterType(operand));
      if (bytes != 4 && bytes != 8) return Refusal{"an address needs a register of 32 or 64 bits"};
      inst.address_bytes = static_cast<std::uint8_t>(bytes);
      return BindRegister(operand, bytes, false, inst.op[4]);
    }
    inst.address_bytes = 8;
    std::uint64_t base = 0;
    if (!operand.name.empty()) {
      const auto value = SymbolValue(operand.name);
      if (!value) return Refusal{"'" + operand.name + "' has no address on the virtual GPU"};
      base = *value;
    }
    inst.op[4] = Constant(base, 8);
    return std::nullopt;
  }

  /// The races check works in whole words unless a kernel accesses less than a word of shared memory.
  static void NoteSharedAccess(const std::string& opcode, Inst& inst) {
    static constexpr std::string_view kOtherSpaces[] = {".global", ".local", ".const", ".param"};
    for (std::string_view space : kOtherSpaces) {
      if (opcode.find(space) != std::string::npos) return;
    }
    const ptx::Type type = ptx::TypeFromName(opcode.substr(opcode.rfind('.') + 1));
    inst.shared_access_bytes = static_cast<std::uint8_t>(ptx::TypeBytes(type));
  }

  /// Values of ld and st: one register, or as many as the opcode's .v2 or .v4 says.
  MaybeRefusal BindVector(const ptx::Operand& operand, ptx::Type type, const ptx::Instruction& source,
                          Inst& inst) {
    const std::size_t count = std::size_t{1} << ((inst.mods & mods::kVectorMask) >> mods::kVectorShift);
    const bool is_load = source.opcode.starts_with("ld");
    const bool is_vector = operand.kind == ptx::OperandKind::kVector;
    if (is_vector ? operand.elements.size() != count : count != 1) return Refusal{"wrong number of elements"};
    inst.register_bytes = static_cast<std::uint8_t>(LaneBytes(type));
    for (std::size_t i = 0; i < count; ++i) {
      const ptx::Operand& element = is_vector ? operand.elements[i] : operand;
      if (element.kind == ptx::OperandKind::kSink && is_load) continue;
      if (is_load && element.kind != ptx::OperandKind::kRegister) return Refusal{"a register is expected"};
      if (element.kind == ptx::OperandKind::kRegister) inst.register_bytes = WidthOf(element, type);
      if (auto refusal = BindAnyWidth(element, type, inst.op[i])) return refusal;
    }
    return std::nullopt;
  }

  MaybeRefusal BindElements(const ptx::Operand& operand, const OperandRole& role, OperandRef* refs,
                            bool destination) {
    if (operand.kind != ptx::OperandKind::kVector ||
        operand.elements.size() != static_cast<std::size_t>(role.count)) {
      return Refusal{"a vector of " + std::to_string(role.count) + " is expected"};
    }
    for (const ptx::Operand& element : operand.elements) {
      if (destination && element.kind == ptx::OperandKind::kSink) {
        ++refs;
        continue;
      }
      if (auto refusal = destination ? BindDestination(element, role.type, *refs++)
                                     : BindSource(element, role.type, *refs++)) {
        return refusal;
      }
    }
    return std::nullopt;
  }

  /// A value in all 32 lanes; 4-byte predicates are one mask.
  OperandRef Constant(std::uint64_t bits, std::uint32_t bytes) {
    if (bytes < 8) bits &= (std::uint64_t{1} << (bytes * 8)) - 1;
    const auto key = std::make_pair(bits, bytes);
    if (auto known = constants_.find(key); known != constants_.end()) return known->second;
    const auto offset = static_cast<std::uint32_t>(program_->constants.size());
    program_->constants.resize(offset + RoundUp(bytes * kWarpSize, 64));
    for (int lane = 0; lane < kWarpSize; ++lane) {
      std::memcpy(program_->constants.data() + offset + static_cast<std::size_t>(lane) * bytes, &bits, bytes);
    }
    return constants_[key] = MakeOperand(Bank::kConstants, offset);
  }

  const Engine& engine_;
  const ptx::Module& module_;
  const ptx::Function& function_;
  const SymbolTable& symbols_;
  std::unique_ptr<Program> program_ = std::make_unique<Program>();
  std::vector<OperandRef> registers_;
  OperandRef scratch_ = kNoOperand;
  std::map<std::string, std::uint64_t> offsets_;  ///< Of parameters, shared and local variables.
  std::map<std::pair<std::uint64_t, std::uint32_t>, OperandRef> constants_;
};

}  // namespace

Result<std::unique_ptr<Program>> Decode(const Engine& engine, const ptx::Module& module,
                                        const ptx::Function& function, const SymbolTable& symbols) {
  return Decoder(engine, module, function, symbols).Run();
}

}  // namespace warplings::vgpu
