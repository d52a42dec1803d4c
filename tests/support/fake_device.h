// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/device/model/backend.h"
#include "grader/device/model/local_device.h"

namespace warplings {

/// A backend for tests: memory is host memory, and kernels are C++ functions that the test registers. It
/// checks addresses as every backend must, and reports no findings of its own.
class FakeBackend final : public Backend {
 public:
  /// Its memory begins at `first_address`.
  explicit FakeBackend(DevicePointer first_address) : next_address_(first_address) {}
  ~FakeBackend() override;

  using KernelBody = std::function<CudaStatus(const LaunchRequest&)>;
  void AddKernel(std::string name, std::vector<KernelParameter> parameters, KernelBody body);
  void AddVariable(std::string name, std::uint64_t bytes) { variables_[std::move(name)] = bytes; }
  /// Host address of [address, address + bytes); null if that is not device memory.
  std::byte* Memory(DevicePointer address, std::uint64_t bytes);
  std::size_t live_allocations() const { return allocations_.size(); }

  ObservationOptions observation;
  bool is_full = false;
  std::vector<ArrayWriters> writers;
  std::function<void()> on_wait;
  std::map<DevicePointer, std::string> labels;

  CudaResult<std::unique_ptr<Module>> Load(ClientId client, std::span<const std::byte> fatbin) override;
  CudaResult<std::unique_ptr<Kernel>> FindKernel(Module& module, std::string_view name) override;
  CudaResult<VariableInfo> FindVariable(Module& module, std::string_view name) override;
  CudaStatus Launch(Kernel& kernel, const LaunchRequest& request) override;
  CudaResult<Allocation> Reserve(std::uint64_t bytes, AllocationKind kind) override;
  CudaStatus Release(DevicePointer address) override;
  CudaStatus Copy(std::uint64_t target, std::uint64_t source, std::uint64_t bytes, CopyKind kind) override;
  CudaStatus Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes) override;
  MemoryInfo GetMemoryInfo() override;
  CudaStatus Wait() override;
  double Seconds() override { return kSecondsBetweenEvents * events_recorded_++; }
  void SetObservation(const ObservationOptions& options) override { observation = options; }
  CudaStatus SetLabel(DevicePointer address, std::string_view label) override;
  CudaStatus MarkUninitialised(DevicePointer address, std::uint64_t bytes) override;
  /// Only of memory that the client shares.
  std::optional<NamedArray> FindArray(DevicePointer address) override;
  void Complete(Observed::Part part) override;

 private:
  struct Block {
    std::uint64_t bytes = 0;
    std::uint64_t mapped_bytes = 0;
    std::byte* data = nullptr;
    int fd = -1;
  };
  struct KnownKernel {
    std::string name;
    std::vector<KernelParameter> parameters;
    KernelBody body;
  };
  struct FakeModule;
  struct FakeKernel;
  static void GiveBack(const Block& block);

  DevicePointer next_address_;
  std::map<DevicePointer, Block> allocations_;
  std::vector<KnownKernel> kernels_;
  std::map<std::string, std::uint64_t, std::less<>> variables_;  ///< Their sizes.
  static constexpr double kSecondsBetweenEvents = 0.5e-3;
  int events_recorded_ = 0;
};

/// A device for tests, with the rules that all have.
class FakeDevice final : public LocalDevice {
 public:
  /// Its memory begins at `first_address`; devices of one server need different ranges.
  explicit FakeDevice(DevicePointer first_address = 0x3000'0000'0000)
      : FakeDevice(new FakeBackend(first_address)) {}

  /// Adds a kernel to every module that is loaded from now on; `body` is called for each launch.
  void AddKernel(std::string name, std::vector<KernelParameter> parameters, FakeBackend::KernelBody body) {
    backend_.AddKernel(std::move(name), std::move(parameters), std::move(body));
  }
  /// Adds a variable to every module that is loaded from now on.
  void AddVariable(std::string name, std::uint64_t bytes) { backend_.AddVariable(std::move(name), bytes); }
  /// For kernel bodies: see FakeBackend::Memory.
  std::byte* Memory(DevicePointer address, std::uint64_t bytes) { return backend_.Memory(address, bytes); }
  std::size_t live_allocations() const { return backend_.live_allocations(); }

 private:
  /// Takes ownership.
  explicit FakeDevice(FakeBackend* backend)
      : LocalDevice(*FindDeviceProfile(kDefaultProfile), std::unique_ptr<Backend>(backend)),
        backend_(*backend) {}

  FakeBackend& backend_;

 public:
  const ObservationOptions& observation = backend_.observation;  ///< The last that were set.
  std::vector<Finding>& findings = backend_.observed.findings;
  std::vector<LaunchRecord>& launches = backend_.observed.launches;
  std::string& printed = backend_.observed.printed;
  std::vector<ArrayWriters>& writers = backend_.writers;
  bool& is_full = backend_.is_full;                   ///< Refuses every allocation.
  std::function<void()>& on_wait = backend_.on_wait;  ///< Called by every Wait; makes it slow, say.
  std::map<DevicePointer, std::string>& labels = backend_.labels;
};

}  // namespace warplings
