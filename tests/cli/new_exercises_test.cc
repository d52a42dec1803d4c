// SPDX-License-Identifier: Apache-2.0
// Four exercises as an author adds them: `new` lays out the files, tests/new_exercises/ has what the author
// puts in their place, and `verify` judges it. The inputs of each are of a kind that the workbook's own
// exercises lack: values of a range, a permutation, integers to be added up. One returns a value and writes
// only a part of its output. The judge's own calls keep to that, or the right answers would fail. meson.build
// builds the suites under the names that are given here.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "grader/messages/product_facts.h"
#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChapter = "98_authored";

class NewExercisesTest : public CliFixture {
 protected:
  void SetUp() override {
    std::string chapter = "# SPDX-License-Identifier: Apache-2.0\n\ntitle = \"Authored\"\n";
    // Without the sections of the workbook's exercises, which may have the same names.
    std::string page = ReadText(layout_.root / "chapters/grading.md");
    page.resize(std::min(page.size(), page.find("\n## tiled_matmul")));
    fs::create_directories(tree_ / "chapters");
    for (const std::string name : {"histogram", "gather", "prefix_sum", "compact"}) {
      const ProgramRun run = Run({"new", kChapter + ("/" + name), "--workbook", tree_});
      ASSERT_EQ(run.status, 0) << run.err;
      for (const char* id : {"grid_rounded_down", "unguarded", "block_index_left_out"}) {
        fs::remove(tree_ / "tests/mutants" / kChapter / (name + "." + id + ".cu"));
      }
      const fs::path written = layout_.root / "tests/new_exercises" / name;
      chapter += ReadText(written / "exercise.toml");
      page += ReadText(written / "grading.md");
      for (const auto& file : fs::directory_iterator(written)) LayOver(name, file);
    }
    ProgramOptions options;
    options.folder = tree_;
    ASSERT_EQ(RunProgram({layout_.root / "grader/authoring/list_starters"}, options).status, 0);
    WriteText(tree_ / "chapters" / kChapter / "chapter.toml", chapter);
    WriteText(tree_ / "chapters/grading.md", page);
  }

  void LayOver(const std::string& exercise, const fs::path& file) {
    const std::string name = file.filename().string();
    const auto put = [&](const fs::path& target) {
      fs::create_directories((tree_ / target).parent_path());
      fs::copy_file(file, tree_ / target, fs::copy_options::overwrite_existing);
    };
    if (name == "contract.h") put(fs::path("chapters") / kChapter / (exercise + ".h"));
    if (name == "starter.cu") put(fs::path("chapters") / kChapter / (exercise + ".cu"));
    if (name == "solution.cu") put(fs::path("solutions") / kChapter / (exercise + ".cu"));
    if (name == "suite.cc") put(fs::path("tests/suites") / kChapter / (exercise + "_suite.cc"));
    if (name.starts_with("mutant.")) put(fs::path("tests/mutants") / kChapter / (exercise + name.substr(6)));
    if (name.starts_with("right.")) put(fs::path("tests/alternatives") / (exercise + name.substr(5)));
  }

  const fs::path tree_ = scratch() / "tree";
};

/// Right answers pass at all seeds, those that rely on what the contract says of an input, too; each wrong
/// one fails, and is named.
TEST_F(NewExercisesTest, RightAnswersPassAndWrongOnesAreNamed) {
  const ProgramRun run = Run({"verify", "98", "--workbook", tree_}, {.time_limit = std::chrono::minutes(8)});
  std::fputs(run.out.c_str(), stdout);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("20 mutants: 20 killed, 20 named"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("no mutant breaks"), std::string::npos) << run.out;
}

/// Answers with wrong values fail the limit's test, too, and show nothing about the limit.
TEST_F(NewExercisesTest, ALimitThatNoMutantBreaksAloneIsNoted) {
  const fs::path mutants = tree_ / "tests/mutants" / kChapter;
  fs::remove(mutants / "compact.block_by_block.cu");
  const ProgramRun run =
      Run({"verify", "compact", "--workbook", tree_}, {.time_limit = std::chrono::minutes(8)});
  EXPECT_NE(run.out.find("note: no mutant breaks this limit alone: launches (BrokenLimits)"),
            std::string::npos)
      << run.out;
}

/// A cause that no misconception of the sample describes is not taken for one that it does: who copies the
/// sample copies its facts.
TEST_F(NewExercisesTest, AnswersOfAnotherCauseAreNotMisnamed) {
  for (const std::string name : {"compact/wrong.order_turned_in_a_warp", "compact/wrong.grid_rounded_down",
                                 "compact/wrong.others_counted", "compact/wrong.zeros_counted_alone",
                                 "compact/wrong.warps_one_too_far", "compact/wrong.count_in_char",
                                 "compact/wrong.last_barrier_missing", "compact/wrong.scratch_too_small",
                                 "prefix_sum/wrong.barrier_in_a_condition"}) {
    const fs::path file = layout_.root / "tests/new_exercises" / (name + ".cu");
    const std::string exercise = kChapter + ("/" + name.substr(0, name.find('/')));
    const CheckRun run = Check({exercise, "--file", file, "--workbook", tree_});
    EXPECT_NE(run.Only().verdict, Verdict::kPassed) << name;
    EXPECT_FALSE(FailedTests(run.Only()).empty()) << run.program.err;
    EXPECT_EQ(Joined(MisconceptionIds(run.Only())), "-") << name;
  }
}

/// Values that an input chooses are explained, too, with that input kept as it is.
TEST_F(NewExercisesTest, WhatAnIndexPicksIsExplained) {
  const fs::path file = layout_.root / "tests/new_exercises/gather/wrong.next_index.cu";
  const CheckRun run = Check({kChapter + std::string("/gather"), "--file", file, "--workbook", tree_});
  EXPECT_EQ(run.Only().verdict, Verdict::kWrongResult) << run.program.err;
  const Message step = run.Only().next_step;
  EXPECT_TRUE(step.Mentions(say::linear_holds_other.id)) << English(step);
  EXPECT_NE(English(step).find("out[0]"), std::string::npos) << English(step);
  EXPECT_NE(English(step).find("in[2]"), std::string::npos) << English(step);
}

}  // namespace
}  // namespace warplings::cli_test
