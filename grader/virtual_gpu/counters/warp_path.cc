// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/counters/warp_path.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "grader/virtual_gpu/counters/instruction_cost.h"
#include "grader/virtual_gpu/exec/form.h"

namespace warplings::vgpu {
namespace {

/// Only to choose the longest among chains; what a step takes is for the estimate to say.
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

/// Which of Inst::op an instruction writes; the others it reads.
std::uint32_t WrittenOperands(std::string_view operands, const Inst& inst) {
  constexpr std::uint32_t kFirst = 1, kVector = 0xf, kCarry = 1u << 5;
  if (operands.empty()) return 0;
  const char role = operands[operands[0] == '?' ? 1 : 0];
  if (role == 'v') return inst.access == Access::kRead ? kVector : 0;
  if (role == 'U' || role == 'V') return kVector;
  if (role == 'D' || role == 'Q') return kFirst | kCarry;
  return std::string_view("dxqT").find(role) == std::string_view::npos ? 0 : kFirst;
}

using RegisterSet = std::set<OperandRef>;

/// All registers that some instruction reads; frames of functions share their names.
RegisterSet ReadRegisters(const Engine& engine, const Program& program) {
  RegisterSet read;
  for (std::size_t i = 0; i < program.code.size(); ++i) {
    const Inst& inst = program.code[i];
    if (program.opcodes[i].empty()) continue;
    const std::uint32_t written = WrittenOperands(engine.rows[inst.row].operands, inst);
    for (std::uint32_t k = 0; k < 6; ++k) {
      if (!(written >> k & 1) && IsRegister(inst.op[k])) read.insert(inst.op[k]);
    }
    if (IsRegister(inst.guard)) read.insert(inst.guard);
  }
  return read;
}

enum class Wait { kNone, kShared, kGlobal };

/// What the result of a memory instruction waits for.
Wait WaitOf(std::string_view opcode, const Inst& inst, const RegisterSet& read) {
  // An atomic whose old value nobody reads becomes one that returns none.
  const bool returns =
      inst.access == Access::kRead || (inst.access == Access::kAtomic && read.contains(inst.op[0]));
  if (!returns || opcode.starts_with("ld.param")) return Wait::kNone;
  for (std::string_view near : {".shared", ".local", ".const"}) {
    if (opcode.find(near) != std::string_view::npos) return Wait::kShared;
  }
  return Wait::kGlobal;
}

/// The stretch of straight code that is being gone through.
class Stretch {
 public:
  explicit Stretch(const RegisterSet& read) : read_(read) {}

  PathSteps longest;

  void Add(const InstructionRow& row, std::string_view opcode, const Inst& inst) {
    const std::uint32_t written = WrittenOperands(row.operands, inst);
    PathSteps start = ReadyOf(inst.guard);
    for (std::uint32_t i = 0; i < 6; ++i) {
      if (!(written >> i & 1)) start = Longer(start, ReadyOf(inst.op[i]));
    }
    if (inst.access != Access::kNone) start = AfterStores(opcode, inst, start);
    // What a block waits for together begins with what its slowest warp has done by then.
    if (inst.control == Control::kBarrier) start = longest;
    PathSteps end = start;
    end.cycles += CostOf(opcode).cycles;
    const Wait wait = WaitOf(opcode, inst, read_);
    end.shared += wait == Wait::kShared;
    end.global += wait == Wait::kGlobal;
    end.barriers += inst.control == Control::kBarrier;
    for (std::uint32_t i = 0; i < 6; ++i) {
      if ((written >> i & 1) && IsRegister(inst.op[i])) ready_[inst.op[i]] = end;
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

  PathSteps AfterStores(std::string_view opcode, const Inst& inst, PathSteps start) {
    const bool is_shared = opcode.find(".shared") != std::string_view::npos;
    if (inst.access != Access::kRead) {
      stores_.push_back({is_shared, inst.op[4], start});
      return start;
    }
    if (opcode.find(".nc") != std::string_view::npos || opcode.starts_with("ld.param")) return start;
    for (const Store& store : stores_) {
      if (store.is_shared == is_shared && store.address != inst.op[4]) start = Longer(start, store.start);
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
