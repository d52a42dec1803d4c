// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/02_rectangular_matmul/rect_evidence.h"

#include <algorithm>
#include <optional>
#include <set>

#include "grader/messages/joining.h"
#include "grader/suite/comparison.h"
#include "grader/suite/evidence.h"
#include "tests/suites/02_rectangular_matmul/messages.h"
#include "tests/suites/common/contrast.h"
#include "tests/suites/common/matmul_counts.h"
#include "tests/suites/common/messages.h"

namespace warplings::rect_matmul {
namespace {

using All = std::span<const MatmulEvidence>;
using Found = std::vector<Fact>;

constexpr Side kSides[] = {Side::kJ, Side::kK, Side::kL};

std::string NameOf(Side side) {
  return side == Side::kJ ? "j" : side == Side::kK ? "k" : "l";
}

// --- Candidates. ---------------------------------------------------------------------------------

using Field = Side RectModel::*;

class Candidates {
 public:
  explicit Candidates(const RectModel& right) : right_(right) {}

  /// One field holds another side; `evidence` is given its name.
  template <class Evidence>
  void AddOther(const std::string& id, Field field, const Evidence& evidence) {
    for (const Side side : kSides) {
      if (side == right_.*field) continue;
      RectModel model = right_;
      model.*field = side;
      list_.push_back({id, evidence(NameOf(side)), model});
    }
  }

  struct Limit {
    Side along, with;  ///< Along which side the index runs, and what it is compared with.
  };

  /// Of an index that is compared with its own side, nothing is said.
  static Message Compared(const std::string& array, Limit row, Limit column) {
    if (row.along == row.with || column.along == column.with) {
      const Limit& wrong = row.along == row.with ? column : row;
      return say::rect_index_compared(array, NameOf(wrong.along), NameOf(wrong.with));
    }
    return say::rect_indices_compared(array, NameOf(row.along), NameOf(row.with), NameOf(column.along),
                                      NameOf(column.with));
  }

  /// A check with two limits, one or both of which are another side.
  void AddOtherPair(const std::string& id, Field row, Field column, const std::string& array) {
    for (const Side row_side : kSides) {
      for (const Side column_side : kSides) {
        if (row_side == right_.*row && column_side == right_.*column) continue;
        RectModel model = right_;
        model.*row = row_side;
        model.*column = column_side;
        list_.push_back({id, Compared(array, {right_.*row, row_side}, {right_.*column, column_side}), model});
      }
    }
  }

  void AddOneForAll() {
    for (const Side side : kSides) {
      RectModel model = right_;
      for (const Field field :
           {&RectModel::m_row_limit, &RectModel::m_i_limit, &RectModel::n_i_limit, &RectModel::n_col_limit,
            &RectModel::p_row_limit, &RectModel::p_col_limit, &RectModel::products, &RectModel::m_row_length,
            &RectModel::n_row_length, &RectModel::p_row_length}) {
        model.*field = side;
      }
      list_.push_back({"one_side_for_all", say::rect_one_for_all(NameOf(side)), model});
    }
  }

  /// Row and column change places in one index; whose length goes with it is anybody's guess.
  void AddInterchanged(bool RectModel::*flag, Field length, const std::string& array) {
    for (const Side side : kSides) {
      RectModel model = right_;
      model.*flag = true;
      model.*length = side;
      list_.push_back({"row_and_column_interchanged", say::rect_column_times(array, NameOf(side)), model});
    }
  }

  /// P's check is missing, half missing, or lets one too many pass.
  void AddUnchecked() {
    const std::string id = "store_not_checked";
    RectModel row = right_, column = right_, both = right_, excess = right_;
    row.p_row_limit = both.p_row_limit = Side::kNone;
    column.p_col_limit = both.p_col_limit = Side::kNone;
    excess.p_limit_excess = 1;
    list_.push_back({id, say::rect_rows_unchecked(), row});
    list_.push_back({id, say::rect_columns_unchecked(), column});
    list_.push_back({id, say::rect_nothing_checked(), both});
    list_.push_back({id, say::rect_one_too_many(), excess});
  }

  void AddTurn(const std::string& id, Turn turn, const Message& evidence) {
    RectModel model = right_;
    model.turn = turn;
    list_.push_back({id, evidence, model});
  }

  /// A tile of M, of N or of both is filled in one order of its indices and read in the other.
  void AddTurnedTiles() {
    RectModel m = right_, n = right_, both = right_;
    m.turn = both.turn = Turn::kTileUsedAsBefore;
    n.n_tile_turned = both.n_tile_turned = true;
    list_.push_back({"tile_read_turned", say::rect_tile_of_turned("M"), m});
    list_.push_back({"tile_read_turned", say::rect_tile_of_turned("N"), n});
    list_.push_back({"tile_read_turned", say::rect_tiles_turned(), both});
  }

  std::vector<Candidate> Take() { return std::move(list_); }

 private:
  const RectModel right_;
  std::vector<Candidate> list_;
};

// --- Does a model explain a test? ----------------------------------------------------------------

/// What the only launch of a test covers; nothing where there was none, several, or one of another kind.
std::optional<Extent> ExtentOf(const MatmulEvidence& e, bool tiled) {
  if (!Completed(e.result) || e.result.launches.size() != 1) return std::nullopt;
  const LaunchRecord& launch = e.result.launches.front();
  const bool flat = launch.grid.z == 1 && launch.block.z == 1;
  if (!flat || (tiled && launch.block.x != launch.block.y)) return std::nullopt;
  return Extent{static_cast<int>(launch.grid.y * launch.block.y),
                static_cast<int>(launch.grid.x * launch.block.x), static_cast<int>(launch.block.x)};
}

std::uint64_t CountOutsideAll(const MatmulEvidence& e, Access access) {
  std::uint64_t count = 0;
  for (const char* label : {"M", "Mt", "N", "P"}) count += CountOutside(e.result, label, access);
  return count;
}

/// A finding names the array that lies nearest, which far outside need not be the one that was meant; an
/// array without elements has no name.
bool AccessesAgree(const MatmulEvidence& e, const Prediction& prediction) {
  if (e.m.empty() || e.n.empty()) return true;
  return (CountOutsideAll(e, Access::kRead) > 0) ==
             (prediction.reads_outside_m || prediction.reads_outside_n) &&
         (CountOutsideAll(e, Access::kWrite) > 0) == prediction.writes_outside_p;
}

/// Each element has to hold what one of its stores brings, and poison where there is none.
bool Explains(const RectModel& model, const MatmulEvidence& e, const Extent& extent) {
  enum class Element : char { kNotStored, kStored, kAgrees };
  std::vector<Element> elements(e.p.size(), Element::kNotStored);
  const Prediction prediction = Predict(model, e, extent, [&](const PredictedStore& store) {
    Element& element = elements[store.element];
    if (element == Element::kAgrees) return;
    const bool agrees = !store.is_known || !IsWrong(e.p[store.element], store.value, store.bound);
    element = agrees ? Element::kAgrees : Element::kStored;
  });
  if (!AccessesAgree(e, prediction)) return false;
  for (std::size_t i = 0; i < e.p.size(); ++i) {
    const bool agrees =
        elements[i] == Element::kNotStored ? IsPoison(e.p[i]) : elements[i] == Element::kAgrees;
    if (!agrees) return false;
  }
  return true;
}

/// Those with the fewest products first: most models are wrong in a small test already, and predicting a
/// large one takes milliseconds.
std::vector<const MatmulEvidence*> SmallestFirst(All all) {
  std::vector<const MatmulEvidence*> tests;
  for (const MatmulEvidence& e : all) tests.push_back(&e);
  std::ranges::stable_sort(tests, {}, [](const MatmulEvidence* e) {
    return e->shape.p_count() * static_cast<std::size_t>(1 + e->shape.inner);
  });
  return tests;
}

/// All tests that ran, at least three of them; one of them was not right, or there is nothing to explain.
bool ExplainsAll(const RectModel& model, std::span<const MatmulEvidence* const> tests) {
  int explained = 0;
  bool any_wrong = false;
  for (const MatmulEvidence* e : tests) {
    const auto extent = ExtentOf(*e, model.tiled);
    if (!extent || e->p.empty()) continue;
    if (!Explains(model, *e, *extent)) return false;
    ++explained;
    any_wrong |= e->result.wrong_count > 0 || HasError(e->result);
  }
  return any_wrong && explained >= 3;
}

/// "a; or b; or c" of one or more. Halved, as messages may not stand in each other too deeply.
Message EitherOf(std::span<const Message> all) {
  if (all.size() == 1) return all.front();
  const std::size_t half = all.size() / 2;
  return say::rect_either(EitherOf(all.first(half)), EitherOf(all.subspan(half)));
}

void FindOtherSides(All all, const RectModel& right, Found& found) {
  std::set<std::string> ids;
  std::vector<Message> fitting;
  const std::vector<const MatmulEvidence*> tests = SmallestFirst(all);
  // Then the grid is at fault, and what a candidate does otherwise shows nowhere: where no row of blocks
  // reaches over the edge, a missing check of rows changes nothing.
  if (ExplainsAll(right, tests)) return;
  for (const Candidate& candidate : CandidatesFor(right)) {
    if (!ExplainsAll(candidate.model, tests)) continue;
    ids.insert(candidate.id);
    fitting.push_back(candidate.evidence);
  }
  // Two misconceptions that explain the same: naming the wrong one is worse than naming none.
  if (ids.size() != 1) return;
  // Several places of one misconception: which of them it is the tests do not tell.
  Fact& fact = AddFact(found, *ids.begin(),
                       fitting.size() == 1 ? fitting[0] : say::rect_all_agree_with_each(EitherOf(fitting)));
  // Not those whose launch was refused, of which no model knows anything.
  for (const MatmulEvidence& e : all) {
    const bool is_wrong = e.result.wrong_count > 0 || HasError(e.result);
    if (is_wrong && !e.p.empty() && ExtentOf(e, right.tiled)) fact.tests.push_back(e.test);
  }
}

// --- Grids and sides of length 0. ----------------------------------------------------------------

/// Just the elements that the grid does not reach were never written.
bool LacksWhatIsNotCovered(const MatmulEvidence& e, const Extent& extent) {
  for (int row = 0; row < e.shape.rows; ++row) {
    for (int column = 0; column < e.shape.columns; ++column) {
      const std::size_t i = static_cast<std::size_t>(row) * static_cast<std::size_t>(e.shape.columns) +
                            static_cast<std::size_t>(column);
      if (IsPoison(e.p[i]) != (row >= extent.rows || column >= extent.columns)) return false;
    }
  }
  return true;
}

bool IsInterchanged(const MatmulEvidence& e, const LaunchRecord& launch) {
  const auto rows = static_cast<std::uint32_t>(e.shape.rows),
             columns = static_cast<std::uint32_t>(e.shape.columns);
  return launch.grid.x == (rows + launch.block.x - 1) / launch.block.x &&
         launch.grid.y == (columns + launch.block.y - 1) / launch.block.y;
}

/// Along one side or both; where whole blocks fit, rounding up is the same. Along the other there may be
/// more blocks than are needed.
bool IsRoundedDown(const MatmulEvidence& e, const LaunchRecord& launch) {
  const auto is_either = [](std::uint32_t blocks, int side, std::uint32_t block) {
    const auto length = static_cast<std::uint32_t>(side);
    return blocks == length / block || blocks >= (length + block - 1) / block;
  };
  return is_either(launch.grid.x, e.shape.columns, launch.block.x) &&
         is_either(launch.grid.y, e.shape.rows, launch.block.y);
}

/// For x as columns.
bool IsRightGrid(const MatmulEvidence& e, const LaunchRecord& launch) {
  const auto rows = static_cast<std::uint32_t>(e.shape.rows),
             columns = static_cast<std::uint32_t>(e.shape.columns);
  return launch.grid.x == (columns + launch.block.x - 1) / launch.block.x &&
         launch.grid.y == (rows + launch.block.y - 1) / launch.block.y;
}

/// Blocks of width x height threads would cover P; those that were launched are narrower, or lower.
bool IsForBlocksOf(std::uint32_t width, std::uint32_t height, const MatmulEvidence& e,
                   const LaunchRecord& launch) {
  const auto rows = static_cast<std::uint32_t>(e.shape.rows),
             columns = static_cast<std::uint32_t>(e.shape.columns);
  const bool is_smaller = launch.block.x < width || launch.block.y < height;
  return is_smaller && launch.grid.x == (columns + width - 1) / width &&
         launch.grid.y == (rows + height - 1) / height;
}

/// All grids that were launched are of this kind, and some left elements out. `x_is_row`: the kernel takes x
/// for rows.
template <class IsOfKind>
const MatmulEvidence* FindShortGrid(All all, const IsOfKind& is_of_kind, bool x_is_row = false) {
  const MatmulEvidence* example = nullptr;
  for (const MatmulEvidence& e : all) {
    auto extent = ExtentOf(e, false);
    if (!extent || e.p.empty()) continue;
    if (x_is_row) std::swap(extent->rows, extent->columns);
    if (!is_of_kind(e, e.result.launches.front()) || !LacksWhatIsNotCovered(e, *extent)) return nullptr;
    if (std::ranges::any_of(e.p, IsPoison) && example == nullptr) example = &e;
  }
  return example;
}

void FindGridForAnotherBlock(All all, Found& found) {
  for (const std::uint32_t width : {8u, 16u, 32u, 64u}) {
    for (const std::uint32_t height : {4u, 8u, 16u, 32u}) {
      const MatmulEvidence* e = FindShortGrid(all, [=](const MatmulEvidence& each, const LaunchRecord& l) {
        return IsForBlocksOf(width, height, each, l);
      });
      if (e == nullptr) continue;
      const Dim3& block = e->result.launches.front().block;
      Fact& fact = AddFact(
          found, say::of_test(e->test, say::rect_grid_for_other_blocks(width, height, block.x, block.y)));
      // A test whose blocks cover P fails for another reason.
      for (const MatmulEvidence& each : all) {
        if (std::ranges::any_of(each.p, IsPoison)) fact.tests.push_back(each.test);
      }
      return;
    }
  }
}

void FindShortGrids(All all, Found& found) {
  const MatmulEvidence* e = FindShortGrid(all, IsInterchanged);
  if (e == nullptr) e = FindShortGrid(all, IsRightGrid, true);
  if (e != nullptr) {
    AddFact(found, say::of_test(e->test, say::rect_blocks_turned(CallOf(e->shape))));
  } else if (const MatmulEvidence* down = FindShortGrid(all, IsRoundedDown)) {
    AddFact(found, say::of_test(down->test, say::rect_last_blocks_unwritten()));
  }
  if (found.empty()) FindGridForAnotherBlock(all, found);
}

/// P is read before anybody has written it, and what it held is in its sums: they are added up there. Where
/// something runs past the end of M or N, it may be that which comes upon P.
void FindSumsInP(All all, const ProductFacts& facts, Found& found) {
  if (facts.adds_before == 0) return;
  const auto leaves_another = [](const MatmulEvidence& e) {
    return std::ranges::any_of(e.result.findings, [](const Finding& finding) {
      return finding.kind == FindingKind::kOutOfBounds && finding.object != "P";
    });
  };
  if (std::ranges::any_of(all, leaves_another)) return;
  const auto reads_p = [](const MatmulEvidence& e) {
    return std::ranges::any_of(e.result.findings, [](const Finding& finding) {
      return finding.kind == FindingKind::kUninitialised && finding.object == "P";
    });
  };
  const auto first = std::ranges::find_if(all, reads_p);
  if (first == all.end()) return;
  Fact& fact = AddFact(found, say::of_test(first->test, say::rect_p_unwritten()));
  ShowFinding(fact, first->result, [](const Finding& finding) {
    return finding.kind == FindingKind::kUninitialised && finding.object == "P";
  });
}

void FindRaces(All all, Found& found) {
  const auto races = [](const MatmulEvidence& e) { return ReadsTooEarlyOrStoresOver(e.result); };
  const auto first = std::ranges::find_if(all, races);
  if (first == all.end()) return;
  // Where there is no edge, too: at an edge it may be a 0 that is stored into another thread's place.
  const auto is_whole = [](const MatmulEvidence& e) {
    return e.shape.rows % 16 == 0 && e.shape.inner % 16 == 0 && e.shape.columns % 16 == 0 &&
           Completed(e.result);
  };
  const bool only_at_edges =
      std::ranges::any_of(all, is_whole) &&
      std::ranges::none_of(all, [&](const MatmulEvidence& e) { return is_whole(e) && races(e); });
  const bool stores_race = std::ranges::any_of(
      all, [](const MatmulEvidence& e) { return std::ranges::any_of(e.result.findings, BothStore); });
  if (only_at_edges || stores_race) return;
  // However small a tile is that the contract allows.
  constexpr int kSmallestTile = 4;
  const bool in_one_phase = std::ranges::any_of(
      all, [&](const MatmulEvidence& e) { return races(e) && e.shape.inner <= kSmallestTile; });
  const bool is_between = !in_one_phase && BarrierOfRaces(first->result) == RaceBarrier::kAlways;
  Fact& fact = AddFact(found, say::of_test(first->test, in_one_phase ? say::rect_race_in_one_phase()
                                                        : is_between ? say::race_between_phases()
                                                                     : say::rect_store_and_read_race()));
  ShowFinding(fact, first->result, NeedsABarrier);
  if (!in_one_phase) NameRaceOfPasses(fact, first->result);
}

void FindEmptySides(All all, Found& found) {
  std::vector<const MatmulEvidence*> refused;
  bool refused_elsewhere = false;
  for (const MatmulEvidence& e : all) {
    const bool invalid = HasFinding(e.result, FindingKind::kInvalidLaunch);
    if (invalid && e.shape.p_count() == 0) refused.push_back(&e);
    refused_elsewhere |= invalid && e.shape.p_count() > 0;
    // A wrong check leaves P out as well; whoever launched nothing left for another reason.
    const bool explained = !found.empty() && !e.result.launches.empty();
    if (e.shape.inner == 0 && !e.p.empty() && !invalid && !explained && std::ranges::all_of(e.p, IsPoison)) {
      AddFactOf(found, say::of_test(e.test, say::rect_no_zeros_written()), e.test);
    }
  }
  for (const MatmulEvidence* e : refused) {
    if (refused_elsewhere) continue;
    AddFactOf(found, say::of_test(e->test, say::rect_refused_without_elements()), e->test);
  }
}

// --- By what probing found. ----------------------------------------------------------------------

/// Each fact gives its name, so that two mistakes at once give two. None where a tile is read wrongly: its
/// facts are about the tile's rows.
void FindByFacts(All all, const RectModel& right, const ProductFacts& facts, Found& found) {
  if (FindReadOfUnstoredTile(all) != nullptr) return;
  if (facts.wrong == 0 || facts.sentences.empty()) return;
  const Message evidence = AdviceFrom(facts.sentences);
  const bool p_row = facts.p_row_length != 0 && !facts.p_turned;
  if (p_row || facts.m_row_is_wrong || facts.n_row_is_wrong) AddFact(found, "wrong_row_length", evidence);
  const bool turned = facts.m_turned || facts.n_turned || facts.p_turned;
  if (turned && !right.tiled) AddFact(found, "row_and_column_interchanged", evidence);
  if (facts.products_of_another_side && !right.tiled) AddFact(found, "wrong_number_of_products", evidence);
}

// --- Right values, fetched badly. ----------------------------------------------------------------

bool IsRight(const MatmulEvidence& e) {
  return e.result.wrong_count == 0 && !HasError(e.result);
}

void FindBadFetching(All all, const RectModel& right, Found& found) {
  if (!right.tiled || all.empty() || !std::ranges::all_of(all, IsRight)) return;
  std::uint64_t shared_loads = 0;
  for (const MatmulEvidence& e : all) shared_loads += TotalCounts(e.result).shared_load_requests;
  if (shared_loads == 0) {
    AddFact(found, say::no_shared_load_in_any_test());
    return;
  }
  // Only where sides are multiples of 32 do sectors tell.
  for (const MatmulEvidence& e : all) {
    const MatmulShape& s = e.shape;
    const bool whole = s.rows % 32 == 0 && s.inner % 32 == 0 && s.columns % 32 == 0;
    if (right.m_order == MatrixOrder::kRowByRow || !whole || LoadsAreCoalesced(e)) continue;
    const Message waste = WasteOfLoads(e.result);
    // Other tests fail for reasons of their own: none of them measures sectors.
    AddFactOf(found,
              say::of_test(e.test, waste.empty() ? say::rect_sectors_little_used()
                                                 : say::rect_sectors_little_used_in(waste)),
              e.test);
  }
}

}  // namespace

std::vector<Candidate> CandidatesFor(const RectModel& right) {
  const bool by_rows = right.m_order == MatrixOrder::kRowByRow;
  const std::string m = by_rows ? "M" : "Mt";
  Candidates all(right);
  all.AddOther("wrong_row_length", &RectModel::m_row_length,
               [&](const std::string& side) { return say::rect_read_with_rows(m, side); });
  all.AddOther("wrong_row_length", &RectModel::n_row_length,
               [](const std::string& side) { return say::rect_read_with_rows("N", side); });
  all.AddOther("wrong_row_length", &RectModel::p_row_length,
               [](const std::string& side) { return say::rect_written_with_rows("P", side); });
  if (right.tiled)
    all.AddOther("phases_along_another_side", &RectModel::products, say::rect_phases_along);
  else
    all.AddOther("wrong_number_of_products", &RectModel::products, say::rect_sums_of);
  all.AddOtherPair("check_with_another_side", &RectModel::p_row_limit, &RectModel::p_col_limit, "P");
  if (right.tiled) {
    all.AddOtherPair("check_with_another_side", &RectModel::m_row_limit, &RectModel::m_i_limit, m);
    all.AddOtherPair("check_with_another_side", &RectModel::n_i_limit, &RectModel::n_col_limit, "N");
  }
  if (!right.tiled) {
    all.AddUnchecked();
    all.AddInterchanged(&RectModel::m_interchanged, &RectModel::m_row_length, "M");
    all.AddInterchanged(&RectModel::n_interchanged, &RectModel::n_row_length, "N");
    all.AddInterchanged(&RectModel::p_interchanged, &RectModel::p_row_length, "P");
  }
  if (by_rows) {
    all.AddOneForAll();
    if (right.tiled) all.AddTurnedTiles();
  } else {
    all.AddTurn("tile_used_as_before", Turn::kTileUsedAsBefore, say::rect_tile_turned());
    all.AddTurn("check_of_the_old_load", Turn::kCheckOfOldLoad, say::rect_element_across());
    all.AddTurn("check_of_the_old_load", Turn::kRowOfOldLoad, say::rect_row_across());
    all.AddTurn("check_of_the_old_load", Turn::kStepOfOldLoad, say::rect_step_across());
    all.AddTurn("read_as_not_transposed", Turn::kReadAsNotTransposed, say::rect_read_as_m());
  }
  return all.Take();
}

const Finding* FindReadOfUnstoredTile(std::span<const MatmulEvidence> all) {
  const Finding* first = nullptr;
  for (const MatmulEvidence& e : all) {
    if (e.result.wrong_count == 0 && !HasError(e.result)) continue;
    const auto read = std::ranges::find_if(e.result.findings, InShared(FindingKind::kUninitialised));
    if (read == e.result.findings.end()) return nullptr;
    if (first == nullptr) first = &*read;
  }
  return first;
}

std::vector<Fact> FactsOf(std::span<const MatmulEvidence> all, const RectModel& right,
                          const ProductFacts& facts) {
  Found found;
  // Values and empty places in tiles follow from a race.
  FindRaces(all, found);
  if (found.empty()) FindSumsInP(all, facts, found);
  const bool values_follow = !found.empty();
  // Elements that no block reaches do not follow from it.
  Found grids;
  FindShortGrids(all, grids);
  found.insert(found.end(), grids.begin(), grids.end());
  if (values_follow) return found;
  if (found.empty()) FindOtherSides(all, right, found);
  if (found.empty()) FindByFacts(all, right, facts, found);
  FindEmptySides(all, found);
  if (found.empty()) FindBadFetching(all, right, found);
  return found;
}

}  // namespace warplings::rect_matmul
