// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace warplings {

/// The page beside the chapters that has the rules of all exercises, and further limits of each.
inline constexpr std::string_view kGradingPage = "chapters/grading.md";

/// Lines that everybody sees of a header without scrolling: what to compute and what is graded has to end
/// there.
inline constexpr int kFirstScreen = 24;

/// The list below "// Graded:" in a contract header, one sentence for each "- "; empty if there is none. A
/// sentence that ends with a colon may have an indented list below it. It is then read with each of these:
/// "For long inputs:" and "at most 3 launches." as "For long inputs: at most 3 launches."
struct GradedList {
  std::vector<std::string> sentences;
  int last_line = 0;  ///< Of the list; 0 if it is empty.
};
GradedList GradedInHeader(const std::string& header);

/// The sentences of the grading page by the titles of its sections, lists as in a header. A section whose
/// title is a list ("## one, other") belongs to each of the names.
using GradedSections = std::map<std::string, std::vector<std::string>>;
GradedSections GradedInPage(const std::string& page);

/// "chapters/grading.md, section "tiled_matmul",": the beginning of a sentence.
std::string SectionOfPage(const std::string& title);

/// What a suite registers (GradedBy in grader/suite/judge.h).
struct SuiteGrading {
  std::vector<std::string> header;
  std::vector<std::string> own_section;
  GradedSections shared;
};
Result<SuiteGrading> GradedInSuite(const std::filesystem::path& suite_program);
SuiteGrading ParseSuiteGrading(const std::string& printed);

/// An input of a suite's calls (`SUITE --inputs`).
struct SuiteInput {
  bool has_other = false;     ///< The judge may call with other elements there.
  bool never_falls = false;   ///< Integers in order in each call, whose other elements are not.
  bool never_varies = false;  ///< Integers that are all equal in each call.
  std::string checksum;       ///< Of the elements of all calls.
  std::string narrow_range;   ///< "from 0 to 1": of integers for which the suite allows any value.
};
using SuiteInputs = std::map<std::string, SuiteInput>;
/// The arrays of a suite's calls.
struct SuiteArrays {
  SuiteInputs inputs;
  std::vector<std::string> outputs;
};
Result<SuiteArrays> ArraysOfSuite(const std::filesystem::path& suite_program);
SuiteArrays ParseSuiteArrays(const std::string& printed);
/// That no input may have other elements: then answers that remember results by an array's address pass. And
/// which integers never vary.
std::vector<std::string> RemindersOfInputs(const SuiteInputs& inputs);
/// Inputs that differ between two runs of a suite with the same seed.
std::vector<std::string> RemindersOfDrawing(const SuiteInputs& inputs, const SuiteInputs& again);
/// Where `source`, the suite's file `name`, reads a clock: what is drawn from it differs from run to run,
/// which RemindersOfDrawing does not see of a clock that has not moved on between two runs.
std::vector<std::string> RemindersOfClocks(const std::string& name, const std::string& source);
/// Which integers never fall, but their other elements do: right answers would fail.
std::vector<std::string> FaultsOfInputs(const SuiteInputs& inputs);
/// Labels of no array that `source`, the suite's file `name`, asks TrafficOf about: of these the traffic is
/// 0.
std::vector<std::string> UnknownArrays(const std::string& name, const std::string& source,
                                       const SuiteArrays& arrays);
/// The outputs that the grading page does not name in the sentence that begins with "The output is". None if
/// the page has no such sentence.
std::vector<std::string> RemindersOfOutputs(const std::vector<std::string>& outputs, const std::string& page);

/// The sections of the grading page that list their exercises, and lack this one: those of a kind by which
/// `suite` grades, and, where speed is graded, the rules of all exercises.
std::vector<std::string> RemindersOfSections(const std::string& exercise, bool is_timed,
                                             const SuiteGrading& suite, const std::string& page);

/// The differences between suite, header and page, one sentence each: a contract must state everything that
/// is graded, and nothing else. Also whether the header's list leaves the first screen.
std::vector<std::string> DifferencesInGrading(const std::string& exercise, const GradedList& header,
                                              const GradedSections& page, const SuiteGrading& suite);

}  // namespace warplings
