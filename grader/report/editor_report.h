// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/exercise_result.h"

namespace warplings {

/// One thing that has a place in the source.
struct EditorMessage {
  std::string rule;  ///< What kind of thing: "compiler", "out_of_bounds", "wrong_result".
  std::string file;
  int line = 1, column = 1;
  Severity severity = Severity::kError;
  std::string text;  ///< One line.
};

/// First what the compiler said, then what the virtual GPU saw; a test that failed without either is at line
/// 1, where the advice stands. Empty where there is nothing to complain of.
std::vector<EditorMessage> EditorMessages(const ExerciseResult& result);

/// A line each, as compilers write them and editors read them: "FILE:LINE:COLUMN: error: MESSAGE".
std::string GccReport(const ExerciseResult& result);

/// The same of several results as one SARIF 2.1.0 document, which code-scanning services and editors read:
/// one run, a rule for each kind of message. `version` is this program's. Paths become URI references, with
/// what a URI must not hold in percent signs; absolute ones "file:" URIs.
std::string SarifReport(const std::vector<ExerciseResult>& results, const std::string& version);

}  // namespace warplings
