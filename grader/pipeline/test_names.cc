// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/test_names.h"

#include <algorithm>
#include <sstream>

#include "grader/advice/test_titles.h"
#include "grader/base/atomic_file.h"
#include "grader/base/catalogue.h"
#include "grader/base/program_output.h"
#include "grader/base/text.h"
#include "grader/messages/check_faults.h"
#include "grader/pipeline/check_exercise.h"
#include "grader/pipeline/device_choice.h"
#include "grader/pipeline/original_file.h"

namespace warplings {
namespace {

std::vector<std::size_t> FittingTests(const std::vector<NamedTest>& tests, const std::string& typed,
                                      std::string NamedTest::*text) {
  std::vector<std::size_t> fitting;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (InLowerCase(tests[i].*text).find(InLowerCase(typed)) != std::string::npos) fitting.push_back(i);
  }
  return fitting;
}

/// "One, OneMore"; a line each where titles say more.
std::string ListedTests(const std::vector<NamedTest>& tests, const std::vector<std::size_t>& places) {
  std::string listed;
  for (const std::size_t i : places) {
    if (tests[i].title.empty()) {
      listed += (listed.empty() ? "" : ", ") + ShortName(tests[i].name);
    } else {
      listed += "\n  " + ShortName(tests[i].name) + ": " + tests[i].title;
    }
  }
  return listed;
}

}  // namespace

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
  if (output->status != 0) return GraderError(say::suite_lists_no_tests(exercise.id));
  return ParseTestList(output->text);
}

Result<std::vector<NamedTest>> TestsWithTitles(const Exercise& exercise, const Layout& layout) {
  constexpr std::uint64_t kSeed = 1;
  auto text = OriginalText(layout.root, exercise.starter);
  if (!text) return text.error();
  Submission starter;
  starter.exercise = &exercise;
  starter.display_name = exercise.id + ".cu";
  starter.file = std::filesystem::temp_directory_path() / starter.display_name;
  if (const Status written = WriteFileAtomically(starter.file, *text); !written) return written.error();
  starter.source = *std::move(text);
  const auto device = ChooseDevice("virtual");
  if (!device) return device.error();
  const CheckListener nobody{.on_stage = [](const Message&) {}, .on_test = [](const TestResult&) {}};
  const auto result = CheckExercise(starter, {.device = *device, .seed = kSeed}, layout, nobody);
  if (!result) return result.error();
  if (result->verdict == Verdict::kGraderFault) return GraderError(result->reason);
  std::vector<NamedTest> tests;
  for (const TestResult& each : result->tests) tests.push_back({each.name, Words(each.title)});
  return tests;
}

bool FitsAName(const std::vector<NamedTest>& tests, const std::string& typed) {
  return !FittingTests(tests, typed, &NamedTest::name).empty();
}

Result<std::size_t> ChooseTest(const std::vector<NamedTest>& tests, const std::string& typed,
                               const std::string& exercise) {
  const std::string wanted = InLowerCase(typed);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const std::string name = InLowerCase(tests[i].name);
    if (name == wanted || ShortName(name) == wanted) return i;
  }
  auto fitting = FittingTests(tests, typed, &NamedTest::name);
  if (fitting.empty()) fitting = FittingTests(tests, typed, &NamedTest::title);
  if (fitting.size() == 1) return fitting.front();
  if (!fitting.empty())
    return UsageError(say::several_tests_have(exercise, typed),
                      say::name_one_of(ListedTests(tests, fitting)));
  for (std::size_t i = 0; i < tests.size(); ++i) fitting.push_back(i);
  return UsageError(say::no_test_has(exercise, typed), say::name_one_of(ListedTests(tests, fitting)));
}

}  // namespace warplings
