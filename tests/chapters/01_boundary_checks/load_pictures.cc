// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/01_boundary_checks/load_pictures.h"

#include <cstdint>
#include <functional>
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
enum Blocks { kByRow, kTransposed, kOfM, kOfN };
enum Whose { kEachItsOwn, kAllAsM, kInterchanged, kAllAsN };
enum Phases { kFromZero, kFromOne, kLeftOut };
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
enum Outside { kByIndex, kAlwaysBehind, kEndIsElement, kByRowAlone, kAlwaysOther, kLastIsBehind };

const std::vector<step_search::Step> kDrawingSteps = {
    {{"x_counts_rows", "threadIdx.x taken for the row of the tile"}},
    {{"x_counts_rows", "blockIdx.x taken for the row of tiles"},
     {"another_step", "M's rows taken from blockIdx.x, as N's columns are"},
     {"another_step", "N's columns taken from blockIdx.y, as M's rows are"}},
    {{"one_answer_for_both", "M's place used for N's tile as well"},
     {"matrices_interchanged", "M's tile and N's tile interchanged"},
     {"another_step", "N's place used for M's tile as well"}},
    {{"another_step", "phases counted from 1"}, {"another_step", "the phase left out"}},
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
     {"another_step", "the last element taken for behind the matrix"}}};

Question WithBlocksTransposed(Question question) {
  std::swap(question.bx, question.by);
  return question;
}

/// Where the thread is thought to load.
Place PlaceBy(Question q, Matrix matrix, int tx, int ty, const Versions& v) {
  if (v[kWhose] == kAllAsM) matrix = Matrix::kM;
  if (v[kWhose] == kAllAsN) matrix = Matrix::kN;
  if (v[kWhose] == kInterchanged) matrix = matrix == Matrix::kM ? Matrix::kN : Matrix::kM;
  if (v[kThreads] != 0) std::swap(tx, ty);
  if (v[kBlocks] == kTransposed) q = WithBlocksTransposed(q);
  if (v[kBlocks] == kOfM) q.by = q.bx;
  if (v[kBlocks] == kOfN) q.bx = q.by;
  if (v[kPhase] == kFromOne) ++q.phase;
  if (v[kPhase] == kLeftOut) q.phase = 0;
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
  bool behind = index >= end;
  switch (version) {
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

}  // namespace

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
  return step_search::Name(step_search::Explain(Drawing(), given, std::equal_to<>()), "pictures");
}

}  // namespace warplings::load_pictures
