// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/01_boundary_checks/load_pictures.h"

#include <gtest/gtest.h>

#include <functional>

namespace warplings::load_pictures {
namespace {

constexpr Load kIn = Load::kInside, kOther = Load::kOtherElement, kBehind = Load::kBehindMatrix;

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

std::vector<Answered> AnswersBy(const std::function<Picture(const Question&)>& draw) {
  std::vector<Answered> answers;
  for (const auto& [width, tile] : {std::pair{3, 2}, {5, 16}, {17, 16}, {64, 32}}) {
    for (const Question& question : AllBlocksAndPhases(width, tile))
      answers.push_back({question, draw(question)});
  }
  return answers;
}

TEST(LoadPicturesTest, EachIdeaIsToldFromTheOthers) {
  for (const Idea idea : kIdeas) {
    const auto found = Recognise(AnswersBy([idea](const Question& q) { return DrawWith(idea, q); }));
    if (idea == Idea::kRight) {
      EXPECT_TRUE(found.empty());
      continue;
    }
    ASSERT_EQ(found.size(), 1u) << static_cast<int>(idea);
    EXPECT_EQ(found[0].id, IdOf(idea));
  }
}

TEST(LoadPicturesTest, WhatNoIdeaDrawsIsNotNamed) {
  EXPECT_TRUE(Recognise(AnswersBy([](const Question&) { return Picture{}; })).empty());
  EXPECT_TRUE(Recognise({}).empty());
}

/// A single picture that two ideas draw alike says nothing.
TEST(LoadPicturesTest, TwoIdeasThatAgreeAreNotNamed) {
  const Question question{.width = 3, .tile_width = 2, .bx = 0, .by = 0, .phase = 0};
  const std::vector<Answered> one = {{question, DrawWith(Idea::kOnlyLastPhase, question)}};
  EXPECT_TRUE(Recognise(one).empty());
}

}  // namespace
}  // namespace warplings::load_pictures
