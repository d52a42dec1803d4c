// SPDX-License-Identifier: Apache-2.0
//
// Figures of the texts that the chapters grew from, as a check reports them: measured on the kernels of
// solutions and mutants, not computed from a formula. (What needs no kernel is in the chapters' own tests:
// `Figures` in chapter 4's, `BanksTest` in reference/, `LoadPicturesTest` in chapter 1's.)
#include <algorithm>

#include "tests/cli/cli_fixture.h"
#include "tests/support/drawn.h"

namespace warplings::cli_test {
namespace {

class FiguresTest : public CliFixture {
 protected:
  /// The launches of one test of a check.
  std::vector<LaunchRecord> LaunchesOf(const std::string& test,
                                       const std::vector<std::string>& arguments) const {
    const CheckRun run = Check(arguments);
    const std::vector<TestResult>& tests = run.Only().tests;
    const auto found = std::ranges::find(tests, test, &TestResult::name);
    EXPECT_NE(found, tests.end()) << test;
    return found == tests.end() ? std::vector<LaunchRecord>{} : found->launches;
  }

  /// Operations per byte from global memory of a 128 x 128 product.
  double OperationsPerByte(const std::vector<std::string>& which) const {
    std::vector<std::string> arguments = {"coarsened_matmul"};
    arguments.insert(arguments.end(), which.begin(), which.end());
    Counts counts;
    for (const LaunchRecord& launch :
         LaunchesOf("CoarsenedMatmul.TileOfMIsLoadedOnceForFourTilesOfP", arguments)) {
      counts += launch.totals;
    }
    EXPECT_EQ(counts.flops, 2u * 128 * 128 * 128);
    return counts.global_load_bytes == 0
               ? 0
               : static_cast<double>(counts.flops) / static_cast<double>(counts.global_load_bytes);
  }

  std::string Mutant(const std::string& chapter, const std::string& name) const {
    return layout_.MutantFolder(chapter) / (name + ".cu");
  }
};

TEST_F(FiguresTest, OperationsPerByteNaiveTiledAndCoarsened) {
  RUN_ONE_IN(3);
  const std::string chapter = "06_coarsening";
  EXPECT_DOUBLE_EQ(OperationsPerByte({"--file", Mutant(chapter, "coarsened_matmul.untiled")}), 0.25);
  EXPECT_DOUBLE_EQ(OperationsPerByte({"--file", Mutant(chapter, "coarsened_matmul.not_coarsened")}), 8);
  EXPECT_DOUBLE_EQ(OperationsPerByte({"--solution"}), 12.8);
}

/// Two tiles with a float for each thread; an A100 has 82 bytes for each of 2048 threads.
TEST_F(FiguresTest, TiledMatmulUsesEightBytesOfSharedMemoryAThread) {
  RUN_ONE_IN(3);
  const auto launches = LaunchesOf("TiledMatmul.WholeTilesInSeveralPhases", {"tiled_matmul", "--solution"});
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_EQ(launches[0].static_shared_bytes, 8 * launches[0].block.Volume());
  EXPECT_EQ(launches[0].occupancy, 1.0);
}

/// The kernel that falls off the cliff, and blocks of 768 threads that leave a quarter of the A100 empty.
TEST_F(FiguresTest, RegistersAndBlockSizesThatCostOccupancy) {
  RUN_ONE_IN(3);
  const std::string test = "OffTheCliff.TheMultiprocessorIsFull", chapter = "04_occupancy";
  const auto occupancy = [&](const std::vector<std::string>& arguments) {
    const auto launches = LaunchesOf(test, arguments);
    return launches.size() == 1 ? launches[0].occupancy : -1;
  };
  EXPECT_DOUBLE_EQ(occupancy({"off_the_cliff", "--file", Mutant(chapter, "off_the_cliff.blocks_leave_gaps")}),
                   0.75);
  EXPECT_DOUBLE_EQ(occupancy({"off_the_cliff", "--solution"}), 1.0);
}

}  // namespace
}  // namespace warplings::cli_test
