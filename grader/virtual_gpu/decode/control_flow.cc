// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/control_flow.h"

#include <algorithm>

namespace warplings::vgpu {
namespace {

struct Edge {
  int to = 0;
  bool kept = true;  ///< False: an early return that reconvergence need not wait for.
};

struct BasicBlock {
  int first = 0, last = 0;  ///< Instructions, both included.
  std::vector<Edge> successors;
};

bool LeavesFunction(const Inst& inst) {
  return inst.control == Control::kExit || inst.control == Control::kReturn;
}
bool IsBranch(const Inst& inst) {
  return inst.control == Control::kBranch || inst.control == Control::kBranchTable;
}
bool EndsBlock(const Inst& inst) {
  return IsBranch(inst) || LeavesFunction(inst);
}
bool IsAlways(const Inst& inst) {
  return inst.guard == kNoOperand;
}

/// The flow graph; the block after the last is the exit. Behind that come the tests of endless loops.
class FlowGraph {
 public:
  FlowGraph(const std::vector<Inst>& code, const BranchTables& tables) : code_(code), tables_(tables) {
    FindBlocks();
    Connect();
    DropEarlyReturns();
    LeaveEndlessLoops();
    FindPostDominators();
  }

  int exit() const { return exit_; }
  const std::vector<BasicBlock>& blocks() const { return blocks_; }
  /// -1 where no path leads to the exit.
  int PostDominator(int block) const { return post_dominator_[static_cast<std::size_t>(block)]; }

 private:
  void FindBlocks() {
    const int count = static_cast<int>(code_.size());
    std::vector<bool> starts(code_.size() + 1, false);
    starts[0] = true;
    for (int i = 0; i < count; ++i) {
      if (!EndsBlock(code_[i])) continue;
      starts[i + 1] = true;
      for (int target : TargetsOf(code_[i])) starts[target] = true;
    }
    block_of_.resize(code_.size() + 1);
    for (int i = 0; i < count; ++i) {
      if (starts[i]) blocks_.push_back({i, i, {}});
      blocks_.back().last = i;
      block_of_[i] = static_cast<int>(blocks_.size()) - 1;
    }
    exit_ = static_cast<int>(blocks_.size());
    blocks_.push_back({count, count, {}});
    block_of_[count] = exit_;
  }

  std::vector<std::int32_t> TargetsOf(const Inst& inst) const {
    if (inst.control == Control::kBranch) return {inst.target};
    if (inst.control == Control::kBranchTable) return tables_[static_cast<std::size_t>(inst.imm)];
    return {};
  }

  bool OnlyReturns(int block) const {
    const BasicBlock& b = blocks_[block];
    return block == exit() ||
           (b.first == b.last && LeavesFunction(code_[b.first]) && IsAlways(code_[b.first]));
  }

  void Connect() {
    for (int b = 0; b < exit(); ++b) {
      const Inst& last = code_[blocks_[b].last];
      auto& to = blocks_[b].successors;
      if (IsBranch(last)) {
        for (int target : TargetsOf(last)) to.push_back({block_of_[target], true});
        if (!IsAlways(last)) to.push_back({block_of_[blocks_[b].last + 1], true});
      } else if (LeavesFunction(last)) {
        to.push_back({exit(), IsAlways(last)});
        if (!IsAlways(last)) to.push_back({block_of_[blocks_[b].last + 1], true});
      } else {
        to.push_back({block_of_[blocks_[b].last + 1], true});
      }
    }
  }

  /// Drops the way out of every branch whose other way goes on, then puts back those without which some
  /// block would not reach the exit (a loop's only way out), last first.
  void DropEarlyReturns() {
    std::vector<std::pair<int, int>> dropped;
    for (int b = 0; b < exit(); ++b) {
      auto& to = blocks_[b].successors;
      if (to.size() != 2) continue;
      for (int k = 0; k < 2; ++k) {
        if (OnlyReturns(to[k].to) && !OnlyReturns(to[1 - k].to)) {
          to[k].kept = false;
          dropped.emplace_back(b, k);
        }
      }
    }
    while (!dropped.empty()) {
      const std::vector<bool> reaches = ReachesExit();
      auto lost = std::find_if(dropped.rbegin(), dropped.rend(),
                               [&](const auto& edge) { return !reaches[edge.first]; });
      if (lost == dropped.rend()) return;
      blocks_[lost->first].successors[lost->second].kept = true;
      dropped.erase(std::next(lost).base());
    }
  }

  /// A loop that no path leaves has no post-dominator, and lanes that diverge in it would never reconverge.
  /// Such a loop gets a way out before its first block, as if it tested a condition there: its lanes meet
  /// again at the end of each iteration, at the latest.
  void LeaveEndlessLoops() {
    const std::vector<std::vector<int>> from = Predecessors();
    std::vector<bool> reaches = ReachesExit();
    std::vector<int> test_of(blocks_.size(), -1);  // By first block of such a loop.
    for (int head = 0; head < exit(); ++head) {
      const auto jumps_back = [&](int block) { return block >= head && !reaches[block]; };
      if (reaches[head] || std::ranges::none_of(from[head], jumps_back)) continue;
      test_of[head] = static_cast<int>(blocks_.size());
      const int first = blocks_[head].first;
      blocks_.push_back({first, first, {}});
      MarkThoseThatReach(head, from, reaches);
    }
    for (BasicBlock& block : blocks_) {
      for (Edge& edge : block.successors) {
        if (test_of[edge.to] >= 0) edge.to = test_of[edge.to];
      }
    }
    for (int head = 0; head < exit(); ++head) {
      if (test_of[head] >= 0) blocks_[test_of[head]].successors = {{head, true}, {exit(), true}};
    }
  }

  std::vector<std::vector<int>> Predecessors() const {
    std::vector<std::vector<int>> from(blocks_.size());
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      for (const Edge& edge : blocks_[b].successors) {
        if (edge.kept) from[edge.to].push_back(static_cast<int>(b));
      }
    }
    return from;
  }
  static void MarkThoseThatReach(int block, const std::vector<std::vector<int>>& from,
                                 std::vector<bool>& reaches) {
    std::vector<int> work{block};
    reaches[block] = true;
    while (!work.empty()) {
      const int reached = work.back();
      work.pop_back();
      for (int b : from[reached]) {
        if (!reaches[b]) reaches[b] = true, work.push_back(b);
      }
    }
  }
  std::vector<bool> ReachesExit() const {
    std::vector<bool> reaches(blocks_.size(), false);
    MarkThoseThatReach(exit(), Predecessors(), reaches);
    return reaches;
  }

  /// K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph.
  void FindPostDominators() {
    const std::vector<std::vector<int>> from = Predecessors();
    std::vector<int> order;  // post-order of the reversed graph
    std::vector<int> number(blocks_.size(), -1);
    std::vector<std::pair<int, std::size_t>> stack{{exit(), 0}};
    std::vector<bool> seen(blocks_.size(), false);
    seen[exit()] = true;
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      if (next < from[block].size()) {
        const int b = from[block][next++];
        if (!seen[b]) seen[b] = true, stack.emplace_back(b, 0);
      } else {
        number[block] = static_cast<int>(order.size());
        order.push_back(block);
        stack.pop_back();
      }
    }
    post_dominator_.assign(blocks_.size(), -1);
    post_dominator_[exit()] = exit();
    auto intersect = [&](int a, int b) {
      while (a != b) {
        while (number[a] < number[b]) a = post_dominator_[a];
        while (number[b] < number[a]) b = post_dominator_[b];
      }
      return a;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (auto block = order.rbegin(); block != order.rend(); ++block) {
        if (*block == exit()) continue;
        int common = -1;
        for (const Edge& edge : blocks_[*block].successors) {
          if (!edge.kept || post_dominator_[edge.to] < 0) continue;
          common = common < 0 ? edge.to : intersect(common, edge.to);
        }
        if (common != post_dominator_[*block]) post_dominator_[*block] = common, changed = true;
      }
    }
  }

  const std::vector<Inst>& code_;
  const BranchTables& tables_;
  std::vector<BasicBlock> blocks_;
  int exit_ = -1;
  std::vector<int> block_of_;
  std::vector<int> post_dominator_;
};

}  // namespace

void FindReconvergence(std::vector<Inst>& code, const BranchTables& tables) {
  if (code.empty()) return;
  const FlowGraph graph(code, tables);
  for (int b = 0; b < graph.exit(); ++b) {
    Inst& last = code[graph.blocks()[b].last];
    const bool parts = last.control == Control::kBranchTable || !IsAlways(last);
    if (!IsBranch(last) || !parts) continue;
    const int meet = graph.PostDominator(b);
    if (meet < 0 || meet == graph.exit()) continue;
    const int at = graph.blocks()[meet].first;
    // Lanes that would meet only to return need not wait for each other.
    if (LeavesFunction(code[at]) && IsAlways(code[at])) continue;
    last.reconverge = at;
    code[at].is_join = true;
  }
}

}  // namespace warplings::vgpu
