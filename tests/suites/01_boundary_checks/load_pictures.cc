// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/01_boundary_checks/load_pictures.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "tests/suites/01_boundary_checks/messages.h"
#include "tests/suites/common/messages.h"

namespace warplings::load_pictures {
namespace {

bool Exists(int width, Place place) {
  return place.row < width && place.column < width;
}

std::int64_t IndexOf(int width, Place place) {
  return std::int64_t{place.row} * width + place.column;
}

bool IsBehind(int width, Place place) {
  return IndexOf(width, place) >= std::int64_t{width} * width;
}

bool OwnsElementOfP(const Question& q, int tx, int ty) {
  return Exists(q.width, {q.by * q.tile_width + ty, q.bx * q.tile_width + tx});
}

using step_search::Versions;

// Steps and their versions; 0 is the right one.
enum Step { kThreads, kBlocks, kWhose, kPhase, kInsideIf, kOutside };
enum Threads {
  kXCountsColumns,
  kXCountsRows,
  kXCountsRowsOfM,
  kXCountsRowsOfN,
  kAllXCountRows,
  kInRowsOfTheLargestTile
};
enum Blocks { kByRow, kTransposed, kOfM, kOfN, kThreadAlone, kThreadAloneOfM, kThreadAloneOfN };
enum Whose { kEachItsOwn, kAllAsM, kInterchanged, kAllAsN, kMTransposed, kNTransposed, kNMirrorsM };
enum Phases { kFromZero, kFromOne, kLeftOut, kOneBack, kMovesMDown, kMovesNRight, kOfTheLargestTile };
enum InsideIf {
  kBothExist,
  kOnlyLastPhase,
  kNobodysInside,
  kOwnersInside,
  kOneTooMany,
  kIndexExists,
  kRowExists,
  kColumnExists,
  kEitherExists,
  kAcrossPhases,
  kInnerBlocksInside,
  kWithoutBlockRow,
  kWithoutBlockColumn,
  kNLeftOutWithM
};
enum Outside {
  kByIndex,
  kAlwaysBehind,
  kEndIsElement,
  kByRowAlone,
  kAlwaysOther,
  kLastIsBehind,
  kByColumnAlone,
  kBehindIfNeitherExists,
  kRowsOfWholeTiles,
  kEndInBytes,
  kColumnsFirst,
  kRowsOfATile,
  kNByRowsOfATile
};

const std::vector<step_search::Step> kDrawingSteps = {
    {{"x_counts_rows", say::pictures_x_is_row()},
     {"another_step", say::pictures_x_is_row_of_m()},
     {"another_step", say::pictures_x_is_row_of_n()},
     // One idea, and so not a pair: two other steps would draw the same.
     {"x_counts_rows", say::pictures_all_x_are_rows()},
     {"another_step", say::pictures_only_first_entries()}},
    {{"x_counts_rows", say::pictures_block_x_is_row()},
     {"another_step", say::pictures_rows_of_m_from_x()},
     {"another_step", say::pictures_columns_of_n_from_y()},
     // What is left of the starter: one idea, though the phase is missing, too.
     {"another_step", say::pictures_thread_alone()},
     {"another_step", say::pictures_thread_alone_of_m()},
     {"another_step", say::pictures_thread_alone_of_n()}},
    {{"one_answer_for_both", say::pictures_m_for_both()},
     {"matrices_interchanged", say::pictures_interchanged()},
     {"another_step", say::pictures_n_for_both()},
     {"another_step", say::pictures_m_transposed()},
     {"another_step", say::pictures_n_transposed()},
     {"another_step", say::pictures_n_mirrors_m()}},
    {{"another_step", say::pictures_phases_from_one()},
     {"another_step", say::pictures_no_phase()},
     {"another_step", say::pictures_phase_less_one()},
     {"another_step", say::pictures_m_moves_down()},
     {"another_step", say::pictures_n_moves_right()},
     {"another_step", say::pictures_phases_of_largest_tile()}},
    {{"only_last_phase", say::pictures_inside_before_last_phase()},
     {"asks_for_p", say::pictures_inside_without_element()},
     {"asks_for_p", say::pictures_inside_with_element()},
     {"one_too_many", say::pictures_one_too_many()},
     {"flat_index_only", say::pictures_index_alone()},
     {"another_step", say::pictures_row_alone()},
     {"another_step", say::pictures_column_alone()},
     {"another_step", say::pictures_row_or_column()},
     {"another_step", say::pictures_side_of_phases()},
     {"another_step", say::pictures_inside_of_inner_blocks()},
     {"another_step", say::pictures_inside_without_block_row()},
     {"another_step", say::pictures_inside_without_block_column()},
     {"another_step", say::pictures_n_left_out_with_m()}},
    {{"rows_end_memory", say::pictures_all_behind()},
     {"another_step", say::pictures_end_is_element()},
     {"another_step", say::pictures_behind_by_row()},
     {"another_step", say::pictures_all_other()},
     {"another_step", say::pictures_last_is_behind()},
     {"another_step", say::pictures_behind_by_column()},
     {"another_step", say::pictures_behind_by_both()},
     {"another_step", say::pictures_rows_of_whole_tiles()},
     {"another_step", say::pictures_end_in_bytes()},
     {"another_step", say::pictures_columns_first()},
     {"another_step", say::pictures_rows_of_a_tile()},
     {"another_step", say::pictures_n_by_rows_of_a_tile()}}};

Question WithBlocksTransposed(Question question) {
  std::swap(question.bx, question.by);
  return question;
}

/// Where the thread is thought to load.
Place PlaceBy(Question q, Matrix matrix, int tx, int ty, const Versions& v) {
  if (v[kWhose] == kAllAsM) matrix = Matrix::kM;
  if (v[kWhose] == kAllAsN) matrix = Matrix::kN;
  if (v[kWhose] == kInterchanged) matrix = matrix == Matrix::kM ? Matrix::kN : Matrix::kM;
  const bool is_m = matrix == Matrix::kM;
  if (v[kThreads] == kXCountsRows || v[kThreads] == kAllXCountRows ||
      v[kThreads] == (is_m ? kXCountsRowsOfM : kXCountsRowsOfN))
    std::swap(tx, ty);
  if (v[kBlocks] == kTransposed || v[kThreads] == kAllXCountRows) q = WithBlocksTransposed(q);
  if (v[kBlocks] == kOfM) q.by = q.bx;
  if (v[kBlocks] == kOfN) q.bx = q.by;
  if (v[kBlocks] == kThreadAlone || v[kBlocks] == (is_m ? kThreadAloneOfM : kThreadAloneOfN)) return {ty, tx};
  if (v[kPhase] == kFromOne) ++q.phase;
  if (v[kPhase] == kLeftOut) q.phase = 0;
  if (v[kPhase] == kOneBack) --q.phase;
  if (v[kPhase] == (is_m ? kMovesMDown : kMovesNRight)) std::swap(is_m ? q.by : q.bx, q.phase);
  if (v[kWhose] == kNMirrorsM && !is_m) {
    matrix = Matrix::kM;
    std::swap(tx, ty);
  }
  Place place = PlaceOf(q, matrix, tx, ty);
  if (v[kPhase] == kOfTheLargestTile)
    (matrix == Matrix::kM ? place.column : place.row) += q.phase * (kMaxTileWidth - q.tile_width);
  const bool is_transposed = v[kWhose] == (is_m ? kMTransposed : kNTransposed);
  return is_transposed ? Place{place.column, place.row} : place;
}

/// Whether the tile with this index in one direction ends inside the matrix.
bool EndsInside(const Question& q, int index) {
  return (index + 1) * q.tile_width <= q.width;
}

bool IsInside(const Question& q, Matrix matrix, Place place, int tx, int ty, int version) {
  const bool row = place.row < q.width, column = place.column < q.width;
  switch (version) {
    case kOnlyLastPhase: return q.phase < TilesIn(q) - 1 || (row && column);
    case kNobodysInside: return !OwnsElementOfP(q, tx, ty) || (row && column);
    case kOwnersInside: return OwnsElementOfP(q, tx, ty);
    case kOneTooMany: return place.row <= q.width && place.column <= q.width;
    case kIndexExists: return !IsBehind(q.width, place);
    case kRowExists: return row;
    case kColumnExists: return column;
    case kEitherExists: return row || column;
    case kAcrossPhases: return matrix == Matrix::kM ? column : row;
    case kInnerBlocksInside: return (EndsInside(q, q.bx) && EndsInside(q, q.by)) || (row && column);
    case kWithoutBlockRow: return (EndsInside(q, q.bx) && EndsInside(q, q.phase)) || (row && column);
    case kWithoutBlockColumn: return (EndsInside(q, q.by) && EndsInside(q, q.phase)) || (row && column);
    case kNLeftOutWithM:
      return (matrix == Matrix::kN && q.by * q.tile_width + ty >= q.width) || (row && column);
    default: return row && column;
  }
}

Load LoadBy(const Question& q, Matrix matrix, Place place, int ty, int version) {
  const std::int64_t index = IndexOf(q.width, place), end = std::int64_t{q.width} * q.width;
  const int pitch = TilesIn(q) * q.tile_width;
  bool behind = index >= end;
  switch (version) {
    case kByColumnAlone: behind = place.column >= q.width; break;
    case kBehindIfNeitherExists: behind = place.row >= q.width && place.column >= q.width; break;
    case kRowsOfWholeTiles: behind = std::int64_t{place.row} * pitch + place.column >= end; break;
    case kColumnsFirst: behind = std::int64_t{place.column} * q.width + place.row >= end; break;
    case kRowsOfATile: behind = std::int64_t{place.row} * q.tile_width + place.column >= end; break;
    case kNByRowsOfATile:
      if (matrix == Matrix::kN) behind = index - std::int64_t{ty} * (q.width - q.tile_width) >= end;
      break;
    case kEndInBytes: behind = index >= 4 * end; break;
    case kAlwaysBehind: behind = true; break;
    case kEndIsElement: behind = index > end; break;
    case kByRowAlone: behind = place.row >= q.width; break;
    case kAlwaysOther: behind = false; break;
    case kLastIsBehind: behind = index >= end - 1; break;
    default: break;
  }
  return behind ? Load::kPastTheEnd : Load::kOtherElement;
}

Picture DrawBy(const Question& q, const Versions& v) {
  Picture picture;
  for (int ty = 0; ty < q.tile_width; ++ty) {
    for (int tx = 0; tx < q.tile_width; ++tx) {
      for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
        const Place place = PlaceBy(q, matrix, tx, ty, v);
        const bool is_left_out =
            v[kThreads] == kInRowsOfTheLargestTile && ty * kMaxTileWidth + tx >= q.tile_width * q.tile_width;
        const bool is_inside = is_left_out || IsInside(q, matrix, place, tx, ty, v[kInsideIf]);
        picture.Of(matrix)[static_cast<std::size_t>(ty)][static_cast<std::size_t>(tx)] =
            is_inside ? Load::kInside : LoadBy(q, matrix, place, ty, v[kOutside]);
      }
    }
  }
  return picture;
}

/// What lies outside the tile is not looked at.
Picture WithinTile(const Picture& picture, int tile_width) {
  Picture within;
  const auto t = static_cast<std::size_t>(tile_width);
  for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
    for (std::size_t ty = 0; ty < t; ++ty) {
      for (std::size_t tx = 0; tx < t; ++tx) within.Of(matrix)[ty][tx] = picture.Of(matrix)[ty][tx];
    }
  }
  return within;
}

// --- What wrong answers have in common. -----------------------------------------------------------

/// One load, the answer to it, and the right one.
struct Asked {
  const Question* question = nullptr;
  Matrix matrix = Matrix::kM;
  int tx = 0, ty = 0;
  Load answer = Load::kInside, right = Load::kInside;
  std::uint32_t traits = 0;  ///< A bit for each of kTraits that it has.
};

/// What can be said of a load, and of one that is otherwise.
struct Trait {
  MessageRow<> is, is_not;
  bool (*holds)(const Asked& load, Place place);
};

constexpr Trait kTraits[] = {
    {say::pictures_of_m, say::pictures_of_n,
     [](const Asked& load, Place) { return load.matrix == Matrix::kM; }},
    {say::pictures_row_exists, say::pictures_no_row,
     [](const Asked& load, Place place) { return place.row < load.question->width; }},
    {say::pictures_column_exists, say::pictures_no_column,
     [](const Asked& load, Place place) { return place.column < load.question->width; }},
    {say::pictures_last_phase, say::pictures_before_last_phase,
     [](const Asked& load, Place) { return load.question->phase == TilesIn(*load.question) - 1; }},
    {say::pictures_with_element, say::pictures_without_element,
     [](const Asked& load, Place) { return OwnsElementOfP(*load.question, load.tx, load.ty); }},
    {say::pictures_with_row_of_p, say::pictures_without_row_of_p,
     [](const Asked& load, Place) {
       return load.question->by * load.question->tile_width + load.ty < load.question->width;
     }},
    {say::pictures_with_column_of_p, say::pictures_without_column_of_p,
     [](const Asked& load, Place) {
       return load.question->bx * load.question->tile_width + load.tx < load.question->width;
     }},
    {say::pictures_above_short, say::pictures_within_short,
     [](const Asked&, Place place) { return place.row > INT16_MAX || place.column > INT16_MAX; }},
    {say::pictures_above_int, say::pictures_within_int,
     [](const Asked& load, Place place) { return IndexOf(load.question->width, place) > INT32_MAX; }},
    {say::pictures_right_behind_last, say::pictures_not_right_behind_last,
     [](const Asked& load, Place place) {
       return IndexOf(load.question->width, place) ==
              std::int64_t{load.question->width} * load.question->width;
     }},
    {say::pictures_of_last, say::pictures_of_another_than_last,
     [](const Asked& load, Place place) {
       return IndexOf(load.question->width, place) ==
              std::int64_t{load.question->width} * load.question->width - 1;
     }},
    {say::pictures_first_missing_column, say::pictures_not_first_missing_column,
     [](const Asked& load, Place place) { return place.column == load.question->width; }},
    {say::pictures_first_missing_row, say::pictures_not_first_missing_row,
     [](const Asked& load, Place place) { return place.row == load.question->width; }},
    {say::pictures_in_last_row, say::pictures_not_in_last_row,
     [](const Asked& load, Place place) { return place.row == load.question->width - 1; }},
    {say::pictures_near_behind_row, say::pictures_far_behind_row,
     [](const Asked& load, Place place) { return place.column < 2 * load.question->width; }},
    {say::pictures_of_wide_tile, say::pictures_of_narrow_tile,
     [](const Asked& load, Place) { return load.question->tile_width >= load.question->width; }},
    {say::pictures_of_inner_block, say::pictures_of_outer_block,
     [](const Asked& load, Place) {
       const Question& q = *load.question;
       return (std::max(q.bx, q.by) + 1) * q.tile_width <= q.width;
     }},
};
constexpr std::size_t kTraitCount = std::size(kTraits);

std::vector<Asked> LoadsOf(std::span<const Answered> answers) {
  std::vector<Asked> loads;
  for (const Answered& each : answers) {
    const Picture right = Draw(each.question);
    for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
      for (int ty = 0; ty < each.question.tile_width; ++ty) {
        for (int tx = 0; tx < each.question.tile_width; ++tx) {
          const auto y = static_cast<std::size_t>(ty), x = static_cast<std::size_t>(tx);
          Asked load{&each.question, matrix, tx, ty, each.answer.Of(matrix)[y][x], right.Of(matrix)[y][x], 0};
          const Place place = PlaceOf(each.question, matrix, tx, ty);
          for (std::size_t i = 0; i < kTraitCount; ++i) {
            load.traits |= static_cast<std::uint32_t>(kTraits[i].holds(load, place)) << i;
          }
          loads.push_back(load);
        }
      }
    }
  }
  return loads;
}

/// All of `among` in `mask` as in `wanted`.
struct TraitsWanted {
  std::uint32_t mask = 0, wanted = 0;
};

/// The fewest traits, three at most, that tell the answers `answer` from all others of the same right answer,
/// or, with `others`, those others from them; nothing where none do. An empty mask: all loads of that right
/// answer have it.
std::optional<TraitsWanted> TellingTraits(const std::vector<Asked>& loads, Load right, Load answer,
                                          bool others) {
  // Loads with the same traits are alike: which of them have which answer?
  std::map<std::uint32_t, std::pair<bool, bool>> kinds;  // {some are wanted, some are not}
  for (const Asked& load : loads) {
    if (load.right != right) continue;
    auto& [wanted, unwanted] = kinds[load.traits];
    ((load.answer == answer) != others ? wanted : unwanted) = true;
  }
  std::vector<TraitsWanted> sets = {{}};
  constexpr int kMostTraits = 3;
  for (int size = 0; size <= kMostTraits; ++size) {
    std::vector<TraitsWanted> larger;
    for (const TraitsWanted& set : sets) {
      const bool tells = std::ranges::all_of(kinds, [&](const auto& kind) {
        const bool fits = (kind.first & set.mask) == set.wanted;
        return fits ? !kind.second.second : !kind.second.first;
      });
      if (tells) return set;
      for (std::size_t i = 0; i < kTraitCount; ++i) {
        const std::uint32_t bit = 1u << i;
        if (bit <= set.mask) continue;  // In one order only; a mask of higher bits comes by another way.
        larger.push_back({set.mask | bit, set.wanted | bit});
        larger.push_back({set.mask | bit, set.wanted});
      }
    }
    sets = std::move(larger);
  }
  return std::nullopt;
}

Message WordsOf(const TraitsWanted& traits) {
  Message words;
  for (std::size_t i = 0; i < kTraitCount; ++i) {
    if ((traits.mask >> i & 1) == 0) continue;
    const Message trait = (traits.wanted >> i & 1) != 0 ? kTraits[i].is() : kTraits[i].is_not();
    words = words.empty() ? trait : say::two_traits(words, trait);
  }
  return words;
}

/// Whether these loads are told by a row or column that a short does not hold.
bool AreAboveShort(const TraitsWanted& traits) {
  for (std::size_t i = 0; i < kTraitCount; ++i) {
    const bool is_wanted = (traits.wanted >> i & 1) != 0;
    if (is_wanted && kTraits[i].is.id == say::pictures_above_short.id) return true;
  }
  return false;
}

Message ExampleOf(const Asked& load) {
  const Question& q = *load.question;
  const Place place = PlaceOf(q, load.matrix, load.tx, load.ty);
  const std::int64_t width = q.width;
  return say::pictures_example(width, q.tile_width, PairOf(q.bx, q.by), q.phase, PairOf(load.tx, load.ty),
                               NameOf(load.matrix, place), IndexOf(q.width, place), width * width - 1);
}

/// "m[1][0]": where the answer belongs.
std::string EntryOf(const Asked& load) {
  const std::string entry = load.matrix == Matrix::kM ? "m" : "n";
  return entry + "[" + std::to_string(load.ty) + "][" + std::to_string(load.tx) + "]";
}

/// Whether a float does not hold each index as large as this.
bool IsBeyondFloat(const Asked& load) {
  constexpr std::int64_t kExactInFloat = 1 << 24;
  const Place place = PlaceOf(*load.question, load.matrix, load.tx, load.ty);
  return IndexOf(load.question->width, place) > kExactInFloat;
}

/// What to look at in the example.
Message QuestionAbout(const Asked& load) {
  return IsBeyondFloat(load) ? say::pictures_print_both() : say::pictures_follow();
}

/// True if each wrong entry has the value that the call before left in it: the picture outlives its call. Not
/// where all are INSIDE, which an entry has that is never set.
bool AreLeftOver(std::span<const Answered> answers) {
  constexpr int kFewest = 10;
  int wrong = 0;
  bool any_set = false;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto& [question, answer, test] = answers[i];
    const Picture right = Draw(question);
    const auto tile = static_cast<std::size_t>(question.tile_width);
    for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
      for (std::size_t cell = 0; cell < tile * tile; ++cell) {
        const std::size_t y = cell / tile, x = cell % tile;
        const Load given = answer.Of(matrix)[y][x];
        if (given == right.Of(matrix)[y][x]) continue;
        if (i == 0 || given != answers[i - 1].answer.Of(matrix)[y][x]) return false;
        any_set = any_set || given != Load::kInside;
        ++wrong;
      }
    }
  }
  return wrong >= kFewest && any_set;
}

/// The tile of the first wrong picture where all answers were stored one behind the other, `tile_width` to a
/// row, as if the arrays had no longer rows; 0 where they were not.
int TileOfPackedRows(std::span<const Answered> answers) {
  int tile_of_first = 0;
  for (const auto& [question, answer, test] : answers) {
    const Picture right = Draw(question);
    const auto tile = static_cast<std::size_t>(question.tile_width);
    for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
      for (std::size_t i = 0; i < tile * tile; ++i) {
        const Load stored = answer.Of(matrix)[i / kMaxTileWidth][i % kMaxTileWidth];
        if (stored != right.Of(matrix)[i / tile][i % tile]) return 0;
        const bool is_wrong = answer.Of(matrix)[i / tile][i % tile] != right.Of(matrix)[i / tile][i % tile];
        if (is_wrong && tile_of_first == 0) tile_of_first = question.tile_width;
      }
    }
  }
  return tile_of_first;
}

std::string FirstWrongTest(std::span<const Answered> answers) {
  for (const Answered& each : answers) {
    const bool is_right = WithinTile(each.answer, each.question.tile_width) == Draw(each.question);
    if (!is_right) return each.test;
  }
  return "";
}

/// The tests with an answer that shows the mistake of this name.
std::vector<std::string> TestsThatShow(const std::string& id, const step_search::Explanation& explanation,
                                       std::span<const Answered> answers) {
  std::vector<std::string> tests;
  for (const step_search::Named& named : explanation.named) {
    if (named.step.id != id) continue;
    for (const std::size_t i : named.shown_by) {
      if (std::ranges::count(tests, answers[i].test) == 0) tests.push_back(answers[i].test);
    }
  }
  return tests;
}

}  // namespace

std::string NameOf(Load load) {
  switch (load) {
    case Load::kInside: return "INSIDE";
    case Load::kOtherElement: return "OTHER_ELEMENT";
    case Load::kPastTheEnd: return "PAST_THE_END";
  }
  return std::to_string(static_cast<int>(load));
}

std::string NameOf(Matrix matrix, Place place) {
  return (matrix == Matrix::kM ? "M[" : "N[") + std::to_string(place.row) + "][" +
         std::to_string(place.column) + "]";
}

std::string PairOf(int x, int y) {
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
}

Message FactOfLoads(std::span<const Answered> answers) {
  if (AreLeftOver(answers)) return say::pictures_left_over();
  if (const int tile = TileOfPackedRows(answers); tile > 0) return say::pictures_packed_rows(tile, tile);
  const std::vector<Asked> loads = LoadsOf(answers);
  // The first wrong load is also the first that the report's table shows.
  const auto first = std::ranges::find_if(loads, [](const Asked& load) { return load.answer != load.right; });
  if (first == loads.end()) return {};
  const Load right = first->right, answer = first->answer;
  Message which, question = QuestionAbout(*first);
  if (const auto traits = TellingTraits(loads, right, answer, false)) {
    which = traits->mask == 0 ? say::pictures_for_all(NameOf(right))
                              : say::pictures_for_just(NameOf(right), WordsOf(*traits));
    if (AreAboveShort(*traits)) question = say::pictures_which_type();
  } else if (const auto others = TellingTraits(loads, right, answer, true)) {
    which = say::pictures_for_all_but(NameOf(right), WordsOf(*others));
  } else {
    const bool only_large = std::ranges::all_of(
        loads, [](const Asked& load) { return load.answer == load.right || IsBeyondFloat(load); });
    if (only_large) return say::pictures_not_exact(ExampleOf(*first));
    // INSIDE is 0, which an entry has that is never set.
    if (answer == Load::kInside)
      return say::pictures_never_set(NameOf(right), ExampleOf(*first), EntryOf(*first));
    return say::pictures_fact_for_some(NameOf(answer), NameOf(right), ExampleOf(*first),
                                       IsBeyondFloat(*first) ? question : say::pictures_which_index());
  }
  return say::pictures_fact(NameOf(answer), which, ExampleOf(*first), question);
}

Place PlaceOf(const Question& q, Matrix matrix, int tx, int ty) {
  if (matrix == Matrix::kM) return {q.by * q.tile_width + ty, q.phase * q.tile_width + tx};
  return {q.phase * q.tile_width + ty, q.bx * q.tile_width + tx};
}

Load LoadAt(int width, Place place) {
  if (Exists(width, place)) return Load::kInside;
  return IsBehind(width, place) ? Load::kPastTheEnd : Load::kOtherElement;
}

int TilesIn(const Question& question) {
  return (question.width + question.tile_width - 1) / question.tile_width;
}

std::vector<Question> AllBlocksAndPhases(int width, int tile_width) {
  const int tiles = TilesIn({width, tile_width});
  std::vector<Question> all;
  for (int by = 0; by < tiles; ++by) {
    for (int bx = 0; bx < tiles; ++bx) {
      for (int phase = 0; phase < tiles; ++phase) all.push_back({width, tile_width, bx, by, phase});
    }
  }
  return all;
}

Picture Draw(const Question& question) {
  return DrawBy(question, Drawing().Right());
}

const step_search::Calculation<Question, Picture>& Drawing() {
  static const step_search::Calculation<Question, Picture> drawing = {kDrawingSteps, DrawBy};
  return drawing;
}

std::vector<Fact> FactsOf(std::span<const Answered> answers) {
  std::vector<std::pair<Question, Picture>> given;
  for (const Answered& each : answers) {
    given.emplace_back(each.question, WithinTile(each.answer, each.question.tile_width));
  }
  const auto explanation = step_search::Explain(Drawing(), given, std::equal_to<>());
  // A picture is hundreds of answers: one that does not come out says that another step was done.
  if (explanation && explanation->explained < explanation->asked) return {};
  std::vector<Fact> facts = step_search::Name(explanation, say::pictures());
  if (facts.size() < 2) return facts;
  // The report shows the first wrong test. If that does not show the first mistake, each is said of the tests
  // that show it.
  const std::vector<std::string> tests = TestsThatShow(facts.front().id, *explanation, answers);
  if (std::ranges::count(tests, FirstWrongTest(answers)) > 0) return facts;
  for (Fact& fact : facts) fact.tests = TestsThatShow(fact.id, *explanation, answers);
  return facts;
}

}  // namespace warplings::load_pictures
