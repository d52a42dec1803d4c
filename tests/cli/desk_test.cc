// SPDX-License-Identifier: Apache-2.0
// A student's way through the workbook: what the commands say and keep, seen from outside.
#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

class DeskTest : public CliFixture {
 protected:
  static bool Says(const ProgramRun& run, const std::string& words) {
    return (run.out + run.err).find(words) != std::string::npos;
  }
  void Solve(const std::filesystem::path& workbook, const std::string& exercise) const {
    std::filesystem::copy_file(layout_.root / "solutions" / (exercise + ".cu"),
                               workbook / "chapters" / (exercise + ".cu"),
                               std::filesystem::copy_options::overwrite_existing);
  }
};

TEST_F(DeskTest, AChaptersCheckEndsWithTheFirstExerciseThatDoesNotPass) {
  const std::filesystem::path workbook = CopyWorkbook();
  const ProgramRun first = Run({"check", "1", "--workbook", workbook});
  EXPECT_EQ(first.status, 1);
  EXPECT_TRUE(Says(first, "out_of_range_loads: ")) << first.out;
  EXPECT_FALSE(Says(first, "tiled_matmul: ")) << first.out;
  EXPECT_TRUE(Says(first, "2 more in this chapter: --all")) << first.out;

  Solve(workbook, "01_boundary_checks/out_of_range_loads");
  const ProgramRun second = Run({"check", "1", "--workbook", workbook});
  EXPECT_EQ(second.status, 1);
  EXPECT_TRUE(
      second.out.starts_with("  pass  01_boundary_checks/out_of_range_loads  5 of 5 points\n\n"
                             "tiled_matmul: "))
      << second.out;
  EXPECT_TRUE(Says(second, "1 more in this chapter: --all")) << second.out;

  const ProgramRun all = Run({"check", "1", "--all", "--workbook", workbook});
  EXPECT_EQ(all.status, 1);
  EXPECT_TRUE(Says(all, "repair_tiled_matmul: ")) << all.out;
  EXPECT_FALSE(Says(all, "more in this chapter")) << all.out;
}

/// A program that asked for a chapter gets the chapter.
TEST_F(DeskTest, TheJsonHoldsEveryExerciseThatWasNamed) {
  const CheckRun run = Check({"1"});
  EXPECT_EQ(run.program.status, 1);
  EXPECT_EQ(run.results.size(), 3u) << run.program.out;
}

}  // namespace
}  // namespace warplings::cli_test
