// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/finding.h"
#include "grader/core/kernel_resources.h"
#include "grader/core/launch_record.h"
#include "grader/device/device_profile.h"

namespace warplings {

/// A device address. For the virtual GPU it is also the address at which the *device process* maps
/// the memory; for managed and pinned memory the client maps the same memory at the same address.
using DevicePointer = std::uint64_t;
/// All device addresses are between kFirstDeviceAddress and kEndOfDeviceAddresses. Programs that are not
/// position-independent are below, and everything that the system places is above, so a client can tell from
/// the address alone whether it is a device address.
#ifdef WARPLINGS_THREAD_SANITIZER
// ThreadSanitizer has its shadow and tables from 2^40 to 0x5500'0000'0000 and leaves a program what lies
// below 2^39 (the table in compiler-rt/lib/tsan/rtl/tsan_platform.h).
inline constexpr DevicePointer kFirstDeviceAddress = 0x10'0000'0000;
inline constexpr DevicePointer kEndOfDeviceAddresses = 0x78'0000'0000;
#else
inline constexpr DevicePointer kFirstDeviceAddress = 0x2000'0000'0000;
inline constexpr DevicePointer kEndOfDeviceAddresses = 0x5000'0000'0000;
#endif
using ModuleId = std::uint32_t;
using KernelId = std::uint32_t;
/// 0 is the legacy default stream; CreateStream returns the others.
using StreamId = std::uint64_t;
using EventId = std::uint64_t;
/// The owner of a resource: each connected client has a number; 0 is the judge. DropClient frees everything
/// that a client owned, so that a crashed worker leaves nothing behind.
using ClientId = std::uint32_t;

/// Error numbers of the CUDA runtime (driver_types.h, enum cudaError); only those that a Device
/// returns. The numbers are the same in CUDA 12 and 13.
enum class CudaError : std::int32_t {
  kSuccess = 0,
  kInvalidValue = 1,
  kMemoryAllocation = 2,
  kInvalidConfiguration = 9,
  kInvalidSymbol = 13,
  kInvalidMemcpyDirection = 21,
  kInvalidDeviceFunction = 98,
  kInvalidDevice = 101,
  kInvalidKernelImage = 200,
  kNoKernelImageForDevice = 209,
  kInvalidPtx = 218,
  kInvalidResourceHandle = 400,
  kSymbolNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kAssert = 710,
  kLaunchFailure = 719,
  kCooperativeLaunchTooLarge = 720,
  kNotSupported = 801,
  kUnknown = 999,
};

/// The failure of a device call: the error code that the runtime call returns, and a sentence that describes
/// it ("1056 threads a block; the limit is 1024").
struct CudaFault {
  CudaError code = CudaError::kUnknown;
  std::string message;
};
template <class T>
using CudaResult = Result<T, CudaFault>;
using CudaStatus = CudaResult<Unit>;

enum class AllocationKind : std::uint8_t {
  kDevice,   ///< cudaMalloc: only the device process can access it; clients see only the address.
  kManaged,  ///< cudaMallocManaged: shared with the client at the same address.
  kPinned,   ///< cudaMallocHost, cudaHostAlloc: shared in the same way.
};

struct Allocation {
  DevicePointer address = 0;
  std::uint64_t bytes = 0;
  /// For managed and pinned memory: a memfd to be mapped MAP_SHARED at `address` (page-aligned,
  /// `mapped_bytes` long). Owned by the Device; -1 for plain device memory.
  int shared_fd = -1;
  std::uint64_t mapped_bytes = 0;
};

/// Position of one kernel parameter, for gathering the arguments from cudaLaunchKernel's void** array.
struct KernelParameter {
  std::uint32_t offset = 0;  ///< Offset in the argument block, with the ABI's alignment.
  std::uint32_t bytes = 0;
};

struct KernelInfo {
  KernelId id = 0;
  std::vector<KernelParameter> parameters;
  std::uint32_t argument_bytes = 0;         ///< Size of the whole argument block.
  KernelResources resources;                ///< For cudaFuncAttributes; zeros if no cubin is embedded.
  std::uint32_t max_threads_per_block = 0;  ///< The smaller of the device's limit and __launch_bounds__.
  std::uint32_t ptx_version = 0;            ///< As cudaFuncAttributes::ptxVersion: 80 for sm_80.
};

struct VariableInfo {
  DevicePointer address = 0;
  std::uint64_t bytes = 0;
  /// For a __managed__ variable, as in Allocation; -1 and 0 for others.
  int shared_fd = -1;
  std::uint64_t mapped_bytes = 0;
};

struct LaunchRequest {
  KernelId kernel = 0;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  StreamId stream = 0;
  bool cooperative = false;
  std::vector<std::byte> arguments;  ///< The argument block, argument_bytes long.
};

enum class StreamFlags : std::uint8_t { kBlocking = 0, kNonBlocking = 1 };

/// Pending work: it was issued, nobody has waited for it, and it is not ordered before the default stream.
struct PendingWork {
  StreamId stream = 0;
  std::string what;  ///< "kernel tiled_kernel" or "copy of 4096 bytes to the device".
};

/// How long the work between BeginTiming and EndTiming took.
struct Timing {
  bool measured = false;         ///< False on the virtual GPU, which has no real time.
  double device_seconds = 0;     ///< Time between two events on the device.
  double host_seconds = 0;       ///< Host time, from before the first event until after the last.
  double clock_mhz = 0;          ///< SM clock immediately after the work; 0: unknown.
  double default_clock_mhz = 0;  ///< The SM clock when the card is not throttled.
};

struct ObservationOptions {
  bool checks = true;  ///< Uninitialised reads, races, divergence. Bounds are always checked.
  bool counters = true;
  /// The watchdog's budget in warp instructions: for one block, or, if blocks wait for each other, for all
  /// blocks since one of them last ended. 200 million take 10 to 20 s on one core. Kernels of courses need a
  /// few thousand per block; a single thread that adds a million numbers needs 8 million.
  std::uint64_t max_warp_instructions = 200'000'000;
  /// Also record counts by kernel and instruction, for TakeProfile.
  bool profile = false;
  /// Also record LaunchRecord::work, which time estimates need. Requires counters.
  bool work = false;
  /// Run at most this many blocks of each launch, spread over the grid, and scale the counts up to all
  /// blocks. The kernel's results are then incomplete. 0: run all blocks.
  std::uint64_t sample_blocks = 0;
  /// From now on, record the writers of each labelled array and each launch's traffic with it:
  /// LaunchRecord::arrays, ListArrayWriters.
  bool arrays = false;
  /// Record a few memory requests of each launch in full: LaunchRecord::accesses. Requires counters.
  bool accesses = false;
};

/// One GPU, virtual or real: the interface to device memory, kernels, findings, counts and time. virtual_gpu/
/// implements it by interpreting PTX, cuda_gpu/ by driving a card.
///
/// Order of work. Copies, fills and launches go to a stream. A Device may run them at once, or as late as
/// CUDA's rules allow. The virtual GPU delays work in non-blocking streams as long as it may, so that a
/// missing synchronisation shows as stale data. An operation on stream 0 first completes all blocking
/// streams, and blocking streams wait for stream 0. CopyOut and Synchronize return after the work that they
/// depend on has run.
///
/// Not thread-safe: one server loop owns a Device. Every argument may come from a hostile client; no argument
/// may make an implementation read or write outside the device's own memory.
class Device {
 public:
  virtual ~Device() = default;

  virtual const DeviceProfile& profile() const = 0;

  // --- Modules: for __cudaRegisterFatBinary, …Function and …Var. -----------------------------
  /// `fatbin` is the fatbin container as embedded (0xBA55ED50 …), compressed or not.
  virtual CudaResult<ModuleId> LoadModule(ClientId client, std::span<const std::byte> fatbin) = 0;
  virtual CudaStatus UnloadModule(ClientId client, ModuleId module) = 0;
  /// Looks up the mangled name, as in the PTX.
  virtual CudaResult<KernelInfo> FindKernel(ModuleId module, std::string_view name) = 0;
  virtual CudaResult<VariableInfo> FindVariable(ModuleId module, std::string_view name) = 0;
  /// Resources of every kernel with a cubin in the client's modules, for the report.
  virtual std::vector<KernelResources> ListKernelResources(ClientId client) = 0;
  /// Resident blocks per SM for such a launch (NVIDIA's cuda_occupancy.h).
  virtual CudaResult<std::uint32_t> BlocksPerMultiprocessor(KernelId kernel, std::uint32_t block_threads,
                                                            std::uint32_t dynamic_shared_bytes) = 0;
  /// cudaFuncAttributeMaxDynamicSharedMemorySize.
  virtual CudaStatus SetMaxDynamicShared(KernelId kernel, std::uint32_t bytes) = 0;

  // --- Memory. -------------------------------------------------------------------------------------
  virtual CudaResult<Allocation> Allocate(ClientId client, std::uint64_t bytes, AllocationKind kind) = 0;
  virtual CudaStatus Free(ClientId client, DevicePointer address) = 0;
  /// Names an allocation for findings ("M"). The judge labels its arrays; a student's allocations have no
  /// label.
  virtual CudaStatus SetLabel(DevicePointer address, std::string_view label) = 0;
  /// Marks [address, address + bytes) as uninitialised, whatever it contains; for poisoned outputs.
  virtual CudaStatus MarkUninitialised(DevicePointer address, std::uint64_t bytes) = 0;
  struct MemoryInfo {
    std::uint64_t free_bytes = 0, total_bytes = 0;
  };
  virtual MemoryInfo GetMemoryInfo() = 0;
  /// Start, size and kind of the allocation that holds `address` (cudaPointerGetAttributes, 2D copies).
  struct PointerInfo {
    DevicePointer start = 0;
    std::uint64_t bytes = 0;
    AllocationKind kind = AllocationKind::kDevice;
    /// Ordinal of the device that owns it. Filled in by the server, because a Device does not know its own
    /// ordinal.
    std::uint32_t device = 0;
  };
  virtual CudaResult<PointerInfo> GetPointerInfo(DevicePointer address) = 0;

  // --- Work. A copy's source or target must be within one allocation (or module variable), which may belong
  // to another device of this process (unified addressing); a kernel may not access those. -----------
  virtual CudaStatus CopyIn(DevicePointer target, std::span<const std::byte> source, StreamId stream) = 0;
  virtual CudaStatus CopyOut(std::span<std::byte> target, DevicePointer source, StreamId stream) = 0;
  virtual CudaStatus CopyWithin(DevicePointer target, DevicePointer source, std::uint64_t bytes,
                                StreamId stream) = 0;
  virtual CudaStatus Fill(DevicePointer target, std::uint8_t value, std::uint64_t bytes, StreamId stream) = 0;
  virtual CudaStatus Launch(const LaunchRequest& request) = 0;

  // --- Streams and events. -------------------------------------------------------------------------
  virtual CudaResult<StreamId> CreateStream(ClientId client, StreamFlags flags) = 0;
  virtual CudaStatus DestroyStream(ClientId client, StreamId stream) = 0;
  /// True if all of the stream's work has run (cudaStreamQuery). Runs pending work only as much as a polling
  /// loop needs to terminate.
  virtual CudaResult<bool> QueryStream(StreamId stream) = 0;
  virtual CudaStatus SynchronizeStream(StreamId stream) = 0;
  /// Runs all pending work in every stream.
  virtual CudaStatus SynchronizeAll() = 0;
  virtual CudaResult<EventId> CreateEvent(ClientId client) = 0;
  virtual CudaStatus DestroyEvent(ClientId client, EventId event) = 0;
  virtual CudaStatus RecordEvent(EventId event, StreamId stream) = 0;
  virtual CudaStatus WaitEvent(StreamId stream, EventId event) = 0;
  virtual CudaResult<bool> QueryEvent(EventId event) = 0;
  virtual CudaStatus SynchronizeEvent(EventId event) = 0;
  /// Milliseconds. The virtual GPU answers with an *estimate* (never called measured).
  virtual CudaResult<float> ElapsedMilliseconds(EventId start, EventId stop) = 0;

  // --- Time: for the judge, around the replay of a recorded call (recorder.h). -----------------------
  /// Waits for all work, brings the card into the state in which every timed run starts (the L2 cache holds
  /// nothing from before, clocks are up), and starts the time. A device that measures no time only waits.
  virtual CudaStatus BeginTiming() { return SynchronizeAll(); }
  /// Waits for all work in all streams, and returns how long it took.
  virtual CudaResult<Timing> EndTiming() {
    if (auto done = SynchronizeAll(); !done) return done.error();
    return Timing{};
  }

  // --- Observation: for the judge and for `warplings run`, never for a worker. ----------------------
  virtual void SetObservation(const ObservationOptions& options) = 0;
  /// Work that a function left pending and that a read on the default stream would not wait for.
  virtual std::vector<PendingWork> ListPendingWork() = 0;
  /// Returns and clears the findings, merged, in order of first occurrence.
  virtual std::vector<Finding> TakeFindings() = 0;
  virtual std::vector<LaunchRecord> TakeLaunches() = 0;
  /// The writers of each labelled array since ObservationOptions::arrays was set. Empty for a card, which
  /// does not report single accesses.
  virtual std::vector<ArrayWriters> ListArrayWriters() { return {}; }
  /// Returns and clears the counts by kernel, dimensions and instruction, in order of first launch; empty
  /// unless ObservationOptions::profile is set. Their size depends on the number of instructions, not of
  /// launches.
  virtual std::vector<KernelProfile> TakeProfile() = 0;
  /// Returns and clears the text that kernels printed with printf. It is bounded; the oldest text is kept.
  virtual std::string TakePrinted() = 0;
  /// Adds a finding of the server's own (about a refused call), which is merged with the others.
  virtual void AddFinding(Finding finding) = 0;

  virtual void DropClient(ClientId client) = 0;
};

}  // namespace warplings
