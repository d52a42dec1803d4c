// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/exercise_result.h"

namespace warplings {

/// One message about a place in the source.
struct EditorMessage {
  std::string rule;  ///< The kind of message: "compiler", "out_of_bounds", "wrong_result".
  std::string file;
  int line = 1, column = 1;
  Severity severity = Severity::kError;
  std::string text;  ///< One line.
};

/// The compiler's messages, then the virtual GPU's findings. A test that failed without either gives a
/// message at line 1, which holds the advice. Empty if there is nothing to report.
std::vector<EditorMessage> EditorMessages(const ExerciseResult& result);

/// One line per message, in the format of compilers, which editors understand: "FILE:LINE:COLUMN: error:
/// MESSAGE".
std::string GccReport(const ExerciseResult& result);

/// The messages of several results as one SARIF 2.1.0 document, which code-scanning services and editors
/// read: one run, with one rule for each kind of message. `version` is this program's. Paths become
/// percent-encoded URI references, absolute paths "file:" URIs.
std::string SarifReport(const std::vector<ExerciseResult>& results, const std::string& version);

}  // namespace warplings
