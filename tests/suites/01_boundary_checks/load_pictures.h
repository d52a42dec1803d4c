// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "grader/suite/suite_messages.h"
#include "tests/suites/common/step_search.h"

namespace warplings::load_pictures {

inline constexpr int kMaxTileWidth = 32;

/// As the contract's Load. A submission's answer is a byte that may hold anything else.
enum class Load : unsigned char { kInside, kOtherElement, kPastTheEnd };
enum class Matrix { kM, kN };

/// As the contract's BlockLoads, [ty][tx].
struct Picture {
  using Tile = std::array<std::array<Load, kMaxTileWidth>, kMaxTileWidth>;
  Tile m{}, n{};
  bool operator==(const Picture&) const = default;
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
  std::string test{};  ///< That asked; several questions may be of one test.
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

/// Steps: which thread and which block is where, whose tile is whose, which phase it is, what counts as
/// inside, and what lies outside.
const step_search::Calculation<Question, Picture>& Drawing();

/// As the contract spells them; what is none of them as its number.
std::string NameOf(Load load);
/// "M[1][0]".
std::string NameOf(Matrix matrix, Place place);
/// "(1, 0)", for a thread or a block.
std::string PairOf(int x, int y);

/// What the wrong answers have in common, with the first of them: "PAST_THE_END is answered with
/// OTHER_ELEMENT for just those loads whose row exists: …". Empty where no answer is wrong.
Message FactOfLoads(std::span<const Answered> answers);

/// The misconceptions whose pictures these answers are.
std::vector<Fact> FactsOf(std::span<const Answered> answers);

}  // namespace warplings::load_pictures
