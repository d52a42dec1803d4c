// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/finding.h"

namespace warplings {

/// Where a submission, and nothing else, stands while it is compiled (SubmissionPath of grader/build/).
inline constexpr std::string_view kSubmissionFolder = "/submission/";

/// Gives the text of the source lines that findings and diagnostics name, and the names under which the
/// user knows their files.
class SourceQuotes {
 public:
  /// For a checked submission: findings name it by its place in the sandbox, diagnostics already by
  /// `display_name`; lines come from `text`, as it was graded. Other files have no text.
  static SourceQuotes OfSubmission(std::string display_name, std::string_view text);
  /// For a program of the user's own: lines are read from the files that the compiler recorded.
  static SourceQuotes OfFiles();

  std::string DisplayName(const std::string& file) const;
  /// Without indentation; empty where the line is unknown.
  std::string Line(const SourceLine& where) const;
  /// "tiled_matmul.cu:23", or "an unknown line" where the compiler recorded none.
  std::string Place(const SourceLine& where) const;

 private:
  std::string KnownAs(const std::string& file) const;
  const std::vector<std::string>& LinesOf(const std::string& file) const;

  std::string display_name_;  ///< Empty: lines come from files.
  mutable std::map<std::string, std::vector<std::string>> lines_;
};

}  // namespace warplings
