// SPDX-License-Identifier: Apache-2.0
#include "grader/base/program_output.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

using std::chrono_literals::operator""ms;

Result<ProgramOutput> Shell(const std::string& script, CaptureLimits limits = {}) {
  return CaptureOutput({"sh", "-c", script}, ErrorText::kDropped, limits);
}

TEST(CaptureOutput, TextAndStatus) {
  const auto output = Shell("echo one; echo never >&2; echo two; exit 3");
  ASSERT_TRUE(output);
  EXPECT_EQ(output->text, "one\ntwo\n");
  EXPECT_EQ(output->status, 3);
  EXPECT_FALSE(output->timed_out);
}

TEST(CaptureOutput, BothTexts) {
  // More than a pipe holds: whoever reads one after the other waits for ever.
  const auto output =
      CaptureOutput({"sh", "-c", "cat; yes | head -c 300000 >&2; echo done"}, ErrorText::kKept);
  ASSERT_TRUE(output);
  EXPECT_EQ(output->text, "done\n");
  EXPECT_EQ(output->errors.size(), 300'000u);
}

TEST(CaptureOutput, NoShellReadsTheWords) {
  const auto output = CaptureOutput({"echo", "$HOME", "a;b", "'c'"});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->text, "$HOME a;b 'c'\n");
}

TEST(CaptureOutput, AProgramThatCannotBeStarted) {
  EXPECT_FALSE(CaptureOutput({"no-such-program-anywhere"}));
  EXPECT_FALSE(CaptureOutput({"/etc/hostname"}, ErrorText::kDropped));
}

TEST(CaptureOutput, ASignalIsAStatusAsAShellGivesIt) {
  EXPECT_EQ(Shell("kill -9 $$")->status, 137);
}

TEST(CaptureOutput, WhoeverDoesNotEndIsKilled) {
  const auto silent = Shell("exec sleep 60", {.time = 100ms});
  ASSERT_TRUE(silent);
  EXPECT_TRUE(silent->timed_out);
  EXPECT_EQ(silent->status, 137);
  // Its output is closed, and it goes on.
  const auto closed = Shell("exec >&-; exec sleep 60", {.time = 100ms});
  ASSERT_TRUE(closed);
  EXPECT_TRUE(closed->timed_out);
}

TEST(CaptureOutput, MoreThanAnybodyAskedForIsDropped) {
  const auto output = Shell("yes | head -c 200000", {.bytes = 1000});
  ASSERT_TRUE(output);
  EXPECT_EQ(output->text.size(), 1000u);
  EXPECT_EQ(output->status, 0);
}

}  // namespace
}  // namespace warplings
