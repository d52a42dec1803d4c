// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/device/device.h"
#include "grader/device/launch_accesses.h"
#include "grader/device/launch_check.h"

namespace warplings {

/// What was observed on a card and has not been taken yet.
struct Observed {
  enum class Part { kFindings, kLaunches, kArrayWriters, kProfile, kPrinted };

  std::vector<Finding> findings;  ///< Merged, in order of first occurrence.
  std::vector<LaunchRecord> launches;
  std::vector<ArrayWriters> array_writers;
  std::vector<KernelProfile> profile;
  std::string printed;

  /// Launch after launch finds the same faults again: they are one finding with a count.
  void Add(Finding finding);
  /// False if there are as many as are kept already: this one is not.
  bool Add(LaunchRecord record);
  std::vector<LaunchRecord> TakeLaunches();

  /// All findings are different. More help nobody, and a program can cause any number of them.
  static constexpr std::size_t kMaximumFindings = 1000;
  static constexpr std::size_t kMaximumLaunches = 4096;
  /// Lines of source in the records of all launches. Beyond that a launch's lines are added to those of an
  /// earlier one of its kernel.
  static constexpr std::size_t kMaximumLines = 20'000;

 private:
  std::size_t kept_lines_ = 0;
};

/// What a card can do: hold memory and modules, copy, fill, run a kernel, tell the time and what it observed.
/// LocalDevice makes a device of it: it knows CUDA's rules: which work runs when, in which streams, whose
/// modules and kernels these are, which launches are refused. Whose memory it holds a backend does not know:
/// the ledger does (ledger.h).
///
/// Every operation is done, or given to the card in order, when it is called. No argument may make a backend
/// read or write outside the card's own memory: addresses and sizes may come from a hostile client.
class Backend {
 public:
  virtual ~Backend() = default;

  /// A module on the card; destroyed, it is unloaded. Each backend derives its own.
  struct Module {
    virtual ~Module() = default;
    std::vector<KernelResources> resources;  ///< Of each kernel with a cubin.
  };
  /// A kernel of a module, which outlives it.
  struct Kernel {
    virtual ~Kernel() = default;
    KernelInfo info;  ///< Without the id.
    KernelLimits limits;
  };

  // --- Modules. `module` and `kernel` are this backend's own. ---------------------------------------
  virtual CudaResult<std::unique_ptr<Module>> Load(ClientId client, std::span<const std::byte> fatbin) = 0;
  virtual CudaResult<std::unique_ptr<Kernel>> FindKernel(Module& module, std::string_view name) = 0;
  virtual CudaResult<VariableInfo> FindVariable(Module& module, std::string_view name) = 0;
  /// How many launches that kernels make can be pending at a time (cudaLimitDevRuntimePendingLaunchCount).
  virtual void LimitPendingLaunches(std::uint64_t /*launches*/) {}
  /// The kernel's `limits.max_dynamic_shared` has been set: that counts for launches that kernels make, too.
  virtual void NoteLimits(const Kernel& /*kernel*/) {}
  /// `request` is one that CheckLaunch accepts.
  virtual CudaStatus Launch(Kernel& kernel, const LaunchRequest& request) = 0;

  // --- Memory. ---------------------------------------------------------------------------------------
  /// `bytes` is at least 1.
  virtual CudaResult<Allocation> Reserve(std::uint64_t bytes, AllocationKind kind) = 0;
  /// Gives back the memory at an address that Reserve returned. Afterwards it is free even if an error is
  /// returned.
  virtual CudaStatus Release(DevicePointer address) = 0;
  /// Puts memory behind the addresses of an allocation of kind kGraph, not initialised, or takes it away. A
  /// backend that cannot keep addresses alone leaves the memory there.
  virtual CudaStatus SetPresent(DevicePointer /*address*/, bool /*present*/) { return Unit{}; }
  enum class CopyKind { kToDevice, kToHost, kWithinDevice };
  /// As cudaMemcpy: `kind` says which of the two are addresses of this process.
  virtual CudaStatus Copy(std::uint64_t target, std::uint64_t source, std::uint64_t bytes, CopyKind kind) = 0;
  virtual CudaStatus Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes) = 0;
  virtual MemoryInfo GetMemoryInfo() = 0;
  /// Lets kernels access the memory of another card, which has this ordinal, or no longer.
  virtual CudaStatus SetPeerAccess(std::size_t /*card*/, bool /*on*/) {
    return CudaFault{CudaError::kPeerAccessUnsupported, "This device has no access to others."};
  }
  /// Ends it for this card and for the others' access to this one.
  virtual void EndPeerAccess() {}
  /// Frees what a client's kernels have allocated with malloc.
  virtual void FreeHeapOf(ClientId /*client*/) {}

  // --- Time. -----------------------------------------------------------------------------------------
  /// Waits until all that was given to the card is done. Returns the error of a kernel, once.
  virtual CudaStatus Wait() = 0;
  /// The card's time in seconds, for events.
  virtual double Seconds() = 0;
  /// As LocalDevice's, when all streams' work has been given to the card. By default nothing is measured.
  virtual CudaStatus BeginTiming() { return Unit{}; }
  virtual CudaResult<Timing> EndTiming();

  // --- Observation. What a card cannot observe it leaves out. ---------------------------------------
  virtual void SetObservation(const ObservationOptions& /*options*/) {}
  virtual CudaStatus SetLabel(DevicePointer /*address*/, std::string_view /*label*/) { return Unit{}; }
  virtual CudaStatus MarkUninitialised(DevicePointer /*address*/, std::uint64_t /*bytes*/) { return Unit{}; }
  /// The array that holds an address. Nothing: no access to it is observed.
  virtual std::optional<NamedArray> FindArray(DevicePointer /*address*/) { return std::nullopt; }
  /// Launches from now on also tell here what they access; null: they do not.
  virtual void RecordAccesses(LaunchAccesses* /*accesses*/) {}
  /// The arrays of memory shared with the host that the last launch accessed, if it wrote one of them. Only
  /// with ObservationOptions::missing_waits.
  virtual std::vector<DevicePointer> TakeHostArrays() { return {}; }
  /// Completes this part of `observed`, which is about to be taken.
  virtual void Complete(Observed::Part /*part*/) {}

  Observed observed;
};

}  // namespace warplings
