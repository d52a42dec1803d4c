// SPDX-License-Identifier: Apache-2.0
// Tests that exercises checked at the same time share the machine's memory.
#include <cstdio>
#include <fstream>

#include "grader/base/usable_memory.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/drawn.h"

namespace warplings::cli_test {
namespace {

/// Takes what device memory it can get, and says how much that was.
constexpr const char* kTakesAll = R"(
  static bool taken = false;
  if (taken) return;
  taken = true;
  size_t bytes = 0;
  for (size_t piece = size_t{1} << 38; piece >= size_t{1} << 20; piece /= 2) {
    void* memory = nullptr;
    while (cudaMalloc(&memory, piece) == cudaSuccess) bytes += piece;
  }
  printf("took %zu\n", bytes);
}
)";

class JobsTest : public CliFixture {
 protected:
  void SetUp() override {
    const auto write = [&](const char* file, const char* head) {
      std::ofstream(workbook_ / "chapters" / file) << "#include <cstdio>\n" << head << kTakesAll;
    };
    write("01_boundary_checks/tiled_matmul.cu",
          "#include \"tiled_matmul.h\"\n#define TILE_WIDTH 16\n"
          "__global__ void tiled_matmul_kernel(const float*, const float*, float*, int) {}\n"
          "void tiled_matmul(const float*, const float*, float*, int) {");
    write("03_dynamic_shared_memory/reverse.cu",
          "#include \"reverse.h\"\n__global__ void reverse_kernel(const int*, int*, int, int) {}\n"
          "void reverse(const int*, int*, int, int, bool) {");
  }

  /// Bytes of device memory that each of two submissions got.
  std::vector<double> Taken(const std::string& jobs) const {
    std::vector<double> taken;
    const CheckRun run = Check({"tiled_matmul", "reverse", "--all", "--jobs", jobs, "--device",
                                "virtual:h200", "--workbook", workbook_});
    for (const ExerciseResult& result : run.results) {
      double bytes = 0;
      EXPECT_EQ(std::sscanf(result.student_output.c_str(), "took %lf", &bytes), 1) << result.reason;
      taken.push_back(bytes);
    }
    EXPECT_EQ(taken.size(), 2u) << run.program.out;
    return taken;
  }

  const std::filesystem::path workbook_ = CopyWorkbook();
};

TEST_F(JobsTest, TwoSubmissionsGetHalfOfTheMemoryOfOneEach) {
  RUN_ONE_IN(3);
  constexpr double kGib = 1 << 30, kMemoryOfAnH200 = 141 * kGib;
  const auto usable = static_cast<double>(FindUsableMemory().bytes);
  // Half of a larger machine is more than the card has; of a smaller one each keeps a GiB.
  if (usable / 2 > kMemoryOfAnH200 || usable / 4 < kGib)
    GTEST_SKIP() << "this machine has " << usable / kGib << " GiB; between 4 and 282 show a share";
  const std::vector<double> alone = Taken("1"), shared = Taken("2");
  ASSERT_EQ(alone.size(), shared.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_LE(alone[i], usable / 2);
    EXPECT_GT(alone[i], usable / 4);
    EXPECT_NEAR(shared[i] / alone[i], 0.5, 0.1);
  }
}

}  // namespace
}  // namespace warplings::cli_test
