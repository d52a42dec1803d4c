// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/guard_conditions.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace warplings::vgpu {
namespace {

/// More guards are not worth their cost.
constexpr std::size_t kMostBranches = 256;

bool HasSpecial(const ptx::Operand& operand) {
  return operand.kind == ptx::OperandKind::kSpecial || std::ranges::any_of(operand.elements, HasSpecial);
}

std::string Written(const ptx::Operand& operand) {
  return std::to_string(static_cast<int>(operand.kind)) + (operand.negated ? "!" : "") + operand.name + "," +
         std::to_string(operand.index) + "," + std::to_string(operand.bits) + "," +
         std::to_string(operand.offset) +
         (operand.is_double  ? "d"
          : operand.is_float ? "f"
                             : "") +
         ";";
}

}  // namespace

bool IsPure(const InstructionRow& row) {
  if (row.control != Control::kNone || row.memory.access != Access::kNone || row.effect != Effect::kNone ||
      row.ordering != Ordering::kNone || row.operands.size() == 0)
    return false;
  return std::ranges::all_of(row.operands,
                             [](const OperandRole& operand) {
                               switch (operand.role) {
                                 case Role::kSource:
                                 case Role::kWideSource:
                                 case Role::kWholeSource:
                                 case Role::kSourceParts:
                                 case Role::kSourcePredicate:
                                 case Role::kConstant: return true;
                                 case Role::kDestinationList: return false;
                                 default: return IsDestination(operand.role);
                               }
                             }) &&
         IsDestination(row.operands[0].role);
}

GuardConditions::GuardConditions(const ptx::Function& function, std::span<const InstructionRow> rows,
                                 const RegisterFlow& flow, const BranchTables& tables,
                                 const std::vector<Inst>& code)
    : function_(function),
      rows_(rows),
      defines_(flow.defines),
      sources_(flow.sources),
      tables_(tables),
      code_(code),
      instructions_(function.instructions),
      count_(static_cast<Index>(function.instructions.size())) {
  FindDefinitions();
  FindConstants();
}

void GuardConditions::FindBranches() {
  FindInvariants();
  FindSameComparisons();
  FindEdges();
}

// --- Registers: who defines and who uses them, and which stay the same. ---

void GuardConditions::FindDefinitions() {
  definition_.assign(function_.registers.size(), kNone);
  uses_.resize(function_.registers.size());
  for (Index at = 0; at < count_; ++at) {
    for (Index reg : defines_[Place(at)]) {
      definition_[Place(reg)] = definition_[Place(reg)] == kNone ? at : kSeveral;
    }
    for (Index reg : sources_[Place(at)]) uses_[Place(reg)].push_back(at);
    if (At(at).guard >= 0) uses_[Place(At(at).guard)].push_back(at);
  }
}

template <class IsAllowed>
std::vector<bool> GuardConditions::Closure(const std::vector<bool>& given, IsAllowed is_allowed) const {
  std::vector<bool> in_set(function_.registers.size(), false);
  std::vector<std::size_t> missing(Place(count_), 0);
  std::vector<Index> ready;
  for (Index at = 0; at < count_; ++at) {
    missing[Place(at)] = sources_[Place(at)].size();
    if (missing[Place(at)] == 0 || given[Place(at)]) ready.push_back(at);
  }
  while (!ready.empty()) {
    const Index at = ready.back();
    ready.pop_back();
    if (!given[Place(at)] && (At(at).guard >= 0 || !is_allowed(at))) continue;
    for (Index reg : defines_[Place(at)]) {
      if (definition_[Place(reg)] != at || in_set[Place(reg)]) continue;
      in_set[Place(reg)] = true;
      for (Index use : uses_[Place(reg)]) {
        // A register that is a source twice is listed twice, and a guard is no source.
        if (At(use).guard != reg && --missing[Place(use)] == 0) ready.push_back(use);
      }
    }
  }
  return in_set;
}

void GuardConditions::FindConstants() {
  is_constant_ = Closure(std::vector<bool>(Place(count_), false), [&](Index at) {
    return IsPure(RowOf(at)) && std::ranges::none_of(At(at).operands, HasSpecial);
  });
}

void GuardConditions::FindInvariants() {
  is_invariant_ = Closure(OutsideLoops(), [&](Index at) {
    const InstructionRow& row = RowOf(at);
    const bool is_argument = row.memory.access == Access::kRead && row.memory.space == StateSpace::kParam &&
                             !(code_[Place(at)].mods & mods::kFrame);
    return IsPure(row) || is_argument;
  });
}

void GuardConditions::FindSameComparisons() {
  std::map<std::string, Index> first;
  same_as_.assign(Place(count_), kNone);
  for (Index at = 0; at < count_; ++at) {
    const std::vector<ptx::Operand>& operands = At(at).operands;
    if (!At(at).opcode.starts_with("setp.") || operands.size() != 3 || At(at).guard >= 0) continue;
    const std::string text = At(at).opcode + ";" + Written(operands[1]) + Written(operands[2]);
    same_as_[Place(at)] = first.emplace(text, at).first->second;
  }
}

bool GuardConditions::IsSetBefore(Index reg, Index at) {
  const Index definition = definition_[Place(reg)];
  auto [known, is_new] = reached_without_.try_emplace(definition);
  if (is_new) known->second = Reachable(definition, kNone, false);
  return !known->second.empty() && !known->second[Place(at)];
}

// --- Control flow: which guards hold wherever an instruction is executed. ---

std::vector<bool> GuardConditions::OutsideLoops() const {
  std::vector<std::int64_t> change(Place(count_) + 1, 0);  // Of the number of spans, by instruction.
  for (Index at = 0; at < count_; ++at) {
    ForEachSuccessor(at, [&](Index next, bool) {
      if (next < 0 || next > at) return;
      ++change[Place(next)];
      --change[Place(at) + 1];
    });
  }
  std::vector<bool> outside(Place(count_));
  std::int64_t spans = 0;
  for (Index at = 0; at < count_; ++at) {
    spans += change[Place(at)];
    outside[Place(at)] = spans == 0;
  }
  return outside;
}

template <class F>
void GuardConditions::ForEachSuccessor(Index at, F f) const {
  const Inst& inst = code_[Place(at)];
  const bool is_guarded = At(at).guard >= 0;
  switch (inst.control) {
    case Control::kBranch:
      f(inst.target, true);
      if (is_guarded) f(at + 1, false);
      return;
    case Control::kBranchTable:
      for (std::int32_t target : tables_[static_cast<std::size_t>(inst.imm)]) f(target, true);
      f(at + 1, false);
      return;
    case Control::kExit:
    case Control::kReturn:
    case Control::kTrap:
      if (is_guarded) f(at + 1, false);
      return;
    default: f(at + 1, false);
  }
}

std::vector<bool> GuardConditions::Reachable(Index without_node, Index without_edge, bool taken) {
  if (!Spend(static_cast<std::uint64_t>(count_))) return {};
  std::vector<bool> seen(Place(count_) + 1, false);
  if (without_node == 0) return seen;
  std::vector<Index> open = {0};
  seen[0] = true;
  while (!open.empty()) {
    const Index at = open.back();
    open.pop_back();
    if (at >= count_) continue;
    ForEachSuccessor(at, [&](Index next, bool is_taken) {
      if (at == without_edge && is_taken == taken) return;
      if (next < 0 || next > count_ || next == without_node || seen[Place(next)]) return;
      seen[Place(next)] = true;
      open.push_back(next);
    });
  }
  return seen;
}

void GuardConditions::FindEdges() {
  std::size_t branches = 0;
  for (Index at = 0; at < count_; ++at) {
    const Inst& inst = code_[Place(at)];
    if (inst.control != Control::kBranch || At(at).guard < 0 || inst.target == at + 1) continue;
    if (++branches > kMostBranches) break;
    for (bool taken : {true, false}) {
      Condition condition;
      AddGuard(At(at).guard, taken != At(at).guard_negated, condition);
      if (condition.empty()) continue;
      std::vector<bool> reached = Reachable(kNone, at, taken);
      if (!reached.empty()) edges_.push_back({std::move(condition), std::move(reached)});
    }
  }
}

GuardConditions::Condition GuardConditions::HoldsAt(Index at) const {
  Condition all;
  for (const Edge& edge : edges_) {
    if (!edge.reached_without[Place(at)]) all.insert(edge.condition.begin(), edge.condition.end());
  }
  return all;
}

void GuardConditions::AddGuard(Index predicate, bool value, Condition& condition, int depth) const {
  if (depth > 8 || !is_invariant_[Place(predicate)]) return;
  const Index at = definition_[Place(predicate)];
  const std::string_view opcode = At(at).opcode;
  const std::vector<ptx::Operand>& operands = At(at).operands;
  const auto add = [&](const ptx::Operand& source, bool wanted) {
    if (source.kind == ptx::OperandKind::kRegister)
      AddGuard(source.index, wanted != source.negated, condition, depth + 1);
  };
  if (opcode == (value ? "and.pred" : "or.pred") && operands.size() == 3) {
    add(operands[1], value);
    add(operands[2], value);
  } else if ((opcode == "not.pred" || opcode == "mov.pred") && operands.size() == 2) {
    add(operands[1], value != (opcode == "not.pred"));
  } else if (same_as_[Place(at)] != kNone && operands[0].kind == ptx::OperandKind::kRegister) {
    condition.insert({same_as_[Place(at)], value});
  }
}

}  // namespace warplings::vgpu
