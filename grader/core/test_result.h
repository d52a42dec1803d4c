// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/finding.h"
#include "grader/core/launch_record.h"
#include "grader/core/verdict.h"

namespace warplings {

/// One element that differs from what it must be.
struct WrongElement {
  std::string where;     ///< "P[2][1]" or "result".
  std::string expected;  ///< Formatted by the suite, so that integers and floats both read well.
  std::string actual;
  std::string note;  ///< "never written", "NaN", "off by 3.2e-2, bound 1.1e-6"; may be empty.
};

/// One summand of what an element of the output is: 2 x M[0][1] x N[1][2].
struct Term {
  std::int64_t times = 1;            ///< How often it is added; below 0: subtracted.
  std::vector<std::string> factors;  ///< "M[0][1]", "N[end+3]" for what lies behind the array, "7".
};

/// What a submission computed for one element, beside what it must be.
struct ElementFormula {
  std::string element;  ///< "P[0][2]".
  bool stored = true;   ///< False: nothing was, and `yours` has no term.
  std::vector<Term> yours, right;
};

/// How the submission's function came to wrong values: found by calling it again with inputs that tell from
/// the answer which elements were used, and then held against its answer to random inputs. No points.
struct Explanation {
  std::string call;                      ///< The call that was looked at: "2 x 3 times 3 x 4".
  std::vector<ElementFormula> elements;  ///< The first wrong ones, a few.
  std::vector<std::string> facts;        ///< What they have in common, a sentence each, the weightiest first.
  /// Elements of the call in their order, right ones, too, as many as there is room for; where a profile was
  /// asked for. One whose formula was not found is left out.
  std::optional<std::vector<ElementFormula>> every{};
};

/// What became of each element of an output; where a profile was asked for.
struct OutputMap {
  static constexpr std::size_t kMaximumCells = 4096;

  std::string array;           ///< "P".
  std::uint64_t elements = 0;  ///< That it has; `states` may end before.
  std::uint64_t columns = 0;   ///< Of a row; 0 where elements have one index.
  /// A letter for each: '.' right, 'w' wrong, '-' never written, 'n' not a number.
  std::string states;
  std::vector<std::string> expected, actual;  ///< Of those that are not right, in the same order.
};

/// What the submission printed in a test, on the host and in kernels: how it begins, and how much was left
/// out.
struct PrintedText {
  static constexpr std::size_t kMostLines = 20, kMostBytes = 2048;

  std::string text;
  std::uint64_t more_lines = 0, more_bytes = 0;
};

/// One GoogleTest test of a suite, as the judge saw it.
struct TestResult {
  std::string name;   ///< GoogleTest's: "TiledMatmul.WidthJustBelowATile".
  std::string title;  ///< In words: "width 15, one less than a tile".
  Verdict verdict = Verdict::kNotRun;
  std::string reason;               ///< One line; empty when passed.
  std::string next_step;            ///< One line; may be empty.
  std::uint64_t wrong_count = 0;    ///< Elements outside their bound …
  std::uint64_t element_count = 0;  ///< … of this many compared.
  std::vector<WrongElement> wrong;  ///< The first few of them.
  std::vector<Finding> findings;
  std::vector<LaunchRecord> launches;
  std::optional<OutputMap> output_map;
  std::optional<Explanation> explanation;  ///< Of the first test with wrong values, where one was found.
  std::optional<PrintedText> printed;      ///< Missing where it printed nothing.
  double seconds = 0;                      ///< Wall time of the test; informative only.
};

inline bool HasFailed(const TestResult& test) {
  return test.verdict != Verdict::kPassed && test.verdict != Verdict::kNotRun;
}

}  // namespace warplings
