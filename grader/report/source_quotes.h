// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/finding.h"

namespace warplings {

/// Gives the text of the source lines that findings and diagnostics name, and the names under which the
/// user knows their files.
class SourceQuotes {
 public:
  /// For a checked submission, which was compiled under a path inside the sandbox: every file with the
  /// checked file's own name is `display_name`, and its lines come from `text`, as it was graded.
  static SourceQuotes OfSubmission(std::string display_name, std::string_view text);
  /// For a program of the user's own: lines are read from the files that the compiler recorded.
  static SourceQuotes OfFiles();

  std::string DisplayName(const std::string& file) const;
  /// Without indentation; empty where the line is unknown.
  std::string Line(const SourceLine& where) const;
  /// "tiled_matmul.cu:23", or "an unknown line" where the compiler recorded none.
  std::string Place(const SourceLine& where) const;

 private:
  const std::vector<std::string>& LinesOf(const std::string& file) const;

  std::string display_name_;  ///< Empty: lines come from files.
  mutable std::map<std::string, std::vector<std::string>> lines_;
};

}  // namespace warplings
