// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/exec/decoder.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>

#include "grader/virtual_gpu/exec/control_flow.h"
#include "grader/virtual_gpu/exec/form.h"
#include "grader/virtual_gpu/exec/layout.h"
#include "grader/virtual_gpu/exec/local_layout.h"
#include "grader/virtual_gpu/ptx/demangle.h"

namespace warplings::vgpu {
namespace {

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
    {"%envreg1", Special::kEnvReg1},
    {"%envreg2", Special::kEnvReg2},
    // Without an explicit cluster, each block is a cluster of its own.
    {"%clusterid.x", Special::kCtaidX},
    {"%clusterid.y", Special::kCtaidY},
    {"%clusterid.z", Special::kCtaidZ},
    {"%nclusterid.x", Special::kNctaidX},
    {"%nclusterid.y", Special::kNctaidY},
    {"%nclusterid.z", Special::kNctaidZ},
    {"%cluster_ctaid.x", Special::kZero},
    {"%cluster_ctaid.y", Special::kZero},
    {"%cluster_ctaid.z", Special::kZero},
    {"%cluster_nctaid.x", Special::kOne},
    {"%cluster_nctaid.y", Special::kOne},
    {"%cluster_nctaid.z", Special::kOne},
    {"%cluster_ctarank", Special::kZero},
    {"%cluster_nctarank", Special::kOne},
};

/// Bytes a lane of a register of this type has in the register file; predicates are one mask.
std::uint32_t LaneBytes(ptx::Type type) {
  return std::max(2u, ptx::TypeBytes(type));
}

/// A failed operand or instruction; the message lacks the place, which Decode adds.
struct Refusal {
  std::string message;
};

Builtin BuiltinOf(const ptx::Function& function) {
  if (function.name == "vprintf") return Builtin::kPrintf;
  if (function.name == "__assertfail") return Builtin::kAssertFail;
  if (function.name == "malloc") return Builtin::kMalloc;
  if (function.name == "free") return Builtin::kFree;
  return Builtin::kNone;
}

/// What the functions of one program share.
class ProgramBuilder {
 public:
  ProgramBuilder(const Engine& the_engine, const ptx::Module& the_module, const SymbolTable& the_symbols)
      : engine(the_engine), module(the_module), symbols(the_symbols) {}

  const Engine& engine;
  const ptx::Module& module;
  const SymbolTable& symbols;
  std::unique_ptr<Program> program = std::make_unique<Program>();
  Offsets shared, parameters;
  bool calls_indirectly = false;
  SourceLine refused_at;            ///< The line of what could not be decoded.
  std::vector<std::size_t> wanted;  ///< Functions that are called; positions in the module.

  /// A value in all 32 lanes; 4-byte predicates are one mask.
  OperandRef Constant(std::uint64_t bits, std::uint32_t bytes) {
    if (bytes < 8) bits &= (std::uint64_t{1} << (bytes * 8)) - 1;
    const auto key = std::make_pair(bits, bytes);
    if (auto known = constants_.find(key); known != constants_.end()) return known->second;
    const OperandRef ref = AddLanes(bytes);
    for (int lane = 0; lane < kWarpSize; ++lane) SetLane(ref, lane, bytes, bits);
    return constants_[key] = ref;
  }

  /// Where each lane's copy of a frame slot begins.
  OperandRef SlotAddresses(const FrameSlot& slot) {
    const OperandRef ref = AddLanes(8);
    for (int lane = 0; lane < kWarpSize; ++lane) {
      SetLane(ref, lane, 8, slot.offset + static_cast<std::uint64_t>(lane) * slot.bytes);
    }
    return ref;
  }

 private:
  OperandRef AddLanes(std::uint32_t bytes) {
    const auto offset = static_cast<std::uint32_t>(program->constants.size());
    program->constants.resize(offset + RoundUp(bytes * kWarpSize, 64));
    return MakeOperand(Bank::kConstants, offset);
  }
  void SetLane(OperandRef ref, int lane, std::uint32_t bytes, std::uint64_t bits) {
    const std::size_t at = (ref & 0x3fffffffu) + static_cast<std::size_t>(lane) * bytes;
    std::memcpy(program->constants.data() + at, &bits, bytes);
  }

  std::map<std::pair<std::uint64_t, std::uint32_t>, OperandRef> constants_;
};

/// Decodes one function into the program.
class FunctionDecoder {
 public:
  FunctionDecoder(ProgramBuilder& builder, const ptx::Function& function, FunctionCode& code)
      : builder_(builder),
        program_(*builder.program),
        engine_(builder.engine),
        module_(builder.module),
        function_(function),
        function_code_(code) {}

  Status Run() {
    function_code_.plain_name = ptx::DemangledName(function_.name);
    function_code_.entry = static_cast<std::int32_t>(program_.code.size());
    first_location_ = static_cast<std::int32_t>(program_.locations.size());
    for (const ptx::Location& location : function_.locations) {
      program_.locations.push_back(module_.Where(location));
    }
    if (auto fits = CheckSizes(); !fits) return fits;
    LayOutFrame();
    LayOutLocal();
    if (!function_.unsupported.empty() && !function_.instructions.empty()) {
      return Unsupported(FirstWithLine(), function_.unsupported);
    }
    for (std::size_t i = 0; i < function_.instructions.size(); ++i) {
      const ptx::Instruction& instruction = function_.instructions[i];
      const auto moved = moved_.find(i);
      const MaybeRefusal refusal = moved == moved_.end()
                                       ? DecodeInstruction(instruction)
                                       : DecodeInstruction(WithOffset(instruction, moved->second));
      if (refusal) return Unsupported(instruction, refusal->message);
      const std::size_t bytes = program_.constants.size();
      if (auto fits = CheckSize(function_.name, "constants", bytes, kMaxConstantBytes); !fits) return fits;
    }
    AppendExit();
    Append();
    function_code_.is_decoded = true;
    return Unit{};
  }

 private:
  using MaybeRefusal = std::optional<Refusal>;

  Error Unsupported(const ptx::Instruction& instruction, const std::string& why) {
    std::string message = "The virtual GPU cannot run " + ptx::DemangledName(function_.name) + ": " + why +
                          " (PTX line " + std::to_string(instruction.ptx_line);
    if (instruction.location >= 0) {
      const SourceLine where =
          module_.Where(function_.locations[static_cast<std::size_t>(instruction.location)]);
      if (where.line) message += ", from " + where.file + ":" + std::to_string(where.line);
      builder_.refused_at = where;
    }
    return SubmissionError(message + ").", "The list of what it runs is in docs/virtual_gpu.md.");
  }

  const ptx::Instruction& FirstWithLine() const {
    for (const ptx::Instruction& instruction : function_.instructions) {
      if (instruction.location >= 0) return instruction;
    }
    return function_.instructions.front();
  }

  // --- Layout. --------------------------------------------------------------------------------------

  /// That what LayOutFrame and LayOutLocal add up fits their 32 bits.
  Status CheckSizes() const {
    std::uint64_t frame = 1024, local = 0;  // 1024: CC.CF, a sink, rounding.
    for (const ptx::Register& reg : function_.registers)
      frame += std::uint64_t{LaneBytes(reg.type)} * kWarpSize;
    const auto add = [&](const ptx::Variable& variable) {
      if (variable.space == ptx::Space::kLocal) {
        local = RoundUp64(local, variable.alignment) + variable.Bytes();
        frame += 8 * kWarpSize;
      } else if (variable.space == ptx::Space::kParam) {
        frame += 64 + RoundUp64(std::max<std::uint64_t>(variable.Bytes(), 1), 16) * kWarpSize;
      }
      return CheckSize(function_.name, "registers and parameters per warp", frame, kMaxFrameBytes);
    };
    for (const auto* variables : {&function_.parameters, &function_.returns, &function_.variables}) {
      for (const ptx::Variable& variable : *variables) {
        if (auto fits = add(variable); !fits) return fits;
      }
    }
    if (auto fits = add(ptx::Variable()); !fits) return fits;
    return CheckSize(function_.name, "local memory per thread", local, kMaxLocalBytes);
  }

  void LayOutFrame() {
    // Predicates first, four bytes each; then lanes, aligned for SIMD; then parameters of calls.
    std::uint32_t next = 0;
    registers_.resize(function_.registers.size());
    for (std::size_t i = 0; i < registers_.size(); ++i) {
      if (function_.registers[i].type != ptx::Type::kPred) continue;
      registers_[i] = MakeOperand(Bank::kRegisters, next);
      next += sizeof(Mask);
    }
    carry_ = MakeOperand(Bank::kRegisters, next);
    next = RoundUp(next + sizeof(Mask), 64);
    for (std::size_t i = 0; i < registers_.size(); ++i) {
      if (function_.registers[i].type == ptx::Type::kPred) continue;
      registers_[i] = MakeOperand(Bank::kRegisters, next);
      next += LaneBytes(function_.registers[i].type) * kWarpSize;
    }
    scratch_ = MakeOperand(Bank::kRegisters, next);  // what "_" destinations write
    next += 16 * kWarpSize;
    auto add_slot = [&](const ptx::Variable& variable) {
      const auto bytes = std::max<std::uint32_t>(static_cast<std::uint32_t>(variable.Bytes()), 1);
      next = RoundUp(next, 64);
      slots_[variable.name] = {next, RoundUp(bytes, 16)};
      next += RoundUp(bytes, 16) * kWarpSize;
      return slots_[variable.name];
    };
    if (!function_.is_entry) {
      for (const ptx::Variable& parameter : function_.parameters) {
        function_code_.parameters.push_back(add_slot(parameter));
      }
      for (const ptx::Variable& result : function_.returns)
        function_code_.results.push_back(add_slot(result));
    }
    for (const ptx::Variable& variable : function_.variables) {
      if (variable.space == ptx::Space::kParam) add_slot(variable);
    }
    function_code_.frame_bytes = RoundUp(next, 64);
  }

  /// Each local variable's address is kept in a hidden register, since it depends on the call.
  void LayOutLocal() {
    LocalLayout layout = LayOutLocals(function_);
    for (const auto& [name, offset] : layout.variables) {
      const OperandRef hidden = MakeOperand(Bank::kRegisters, function_code_.frame_bytes);
      function_code_.frame_bytes += 8 * kWarpSize;
      function_code_.local_addresses.emplace_back(hidden, offset);
      local_addresses_[name] = hidden;
    }
    function_code_.local_bytes = layout.bytes;
    function_code_.locals = std::move(layout.objects);
    moved_ = std::move(layout.moved);
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
      if (auto refusal = Bind(engine_.rows[row], source, inst)) {
        if (!misfit) misfit = std::move(refusal);
        continue;  // another row may have this form with other operands
      }
      Finish(engine_.rows[row], source, inst);
      return std::nullopt;
    }
    if (!known)
      return Refusal{"instruction '" + source.opcode + "' is not supported" + Family(source.opcode)};
    return Refusal{"operands of '" + source.opcode + "' do not fit: " + misfit->message};
  }

  /// What an instruction that no row spells belongs to, where that is the likelier name to a student.
  static std::string Family(std::string_view opcode) {
    struct {
      std::string_view start, family;
    } constexpr kFamilies[] = {{"tex", "textures"},
                               {"tld4", "textures"},
                               {"txq", "textures"},
                               {"su", "surfaces"},
                               {"barrier.cluster", "thread block clusters"},
                               {"mapa", "thread block clusters"},
                               {"getctarank", "thread block clusters"},
                               {"cp.async.bulk", "bulk and tensor copies"},
                               {"cp.reduce.async.bulk", "bulk and tensor copies"},
                               {"multimem", "multicast memory"},
                               {"griddepcontrol", "programmatic dependent launch"},
                               {"wgmma", "warpgroup matrices"}};
    for (const auto& [start, family] : kFamilies) {
      const bool fits = opcode.starts_with(start) && !opcode.starts_with("sub");
      if (fits) return " (" + std::string(family) + ")";
    }
    return "";
  }

  void Finish(const InstructionRow& row, const ptx::Instruction& source, Inst& inst) {
    inst.handler = row.handler;
    inst.control = row.control;
    inst.flops = row.flops;
    inst.location = source.location < 0 ? -1 : first_location_ + source.location;
    inst.is_aligned =
        !source.opcode.starts_with("barrier") || source.opcode.find(".aligned") != std::string::npos;
    if (source.guard >= 0) {
      inst.guard = registers_[static_cast<std::size_t>(source.guard)];
      inst.guard_negated = source.guard_negated;
    }
    if (source.opcode.starts_with("ret") && !function_.is_entry) inst.control = Control::kReturn;
    inst.communicates = inst.access == Access::kAtomic || (inst.mods & mods::kVolatile) != 0;
    inst.is_volatile = source.opcode.find(".volatile") != std::string::npos;
    inst.is_compare_and_swap = source.opcode.find(".cas") != std::string::npos;
    inst.orders = Orders(source.opcode);
    if (Communicates(source.opcode, inst)) program_.blocks_communicate = true;
    program_.has_strong_accesses = program_.has_strong_accesses || inst.communicates;
    program_.has_fences = program_.has_fences || inst.orders;
    code_.push_back(inst);
    opcodes_.push_back(source.opcode);
  }

  /// Whether other blocks may see what this instruction does, in an order that they can rely on.
  static bool Communicates(const std::string& opcode, const Inst& inst) {
    const bool fence = opcode.starts_with("membar.gl") || opcode.starts_with("membar.sys") ||
                       (opcode.starts_with("fence") && !opcode.ends_with(".cta"));
    if (fence || opcode.find("grid") != std::string::npos) return true;
    const bool elsewhere =
        opcode.find(".shared") != std::string::npos || opcode.find(".local") != std::string::npos;
    return !elsewhere && (inst.access == Access::kAtomic || (inst.mods & mods::kVolatile) != 0);
  }

  /// Whether a thread that executes it puts what it did before, or does behind, in order with others that it
  /// meets through memory.
  static bool Orders(std::string_view opcode) {
    if (opcode.starts_with("membar") || opcode.starts_with("fence.sc") || opcode.starts_with("fence.acq_rel"))
      return true;
    if (opcode.starts_with("fence") || opcode.starts_with("mbarrier")) return false;
    for (std::string_view word : {".acquire", ".release", ".acq_rel"}) {
      if (opcode.find(word) != std::string_view::npos) return true;
    }
    return false;
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
    FindReconvergence(code_, tables_);
    // Lanes that call different functions through a pointer meet behind the call.
    for (std::size_t i = 0; i + 1 < code_.size(); ++i) {
      if (code_[i].control == Control::kCall && code_[i].op[1] != kNoOperand) code_[i + 1].is_join = true;
    }
    const auto base = static_cast<std::int32_t>(program_.code.size());
    const auto first_table = static_cast<std::int64_t>(program_.branch_tables.size());
    for (std::vector<std::int32_t>& table : tables_) {
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
    std::ranges::move(opcodes_, std::back_inserter(program_.opcodes));
  }

  // --- Calls. -----------------------------------------------------------------------------------------

  MaybeRefusal BindSlots(const ptx::Operand& list, std::vector<FrameSlot>& slots) const {
    for (const ptx::Operand& element : list.elements) {
      const auto slot = slots_.find(element.name);
      if (slot == slots_.end()) return Refusal{"arguments and results of calls must be .param variables"};
      slots.push_back(slot->second);
    }
    return std::nullopt;
  }

  MaybeRefusal BindCall(const ptx::Instruction& source, Inst& inst) {
    if (source.operands.size() < 3) return Refusal{"results, target and arguments are expected"};
    CallSite call;
    if (auto refusal = BindSlots(source.operands[0], call.results)) return refusal;
    if (auto refusal = BindSlots(source.operands[2], call.arguments)) return refusal;
    const ptx::Operand& target = source.operands[1];
    if (target.kind == ptx::OperandKind::kRegister) {
      builder_.calls_indirectly = true;
      if (auto refusal = BindRegister(target, 8, false, inst.op[1])) return refusal;
    } else {
      const auto function = std::find_if(module_.functions.begin(), module_.functions.end(),
                                         [&](const ptx::Function& f) { return f.name == target.name; });
      if (function == module_.functions.end()) return Refusal{"the module has no function " + target.name};
      if (function->is_extern && BuiltinOf(*function) == Builtin::kNone) {
        const bool launches = function->name.starts_with("__cudaCDP2") || function->name.starts_with("cuda");
        return Refusal{"it calls " + ptx::DemangledName(function->name) +
                       (launches ? ": kernels cannot launch kernels here (dynamic parallelism)"
                                 : ", which is not defined in the program")};
      }
      if (call.arguments.size() != function->parameters.size() ||
          call.results.size() > function->returns.size()) {
        return Refusal{"the call does not fit the function " + target.name};
      }
      call.function = static_cast<std::int32_t>(function - module_.functions.begin());
      builder_.wanted.push_back(static_cast<std::size_t>(call.function));
    }
    inst.imm = static_cast<std::int64_t>(program_.calls.size());
    program_.calls.push_back(std::move(call));
    return std::nullopt;
  }

  // --- Operands. ----------------------------------------------------------------------------------------

  /// Where the next source goes when nothing was written: sources begin at 1 (see Inst::op).
  MaybeRefusal Bind(const InstructionRow& row, const ptx::Instruction& source, Inst& inst) {
    const std::vector<OperandRole> roles = ParseOperands(row.operands);
    if (row.control == Control::kCall) return BindCall(source, inst);
    std::size_t next_operand = 0;
    int next_slot = 0;
    for (const OperandRole& role : roles) {
      if (role.role == 'C') {
        inst.op[5] = carry_;
        continue;
      }
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
      case 'R': {
        if (operand.negated) inst.mods |= mods::kNegate;
        return BindPredicate(operand, inst.op[4], false);
      }
      case 'n': return BindSecondAddress(operand, inst, source_slot());
      case 'S': {
        const bool fits = operand.kind == ptx::OperandKind::kImmediate &&
                          (operand.bits == 4 || operand.bits == 8 || operand.bits == 16);
        if (!fits) return Refusal{"a size of 4, 8 or 16 is expected"};
        inst.register_bytes = inst.shared_access_bytes = static_cast<std::uint8_t>(operand.bits);
        return std::nullopt;
      }
      case 'V': return BindList(operand, role, true, inst.op[next_slot++]);
      case 'W': return BindList(operand, role, false, source_slot());
      case 'T': return BindClock(operand, role.type, inst);
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
      case 'l': return BindBranchTable(operand, inst);
      case 'h': {
        // A cache policy changes when data come, not what they are.
        if (source.opcode.find(".L2::cache_hint") == std::string::npos) return Refusal{"too many operands"};
        OperandRef unused;
        return BindSource(operand, role.type, unused);
      }
      case 'i': {
        if (operand.kind != ptx::OperandKind::kImmediate) return Refusal{"a constant is expected"};
        inst.imm = static_cast<std::int64_t>(operand.bits);
        return std::nullopt;
      }
      default: return Refusal{"the instruction table has an unknown role"};
    }
  }

  MaybeRefusal BindBranchTable(const ptx::Operand& operand, Inst& inst) {
    const auto table = function_.branch_targets.find(operand.name);
    if (table == function_.branch_targets.end())
      return Refusal{"the name of a .branchtargets list is expected"};
    inst.imm = static_cast<std::int64_t>(tables_.size());
    tables_.push_back(table->second);
    return std::nullopt;
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
      ref = builder_.Constant(operand.bits ? kAllLanes : 0, sizeof(Mask));
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
        ref = builder_.Constant(ImmediateBits(operand, type), LaneBytes(type));
        return std::nullopt;
      case ptx::OperandKind::kSpecial: return BindSpecial(operand, type, ref);
      case ptx::OperandKind::kSymbol: {
        if (auto local = local_addresses_.find(operand.name);
            local != local_addresses_.end() && LaneBytes(type) == 8) {
          ref = local->second;
          return std::nullopt;
        }
        const auto value = SymbolValue(operand.name);
        if (!value) return Refusal{"'" + operand.name + "' has no address on the virtual GPU"};
        ref = builder_.Constant(*value + static_cast<std::uint64_t>(operand.offset), LaneBytes(type));
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
    if (auto reserved = builder_.shared.find(operand.name);
        reserved != builder_.shared.end() && LaneBytes(type) == 4) {
      ref = builder_.Constant(reserved->second, 4);
      return std::nullopt;
    }
    for (const SpecialName& entry : kSpecialNames) {
      if (entry.name != operand.name) continue;
      if (LaneBytes(type) != 4) return Refusal{operand.name + " has 32 bits"};
      ref = MakeOperand(Bank::kSpecials, SpecialOffset(entry.special));
      return std::nullopt;
    }
    return Refusal{"special register '" + operand.name + "' is not supported"};
  }

  /// imm: which half of the time, as a shift.
  static MaybeRefusal BindClock(const ptx::Operand& operand, ptx::Type type, Inst& inst) {
    if (operand.kind != ptx::OperandKind::kSpecial) return Refusal{"a register is expected"};
    const std::string& name = operand.name;
    const bool is_low = name == "%clock" || name == "%globaltimer_lo";
    const bool is_high = name == "%clock_hi" || name == "%globaltimer_hi";
    const bool is_whole = name == "%clock64" || name == "%globaltimer";
    if (LaneBytes(type) == 8 ? !is_whole : !is_low && !is_high) {
      return Refusal{"special register '" + name + "' is not supported"};
    }
    inst.imm = is_high ? 32 : 0;
    return std::nullopt;
  }

  std::uint32_t SpecialOffset(Special special) {
    for (const auto& slot : program_.specials) {
      if (slot.special == special) return slot.offset;
    }
    const std::uint32_t offset = program_.special_bytes;
    program_.specials.push_back({special, offset});
    program_.special_bytes += sizeof(std::uint32_t) * kWarpSize;
    return offset;
  }

  std::optional<std::uint64_t> SymbolValue(const std::string& name) const {
    if (function_.is_entry) {
      if (auto at = builder_.parameters.find(name); at != builder_.parameters.end()) return at->second;
    }
    if (auto at = builder_.shared.find(name); at != builder_.shared.end()) return at->second;
    if (auto at = builder_.symbols.find(name); at != builder_.symbols.end()) return at->second;
    return std::nullopt;
  }

  static Access AccessOf(std::string_view opcode) {
    for (std::string_view reads : {"ld", "wmma.load"}) {
      if (opcode.starts_with(reads)) return Access::kRead;
    }
    for (std::string_view writes : {"st", "wmma.store", "cp.async.ca", "cp.async.cg"}) {
      if (opcode.starts_with(writes)) return Access::kWrite;
    }
    for (std::string_view hints : {"prefetch", "discard", "applypriority", "createpolicy"}) {
      if (opcode.starts_with(hints)) return Access::kNone;
    }
    return Access::kAtomic;
  }

  MaybeRefusal BindAddress(const ptx::Operand& operand, const ptx::Instruction& source, Inst& inst) {
    const bool is_plain = operand.kind == ptx::OperandKind::kAddress && operand.elements.empty();
    if (!is_plain) return Refusal{"an address in [] is expected"};
    inst.imm = operand.offset;
    inst.access = AccessOf(source.opcode);
    inst.is_async_copy = source.opcode.starts_with("cp.async.c");
    NoteSharedAccess(source.opcode, inst);
    NoteGlobalStore(source.opcode, inst);
    // Its handler relies on bounds that were checked here, and only a slot has bounds that are known here.
    const bool names_slot = operand.index < 0 && slots_.contains(operand.name);
    if (source.opcode.starts_with("st.param") && !names_slot) {
      return Refusal{"only a parameter or result of a call can be written, by its name"};
    }
    if (operand.index >= 0) {
      const std::uint32_t bytes = LaneBytes(RegisterType(operand));
      if (bytes != 4 && bytes != 8) return Refusal{"an address needs a register of 32 or 64 bits"};
      inst.address_bytes = static_cast<std::uint8_t>(bytes);
      return BindRegister(operand, bytes, false, inst.op[4]);
    }
    inst.address_bytes = 8;
    if (auto slot = slots_.find(operand.name); slot != slots_.end())
      return BindSlot(slot->second, source, inst);
    if (auto local = local_addresses_.find(operand.name); local != local_addresses_.end()) {
      inst.op[4] = local->second;
      return std::nullopt;
    }
    std::uint64_t base = 0;
    if (!operand.name.empty()) {
      const auto value = SymbolValue(operand.name);
      if (!value) return Refusal{"'" + operand.name + "' has no address on the virtual GPU"};
      base = *value;
    }
    inst.op[4] = builder_.Constant(base, 8);
    return std::nullopt;
  }

  /// The source of a copy: its offset goes into the upper half of imm, whose lower half is the target's.
  MaybeRefusal BindSecondAddress(const ptx::Operand& operand, Inst& inst, OperandRef& ref) {
    if (operand.kind != ptx::OperandKind::kAddress) return Refusal{"an address in [] is expected"};
    const auto fits = [](std::int64_t offset) { return offset == static_cast<std::int32_t>(offset); };
    if (!fits(operand.offset) || !fits(inst.imm)) return Refusal{"the offset of an address is too large"};
    inst.imm = static_cast<std::int64_t>((static_cast<std::uint64_t>(operand.offset) << 32) |
                                         static_cast<std::uint32_t>(inst.imm));
    if (operand.index >= 0) {
      const std::uint32_t bytes = LaneBytes(RegisterType(operand));
      if (bytes != 4 && bytes != 8) return Refusal{"an address needs a register of 32 or 64 bits"};
      inst.source_bytes = static_cast<std::uint8_t>(bytes);
      return BindRegister(operand, bytes, false, ref);
    }
    const auto value = operand.name.empty() ? std::uint64_t{0} : SymbolValue(operand.name);
    if (!value) return Refusal{"'" + operand.name + "' has no address on the virtual GPU"};
    inst.source_bytes = 8;
    ref = builder_.Constant(*value, 8);
    return std::nullopt;
  }

  MaybeRefusal BindSlot(const FrameSlot& slot, const ptx::Instruction& source, Inst& inst) {
    const std::uint64_t count = std::uint64_t{1} << ((inst.mods & mods::kVectorMask) >> mods::kVectorShift);
    const ptx::Type type = ptx::TypeFromName(source.opcode.substr(source.opcode.rfind('.') + 1));
    const std::uint64_t bytes = count * ptx::TypeBytes(type);
    if (inst.imm < 0 || static_cast<std::uint64_t>(inst.imm) + bytes > slot.bytes) {
      return Refusal{"the access leaves its parameter"};
    }
    inst.mods |= mods::kFrame;
    inst.op[4] = builder_.SlotAddresses(slot);
    return std::nullopt;
  }

  /// The races check works in whole words unless a kernel stores less than a word of global memory.
  static void NoteGlobalStore(const std::string& opcode, Inst& inst) {
    if (inst.access == Access::kRead) return;
    for (std::string_view space : {".shared", ".local", ".const", ".param"}) {
      if (opcode.find(space) != std::string::npos) return;
    }
    const ptx::Type type = ptx::TypeFromName(opcode.substr(opcode.rfind('.') + 1));
    inst.global_store_bytes = static_cast<std::uint8_t>(ptx::TypeBytes(type));
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
    std::uint8_t width = 0;  // The lanes of all elements are read or written alike.
    for (std::size_t i = 0; i < count; ++i) {
      const ptx::Operand& element = is_vector ? operand.elements[i] : operand;
      if (element.kind == ptx::OperandKind::kSink && is_load) continue;
      if (is_load && element.kind != ptx::OperandKind::kRegister) return Refusal{"a register is expected"};
      if (width != 0 && width != WidthOf(element, type)) return Refusal{"the elements differ in width"};
      inst.register_bytes = width = WidthOf(element, type);
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

  MaybeRefusal BindList(const ptx::Operand& operand, const OperandRole& role, bool destination,
                        OperandRef& list) {
    const bool is_vector = operand.kind == ptx::OperandKind::kVector;
    if ((is_vector ? operand.elements.size() : 1) != static_cast<std::size_t>(role.count)) {
      return Refusal{"a vector of " + std::to_string(role.count) + " is expected"};
    }
    list = static_cast<OperandRef>(program_.operand_lists.size());
    for (int i = 0; i < role.count; ++i) {
      const ptx::Operand& element = is_vector ? operand.elements[static_cast<std::size_t>(i)] : operand;
      OperandRef ref = kNoOperand;
      if (auto refusal =
              destination ? BindDestination(element, role.type, ref) : BindSource(element, role.type, ref)) {
        return refusal;
      }
      program_.operand_lists.push_back(ref);
    }
    return std::nullopt;
  }

  ProgramBuilder& builder_;
  Program& program_;
  const Engine& engine_;
  const ptx::Module& module_;
  const ptx::Function& function_;
  FunctionCode& function_code_;
  std::vector<Inst> code_;
  std::vector<std::string> opcodes_;  ///< Of code_.
  BranchTables tables_;               ///< Positions in code_, until Append.
  std::int32_t first_location_ = 0;
  std::vector<OperandRef> registers_;
  OperandRef scratch_ = kNoOperand;
  OperandRef carry_ = kNoOperand;  ///< CC.CF.
  std::map<std::string, FrameSlot, std::less<>> slots_;
  std::map<std::string, OperandRef, std::less<>> local_addresses_;
  std::map<std::size_t, std::int64_t> moved_;  ///< See LocalLayout.
};

/// What is left for recursion and indirect calls beside the locals of all functions, per thread; the
/// default stack of a CUDA thread is 1 KiB.
constexpr std::uint32_t kSpareLocalBytes = 8192;

/// Gives the instructions of each source line one number.
void NumberLines(Program& program) {
  std::map<std::pair<std::string, int>, std::uint32_t> first;
  for (Inst& inst : program.code) {
    inst.line = inst.index;
    if (const SourceLine where = program.Where(inst); where.line)
      inst.line = first.emplace(std::pair(where.file, where.line), inst.index).first->second;
  }
}

/// Decodes what is called, and what that calls, and so on.
Status DecodeCallees(ProgramBuilder& builder) {
  Program& program = *builder.program;
  const auto& functions = builder.module.functions;
  auto decode = [&](std::size_t index) -> Status {
    FunctionCode& code = program.functions[index];
    if (code.is_decoded || code.builtin != Builtin::kNone) return Unit{};
    code.builtin = BuiltinOf(functions[index]);
    if (code.builtin == Builtin::kMalloc || code.builtin == Builtin::kFree) program.blocks_communicate = true;
    if (code.builtin != Builtin::kNone) return Unit{};
    if (functions[index].is_extern) {
      return SubmissionError("The kernel calls " + ptx::DemangledName(functions[index].name) +
                             ", which is not defined in the program.");
    }
    code.is_decoded = true;  // before its own calls ask for it again
    return FunctionDecoder(builder, functions[index], code).Run();
  };
  bool all = false;
  while (!builder.wanted.empty() || (builder.calls_indirectly && !all)) {
    if (builder.wanted.empty()) {
      // An indirect call may reach any function. One that cannot be decoded is refused when it is reached.
      all = true;
      for (std::size_t i = 0; i < functions.size(); ++i) {
        if (!functions[i].is_entry && !decode(i)) program.functions[i].is_decoded = false;
      }
      continue;
    }
    const std::size_t index = builder.wanted.back();
    builder.wanted.pop_back();
    if (auto done = decode(index); !done) return done;
  }
  return Unit{};
}

}  // namespace

Result<std::unique_ptr<Program>> Decode(const Engine& engine, const ptx::Module& module,
                                        const ptx::Function& function, const SymbolTable& symbols,
                                        SourceLine& refused_at) {
  ProgramBuilder builder(engine, module, symbols);
  Program& program = *builder.program;
  program.name = function.name;
  program.plain_name = ptx::DemangledName(function.name);
  program.is_debug = module.is_debug;
  program.max_threads = function.max_threads;
  program.required_threads = function.required_threads;
  program.functions.resize(module.functions.size());
  auto shared = LayOutShared(module, function, program);
  if (!shared) return shared.error();
  builder.shared = std::move(shared).value();
  auto parameters = LayOutParameters(function, program);
  if (!parameters) return parameters.error();
  builder.parameters = std::move(parameters).value();
  Status done = FunctionDecoder(builder, function, program.kernel).Run();
  if (done) done = DecodeCallees(builder);
  refused_at = builder.refused_at;
  if (!done) return done.error();
  NumberLines(program);
  std::uint64_t local_bytes = program.kernel.local_bytes;
  if (!program.calls.empty()) {
    for (const FunctionCode& callee : program.functions) local_bytes += callee.local_bytes;
    local_bytes += kSpareLocalBytes;
  }
  auto fits = CheckSize(function.name, "local memory per thread, with all that it may call", local_bytes,
                        kMaxLocalBytes + kSpareLocalBytes);
  if (!fits) return fits.error();
  program.local_bytes = static_cast<std::uint32_t>(local_bytes);
  return std::move(builder.program);
}

}  // namespace warplings::vgpu
