// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/base/result.h"
#include "grader/core/layout.h"
#include "grader/exercise/exercise.h"

namespace warplings {

// What a result depends on besides the submission, as SHA-256 of the files themselves: a version number would
// have to be raised by somebody.

/// An exercise's suite program, contract, call stub and chapter.toml.
Result<std::string> SuiteVersion(const Exercise& exercise, const Layout& layout);

/// Device, worker, runtime, and the compilers.
Result<std::string> GraderVersion(const Layout& layout);

}  // namespace warplings
