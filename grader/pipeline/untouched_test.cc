// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/untouched.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "grader/base/read_file.h"
#include "grader/core/layout.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/workbook/laid_down.h"

namespace warplings {
namespace {

/// "2 at 5: // TODO 2: ... | // ...", or "-".
std::string Todo(const std::string& source) {
  const auto todo = FindFirstTodo(source);
  if (!todo) return "-";
  std::string text = std::to_string(todo->number) + " at " + std::to_string(todo->line) + ": ";
  for (const std::string& line : todo->text) text += (&line == todo->text.data() ? "" : " | ") + line;
  return text;
}

TEST(FirstTodo, IsTheOneWithTheSmallestNumber) {
  EXPECT_EQ(Todo("// Two places are marked TODO.\nint f() {\n  // TODO 2: b\n  // c\n  // TODO 1: a\n}\n"),
            "1 at 5: // TODO 1: a");
  EXPECT_EQ(Todo("int i;\n  // TODO 1, vectors: a\n  // b\n  return;\n"),
            "1 at 2: // TODO 1, vectors: a | // b");
  EXPECT_EQ(Todo("int i;\n// TODO 1: a\n// TODO 2: b\n"), "1 at 2: // TODO 1: a");
  EXPECT_EQ(Todo("int i;\n\t// TODO: a\r\n"), "0 at 2: // TODO: a");
}

TEST(FirstTodo, IsNoneWhereTheReportIsTheTask) {
  EXPECT_EQ(Todo("// A heading.\n//\n// TODO: find the bug.\n\n#include \"x.h\"\n"), "-");
  EXPECT_EQ(Todo("// Do TODO 1 first.\nint i;\n"), "-");
  EXPECT_EQ(Todo(""), "-");
}

class UntouchedTest : public testing::Test {
 protected:
  /// What the workbook in this tree has for each exercise.
  static Submission SubmissionOf(const Exercise& exercise) {
    Submission submission;
    submission.exercise = &exercise;
    submission.file = exercise.starter;
    submission.source = ReadFile(exercise.starter).value_or("");
    submission.answers = ReadAnswers(exercise, exercise.starter);
    submission.is_workbook_file = true;
    return submission;
  }
};

TEST_F(UntouchedTest, TheListHasEveryStarter) {
  const auto workbook = LoadWorkbook(ThisLayout().root);
  ASSERT_TRUE(workbook);
  for (const Chapter& chapter : workbook->chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      EXPECT_TRUE(IsUntouched(SubmissionOf(exercise), ThisLayout().root))
          << exercise.id << ": to list what is handed out, run grader/authoring/list_starters in the tree";
    }
  }
}

TEST_F(UntouchedTest, AnEditOfTheFileOrItsAnswersIsSeen) {
  const auto workbook = LoadWorkbook(ThisLayout().root);
  ASSERT_TRUE(workbook);
  const auto found = SelectExercises(*workbook, "when_not_to");
  ASSERT_TRUE(found);
  Submission submission = SubmissionOf(*found->front());
  EXPECT_TRUE(IsUntouched(submission, ThisLayout().root));
  submission.answers += "# edited\n";
  EXPECT_FALSE(IsUntouched(submission, ThisLayout().root));
  submission = SubmissionOf(*found->front());
  submission.source += " ";
  EXPECT_FALSE(IsUntouched(submission, ThisLayout().root));
  submission = SubmissionOf(*found->front());
  EXPECT_FALSE(IsUntouched(submission, "/tmp")) << "who knows what was handed out there?";
  submission.is_workbook_file = false;
  EXPECT_FALSE(IsUntouched(submission, ThisLayout().root));
}

TEST_F(UntouchedTest, AStudentsWorkbookHasItsOwnRecord) {
  std::string name = testing::TempDir() + "warplings-untouched-XXXXXX";
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  const std::filesystem::path root = name;
  std::filesystem::create_directories(root / ".warplings");
  Exercise exercise;
  exercise.chapter = "01_x";
  exercise.id = "x";
  exercise.starter = root / "chapters" / "01_x" / "x.cu";
  Submission submission;
  submission.exercise = &exercise;
  submission.source = "of an older version\n";
  submission.is_workbook_file = true;
  EXPECT_FALSE(IsUntouched(submission, root));
  const LaidDown laid_down{"1", {{"chapters/01_x/x.cu", {HashOfText(submission.source), HashOfText("new")}}}};
  std::ofstream(root / ".warplings" / "laid_down") << LaidDownText(laid_down);
  EXPECT_TRUE(IsUntouched(submission, root));
  submission.source += "mine\n";
  EXPECT_FALSE(IsUntouched(submission, root));
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace warplings
