// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/core/finding.h"

namespace warplings {

/// Something that a suite observed about how a submission computes. A suite states facts and draws no
/// conclusion from them: chapter.toml says which facts tell of which misconception, and Advise
/// (grader/advice/advise.h) matches the two.
struct Fact {
  /// What was observed, whatever the numbers and names: the id of the message's row ("reverse_no_bytes"), or,
  /// of a model that reproduces the submission's answers, the name of that model.
  std::string id;
  Message message;  ///< The observation in one line; names a test if possible.
  /// Names of the tests that show it; it explains those that fail. If all of them passed, it explains tests
  /// that fail by exceeded limits alone. Empty: all that fail in the same way as the test named in `message`.
  std::vector<std::string> tests{};
  std::optional<Finding> finding{};  ///< The finding that shows it; missing if it was something else.
};

}  // namespace warplings
