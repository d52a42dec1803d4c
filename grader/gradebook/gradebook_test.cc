// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/gradebook.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "grader/core/json.h"
#include "grader/gradebook/compressed.h"
#include "tests/support/scratch_gradebook.h"

namespace warplings::gradebook_test {
namespace {

class GradebookTest : public gradebook_test::ScratchGradebook {};

TEST_F(GradebookTest, AResultComesBackAsWritten) {
  ExerciseResult result = Result(Verdict::kFinding, 2.5);
  result.advice = Advice{.misconception = "unguarded", .test = "Scale.Three"};
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale"), result, "x = 1").ok());
  Open();
  const auto kept = gradebook_->ReadResult(Key("scale").Name());
  ASSERT_TRUE(kept.ok() && *kept);
  EXPECT_EQ(DumpJson((*kept)->result), DumpJson(result));
  EXPECT_EQ((*kept)->result.source, "int a;\n");
  EXPECT_EQ((*kept)->key.Name(), Key("scale").Name());
  EXPECT_EQ((*kept)->key.seed, 18446744073709551615u);
  EXPECT_FALSE(*gradebook_->ReadResult("other"));
}

TEST_F(GradebookTest, AResultOfAnOlderVersionGetsItsAdviceWhenItIsRead) {
  ExerciseResult result = Result(Verdict::kFinding, 2.5);
  result.tests.resize(1);
  result.tests[0].name = "Scale.Three";
  result.tests[0].verdict = Verdict::kFinding;
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale"), result, "x = 1").ok());
  const auto kept = gradebook_->ReadResult(Key("scale").Name());
  ASSERT_TRUE(kept.ok() && *kept);
  ASSERT_TRUE((*kept)->result.advice);
  EXPECT_EQ((*kept)->result.advice->test, "Scale.Three");
}

TEST_F(GradebookTest, WhateverAResultDependsOnChangesItsKey) {
  const std::string name = Key("scale").Name();
  const auto differs = [&](auto change) {
    ResultKey key = Key("scale");
    change(key);
    return key.Name() != name;
  };
  EXPECT_TRUE(differs([](ResultKey& key) { key.chapter = "02_x"; }));
  EXPECT_TRUE(differs([](ResultKey& key) { key.exercise = "tile"; }));
  EXPECT_TRUE(differs([](ResultKey& key) { key.submission_hash = "h"; }));
  EXPECT_TRUE(differs([](ResultKey& key) { key.suite_version = "s"; }));
  EXPECT_TRUE(differs([](ResultKey& key) { key.grader_version = "g"; }));
  EXPECT_TRUE(differs([](ResultKey& key) { key.device = "virtual:t4"; }));
  EXPECT_TRUE(differs([](ResultKey& key) { key.seed = 1; }));
  EXPECT_TRUE(differs([](ResultKey& key) { key.round = 2; }));
  EXPECT_FALSE(differs([](ResultKey&) {}));
}

TEST_F(GradebookTest, AGraderFaultDoesNotStand) {
  const std::string name = Key("scale").Name();
  EXPECT_FALSE(*gradebook_->IsGraded(name));
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale"), Result(Verdict::kGraderFault, 0), "").ok());
  EXPECT_FALSE(*gradebook_->IsGraded(name));
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale"), Result(Verdict::kPassed, 10), "").ok());
  EXPECT_TRUE(*gradebook_->IsGraded(name));
  EXPECT_EQ((*gradebook_->ReadResult(name))->result.verdict, Verdict::kPassed);
}

TEST_F(GradebookTest, SettingsAndClassComeBack) {
  EXPECT_FALSE(*gradebook_->ReadSettings());
  ASSERT_TRUE(gradebook_->WriteSettings({"virtual:t4", 18446744073709551615u, 3}).ok());
  std::vector<StudentRow> students = {{"陳 '大文'", "陳.zip", {"one \"remark\"", "two"}}, {"ada", "ada", {}}};
  students[1].participant = "511";
  const std::vector<SubmissionRow> submissions = {
      {"陳 '大文'", "01_first", "scale", SubmissionRow::State::kFound, "scale.cu", "", "key"},
      {"ada", "01_first", "scale", SubmissionRow::State::kUnusable, "s.cu", "s.cu is a link", ""}};
  ASSERT_TRUE(gradebook_->ReplaceClass(students, submissions).ok());
  ASSERT_TRUE(gradebook_->ReplaceClass(students, submissions).ok());
  Open();
  const auto settings = gradebook_->ReadSettings();
  EXPECT_EQ((*settings)->device, "virtual:t4");
  EXPECT_EQ((*settings)->seed, 18446744073709551615u);
  EXPECT_EQ((*settings)->round, 3);
  const auto read = gradebook_->ReadStudents();
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].name, "陳 '大文'");
  EXPECT_EQ((*read)[0].remarks, students[0].remarks);
  EXPECT_EQ((*read)[0].participant + (*read)[1].participant, "511");
  const auto rows = gradebook_->ReadSubmissions();
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[1].problem, "s.cu is a link");
  EXPECT_EQ((*rows)[1].state, SubmissionRow::State::kUnusable);
}

TEST_F(GradebookTest, TheViewHasALineForEachStudentAndExercise) {
  using State = SubmissionRow::State;
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale"), Result(Verdict::kPassed, 10), "").ok());
  ASSERT_TRUE(gradebook_->WriteResult(Key("tile"), Result(Verdict::kGraderFault, 0), "").ok());
  const std::vector<StudentRow> students = {{"ada", "ada", {}}};
  const std::vector<SubmissionRow> submissions = {
      {"ada", "01_first", "scale", State::kFound, "scale.cu", "", Key("scale").Name()},
      {"ada", "01_first", "tile", State::kFound, "tile.cu", "", Key("tile").Name()},
      {"ada", "01_first", "last", State::kMissing, "", "", ""}};
  ASSERT_TRUE(gradebook_->ReplaceClass(students, submissions).ok());
  auto database = Database::Open(File());
  ASSERT_TRUE(database.ok());
  Statement rows = database->Prepare("SELECT state, points, findings, misconceptions FROM grades");
  std::vector<std::string> states;
  while (rows.Step()) {
    states.push_back(rows.Text(0));
    if (states.size() > 1) continue;
    EXPECT_EQ(rows.Real(1), 10);
    EXPECT_NE(rows.Text(2).find("\"kind\":\"out_of_bounds\""), std::string::npos) << rows.Text(2);
    EXPECT_EQ(rows.Text(3), "[\"unguarded\"]");
  }
  EXPECT_EQ(states, (std::vector<std::string>{"graded", "not graded", "missing"}));
}

TEST_F(GradebookTest, OtherFilesAreLeftAlone) {
  const auto refused = [&](const std::filesystem::path& file) {
    const auto opened = Gradebook::Open(file);
    return !opened && opened.error().blame == Blame::kUsage;
  };
  const std::string text = "this is a letter, and no database at all, whatever its name may say\n";
  std::ofstream(folder_ / "letter") << text;
  EXPECT_TRUE(refused(folder_ / "letter"));
  std::ifstream stream(folder_ / "letter");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), text);
  EXPECT_TRUE(refused(folder_));
  EXPECT_TRUE(refused(folder_ / "absent" / "gradebook.sqlite"));
  {
    auto other = Database::Open(folder_ / "other");
    ASSERT_TRUE(other.ok() && other->Execute("CREATE TABLE t(x)"));
  }
  EXPECT_TRUE(refused(folder_ / "other"));
  {
    auto later = Database::Open(File());
    ASSERT_TRUE(later.ok() && later->Execute("PRAGMA user_version = 99"));
  }
  EXPECT_TRUE(refused(File()));
}

TEST_F(GradebookTest, AFullDiskIsToldAndNothingIsLost) {
  ASSERT_TRUE(gradebook_->WriteResult(Key("before"), Result(Verdict::kPassed, 10), "").ok());
  ExerciseResult large = Result(Verdict::kPassed, 10);
  // No repetitions that zstd could take out.
  std::minstd_rand random(1);
  for (int i = 0; i < 1 << 20; ++i) large.source += static_cast<char>('a' + random() % 26);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit former{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &former), 0);
  const rlimit small{256 << 10, former.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status written = gradebook_->WriteResult(Key("large"), large, "");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &former), 0);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().blame, Blame::kGrader);
  EXPECT_NE(English(written.error().next_step).find("what has been graded is kept"), std::string::npos)
      << written.error().message;
  Open();
  EXPECT_TRUE(*gradebook_->IsGraded(Key("before").Name()));
  EXPECT_FALSE(*gradebook_->IsGraded(Key("large").Name()));
  EXPECT_TRUE(gradebook_->WriteResult(Key("large"), large, "").ok());
}

TEST_F(GradebookTest, WhatIsCommittedOutlivesAKill) {
  gradebook_.reset();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto gradebook = Gradebook::Open(File());
    for (int i = 0;
         gradebook && gradebook->WriteResult(Key("e" + std::to_string(i)), Result(Verdict::kPassed, 1), "");
         ++i) {
      if (::write(ends[1], "x", 1) != 1) break;
    }
    ::_exit(1);
  }
  char written[20];
  std::size_t count = 0;
  while (count < sizeof written) {
    const ssize_t got = ::read(ends[0], written + count, sizeof written - count);
    ASSERT_GT(got, 0);
    count += static_cast<std::size_t>(got);
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  Open();
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_TRUE(*gradebook_->IsGraded(Key("e" + std::to_string(i)).Name()));
}

TEST_F(GradebookTest, ACopyHasWhatIsStillInTheLogAndLeavesTheOriginal) {
  // Not closed, as after a kill: the result is in the log alone.
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale"), Result(Verdict::kPassed, 1), "").ok());
  ASSERT_TRUE(std::filesystem::exists(File().string() + "-wal"));
  const auto copied = CopyGradebook(File(), folder_ / "copy");
  ASSERT_TRUE(copied.ok()) << copied.error().message;
  auto copy = Gradebook::Open(*copied);
  ASSERT_TRUE(copy.ok()) << copy.error().message;
  EXPECT_TRUE(*copy->IsGraded(Key("scale").Name()));
  ASSERT_TRUE(copy->WriteResult(Key("tile"), Result(Verdict::kPassed, 1), "").ok());
  EXPECT_FALSE(*gradebook_->IsGraded(Key("tile").Name()));
  EXPECT_FALSE(CopyGradebook(folder_ / "absent", folder_ / "copy").ok());
}

TEST(Compressed, ComesBackOrIsAnError) {
  for (const std::string& text : {std::string(), std::string("abc"), std::string(100'000, 'x')}) {
    EXPECT_EQ(*Decompress(Compress(text)), text);
  }
  std::string frame = Compress(std::string(1000, 'x'));
  EXPECT_FALSE(Decompress("").ok());
  EXPECT_FALSE(Decompress("no frame").ok());
  EXPECT_FALSE(Decompress(std::string_view(frame).substr(0, frame.size() - 1)).ok());
}

}  // namespace
}  // namespace warplings::gradebook_test
