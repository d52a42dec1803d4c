// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/cuda_gpu.h"

#include <array>
#include <utility>

#include "grader/cuda_gpu/card.h"
#include "grader/cuda_gpu/memory.h"
#include "grader/cuda_gpu/modules.h"
#include "grader/cuda_gpu/printed_text.h"
#include "grader/cuda_gpu/stopwatch.h"
#include "grader/device/occupancy.h"
#include "grader/device/streams.h"

namespace warplings {
namespace cuda_gpu {
namespace {

/// Maximum number of launches recorded for TakeLaunches; later ones are not recorded.
constexpr std::size_t kMaximumRecords = 10'000;

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

class CudaGpu final : public Device {
 public:
  CudaGpu(const DriverApi& driver, DeviceProfile card, const std::string& bus_id)
      : driver_(driver),
        card_(std::move(card)),
        modules_(driver, card_),
        memory_(driver),
        stopwatch_(driver, card_, bus_id) {}

  const DeviceProfile& profile() const override { return card_; }

  // --- Modules.

  CudaResult<ModuleId> LoadModule(ClientId client, std::span<const std::byte> fatbin) override {
    return modules_.Load(client, fatbin);
  }
  CudaStatus UnloadModule(ClientId client, ModuleId module) override {
    return modules_.Unload(client, module);
  }
  CudaResult<KernelInfo> FindKernel(ModuleId module, std::string_view name) override {
    const auto kernel = modules_.Find(module, name);
    if (!kernel) return kernel.error();
    return (*kernel)->info;
  }
  CudaResult<VariableInfo> FindVariable(ModuleId module, std::string_view name) override {
    return modules_.FindVariable(module, name);
  }
  std::vector<KernelResources> ListKernelResources(ClientId client) override {
    return modules_.ListResources(client);
  }
  CudaResult<std::uint32_t> BlocksPerMultiprocessor(KernelId id, std::uint32_t block_threads,
                                                    std::uint32_t dynamic_shared_bytes) override {
    const Kernel* kernel = modules_.Get(id);
    if (kernel == nullptr) return NoKernel();
    int blocks = 0;
    const CUresult code = driver_.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel->function, static_cast<int>(block_threads), dynamic_shared_bytes);
    if (code != CUDA_SUCCESS) return Fault(code, "occupancy");
    return static_cast<std::uint32_t>(blocks);
  }
  CudaStatus SetMaxDynamicShared(KernelId kernel, std::uint32_t bytes) override {
    return modules_.SetMaxDynamicShared(kernel, bytes);
  }

  // --- Memory.

  CudaResult<Allocation> Allocate(ClientId client, std::uint64_t bytes, AllocationKind kind) override {
    return memory_.Allocate(client, bytes, kind);
  }
  CudaStatus Free(ClientId client, DevicePointer address) override {
    // cudaFree waits for what uses the memory.
    if (auto done = SynchronizeAll(); !done) return done;
    return memory_.Free(client, address);
  }
  CudaStatus SetLabel(DevicePointer address, std::string_view label) override {
    memory_.SetLabel(address, label);
    return Unit{};
  }
  /// A card does not know what was written; the judge's poison shows it.
  CudaStatus MarkUninitialised(DevicePointer, std::uint64_t) override { return Unit{}; }
  MemoryInfo GetMemoryInfo() override {
    MemoryInfo info;
    std::size_t free = 0, total = 0;
    driver_.cuMemGetInfo(&free, &total);
    info.free_bytes = free;
    info.total_bytes = total;
    return info;
  }
  CudaResult<PointerInfo> GetPointerInfo(DevicePointer address) override { return memory_.Find(address); }

  // --- Work.

  CudaStatus CopyIn(DevicePointer target, std::span<const std::byte> source, StreamId stream) override {
    // What is done at once needs no copy of its own.
    if (streams_.RunsAtOnce(stream))
      return Done(driver_.cuMemcpyHtoD(target, source.data(), source.size()), "copy to the device");
    return streams_.Submit(
        stream, "copy of " + std::to_string(source.size()) + " bytes to the device",
        [this, target, bytes = std::vector<std::byte>(source.begin(), source.end())] {
          return Done(driver_.cuMemcpyHtoD(target, bytes.data(), bytes.size()), "copy to the device");
        },
        source.size());
  }
  CudaStatus CopyOut(std::span<std::byte> target, DevicePointer source, StreamId stream) override {
    if (auto ready = streams_.Synchronize(stream); !ready) return ready;
    return Done(driver_.cuMemcpyDtoH(target.data(), source, target.size()), "copy from the device");
  }
  CudaStatus CopyWithin(DevicePointer target, DevicePointer source, std::uint64_t bytes,
                        StreamId stream) override {
    return streams_.Submit(
        stream, "copy of " + std::to_string(bytes) + " bytes within the device",
        [=, this] { return Done(driver_.cuMemcpy(target, source, bytes), "copy within the device"); });
  }
  CudaStatus Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes, StreamId stream) override {
    return streams_.Submit(stream, "memset of " + std::to_string(bytes) + " bytes",
                           [=, this] { return Done(driver_.cuMemsetD8(target, value, bytes), "memset"); });
  }
  CudaStatus Launch(const LaunchRequest& request) override {
    const Kernel* kernel = modules_.Get(request.kernel);
    if (kernel == nullptr) return NoKernel();
    if (auto allowed = CheckLaunch(card_, kernel->limits, request); !allowed) return allowed;
    return streams_.Submit(
        request.stream, "kernel " + kernel->info.resources.kernel,
        [this, request] { return Execute(request); }, request.arguments.size());
  }

  // --- Streams and events.

  CudaResult<StreamId> CreateStream(ClientId client, StreamFlags flags) override {
    return streams_.Create(client, flags);
  }
  CudaStatus DestroyStream(ClientId client, StreamId stream) override {
    return streams_.Destroy(client, stream);
  }
  CudaResult<bool> QueryStream(StreamId stream) override { return streams_.Query(stream); }
  CudaStatus SynchronizeStream(StreamId stream) override { return Wait(streams_.Synchronize(stream)); }
  CudaStatus SynchronizeAll() override { return Wait(streams_.SynchronizeAll()); }
  CudaResult<EventId> CreateEvent(ClientId client) override { return streams_.CreateEvent(client); }
  CudaStatus DestroyEvent(ClientId client, EventId event) override {
    return streams_.DestroyEvent(client, event);
  }
  CudaStatus RecordEvent(EventId event, StreamId stream) override {
    return streams_.Record(event, stream, [this] { return Now(); });
  }
  CudaStatus WaitEvent(StreamId stream, EventId event) override { return streams_.Wait(stream, event); }
  CudaResult<bool> QueryEvent(EventId event) override { return streams_.QueryEvent(event); }
  CudaStatus SynchronizeEvent(EventId event) override { return Wait(streams_.SynchronizeEvent(event)); }
  CudaResult<float> ElapsedMilliseconds(EventId start, EventId stop) override {
    return streams_.ElapsedMilliseconds(start, stop);
  }

  // --- Time.

  CudaStatus BeginTiming() override {
    if (auto done = SynchronizeAll(); !done) return done;
    return Done(stopwatch_.Begin(), "the preparation of a timed run");
  }
  CudaResult<Timing> EndTiming() override {
    // Work that a live run left on streams of its own belongs to its time.
    if (auto done = streams_.SynchronizeAll(); !done) return done.error();
    Timing timing;
    if (auto done = Done(stopwatch_.End(timing), "a timed run"); !done) return done.error();
    return timing;
  }

  // --- Observation.

  void SetObservation(const ObservationOptions&) override {}
  std::vector<PendingWork> ListPendingWork() override { return streams_.Pending(); }
  std::vector<Finding> TakeFindings() override {
    static_cast<void>(Synchronize("kernel").ok());
    return std::exchange(findings_, {});
  }
  std::vector<LaunchRecord> TakeLaunches() override {
    const bool fine = Synchronize("kernel").ok();
    for (LaunchRecord& record : records_) record.completed = fine;
    return std::exchange(records_, {});
  }
  std::vector<KernelProfile> TakeProfile() override { return {}; }  // A card counts nothing.
  std::string TakePrinted() override { return printed_.Take(); }
  void AddFinding(Finding finding) override { findings_.push_back(std::move(finding)); }

  void DropClient(ClientId client) override {
    static_cast<void>(SynchronizeAll().ok());
    streams_.DropClient(client);
    memory_.DropClient(client);
    modules_.DropClient(client);
  }

 private:
  static CudaFault NoKernel() { return {CudaError::kInvalidDeviceFunction, "this kernel does not exist"}; }
  CudaFault Fault(CUresult code, const std::string& what) const {
    return {RuntimeError(code), what + ": " + Describe(driver_, code)};
  }

  /// The result of a driver's call. An error may be that of an earlier kernel; it is then a finding, once.
  CudaStatus Done(CUresult code, const std::string& what) {
    if (code == CUDA_SUCCESS) return Unit{};
    AddLateError(code);
    return Fault(code, what);
  }
  CudaStatus Synchronize(const std::string& what) { return Done(driver_.cuCtxSynchronize(), what); }
  CudaStatus Wait(CudaStatus submitted) {
    const CudaStatus waited = Synchronize("kernel");
    return submitted ? waited : submitted;
  }

  void AddLateError(CUresult code) {
    if (std::exchange(poisoned_, true)) return;
    Finding finding;
    finding.kind = KindOf(code);
    finding.kernel = last_kernel_;
    finding.message = "the card stopped with " + Describe(driver_, code) +
                      "; it does not say where: check it with --device virtual, which names line and thread";
    findings_.push_back(std::move(finding));
  }

  CudaStatus Execute(const LaunchRequest& request) {
    const Kernel* kernel = modules_.Get(request.kernel);
    if (kernel == nullptr) return NoKernel();
    std::vector<std::byte> arguments = request.arguments;
    std::vector<void*> parameters;
    for (const KernelParameter& parameter : kernel->info.parameters) {
      parameters.push_back(arguments.data() + parameter.offset);
    }
    const auto launch = request.cooperative ? LaunchCooperative : LaunchPlain;
    last_kernel_ = kernel->info.resources.kernel;
    const CUresult code = launch(driver_, kernel->function, request, parameters.data());
    if (code == CUDA_SUCCESS && records_.size() < kMaximumRecords)
      records_.push_back(RecordOf(*kernel, request));
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

  LaunchRecord RecordOf(const Kernel& kernel, const LaunchRequest& request) const {
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

  /// The card's own time, in seconds since the first call. Summed from differences, because a float of
  /// milliseconds loses microseconds after a minute.
  double Now() {
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

  const DriverApi& driver_;
  const DeviceProfile card_;
  Modules modules_;
  Memory memory_;
  Streams streams_;
  PrintedText printed_;
  Stopwatch stopwatch_;
  std::vector<Finding> findings_;
  std::vector<LaunchRecord> records_;
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

Result<std::unique_ptr<Device>> MakeCudaGpu(int ordinal) {
  const auto driver = cuda_gpu::LoadDriver();
  if (!driver) return driver.error();
  const cuda_gpu::DriverApi& api = **driver;
  auto card = cuda_gpu::ReadCard(api, ordinal);
  if (!card) return card.error();
  CUcontext context = nullptr;
  CUresult code = api.cuDevicePrimaryCtxRetain(&context, ordinal);
  if (code == CUDA_SUCCESS) code = api.cuCtxSetCurrent(context);
  if (code != CUDA_SUCCESS) {
    return GraderError("the card cannot be used: " + cuda_gpu::Describe(api, code),
                       "See what nvidia-smi says of it.");
  }
  std::array<char, 32> bus_id{};
  api.cuDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), ordinal);
  return std::unique_ptr<Device>(new cuda_gpu::CudaGpu(api, std::move(*card), bus_id.data()));
}

}  // namespace warplings
