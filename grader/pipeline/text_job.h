// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "grader/pipeline/check_many.h"

namespace warplings {

/// A text of a class, out of a student's folder or a slice.
struct TextToCheck {
  const Exercise* exercise = nullptr;
  std::string source, answers;
};

/// A job that checks the text as `grade` does, on `device` with the inputs of `seed`. Writes the text to
/// `folder` under the exercise's name, whatever the student's file was called: equal texts have equal
/// results.
Result<CheckJob> MakeTextJob(const TextToCheck& text, const DeviceChoice& device, std::uint64_t seed,
                             const std::filesystem::path& folder);

}  // namespace warplings
