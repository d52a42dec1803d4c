// SPDX-License-Identifier: Apache-2.0
// Prints how many thread-instructions a second the virtual GPU interprets, on one core and on two, for a
// kernel that multiplies two square matrices: interpreter_speed PTX_FILE KERNEL [WIDTH [SETTING]]. The
// kernel's parameters are (const float* M, const float* N, float* P, int width), its blocks 16 x 16. The
// settings take turns (for a profiler, SETTING is the only one, counted from 0), and of each one's seven runs
// the fastest counts. Where "busy" is much less than the host threads, other programs had the cores
// meanwhile. The engine level is the best that the processor runs; a build with -Dengine_levels=v3 shows what
// AVX2 alone gives.
#include <time.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "grader/virtual_gpu/isa/engine.h"
#include "tests/support/virtual_gpu_testing.h"

namespace {

using namespace warplings;

constexpr int kRuns = 7;

struct Setting {
  const char* name;
  bool checks, counters, arrays, access_checks = true;
};

/// "arrays": who wrote each word of the judge's arrays, and what each array's traffic was.
constexpr Setting kSettings[] = {{"checks and counters", true, true, false},
                                 {"checks, counters and arrays", true, true, true},
                                 {"fast checks and counters", true, true, false, false},
                                 {"counters", false, true, false},
                                 {"checks", true, false, false},
                                 {"neither", false, false, false}};

struct Taken {
  double seconds = 0, processor_seconds = 0;  ///< On the clock; of all threads.
};

double ProcessorSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Taken Run(LocalDevice& device, const LaunchRequest& launch, const Setting& setting,
          std::uint64_t& instructions) {
  device.SetObservation({.checks = setting.checks,
                         .access_checks = setting.access_checks,
                         .counters = setting.counters,
                         .max_warp_instructions = ~std::uint64_t{0} >> 1,
                         .arrays = setting.arrays});
  const auto start = std::chrono::steady_clock::now();
  const double processor_start = ProcessorSeconds();
  if (auto done = device.Launch(launch); !done) {
    std::fprintf(stderr, "launch refused: %s\n", English(done.error().message).c_str());
    std::exit(3);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const double processor_seconds = ProcessorSeconds() - processor_start;
  for (const auto& record : device.TakeLaunches()) {
    if (setting.counters) instructions = record.totals.thread_instructions;
  }
  for (const auto& finding : device.TakeFindings())
    std::printf("finding: %s\n", English(finding.message).c_str());
  return {seconds.count(), processor_seconds};
}

/// Measures all settings on one device; false: the kernel does not run.
bool Measure(const std::string& text, const char* name, int width, unsigned host_threads,
             std::optional<std::size_t> only) {
  VirtualGpuOptions options;
  options.host_threads = host_threads;
  auto device = MakeVirtualGpu(*FindDeviceProfile(kDefaultProfile), options);
  if (!device) return false;
  auto module = (*device)->LoadModule(1, vgpu::WrapPtx(text));
  auto kernel = module ? (*device)->FindKernel(*module, name) : CudaResult<KernelInfo>(module.error());
  if (!kernel) {
    std::fprintf(stderr, "%s\n", English(kernel.error().message).c_str());
    return false;
  }
  const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(width);
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 17) - 8.0f;
  DevicePointer arrays[3];
  for (DevicePointer& array : arrays) {
    array = (*device)->Allocate(count * sizeof(float), AllocationKind::kDevice)->address;
    if (!(*device)->CopyIn(array, vgpu::AsBytes(values), 0)) return false;
    if (!(*device)->SetLabel(array,
                             std::string_view("MNP").substr(static_cast<std::size_t>(&array - arrays), 1)))
      return false;
  }
  LaunchRequest launch;
  launch.kernel = kernel->id;
  const auto blocks = static_cast<std::uint32_t>((width + 15) / 16);
  launch.grid = {blocks, blocks, 1};
  launch.block = {16, 16, 1};
  launch.arguments = vgpu::Arguments().Add(arrays[0]).Add(arrays[1]).Add(arrays[2]).Add(width).bytes();

  std::uint64_t instructions = 0;
  Taken best[std::size(kSettings)];
  for (int run = 0; run < kRuns; ++run) {
    for (std::size_t i = 0; i < std::size(kSettings); ++i) {
      if (only && i != *only) continue;
      const Taken taken = Run(**device, launch, kSettings[i], instructions);
      if (run == 0 || taken.seconds < best[i].seconds) best[i] = taken;
    }
  }
  for (std::size_t i = 0; i < std::size(kSettings); ++i) {
    if (only && i != *only) continue;
    std::printf(
        "%u host threads, %-29s %8.3f s  %8.1f M thread-instructions/s, %.2f busy, %.3f of the first\n",
        host_threads, kSettings[i].name, best[i].seconds,
        static_cast<double>(instructions) / best[i].seconds / 1e6,
        best[i].processor_seconds / best[i].seconds, best[i].seconds / best[only.value_or(0)].seconds);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: interpreter_speed PTX_FILE KERNEL [WIDTH [SETTING]]\n");
    return 2;
  }
  const int width = argc > 3 ? std::atoi(argv[3]) : 512;
  std::ifstream file(argv[1]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::optional<std::size_t> only;
  if (argc > 4) only = static_cast<std::size_t>(std::atoi(argv[4]));
  std::printf("engine level %s\n", vgpu::BestEngine().level);
  for (unsigned host_threads : {1u, 2u}) {
    if (!Measure(text, argv[2], width, host_threads, only)) return 3;
  }
}
