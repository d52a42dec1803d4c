// SPDX-License-Identifier: Apache-2.0
// Handouts show what the grader says of the unchanged starters, whatever a student has written into them; and
// a sample that fails costs only the page that needs it.
#include "tests/cli/cli_fixture.h"

namespace warplings::handouts_test {
namespace {

namespace fs = std::filesystem;
using cli_test::ProgramRun;
using cli_test::ReadText;

constexpr const char* kPage = "02_rectangular_matmul.html";

class HandoutsOfAStudent : public cli_test::CliFixture {
 protected:
  void SetUp() override {
    if (cli_test::RunProgram({"bwrap", "--dev-bind", "/", "/", "true"}, {}).status != 0)
      GTEST_SKIP() << "needs bwrap, which puts another file in the place of one";
  }

  /// Chapter 2's, with `text` in the place of a file of this tree.
  ProgramRun Build(const fs::path& changed, const std::string& text, std::vector<std::string> more = {}) {
    cli_test::WriteText(scratch() / "changed.cu", text);
    std::vector<std::string> command = {"bwrap",
                                        "--dev-bind",
                                        "/",
                                        "/",
                                        "--bind",
                                        scratch() / "changed.cu",
                                        layout_.root / changed,
                                        layout_.build / "grader/cli/warplings-cli",
                                        "handouts",
                                        "2",
                                        "--lang",
                                        "en",
                                        "--paper",
                                        "none",
                                        "--out",
                                        out_};
    command.insert(command.end(), more.begin(), more.end());
    fs::create_directories(scratch() / "tmp");
    return cli_test::RunProgram(command, {.environment = {{"XDG_STATE_HOME", scratch() / "state"},
                                                          {"TMPDIR", scratch() / "tmp"},
                                                          {"CUDA_VISIBLE_DEVICES", ""}}});
  }

  std::string Original(const fs::path& file) const { return ReadText(layout_.root / file); }

  const fs::path out_ = scratch() / "pages";
  const fs::path starter_ = "chapters/02_rectangular_matmul/rect_tiled_transposed.cu";
  const fs::path solution_ = "solutions/02_rectangular_matmul/rect_tiled_transposed.cu";
};

TEST_F(HandoutsOfAStudent, AreTheSameWithASolvedAndAHalfWrittenFile) {
  ASSERT_EQ(Build(starter_, Original(starter_)).status, 0);
  const std::string page = ReadText(out_ / kPage);
  EXPECT_NE(page.find("from 16 sectors of 32 bytes"), std::string::npos);
  for (const std::string& text : {Original(solution_), Original(starter_) + "int half_written("}) {
    fs::remove_all(out_);
    const ProgramRun run = Build(starter_, text, {"--strict"});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err.find("left out"), std::string::npos) << run.err;
    EXPECT_EQ(ReadText(out_ / kPage), page);
  }
}

TEST_F(HandoutsOfAStudent, ASampleThatFailsIsNamedAndTheOtherPagesAreWritten) {
  const ProgramRun run = Build(solution_, "int half_written(");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.err.find("the sample read_across did not run"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find(std::string(kPage) + " is left out: it needs the sample read_across\n"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(run.err.find("Traceback"), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(out_ / kPage));
  EXPECT_EQ(ReadText(out_ / "index.html").find(std::string("href=\"") + kPage), std::string::npos);

  EXPECT_EQ(Build(solution_, "int half_written(", {"--strict"}).status, 3);
}

/// It runs, and its report lacks the line that a note explains.
TEST_F(HandoutsOfAStudent, AReportThatLacksALineIsLeftOutOfItsPage) {
  const fs::path mutant = "tests/mutants/01_boundary_checks/tiled_matmul.m_load_unguarded.cu";
  const std::string right = Original("solutions/01_boundary_checks/tiled_matmul.cu");
  const ProgramRun run = Build(mutant, right, {"1"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.err.find("01_boundary_checks.html: the report of the sample load_unchecked is left out\n"),
            std::string::npos)
      << run.err;
  EXPECT_TRUE(fs::exists(out_ / "01_boundary_checks.html"));
  EXPECT_NE(Build(mutant, right, {"1", "--strict"}).status, 0);
}

}  // namespace
}  // namespace warplings::handouts_test
