// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/core/test_result.h"

namespace warplings {

/// The first test whose wrong values are explained; null where none is.
const TestResult* ExplainedTest(const std::vector<TestResult>& tests);

/// What was computed above what is right, a line each and no longer than `columns`: terms that both have are
/// left out first ("…"). Each line ends with a newline.
///
///     P[0][2]  yours  M[0][0]·N[0][2] + M[0][1]·N[1][2] + M[1][0]·N[2][2]
///              right  M[0][0]·N[0][2] + M[0][1]·N[1][2] + M[0][2]·N[2][2]
std::string FormulaLines(const Explanation& explanation, const ElementFormula& formula, std::size_t indent,
                         std::size_t columns);

/// Terms as a sum in at most `room` columns; `others`: what terms are compared with to choose those shown.
std::string SumText(const std::vector<Term>& terms, const std::vector<Term>& others, std::size_t room);

}  // namespace warplings
