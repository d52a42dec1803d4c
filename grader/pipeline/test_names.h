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

/// A test as a student may call it. The title is known once the test has run, and empty before.
struct NamedTest {
  std::string name, title;
};

/// The place in `tests` of the one that `--test TYPED` means, for every command alike: the one of that name,
/// else the only one with that as a part of its name, else the only one with that as a part of its title.
/// Capitals do not matter. A usage error that lists those that it may mean, or all, where there is none or
/// several.
Result<std::size_t> ChooseTest(const std::vector<NamedTest>& tests, const std::string& typed,
                               const std::string& exercise);
/// Whether a name decides that, so that nobody has to run tests for their titles.
bool FitsAName(const std::vector<NamedTest>& tests, const std::string& typed);

}  // namespace warplings
