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

/// One output element with a wrong value.
struct WrongElement {
  Message where;     ///< "P[2][1]", or the question that was asked.
  Message expected;  ///< A number is formatted by the suite, so that integers and floats both read well.
  Message actual;
  Message note;  ///< "never written", "NaN", "off by 3.2e-2, bound 1.1e-6"; may be empty.
};

/// One term of the sum that makes up an output element: 2 x M[0][1] x N[1][2].
struct Term {
  std::int64_t times = 1;            ///< How often it is added; below 0: subtracted.
  std::vector<std::string> factors;  ///< "M[0][1]", "N[402]" for what lies outside the array, "7".
};

/// The formula by which a submission computed one element, beside the right formula.
struct ElementFormula {
  std::string element;  ///< "P[0][2]".
  bool stored = true;   ///< False if nothing was stored; then `yours` is empty.
  std::vector<Term> yours, right;
};

/// How the submission's function arrived at wrong values. Found by calling it again with inputs chosen so
/// that the answer reveals which elements were used, and confirmed against its answer to random inputs. No
/// points depend on it.
struct Explanation {
  Message call;                          ///< The call that was analysed: "2 x 3 times 3 x 4".
  std::vector<ElementFormula> elements;  ///< The first wrong ones, a few.
  std::vector<Message> facts;  ///< What they have in common, one sentence each, the most important first.
  /// The call's elements in order, right ones included, up to a limit; present if a profile was requested.
  /// Elements whose formula was not found are left out.
  std::optional<std::vector<ElementFormula>> every{};
};

/// The state of each element of an output; recorded if a profile was requested.
struct OutputMap {
  static constexpr std::size_t kMaximumCells = 4096;

  std::string array;           ///< "P".
  std::uint64_t elements = 0;  ///< Size of the array; `states` may be shorter.
  std::uint64_t columns = 0;   ///< Elements per row; 0 if elements have a single index.
  /// One letter per element: '.' right, 'w' wrong, '-' never written, 'n' not a number.
  std::string states;
  std::vector<std::string> expected,
      actual;  ///< Values of the elements that are not right, in the same order.
};

/// The beginning of what the submission printed in a test, on the host and in kernels, and how much was left
/// out.
struct PrintedText {
  static constexpr std::size_t kMostLines = 20, kMostBytes = 2048;

  std::string text;
  std::uint64_t more_lines = 0, more_bytes = 0;
};

/// One GoogleTest test of a suite, as the judge saw it.
struct TestResult {
  std::string name;  ///< GoogleTest's name: "TiledMatmul.WidthJustBelowATile".
  Message title;     ///< A description: "width 15, one less than a tile".
  Verdict verdict = Verdict::kNotRun;
  Message reason;     ///< One line; empty when passed.
  Message next_step;  ///< One line; may be empty.
  /// What to do by what was found out about the wrong values; may be empty. Advise puts it in next_step's
  /// place. Not part of the JSON.
  Message explained_step{};
  std::uint64_t wrong_count = 0;    ///< Elements outside their bound …
  std::uint64_t element_count = 0;  ///< … of this many compared.
  std::vector<WrongElement> wrong;  ///< The first few of them.
  std::vector<Finding> findings;
  /// Index in `findings` of the one that `next_step` is about. Missing if that is about something else, and
  /// in results stored by versions that did not record it.
  std::optional<std::uint64_t> advised{};
  std::vector<LaunchRecord> launches;
  std::optional<OutputMap> output_map;
  /// Only of the first test with wrong values, and only if one was found.
  std::optional<Explanation> explanation;
  std::optional<PrintedText> printed;  ///< Missing if it printed nothing.
  double seconds = 0;                  ///< Wall time of the test; informative only.
};

inline bool HasFailed(const TestResult& test) {
  return test.verdict != Verdict::kPassed && test.verdict != Verdict::kNotRun;
}

}  // namespace warplings
