// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/slice.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/scratch_gradebook.h"

namespace warplings::gradebook_test {
namespace {

class SliceTest : public ScratchGradebook {
 protected:
  std::filesystem::path SliceFile() const { return folder_ / "slice-0001.sqlite"; }
  void WriteSlice() const {
    const std::vector<SliceText> texts = {{Key("reverse", "a"), std::string("a\xe9\0b", 4), ""},
                                          {Key("reverse", "b"), "int b;", "choice = 1\n"},
                                          {Key("sum", "c"), "int c;", ""}};
    ASSERT_TRUE(Slice::Write(SliceFile(), {"virtual:a100", 18446744073709551615u, 1}, texts).ok());
  }
  /// All of every result but the time of day.
  std::string Rows(const std::filesystem::path& file) const {
    auto database = Database::Open(file);
    std::string all;
    Statement rows = database->Prepare(
        "SELECT key, chapter, exercise, submission_hash, verdict, points, source, answers, report, graded_at "
        "FROM results ORDER BY key");
    while (rows.Step()) {
      for (int column = 0; column < 10; ++column) all += rows.Text(column) + "|";
    }
    return all;
  }
};

TEST_F(SliceTest, KeepsItsTextsAndKnowsWhatIsMissing) {
  WriteSlice();
  auto slice = Slice::Open(SliceFile());
  ASSERT_TRUE(slice.ok()) << slice.error().message;
  const auto settings = slice->ReadSettings();
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->device, "virtual:a100");
  EXPECT_EQ(settings->seed, 18446744073709551615u);
  auto missing = slice->ReadMissing();
  ASSERT_TRUE(missing.ok());
  ASSERT_EQ(missing->size(), 3u);
  EXPECT_EQ((*missing)[0].source, std::string("a\xe9\0b", 4));
  EXPECT_EQ((*missing)[1].answers, "choice = 1\n");
  EXPECT_EQ((*missing)[1].key.Name(), Key("reverse", "b").Name());

  // A fault of the grader's does not stand; a result does.
  ASSERT_TRUE(slice->gradebook().WriteResult(Key("reverse", "a"), Result(Verdict::kGraderFault, 0), "").ok());
  ASSERT_TRUE(slice->gradebook().WriteResult(Key("reverse", "b"), Result(Verdict::kPassed, 3), "").ok());
  missing = slice->ReadMissing();
  ASSERT_EQ(missing->size(), 2u);
  EXPECT_EQ((*missing)[0].key.submission_hash, "a");
  EXPECT_EQ((*missing)[1].key.submission_hash, "c");
  EXPECT_EQ(*slice->CountMissing(), 2u);
  EXPECT_EQ(*slice->CountTexts(), 3u);
}

TEST_F(SliceTest, IsOneFileOnceItIsClosed) {
  WriteSlice();
  {
    auto slice = Slice::Open(SliceFile());
    ASSERT_TRUE(slice.ok());
    ASSERT_TRUE(slice->gradebook().WriteResult(Key("sum", "c"), Result(Verdict::kPassed, 3), "").ok());
  }
  for (const char* rest : {"-wal", "-shm", ".new", ".new-wal", ".new-shm"}) {
    EXPECT_FALSE(std::filesystem::exists(SliceFile().string() + rest)) << rest;
  }
}

TEST_F(SliceTest, MergedTwiceChangesNothing) {
  WriteSlice();
  {
    auto slice = Slice::Open(SliceFile());
    ASSERT_TRUE(
        slice->gradebook().WriteResult(Key("reverse", "a"), Result(Verdict::kWrongResult, 0), "").ok());
    ASSERT_TRUE(slice->gradebook().WriteResult(Key("reverse", "b"), Result(Verdict::kPassed, 3), "").ok());
    ASSERT_TRUE(slice->gradebook().WriteResult(Key("sum", "c"), Result(Verdict::kGraderFault, 0), "").ok());
  }
  // Ours stands and theirs must not replace it; ours is a fault and theirs is not.
  ASSERT_TRUE(gradebook_->WriteResult(Key("reverse", "a"), Result(Verdict::kPassed, 7), "").ok());
  ASSERT_TRUE(gradebook_->WriteResult(Key("reverse", "b"), Result(Verdict::kGraderFault, 0), "").ok());
  const auto taken = gradebook_->TakeResultsOf(SliceFile());
  ASSERT_TRUE(taken.ok()) << taken.error().message;
  EXPECT_EQ(*taken, 2u);
  EXPECT_EQ((*gradebook_->ReadResult(Key("reverse", "a").Name()))->result.points, 7);
  EXPECT_EQ((*gradebook_->ReadResult(Key("reverse", "b").Name()))->result.points, 3);
  EXPECT_FALSE(*gradebook_->IsGraded(Key("sum", "c").Name()));

  const std::string rows = Rows(File());
  ASSERT_NE(rows, "");
  EXPECT_EQ(*gradebook_->TakeResultsOf(SliceFile()), 0u);
  EXPECT_EQ(Rows(File()), rows);
}

TEST_F(SliceTest, WhatAKilledProcessHadCommittedIsMerged) {
  WriteSlice();
  const pid_t child = ::fork();
  if (child == 0) {
    auto slice = Slice::Open(SliceFile());
    const bool written =
        slice.ok() &&
        slice->gradebook().WriteResult(Key("reverse", "b"), Result(Verdict::kPassed, 3), "").ok();
    if (written) ::raise(SIGKILL);  // Nothing is closed.
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto taken = gradebook_->TakeResultsOf(SliceFile());
  ASSERT_TRUE(taken.ok()) << taken.error().message;
  EXPECT_EQ(*taken, 1u);
}

TEST_F(SliceTest, ASecondProcessIsRefused) {
  WriteSlice();
  auto slice = Slice::Open(SliceFile());
  ASSERT_TRUE(slice->ReadMissing().ok());
  const pid_t child = ::fork();
  if (child == 0) ::_exit(Slice::Open(SliceFile()).ok() ? 1 : 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(SliceTest, WhatIsNoSliceIsNamed) {
  EXPECT_EQ(Slice::Open(folder_ / "absent").error().blame, Blame::kUsage);
  gradebook_.reset();
  const auto opened = Slice::Open(File());
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(English(opened.error().message).find("is a gradebook, not a slice"), std::string::npos);
}

}  // namespace
}  // namespace warplings::gradebook_test
