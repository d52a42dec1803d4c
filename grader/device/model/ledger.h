// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "grader/device/device.h"

namespace warplings {

/// What a client may have on a device at a time. Far beyond any course program, and small enough that a
/// hostile one exhausts itself before the device process.
struct ClientLimits {
  std::size_t allocations = 1 << 16;
  std::size_t shared_allocations = 4096;  ///< Managed and pinned: each is a file descriptor of the process.
  std::size_t modules = 256;
  std::uint64_t module_bytes = std::uint64_t{64} << 20;       ///< One module.
  std::uint64_t all_module_bytes = std::uint64_t{256} << 20;  ///< All of a client's.
  std::size_t kernels = 1 << 14;
  std::size_t streams = 1024;
  std::size_t events = 1 << 16;
};

/// The one book of what clients have on the devices of a process: memory, modules, kernels, streams, events,
/// whose they are, and how many of each a client may have. Devices hold the pages of memory and do not know
/// whose they are.
///
/// Every question whether a client may name something is put here, and only here: an id or an address that
/// is not in the book, or is another client's, is refused as if it did not exist. The exception: memory of
/// the judge may be copied by everybody, and the judge may copy everybody's.
///
/// An allocation is prepared before the device is asked: when the device has given the memory, nothing can
/// fail any more, and no memory is ever without an owner.
class Ledger {
 public:
  /// Whose, and on which device: modules, kernels, streams and events are numbered by device.
  struct Place {
    ClientId client = 0;
    std::size_t device = 0;
    auto operator<=>(const Place&) const = default;
  };
  /// An allocation, or a variable of a module.
  struct Memory {
    DevicePointer start = 0;
    std::uint64_t bytes = 0;
    AllocationKind kind = AllocationKind::kDevice;
    Place owner;
    ModuleId module = 0;     ///< Of a variable; 0: an allocation.
    bool in_stream = false;  ///< Of cudaMallocAsync.
    bool reported = false;   ///< TakeLeaks has counted it.
    bool is_absent = false;  ///< Of a graph: nothing is behind the addresses, so that it is no leak.
  };
  using Memories = std::map<DevicePointer, Memory>;  ///< By start.
  struct Kernel {
    ModuleId module = 0;
    std::string name;  ///< For findings: without parameters.
  };

  explicit Ledger(ClientLimits limits = {}) : limits_(limits) {}

  // --- Memory. Addresses are unique among all devices. ----------------------------------------------
  using PreparedMemory = Memories::node_type;
  /// A fault where the client has as many allocations as it may. To be called before the device is asked.
  CudaResult<PreparedMemory> PrepareMemory(const Place& owner, AllocationKind kind);
  /// What the device gave. The same variable again is the one that is known.
  void AddMemory(PreparedMemory prepared, DevicePointer start, std::uint64_t bytes);
  void AddVariable(const Place& owner, ModuleId module, DevicePointer start, std::uint64_t bytes,
                   AllocationKind kind);
  /// The memory that holds the address; of 0 bytes, its start. Null where there is none.
  const Memory* FindMemory(DevicePointer address) const;
  /// The memory that [address, address + bytes) lies in, which the client may copy.
  CudaResult<Memory> CheckCopy(ClientId client, DevicePointer address, std::uint64_t bytes) const;
  /// The allocation at `start`, which the client may free. This is the one place that decides it.
  CudaResult<Memory> CheckFree(ClientId client, DevicePointer start) const;
  void RemoveMemory(DevicePointer start);
  /// The allocation is freed when a stream gets there. Until EndFree it counts as the client's, but nobody
  /// may name it.
  void BeginFree(DevicePointer start);
  void EndFree(DevicePointer start);
  /// Whether there is memory behind the addresses of an allocation of kind kGraph.
  void NoteGraphMemory(DevicePointer start, bool present);
  /// Whether the host can see any of the client's memory without asking a device.
  bool SharesWithHost(ClientId client) const;

  /// Keeps the pages of an allocation that its owner has freed, because a recorded call still needs them.
  /// False, and nothing is done, where there are as many as there may be.
  bool KeepMemory(DevicePointer start);
  /// Hands over what was kept, for the devices to free.
  Memories TakeKept();
  static constexpr std::size_t kMostKept = 10'000;

  /// Allocations that were never freed.
  struct Leaks {
    std::uint64_t count = 0, bytes = 0;
    /// Of which kinds they are.
    bool device = false, in_stream = false, managed = false, pinned = false, array = false, graph = false;
  };
  /// How much memory the clients of a device have allocated. The judge's own is left out, and so is what the
  /// runtime allocates for itself.
  struct MemoryUse {
    std::uint64_t allocations = 0;            ///< Number of all that were ever made.
    std::uint64_t bytes = 0, most_bytes = 0;  ///< On the card, so without pinned memory: now, and at most.
  };
  /// Starts anew with what is allocated now.
  MemoryUse TakeMemoryUse(std::size_t device);
  /// Counts what the clients of a device, or one of them, hold there and what has not been counted before.
  /// The judge's own memory is no leak. Needs no memory.
  Leaks TakeLeaks(std::size_t device, std::optional<ClientId> client);

  // --- Modules and kernels. -------------------------------------------------------------------------
  CudaStatus CheckRoomForModule(const Place& owner, std::uint64_t bytes) const;
  void AddModule(const Place& owner, ModuleId module, std::uint64_t bytes);
  /// With its kernels and variables; false where the client has no such module.
  bool RemoveModule(const Place& owner, ModuleId module);
  bool HasModule(const Place& owner, ModuleId module) const;
  CudaStatus CheckRoomForKernel(const Place& owner) const;
  void AddKernel(const Place& owner, KernelId id, Kernel kernel);
  /// Null where the client has no such kernel.
  const Kernel* FindKernel(const Place& owner, KernelId kernel) const;

  // --- Streams and events. --------------------------------------------------------------------------
  CudaStatus CheckRoomForStream(const Place& owner) const;
  void AddStream(const Place& owner, StreamId stream, std::int32_t priority);
  bool RemoveStream(const Place& owner, StreamId stream);
  /// Stream 0 is everybody's.
  bool MayUseStream(const Place& client, StreamId stream) const;
  /// 0 for stream 0.
  std::int32_t PriorityOf(const Place& owner, StreamId stream) const;
  CudaStatus CheckRoomForEvent(const Place& owner) const;
  void AddEvent(const Place& owner, EventId event);
  bool RemoveEvent(const Place& owner, EventId event);
  bool HasEvent(const Place& owner, EventId event) const;

  /// Forgets all that the client has there. Returns its allocations, for the device to free: also those that
  /// are kept, or wait to be freed. Variables go with their modules. Needs no memory.
  Memories Forget(const Place& owner);

  const ClientLimits& limits() const { return limits_; }

 private:
  /// What one client has on one device.
  struct Holding {
    std::map<ModuleId, std::uint64_t> modules;  ///< With their size in bytes.
    std::map<KernelId, Kernel> kernels;
    std::map<StreamId, std::int32_t> streams;  ///< With their priorities.
    std::set<EventId> events;
    std::size_t allocations = 0;
    std::size_t shared_allocations = 0;  ///< Those of them that the host sees, too.
    std::size_t managed_variables = 0;
  };

  const Holding& Of(const Place& place) const;
  /// FindMemory, where the client may copy it.
  const Memory* FindFor(ClientId client, DevicePointer address) const;
  /// The allocation that ends just before the address, where the client may copy it; null where another one,
  /// also a freed one, could have been at the address.
  const Memory* FindJustBefore(ClientId client, DevicePointer address) const;
  void Count(const Memory& memory, std::ptrdiff_t change);
  /// The memory is on its card from now on, or no longer.
  void NoteUse(const Memory& memory, bool present);

  const ClientLimits limits_;
  Memories memory_;
  std::map<Place, Holding> holdings_;
  Memories kept_;
  Memories freeing_;
  std::map<std::size_t, MemoryUse> use_;  ///< By device.
};

}  // namespace warplings
