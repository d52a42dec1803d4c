// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/01_boundary_checks/tiled_matmul_evidence.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "grader/messages/joining.h"
#include "grader/suite/comparison.h"
#include "grader/suite/evidence.h"
#include "reference/matmul.h"
#include "tests/suites/01_boundary_checks/guard_models.h"
#include "tests/suites/01_boundary_checks/messages.h"
#include "tests/suites/common/contrast.h"
#include "tests/suites/common/matmul_call.h"
#include "tests/suites/common/messages.h"

namespace warplings::tiled_matmul {
namespace {

using All = std::span<const Evidence>;

// --- Small predicates over one test. -------------------------------------------------------------

bool Partial(const Evidence& e) {
  return e.width % kTileWidth != 0;
}

// --- Searching all tests. ------------------------------------------------------------------------

/// True when every test in which `counts` is asked saw as many accesses outside as `model` says, and at
/// least one of them saw any.
template <class Model>
bool CountsFollow(All all, std::string_view label, Access access, const Model& model) {
  bool any = false;
  for (const Evidence& e : all) {
    if (!Completed(e.result)) continue;
    const std::uint64_t outside = CountOutside(e.result, label, access);
    if (outside != model(e.width)) return false;
    any |= outside > 0;
  }
  return any;
}

/// The check that explains the reads outside M or N; nothing if there are none or no check does.
std::optional<Guard> GuardOf(All all, Load load, bool lacks_last_phase) {
  const std::string_view label = load == Load::kM ? "M" : "N";
  for (const Guard guard : kGuards) {
    // Without its last phase a kernel with no check at all reads as much outside.
    if (guard == Guard::kLastPhase && lacks_last_phase) continue;
    const auto model = [&](int width) { return ReadsOutside(load, guard, width); };
    if (CountsFollow(all, label, Access::kRead, model)) return guard;
  }
  return std::nullopt;
}

/// No element is loaded where M is narrower than a tile, so that no partial phase runs. Then there is no last
/// phase in which anything could be checked, whatever else is wrong.
bool RunsOnlyWholePhases(All all) {
  bool any_below = false, any_above = false;
  for (const Evidence& e : all) {
    if (!Completed(e.result)) continue;
    const bool loads = TotalCounts(e.result).global_load_requests > 0;
    if (e.width < kTileWidth && loads) return false;
    any_below |= e.width < kTileWidth;
    any_above |= e.width >= kTileWidth && loads;  // A card counts none.
  }
  return any_below && any_above;
}

/// The width is said where the test's title does not have it.
Message In(const Evidence& e, const Message& what) {
  const bool title_has_it = std::ranges::any_of(e.result.title.arguments(), [&](const Argument& argument) {
    return argument.kind == Argument::Kind::kNumber && argument.number == e.width;
  });
  return title_has_it ? say::of_test(e.test, what) : say::of_test_with_width(e.test, e.width, what);
}

// --- One function a family of facts. -------------------------------------------------------------

using Found = std::vector<Fact>;

void FindMissingBarriers(All all, Found& found) {
  // Of somebody who reads: two threads that both write one place have a wrong index.
  const auto races = [](const Evidence& e) { return ReadsTooEarlyOrStoresOver(e.result); };
  // Where there is no edge, too: at an edge it may be a 0 that is stored into another place than the element.
  const auto is_whole = [](const Evidence& e) { return !Partial(e) && Completed(e.result); };
  const bool any_whole = std::ranges::any_of(all, is_whole);
  const bool only_at_edges =
      any_whole && std::ranges::none_of(all, [&](const Evidence& e) { return is_whole(e) && races(e); });
  if (only_at_edges) return;
  // At the smallest widths there is one phase, however small a tile is that the contract allows.
  constexpr int kSmallestTile = 4;
  const Evidence* single_phase =
      FirstWith(all, [&](const Evidence& e) { return e.width <= kSmallestTile && races(e); });
  if (single_phase != nullptr) {
    // What is stored behind the read is no element that the read waits for, such as the next tile.
    if (BarrierOfRaces(single_phase->result) == RaceBarrier::kStoreComesLast) return;
    Fact& fact = AddFact(found, In(*single_phase, say::tiled_race_in_only_phase()));
    ShowFinding(fact, single_phase->result, NeedsABarrier);
    return;
  }
  const Evidence* several = FirstWith(all, races);
  if (several == nullptr) return;
  const RaceBarrier barrier = BarrierOfRaces(several->result);
  const bool only_above_a_tile =
      std::ranges::none_of(all, [&](const Evidence& e) { return e.width <= kTileWidth && races(e); });
  // Smaller tiles have further phases below. One that is awaited in some phases only races within the others.
  const bool is_between =
      barrier == RaceBarrier::kAlways || (only_above_a_tile && barrier != RaceBarrier::kSometimes);
  if (!is_between) return;
  Fact& fact = AddFact(found, In(*several, say::race_between_phases()));
  ShowFinding(fact, several->result, NeedsABarrier);
}

/// What nobody has written is not a number, and so is what is computed with it. Where none is stored, only
/// threads without an element of P have read such places.
bool StoresNoNumber(const Evidence& e) {
  return std::ranges::any_of(e.p, [](float value) { return std::isnan(value); });
}

/// A race also finds places in the tiles that nobody has written *yet*: only tests without one count. Where
/// there is no edge each place has its element, and whoever leaves one out has another reason than the edge.
void FindIncompleteTiles(All all, Found& found) {
  const auto no_edge = [](const Evidence& e) {
    return !Partial(e) && HasFinding(e.result, FindingKind::kUninitialised, MemorySpace::kShared) &&
           !HasFinding(e.result, FindingKind::kRace, MemorySpace::kShared);
  };
  if (std::ranges::any_of(all, no_edge)) return;
  const Evidence* empty = FirstWith(all, [](const Evidence& e) {
    return HasFinding(e.result, FindingKind::kUninitialised, MemorySpace::kShared) &&
           !HasFinding(e.result, FindingKind::kRace, MemorySpace::kShared);
  });
  if (empty == nullptr) return;
  // With more threads than a tile has places, those that returned may have had nothing to load.
  const bool has_more = std::ranges::any_of(empty->result.launches, [](const LaunchRecord& launch) {
    return launch.block.Volume() > kTileWidth * kTileWidth;
  });
  if (HasFinding(empty->result, FindingKind::kBarrierAfterExit)) {
    if (has_more) return;
    Fact& fact = AddFact(found, In(*empty, say::tiled_returned_early()));
    ShowFinding(fact, empty->result, FindingKind::kBarrierAfterExit);
  } else if (std::ranges::any_of(all, StoresNoNumber)) {
    Fact& fact = AddFact(found, In(*empty, say::tiled_elements_unwritten()));
    ShowFinding(fact, empty->result, [](const Finding& finding) {
      return finding.kind == FindingKind::kUninitialised && finding.space == MemorySpace::kShared;
    });
  }
}

/// What a check of one load is taken for; "" for those that only both loads together tell.
std::string IdOf(Guard guard, Load load) {
  switch (guard) {
    case Guard::kNone:
    case Guard::kRowOnly:
    case Guard::kColumnOnly: return load == Load::kM ? "m_load_unguarded" : "n_load_unguarded";
    case Guard::kLastPhase: return "guard_only_in_last_phase";
    case Guard::kOther: return "guards_swapped";
    // The check of P at a load: a thread that returned early has it, too, but nothing here says that one did.
    case Guard::kOutput: break;
    case Guard::kOffByOne:
    case Guard::kRowOffByOne:
    case Guard::kColumnOffByOne: return "guard_off_by_one";
    case Guard::kRight: break;
  }
  return "";
}

/// Says that the fact explains only the tests in which something is accessed outside the array.
void ListTests(Fact& fact, All all, std::string_view label, Access access) {
  for (const Evidence& e : all) {
    if (CountOutside(e.result, label, access) > 0) fact.tests.push_back(e.test);
  }
}

void FindLoads(All all, bool lacks_last_phase, const ProductFacts& facts, Found& found) {
  const auto asks_for_the_other = [&](Load load) {
    return GuardOf(all, load, lacks_last_phase) == Guard::kOther;
  };
  const bool swapped = asks_for_the_other(Load::kM) && asks_for_the_other(Load::kN);
  for (const Load load : {Load::kM, Load::kN}) {
    const std::string label = load == Load::kM ? "M" : "N";
    const Evidence* outside =
        FirstWith(all, [&](const Evidence& e) { return CountOutside(e.result, label, Access::kRead) > 0; });
    if (outside == nullptr) continue;
    const std::optional<Guard> guard = GuardOf(all, load, lacks_last_phase);
    // A kernel of another shape fits no model. Reads outside in the only phase are unchecked for sure;
    // later ones may have more than one reason, and naming a wrong one is worse than naming none.
    // Where sums lack products whose elements exist, it is the index that is wrong, whatever is asked before.
    const bool unchecked = outside->width < kTileWidth && (facts.lacking == 0 || lacks_last_phase);
    // One load with the other's check is copied; only two are interchanged.
    if (guard == Guard::kOther && !swapped) continue;
    // A check in the last phase alone keeps no element away; one that asks for the other matrix's row or
    // column does, and reads as much outside.
    if (guard == Guard::kLastPhase && facts.lacking > 0 && !lacks_last_phase) continue;
    std::string id = guard ? IdOf(*guard, load) : unchecked ? IdOf(Guard::kNone, load) : "";
    // It runs no further phase, so that there is no other one that may be checked.
    if (!guard && lacks_last_phase) id = IdOf(Guard::kNone, load);
    const std::uint64_t times = CountOutside(outside->result, label, Access::kRead);
    if (id.empty()) continue;
    Fact& fact = AddFact(found, id, In(*outside, say::tiled_reads_outside(times, label)));
    ShowFinding(fact, outside->result, [&](const Finding& finding) {
      return finding.kind == FindingKind::kOutOfBounds && finding.object == label;
    });
    // The narrower ones fail because no phase runs, and that comes before what a phase loads.
    if (lacks_last_phase) ListTests(fact, all, label, Access::kRead);
  }
}

/// What is stored outside is missing inside: an index is wrong, and not (only) a check.
bool MissesWhatItStoresOutside(All all) {
  return std::ranges::any_of(all, [](const Evidence& e) {
    return Completed(e.result) && CountOutside(e.result, "P", Access::kWrite) > 0 &&
           std::ranges::any_of(e.p, IsPoison);
  });
}

void FindStores(All all, bool lacks_last_phase, Found& found) {
  const Evidence* outside =
      FirstWith(all, [](const Evidence& e) { return CountOutside(e.result, "P", Access::kWrite) > 0; });
  if (outside == nullptr) return;
  const auto follows = [&](Guard guard) {
    return CountsFollow(all, "P", Access::kWrite, [&](int width) { return WritesOutside(guard, width); });
  };
  // With <= for the column alone a single store leaves P, and one store has many other reasons.
  const bool misses = MissesWhatItStoresOutside(all);
  const bool off_by_one = follows(Guard::kOffByOne) || (!misses && follows(Guard::kRowOffByOne));
  if (!off_by_one && misses) return;
  const std::uint64_t times = CountOutside(outside->result, "P", Access::kWrite);
  Fact& fact = AddFact(found, off_by_one ? "guard_off_by_one" : "p_store_unguarded",
                       In(*outside, say::tiled_writes_outside(times, "P")));
  ShowFinding(fact, outside->result, [](const Finding& finding) {
    return finding.kind == FindingKind::kOutOfBounds && finding.access == Access::kWrite &&
           finding.object == "P";
  });
  if (lacks_last_phase) ListTests(fact, all, "P", Access::kWrite);
}

/// P as it is when only the first floor(W / T) phases run.
reference::Bounded WithoutPartialPhase(const Evidence& e) {
  const auto width = static_cast<std::size_t>(e.width);
  const std::size_t kept = width / kTileWidth * kTileWidth;
  std::vector<float> m, n(e.n.begin(), e.n.begin() + static_cast<std::ptrdiff_t>(kept * width));
  for (std::size_t row = 0; row < width; ++row) {
    const auto start = e.m.begin() + static_cast<std::ptrdiff_t>(row * width);
    m.insert(m.end(), start, start + static_cast<std::ptrdiff_t>(kept));
  }
  return reference::Matmul(m, n, width, kept, width);
}

bool LacksPartialPhase(const Evidence& e) {
  if (e.p.empty() || e.result.wrong_count == 0) return false;
  const reference::Bounded partial = WithoutPartialPhase(e);
  bool any = false;
  for (std::size_t i = 0; i < e.p.size(); ++i) {
    if (IsPoison(e.p[i])) continue;
    if (IsWrong(e.p[i], partial.value[i], partial.bound[i])) return false;
    any = true;
  }
  return any;
}

/// P as it is when a thread loads both its elements or none: one check asks for all four indices, and a place
/// gets 0 although its element exists.
reference::Bounded WithOneCheck(const Evidence& e) {
  const int w = e.width, t = kTileWidth, phases = (w + t - 1) / t;
  reference::Bounded p;
  for (int row = 0; row < w; ++row) {
    for (int col = 0; col < w; ++col) {
      double sum = 0, magnitude = 0;
      for (int k = 0; k < w; ++k) {
        const int start = k / t * t;  // of the phase
        // M[row][k] is loaded by a thread of P's column col / t * t + k % t, N[k][col] by one of that row.
        const bool has_m = col / t * t + k % t < w && start + row % t < w;
        const bool has_n = row / t * t + k % t < w && start + col % t < w;
        if (!has_m || !has_n) continue;
        const double product = double{e.m[static_cast<std::size_t>(row * w + k)]} *
                               double{e.n[static_cast<std::size_t>(k * w + col)]};
        sum += product;
        magnitude += std::fabs(product);
      }
      p.value.push_back(sum);
      p.bound.push_back(reference::Gamma(static_cast<std::size_t>(phases * t), 0x1p-24) * magnitude + 1e-30);
    }
  }
  return p;
}

bool Follows(const Evidence& e, const reference::Bounded& model) {
  for (std::size_t i = 0; i < e.p.size(); ++i) {
    if (IsWrong(e.p[i], model.value[i], model.bound[i])) return false;
  }
  return !e.p.empty();
}

void FindOneCheck(All all, Found& found) {
  const Evidence* wrong = FirstWith(all, [](const Evidence& e) { return e.result.wrong_count > 0; });
  if (wrong == nullptr) return;
  const bool follows = std::ranges::all_of(all, [](const Evidence& e) {
    return !HasError(e.result) && Completed(e.result) && Follows(e, WithOneCheck(e));
  });
  if (!follows) return;
  AddFact(found, In(*wrong, say::tiled_both_or_none()));
}

/// Just the rows and columns behind the last whole tile were never written, and there were fewer threads than
/// elements: with a thread for each it is a check that keeps them away.
bool LacksPartialBlocks(const Evidence& e) {
  if (e.p.empty()) return false;
  std::uint64_t threads = 0;
  for (const LaunchRecord& launch : e.result.launches)
    threads += launch.grid.Volume() * launch.block.Volume();
  if (threads >= e.p.size()) return false;
  const int covered = e.width / kTileWidth * kTileWidth;
  for (int row = 0; row < e.width; ++row) {
    for (int col = 0; col < e.width; ++col) {
      const bool missing = IsPoison(e.p[static_cast<std::size_t>(row * e.width + col)]);
      if (missing != (row >= covered || col >= covered)) return false;
    }
  }
  return true;
}

/// Of a kernel that runs only whole phases: what these load and store outside is looked at after all phases
/// run. It fails wherever a tile hangs over, also where stores outside P have changed the sums.
void PutMissingPhaseFirst(All all, Found& found) {
  const auto is_partial = [](const Evidence& e) { return Partial(e) && Completed(e.result); };
  const Evidence* shown = FirstWith(all, is_partial);
  if (shown == nullptr) return;
  std::erase_if(found, [](const Fact& fact) { return fact.id == "phase_count_rounded_down"; });
  Fact& fact = AddFact(found, In(*shown, say::tiled_no_last_phase()));
  for (const Evidence& e : all) {
    if (is_partial(e)) fact.tests.push_back(e.test);
  }
  std::ranges::rotate(found, found.end() - 1);
}

/// Where the last phase is a whole one, values are wrong as well: it is no partial one that is lost.
bool FailsWithWholeTiles(All all) {
  return std::ranges::any_of(all, [](const Evidence& e) { return !Partial(e) && e.result.wrong_count > 0; });
}

void FindRoundedCounts(All all, Found& found) {
  std::vector<const Evidence*> ran;
  for (const Evidence& e : all) {
    if (Partial(e) && Completed(e.result)) ran.push_back(&e);
  }
  if (ran.empty()) return;
  if (std::ranges::all_of(ran, [](const Evidence* e) { return LacksPartialBlocks(*e); })) {
    AddFact(found, In(*ran.front(), say::tiled_last_tiles_unwritten()));
  }
  const bool lacks_phase = !FailsWithWholeTiles(all) &&
                           std::ranges::all_of(ran, [](const Evidence* e) { return LacksPartialPhase(*e); });
  if (lacks_phase) {
    AddFact(found, In(*ran.front(), say::tiled_no_last_phase()));
  }
}

/// Only where everything else is right: how an answer fetches its data is not its first problem otherwise.
void FindUntiled(All all, Found& found) {
  const bool right = std::ranges::all_of(all, [](const Evidence& e) {
    return Completed(e.result) && e.result.wrong_count == 0 && !HasError(e.result);
  });
  const bool no_shared_load = std::ranges::all_of(
      all, [](const Evidence& e) { return TotalCounts(e.result).shared_load_requests == 0; });
  if (!all.empty() && right && no_shared_load) AddFact(found, say::no_shared_load_in_any_test());
}

}  // namespace

std::vector<Fact> FactsOf(std::span<const Evidence> evidence, const ProductFacts& facts) {
  Found found;
  // Threads that meet at different barriers are out of step from there on, and races, empty places in tiles
  // and wrong values follow from it.
  if (const Evidence* e = FirstWith(evidence, [](const Evidence& each) {
        return HasFinding(each.result, FindingKind::kDivergentBarrier);
      })) {
    Fact& fact = AddFact(found, In(*e, say::tiled_different_barriers()));
    ShowFinding(fact, e->result, FindingKind::kDivergentBarrier);
    return found;
  }
  FindMissingBarriers(evidence, found);
  FindIncompleteTiles(evidence, found);
  const bool only_whole_phases = RunsOnlyWholePhases(evidence);
  const bool sums_end_early = EndsWithAWholeTile(facts, kTileWidth);
  const bool lacks_last_phase = only_whole_phases || sums_end_early;
  const std::size_t before = found.size();
  FindLoads(evidence, lacks_last_phase, facts, found);
  FindStores(evidence, lacks_last_phase, found);
  if (found.empty()) FindRoundedCounts(evidence, found);
  if (sums_end_early && !FailsWithWholeTiles(evidence))
    AddFact(found, "phase_count_rounded_down", AdviceFrom(facts.sentences));
  if (found.size() > before && only_whole_phases && !FailsWithWholeTiles(evidence))
    PutMissingPhaseFirst(evidence, found);
  if (found.empty()) FindOneCheck(evidence, found);
  if (found.empty()) FindUntiled(evidence, found);
  return found;
}

void AddInfinityOfAnotherRow(std::span<const Evidence> all, std::vector<Fact>& found) {
  const Evidence* failed = nullptr;
  for (const Evidence& e : all) {
    if (!HasFailed(e.result)) continue;
    if (failed != nullptr || IsOfNumbers(e) || e.result.verdict != Verdict::kWrongResult) return;
    failed = &e;
  }
  if (failed == nullptr || NextStepOfInfinity(failed->p, static_cast<std::size_t>(failed->width)).empty())
    return;
  AddFact(found, In(*failed, say::tiled_only_row_one_infinite()));
}

}  // namespace warplings::tiled_matmul
