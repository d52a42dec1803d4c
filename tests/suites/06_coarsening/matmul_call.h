// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/suites/common/explain_matmul.h"
#include "tests/suites/common/matmul_call.h"

namespace warplings::coarsening {

/// width x width each, from the running test's TestRandom().
MatmulInputs SquareInputs(int width, FillFunction fill = SignedValues);

/// Calls the submission's function(M, N, P, width) on fresh arrays and compares P. Of the running test.
MatmulEvidence CallSquareMatmul(const Message& title, int width, const MatmulInputs& inputs);

int WidthOf(const MatmulEvidence& evidence);

/// Of the two suites that multiply square matrices.
class SquareMatmulTest : public testing::Test {
 protected:
  static void Check(const Message& title, int width, FillFunction fill = SignedValues);
  /// With an infinity in M, at a width that no tile but the smallest divides.
  static void CheckInfinity();
  static void Record(MatmulEvidence evidence);
};

/// What all tests saw, for FactsOf.
std::vector<MatmulEvidence>& AllEvidence();

/// What the submission computed instead, for ExplainWith.
std::vector<Explained> ExplainSquares();

/// Operations per byte loaded from global memory, all launches together; 0 without a load.
double OperationsPerByte(const Counts& counts);

}  // namespace warplings::coarsening
