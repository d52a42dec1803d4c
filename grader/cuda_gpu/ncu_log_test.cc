// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/ncu_log.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "grader/base/reflect.h"
#include "grader/core/launch_record.h"
#include "grader/core/layout.h"

namespace warplings::cuda_gpu {
namespace {

TEST(NcuLog, LaunchesOfAKernelAreSummed) {
  NcuSums sums;
  const Status status = AddNcuLog(
      "==PROF== Connected to process 12 (/x/warplings-device)\n"
      "\"ID\",\"Process ID\",\"Kernel Name\",\"Block "
      "Size\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\"\n"
      "\"\",\"\",\"\",\"\",\"sector\"\n"
      "\"0\",\"12\",\"scale\",\"(32, 1, 1)\",\"1,024\"\n"
      "\"1\",\"12\",\"scale\",\"(32, 1, 1)\",\"6\"\n"
      "\"2\",\"12\",\"fold\",\"(32, 1, 1)\",\"7\"\n",
      sums);
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(sums["scale"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 1030);
  EXPECT_EQ(sums["fold"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 7);
  EXPECT_EQ(sums.size(), 2u);
}

TEST(NcuLog, ItsOwnErrorIsTold) {
  NcuSums sums;
  const Status status = AddNcuLog("==PROF== x\n==ERROR== ERR_NVGPUCTRPERM - no permission\n", sums);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(English(status.error().message), "ncu: ERR_NVGPUCTRPERM - no permission");
}

/// Each count exists, and means what the recorded comparison with a card has shown it to mean.
TEST(NcuLog, CountsAreThoseHeldToACard) {
  std::ifstream file(ThisLayout().root / "tests" / "counters" / "metrics.txt");
  std::ostringstream text;
  text << file.rdbuf();
  for (const NcuCount& each : NcuCounts()) {
    bool exists = false;
    const Counts counts;
    reflect::ForEachMember(counts, [&](const char* name, std::uint64_t) { exists |= each.count == name; });
    EXPECT_TRUE(exists) << each.count;
    const std::string line = std::string(each.count) + " " + std::string(each.metrics) + "\n";
    EXPECT_NE(text.str().find(line), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace warplings::cuda_gpu
