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
inline constexpr StreamId kDefaultStream = 0;
using EventId = std::uint64_t;
/// The owner of a resource: each connected client has a number; 0 is the judge. DropClient frees everything
/// that a client owned, so that a crashed worker leaves nothing behind.
using ClientId = std::uint32_t;

/// Error numbers of the CUDA runtime (driver_types.h, enum cudaError); only those that a device
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
  kPeerAccessUnsupported = 217,
  kInvalidPtx = 218,
  kInvalidResourceHandle = 400,
  kSymbolNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kPeerAccessAlreadyEnabled = 704,
  kPeerAccessNotEnabled = 705,
  kAssert = 710,
  kLaunchFailure = 719,
  kCooperativeLaunchTooLarge = 720,
  kNotPermitted = 800,
  kNotSupported = 801,
  kUnknown = 999,
};

/// The failure of a device call: the error code that the runtime call returns, and a sentence that describes
/// it ("1056 threads a block; the limit is 1024").
struct CudaFault {
  CudaError code = CudaError::kUnknown;
  Message message;
};
template <class T>
using CudaResult = Result<T, CudaFault>;
using CudaStatus = CudaResult<Unit>;

enum class AllocationKind : std::uint8_t {
  kDevice,   ///< cudaMalloc: only the device process can access it; clients see only the address.
  kManaged,  ///< cudaMallocManaged: shared with the client at the same address.
  kPinned,   ///< cudaMallocHost, cudaHostAlloc: shared in the same way.
  kArray,    ///< cudaMallocArray: device memory whose address the program does not see.
  /// A texture or surface object (texture_descriptor.h): the runtime's own device memory, which is no leak.
  kDescriptor,
  /// Of a graph's node: addresses that memory is put behind when the node runs (Backend::SetPresent).
  kGraph,
};
/// Whether the client has the memory mapped, too.
constexpr bool IsShared(AllocationKind kind) {
  return kind == AllocationKind::kManaged || kind == AllocationKind::kPinned;
}

struct Allocation {
  DevicePointer address = 0;
  std::uint64_t bytes = 0;
  /// For managed and pinned memory: a memfd to be mapped MAP_SHARED at `address` (page-aligned,
  /// `mapped_bytes` long). Owned by the device; -1 for plain device memory.
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
  Message what;  ///< "kernel tiled_kernel" or "copy of 4096 bytes to the device".
};

/// How long the work between BeginTiming and EndTiming took.
struct Timing {
  bool measured = false;         ///< False on the virtual GPU, which has no real time.
  double device_seconds = 0;     ///< Time between two events on the device.
  double host_seconds = 0;       ///< Host time, from before the first event until after the last.
  double clock_mhz = 0;          ///< SM clock immediately after the work; 0: unknown.
  double default_clock_mhz = 0;  ///< The SM clock when the card is not throttled.
};

/// In which order blocks that may communicate start. Blocks that are resident together may run in any order
/// on a card.
enum class BlockOrder : std::uint8_t {
  kAscending,  ///< By their numbers.
  /// Groups of 4, one after the other; within a group the last block comes first. In every second group, all
  /// run up to their first barrier before that, in ascending order.
  kDescendingInGroups,
};

struct ObservationOptions {
  bool checks = true;  ///< Uninitialised reads, races, divergence. Bounds are always checked.
  /// Of the checks, those that follow each access to memory: uninitialised reads, and races within a launch.
  bool access_checks = true;
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
  /// Blocks of a cooperative launch, and blocks that cannot communicate, ignore it; so does a card.
  BlockOrder block_order = BlockOrder::kAscending;
  /// A launch that finds arguments and memory as an earlier one did may be taken for done, with the same
  /// outcome (grader/virtual_gpu/past_launches.h). A card runs all.
  bool repeat_launches = false;
  /// Results in memory that the host shares, for which it did not wait, are findings (missing_waits.h).
  /// Requires checks. For whole programs: a function that the judge calls need not wait, the judge does.
  bool missing_waits = false;
};

struct MemoryInfo {
  std::uint64_t free_bytes = 0, total_bytes = 0;
};

/// Start, size and kind of the allocation that holds an address (cudaPointerGetAttributes, 2D copies).
struct PointerInfo {
  DevicePointer start = 0;
  std::uint64_t bytes = 0;
  AllocationKind kind = AllocationKind::kDevice;
  std::uint32_t device = 0;  ///< Ordinal of the device that owns it.
};

}  // namespace warplings
