// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/device/device.h"
#include "grader/device/streams.h"

namespace warplings {

/// A Device for tests: memory is host memory, work in streams runs at once, and kernels are C++ functions
/// that the test registers. It makes the checks that every Device must make, and reports no other findings.
class FakeDevice final : public Device {
 public:
  /// Its memory begins at `first_address`; devices of one server need different ranges.
  explicit FakeDevice(DevicePointer first_address = 0x3000'0000'0000);
  ~FakeDevice() override;

  /// Adds a kernel to every module that is loaded from now on; `body` is called for each launch.
  using KernelBody = std::function<CudaStatus(const LaunchRequest&)>;
  void AddKernel(std::string name, std::vector<KernelParameter> parameters, KernelBody body);
  /// Adds a variable to every module that is loaded from now on.
  void AddVariable(std::string name, std::uint64_t bytes);
  /// Host address of [address, address + bytes), for kernel bodies; null if that is not device memory.
  std::byte* Memory(DevicePointer address, std::uint64_t bytes);

  std::size_t live_allocations() const { return allocations_.size(); }
  ObservationOptions observation;  ///< The last options passed to SetObservation.
  std::vector<Finding> findings;
  bool is_full = false;  ///< Refuses every allocation.
  std::vector<LaunchRecord> launches;
  std::vector<ArrayWriters> writers;
  std::vector<KernelProfile> profile_records;
  std::vector<PendingWork> pending;
  std::vector<KernelResources> resources;
  std::string printed;
  std::function<void()> on_synchronize;  ///< Called by SynchronizeAll; lets a test make it slow or hang.
  std::map<DevicePointer, std::string> labels;

  const DeviceProfile& profile() const override;
  CudaResult<ModuleId> LoadModule(ClientId client, std::span<const std::byte> fatbin) override;
  CudaStatus UnloadModule(ClientId client, ModuleId module) override;
  CudaResult<KernelInfo> FindKernel(ModuleId module, std::string_view name) override;
  CudaResult<VariableInfo> FindVariable(ModuleId module, std::string_view name) override;
  std::vector<KernelResources> ListKernelResources(ClientId client) override;
  CudaResult<std::uint32_t> BlocksPerMultiprocessor(KernelId kernel, std::uint32_t block_threads,
                                                    std::uint32_t dynamic_shared_bytes) override;
  CudaStatus SetMaxDynamicShared(KernelId kernel, std::uint32_t bytes) override;
  CudaResult<Allocation> Allocate(ClientId client, std::uint64_t bytes, AllocationKind kind) override;
  CudaStatus Free(ClientId client, DevicePointer address) override;
  CudaStatus SetLabel(DevicePointer address, std::string_view label) override;
  CudaStatus MarkUninitialised(DevicePointer address, std::uint64_t bytes) override;
  MemoryInfo GetMemoryInfo() override;
  CudaResult<PointerInfo> GetPointerInfo(DevicePointer address) override;
  CudaStatus CopyIn(DevicePointer target, std::span<const std::byte> source, StreamId stream) override;
  CudaStatus CopyOut(std::span<std::byte> target, DevicePointer source, StreamId stream) override;
  CudaStatus CopyWithin(DevicePointer target, DevicePointer source, std::uint64_t bytes,
                        StreamId stream) override;
  CudaStatus Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes, StreamId stream) override;
  CudaStatus Launch(const LaunchRequest& request) override;
  CudaResult<StreamId> CreateStream(ClientId client, StreamFlags flags) override;
  CudaStatus DestroyStream(ClientId client, StreamId stream) override;
  CudaResult<bool> QueryStream(StreamId stream) override;
  CudaStatus SynchronizeStream(StreamId stream) override;
  CudaStatus SynchronizeAll() override;
  CudaResult<EventId> CreateEvent(ClientId client) override;
  CudaStatus DestroyEvent(ClientId client, EventId event) override;
  CudaStatus RecordEvent(EventId event, StreamId stream) override;
  CudaStatus WaitEvent(StreamId stream, EventId event) override;
  CudaResult<bool> QueryEvent(EventId event) override;
  CudaStatus SynchronizeEvent(EventId event) override;
  CudaResult<float> ElapsedMilliseconds(EventId start, EventId stop) override;
  void SetObservation(const ObservationOptions& options) override;
  std::vector<PendingWork> ListPendingWork() override;
  std::vector<Finding> TakeFindings() override;
  std::vector<LaunchRecord> TakeLaunches() override;
  std::vector<ArrayWriters> ListArrayWriters() override { return writers; }
  std::vector<KernelProfile> TakeProfile() override;
  std::string TakePrinted() override;
  void AddFinding(Finding finding) override;
  void DropClient(ClientId client) override;

 private:
  struct Block {
    ClientId owner = 0;
    AllocationKind kind = AllocationKind::kDevice;
    std::uint64_t bytes = 0;
    std::uint64_t mapped_bytes = 0;
    std::byte* data = nullptr;
    int fd = -1;
  };
  struct Kernel {
    std::string name;
    std::vector<KernelParameter> parameters;
    KernelBody body;
  };
  static void Release(const Block& block);
  CudaStatus CheckStream(StreamId stream);

  DevicePointer next_address_;
  std::map<DevicePointer, Block> allocations_;
  std::vector<Kernel> kernels_;
  std::map<std::string, std::uint64_t, std::less<>> variables_;  ///< Their sizes.
  std::map<std::pair<ModuleId, std::string>, VariableInfo> known_variables_;
  std::map<ModuleId, ClientId> modules_;
  Streams streams_;  ///< All are created as blocking streams, so that work runs at once.
  static constexpr double kSecondsBetweenEvents = 0.5e-3;
  int events_recorded_ = 0;
  ModuleId next_module_ = 1;
};

}  // namespace warplings
