// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/base/result.h"
#include "grader/core/layout.h"
#include "grader/workbook/exercise.h"

namespace warplings {

// Versions of everything that a result depends on besides the submission. They are SHA-256 hashes of the
// files, because somebody would forget to increase a version number.

/// Covers an exercise's suite program, contract, call stub and chapter.toml.
Result<std::string> SuiteVersion(const Exercise& exercise, const Layout& layout);

/// Covers device program, worker, runtime and compilers.
Result<std::string> GraderVersion(const Layout& layout);

}  // namespace warplings
