// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/counters/warp_path.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "grader/virtual_gpu/counters/instruction_cost.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu {
namespace {

/// Used only to find the longest chain; the estimate decides what a step costs.
double Length(const PathSteps& path) {
  constexpr double kShared = 30, kGlobal = 500, kBarrier = 30;
  return path.cycles + kShared * path.shared + kGlobal * path.global + kBarrier * path.barriers;
}

const PathSteps& Longer(const PathSteps& a, const PathSteps& b) {
  return Length(a) < Length(b) ? b : a;
}

bool IsRegister(OperandRef operand) {
  return operand != kNoOperand && operand >> 30 == static_cast<std::uint32_t>(Bank::kRegisters);
}

/// All that an instruction reads or writes but for its guard.
std::array<OperandRef, 9> OperandsOf(const Inst& inst) {
  return {inst.op[0],   inst.op[1],   inst.op[2],     inst.op[3], inst.address,
          inst.address, inst.members, inst.predicate, inst.carry};
}
constexpr std::uint32_t kFirst = 1, kVector = 0xf, kSecondPredicate = 1u << 7;

/// Which of OperandsOf an instruction writes; the others it reads.
std::uint32_t WrittenOperands(const Operands& operands) {
  if (operands.size() == 0) return 0;
  switch (operands[0].role) {
    case Role::kDestination:
    case Role::kWideDestination:
    case Role::kDestinationPredicate: return kFirst;
    case Role::kDestinationVector:
    case Role::kDestinationParts:
    case Role::kDestinationList: return kVector;
    case Role::kDestinationAndPredicate:
    case Role::kDestinationPredicates: return kFirst | kSecondPredicate;
    default: return 0;
  }
}

using RegisterSet = std::set<OperandRef>;

/// All registers that some instruction reads; frames of functions share their names.
RegisterSet ReadRegisters(const Engine& engine, const Program& program) {
  RegisterSet read;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Inst& inst = program.code[i];
    if (program.opcodes[i].empty()) continue;
    const std::uint32_t written = WrittenOperands(engine.rows[inst.row].operands);
    const auto operands = OperandsOf(inst);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (!(written >> k & 1) && IsRegister(operands[k])) read.insert(operands[k]);
    }
    if (IsRegister(inst.guard)) read.insert(inst.guard);
  }
  return read;
}

enum class Wait { kNone, kShared, kGlobal };

/// What the result of a memory instruction waits for.
Wait WaitOf(const InstructionRow& row, const Inst& inst, const RegisterSet& read) {
  // An atomic whose old value nobody reads becomes one that returns none.
  const bool returns =
      inst.access == Access::kRead || (inst.access == Access::kAtomic && read.contains(inst.op[0]));
  if (!returns) return Wait::kNone;
  switch (row.SpaceWith(inst.mods)) {
    case StateSpace::kParam: return Wait::kNone;
    case StateSpace::kShared:
    case StateSpace::kLocal:
    case StateSpace::kConst: return Wait::kShared;
    default: return Wait::kGlobal;
  }
}

/// The stretch of straight code that is being gone through.
class Stretch {
 public:
  explicit Stretch(const RegisterSet& read) : read_(read) {}

  PathSteps longest;

  void Add(const InstructionRow& row, std::string_view opcode, const Inst& inst) {
    const std::uint32_t written = WrittenOperands(row.operands);
    const auto operands = OperandsOf(inst);
    PathSteps start = ReadyOf(inst.guard);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!(written >> i & 1)) start = Longer(start, ReadyOf(operands[i]));
    }
    if (inst.access != Access::kNone) start = AfterStores(row, inst, start);
    // What a block waits for together begins with what its slowest warp has done by then.
    if (inst.control == Control::kBarrier) start = longest;
    PathSteps end = start;
    end.cycles += CostOf(opcode).cycles;
    const Wait wait = WaitOf(row, inst, read_);
    end.shared += wait == Wait::kShared;
    end.global += wait == Wait::kGlobal;
    end.barriers += inst.control == Control::kBarrier;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if ((written >> i & 1) && IsRegister(operands[i])) ready_[operands[i]] = end;
    }
    longest = Longer(longest, end);
  }

 private:
  PathSteps ReadyOf(OperandRef operand) const {
    const auto known = IsRegister(operand) ? ready_.find(operand) : ready_.end();
    return known == ready_.end() ? PathSteps{} : known->second;
  }

  struct Store {
    bool is_shared;
    OperandRef address;
    PathSteps start;
  };

  PathSteps AfterStores(const InstructionRow& row, const Inst& inst, PathSteps start) {
    const StateSpace space = row.SpaceWith(inst.mods);
    const bool is_shared = space == StateSpace::kShared;
    if (inst.access != Access::kRead) {
      stores_.push_back({is_shared, inst.address, start});
      return start;
    }
    if ((inst.mods & mods::kReadOnly) || space == StateSpace::kParam) return start;
    for (const Store& store : stores_) {
      if (store.is_shared == is_shared && store.address != inst.address) start = Longer(start, store.start);
    }
    return start;
  }

  const RegisterSet& read_;
  std::map<OperandRef, PathSteps> ready_;
  std::vector<Store> stores_;
};

/// Where stretches begin.
std::vector<bool> Beginnings(const Program& program) {
  std::vector<bool> begins(program.code.size() + 1, false);
  const auto mark = [&](std::int32_t at) {
    if (at >= 0) begins[static_cast<std::size_t>(at)] = true;
  };
  mark(0);
  for (const FunctionCode& function : program.functions) {
    if (function.is_decoded) mark(function.entry);
  }
  for (const auto& table : program.branch_tables) std::ranges::for_each(table, mark);
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Inst& inst = program.code[i];
    mark(inst.target);
    if (inst.control == Control::kNone || inst.control == Control::kWarpSync ||
        inst.control == Control::kClock)
      continue;
    // An early return of some threads does not keep the loads behind it from being issued.
    if (inst.control != Control::kExit || inst.guard == kNoOperand) begins[i + 1] = true;
  }
  return begins;
}

}  // namespace

std::vector<PathSteps> FindPaths(const Engine& engine, const Program& program) {
  const std::vector<bool> begins = Beginnings(program);
  const RegisterSet read = ReadRegisters(engine, program);
  std::vector<PathSteps> paths(program.code.size());
  for (std::size_t first = 0; first < program.code.size();) {
    Stretch stretch(read);
    std::size_t i = first;
    do {
      const Inst& inst = program.code[i];
      if (!program.opcodes[i].empty()) stretch.Add(engine.rows[inst.row], program.opcodes[i], inst);
      ++i;
    } while (i < program.code.size() && !begins[i]);
    paths[first] = stretch.longest;
    first = i;
  }
  return paths;
}

}  // namespace warplings::vgpu
