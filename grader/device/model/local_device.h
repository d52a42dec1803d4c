// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/device/device.h"
#include "grader/device/missing_waits.h"
#include "grader/device/model/backend.h"
#include "grader/device/stream_races.h"
#include "grader/device/streams.h"

namespace warplings {

/// A GPU of this process, virtual or real: device memory, kernels, findings, counts and time. It is CUDA's
/// rules over a backend, the same for the virtual GPU, for a card and for the fake of our tests: it owns
/// modules, kernels, streams and events, and decides when work runs (streams.h) and which launches are
/// refused (launch_check.h). Which client may ask for what, the ledger decides before (ledger.h).
///
/// Order of work. Copies, fills and launches go to a stream. Work in non-blocking streams is delayed as long
/// as CUDA's rules allow, so that a missing synchronisation shows as stale data. An operation on stream 0
/// first completes all blocking streams, and blocking streams wait for stream 0. CopyOut and Synchronize
/// return after the work that they depend on has run.
///
/// Not thread-safe: one server loop owns a device. Every argument may come from a hostile client; no argument
/// may make it read or write outside the device's own memory.
class LocalDevice {
 public:
  LocalDevice(const DeviceProfile& profile, std::unique_ptr<Backend> backend, PendingBudget pending = {});
  LocalDevice(const LocalDevice&) = delete;
  LocalDevice& operator=(const LocalDevice&) = delete;

  const DeviceProfile& profile() const { return profile_; }

  /// Looks for races with the first device of the process, and with the others that do so, too. To be called
  /// in the order of their ordinals, before any work.
  void JoinRaces(const LocalDevice& first);

  /// The client whose calls follow. The judge's (0, as at first) are not checked for races between streams.
  void Serve(ClientId client) { served_ = client; }

  // --- Modules: for __cudaRegisterFatBinary, …Function and …Var. -----------------------------------
  /// `fatbin` is the fatbin container as embedded (0xBA55ED50 …), compressed or not.
  CudaResult<ModuleId> LoadModule(ClientId client, std::span<const std::byte> fatbin);
  CudaStatus UnloadModule(ClientId client, ModuleId module);
  /// Looks up the mangled name, as in the PTX.
  CudaResult<KernelInfo> FindKernel(ModuleId module, std::string_view name);
  CudaResult<VariableInfo> FindVariable(ModuleId module, std::string_view name);
  /// Resources of every kernel with a cubin in the client's modules, for the report.
  std::vector<KernelResources> ListKernelResources(ClientId client);
  /// Resident blocks per SM for such a launch (NVIDIA's cuda_occupancy.h).
  CudaResult<std::uint32_t> BlocksPerMultiprocessor(KernelId kernel, std::uint32_t block_threads,
                                                    std::uint32_t dynamic_shared_bytes);
  void LimitPendingLaunches(std::uint64_t launches) { backend_->LimitPendingLaunches(launches); }
  /// cudaFuncAttributeMaxDynamicSharedMemorySize.
  CudaStatus SetMaxDynamicShared(KernelId kernel, std::uint32_t bytes);

  // --- Memory. ---------------------------------------------------------------------------------------
  CudaResult<Allocation> Allocate(std::uint64_t bytes, AllocationKind kind);
  /// As cudaFree: waits for all work first, and frees the memory even if that work failed.
  CudaStatus Free(DevicePointer address);
  /// The same without waiting.
  CudaStatus Release(DevicePointer address);
  /// cudaMallocAsync has allocated this memory: what uses it has to come after this place in the stream.
  void NoteAllocation(DevicePointer address, StreamId stream);
  /// cudaFreeAsync: frees the memory when the stream gets here, and calls `freed`, which throws nothing.
  CudaStatus FreeInStream(DevicePointer address, StreamId stream, std::function<void()> freed);
  /// A graph's node allocates or frees its memory when the stream gets here.
  CudaStatus ChangeGraphMemory(DevicePointer address, StreamId stream, bool present);
  /// Runs all pending work, though nobody waits for it. Calls that wait for its stream return its errors.
  void RunEarly() { streams_.RunEarly(); }
  /// Lets this device's kernels access the memory of another device of the process, or no longer. Work that
  /// was issued before runs with the access that it had.
  CudaStatus SetPeerAccess(std::size_t device, bool on);
  /// Names an allocation for findings ("M"). The judge labels its arrays; a student's allocations have no
  /// label.
  CudaStatus SetLabel(DevicePointer address, std::string_view label);
  /// Marks [address, address + bytes) as uninitialised, whatever it contains; for poisoned outputs.
  CudaStatus MarkUninitialised(DevicePointer address, std::uint64_t bytes);
  MemoryInfo GetMemoryInfo() { return backend_->GetMemoryInfo(); }

  // --- Work. A copy's source or target must be within one allocation (or module variable), which may belong
  // to another device of this process (unified addressing); a kernel may not access those. -----------
  /// A copy between devices in the default stream of one of them comes after all that was issued to either,
  /// and what is issued later starts after it (CUDA C++ Programming Guide, "Peer-to-Peer Memory Copy"). Begin
  /// is for both, End for the one that copies.
  void BeginPeerCopy();
  void EndPeerCopy() { races_->order().AwaitStream(Ordered(0)); }
  CudaStatus CopyIn(DevicePointer target, std::span<const std::byte> source, StreamId stream);
  CudaStatus CopyOut(std::span<std::byte> target, DevicePointer source, StreamId stream);
  /// `host_waits` for the default stream, if host memory takes part: cudaMemcpy, not cudaMemcpyAsync.
  CudaStatus CopyWithin(DevicePointer target, DevicePointer source, std::uint64_t bytes, StreamId stream,
                        bool host_waits = true);
  CudaStatus Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes, StreamId stream);
  CudaStatus Launch(const LaunchRequest& request);
  /// Whether Launch refuses it at sight.
  CudaStatus CheckLaunch(const LaunchRequest& request);

  // --- Streams and events. -------------------------------------------------------------------------
  CudaResult<StreamId> CreateStream(ClientId client, StreamFlags flags);
  CudaStatus DestroyStream(ClientId client, StreamId stream);
  /// True if all of the stream's work has run (cudaStreamQuery). Runs pending work only as much as a polling
  /// loop needs to terminate.
  CudaResult<bool> QueryStream(StreamId stream);
  CudaStatus SynchronizeStream(StreamId stream);
  /// Runs all pending work in every stream.
  CudaStatus SynchronizeAll();
  /// Host functions: as Streams'.
  CudaResult<Streams::HostFunction> SubmitHostFunction(StreamId stream);
  CudaResult<Streams::HostFunction> AdvanceTo(ClientId client, protocol::Awaited awaited, std::uint64_t id) {
    return streams_.AdvanceTo(client, awaited, id);
  }
  /// Whether work that the host had to wait for wrote memory that the host shares; known only if missing
  /// waits are looked for.
  bool WroteHostMemory() const { return missing_waits_.Noted(); }
  void EndHostFunction(ClientId client, Streams::HostFunction function) {
    missing_waits_.Forget();
    streams_.EndHostFunction(client, function);
  }
  CudaResult<EventId> CreateEvent(ClientId client) { return streams_.CreateEvent(client); }
  CudaStatus DestroyEvent(ClientId client, EventId event);
  CudaStatus RecordEvent(EventId event, StreamId stream);
  CudaStatus WaitEvent(StreamId stream, EventId event);
  CudaResult<bool> QueryEvent(EventId event);
  CudaStatus SynchronizeEvent(EventId event);
  /// Milliseconds. The virtual GPU answers with an *estimate* (never called measured).
  CudaResult<float> ElapsedMilliseconds(EventId start, EventId stop);

  // --- Time: for the judge, around the replay of a recorded call (recorder.h). -----------------------
  /// Waits for all work, brings the card into the state in which every timed run starts (the L2 cache holds
  /// nothing from before, clocks are up), and starts the time. A device that measures no time only waits.
  CudaStatus BeginTiming();
  /// Waits for all work in all streams, and returns how long it took.
  CudaResult<Timing> EndTiming();

  // --- Observation: for the judge and for `warplings run`, never for a worker. ----------------------
  void SetObservation(const ObservationOptions& options);
  /// Work that a function left pending and that a read on the default stream would not wait for.
  std::vector<PendingWork> ListPendingWork() { return streams_.Pending(); }
  /// Returns and clears the findings, merged, in order of first occurrence.
  std::vector<Finding> TakeFindings();
  std::vector<LaunchRecord> TakeLaunches();
  /// The writers of each labelled array since ObservationOptions::arrays was set. Empty for a card, which
  /// does not report single accesses.
  std::vector<ArrayWriters> ListArrayWriters();
  /// Returns and clears the counts by kernel, dimensions and instruction, in order of first launch; empty
  /// unless ObservationOptions::profile is set. Their size depends on the number of instructions, not of
  /// launches.
  std::vector<KernelProfile> TakeProfile();
  /// Returns and clears the text that kernels printed with printf. It is bounded; the oldest text is kept.
  std::string TakePrinted();
  /// Adds a finding of the server's own (about a refused call), which is merged with the others.
  void AddFinding(Finding finding) { backend_->observed.Add(std::move(finding)); }

  /// Ends all that the client has here but for its allocations, which the caller releases afterwards.
  void DropClient(ClientId client);

 private:
  struct LoadedModule {
    ClientId client = 0;
    std::unique_ptr<Backend::Module> module;
    std::map<std::string, KernelId, std::less<>> kernels;  ///< Those that were asked for.
  };
  using Modules = std::map<ModuleId, LoadedModule>;

  /// Null where there is none.
  Backend::Kernel* GetKernel(KernelId id);
  Modules::iterator Unload(Modules::iterator entry);
  /// After work was run: what waiting for it gives.
  CudaStatus Wait(CudaStatus ran);

  // Races between streams (stream_races.h).
  using Operation = std::shared_ptr<StreamRaces::Operation>;
  /// A stream's or an event's id in the order of all devices.
  std::uint64_t Ordered(std::uint64_t id) const { return StreamOrder::InDevice(ordinal_, id); }
  /// The operation that the next work in the stream is; its `what` is still to be set. Null: it is not
  /// checked.
  Operation Issue(StreamId stream);
  /// The host has waited for what it has just issued in the default stream, as for most copies.
  void AwaitDefaultStream(StreamId stream);
  /// Whether it is managed or pinned memory; asked only where the order of work is checked.
  bool IsHostMemory(DevicePointer address);
  bool IsOfHost(DevicePointer address);
  /// The operation has read `source` or written `target`; 0: it had none.
  void NoteCopy(const Operation& operation, DevicePointer target, DevicePointer source, std::uint64_t bytes);
  /// The operation has allocated or freed the memory at this address.
  void NoteLifetime(const Operation& operation, DevicePointer address);
  CudaStatus RunKernel(const Operation& operation, const LaunchRequest& request);

  // Results that the host does not wait for (missing_waits.h).
  /// The place of the operation that was just issued; of number 0: it is not checked.
  StreamOrder::Issued PlaceOf(const Operation& operation, StreamId stream);
  /// The kernel has run.
  /// A copy from `source` to the host's memory at `target` has run.
  void NoteCopyToHost(const StreamOrder::Issued& place, DevicePointer target, DevicePointer source);
  void NoteHostArrays(const StreamOrder::Issued& place, const std::string& kernel);
  void AddFindings(std::vector<Finding> findings);

  /// Completes this part of what was observed.
  Observed& Complete(Observed::Part part);

  const DeviceProfile profile_;
  const std::unique_ptr<Backend> backend_;
  Modules modules_;
  std::map<KernelId, std::unique_ptr<Backend::Kernel>> kernels_;  ///< They go before their modules.
  ModuleId next_module_ = 1;
  KernelId next_kernel_ = 1;
  ClientId served_ = 0;
  std::shared_ptr<StreamRaces> races_;  ///< All devices' of the process.
  std::size_t ordinal_ = 0;             ///< In `races_`.
  MissingWaits missing_waits_;
  bool finds_missing_waits_ = false;
  Streams streams_;  ///< Its pending work uses all of the above.
};

}  // namespace warplings
