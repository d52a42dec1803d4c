// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "grader/virtual_gpu/decode/control_flow.h"
#include "grader/virtual_gpu/decode/register_flow.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu {

/// Computes registers of its own lane from registers of its own lane, and does nothing else.
bool IsPure(const InstructionRow& row);

/// Which comparisons hold wherever an instruction of a function is executed, because a branch or a guard lets
/// nobody else come there. They are comparisons of what stays the same for a thread as long as its kernel
/// runs. In all there is a budget of visits: hostile code must not make the search long.
class GuardConditions {
 public:
  using Index = std::int32_t;  ///< Of an instruction or a register.
  /// A comparison that has to hold (or not to hold) is known by its instruction; those of the same operands
  /// count as one.
  using Comparison = std::pair<Index, bool>;
  using Condition = std::set<Comparison>;  ///< All of them.

  /// The arguments have to outlive the object. `code` as for FindLoadUses.
  GuardConditions(const ptx::Function& function, std::span<const InstructionRow> rows,
                  const RegisterFlow& flow, const BranchTables& tables, const std::vector<Inst>& code);

  /// Before HoldsAt and AddGuard. This is what takes long.
  void FindBranches();

  /// The comparisons that hold wherever `at` is executed.
  Condition HoldsAt(Index at) const;
  /// Adds the comparisons that are known if a predicate is `value`: of !(a || b) both are known, of a || b
  /// neither.
  void AddGuard(Index predicate, bool value, Condition& condition, int depth = 0) const;
  /// Whether a register has its value wherever `at` is executed.
  bool IsSetBefore(Index reg, Index at);
  /// It has one definition, from constants alone.
  bool IsConstant(Index reg) const { return is_constant_[Place(reg)]; }
  /// The instructions that read a register, or have it as their guard.
  const std::vector<Index>& ReadersOf(Index reg) const { return uses_[Place(reg)]; }

  /// False: the budget is used up.
  bool Spend(std::uint64_t visits) {
    spent_ += visits;
    return spent_ <= kBudget;
  }
  /// What one call of HoldsAt spends.
  std::uint64_t CostOfHoldsAt() const { return 1 + edges_.size(); }

 private:
  /// In instructions.
  static constexpr std::uint64_t kBudget = 4'000'000;
  static constexpr Index kNone = -1, kSeveral = -2;

  /// An edge of a conditional branch: what holds behind it, and which instructions are reached without it.
  struct Edge {
    Condition condition;
    std::vector<bool> reached_without;
  };

  static std::size_t Place(Index index) { return static_cast<std::size_t>(index); }
  const ptx::Instruction& At(Index at) const { return instructions_[Place(at)]; }
  const InstructionRow& RowOf(Index at) const { return rows_[code_[Place(at)].row]; }

  void FindDefinitions();
  /// The least set of registers that have one definition, which is `given` or `is_allowed` and has all its
  /// sources in the set: the order in which they are found leaves out those that depend on themselves.
  template <class IsAllowed>
  std::vector<bool> Closure(const std::vector<bool>& given, IsAllowed is_allowed) const;
  void FindConstants();
  /// A register keeps what one instruction sets that is executed once, whatever that is computed from.
  void FindInvariants();
  /// The first comparison with the same opcode and operands stands for all of them.
  void FindSameComparisons();
  void FindEdges();

  /// The instructions that no jump backwards spans. Whoever comes to an instruction a second time has jumped
  /// from it, or from behind it, to it or to before it.
  std::vector<bool> OutsideLoops() const;
  /// Calls f(next, whether that is the target of a branch) for what may be executed after `at`.
  template <class F>
  void ForEachSuccessor(Index at, F f) const;
  /// What can be reached from the start without `without_node`, and without the edge of the branch
  /// `without_edge` that is taken or not. Empty: the budget is used up.
  std::vector<bool> Reachable(Index without_node, Index without_edge, bool taken);

  const ptx::Function& function_;
  const std::span<const InstructionRow> rows_;
  const std::vector<std::vector<Index>>&defines_, &sources_;  ///< By instruction: registers.
  const BranchTables& tables_;
  const std::vector<Inst>& code_;
  const std::vector<ptx::Instruction>& instructions_;
  const Index count_;
  std::vector<Index> definition_;                 ///< By register: its only definition.
  std::vector<std::vector<Index>> uses_;          ///< By register: instructions.
  std::vector<bool> is_constant_, is_invariant_;  ///< By register.
  std::vector<Index> same_as_;                    ///< By comparison.
  std::vector<Edge> edges_;
  std::map<Index, std::vector<bool>> reached_without_;  ///< By instruction that is left out.
  std::uint64_t spent_ = 0;
};

}  // namespace warplings::vgpu
