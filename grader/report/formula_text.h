// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/core/test_result.h"

namespace warplings {

/// The first test that has an explanation of its wrong values; null if none has.
const TestResult* ExplainedTest(const std::vector<TestResult>& tests);

/// Two lines, what was computed above what is right, each at most `columns` wide and ended by a newline. To
/// save space, terms that both lines have are the first to be replaced by "…".
///
///     P[0][2]  yours  M[0][0]·N[0][2] + M[0][1]·N[1][2] + M[1][0]·N[2][2]
///              right  M[0][0]·N[0][2] + M[0][1]·N[1][2] + M[0][2]·N[2][2]
std::string FormulaLines(const Explanation& explanation, const ElementFormula& formula, std::size_t indent,
                         std::size_t columns);

/// Terms as a sum in at most `room` columns. Terms that are also in `others` are omitted first.
std::string SumText(const std::vector<Term>& terms, const std::vector<Term>& others, std::size_t room);

}  // namespace warplings
