// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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
  double seconds = 0;  ///< Wall time of the test; informative only.
};

}  // namespace warplings
