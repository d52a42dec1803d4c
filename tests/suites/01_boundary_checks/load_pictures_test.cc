// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/01_boundary_checks/load_pictures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "tests/suites/01_boundary_checks/messages.h"
#include "tests/suites/common/messages.h"
#include "tests/suites/common/step_students.h"

namespace warplings::load_pictures {
namespace {

constexpr Load kIn = Load::kInside, kOther = Load::kOtherElement, kBehind = Load::kPastTheEnd;

/// The four threads of a 2 x 2 block: (0, 0), (1, 0), (0, 1), (1, 1), as (tx, ty).
std::vector<Load> FourThreads(const Picture::Tile& tile) {
  return {tile[0][0], tile[0][1], tile[1][0], tile[1][1]};
}
using Four = std::vector<Load>;

/// The book's picture of block (0, 0) in phase 1: M[0][3] and M[1][3] do not exist and would read M[1][0] and
/// M[2][0]; N[3][0] and N[3][1] lie behind N.
TEST(LoadPicturesTest, LastPhaseOfTheFirstBlock) {
  const Picture picture = Draw({.width = 3, .tile_width = 2, .bx = 0, .by = 0, .phase = 1});
  EXPECT_EQ(FourThreads(picture.m), (Four{kIn, kOther, kIn, kOther}));
  EXPECT_EQ(FourThreads(picture.n), (Four{kIn, kIn, kBehind, kBehind}));
}

/// And of block (1, 1) in phase 0, its very first: M[3][0] and M[3][1], N[0][3] and N[1][3].
TEST(LoadPicturesTest, PhaseZeroOfTheLastBlockAlreadyReadsOutside) {
  const Picture picture = Draw({.width = 3, .tile_width = 2, .bx = 1, .by = 1, .phase = 0});
  EXPECT_EQ(FourThreads(picture.m), (Four{kIn, kIn, kBehind, kBehind}));
  EXPECT_EQ(FourThreads(picture.n), (Four{kIn, kOther, kIn, kOther}));
}

TEST(LoadPicturesTest, LargeMatricesDoNotOverflow) {
  EXPECT_EQ(LoadAt(40'000, {40'031, 40'031}), kBehind);
  EXPECT_EQ(LoadAt(40'000, {39'999, 39'999}), kIn);
  EXPECT_EQ(LoadAt(40'000, {39'998, 40'000}), kOther);
}

TEST(LoadPicturesTest, EachBlockAndPhaseOnce) {
  EXPECT_EQ(AllBlocksAndPhases(3, 2).size(), 8u);
  EXPECT_EQ(AllBlocksAndPhases(16, 16).size(), 1u);
}

/// As the suite asks.
std::vector<Question> Questions() {
  std::vector<Question> questions;
  for (const auto& [width, tile] :
       {std::pair{3, 2}, {5, 2}, {5, 16}, {1, 32}, {17, 16}, {31, 16}, {64, 32}}) {
    for (const Question& question : AllBlocksAndPhases(width, tile)) questions.push_back(question);
  }
  return questions;
}

const std::equal_to<> kSame;

TEST(LoadPicturesTest, EveryMistakeIsTold) {
  const auto single = step_search::TallyOf(Drawing(), Questions(), kSame, 1);
  EXPECT_EQ(single.exact, single.students);
  const auto pairs = step_search::TallyOf(Drawing(), Questions(), kSame, 2);
  EXPECT_GE(pairs.exact + pairs.part, pairs.students * 9 / 10);
  EXPECT_LE(pairs.another, pairs.students / 50);
}

TEST(LoadPicturesTest, NonsenseIsAccusedOfNothing) {
  step_search::ExpectNonsenseIsAccusedOfNothing(Drawing(), Questions(), kSame, [](RandomValues& random) {
    Picture picture;
    for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
      for (auto& row : picture.Of(matrix)) {
        for (Load& load : row) load = static_cast<Load>(random.Below(3));
      }
    }
    return picture;
  });
}

std::vector<Answered> AnswersBy(const std::function<Picture(const Question&)>& draw) {
  std::vector<Answered> answers;
  for (const Question& question : Questions()) answers.push_back({question, draw(question)});
  return answers;
}

TEST(LoadPicturesTest, WhatNobodyDrawsIsNotNamed) {
  const auto all_inside = FactsOf(AnswersBy([](const Question&) { return Picture{}; }));
  EXPECT_TRUE(all_inside.empty()) << all_inside[0].message;
  EXPECT_TRUE(FactsOf(AnswersBy(Draw)).empty());
  EXPECT_TRUE(FactsOf({}).empty());
}

/// What a picture is with other answers for some loads.
std::vector<Answered> AnswersWith(const std::function<Load(Place place, int width, Load right)>& answer) {
  return AnswersBy([&](const Question& q) {
    Picture picture = Draw(q);
    for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
      for (int ty = 0; ty < q.tile_width; ++ty) {
        for (int tx = 0; tx < q.tile_width; ++tx) {
          Load& load = picture.Of(matrix)[static_cast<std::size_t>(ty)][static_cast<std::size_t>(tx)];
          load = answer(PlaceOf(q, matrix, tx, ty), q.width, load);
        }
      }
    }
    return picture;
  });
}

std::string FactOf(const std::function<Load(Place place, int width, Load right)>& answer) {
  return English(FactOfLoads(AnswersWith(answer)));
}

TEST(LoadPicturesTest, WhatWrongAnswersHaveInCommonIsSaid) {
  EXPECT_TRUE(FactOfLoads(AnswersBy(Draw)).empty());
  // Whoever asks for the row where the index decides.
  const std::string by_row = FactOf([](Place place, int width, Load right) {
    return right == kBehind && place.row < width ? kOther : right;
  });
  EXPECT_EQ(
      by_row,
      "Your function answers OTHER_ELEMENT for loads that are PAST_THE_END, if their row exists. Take "
      "width 3 and tile 2: in phase 1, thread (1, 0) of block (1, 0) loads N[2][3], index 9 (the last is "
      "8). Which condition of your function decides the answer for this load, and which numbers does it "
      "compare?");
  const std::string short_numbers =
      FactOf([](Place place, int, Load right) { return right == kOther && place.row == 1 ? kIn : right; });
  EXPECT_TRUE(
      short_numbers.starts_with("Your function answers INSIDE for some loads that are OTHER_ELEMENT. Take "))
      << short_numbers;
  EXPECT_TRUE(short_numbers.ends_with(" for it? An entry that no line sets is 0, which is INSIDE."))
      << short_numbers;
  // Two ways to be wrong: what is right can be said.
  const std::string either = FactOf([](Place place, int width, Load right) {
    return right == kOther && (place.column == width || place.column >= 2 * width) ? kBehind : right;
  });
  EXPECT_TRUE(either.starts_with(
      "Your function answers PAST_THE_END for loads that are OTHER_ELEMENT, unless their column is not equal "
      "to width, and their column is below 2 * width. Take "))
      << either;
  const std::string all = FactOf([](Place, int, Load right) { return right == kOther ? kBehind : right; });
  EXPECT_TRUE(
      all.starts_with("Your function answers PAST_THE_END for all loads that are OTHER_ELEMENT. Take "))
      << all;
}

/// Whoever takes a block for inside in all phases, if its element of P is.
TEST(LoadPicturesTest, ABlockInsidePIsTold) {
  const auto answers = AnswersBy([](const Question& q) {
    const bool is_inner = (std::max(q.bx, q.by) + 1) * q.tile_width <= q.width;
    return is_inner ? Picture{} : Draw(q);
  });
  EXPECT_TRUE(English(FactOfLoads(answers))
                  .starts_with("Your function answers INSIDE for loads that are OTHER_ELEMENT, if the block "
                               "lies wholly inside P. Take "))
      << English(FactOfLoads(answers));
}

/// Indices that a float holds only in part.
TEST(LoadPicturesTest, AnIndexThatIsNotExactIsTold) {
  const auto in_float = [](const Question& q) {
    Picture picture = Draw(q);
    const auto width = static_cast<float>(q.width);
    for (int ty = 0; ty < q.tile_width; ++ty) {
      for (int tx = 0; tx < q.tile_width; ++tx) {
        const Place place = PlaceOf(q, Matrix::kM, tx, ty);
        if (LoadAt(q.width, place) == kIn) continue;
        const float index = static_cast<float>(place.row) * width + static_cast<float>(place.column);
        picture.m[static_cast<std::size_t>(ty)][static_cast<std::size_t>(tx)] =
            index > width * width - 1 ? kBehind : kOther;
      }
    }
    return picture;
  };
  std::vector<Answered> answers = AnswersBy(in_float);
  EXPECT_TRUE(FactOfLoads(answers).empty()) << "small matrices are right";
  for (const Question& question :
       {Question{40'000, 29, 1379, 1379, 0}, Question{40'000, 29, 0, 1379, 1379}}) {
    answers.push_back({question, in_float(question)});
  }
  EXPECT_TRUE(
      English(FactOfLoads(answers))
          .starts_with("For large matrices, the index or the last index that your function computes is not "
                       "exact. Take width 40000 and tile 29: "))
      << English(FactOfLoads(answers));
}

/// Answers one behind the other, as if a row of the arrays were as long as one of the tile.
TEST(LoadPicturesTest, PackedRowsAreTold) {
  const auto packed = AnswersBy([](const Question& q) {
    const Picture right = Draw(q);
    Picture picture;
    for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
      const auto tile = static_cast<std::size_t>(q.tile_width);
      for (std::size_t i = 0; i < tile * tile; ++i)
        picture.Of(matrix)[i / kMaxTileWidth][i % kMaxTileWidth] = right.Of(matrix)[i / tile][i % tile];
    }
    return picture;
  });
  EXPECT_EQ(FactOfLoads(packed), say::pictures_packed_rows(2, 2));
}

/// Each of two mistakes counts the tests in which it shows.
TEST(LoadPicturesTest, OfTwoMistakesEachHasItsTests) {
  step_search::Versions versions = Drawing().Right();
  versions[1] = 1;  // bx and by are swapped.
  versions[5] = 2;  // Index width * width is another element.
  std::vector<Answered> answers = AnswersBy([&](const Question& q) { return Drawing().answer(q, versions); });
  for (Answered& each : answers) {
    const Question& q = each.question;
    each.test = q.bx != q.by ? "off the diagonal" : "on it";  // The first one lies on it.
  }
  const std::vector<Fact> facts = FactsOf(answers);
  ASSERT_EQ(facts.size(), 2u);
  const auto swapped = std::ranges::find(facts, "x_counts_rows", &Fact::id);
  ASSERT_NE(swapped, facts.end());
  EXPECT_EQ(swapped->tests, std::vector<std::string>{"off the diagonal"});
}

/// A picture that is set only where a load is outside, and lives longer than its call.
TEST(LoadPicturesTest, WhatEarlierCallsLeftIsTold) {
  Picture kept;
  const auto with_static = AnswersBy([&](const Question& q) {
    const Picture right = Draw(q);
    for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
      for (std::size_t y = 0; y < static_cast<std::size_t>(q.tile_width); ++y) {
        for (std::size_t x = 0; x < static_cast<std::size_t>(q.tile_width); ++x) {
          if (right.Of(matrix)[y][x] != kIn) kept.Of(matrix)[y][x] = right.Of(matrix)[y][x];
        }
      }
    }
    return kept;
  });
  EXPECT_EQ(FactOfLoads(with_static), say::pictures_left_over());
  EXPECT_NE(FactOfLoads(AnswersBy([](const Question&) { return Picture{}; })), say::pictures_left_over());
}

/// Entries outside the tile may be anything.
TEST(LoadPicturesTest, OnlyTheTileIsLookedAt) {
  const auto found = FactsOf(AnswersBy([](const Question& q) {
    step_search::Versions versions = Drawing().Right();
    versions.back() = 1;
    Picture picture = Drawing().answer(q, versions);
    if (q.tile_width < kMaxTileWidth)
      picture.m[0][static_cast<std::size_t>(q.tile_width)] = Load::kPastTheEnd;
    return picture;
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, "rows_end_memory");
}

/// The index counted with the tile's width, which is another mistake than those that draw nearly the same.
TEST(LoadPicturesTest, AnIndexWithRowsOfATileIsNamed) {
  const auto found = FactsOf(AnswersBy([](const Question& q) {
    Picture picture = Draw(q);
    for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
      for (int ty = 0; ty < q.tile_width; ++ty) {
        for (int tx = 0; tx < q.tile_width; ++tx) {
          const Place place = PlaceOf(q, matrix, tx, ty);
          Load& load = picture.Of(matrix)[static_cast<std::size_t>(ty)][static_cast<std::size_t>(tx)];
          if (load == kIn) continue;
          load = place.row * q.tile_width + place.column < q.width * q.width ? kOther : kBehind;
        }
      }
    }
    return picture;
  }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message, say::pictures_rows_of_a_tile());
}

/// Blocks inside P that are not looked at, and N drawn as the mirror image of M.
TEST(LoadPicturesTest, BlocksThatAreNotLookedAtAreNamedBesideAnotherMistake) {
  const auto found = FactsOf(AnswersBy([](const Question& q) {
    Picture picture;
    if ((std::max(q.bx, q.by) + 1) * q.tile_width <= q.width) return picture;
    picture.m = Draw(q).m;
    for (std::size_t y = 0; y < picture.n.size(); ++y) {
      for (std::size_t x = 0; x < picture.n.size(); ++x) picture.n[y][x] = picture.m[x][y];
    }
    return picture;
  }));
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found[0].message.Mentions(say::pictures_inside_of_inner_blocks.id) ||
              found[0].message.Mentions(say::pictures_n_mirrors_m.id))
      << found[0].message;
}

/// All wrong pictures but one are those of a mistake.
TEST(LoadPicturesTest, WhatAPictureContradictsIsNotNamed) {
  const auto found = FactsOf(AnswersBy([](const Question& q) {
    Picture picture = Draw(q);
    for (const Matrix matrix : {Matrix::kM, Matrix::kN}) {
      for (auto& row : picture.Of(matrix)) {
        for (Load& load : row) load = load == kBehind && q.width != 1 ? kOther : load;
      }
    }
    return picture;
  }));
  EXPECT_TRUE(found.empty()) << found[0].message;
}

/// The starter with its first TODO done, and with all but the last.
TEST(LoadPicturesTest, WhoLeavesOutBlockAndPhaseIsToldSo) {
  const auto facts_of = [](bool m_is_done) {
    std::vector<Answered> answers;
    for (const Question& q : Questions()) {
      Picture picture;
      for (int ty = 0; ty < q.tile_width; ++ty) {
        for (int tx = 0; tx < q.tile_width; ++tx) {
          picture.m[ty][tx] = LoadAt(q.width, m_is_done ? PlaceOf(q, Matrix::kM, tx, ty) : Place{ty, tx});
          picture.n[ty][tx] = LoadAt(q.width, {ty, tx});
        }
      }
      answers.push_back({q, picture});
    }
    return FactsOf(answers);
  };
  const std::vector<Fact> none = facts_of(false), half = facts_of(true);
  ASSERT_EQ(none.size(), 1u);
  EXPECT_EQ(none[0].id, "another_step");
  EXPECT_NE(English(none[0].message).find("your function gives the same answers for every block"),
            std::string::npos)
      << none[0].message;
  ASSERT_EQ(half.size(), 1u);
  EXPECT_NE(English(half[0].message).find("for N, your function gives the same answers for every block"),
            std::string::npos)
      << half[0].message;
}

/// One picture of which several mistakes could have drawn the same.
TEST(LoadPicturesTest, WhatIsNotCertainIsNotNamed) {
  const Question question = {.width = 4, .tile_width = 2, .bx = 1, .by = 0, .phase = 0};
  step_search::Versions versions = Drawing().Right();
  versions[3] = 1;
  EXPECT_TRUE(FactsOf(std::vector<Answered>{{question, Drawing().answer(question, versions)}}).empty());
}

}  // namespace
}  // namespace warplings::load_pictures
