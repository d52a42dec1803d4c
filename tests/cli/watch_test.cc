// SPDX-License-Identifier: Apache-2.0
// `watch` on a terminal: saves, keys, and whatever a file under the keyboard may do.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include "tests/cli/cli_fixture.h"
#include "tests/cli/terminal.h"
#include "tests/support/drawn.h"

namespace warplings::cli_test {
namespace {

class WatchTest : public CliFixture {
 protected:
  std::map<std::string, std::string> Environment() const {
    std::filesystem::create_directories(scratch() / "tmp");
    return {{"XDG_STATE_HOME", scratch() / "state"},
            {"XDG_CACHE_HOME", scratch() / "cache"},
            {"TMPDIR", scratch() / "tmp"},
            {"CUDA_VISIBLE_DEVICES", ""},
            {"TERM", "xterm"},
            {"LC_ALL", "C.UTF-8"}};
  }
  std::vector<std::string> Command() const {
    return {layout_.build / "grader/cli/warplings-cli", "watch", "out_of_range_loads", "--workbook",
            workbook_};
  }
  void Solve() const {
    WriteText(file_, ReadText(layout_.root / "solutions" / kChapter / "out_of_range_loads.cu"));
  }

  static constexpr const char* kChapter = "01_boundary_checks";
  const std::filesystem::path workbook_ = CopyWorkbook();
  const std::filesystem::path file_ = workbook_ / "chapters" / kChapter / "out_of_range_loads.cu";
};

TEST_F(WatchTest, SavesAreSeenAndKeysAreObeyed) {
  Terminal terminal(Command(), Environment());
  ASSERT_TRUE(terminal.WaitFor("NOT PASSED"));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  terminal.Type("?");
  EXPECT_TRUE(terminal.WaitFor("h  shows the next hint; after the last one, all of them again"));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  for (const std::string number : {"1", "2", "3", "4"}) {
    terminal.Type("h");
    EXPECT_TRUE(terminal.WaitFor("out_of_range_loads, hint " + number + " of 4"));
    ASSERT_TRUE(terminal.WaitFor("q quit"));
  }
  terminal.Type("h");
  EXPECT_TRUE(terminal.WaitFor("out_of_range_loads, hint 4 of 4"));
  EXPECT_TRUE(terminal.WaitFor("out_of_range_loads, hint 1 of 4")) << "all once more";
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  terminal.Type("l");
  EXPECT_TRUE(terminal.WaitFor("Next: edit"));
  ASSERT_TRUE(terminal.WaitFor("l back to the report"));
  terminal.Type("l");
  EXPECT_TRUE(terminal.WaitFor("NOT PASSED"));
  ASSERT_TRUE(terminal.WaitFor("h hint  n next  l list"));
  Solve();
  EXPECT_TRUE(terminal.WaitFor("1 of 3 exercises, 5 of 25 points"));
  EXPECT_TRUE(terminal.WaitFor("Passed. Now watching the next exercise, tiled_matmul: "));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  WriteText(file_.parent_path() / "tiled_matmul.cu", "broken");
  EXPECT_TRUE(terminal.WaitFor("checking 01_boundary_checks/tiled_matmul"));
  EXPECT_TRUE(terminal.WaitFor("compile error"));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  terminal.Type("n");
  EXPECT_TRUE(terminal.WaitFor("checking 01_boundary_checks/repair_tiled_matmul"));
  terminal.Type("q");
  const int status = terminal.Wait();
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(std::filesystem::is_empty(scratch() / "tmp")) << "the check that was running left something";
}

/// Whoever saves another exercise's file works on that one.
TEST_F(WatchTest, GoesOverToTheExerciseWhoseFileIsSaved) {
  Terminal terminal(Command(), Environment());
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  WriteText(file_.parent_path() / "notes.cu", "no exercise's");
  WriteText(workbook_ / "chapters/04_occupancy/occupancy.cu", "broken");
  EXPECT_TRUE(terminal.WaitFor("checking 04_occupancy/occupancy")) << "in another chapter's folder";
  EXPECT_TRUE(terminal.WaitFor("compile error"));
  EXPECT_TRUE(terminal.WaitFor("Now watching occupancy, because you saved "));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  WriteText(file_, "broken");
  EXPECT_TRUE(terminal.WaitFor("checking 01_boundary_checks/out_of_range_loads")) << "and back";
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  terminal.Type("q");
  EXPECT_EQ(terminal.Wait(), 0);
}

/// The last of many saves is the one that counts, also where an editor replaces the file.
TEST_F(WatchTest, AHundredRapidSavesEndWithTheLast) {
  RUN_ONE_IN(3);
  Terminal terminal(Command(), Environment());
  ASSERT_TRUE(terminal.WaitFor("checking"));
  for (int i = 0; i < 100; ++i) {
    WriteText(file_, "broken " + std::to_string(i));
    ::usleep(20'000);
  }
  WriteText(file_.string() + "~", ReadText(layout_.root / "solutions" / kChapter / "out_of_range_loads.cu"));
  std::filesystem::rename(file_.string() + "~", file_);
  EXPECT_TRUE(terminal.WaitFor("5 of 25 points"));
  terminal.Type("q");
  EXPECT_EQ(terminal.Wait(), 0);
  EXPECT_TRUE(std::filesystem::is_empty(scratch() / "tmp"));
}

TEST_F(WatchTest, SurvivesWhatAFileATerminalAndAUserDo) {
  RUN_ONE_IN(3);
  Terminal terminal(Command(), Environment());
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  WriteText(file_,
            "#include <cstdio>\n#include \"out_of_range_loads.h\"\n"
            "BlockLoads out_of_range_loads(int, int, int, int, int) { for (;;) std::puts(\"x\"); }\n");
  EXPECT_TRUE(terminal.WaitFor("limit")) << "endless output";
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  WriteText(file_, std::string("\0\x1b[2J not C++ {{{", 18));
  EXPECT_TRUE(terminal.WaitFor("compile error"));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  terminal.Resize(40);
  EXPECT_TRUE(terminal.WaitFor("compile error")) << "drawn again";
  ASSERT_TRUE(terminal.WaitFor("q quit"));

  terminal.Type("\x1a");
  EXPECT_TRUE(WIFSTOPPED(terminal.Wait(WUNTRACED)));
  Solve();
  terminal.Signal(SIGCONT);
  EXPECT_TRUE(terminal.WaitFor("5 of 25 points")) << "saved while it was stopped";
  ASSERT_TRUE(terminal.WaitFor("q quit"));

  std::filesystem::remove(file_);
  terminal.Type("r");
  EXPECT_TRUE(terminal.WaitFor("no such file"));
  ASSERT_TRUE(terminal.WaitFor("q quit"));
  terminal.Type("\x03");
  const int status = terminal.Wait();
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
}

}  // namespace
}  // namespace warplings::cli_test
