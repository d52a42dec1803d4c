// SPDX-License-Identifier: Apache-2.0
#include "grader/report/finding_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "grader/advice/finding_groups.h"
#include "grader/messages/findings.h"
#include "tests/support/made_up_result.h"

namespace warplings {
namespace {

const SourceQuotes kQuotes =
    SourceQuotes::OfSubmission("mine/scale.cu", "one\n  y[i] = a * x[i];\n\ttile[j] = 0;\r\n");

TEST(FormatFinding, QuotesTheLineAndNamesTheThread) {
  EXPECT_EQ(FormatFinding(report_test::MadeUpResult().tests[1].findings[0], kQuotes),
            "mine/scale.cu:2 | y[i] = a * x[i];\n"
            "  error: out of bounds read, 12 times\n"
            "    reads past the end of x\n"
            "    kernel scale_kernel, block (0, 0), thread (3, 0)\n");
}

TEST(FormatFinding, ARaceHasBothLines) {
  EXPECT_EQ(FormatFinding(report_test::MadeUpResult().tests[1].findings[1], kQuotes),
            "mine/scale.cu:3 | tile[j] = 0;\n"
            "  warning: race\n"
            "    two threads meet at the same place and nothing orders them\n"
            "    shared array `tile`\n"
            "    the other access: mine/scale.cu:2 | y[i] = a * x[i];\n"
            "    kernel scale_kernel, block (0, 0), thread (0, 0)\n");
}

TEST(FormatFinding, ABarrierThatNobodyLeftBeforeIsOneThatThreadsSkip) {
  Finding finding;
  finding.kind = FindingKind::kBarrierAfterExit;
  finding.severity = Severity::kWarning;
  finding.message = say::barrier_skipped(255, 256, say::Line(1));
  EXPECT_EQ(English(FindingHeading(finding)), "warning: barrier that some threads skip");
  finding.message = say::barrier_after_return(255, 256, say::Line(1));
  EXPECT_EQ(English(FindingHeading(finding)), "warning: barrier after exit");
}

TEST(FormatFinding, SaysWhatItDoesNotKnow) {
  Finding finding;
  finding.kind = FindingKind::kInvalidCall;
  finding.message = "cudaFree of a pointer that is not allocated";
  EXPECT_EQ(FormatFinding(finding, kQuotes),
            "in the host code\n  error: invalid call\n    cudaFree of a pointer that is not allocated\n");
  EXPECT_EQ(FindingPlace(finding), "");
  EXPECT_EQ(FindingObject(finding), "");
  finding.kind = FindingKind::kTrap;
  EXPECT_EQ(English(FindingTitle(finding, kQuotes)), "unknown line");
}

TEST(FormatFinding, ARefusedLaunchHasNoThread) {
  Finding finding;
  finding.kind = FindingKind::kInvalidLaunch;
  finding.kernel = "scale_kernel";
  EXPECT_EQ(English(FindingPlace(finding)), "kernel scale_kernel");
}

TEST(FormatFinding, OffsetsBeforeTheObjectReadWell) {
  Finding finding = report_test::MadeUpResult().tests[1].findings[0];
  finding.offset_bytes = -4;
  finding.access_bytes = 1;
  finding.message = "reads in front of it";
  EXPECT_EQ(English(FindingObject(finding)), "1 byte, 4 bytes before the start of x, which is 12 bytes long");
}

TEST(FormatFinding, TheObjectsLineAddsWhatTheMessageLeavesOut) {
  Finding finding;
  finding.kind = FindingKind::kUninitialised;
  finding.object = say::shared_array("Nds");
  finding.object_bytes = 1024;
  finding.offset_bytes = 612;
  finding.access_bytes = 4;
  finding.message = say::read_unwritten(say::Count(4, "byte"), finding.object);
  EXPECT_EQ(English(FindingObject(finding)), "at byte 612 of shared array `Nds` (1024 bytes)");
  for (const Message& place :
       {say::numbered_element(finding.object, 153), say::element_with_subscripts("Nds", "[9][9]")}) {
    finding.message = say::read_unwritten_element(place);
    EXPECT_EQ(English(FindingObject(finding)), "") << place;
  }
  finding.message = say::read_unwritten(say::Count(4, "byte"), say::shared_array("Nds2"));
  EXPECT_EQ(English(FindingObject(finding)),
            "4 bytes at byte 612 of shared array `Nds`, which is 1024 bytes long");
  finding.kind = FindingKind::kMisaligned;
  finding.message =
      say::misaligned_in(say::reads(), say::Count(4, "byte"), 4, say::Count(3, "byte"), finding.object);
  EXPECT_EQ(English(FindingObject(finding)), "");
}

TEST(FormatFinding, DoesNotPassOnControlSequences) {
  Finding finding;
  finding.kernel = "k\x1b[2J";
  finding.object = "\x1b]0;x";
  finding.message = "m\x1b[31m";
  EXPECT_EQ(FormatFinding(finding, kQuotes).find('\x1b'), std::string::npos);
}

TEST(SourceQuotes, LinesOutsideTheFileAreEmpty) {
  EXPECT_EQ(kQuotes.Line({"/submission/scale.cu", 0}), "");
  EXPECT_EQ(kQuotes.Line({"/submission/scale.cu", -3}), "");
  EXPECT_EQ(kQuotes.Line({"/submission/scale.cu", 4}), "");
  EXPECT_EQ(kQuotes.Line({"/usr/include/other.h", 1}), "");
  EXPECT_EQ(kQuotes.Line({"/usr/include/scale.cu", 1}), "");
  EXPECT_EQ(English(kQuotes.Place({"/usr/include/other.h", 1})), "/usr/include/other.h:1");
}

TEST(SourceQuotes, KnowsTheSubmissionByBothNames) {
  EXPECT_EQ(kQuotes.Line({"/submission/renamed.cu", 1}), "one");
  EXPECT_EQ(kQuotes.Line({"mine/scale.cu", 1}), "one");
}

TEST(SourceQuotes, ReadsOrdinaryFilesOnly) {
  std::string name = testing::TempDir() + "warplings-quotes-XXXXXX";
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  const std::string file = name + "/p.cu";
  std::ofstream(file) << "first\n   second  \n";
  const SourceQuotes quotes = SourceQuotes::OfFiles();
  EXPECT_EQ(quotes.Line({file, 2}), "second");
  EXPECT_EQ(English(quotes.Place({file, 2})), file + ":2");
  EXPECT_EQ(quotes.Line({"/dev/zero", 1}), "");
  EXPECT_EQ(quotes.Line({name + "/absent.cu", 1}), "");
  std::filesystem::remove_all(name);
}

TEST(GroupFindings, MergesAcrossTestsAndPutsErrorsFirst) {
  std::vector<TestResult> tests = report_test::MadeUpResult().tests;
  std::swap(tests[1].findings[0], tests[1].findings[1]);
  const std::vector<FindingGroup> groups = GroupFindings(tests);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].where.line, 2);
  ASSERT_EQ(groups[0].findings.size(), 1u);
  EXPECT_EQ(groups[0].findings[0].finding.count, 42u);
  EXPECT_EQ(groups[0].findings[0].tests, 2u);
  EXPECT_EQ(groups[1].findings[0].finding.severity, Severity::kWarning);
  EXPECT_TRUE(GroupFindings({}).empty());
}

}  // namespace
}  // namespace warplings
