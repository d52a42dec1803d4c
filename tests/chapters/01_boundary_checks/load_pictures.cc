// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/01_boundary_checks/load_pictures.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

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
enum Threads { kXCountsColumns, kXCountsRows, kXCountsRowsOfM, kXCountsRowsOfN, kAllXCountRows };
enum Blocks { kByRow, kTransposed, kOfM, kOfN };
enum Whose { kEachItsOwn, kAllAsM, kInterchanged, kAllAsN };
enum Phases { kFromZero, kFromOne, kLeftOut, kOneBack, kMovesMDown, kMovesNRight };
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
  kAcrossPhases
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
  kRowsOfATile
};

const std::vector<step_search::Step> kDrawingSteps = {
    {{"x_counts_rows", "threadIdx.x taken for the row of the tile"},
     {"another_step", "threadIdx.x taken for the row of M's tile, and not of N's"},
     {"another_step", "threadIdx.x taken for the row of N's tile, and not of M's"},
     // One idea, and so not a pair: two other steps would draw the same.
     {"x_counts_rows", "threadIdx.x and blockIdx.x taken for rows"}},
    {{"x_counts_rows", "blockIdx.x taken for the row of tiles"},
     {"another_step", "M's rows taken from blockIdx.x, as N's columns are"},
     {"another_step", "N's columns taken from blockIdx.y, as M's rows are"}},
    {{"one_answer_for_both", "M's place used for N's tile as well"},
     {"matrices_interchanged", "M's tile and N's tile interchanged"},
     {"another_step", "N's place used for M's tile as well"}},
    {{"another_step", "phases counted from 1"},
     {"another_step", "the phase left out"},
     {"another_step", "one taken off the phase, which counts from 0"},
     {"another_step", "M's tile moved down from phase to phase, and not to the right"},
     {"another_step", "N's tile moved to the right from phase to phase, and not down"}},
    {{"only_last_phase", "everything inside before the last phase"},
     {"asks_for_p", "everything inside for a thread without an element of P"},
     {"asks_for_p", "inside for those threads that have an element of P"},
     {"one_too_many", "<= width for < width"},
     {"flat_index_only", "every index below width * width taken for inside"},
     {"another_step", "the row alone asked"},
     {"another_step", "the column alone asked"},
     {"another_step", "one of row and column enough to be inside"},
     {"another_step", "only that side asked along which the phases go"}},
    {{"rows_end_memory", "everything outside taken for behind the matrix"},
     {"another_step",
      "index width * width taken for an element's, which would be the next one behind the last"},
     {"another_step", "behind the matrix if the row does not exist, whatever the index"},
     {"another_step", "everything outside taken for another element"},
     {"another_step", "the last element taken for behind the matrix"},
     {"another_step", "behind the matrix if the column does not exist, whatever the index"},
     {"another_step", "behind the matrix only if neither row nor column exists, whatever the index"},
     {"another_step", "the index counted with rows that are filled up to whole tiles"},
     {"another_step", "the end of the matrix counted in bytes, and the index in elements"},
     {"another_step", "column x width + row for the index"},
     {"another_step", "row x tile_width + column for the index"}}};

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
  if (v[kPhase] == kFromOne) ++q.phase;
  if (v[kPhase] == kLeftOut) q.phase = 0;
  if (v[kPhase] == kOneBack) --q.phase;
  if (v[kPhase] == (is_m ? kMovesMDown : kMovesNRight)) std::swap(is_m ? q.by : q.bx, q.phase);
  return PlaceOf(q, matrix, tx, ty);
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
    default: return row && column;
  }
}

Load LoadBy(const Question& q, Place place, int version) {
  const std::int64_t index = IndexOf(q.width, place), end = std::int64_t{q.width} * q.width;
  const int pitch = TilesIn(q) * q.tile_width;
  bool behind = index >= end;
  switch (version) {
    case kByColumnAlone: behind = place.column >= q.width; break;
    case kBehindIfNeitherExists: behind = place.row >= q.width && place.column >= q.width; break;
    case kRowsOfWholeTiles: behind = std::int64_t{place.row} * pitch + place.column >= end; break;
    case kColumnsFirst: behind = std::int64_t{place.column} * q.width + place.row >= end; break;
    case kRowsOfATile: behind = std::int64_t{place.row} * q.tile_width + place.column >= end; break;
    case kEndInBytes: behind = index >= 4 * end; break;
    case kAlwaysBehind: behind = true; break;
    case kEndIsElement: behind = index > end; break;
    case kByRowAlone: behind = place.row >= q.width; break;
    case kAlwaysOther: behind = false; break;
    case kLastIsBehind: behind = index >= end - 1; break;
    default: break;
  }
  return behind ? Load::kBehindMatrix : Load::kOtherElement;
}

Picture DrawBy(const Question& q, const Versions& v) {
  Picture picture;
  for (int ty = 0; ty < q.tile_width; ++ty) {
    for (int tx = 0; tx < q.tile_width; ++tx) {
      for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
        const Place place = PlaceBy(q, matrix, tx, ty, v);
        picture.Of(matrix)[static_cast<std::size_t>(ty)][static_cast<std::size_t>(tx)] =
            IsInside(q, matrix, place, tx, ty, v[kInsideIf]) ? Load::kInside : LoadBy(q, place, v[kOutside]);
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
  const char *is, *is_not;
  bool (*holds)(const Asked& load, Place place);
};

constexpr Trait kTraits[] = {
    {"that are M's", "that are N's", [](const Asked& load, Place) { return load.matrix == Matrix::kM; }},
    {"whose row exists", "whose row does not exist",
     [](const Asked& load, Place place) { return place.row < load.question->width; }},
    {"whose column exists", "whose column does not exist",
     [](const Asked& load, Place place) { return place.column < load.question->width; }},
    {"that are in the last phase", "that are before the last phase",
     [](const Asked& load, Place) { return load.question->phase == TilesIn(*load.question) - 1; }},
    {"by a thread that has an element of P", "by a thread without an element of P",
     [](const Asked& load, Place) { return OwnsElementOfP(*load.question, load.tx, load.ty); }},
    {"by a thread whose row of P exists", "by a thread whose row of P does not exist",
     [](const Asked& load, Place) {
       return load.question->by * load.question->tile_width + load.ty < load.question->width;
     }},
    {"by a thread whose column of P exists", "by a thread whose column of P does not exist",
     [](const Asked& load, Place) {
       return load.question->bx * load.question->tile_width + load.tx < load.question->width;
     }},
    {"whose row or column is above 32767", "whose row and column are 32767 at most",
     [](const Asked&, Place place) { return place.row > INT16_MAX || place.column > INT16_MAX; }},
    {"whose index is above 2147483647", "whose index an int can hold",
     [](const Asked& load, Place place) { return IndexOf(load.question->width, place) > INT32_MAX; }},
    {"that are right behind the last element", "that are not right behind the last element",
     [](const Asked& load, Place place) {
       return IndexOf(load.question->width, place) ==
              std::int64_t{load.question->width} * load.question->width;
     }},
    {"that are of the last element", "that are of another than the last element",
     [](const Asked& load, Place place) {
       return IndexOf(load.question->width, place) ==
              std::int64_t{load.question->width} * load.question->width - 1;
     }},
    {"whose column is the first that does not exist", "whose column is not the first that does not exist",
     [](const Asked& load, Place place) { return place.column == load.question->width; }},
    {"whose row is the first that does not exist", "whose row is not the first that does not exist",
     [](const Asked& load, Place place) { return place.row == load.question->width; }},
    {"that are in the last row", "that are not in the last row",
     [](const Asked& load, Place place) { return place.row == load.question->width - 1; }},
    {"that are less than a row's length behind the end of their row",
     "that are a row's length or more behind the end of their row",
     [](const Asked& load, Place place) { return place.column < 2 * load.question->width; }},
    {"of a tile as wide as the matrix or wider", "of a tile that is less wide than the matrix",
     [](const Asked& load, Place) { return load.question->tile_width >= load.question->width; }},
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

std::string WordsOf(const TraitsWanted& traits) {
  std::string text;
  for (std::size_t i = 0; i < kTraitCount; ++i) {
    if ((traits.mask >> i & 1) == 0) continue;
    text += (text.empty() ? "" : " and ") +
            std::string((traits.wanted >> i & 1) != 0 ? kTraits[i].is : kTraits[i].is_not);
  }
  return text;
}

std::string ExampleOf(const Asked& load) {
  const Question& q = *load.question;
  const std::string of_m = load.matrix == Matrix::kM ? "M" : "N";
  const auto [row, column] = PlaceOf(q, load.matrix, load.tx, load.ty);
  const std::int64_t width = q.width;
  return "with width " + std::to_string(q.width) + " and tile " + std::to_string(q.tile_width) + ", block (" +
         std::to_string(q.bx) + ", " + std::to_string(q.by) + "), phase " + std::to_string(q.phase) +
         ", thread (" + std::to_string(load.tx) + ", " + std::to_string(load.ty) + ") loads " + of_m + "[" +
         std::to_string(row) + "][" + std::to_string(column) + "], which has the index " +
         std::to_string(row * width + column) + "; the matrix has 0 to " + std::to_string(width * width - 1);
}

}  // namespace

std::string NameOf(Load load) {
  switch (load) {
    case Load::kInside: return "INSIDE";
    case Load::kOtherElement: return "OTHER_ELEMENT";
    case Load::kBehindMatrix: return "BEHIND_MATRIX";
  }
  return std::to_string(static_cast<int>(load));
}

std::string FactOfLoads(std::span<const Answered> answers) {
  const std::vector<Asked> loads = LoadsOf(answers);
  std::map<std::pair<Load, Load>, std::size_t> counts;  // {right, answer}
  for (const Asked& load : loads) {
    if (load.answer != load.right) ++counts[{load.right, load.answer}];
  }
  if (counts.empty()) return "";
  const auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })->first;
  const auto first = std::ranges::find_if(
      loads, [&](const Asked& load) { return load.right == most.first && load.answer == most.second; });
  const auto asked = std::ranges::count(loads, most.first, &Asked::right);
  std::string which = "for " + std::to_string(counts[most]) + " of " + std::to_string(asked) + " such loads";
  const auto traits = TellingTraits(loads, most.first, most.second, false);
  if (traits) {
    which = traits->mask == 0 ? "for all such loads" : "for just those loads " + WordsOf(*traits);
  } else if (const auto others = TellingTraits(loads, most.first, most.second, true)) {
    which = "for all such loads but those " + WordsOf(*others);
  } else if (most.second == Load::kInside) {
    which += " (INSIDE is 0: an entry that is never set may read so, too)";
  }
  return NameOf(most.second) + " is answered where " + NameOf(most.first) + " is right, " + which +
         ". The first: " + ExampleOf(*first) + ".";
}

Place PlaceOf(const Question& q, Matrix matrix, int tx, int ty) {
  if (matrix == Matrix::kM) return {q.by * q.tile_width + ty, q.phase * q.tile_width + tx};
  return {q.phase * q.tile_width + ty, q.bx * q.tile_width + tx};
}

Load LoadAt(int width, Place place) {
  if (Exists(width, place)) return Load::kInside;
  return IsBehind(width, place) ? Load::kBehindMatrix : Load::kOtherElement;
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

std::vector<Recognised> Recognise(std::span<const Answered> answers) {
  std::vector<std::pair<Question, Picture>> given;
  for (const Answered& each : answers) {
    given.emplace_back(each.question, WithinTile(each.answer, each.question.tile_width));
  }
  const auto explanation = step_search::Explain(Drawing(), given, std::equal_to<>());
  // A picture is hundreds of answers: one that does not come out says that another step was done.
  if (explanation && explanation->explained < explanation->asked) return {};
  return step_search::Name(explanation, "pictures");
}

}  // namespace warplings::load_pictures
