// SPDX-License-Identifier: Apache-2.0
// `warplings drill` from outside: what it asks, says and remembers.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>

#include "grader/base/unique_fd.h"
#include "grader/workbook/drills.h"
#include "grader/workbook/exercise.h"
#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

class DrillTest : public CliFixture {
 protected:
  static bool Has(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
  }
  /// A session whose input is these lines.
  ProgramRun Type(std::vector<std::string> arguments, const std::string& lines) const {
    arguments.insert(arguments.begin(), "drill");
    WriteText(scratch() / "typed", lines);
    return Run(arguments, {.environment = {{"COLUMNS", "200"}}, .input = scratch() / "typed"});
  }
  std::vector<Drill> DrillsOf(const std::string& chapter) const {
    const auto drills = LoadDrills(layout_.root, chapter);
    EXPECT_TRUE(drills.ok());
    return drills ? *drills : std::vector<Drill>();
  }
  static std::string Right(const Drill& drill) {
    return drill.choices.empty() ? DrillAnswerText(drill, drill.answer)
                                 : DrillLetter(static_cast<std::size_t>(drill.answer));
  }
};

TEST_F(DrillTest, AsksInTurnAndEndsWithSuccessIfAllIsRight) {
  std::string lines;
  const std::vector<Drill> drills = DrillsOf("02_rectangular_matmul");
  for (const Drill& drill : drills) lines += Right(drill) + "\n";
  const ProgramRun run = Type({"2"}, lines);
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(run.out.starts_with("Chapter 2, Rectangular")) << run.out;
  EXPECT_TRUE(Has(run.out, "0 of 10 drills answered correctly")) << run.out;
  EXPECT_TRUE(Has(run.out, "10 of 10 drills answered correctly\nDrills earn no points.\n")) << run.out;
  std::size_t at = 0;
  for (const Drill& drill : drills) {
    at = run.out.find(drill.question.substr(0, 20), at);
    EXPECT_NE(at, std::string::npos) << drill.id;
  }
  EXPECT_TRUE(Has(run.out, "Right: 600 elements.\n  P has the rows of M")) << run.out;
}

TEST_F(DrillTest, AWrongAnswerGetsItsWordAndAnotherTry) {
  const ProgramRun run = Type({"2"}, "1500\n600\nseven\n100\n41\nq\n");
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(Has(run.out, "Wrong: 1500 elements.\n  That is the size of M.")) << run.out;
  EXPECT_TRUE(Has(run.out, "Try once more.\nAnswer (elements): \nRight: 600 elements.")) << run.out;
  EXPECT_TRUE(Has(run.out, "Type a number, such as 12 or 0.5.\nAnswer: \nWrong: 100.")) << run.out;
  EXPECT_TRUE(Has(run.out, "Wrong: 41.\nThe answer: 40\n  Two rows come before it")) << run.out;
  EXPECT_TRUE(Has(run.out, "1 of 10 drills answered correctly\n")) << run.out;
}

TEST_F(DrillTest, AQuestionMarkHelpsAndIsNoAnswer) {
  const ProgramRun run = Type({"2"}, "?\n1500\nhelp\n600\nq\n");
  EXPECT_TRUE(
      Has(run.out,
          "Answer (elements): \nThe answer is a number, in elements.\nType a number, such as 12 or 0.5.\n"
          "The handout of chapter 2, "))
      << run.out;
  EXPECT_TRUE(Has(run.out, "Right: 600 elements.")) << "it took none of the two tries: " << run.out;
}

TEST_F(DrillTest, WhatIsAnsweredIsKeptAndComesLast) {
  // The end of the input ends the session, in the middle of a question, too.
  const ProgramRun first = Type({"1"}, "7\n");
  EXPECT_EQ(first.status, 0) << "what was asked was answered: " << first.out;
  const ProgramRun second = Type({"1"}, "\nq\n");
  EXPECT_EQ(second.status, 1) << "an empty line gives up";
  EXPECT_TRUE(Has(second.out, "Drill 1 of 10, row_and_column\n")) << second.out;
  EXPECT_TRUE(Has(second.out, "The answer: 65\n")) << second.out;
  const ProgramRun third = Type({"1"}, std::string(9, '\n'));
  EXPECT_TRUE(Has(third.out, "You have answered the rest before.\nDrill 10 of 10, blocks_along_x\n"))
      << third.out;
  const ProgramRun list = Run({"drill", "--list", "1"}, {.environment = {{"COLUMNS", "300"}}});
  EXPECT_EQ(list.status, 0);
  EXPECT_TRUE(list.out.starts_with("Chapter 1, Boundary checks: 1 of 10 drills answered correctly\n"))
      << list.out;
  EXPECT_TRUE(Has(list.out, "  done  blocks_along_x ")) << list.out;
  EXPECT_TRUE(Has(list.out, "  open  row_and_column ")) << list.out;
  EXPECT_FALSE(Has(list.out, "Chapter 2")) << list.out;
  // The hints' file is the drills' file.
  EXPECT_EQ(Run({"hint", "tiled_matmul"}).status, 0);
  EXPECT_TRUE(Has(Run({"drill", "--list", "1"}).out, ": 1 of 10 drills")) << "a hint forgets no drill";
}

TEST_F(DrillTest, CtrlCLosesNothing) {
  const std::filesystem::path pipe = scratch() / "pipe", now = scratch() / "now", state = scratch() / "state";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  // As long as this is open, the input has no end.
  const UniqueFd writer(::open(pipe.c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::write(writer.get(), "7\n", 2), 2);
  auto session = std::async(std::launch::async, [&] {
    return Run({"drill", "1"},
               {.environment = {{"XDG_STATE_HOME", state}}, .input = pipe, .interrupt_when = now});
  });
  const auto is_kept = [&] {
    std::error_code fault;
    for (const auto& entry : std::filesystem::directory_iterator(state / "warplings", fault)) {
      if (Has(ReadText(entry.path()), "blocks_along_x")) return true;
    }
    return false;
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (!is_kept() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  WriteText(now, "");
  EXPECT_EQ(session.get().status, 128 + SIGINT);
  EXPECT_TRUE(is_kept());
}

TEST_F(DrillTest, WithoutAChapterItGoesOnWhereSomethingIsOpen) {
  for (const Drill& drill : DrillsOf("01_boundary_checks")) {
    EXPECT_EQ(Run({"drill", "--answer", drill.id, Right(drill)}).status, 0) << drill.id;
  }
  EXPECT_TRUE(Run({"drill"}).out.starts_with("Chapter 2, ")) << Run({"drill"}).out;
  // An exercise names its chapter.
  EXPECT_TRUE(Run({"drill", "bank_of"}).out.starts_with("Chapter 5, "));
}

TEST_F(DrillTest, OneAnswerForScripts) {
  const ProgramRun right = Run({"drill", "--answer", "row_start", "40"});
  EXPECT_EQ(right.status, 0);
  EXPECT_TRUE(right.out.starts_with("Right: 40.\n")) << right.out;
  const ProgramRun wrong = Run({"drill", "--answer", "row_start", "100"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_TRUE(wrong.out.starts_with("Wrong: 100.\n  You multiplied by the number of rows.")) << wrong.out;
  EXPECT_FALSE(Has(wrong.out, "40")) << "nothing is given away: " << wrong.out;
  const ProgramRun other = Run({"drill", "--answer", "row_start", "41"});
  EXPECT_EQ(other.status, 1);
  EXPECT_TRUE(other.out.starts_with("Wrong: 41.\n  ")) << other.out;
  EXPECT_TRUE(Has(other.out, "?")) << "the question is shown again: " << other.out;
  EXPECT_EQ(Run({"drill", "--answer", "neutral_element", "b"}).status, 0);
}

TEST_F(DrillTest, WrongUsageSaysWhatIsMeant) {
  const auto error = [&](const std::vector<std::string>& words, const std::string& said) {
    const ProgramRun run = Run(words);
    EXPECT_EQ(run.status, 2) << run.out;
    EXPECT_TRUE(Has(run.err, said)) << run.err;
  };
  error({"drill", "--answer", "row_strat", "40"}, "there is no drill 'row_strat'; did you mean row_start?");
  error({"drill", "--answer", "row_start"}, "--answer needs a drill's id and one value");
  error({"drill", "--answer", "row_start", "many"}, "'many' is not an answer to this drill");
  error({"drill", "--answer", "neutral_element", "z"}, "Type a letter from a to c.");
  error({"drill", "99"}, "99");
  error({"drill", "--list", "--answer", "row_start", "40"}, "--list");
}

TEST_F(DrillTest, SpeaksChinese) {
  const ProgramRun run = Type({"2", "--lang", "zh_Hant"}, "1500\n600\n");
  EXPECT_TRUE(run.out.starts_with("第 2 章")) << run.out;
  EXPECT_TRUE(Has(run.out, "不對：1500 個元素。\n  這是 M 的大小。")) << run.out;
  EXPECT_TRUE(Has(run.out, "答對了：600 個元素。")) << run.out;
  EXPECT_TRUE(Has(run.out, "小練習不計分。")) << run.out;
}

/// Every drill, right and with each of its typical mistakes.
TEST_F(DrillTest, EveryTypicalMistakeGetsItsWord) {
  const auto workbook = LoadWorkbook(layout_.root);
  ASSERT_TRUE(workbook.ok());
  for (const Chapter& chapter : workbook->chapters) {
    std::string lines;
    const std::vector<Drill> drills = DrillsOf(chapter.id);
    for (const Drill& drill : drills) {
      for (std::size_t i = 0; i < 2; ++i) {
        const double wrong = drill.wrong[i].answer;
        lines += (drill.choices.empty() ? DrillAnswerText(drill, wrong)
                                        : DrillLetter(static_cast<std::size_t>(wrong))) +
                 "\n";
      }
    }
    const ProgramRun run = Type({chapter.id}, lines);
    EXPECT_EQ(run.status, 1);
    EXPECT_TRUE(Has(run.out, ": 0 of 10 drills answered correctly\nDrills earn")) << run.out;
    for (const Drill& drill : drills) {
      for (const TypicalMistake& each : drill.wrong) {
        EXPECT_TRUE(Has(run.out, "\n  " + each.why.substr(0, 30))) << drill.id << ": " << each.why;
      }
    }
  }
}

}  // namespace
}  // namespace warplings::cli_test
