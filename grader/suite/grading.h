// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace warplings {

/// What all exercises of one kind are graded by: a line in each contract header, and sections of
/// chapters/grading.md that they share.
struct SharedGrading {
  struct Section {
    std::string title;
    std::vector<std::string> sentences;
  };
  std::string header_line;
  std::vector<Section> sections;
};

SharedGrading KernelGrading();  ///< A kernel computes the output.
SharedGrading MoveGrading();    ///< A kernel moves elements and computes nothing.
SharedGrading HostGrading();    ///< A host function that launches nothing.

/// Everything that a suite grades, as a student reads it. `header` is what somebody meets who solves the
/// exercise in good faith: right values first, then the limits that the exercise is about, one number each.
/// `page` is the exercise's section of chapters/grading.md: details of these limits, and further limits that
/// only a kernel breaks which does not do the work.
struct Grading {
  SharedGrading shared;
  std::vector<std::string> header;
  std::vector<std::string> page;
};

/// The line for the header of an exercise that is graded on speed, too: the judge adds it where the suite
/// registers shapes (TimeWith).
inline constexpr const char* kOfSpeed = "On a real GPU, speed earns points, too, once all tests pass.";

/// The lists one after another.
std::vector<std::string> Together(std::initializer_list<std::vector<std::string>> lists);

/// The sentences in the form in which `SUITE --graded` prints them, one a line: where a student reads it, a
/// tab, the sentence.
std::vector<std::string> GradingLines(const Grading& grading);

// Where that is: a contract header, the exercise's own section, or a section with this title.
inline constexpr const char* kInHeader = "header";
inline constexpr const char* kInOwnSection = "own section";

// What `SUITE --inputs` says of an output; and of an input, in fields behind tabs: whether the judge may call
// with other elements there; and of integers, what InputUse knows of them.
inline constexpr const char* kIsOutput = "output";
inline constexpr const char* kHasOther = "other elements";
inline constexpr const char* kStaysAsItIs = "stays as it is";
inline constexpr const char* kNeverFalls = "never falls";
inline constexpr const char* kNeverVaries = "never varies";
inline constexpr const char* kOnlyFrom = "only ";      // "only from 0 to 1".
inline constexpr const char* kChecksum = "checksum ";  // Of the elements of all calls.

}  // namespace warplings
