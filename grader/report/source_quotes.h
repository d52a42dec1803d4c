// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/line_directives.h"
#include "grader/base/message.h"
#include "grader/core/finding.h"

namespace warplings {

/// The folder that holds the submission, and nothing else, while it is compiled (SubmissionPath of
/// grader/build/).
inline constexpr std::string_view kSubmissionFolder = "/submission/";

/// Looks up the text of source lines that findings and diagnostics refer to, and the names by which the user
/// knows their files.
class SourceQuotes {
 public:
  /// For a checked submission. Findings refer to it by its path in the sandbox, diagnostics by
  /// `display_name`. Lines come from `text`, which was graded. Lines of other files are unknown.
  static SourceQuotes OfSubmission(std::string display_name, std::string_view text);
  /// For a program of the user's own. Lines are read from the files that the compiler recorded.
  static SourceQuotes OfFiles();

  /// The file and the line by which the user knows a place. A place that the submission gave itself by #line,
  /// "/etc/passwd", line 5, is the line of the submission below that directive.
  SourceLine Known(const SourceLine& where) const;
  /// The line's text without indentation; empty if unknown.
  std::string Line(const SourceLine& where) const;
  /// "tiled_matmul.cu:23", or "an unknown line" if the compiler recorded none.
  Message Place(const SourceLine& where) const;

 private:
  const std::vector<std::string>& LinesOf(const std::string& file) const;

  std::string display_name_;  ///< Empty: lines come from files.
  LineDirectives directives_{""};
  mutable std::map<std::string, std::vector<std::string>> lines_;
};

}  // namespace warplings
