// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/cuda_gpu.h"

#include <array>
#include <utility>

#include "grader/cuda_gpu/card.h"
#include "grader/cuda_gpu/memory.h"
#include "grader/cuda_gpu/modules.h"
#include "grader/cuda_gpu/printed_text.h"
#include "grader/cuda_gpu/stopwatch.h"
#include "grader/device/model/backend.h"
#include "grader/device/occupancy.h"
#include "grader/messages/device.h"

namespace warplings {
namespace cuda_gpu {
namespace {

/// What an error that comes after the fact means. The card does not say which thread or line.
FindingKind KindOf(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC: return FindingKind::kOutOfBounds;
    case CUDA_ERROR_MISALIGNED_ADDRESS: return FindingKind::kMisaligned;
    case CUDA_ERROR_LAUNCH_TIMEOUT: return FindingKind::kEndlessLoop;
    default: return FindingKind::kTrap;
  }
}

class CudaGpu final : public Backend {
 public:
  CudaGpu(const DriverApi& driver, DeviceProfile card, const std::string& bus_id)
      : driver_(driver), card_(std::move(card)), memory_(driver), stopwatch_(driver, card_, bus_id) {}

  // --- Modules.

  CudaResult<std::unique_ptr<Backend::Module>> Load(ClientId, std::span<const std::byte> fatbin) override {
    return LoadModule(driver_, card_, fatbin);
  }
  CudaResult<std::unique_ptr<Backend::Kernel>> FindKernel(Backend::Module& module,
                                                          std::string_view name) override {
    return cuda_gpu::FindKernel(static_cast<const cuda_gpu::Module&>(module), name);
  }
  CudaResult<VariableInfo> FindVariable(Backend::Module& module, std::string_view name) override {
    return cuda_gpu::FindVariable(static_cast<const cuda_gpu::Module&>(module), name);
  }
  CudaStatus Launch(Backend::Kernel& kernel, const LaunchRequest& request) override {
    return Execute(static_cast<cuda_gpu::Kernel&>(kernel), request);
  }

  // --- Memory.

  CudaResult<Allocation> Reserve(std::uint64_t bytes, AllocationKind kind) override {
    return memory_.Allocate(bytes, kind);
  }
  CudaStatus Release(DevicePointer address) override { return memory_.Free(address); }
  CudaStatus Copy(std::uint64_t target, std::uint64_t source, std::uint64_t bytes, CopyKind kind) override {
    void* const to = reinterpret_cast<void*>(target);
    const void* const from = reinterpret_cast<const void*>(source);
    switch (kind) {
      case CopyKind::kToDevice: return Done(driver_.cuMemcpyHtoD(target, from, bytes), "copy to the device");
      case CopyKind::kToHost: return Done(driver_.cuMemcpyDtoH(to, source, bytes), "copy from the device");
      case CopyKind::kWithinDevice:
        return Done(driver_.cuMemcpy(target, source, bytes), "copy within the device");
    }
    return CudaFault{CudaError::kInvalidMemcpyDirection, say::copy_of_no_kind()};
  }
  CudaStatus Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes) override {
    return Done(driver_.cuMemsetD8(target, value, bytes), "memset");
  }
  MemoryInfo GetMemoryInfo() override {
    MemoryInfo info;
    std::size_t free = 0, total = 0;
    driver_.cuMemGetInfo(&free, &total);
    info.free_bytes = free;
    info.total_bytes = total;
    return info;
  }

  // --- Time.

  CudaStatus Wait() override { return Done(driver_.cuCtxSynchronize(), "kernel"); }

  /// Summed from differences, because a float of milliseconds loses microseconds after a minute.
  double Seconds() override {
    CUevent event = nullptr;
    if (driver_.cuEventCreate(&event, CU_EVENT_DEFAULT) != CUDA_SUCCESS) return seconds_;
    driver_.cuEventRecord(event, nullptr);
    driver_.cuEventSynchronize(event);
    float milliseconds = 0;
    if (last_event_ != nullptr) {
      driver_.cuEventElapsedTime(&milliseconds, last_event_, event);
      driver_.cuEventDestroy(last_event_);
    }
    last_event_ = event;
    return seconds_ += static_cast<double>(milliseconds) * 1e-3;
  }

  CudaStatus BeginTiming() override { return Done(stopwatch_.Begin(), "the preparation of a timed run"); }
  CudaResult<Timing> EndTiming() override {
    Timing timing;
    if (auto done = Done(stopwatch_.End(timing), "a timed run"); !done) return done.error();
    return timing;
  }

  // --- Observation. A card counts nothing, and does not know what was written; the judge's poison shows it.

  void Complete(Observed::Part part) override {
    if (part == Observed::Part::kFindings) static_cast<void>(Wait().ok());
    if (part == Observed::Part::kLaunches) {
      const bool fine = Wait().ok();
      for (LaunchRecord& record : observed.launches) record.completed = fine;
    }
    if (part == Observed::Part::kPrinted) observed.printed += printed_.Take();
  }

 private:
  CudaFault Fault(CUresult code, const std::string& what) const {
    return {RuntimeError(code), what + ": " + Describe(driver_, code)};
  }

  /// The result of a driver's call. An error may be that of an earlier kernel; it is then a finding, once.
  CudaStatus Done(CUresult code, const std::string& what) {
    if (code == CUDA_SUCCESS) return Unit{};
    AddLateError(code);
    return Fault(code, what);
  }
  void AddLateError(CUresult code) {
    if (std::exchange(poisoned_, true)) return;
    Finding finding;
    finding.kind = KindOf(code);
    finding.kernel = last_kernel_;
    finding.message = say::card_stopped_with(Describe(driver_, code));
    observed.findings.push_back(std::move(finding));
  }

  /// Beyond 48 KB a launch needs what cudaFuncSetAttribute permitted, which the model keeps and the driver
  /// wants to hear.
  CudaStatus PermitDynamicShared(cuda_gpu::Kernel& kernel) {
    const std::uint32_t permitted = kernel.limits.max_dynamic_shared;
    if (permitted == kernel.permitted_dynamic_shared) return Unit{};
    const CUresult code = driver_.cuFuncSetAttribute(
        kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(permitted));
    if (code != CUDA_SUCCESS)
      return Fault(code, std::to_string(permitted) + " bytes of dynamic shared memory");
    kernel.permitted_dynamic_shared = permitted;
    return Unit{};
  }

  CudaStatus Execute(cuda_gpu::Kernel& kernel, const LaunchRequest& request) {
    if (auto permitted = PermitDynamicShared(kernel); !permitted) return permitted;
    std::vector<std::byte> arguments = request.arguments;
    std::vector<void*> parameters;
    for (const KernelParameter& parameter : kernel.info.parameters) {
      parameters.push_back(arguments.data() + parameter.offset);
    }
    const auto launch = request.cooperative ? LaunchCooperative : LaunchPlain;
    last_kernel_ = kernel.info.resources.kernel;
    const CUresult code = launch(driver_, kernel.function, request, parameters.data());
    if (code == CUDA_SUCCESS && observed.launches.size() < Observed::kMaximumLaunches)
      observed.launches.push_back(RecordOf(kernel, request));
    return Done(code, "kernel " + last_kernel_);
  }

  static CUresult LaunchPlain(const DriverApi& driver, CUfunction function, const LaunchRequest& r,
                              void** parameters) {
    return driver.cuLaunchKernel(function, r.grid.x, r.grid.y, r.grid.z, r.block.x, r.block.y, r.block.z,
                                 r.dynamic_shared_bytes, nullptr, parameters, nullptr);
  }
  static CUresult LaunchCooperative(const DriverApi& driver, CUfunction function, const LaunchRequest& r,
                                    void** parameters) {
    return driver.cuLaunchCooperativeKernel(function, r.grid.x, r.grid.y, r.grid.z, r.block.x, r.block.y,
                                            r.block.z, r.dynamic_shared_bytes, nullptr, parameters);
  }

  LaunchRecord RecordOf(const cuda_gpu::Kernel& kernel, const LaunchRequest& request) const {
    const KernelResources& resources = kernel.info.resources;
    const BlockShape shape{.threads = static_cast<std::uint32_t>(request.block.Volume()),
                           .registers = resources.registers,
                           .static_shared_bytes = resources.shared_bytes,
                           .dynamic_shared_bytes = request.dynamic_shared_bytes};
    LaunchRecord record;
    record.kernel = resources.kernel;
    record.grid = request.grid;
    record.block = request.block;
    record.static_shared_bytes = resources.shared_bytes;
    record.dynamic_shared_bytes = request.dynamic_shared_bytes;
    record.registers = resources.registers;
    record.local_bytes = resources.local_bytes;
    record.blocks_per_sm = warplings::BlocksPerMultiprocessor(card_, shape);
    record.occupancy = Occupancy(card_, shape);
    return record;
  }

  const DriverApi& driver_;
  const DeviceProfile card_;
  Memory memory_;
  PrintedText printed_;
  Stopwatch stopwatch_;
  std::string last_kernel_;
  bool poisoned_ = false;
  CUevent last_event_ = nullptr;
  double seconds_ = 0;
};

}  // namespace
}  // namespace cuda_gpu

Result<DeviceProfile> DescribeCard(int ordinal) {
  const auto driver = cuda_gpu::LoadDriver();
  if (!driver) return driver.error();
  return cuda_gpu::ReadCard(**driver, ordinal);
}

std::string PlaceOfCard(int ordinal) {
  const auto driver = cuda_gpu::LoadDriver();
  std::array<char, 64> bus_id{};
  if (driver) (*driver)->cuDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()) - 1, ordinal);
  return bus_id[0] != '\0' ? bus_id.data() : "gpu:" + std::to_string(ordinal);
}

Result<std::unique_ptr<LocalDevice>> MakeCudaGpu(int ordinal) {
  const auto driver = cuda_gpu::LoadDriver();
  if (!driver) return driver.error();
  const cuda_gpu::DriverApi& api = **driver;
  auto card = cuda_gpu::ReadCard(api, ordinal);
  if (!card) return card.error();
  CUcontext context = nullptr;
  CUresult code = api.cuDevicePrimaryCtxRetain(&context, ordinal);
  if (code == CUDA_SUCCESS) code = api.cuCtxSetCurrent(context);
  if (code != CUDA_SUCCESS) {
    return GraderError(say::card_unusable(cuda_gpu::Describe(api, code)), say::see_nvidia_smi());
  }
  std::array<char, 32> bus_id{};
  api.cuDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), ordinal);
  auto backend = std::make_unique<cuda_gpu::CudaGpu>(api, *card, bus_id.data());
  return std::make_unique<LocalDevice>(*card, std::move(backend));
}

}  // namespace warplings
