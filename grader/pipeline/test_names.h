// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/layout.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// "WidthJustBelowATile" of "TiledMatmul.WidthJustBelowATile".
std::string ShortName(const std::string& name);

/// The names in what a suite prints for --gtest_list_tests: "TiledMatmul.WidthJustBelowATile".
std::vector<std::string> ParseTestList(const std::string& listed);

/// The names of an exercise's tests, asked of its suite, which is built.
Result<std::vector<std::string>> ListTests(const Exercise& exercise, const Layout& layout);

/// The one of `names` that is `typed`, or else the only one that has it as a part; capitals do not matter. A
/// usage error that lists the names where there is none or several.
Result<std::string> ChooseTest(const std::vector<std::string>& names, const std::string& typed,
                               const std::string& exercise);

}  // namespace warplings
