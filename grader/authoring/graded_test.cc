// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/graded.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

using Sentences = std::vector<std::string>;

TEST(GradedTest, SentencesOfAHeaderAreReadOverTheirLines) {
  const GradedList list = GradedInHeader(
      "#pragma once\n"
      "\n"
      "// C = A + B.\n"
      "//\n"
      "// Graded:\n"
      "//   - A block has 256 threads.\n"
      "//   - At most 24576 sectors of 32 bytes are loaded and stored in\n"
      "//     all.\n"
      "void add(const float* A);\n"
      "//   - Not one of them.\n");
  EXPECT_EQ(list.sentences, (Sentences{"A block has 256 threads.",
                                       "At most 24576 sectors of 32 bytes are loaded and stored in all."}));
  EXPECT_EQ(list.last_line, 8);
  EXPECT_TRUE(GradedInHeader("// C = A + B.\nvoid add();\n").sentences.empty());
}

TEST(GradedTest, AHeadingIsReadWithEachSentenceBelowIt) {
  const GradedList list = GradedInHeader(
      "// Graded:\n"
      "//   - C is right.\n"
      "//   - For long\n"
      "//     inputs:\n"
      "//     - at most 3 launches.\n"
      "//     - at most 8 bytes are\n"
      "//       loaded.\n"
      "//   - No atomics.\n");
  const Sentences expected{"C is right.", "For long inputs: at most 3 launches.",
                           "For long inputs: at most 8 bytes are loaded.", "No atomics."};
  EXPECT_EQ(list.sentences, expected);
  EXPECT_EQ(list.last_line, 8);
  EXPECT_EQ(GradedInPage("## add, subtract\n"
                         "- C is right.\n"
                         "- For long inputs:\n"
                         "  - at most 3 launches.\n"
                         "  - at most 8 bytes are\n"
                         "    loaded.\n"
                         "- No atomics.\n"),
            (GradedSections{{"add", expected}, {"subtract", expected}}));
}

TEST(GradedTest, SentencesOfThePageBelongToTheNamesInTheirTitles) {
  const GradedSections sections = GradedInPage(
      "# How solutions are graded\n"
      "- Of no section.\n"
      "## Every exercise\n"
      "\n"
      "Values first.\n"
      "- One call takes at most\n"
      "  10 seconds.\n"
      "\n"
      "  A paragraph of its own.\n"
      "## add, subtract\n"
      "- No atomics.\n"
      "## subtract\n"
      "- No sign.\n"
      "## Words\n");
  EXPECT_EQ(sections, (GradedSections{{"Every exercise", {"One call takes at most 10 seconds."}},
                                      {"add", {"No atomics."}},
                                      {"subtract", {"No atomics.", "No sign."}}}));
}

TEST(GradedTest, ASuitePrintsWhereASentenceIsRead) {
  const SuiteGrading grading =
      ParseSuiteGrading("header\tC is right.\nown section\tNo atomics.\nEvery exercise\tOne second.\n");
  EXPECT_EQ(grading.header, Sentences{"C is right."});
  EXPECT_EQ(grading.own_section, Sentences{"No atomics."});
  EXPECT_EQ(grading.shared, (GradedSections{{"Every exercise", {"One second."}}}));
}

class DifferencesTest : public testing::Test {
 protected:
  Sentences Differences() const { return DifferencesInGrading("add", header_, page_, suite_); }

  GradedList header_{{"C is right.", "No atomics."}, kFirstScreen};
  GradedSections page_{{"add", {"At most 64 elements."}},
                       {"Every exercise", {"One second."}},
                       {"other", {"At most 3 launches."}}};
  SuiteGrading suite_{
      {"No atomics.", "C is right."}, {"At most 64 elements."}, {{"Every exercise", {"One second."}}}};
};

TEST_F(DifferencesTest, WhatIsSaidAndGradedMayBeInAnyOrder) {
  EXPECT_EQ(Differences(), Sentences{});
}

TEST_F(DifferencesTest, AnotherNumberIsToldFromBothSides) {
  page_["add"] = {"At most 65 elements."};
  EXPECT_EQ(Differences(), (Sentences{"the suite grades what chapters/grading.md, section \"add\", does not "
                                      "say: \"At most 64 elements.\"",
                                      "chapters/grading.md, section \"add\", says what the suite does not "
                                      "grade: \"At most 65 elements.\""}));
}

TEST_F(DifferencesTest, ASentenceOfEachPlaceMissingIsTold) {
  const auto one = [this] {
    const Sentences differences = Differences();
    EXPECT_EQ(differences.size(), 1u);
    return differences.empty() ? "" : differences.front();
  };
  header_.sentences.pop_back();
  EXPECT_EQ(one(), "the suite grades what the header does not say: \"No atomics.\"");
  header_.sentences = {"C is right.", "No atomics.", "It is fast."};
  EXPECT_EQ(one(), "the header says what the suite does not grade: \"It is fast.\"");
  header_.sentences.pop_back();
  page_["Every exercise"].clear();
  EXPECT_NE(one().find("section \"Every exercise\", does not say: \"One second.\""), std::string::npos);
  page_["Every exercise"] = {"One second.", "Two calls."};
  EXPECT_NE(one().find("section \"Every exercise\", says what the suite does not grade: \"Two calls.\""),
            std::string::npos);
}

/// Rather than each sentence that should be there.
TEST_F(DifferencesTest, AWholePlaceThatIsMissingIsTold) {
  page_.erase("add");
  suite_.own_section.push_back("At most 3 launches.");
  EXPECT_EQ(Differences(),
            Sentences{"chapters/grading.md has no section \"## add\"; by it the suite grades 2 "
                      "sentences"});
  suite_ = {};
  EXPECT_EQ(Differences(),
            Sentences{"the suite calls GradedBy nowhere, so it says nothing of what it grades; "
                      "the header has 2 sentences below \"Graded:\""});
}

TEST_F(DifferencesTest, TheListEndsOnTheFirstScreen) {
  ++header_.last_line;
  EXPECT_EQ(Differences(),
            Sentences{"the header's list of what is graded ends in line 25, and the first screen has 24"});
}

TEST(SuiteInputsTest, NoneThatMayHaveOtherElementsIsNoted) {
  const Sentences off = {
      "no input may have other elements (OtherElements), so an answer that remembers results by an array's "
      "address is not found out"};
  EXPECT_EQ(RemindersOfInputs(ParseSuiteArrays("M\tstays as it is\nN\tstays as it is\n").inputs), off);
  EXPECT_EQ(RemindersOfInputs(ParseSuiteArrays("M\tstays as it is\nN\tother elements\n").inputs),
            Sentences{});
  EXPECT_EQ(RemindersOfInputs(ParseSuiteArrays("").inputs), Sentences{})
      << "a function of the host has no arrays";
}

TEST(SuiteInputsTest, IntegersThatNeverVaryAreNotedAndThoseThatNeverFallAreAFault) {
  const SuiteInputs inputs =
      ParseSuiteArrays(
          "keys\tother elements\tnever falls\nsizes\tstays as it is\tnever varies\nN\tother elements\n")
          .inputs;
  const Sentences notes = RemindersOfInputs(inputs), faults = FaultsOfInputs(inputs);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(notes[0].starts_with("the elements of sizes are all equal in each call")) << notes[0];
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_TRUE(faults[0].starts_with("the elements of keys never fall in a call of the suite, but"))
      << faults[0];
}

TEST(SuiteInputsTest, ElementsThatTheSeedDoesNotRepeatAreNoted) {
  const auto inputs = [](const std::string& checksum) {
    return ParseSuiteArrays("in\tother elements\tchecksum " + checksum + "\nN\tstays as it is\tchecksum 5\n")
        .inputs;
  };
  EXPECT_EQ(inputs("17").at("in").checksum, "17");
  EXPECT_EQ(RemindersOfClocks("a_suite.cc", "int a = 1;\n// time(nullptr)\nint time(int); f(run_time(0));\n"),
            Sentences{});
  EXPECT_EQ(RemindersOfClocks("a_suite.cc", "int a = 1;\nseed = std::time(nullptr);\n"),
            Sentences{"a_suite.cc:2: the suite reads a clock (time(nullptr)). If inputs depend on it, --seed "
                      "does not repeat a check: draw them from TestRandom()"});
  EXPECT_EQ(RemindersOfClocks("", "std::chrono::system_clock::now().time_since_epoch()").size(), 1u);
  EXPECT_EQ(RemindersOfDrawing(inputs("17"), inputs("17")), Sentences{});
  const Sentences notes = RemindersOfDrawing(inputs("17"), inputs("18"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(
      notes[0].starts_with("two runs of the suite with the same seed call with different elements of in, so"))
      << notes[0];
}

TEST(SuiteInputsTest, IntegersOfAFewValuesAreNoted) {
  const Sentences notes = RemindersOfInputs(
      ParseSuiteArrays("cells\tother elements\tonly from 0 to 1\nN\tother elements\n").inputs);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_TRUE(
      notes[0].starts_with("the elements of cells are from 0 to 1 in each call of the suite, and "
                           "OtherElements::AnyValue() allows"))
      << notes[0];
}

TEST(SuiteArraysTest, ALabelThatNoArrayHasIsNamed) {
  const SuiteArrays arrays = ParseSuiteArrays("value\tother elements\ncolumn\tother elements\nout\toutput\n");
  const std::string source =
      "const auto loads = TrafficOf(result, \"value\").load_bytes + TrafficOf(e.result, "
      "\"out\").load_bytes;\n"
      "return TrafficOf(Last(calls, 2).result,\n                 \"values\").load_bytes < f(\"zzz\");\n"
      "TrafficOf(result, label); TrafficOf(result, \"wombat\");\n";
  EXPECT_EQ(
      UnknownArrays("a_suite.cc", source, arrays),
      (Sentences{"a_suite.cc:2: TrafficOf asks for \"values\", and no call of the suite has an array of "
                 "this label; did you mean value?",
                 "a_suite.cc:4: TrafficOf asks for \"wombat\", and no call of the suite has an array of "
                 "this label"}));
}

TEST(SuiteOutputsTest, WhatTheGradingPageDoesNotNameIsNoted) {
  const SuiteArrays arrays = ParseSuiteArrays("in\tother elements\nlengths\toutput\nout\toutput\n");
  EXPECT_EQ(arrays.outputs, (Sentences{"lengths", "out"}));
  EXPECT_EQ(arrays.inputs.size(), 1u);
  const std::string page = "## Exercises with a kernel\n\nThe output is the array to fill: P,\n`*output` or ";
  EXPECT_EQ(RemindersOfOutputs(arrays.outputs, page + "out. It has lengths.\n"),
            Sentences{"chapters/grading.md does not name the output lengths in \"The output is the array …\" "
                      "(section \"Exercises with a kernel\")"});
  EXPECT_EQ(RemindersOfOutputs({"out"}, page + "outs.\n").size(), 1u) << "a part of a name is another name";
  EXPECT_EQ(RemindersOfOutputs({"output", "P", "lengths"}, page + "lengths.\n"), Sentences{});
  EXPECT_EQ(RemindersOfOutputs({"out"}, "# Another page\n"), Sentences{});
}

TEST(GradedTest, AMissingSuiteIsAnError) {
  EXPECT_FALSE(GradedInSuite("/nonexistent/suite").ok());
  EXPECT_FALSE(ArraysOfSuite("/nonexistent/suite").ok());
}

}  // namespace
}  // namespace warplings
