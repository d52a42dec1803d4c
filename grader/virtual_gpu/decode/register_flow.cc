// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/register_flow.h"

#include <algorithm>
#include <limits>

namespace warplings::vgpu {
namespace {

void AddRegisters(const ptx::Operand& operand, std::vector<std::int32_t>& registers) {
  const bool may_have_one =
      operand.kind == ptx::OperandKind::kRegister || operand.kind == ptx::OperandKind::kAddress;
  if (may_have_one && operand.index >= 0) registers.push_back(operand.index);
  for (const ptx::Operand& element : operand.elements) AddRegisters(element, registers);
}

/// The instructions that a jump backwards spans.
std::vector<bool> InLoops(std::size_t count, const std::vector<Inst>& code, const BranchTables& tables) {
  std::vector<int> change(count + 1, 0);  // Of the number of spans, by instruction.
  const auto add_span = [&](std::size_t from, std::int32_t target) {
    if (target < 0 || static_cast<std::size_t>(target) > from) return;
    ++change[static_cast<std::size_t>(target)];
    --change[from + 1];
  };
  for (std::size_t at = 0; at < count; ++at) {
    if (code[at].control == Control::kBranch) add_span(at, code[at].target);
    if (code[at].control != Control::kBranchTable) continue;
    for (std::int32_t target : tables[static_cast<std::size_t>(code[at].imm)]) add_span(at, target);
  }
  std::vector<bool> inside(count, false);
  int spans = 0;
  for (std::size_t at = 0; at < count; ++at) inside[at] = (spans += change[at]) > 0;
  return inside;
}

/// Where the values of a register live: from `first` to `last`; nowhere if last < first.
struct Life {
  std::int32_t first = std::numeric_limits<std::int32_t>::max(), last = -1;
  void Add(std::int32_t at) { first = std::min(first, at), last = std::max(last, at); }
};

std::vector<Life> FindLives(const ptx::Function& function, const RegisterFlow& flow) {
  std::vector<Life> lives(function.registers.size());
  for (std::size_t at = 0; at < function.instructions.size(); ++at) {
    const auto place = static_cast<std::int32_t>(at);
    for (std::int32_t reg : flow.defines[at]) lives[static_cast<std::size_t>(reg)].Add(place);
    for (std::int32_t reg : flow.sources[at]) lives[static_cast<std::size_t>(reg)].Add(place);
  }
  return lives;
}

/// Of the jump backwards from each instruction; inner loops, which end first, come first.
void StretchOverLoops(std::vector<Life>& lives, const std::vector<Inst>& code, std::size_t count) {
  // Hostile code must not make this long.
  std::size_t budget = 8'000'000;
  for (std::size_t at = 0; at < count; ++at) {
    const auto end = static_cast<std::int32_t>(at);
    if (code[at].control != Control::kBranch || code[at].target < 0 || code[at].target > end) continue;
    if (budget < lives.size()) return;
    budget -= lives.size();
    for (Life& life : lives) {
      if (life.first < code[at].target && life.last >= code[at].target) life.last = std::max(life.last, end);
    }
  }
}

std::uint32_t RegistersOf(ptx::Type type) {
  return type == ptx::Type::kPred ? 0 : (ptx::TypeBytes(type) + 3) / 4;
}

}  // namespace

bool IsDestination(Role role) {
  switch (role) {
    case Role::kDestination:
    case Role::kDestinationAndPredicate:
    case Role::kWideDestination:
    case Role::kDestinationVector:
    case Role::kDestinationParts:
    case Role::kDestinationList:
    case Role::kDestinationPredicate:
    case Role::kDestinationPredicates: return true;
    default: return false;
  }
}

RegisterFlow FindRegisterFlow(const ptx::Function& function, std::span<const InstructionRow> rows,
                              const std::vector<Inst>& code) {
  RegisterFlow flow;
  flow.defines.resize(function.instructions.size());
  flow.sources.resize(function.instructions.size());
  for (std::size_t at = 0; at < function.instructions.size(); ++at) {
    const InstructionRow& row = rows[code[at].row];
    // What a call does with its operands is not looked into: they are used, and defined.
    const bool is_call = row.control == Control::kCall;
    std::size_t next = 0;
    for (const ptx::Operand& operand : function.instructions[at].operands) {
      const bool is_destination =
          !is_call && next < row.operands.size() && IsDestination(row.operands[next].role);
      ++next;
      if (is_destination || is_call) AddRegisters(operand, flow.defines[at]);
      if (!is_destination) AddRegisters(operand, flow.sources[at]);
    }
  }
  return flow;
}

bool UsesStrongValues(const ptx::Function& function, const RegisterFlow& flow,
                      const std::vector<Inst>& code) {
  const std::size_t count = function.instructions.size();
  std::vector<bool> is_used(function.registers.size(), false);
  for (std::size_t at = 0; at < count; ++at) {
    for (std::int32_t reg : flow.sources[at]) is_used[static_cast<std::size_t>(reg)] = true;
    const std::int32_t guard = function.instructions[at].guard;
    if (guard >= 0) is_used[static_cast<std::size_t>(guard)] = true;
  }
  for (std::size_t at = 0; at < count; ++at) {
    if (!code[at].communicates) continue;
    for (std::int32_t reg : flow.defines[at]) {
      if (is_used[static_cast<std::size_t>(reg)]) return true;
    }
  }
  return false;
}

bool WaitsForValues(const ptx::Function& function, const RegisterFlow& flow, const std::vector<Inst>& code,
                    const BranchTables& tables) {
  const std::size_t count = function.instructions.size();
  const auto reads_strongly = [&](std::size_t at) {
    return code[at].communicates && !flow.defines[at].empty();
  };
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < count; ++at) {
    if (reads_strongly(at)) open.push_back(at);
  }
  if (open.empty()) return false;
  if (!function.is_entry) return true;
  std::vector<std::vector<std::size_t>> uses(function.registers.size());
  const auto guard_of = [&](std::size_t at) { return function.instructions[at].guard; };
  for (std::size_t at = 0; at < count; ++at) {
    for (std::int32_t reg : flow.sources[at]) uses[static_cast<std::size_t>(reg)].push_back(at);
    if (guard_of(at) >= 0) uses[static_cast<std::size_t>(guard_of(at))].push_back(at);
  }
  const std::vector<bool> in_loop = InLoops(count, code, tables);
  std::vector<bool> depends(count, false);
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    const bool leaves_or_jumps = code[at].control != Control::kNone &&
                                 code[at].control != Control::kWarpSync &&
                                 code[at].control != Control::kBarrier;
    if (depends[at] && leaves_or_jumps && in_loop[at]) return true;
    for (std::int32_t reg : flow.defines[at]) {
      for (std::size_t use : uses[static_cast<std::size_t>(reg)]) {
        if (depends[use]) continue;
        depends[use] = true;
        open.push_back(use);
      }
    }
  }
  return false;
}

std::uint32_t CountLiveRegisters(const ptx::Function& function, const RegisterFlow& flow,
                                 const std::vector<Inst>& code) {
  const std::size_t count = function.instructions.size();
  std::vector<Life> lives = FindLives(function, flow);
  StretchOverLoops(lives, code, count);
  std::vector<std::int64_t> change(count + 1, 0);
  for (std::size_t reg = 0; reg < lives.size(); ++reg) {
    if (lives[reg].last < 0) continue;
    const std::int64_t registers = RegistersOf(function.registers[reg].type);
    change[static_cast<std::size_t>(lives[reg].first)] += registers;
    // What an instruction reads for the last time leaves room for what it sets.
    change[static_cast<std::size_t>(std::max(lives[reg].last, lives[reg].first + 1))] -= registers;
  }
  std::int64_t live = 0, most = 0;
  for (std::int64_t each : change) most = std::max(most, live += each);
  return static_cast<std::uint32_t>(std::min<std::int64_t>(most, std::numeric_limits<std::int32_t>::max()));
}

}  // namespace warplings::vgpu
