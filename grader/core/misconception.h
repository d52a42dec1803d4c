// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warplings {

/// A wrong idea that the suite recognised in the submission; id and message stand in chapter.toml.
struct Misconception {
  std::string id;
  std::string title;
  std::string message;
  std::string evidence;  ///< What gave it away, in one line: a failing test, and what was seen there.
  /// Names of the failing tests in which it was seen, in their order; nothing in results that were kept
  /// before anybody counted them.
  std::optional<std::vector<std::string>> tests{};
};

}  // namespace warplings
