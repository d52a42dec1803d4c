// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/suite/grading.h"
#include "tests/suites/01_boundary_checks/tiled_matmul_evidence.h"
#include "tests/suites/common/explain_matmul.h"
#include "tests/suites/common/matmul_call.h"

namespace warplings::tiled_matmul {

/// What all tests of the running suite saw, for FactsOf.
std::vector<Evidence>& AllEvidence();

/// What the submission computed instead, for ExplainWith.
std::vector<Explained> ExplainWidths();

/// For the suites whose function is (M, N, P, width). Each test is one call.
class WidthTest : public testing::Test {
 protected:
  /// A test's title, given its width.
  using TitleOfWidth = MessageRow<say::Number>;

  /// At `width`, with M and N from `fill`.
  void Check(const TitleOfWidth& title, int width, FillFunction fill = SignedValues);
  /// M holds the integers 1 to width^2 and N the following ones, shuffled and with random signs, so that a
  /// student can follow a wrong element by hand.
  void CheckSmallIntegers(const Message& title, int width);
  /// At a random width from 130 to 159, no multiple of 16: P has 81 tiles of 16 x 16 or more, so that a block
  /// of a grid that is bounded by a number, however large a matrix is, has to compute several.
  void CheckAnyWidth();
  /// With an infinity in M, at a width that no tile but the smallest divides.
  void CheckInfinity();
  /// At a multiple of 32 that nobody knows beforehand, and asks for tiles that are loaded with whole sectors,
  /// in this and all other calls.
  void CheckTiles(const TitleOfWidth& title);

 private:
  static MatmulEvidence Call(const Message& title, int width, const MatmulInputs& inputs);
  static void Record(MatmulEvidence evidence);
};

/// What both exercises are graded by: the one repairs what the other writes.
Grading TiledGrading();

}  // namespace warplings::tiled_matmul
