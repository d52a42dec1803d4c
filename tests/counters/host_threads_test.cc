// SPDX-License-Identifier: Apache-2.0
// Compiled programs on the virtual GPU with 1, 2 and 8 host threads: what they print, the findings and the
// counts of every instruction are the same, run after run.
#include <gtest/gtest.h>

#include <cstdlib>

#include "grader/device/device.h"
#include "tests/counters/trace.h"

namespace warplings {
namespace {

/// Run after run, because a race shows by chance: one that shows in a tenth of the runs is missed by 2 x 5 of
/// them in 35 of 100 cases, by the long tests' 2 x 20 in one or two. ThreadSanitizer sees it whichever way it
/// goes, and is slow.
int Runs() {
#ifdef __SANITIZE_THREAD__
  return 1;
#else
  return std::getenv("WARPLINGS_LONG_TESTS") != nullptr ? 20 : 5;
#endif
}

std::string Trace(const std::string& program, unsigned host_threads) {
  return cli_test::TraceOf(program, {.host_threads = host_threads}, WARPLINGS_TOOLKIT_MAJOR,
                           ObservationOptions{}.max_warp_instructions);
}

class HostThreads : public testing::TestWithParam<const char*> {};

TEST_P(HostThreads, DoNotChangeResultsFindingsOrCounts) {
  const std::string program = std::string(WARPLINGS_TEST_PROGRAMS) + "/" + GetParam();
  const std::string one = Trace(program, 1);
  ASSERT_NE(one.find("\"status\": 0"), std::string::npos) << one.substr(one.size() - 2000);
  ASSERT_EQ(Trace(program, 1), one) << "a second run on one thread";
  for (unsigned threads : {2u, 8u}) {
    for (int run = 0; run < Runs(); ++run) {
      ASSERT_EQ(Trace(program, threads), one) << threads << " threads, run " << run;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, HostThreads,
                         testing::Values("counters/faulty_kernels", "cli/histogram", "cli/off_by_one"),
                         [](const auto& tested) {
                           const std::string name = tested.param;
                           return name.substr(name.find('/') + 1);
                         });

/// The faulty program is one that would show it: it has each of the findings.
TEST(HostThreads, WouldShowInTheFaultyProgram) {
  const std::string trace = Trace(std::string(WARPLINGS_TEST_PROGRAMS) + "/counters/faulty_kernels", 2);
  for (const char* kind : {"\"race\"", "\"uninitialised\"", "\"out_of_bounds\"", "\"barrier_after_exit\""}) {
    EXPECT_NE(trace.find(kind), std::string::npos) << kind;
  }
  EXPECT_NE(trace.find("sum 20, no error"), std::string::npos);
}

}  // namespace
}  // namespace warplings
