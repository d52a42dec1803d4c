// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/judge/random_values.h"
#include "reference/matmul.h"

namespace warplings::coarsening {

/// width x width each, row by row.
struct MatmulInputs {
  std::vector<float> m, n;
};

/// What one test of a matrix multiplication saw: plain data, from which misconceptions are recognised.
struct MatmulEvidence {
  std::string test;  ///< "WidthJustBelowATile"
  int width = 0;
  TestResult result;
  MatmulInputs inputs;
  std::vector<float> p;         ///< Empty where it could not be read.
  reference::Bounded expected;  ///< Of P.
};

using Fill = std::vector<float> (*)(RandomValues&, std::size_t);

MatmulInputs MakeInputs(RandomValues& random, int width, Fill fill = SignedValues);

/// Calls the submission's function(M, N, P, width) on fresh arrays and compares P. Of the running test.
MatmulEvidence CallMatmul(const std::string& title, int width, const MatmulInputs& inputs);

/// Operations per byte loaded from global memory, all launches together; 0 without a load.
double OperationsPerByte(const Counts& counts);

/// "12.8"
std::string OneDecimal(double value);

}  // namespace warplings::coarsening
