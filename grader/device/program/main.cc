// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include "grader/base/usable_memory.h"
#include "grader/cuda_gpu/cuda_gpu.h"
#include "grader/device/device_spec.h"
#include "grader/device/launch_progress.h"
#include "grader/device/server.h"
#include "grader/device/shared_memory.h"
#include "grader/messages/device.h"
#include "grader/sandbox/confine.h"
#include "grader/virtual_gpu/virtual_gpu.h"

/// The device process: owns the devices and serves them (grader/device/protocol.h) until the control
/// connection closes. It is started by DeviceClient::StartProcess, not by hand.
namespace warplings {
namespace {

struct Options {
  std::string describe;  ///< A card to print a line about, instead of serving.
  std::string device = "virtual";
  std::uint64_t memory_bytes = 0;  ///< This process' share of what may be used; 0: half of it.
  std::uint64_t memory_seed = 0;   ///< As in VirtualGpuOptions.
  int progress_fd = -1;            ///< Memory that holds a LaunchProgress; -1: nobody is shown anything.
  int control_fd = -1;
};

/// The whole text as a number.
template <class Number>
bool ReadNumber(std::string_view text, Number& number) {
  auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  return error == std::errc() && end == text.end();
}

std::optional<Options> ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string_view name = argv[i], value = argv[i + 1];
    if (name == "--describe") {
      options.describe = value;
    } else if (name == "--device") {
      options.device = value;
    } else if (name == "--control-fd") {
      if (!ReadNumber(value, options.control_fd)) return std::nullopt;
    } else if (name == "--progress-fd") {
      if (!ReadNumber(value, options.progress_fd)) return std::nullopt;
    } else if (name == "--memory") {
      if (!ReadNumber(value, options.memory_bytes)) return std::nullopt;
    } else if (name == "--memory-seed") {
      if (!ReadNumber(value, options.memory_seed)) return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  if (argc == 3 && !options.describe.empty()) return options;
  bool complete = argc % 2 == 1 && options.control_fd >= 0 && fcntl(options.control_fd, F_GETFD) >= 0;
  if (!complete) return std::nullopt;
  return options;
}

/// Each managed or pinned allocation holds a descriptor.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// Buffers of the size of a copy's piece come and go with every piece: they are to keep their pages.
void KeepFreedMemory() {
  constexpr int kBytes = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, kBytes);
  mallopt(M_TRIM_THRESHOLD, kBytes);
}

int Fail(const std::string& message, int status) {
  std::fprintf(stderr, "warplings-device: %s\n", message.c_str());
  return status;
}

constexpr int kUsageStatus = 2, kFaultStatus = 3;

/// grader/device/probe.h reads what this prints.
int Describe(const std::string& text) {
  const auto spec = ParseDeviceSpec(text);
  auto card = spec && spec->card ? DescribeCard(*spec->card)
                                 : Result<DeviceProfile>(UsageError(say::no_card_named(text)));
  if (!card) {
    std::printf("%s\n%s\n", English(card.error().message).c_str(), English(card.error().next_step).c_str());
    return kFaultStatus;
  }
  std::printf("%d %s\n%s\n", card->major * 10 + card->minor, card->name.c_str(),
              PlaceOfCard(*spec->card).c_str());
  return 0;
}

Result<std::vector<std::unique_ptr<LocalDevice>>> MakeDevices(const DeviceSpec& spec,
                                                              const VirtualGpuOptions& options) {
  if (!spec.card) return MakeVirtualGpus(spec.profiles, options);
  auto card = MakeCudaGpu(*spec.card);
  if (!card) return card.error();
  std::vector<std::unique_ptr<LocalDevice>> devices;
  devices.push_back(std::move(*card));
  return devices;
}

/// This process reads fatbins, PTX and requests that a submission made: whatever these made of it is to find
/// nothing to reach. What the cards of a virtual GPU hold is counted apart, by them; the limit on addresses
/// is for the rest.
Status Confine([[maybe_unused]] const DeviceSpec& spec, [[maybe_unused]] std::uint64_t memory_bytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return Unit{};  // A sanitizer's run time opens files, and looks at its own process when that ends.
#else
  if (spec.card) return sandbox::ConfineThisProcess(sandbox::SeccompProfile::kCard, 0);
  return sandbox::ConfineThisProcess(sandbox::SeccompProfile::kDevice, memory_bytes);
#endif
}

int Main(int argc, char** argv) {
  auto options = ParseOptions(argc, argv);
  if (!options)
    return Fail(
        "usage: warplings-device --device gpu:N|virtual:PROFILE[,PROFILE...] [--memory BYTES] [--memory-seed "
        "N] [--progress-fd N] --control-fd N",
        kUsageStatus);
  if (!options->describe.empty()) return Describe(options->describe);
  auto spec = ParseDeviceSpec(options->device);
  if (!spec) return Fail(English(spec.error().message) + " " + English(spec.error().next_step), kUsageStatus);
  fcntl(options->control_fd, F_SETFD, FD_CLOEXEC);
  signal(SIGPIPE, SIG_IGN);
  // Ctrl-C goes to the whole group; whoever started this process decides when it ends.
  signal(SIGINT, SIG_IGN);
  // DeviceClient::Interrupt: who waits for findings does not want to wait for a kernel that never ends.
  signal(SIGUSR1, [](int) { InterruptKernels(); });
  RaiseDescriptorLimit();
  KeepFreedMemory();

  const std::uint64_t memory = options->memory_bytes ? options->memory_bytes : FindUsableMemory().bytes / 2;
  const SharedMemory progress = SharedMemory::Map(UniqueFd(options->progress_fd), sizeof(LaunchProgress));
  auto made = MakeDevices(*spec, {.memory_bytes = memory,
                                  .memory_seed = options->memory_seed,
                                  .progress = LaunchProgress::In(progress)});
  if (!made) return Fail(English(made.error().message) + " " + English(made.error().next_step), kFaultStatus);
  Status confined = Confine(*spec, memory);
  if (!confined)
    return Fail(English(confined.error().message) + " " + English(confined.error().next_step), kFaultStatus);
  std::vector<LocalDevice*> devices;
  for (const auto& device : *made) devices.push_back(device.get());
  DeviceServer server(devices, UniqueFd(options->control_fd));
  Status served = server.Run();
  if (!served) return Fail(English(served.error().message), kFaultStatus);
  return 0;
}

}  // namespace
}  // namespace warplings

int main(int argc, char** argv) {
  return warplings::Main(argc, argv);
}
