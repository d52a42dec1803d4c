// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/core/launch_record.h"
#include "grader/device/device.h"
#include "grader/device/texture_descriptor.h"
#include "grader/virtual_gpu/machine/access_pattern.h"
#include "grader/virtual_gpu/machine/program.h"
#include "grader/virtual_gpu/memory/global_memory.h"

/// What a running grid is made of. Plain data, shared by the interpreter, the checks and the counters.
namespace warplings::vgpu {

struct BlockContext;
class Faults;

/// Lanes of one warp that run together, and the point where they wait for the rest.
struct Split {
  enum class State : std::uint8_t {
    kRunnable,
    kAtBarrier,   ///< Waits at a block-wide barrier; pc is the barrier.
    kAtWarpSync,  ///< Waits for lanes named in a member mask; pc is the instruction.
  };
  std::int32_t pc = 0;
  Mask mask = 0;
  std::int32_t node = -1;  ///< The divergence it belongs to; -1: none.
  State state = State::kRunnable;
  std::uint8_t barrier = 0;
  std::byte* frame = nullptr;   ///< Registers of the function that it is in.
  std::uint32_t local_top = 0;  ///< Where the local memory of what it calls begins.
  bool is_counted = false;      ///< At a barrier: its arrival is counted (barriers.h).
};

/// A divergence: lanes that parted at a branch and meet again at `reconverge`. Lanes that return
/// meanwhile leave it. This is what ptxas makes of BSSY/BSYNC since compute capability 7.0. A call is
/// one as well: its lanes meet again behind it.
struct Divergence {
  std::int32_t reconverge = -1;
  Mask mask = 0;  ///< Lanes that have to come.
  Mask arrived = 0;
  std::int32_t parent = -1;
  std::byte* frame = nullptr;      ///< Of the code at `reconverge`.
  std::uint32_t local_top = 0;     ///< Likewise.
  const CallSite* call = nullptr;  ///< Of a call.
  const FunctionCode* callee = nullptr;
  std::byte* callee_frame = nullptr;
};

struct WarpContext {
  std::array<std::byte*, 4> base{};  ///< By Bank.
  BlockContext* block = nullptr;
  std::byte* local = nullptr;  ///< local_bytes for each lane, one lane after the other.
  /// By instruction, those of its host thread; null where none was needed yet.
  std::unique_ptr<AccessPattern>* patterns = nullptr;
  bool recognises_patterns = true;
  std::uint32_t index = 0;         ///< In its block.
  Mask live = 0;                   ///< Lanes that exist and have not returned.
  std::uint64_t instructions = 0;  ///< Executed so far, in this block.
  bool is_torn = false;            ///< Lanes were set going while they waited to reconverge.
  std::vector<Split> splits;
  std::vector<Divergence> divergences;

  template <class T>
  T* Lanes(OperandRef operand) const {
    return reinterpret_cast<T*>(base[operand >> 30] + (operand & 0x3fffffffu));
  }
};

/// One warp's execution of one memory instruction, before data moves.
struct WarpAccess {
  const WarpContext* warp = nullptr;
  const Inst* inst = nullptr;
  Mask mask = 0;
  /// A lane: its address (global memory) or offset into the block's shared or the thread's local
  /// memory. Entries of lanes outside `mask` are unspecified.
  const std::uint64_t* address = nullptr;
  std::uint32_t bytes = 0;  ///< A lane, whole vector.
  Access access = Access::kRead;
  /// Of a plain store: what it stores. Null otherwise.
  const struct StoredValues* values = nullptr;
  bool is_copy = false;               ///< The write of a cp.async, which ends only when it is waited for.
  AccessPattern* pattern = nullptr;   ///< Of `address`, where it is known.
  const std::byte* copied = nullptr;  ///< Of such a copy: what it writes, 16 bytes a lane.
  Mask held_back = 0;  ///< Lanes that were to be in `mask`, but miss what is there or its alignment.
  Mask unused = 0;     ///< Lanes that do nothing with what they load (Inst::used_when).

  inline bool SameAsMemory(int lane) const;
  inline bool SameAsLane(int lane, int other) const;
};

/// Compares what the lanes of a store write.
struct StoredValues {
  /// Whether the lane's values are in memory already.
  bool (*same_as_memory)(const WarpAccess& access, int lane);
  /// Whether two lanes store the same.
  bool (*same_as_lane)(const WarpAccess& access, int lane, int other);
};

inline bool WarpAccess::SameAsMemory(int lane) const {
  return values && values->same_as_memory(*this, lane);
}
inline bool WarpAccess::SameAsLane(int lane, int other) const {
  return values && values->same_as_lane(*this, lane, other);
}

/// A check or a counter: sees every access before data moves and may hold lanes back, whose access
/// then does not happen. Costs nothing when it is not there.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void OnBlockStart(BlockContext&) {}
  virtual Mask OnGlobal(const WarpAccess& access) { return access.mask; }
  virtual Mask OnShared(const WarpAccess& access) { return access.mask; }
  virtual Mask OnConstant(const WarpAccess& access) { return access.mask; }
  virtual Mask OnLocal(const WarpAccess& access) { return access.mask; }
  /// All threads of the block have met at a barrier.
  virtual void OnBarrierPassed(const BlockContext&) {}
  /// These lanes of a warp have met: a shuffle, a vote, __syncwarp().
  virtual void OnWarpSync(const WarpContext&, Mask) {}
  /// A thread of the block orders its accesses: a fence, an acquire or a release.
  virtual void OnFence(const BlockContext&) {}
  /// cp.async.commit_group of the lanes.
  virtual void OnCopiesCommitted(const WarpContext&, Mask) {}
  /// The lanes have waited for their copies, but for those of the last `groups_left` groups.
  virtual void OnCopiesAwaited(const WarpContext&, Mask, [[maybe_unused]] std::uint32_t groups_left) {}
  /// The lanes have entered, or left, a function whose local variables begin at `base`.
  virtual void OnFrameOpened(const WarpContext&, const FunctionCode&, [[maybe_unused]] std::uint32_t base,
                             Mask) {}
  virtual void OnFrameClosed(const WarpContext&, const FunctionCode&, [[maybe_unused]] std::uint32_t base,
                             Mask) {}

  /// `groups_left` of who waits for all copies, committed or not.
  static constexpr std::uint32_t kNoGroups = 0xffffffffu;
};

/// What the threads that have come to a barrier's reduction gave (bar.red).
struct BarrierVotes {
  std::uint32_t threads = 0, true_threads = 0;
};

/// A barrier resource of a block (PTX has 16).
struct BarrierState {
  std::uint32_t arrived_threads = 0;
  std::uint32_t expected_threads = 0;  ///< 0: every thread that has not returned.
  std::int32_t first_pc = -1;          ///< Of the arrivals.
  BarrierVotes votes;
};

struct BlockContext {
  const struct GridRequest* grid = nullptr;
  Faults* faults = nullptr;
  std::span<Observer* const> observers;
  /// Those of them that look at accesses to each kind of memory.
  std::span<Observer*const> global_observers, shared_observers, local_observers, constant_observers;
  Dim3 index{0, 0, 0};
  std::uint64_t linear_index = 0;
  std::byte* shared = nullptr;
  std::uint32_t shared_bytes = 0;  ///< With gaps and the dynamic array.
  std::uint32_t threads = 0;
  std::uint32_t live_threads = 0;
  /// Warp instructions executed so far; up to date where an instruction reads it (Control::kClock).
  std::uint64_t clock = 0;
  std::vector<WarpContext> warps;
  std::array<BarrierState, 16> barriers;
  BarrierVotes barrier_votes;  ///< Of the barrier that is being passed.
  std::string* printed = nullptr;
};

struct GridRequest {
  const Program* program = nullptr;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::vector<std::byte> arguments;
  ClientId client = 0;  ///< Whose kernel it is: owns what the kernel allocates.
  GlobalMemory* memory = nullptr;
  class RaceShadow* races = nullptr;         ///< Null: races in global memory are not looked for.
  std::atomic<bool>* in_parallel = nullptr;  ///< Set before a second host thread runs blocks, if not null.
  const DeviceProfile* profile = nullptr;
  bool cooperative = false;
  /// Of a cooperative launch: where its blocks count who has come to grid.sync() ({u32 size, u32 barrier},
  /// zeroed). Kernels find it by %envreg1 (upper half) and %envreg2.
  DevicePointer workspace = 0;
  std::size_t host_threads = 1;
  /// At most this many blocks have registers and shared memory at a time; at least 1.
  std::uint64_t max_resident_blocks = ~std::uint64_t{0};
  std::chrono::milliseconds threads_after{0};  ///< How long the first one works alone.
  bool recognise_patterns = true;   ///< False: all accesses go the general way, for tests (AccessPattern).
  std::uint64_t blocks_to_run = 0;  ///< Of the grid; fewer than it has: a sample. 0: all.
  class FootprintSum* footprint = nullptr;   ///< Null: what blocks touch is not noted.
  class WatchedArrays* arrays = nullptr;     ///< Null: no arrays are watched.
  class AccessLog* accesses = nullptr;       ///< Null: no requests are kept.
  class DeviceLaunches* launches = nullptr;  ///< Null: its kernels cannot launch kernels.
  class AccessMap* touched = nullptr;        ///< Null: the bytes that are accessed are not recorded.
  ObservationOptions observation;
  const std::atomic<bool>* interrupted = nullptr;  ///< Becomes true when the grid has to end; null: never.
  std::atomic<std::uint64_t>* finished = nullptr;  ///< Counts the blocks that have ended; null: nothing does.

  /// Blocks may communicate, but need not all be resident: the order in which they start may matter.
  bool HasBlockOrder() const { return program->blocks_communicate && !cooperative && grid.Volume() > 1; }
  bool IsReordered() const { return observation.block_order != BlockOrder::kAscending && HasBlockOrder(); }
  /// Blocks often wait for others that have not come as far, so whoever waits gives way soon.
  bool BlocksOftenWait() const { return cooperative || IsReordered(); }
  bool IsInterrupted() const { return interrupted && interrupted->load(std::memory_order_relaxed); }
  void CountFinished() const {
    if (finished != nullptr) finished->fetch_add(1, std::memory_order_relaxed);
  }
};

/// What one instruction did in one grid. Requests are warp-level.
struct InstCounts {
  std::uint64_t executed = 0;     ///< Warp instructions.
  std::uint64_t lanes = 0;        ///< Thread instructions.
  std::uint64_t divergences = 0;  ///< Branches: how often they split the lanes.
  std::uint64_t global_requests = 0, sectors = 0, bytes = 0;
  std::uint64_t shared_requests = 0, wavefronts = 0, conflicts = 0;
  std::uint64_t passes = 0;  ///< Atomics: the lanes at the most contended address take turns; this many.

  InstCounts& operator+=(const InstCounts& other) {
    executed += other.executed;
    lanes += other.lanes;
    divergences += other.divergences;
    global_requests += other.global_requests;
    sectors += other.sectors;
    bytes += other.bytes;
    shared_requests += other.shared_requests;
    wavefronts += other.wavefronts;
    conflicts += other.conflicts;
    passes += other.passes;
    return *this;
  }
};

struct GridOutcome {
  CudaError error = CudaError::kSuccess;  ///< Of the launch as a whole, as a synchronisation reports it.
  std::string error_message;
  bool completed = false;
  std::vector<InstCounts> counts;  ///< By instruction; empty where counters are off.
  std::vector<Finding> findings;
  std::string printed;
  std::uint64_t warp_instructions = 0;
  std::uint64_t longest_warp = 0;  ///< Warp instructions of the warp that executed most.
};

}  // namespace warplings::vgpu
