// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/layout.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// Parses a suite's output for --gtest_list_tests into names like "TiledMatmul.WidthJustBelowATile".
std::vector<std::string> ParseTestList(const std::string& listed);

/// The names of an exercise's tests. Builds and runs its suite to get them.
Result<std::vector<std::string>> ListTests(const Exercise& exercise, const Layout& layout);

/// The names by which a student may refer to a test. The title is empty until the test has run.
struct NamedTest {
  std::string name, title;
};

/// All tests of an exercise with their titles, in the suite's order. Only a run shows titles, so this checks
/// the unchanged starter, in the temporary folder. The numbers in a title follow from the seed.
Result<std::vector<NamedTest>> TestsWithTitles(const Exercise& exercise, const Layout& layout);

/// Index in `tests` of the test that `--test TYPED` means, in every command: the test with that name, or else
/// the only one whose name contains it, or else the only one whose title contains it, ignoring case. If there
/// is none or several, a usage error lists the candidates, or all tests.
Result<std::size_t> ChooseTest(const std::vector<NamedTest>& tests, const std::string& typed,
                               const std::string& exercise);
/// True if ChooseTest can decide by the names, so that the tests need not run to get their titles.
bool FitsAName(const std::vector<NamedTest>& tests, const std::string& typed);

}  // namespace warplings
