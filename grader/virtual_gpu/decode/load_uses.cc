// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/load_uses.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "grader/virtual_gpu/decode/guard_conditions.h"

namespace warplings::vgpu {
namespace {

/// More different uses of one value are not worth their cost at each execution.
constexpr std::size_t kMostAlternatives = 8, kMostComparisons = 8;

class Search {
 public:
  Search(const ptx::Function& function, std::span<const InstructionRow> rows, const RegisterFlow& flow,
         const FunctionFrame& frame, const BranchTables& tables, std::size_t first, std::vector<Inst>& code)
      : rows_(rows),
        frame_(frame),
        defines_(flow.defines),
        sources_(flow.sources),
        first_(first),
        code_(code),
        instructions_(function.instructions),
        guards_(function, rows, flow, tables, code) {}

  std::vector<UsedWhen> Run() {
    std::vector<Index> speculative, shared;
    for (Index at = 0; at < static_cast<Index>(instructions_.size()); ++at) {
      if (IsLoad(at)) (HasConstantAddress(at) ? speculative : shared).push_back(at);
    }
    std::erase_if(shared, [&](Index at) { return SpaceOf(at) != StateSpace::kShared; });
    if (speculative.empty() && shared.empty()) return {};
    guards_.FindBranches();
    // A race that is not there weighs more than a place that nobody has set: the budget is for those first.
    for (Index load : speculative) code_[Place(load)].used_when = PlaceOf(UsesOf(load));
    for (Index load : shared) code_[Place(load)].unset_when = PlaceOf(UsesOf(load));
    return std::move(found_);
  }

 private:
  using Index = GuardConditions::Index;
  using Comparison = GuardConditions::Comparison;
  using Condition = GuardConditions::Condition;

  static Condition BothHave(const Condition& a, const Condition& b) {
    Condition both;
    std::ranges::set_intersection(a, b, std::inserter(both, both.begin()));
    return both;
  }
  static std::size_t Place(Index index) { return static_cast<std::size_t>(index); }
  const ptx::Instruction& At(Index at) const { return instructions_[Place(at)]; }
  const InstructionRow& RowOf(Index at) const { return rows_[code_[Place(at)].row]; }
  StateSpace SpaceOf(Index at) const { return RowOf(at).SpaceWith(code_[Place(at)].mods); }
  /// One that every lane executes that comes there, and that nobody but its own lane can tell from no load.
  bool IsLoad(Index at) const {
    const Inst& inst = code_[Place(at)];
    const InstructionRow& row = RowOf(at);
    if (row.memory.access != Access::kRead || inst.communicates || inst.is_async_copy || At(at).guard >= 0 ||
        row.control != Control::kNone)
      return false;
    const StateSpace space = SpaceOf(at);
    return space == StateSpace::kShared || space == StateSpace::kGlobal || space == StateSpace::kGeneric;
  }
  bool HasConstantAddress(Index load) const {
    const auto address =
        std::ranges::find(At(load).operands, ptx::OperandKind::kAddress, &ptx::Operand::kind);
    // Where a texture's fetch reads is for its coordinates to say.
    if (address == At(load).operands.end() || !address->elements.empty()) return false;
    return address->index < 0 ? !address->name.empty() : guards_.IsConstant(address->index);
  }

  bool CanCompareAt(Index comparison, Index load) {
    return std::ranges::all_of(sources_[Place(comparison)],
                               [&](Index reg) { return guards_.IsSetBefore(reg, load); });
  }

  /// Where a loaded value goes.
  struct ValueFlow {
    std::map<Index, Condition> reaches;  ///< Registers that depend on it, and when they do.
    std::set<Index> uses;                ///< Instructions that do something with it.
  };
  /// Nothing where that is too much to find out.
  std::optional<ValueFlow> Follow(Index load) {
    ValueFlow flow;
    std::vector<Index> open;
    const auto reach = [&](Index reg, const Condition& when) {
      auto [entry, is_new] = flow.reaches.try_emplace(reg, when);
      if (is_new) {
        open.push_back(reg);
        return;
      }
      Condition both = BothHave(entry->second, when);
      if (both == entry->second) return;
      entry->second = std::move(both);
      open.push_back(reg);
    };
    for (Index reg : defines_[Place(load)]) reach(reg, {});
    while (!open.empty()) {
      const Index reg = open.back();
      open.pop_back();
      for (Index use : guards_.ReadersOf(reg)) {
        if (!guards_.Spend(guards_.CostOfHoldsAt())) return std::nullopt;
        if (!IsPure(RowOf(use)) || At(use).guard == reg) {
          flow.uses.insert(use);
          continue;
        }
        for (const auto& [dest, when] : FlowsTo(use, reg, flow.reaches.at(reg))) reach(dest, when);
      }
    }
    return flow;
  }

  /// When `use`, which is one of the flow's, has the value in a register.
  Condition WhenUsed(const ValueFlow& flow, Index use) const {
    std::optional<Condition> value_is_there;
    const auto add = [&](Index reg) {
      const auto entry = flow.reaches.find(reg);
      if (entry == flow.reaches.end()) return;
      Condition here = entry->second;
      // An instruction that is guarded by another register uses the value under that guard only.
      if (At(use).guard >= 0 && At(use).guard != reg)
        guards_.AddGuard(At(use).guard, !At(use).guard_negated, here);
      value_is_there = value_is_there ? BothHave(*value_is_there, here) : here;
    };
    for (Index reg : sources_[Place(use)]) add(reg);
    if (At(use).guard >= 0) add(At(use).guard);
    Condition when = guards_.HoldsAt(use);
    if (value_is_there) when.insert(value_is_there->begin(), value_is_there->end());
    return when;
  }

  /// Where a value comes to be used, and under which condition; nothing if every thread may use it.
  std::optional<std::set<Condition>> UsesOf(Index load) {
    const Condition given = guards_.HoldsAt(load);
    const std::optional<ValueFlow> flow = Follow(load);
    // No compiler leaves a load without a use: such a load is there to be looked at.
    if (!flow || flow->uses.empty()) return std::nullopt;
    std::set<Condition> alternatives;
    for (Index use : flow->uses) {
      Condition known;
      for (const Comparison& each : WhenUsed(*flow, use)) {
        if (!given.contains(each) && CanCompareAt(each.first, load)) known.insert(each);
      }
      if (known.empty()) return std::nullopt;
      alternatives.insert(std::move(known));
    }
    return alternatives;
  }

  /// The registers that depend on `reg` behind a pure instruction, each with its condition.
  std::vector<std::pair<Index, Condition>> FlowsTo(Index use, Index reg, Condition when) const {
    const Condition here = guards_.HoldsAt(use);
    when.insert(here.begin(), here.end());
    if (At(use).guard >= 0) guards_.AddGuard(At(use).guard, !At(use).guard_negated, when);
    const std::vector<ptx::Operand>& operands = At(use).operands;
    if (At(use).opcode.starts_with("selp.") && operands.size() == 4) {
      const auto is = [&](std::size_t i) {
        return operands[i].kind == ptx::OperandKind::kRegister && operands[i].index == reg;
      };
      if (operands[3].kind == ptx::OperandKind::kRegister && !is(3) && is(1) != is(2))
        guards_.AddGuard(operands[3].index, is(1) != operands[3].negated, when);
    }
    std::vector<std::pair<Index, Condition>> to;
    for (Index dest : defines_[Place(use)]) to.emplace_back(dest, when);
    return to;
  }

  /// Into Program::used_when; -1: all may use it. Loads of one loop mostly share their uses.
  std::int16_t PlaceOf(const std::optional<std::set<Condition>>& uses) {
    if (!uses) return -1;
    const auto [entry, is_new] = place_of_.try_emplace(*uses, std::int16_t{-1});
    if (is_new && found_.size() + first_ < std::numeric_limits<std::int16_t>::max()) {
      if (auto used = AsComparisons(*uses)) {
        entry->second = static_cast<std::int16_t>(first_ + found_.size());
        found_.push_back(std::move(*used));
      }
    }
    return entry->second;
  }

  std::optional<UsedWhen> AsComparisons(const std::set<Condition>& alternatives) const {
    UsedWhen used;
    for (const Condition& condition : alternatives) {
      // One that asks for more than another adds nothing.
      const bool is_implied = std::ranges::any_of(alternatives, [&](const Condition& other) {
        return other != condition && std::ranges::includes(condition, other);
      });
      if (is_implied) continue;
      if (used.size() == kMostAlternatives || condition.size() > kMostComparisons) return std::nullopt;
      std::vector<LaneComparison> all;
      for (const auto& [at, holds] : condition) {
        Inst compare = code_[Place(at)];
        compare.op[0] = frame_.scratch;
        all.push_back({compare, holds});
      }
      used.push_back(std::move(all));
    }
    return used;
  }

  const std::span<const InstructionRow> rows_;
  const FunctionFrame& frame_;
  const std::vector<std::vector<Index>>&defines_, &sources_;  ///< By instruction: registers.
  const std::size_t first_;
  std::vector<Inst>& code_;
  const std::vector<ptx::Instruction>& instructions_;
  GuardConditions guards_;
  std::vector<UsedWhen> found_;
  std::map<std::set<Condition>, std::int16_t>
      place_of_;  ///< Of what is in found_, or could not be put there.
};

}  // namespace

std::vector<UsedWhen> FindLoadUses(const ptx::Function& function, std::span<const InstructionRow> rows,
                                   const RegisterFlow& flow, const FunctionFrame& frame,
                                   const BranchTables& tables, std::size_t first, std::vector<Inst>& code) {
  return Search(function, rows, flow, frame, tables, first, code).Run();
}

}  // namespace warplings::vgpu
