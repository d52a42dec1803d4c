// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/load_uses.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace warplings::vgpu {
namespace {

using Index = std::int32_t;  ///< Of an instruction or a register.

/// What the search may visit, in instructions: hostile code must not make it long.
constexpr std::uint64_t kBudget = 4'000'000;
/// More guards, or more different uses of one value, are not worth their cost at each execution.
constexpr std::size_t kMostBranches = 256, kMostAlternatives = 8, kMostComparisons = 8;

/// Computes registers of its own lane from registers of its own lane, and does nothing else.
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

class Search {
 public:
  Search(const ptx::Function& function, std::span<const InstructionRow> rows, const RegisterFlow& flow,
         const FunctionFrame& frame, const BranchTables& tables, std::size_t first, std::vector<Inst>& code)
      : function_(function),
        rows_(rows),
        frame_(frame),
        defines_(flow.defines),
        sources_(flow.sources),
        tables_(tables),
        first_(first),
        code_(code),
        instructions_(function.instructions),
        count_(static_cast<Index>(function.instructions.size())) {}

  std::vector<UsedWhen> Run() {
    FindDefinitions();
    FindConstants();
    std::vector<Index> speculative, shared;
    for (Index at = 0; at < count_; ++at) {
      if (IsLoad(at)) (HasConstantAddress(at) ? speculative : shared).push_back(at);
    }
    std::erase_if(shared, [&](Index at) { return SpaceOf(at) != StateSpace::kShared; });
    if (speculative.empty() && shared.empty()) return {};
    FindInvariants();
    FindSameComparisons();
    FindBranches();
    // A race that is not there weighs more than a place that nobody has set: the budget is for those first.
    for (Index load : speculative) code_[Place(load)].used_when = PlaceOf(UsesOf(load));
    for (Index load : shared) code_[Place(load)].unset_when = PlaceOf(UsesOf(load));
    return std::move(found_);
  }

 private:
  /// A comparison that has to hold (or not to hold) is known by its instruction; those of the same operands
  /// count as one.
  using Comparison = std::pair<Index, bool>;
  using Condition = std::set<Comparison>;  ///< All of them.

  static Condition BothHave(const Condition& a, const Condition& b) {
    Condition both;
    std::ranges::set_intersection(a, b, std::inserter(both, both.begin()));
    return both;
  }
  static std::size_t Place(Index index) { return static_cast<std::size_t>(index); }
  const ptx::Instruction& At(Index at) const { return instructions_[Place(at)]; }
  const InstructionRow& RowOf(Index at) const { return rows_[code_[Place(at)].row]; }
  /// False: the budget is used up.
  bool Spend(std::uint64_t visits) {
    spent_ += visits;
    return spent_ <= kBudget;
  }

  // --- Registers: who defines and who uses them, and which stay the same. ---

  void FindDefinitions() {
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

  /// The least set of registers that have one definition, which is `given` or `is_allowed` and has all its
  /// sources in the set: the order in which they are found leaves out those that depend on themselves.
  template <class IsAllowed>
  std::vector<bool> Closure(const std::vector<bool>& given, IsAllowed is_allowed) const {
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

  static bool HasSpecial(const ptx::Operand& operand) {
    return operand.kind == ptx::OperandKind::kSpecial || std::ranges::any_of(operand.elements, HasSpecial);
  }
  void FindConstants() {
    is_constant_ = Closure(std::vector<bool>(Place(count_), false), [&](Index at) {
      return IsPure(RowOf(at)) && std::ranges::none_of(At(at).operands, HasSpecial);
    });
  }
  /// A register keeps what one instruction sets that is executed once, whatever that is computed from.
  void FindInvariants() {
    is_invariant_ = Closure(OutsideLoops(), [&](Index at) {
      const InstructionRow& row = RowOf(at);
      const bool is_argument = row.memory.access == Access::kRead && row.memory.space == StateSpace::kParam &&
                               !(code_[Place(at)].mods & mods::kFrame);
      return IsPure(row) || is_argument;
    });
  }

  // --- Control flow: which guards hold wherever an instruction is executed. ---

  /// The instructions that no jump backwards spans. Whoever comes to an instruction a second time has jumped
  /// from it, or from behind it, to it or to before it.
  std::vector<bool> OutsideLoops() const {
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
  void ForEachSuccessor(Index at, F f) const {
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

  /// What can be reached from the start without `without_node`, and without the edge of the branch
  /// `without_edge` that is taken or not. Empty: the budget is used up.
  std::vector<bool> Reachable(Index without_node, Index without_edge, bool taken) {
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

  /// A conditional branch: behind which of its edges everything is that `unreached` without that edge.
  struct Edge {
    Condition condition;
    std::vector<bool> reached_without;
  };

  void FindBranches() {
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

  Condition HoldsAt(Index at) const {
    Condition all;
    for (const Edge& edge : edges_) {
      if (!edge.reached_without[Place(at)]) all.insert(edge.condition.begin(), edge.condition.end());
    }
    return all;
  }

  /// Adds the comparisons that are known if a predicate is `value`: of !(a || b) both are known, of a || b
  /// neither.
  void AddGuard(Index predicate, bool value, Condition& condition, int depth = 0) const {
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

  static std::string Written(const ptx::Operand& operand) {
    return std::to_string(static_cast<int>(operand.kind)) + (operand.negated ? "!" : "") + operand.name +
           "," + std::to_string(operand.index) + "," + std::to_string(operand.bits) + "," +
           std::to_string(operand.offset) +
           (operand.is_double  ? "d"
            : operand.is_float ? "f"
                               : "") +
           ";";
  }
  /// The first comparison with the same opcode and operands stands for all of them.
  void FindSameComparisons() {
    std::map<std::string, Index> first;
    same_as_.assign(Place(count_), kNone);
    for (Index at = 0; at < count_; ++at) {
      const std::vector<ptx::Operand>& operands = At(at).operands;
      if (!At(at).opcode.starts_with("setp.") || operands.size() != 3 || At(at).guard >= 0) continue;
      const std::string text = At(at).opcode + ";" + Written(operands[1]) + Written(operands[2]);
      same_as_[Place(at)] = first.emplace(text, at).first->second;
    }
  }

  // --- One load. ---

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
    if (address == At(load).operands.end()) return false;
    return address->index < 0 ? !address->name.empty() : is_constant_[Place(address->index)];
  }

  /// Whether a register has its value wherever `at` is executed.
  bool IsSetBefore(Index reg, Index at) {
    const Index definition = definition_[Place(reg)];
    auto [known, is_new] = reached_without_.try_emplace(definition);
    if (is_new) known->second = Reachable(definition, kNone, false);
    return !known->second.empty() && !known->second[Place(at)];
  }

  bool CanCompareAt(Index comparison, Index load) {
    return std::ranges::all_of(sources_[Place(comparison)],
                               [&](Index reg) { return IsSetBefore(reg, load); });
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
      for (Index use : uses_[Place(reg)]) {
        if (!Spend(1 + edges_.size())) return std::nullopt;
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
      if (At(use).guard >= 0 && At(use).guard != reg) AddGuard(At(use).guard, !At(use).guard_negated, here);
      value_is_there = value_is_there ? BothHave(*value_is_there, here) : here;
    };
    for (Index reg : sources_[Place(use)]) add(reg);
    if (At(use).guard >= 0) add(At(use).guard);
    Condition when = HoldsAt(use);
    if (value_is_there) when.insert(value_is_there->begin(), value_is_there->end());
    return when;
  }

  /// Where a value comes to be used, and under which condition; nothing if every thread may use it.
  std::optional<std::set<Condition>> UsesOf(Index load) {
    const Condition given = HoldsAt(load);
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
    const Condition here = HoldsAt(use);
    when.insert(here.begin(), here.end());
    if (At(use).guard >= 0) AddGuard(At(use).guard, !At(use).guard_negated, when);
    const std::vector<ptx::Operand>& operands = At(use).operands;
    if (At(use).opcode.starts_with("selp.") && operands.size() == 4) {
      const auto is = [&](std::size_t i) {
        return operands[i].kind == ptx::OperandKind::kRegister && operands[i].index == reg;
      };
      if (operands[3].kind == ptx::OperandKind::kRegister && !is(3) && is(1) != is(2))
        AddGuard(operands[3].index, is(1) != operands[3].negated, when);
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

  static constexpr Index kNone = -1, kSeveral = -2;

  const ptx::Function& function_;
  const std::span<const InstructionRow> rows_;
  const FunctionFrame& frame_;
  const std::vector<std::vector<Index>>&defines_, &sources_;  ///< By instruction: registers.
  const BranchTables& tables_;
  const std::size_t first_;
  std::vector<Inst>& code_;
  const std::vector<ptx::Instruction>& instructions_;
  const Index count_;
  std::vector<Index> definition_;                 ///< By register: its only definition.
  std::vector<std::vector<Index>> uses_;          ///< By register: instructions.
  std::vector<bool> is_constant_, is_invariant_;  ///< By register.
  std::vector<Index> same_as_;                    ///< By comparison.
  std::vector<Edge> edges_;
  std::map<Index, std::vector<bool>> reached_without_;  ///< By instruction that is left out.
  std::vector<UsedWhen> found_;
  std::map<std::set<Condition>, std::int16_t>
      place_of_;  ///< Of what is in found_, or could not be put there.
  std::uint64_t spent_ = 0;
};

}  // namespace

std::vector<UsedWhen> FindLoadUses(const ptx::Function& function, std::span<const InstructionRow> rows,
                                   const RegisterFlow& flow, const FunctionFrame& frame,
                                   const BranchTables& tables, std::size_t first, std::vector<Inst>& code) {
  return Search(function, rows, flow, frame, tables, first, code).Run();
}

}  // namespace warplings::vgpu
