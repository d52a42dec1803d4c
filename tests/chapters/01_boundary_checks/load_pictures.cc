// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/01_boundary_checks/load_pictures.h"

#include <algorithm>
#include <cstdint>
#include <set>
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

Question WithBlocksTransposed(Question question) {
  std::swap(question.bx, question.by);
  return question;
}

Load OneThread(Idea idea, const Question& q, Matrix matrix, int tx, int ty) {
  const Place place = PlaceOf(q, matrix, tx, ty);
  const Load right = LoadAt(q.width, place);
  const Load outside = IsBehind(q.width, place) ? Load::kBehindMatrix : Load::kOtherElement;
  const auto inside_if = [](bool inside, Load otherwise) { return inside ? Load::kInside : otherwise; };
  switch (idea) {
    case Idea::kRight: break;
    case Idea::kOnlyLastPhase: return inside_if(q.phase < TilesIn(q) - 1, right);
    case Idea::kPictureTransposed: return LoadAt(q.width, PlaceOf(q, matrix, ty, tx));
    case Idea::kBlocksTransposed: return LoadAt(q.width, PlaceOf(WithBlocksTransposed(q), matrix, tx, ty));
    case Idea::kAllTransposed: return LoadAt(q.width, PlaceOf(WithBlocksTransposed(q), matrix, ty, tx));
    case Idea::kFlatIndexOnly: return inside_if(!IsBehind(q.width, place), Load::kBehindMatrix);
    case Idea::kRowsEndMemory: return inside_if(Exists(q.width, place), Load::kBehindMatrix);
    case Idea::kOwnersOnly: return inside_if(!OwnsElementOfP(q, tx, ty), right);
    case Idea::kOwnersInside: return inside_if(OwnsElementOfP(q, tx, ty), outside);
    case Idea::kOneAnswerForBoth: return LoadAt(q.width, PlaceOf(q, Matrix::kM, tx, ty));
    case Idea::kMatricesInterchanged:
      return LoadAt(q.width, PlaceOf(q, matrix == Matrix::kM ? Matrix::kN : Matrix::kM, tx, ty));
    case Idea::kOneTooMany: return inside_if(place.row <= q.width && place.column <= q.width, right);
  }
  return right;
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
  return DrawWith(Idea::kRight, question);
}

std::string IdOf(Idea idea) {
  switch (idea) {
    case Idea::kRight: return "";
    case Idea::kOnlyLastPhase: return "only_last_phase";
    case Idea::kPictureTransposed:
    case Idea::kBlocksTransposed:
    case Idea::kAllTransposed: return "x_counts_rows";
    case Idea::kFlatIndexOnly: return "flat_index_only";
    case Idea::kRowsEndMemory: return "rows_end_memory";
    case Idea::kOwnersOnly:
    case Idea::kOwnersInside: return "asks_for_p";
    case Idea::kOneAnswerForBoth: return "one_answer_for_both";
    case Idea::kMatricesInterchanged: return "matrices_interchanged";
    case Idea::kOneTooMany: return "one_too_many";
  }
  return "";
}

Picture DrawWith(Idea idea, const Question& question) {
  Picture picture;
  for (int ty = 0; ty < question.tile_width; ++ty) {
    for (int tx = 0; tx < question.tile_width; ++tx) {
      for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
        picture.Of(matrix)[static_cast<std::size_t>(ty)][static_cast<std::size_t>(tx)] =
            OneThread(idea, question, matrix, tx, ty);
      }
    }
  }
  return picture;
}

bool SamePicture(const Picture& a, const Picture& b, int tile_width) {
  const auto t = static_cast<std::ptrdiff_t>(tile_width);
  const auto same = [t](const Picture::Tile& left, const Picture::Tile& right) {
    for (std::ptrdiff_t ty = 0; ty < t; ++ty) {
      const auto row = static_cast<std::size_t>(ty);
      if (!std::equal(left[row].begin(), left[row].begin() + t, right[row].begin())) return false;
    }
    return true;
  };
  return same(a.m, b.m) && same(a.n, b.n);
}

std::vector<Recognised> Recognise(std::span<const Answered> answers) {
  std::set<std::string> ids;
  for (const Idea idea : kIdeas) {
    const auto explains = [idea](const Answered& a) {
      return SamePicture(a.answer, DrawWith(idea, a.question), a.question.tile_width);
    };
    if (!answers.empty() && std::ranges::all_of(answers, explains)) ids.insert(IdOf(idea));
  }
  if (ids.size() != 1 || ids.contains("")) return {};
  return {
      {*ids.begin(), "all " + std::to_string(answers.size()) + " pictures are just what this idea draws"}};
}

}  // namespace warplings::load_pictures
