// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/judge/suite_messages.h"

namespace warplings::load_pictures {

inline constexpr int kMaxTileWidth = 32;

/// As the contract's Load. A submission's answer is a byte that may hold anything else.
enum class Load : unsigned char { kInside, kOtherElement, kBehindMatrix };
enum class Matrix { kM, kN };

/// As the contract's BlockLoads, [ty][tx].
struct Picture {
  using Tile = std::array<std::array<Load, kMaxTileWidth>, kMaxTileWidth>;
  Tile m{}, n{};
  const Tile& Of(Matrix matrix) const { return matrix == Matrix::kM ? m : n; }
  Tile& Of(Matrix matrix) { return matrix == Matrix::kM ? m : n; }
};

/// One call: a block in a phase.
struct Question {
  int width = 0, tile_width = 0, bx = 0, by = 0, phase = 0;
};

struct Answered {
  Question question;
  Picture answer;
};

struct Place {
  int row = 0, column = 0;
};

/// What thread (tx, ty) loads from a matrix.
Place PlaceOf(const Question& question, Matrix matrix, int tx, int ty);

/// What reading there gives.
Load LoadAt(int width, Place place);

/// How many blocks in x and in y, and how many phases, cover the matrices.
int TilesIn(const Question& question);

/// All blocks in all phases, in the order of a launch.
std::vector<Question> AllBlocksAndPhases(int width, int tile_width);

/// The right picture.
Picture Draw(const Question& question);

/// How a student may think that it goes.
enum class Idea {
  kRight,
  kOnlyLastPhase,         ///< Before the last phase all is inside.
  kPictureTransposed,     ///< m[tx][ty]
  kBlocksTransposed,      ///< bx counts rows of tiles.
  kAllTransposed,         ///< threadIdx.x and bx count rows.
  kFlatIndexOnly,         ///< Inside when the index is below width * width.
  kRowsEndMemory,         ///< A row or column that does not exist is always behind the matrix.
  kOwnersOnly,            ///< A thread without an element of P loads nothing.
  kOwnersInside,          ///< A thread with an element of P loads inside, another one outside.
  kOneAnswerForBoth,      ///< N as M.
  kMatricesInterchanged,  ///< M's picture is N's, and the other way round.
  kOneTooMany,            ///< Compared by <=.
};
inline constexpr std::array kIdeas = {
    Idea::kRight,         Idea::kOnlyLastPhase,    Idea::kPictureTransposed,    Idea::kBlocksTransposed,
    Idea::kAllTransposed, Idea::kFlatIndexOnly,    Idea::kRowsEndMemory,        Idea::kOwnersOnly,
    Idea::kOwnersInside,  Idea::kOneAnswerForBoth, Idea::kMatricesInterchanged, Idea::kOneTooMany};

/// The misconception in chapter.toml; "" for kRight.
std::string IdOf(Idea idea);

/// The picture that somebody with this idea draws.
Picture DrawWith(Idea idea, const Question& question);

/// True when the pictures agree within tile_width x tile_width.
bool SamePicture(const Picture& a, const Picture& b, int tile_width);

/// The one misconception whose pictures all these answers are; none if they are right, if no idea gives them,
/// or if ideas of two misconceptions do.
std::vector<Recognised> Recognise(std::span<const Answered> answers);

}  // namespace warplings::load_pictures
