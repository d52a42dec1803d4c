// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/core/finding.h"

namespace warplings {

/// A wrong idea that facts about the submission tell of. The texts come from chapter.toml.
struct Misconception {
  std::string id;
  std::string title;
  Message message;   ///< What to do; the words of chapter.toml, unless the source shows more.
  Message evidence;  ///< The fact that tells of it, in one line: a failing test and what happened there.
  /// Names of the failing tests that it explains, in the suite's order. Missing in results stored
  /// by versions that did not record it.
  std::optional<std::vector<std::string>> tests{};
  /// The finding that gave it away; missing if it was something else, and in stored results as above.
  std::optional<Finding> finding{};
  /// True where reports begin with the evidence in place of the title; missing everywhere else.
  std::optional<bool> fact_first{};
};

}  // namespace warplings
