// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "grader/base/result.h"
#include "grader/core/verdict.h"

namespace warplings {

inline constexpr std::size_t kMaxSourceBytes = 1u << 20;

/// Text that no compiler needs to see to be refused.
struct RefusedSource {
  Verdict verdict = Verdict::kCompileError;
  std::string reason;
  std::string next_step;
};

/// The file's text, read once; a refusal, which is the student's; or an Error for a path that is not a
/// readable file (usage). A FIFO or a device is never waited for. CRLF and a byte order mark are fine:
/// compilers take both.
Result<std::variant<std::string, RefusedSource>> ReadSource(const std::filesystem::path& file,
                                                            const std::string& display_name);

}  // namespace warplings
