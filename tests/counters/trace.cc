// SPDX-License-Identifier: Apache-2.0
#include "tests/counters/trace.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "grader/core/json.h"
#include "grader/core/layout.h"
#include "grader/device/client.h"
#include "grader/device/server.h"
#include "tests/cli/run_program.h"

namespace warplings::cli_test {

std::string TraceOf(const std::filesystem::path& program, const VirtualGpuOptions& options, int toolkit_major,
                    std::uint64_t max_warp_instructions) {
  auto device = MakeVirtualGpu(*FindDeviceProfile("a100"), options).value();
  ChannelPair control = MakeChannelPair(), pair = MakeChannelPair();
  DeviceServer server({device.get()}, std::move(control.second));
  std::thread thread([&] { EXPECT_TRUE(server.Run().ok()); });
  auto judge = DeviceClient::Connect(std::move(control.first)).value();
  ObservationOptions observation;
  observation.profile = true;
  observation.max_warp_instructions = max_warp_instructions;
  judge->SetObservation(observation);
  EXPECT_TRUE(judge->AttachClient(pair.second.get(), /*deliver_printed=*/true).ok());
  pair.second.reset();
  fcntl(pair.first.get(), F_SETFD, 0);  // The program inherits it.
  ProgramOptions how;
  how.environment = {{"LD_PRELOAD", ThisLayout().RuntimeLibrary(toolkit_major).string()},
                     {"WARPLINGS_DEVICE_FD", std::to_string(pair.first.get())}};
  const ProgramRun run = RunProgram({program.string()}, how);
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

}  // namespace warplings::cli_test
