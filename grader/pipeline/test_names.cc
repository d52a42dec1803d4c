// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/test_names.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "grader/base/program_output.h"

namespace warplings {
namespace {

std::string InSmallLetters(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::string ShortName(const std::string& name) {
  return name.substr(name.find('.') + 1);
}

std::vector<std::string> ParseTestList(const std::string& listed) {
  std::vector<std::string> names;
  std::istringstream lines(listed);
  std::string line, suite;
  while (std::getline(lines, line)) {
    // "  Name  # GetParam() = 3"
    line = line.substr(0, line.find("  #"));
    if (line.starts_with("  ")) {
      if (!suite.empty()) names.push_back(suite + line.substr(2));
    } else {
      suite = line.ends_with('.') ? line : "";
    }
  }
  return names;
}

Result<std::vector<std::string>> ListTests(const Exercise& exercise, const Layout& layout) {
  const auto output =
      CaptureOutput({layout.SuiteProgram(exercise.chapter, exercise.id).string(), "--gtest_list_tests"});
  if (!output) return output.error();
  if (output->status != 0) return GraderError("the suite of " + exercise.id + " does not list its tests");
  return ParseTestList(output->text);
}

Result<std::string> ChooseTest(const std::vector<std::string>& names, const std::string& typed,
                               const std::string& exercise) {
  const std::string wanted = InSmallLetters(typed);
  std::vector<std::string> fitting;
  for (const std::string& name : names) {
    if (InSmallLetters(name) == wanted || InSmallLetters(ShortName(name)) == wanted) return name;
    if (InSmallLetters(name).find(wanted) != std::string::npos) fitting.push_back(name);
  }
  if (fitting.size() == 1) return fitting.front();
  std::string listed;
  for (const std::string& name : fitting.empty() ? names : fitting)
    listed += (listed.empty() ? "" : ", ") + ShortName(name);
  return UsageError(
      (fitting.empty() ? "no test of " + exercise + " has '" : "several tests of " + exercise + " have '") +
          typed + (fitting.empty() ? "' in its name" : "' in their names"),
      "Name one of: " + listed);
}

}  // namespace warplings
