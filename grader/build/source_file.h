// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "grader/base/message.h"
#include "grader/base/result.h"
#include "grader/core/verdict.h"

namespace warplings {

inline constexpr std::size_t kMaxSourceBytes = 1u << 20;

/// Why a source text is refused before it is compiled.
struct RefusedSource {
  Verdict verdict = Verdict::kCompileError;
  Message reason, next_step;
};

/// Reads the file once. Returns its text, a refusal (the student's error), or a usage Error for a path that
/// is not a readable file. Never blocks on a FIFO or a device. CRLF and a byte order mark are left as they
/// are, because compilers accept both.
Result<std::variant<std::string, RefusedSource>> ReadSource(const std::filesystem::path& file,
                                                            const std::string& display_name);

}  // namespace warplings
