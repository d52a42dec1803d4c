// SPDX-License-Identifier: Apache-2.0
// Compiled programs on the virtual GPU with 1, 2 and 8 host threads: what they print, the findings and the
// counts of every instruction are the same, run after run.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <thread>

#include "grader/core/json.h"
#include "grader/core/layout.h"
#include "grader/device/client.h"
#include "grader/device/server.h"
#include "grader/virtual_gpu/virtual_gpu.h"
#include "tests/cli/run_program.h"

namespace warplings {
namespace {

constexpr int kRuns = 20;

/// All that a run of the program shows, as one text.
std::string Trace(const std::string& program, unsigned host_threads) {
  VirtualGpuOptions options;
  options.host_threads = host_threads;
  auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), options).value();
  ChannelPair control = MakeChannelPair(), pair = MakeChannelPair();
  DeviceServer server({device.get()}, std::move(control.second));
  std::thread thread([&] { EXPECT_TRUE(server.Run().ok()); });
  auto judge = DeviceClient::Connect(std::move(control.first)).value();
  ObservationOptions observation;
  observation.profile = true;
  judge->SetObservation(observation);
  EXPECT_TRUE(judge->AttachClient(pair.second.get(), /*deliver_printed=*/true).ok());
  pair.second.reset();
  fcntl(pair.first.get(), F_SETFD, 0);  // The program inherits it.
  cli_test::ProgramOptions how;
  how.environment = {{"LD_PRELOAD", ThisLayout().RuntimeLibrary(WARPLINGS_TOOLKIT_MAJOR).string()},
                     {"WARPLINGS_DEVICE_FD", std::to_string(pair.first.get())}};
  const cli_test::ProgramRun run = cli_test::RunProgram({program}, how);
  pair.first.reset();
  nlohmann::json all = {{"out", run.out},
                        {"err", run.err},
                        {"status", run.status},
                        {"findings", judge->TakeFindings()},
                        {"launches", judge->TakeLaunches()},
                        {"kernels", judge->TakeProfile()}};
  judge.reset();
  thread.join();
  return DumpJson(all, 1);
}

class HostThreads : public testing::TestWithParam<const char*> {};

TEST_P(HostThreads, DoNotChangeResultsFindingsOrCounts) {
  const std::string program = std::string(WARPLINGS_TEST_PROGRAMS) + "/" + GetParam();
  const std::string one = Trace(program, 1);
  ASSERT_NE(one.find("\"status\": 0"), std::string::npos) << one.substr(one.size() - 2000);
  for (unsigned threads : {1u, 2u, 8u}) {
    for (int run = 0; run < kRuns; ++run) {
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
