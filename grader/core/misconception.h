// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings {

/// A wrong idea that the suite recognised in the submission; id and message stand in chapter.toml.
struct Misconception {
  std::string id;
  std::string title;
  std::string message;
  std::string evidence;  ///< What gave it away, in one line: test, finding or pattern.
};

}  // namespace warplings
