// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/memory_pools.h"

#include <algorithm>
#include <cstring>

#include "grader/runtime/capture.h"
#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/graph_memory.h"

namespace warplings::runtime {
namespace {

using PoolId = std::uint64_t;
constexpr std::size_t kMostPools = 1024;

const Refused kNullAddress{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};

/// cudaMemPoolAttr.
enum PoolAttribute : int {
  kFollowEvents = 1,
  kOpportunistic = 2,
  kInternalDependencies = 3,
  kReleaseThreshold = 4,
  kReserved = 5,
  kReservedHigh = 6,
  kUsed = 7,
  kUsedHigh = 8
};

struct Pool {
  std::size_t device = 0;
  unsigned generation = 0;       ///< Of its device (Runtime::generation): a reset destroys it.
  std::uint64_t most_bytes = 0;  ///< 0: as much as the device has.
  int reuse[3] = {1, 1, 1};      ///< Attributes 1 to 3. No result depends on them.
  std::uint64_t threshold = 0;
  std::uint64_t used = 0, used_high = 0;
  std::uint64_t reserved = 0, reserved_high = 0;
};

/// The first pools are the devices' own; a device that never was used has none yet.
struct Pools {
  std::map<PoolId, Pool> all;
  PoolId next = kMaxDevices;
  PerDevice<PoolId> current{};  ///< Chosen by cudaDeviceSetMemPool; 0 + its device: the device's own.
  PerDevice<bool> is_chosen{};
  struct Block {
    PoolId pool = 0;
    std::uint64_t bytes = 0;
  };
  std::map<DevicePointer, Block> blocks;
};

Pools& ThePools() {
  static Pools* const pools = new Pools;
  return *pools;
}

PoolId DefaultPoolOf(Runtime& runtime, std::size_t device) {
  Pools& pools = ThePools();
  const auto [entry, is_new] = pools.all.try_emplace(device);
  Pool& pool = entry->second;
  if (is_new || pool.generation != runtime.generation[device])
    pool = {.device = device, .generation = runtime.generation[device]};
  return device;
}

Pool* FindPool(Runtime& runtime, PoolId id) {
  const auto entry = ThePools().all.find(id);
  if (entry == ThePools().all.end()) return nullptr;
  const std::size_t device = entry->second.device;
  if (entry->second.generation == runtime.generation[device]) return &entry->second;
  if (id == device) return &ThePools().all.at(DefaultPoolOf(runtime, device));
  ThePools().all.erase(entry);
  return nullptr;
}

PoolId CurrentPoolOf(Runtime& runtime, std::size_t device) {
  Pools& pools = ThePools();
  const bool is_there = pools.is_chosen[device] && FindPool(runtime, pools.current[device]) != nullptr;
  return is_there ? pools.current[device] : DefaultPoolOf(runtime, device);
}

void* PackPool(Runtime& runtime, PoolId id) {
  return Pack({id, FindPool(runtime, id)->device, HandleTag::kMemoryPool});
}

std::optional<PoolId> UnpackPool(Runtime& runtime, void* pointer) {
  const auto handle = Unpack(runtime, pointer);
  if (!handle || handle->tag != HandleTag::kMemoryPool || FindPool(runtime, handle->id) == nullptr)
    return std::nullopt;
  return handle->id;
}

Outcome AllocateFrom(Runtime& runtime, PoolId id, void** pointer, std::size_t bytes, StreamId stream) {
  if (pointer == nullptr) return kNullAddress;
  *pointer = nullptr;
  if (bytes == 0) return {};
  Pool& pool = *FindPool(runtime, id);
  if (pool.most_bytes != 0 && (bytes > pool.most_bytes || pool.used > pool.most_bytes - bytes))
    return CudaError::kMemoryAllocation;
  auto allocated = runtime.device().Ask(protocol::AllocateInStream{bytes, stream});
  if (!allocated) return allocated.error();
  ThePools().blocks[allocated->address] = {id, bytes};
  pool.used += bytes;
  pool.used_high = std::max(pool.used_high, pool.used);
  pool.reserved = std::max(pool.reserved, pool.used);
  pool.reserved_high = std::max(pool.reserved_high, pool.reserved);
  *pointer = reinterpret_cast<void*>(allocated->address);
  return {};
}

/// In a stream that is capturing: the graph's memory, and of no pool. Nothing if it is not.
std::optional<Outcome> CaptureAllocation(Runtime& runtime, void** pointer, std::size_t bytes, void* stream) {
  if (auto captured = CaptureMade(runtime, stream, [&](GraphId graph, NodeWork& work) -> Outcome {
        if (pointer == nullptr) return kNullAddress;
        *pointer = nullptr;
        return bytes == 0 ? Outcome() : MakeAllocation(runtime, graph, bytes, pointer, work);
      }))
    return captured;
  return RefuseDuringCapture(runtime);
}

void Trim(Pool& pool, std::uint64_t bytes_to_keep) {
  pool.reserved = std::max(pool.used, std::min(pool.reserved, bytes_to_keep));
}

/// The calls about one pool: `body(pool)`.
template <class Body>
int WithPool(const char* call, void* handle, Body&& body) {
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    const auto id = UnpackPool(runtime, handle);
    return id ? body(runtime, *id) : CudaError::kInvalidValue;
  });
}

/// A number of 64 bits of the pool; null for an attribute that is none.
std::uint64_t* FindNumber(Pool& pool, int attribute) {
  switch (attribute) {
    case kReleaseThreshold: return &pool.threshold;
    case kReserved: return &pool.reserved;
    case kReservedHigh: return &pool.reserved_high;
    case kUsed: return &pool.used;
    case kUsedHigh: return &pool.used_high;
    default: return nullptr;
  }
}

bool IsReuse(int attribute) {
  return attribute >= kFollowEvents && attribute <= kInternalDependencies;
}

Outcome SetPoolAttribute(Pool& pool, int attribute, const void* value) {
  if (IsReuse(attribute)) {
    std::memcpy(&pool.reuse[attribute - kFollowEvents], value, sizeof(int));
    return {};
  }
  std::uint64_t number = 0;
  if (attribute == kReleaseThreshold) {
    std::memcpy(&pool.threshold, value, sizeof number);
    return {};
  }
  std::memcpy(&number, value, sizeof number);
  // The high-water marks can be set back, and that is all.
  if (number != 0) return CudaError::kInvalidValue;
  if (attribute == kReservedHigh)
    pool.reserved_high = pool.reserved;
  else if (attribute == kUsedHigh)
    pool.used_high = pool.used;
  else
    return CudaError::kInvalidValue;
  return {};
}

}  // namespace

void NoteFreed(DevicePointer address) {
  Pools& pools = ThePools();
  const auto block = pools.blocks.find(address);
  if (block == pools.blocks.end()) return;
  // Its pool may be gone: a pool is destroyed with memory in use.
  const auto pool = pools.all.find(block->second.pool);
  if (pool != pools.all.end()) pool->second.used -= std::min(pool->second.used, block->second.bytes);
  pools.blocks.erase(block);
}

void ReleaseUnusedMemory() {
  for (auto& [id, pool] : ThePools().all) Trim(pool, pool.threshold);
}

}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Memory in the order of a stream ---------------------------------------------------------------

WARPLINGS_API int cudaMallocAsync(void** pointer, std::size_t bytes, void* handle) {
  return Forward("cudaMallocAsync", [&](Runtime& runtime) -> Outcome {
    if (auto captured = CaptureAllocation(runtime, pointer, bytes, handle)) return *captured;
    auto stream = ToStream(runtime, handle);  // The memory is of the stream's device.
    if (!stream) return stream.error();
    const PoolId pool = CurrentPoolOf(runtime, runtime.device().device_in_use());
    return AllocateFrom(runtime, pool, pointer, bytes, *stream);
  });
}

WARPLINGS_API int cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, void* pool, void* handle) {
  return WithPool("cudaMallocFromPoolAsync", pool, [&](Runtime& runtime, PoolId id) -> Outcome {
    if (auto captured = CaptureAllocation(runtime, pointer, bytes, handle)) return *captured;
    auto stream = ToStream(runtime, handle);
    if (!stream) return stream.error();
    // Memory of another device than the stream's is more than any device here has.
    if (FindPool(runtime, id)->device != runtime.device().device_in_use())
      return Refused{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall};
    return AllocateFrom(runtime, id, pointer, bytes, *stream);
  });
}

WARPLINGS_API int cudaFreeAsync(void* pointer, void* handle) {
  return Forward("cudaFreeAsync", [&](Runtime& runtime) -> Outcome {
    auto captured = CaptureMade(runtime, handle, [&](GraphId graph, NodeWork& work) -> Outcome {
      return pointer == nullptr ? Outcome() : MakeFree(runtime, graph, pointer, work);
    });
    if (captured) return *captured;
    auto stream = ToStream(runtime, handle);
    if (!stream) return stream.error();
    if (pointer == nullptr) return {};
    if (auto freed = FreeOfGraph(runtime, pointer, handle)) return *freed;
    // Memory that the host sees, too, was not allocated in the order of a stream.
    if (IsMapped(runtime, pointer)) return Refused{CudaError::kInvalidValue, protocol::Refusal::kWrongFree};
    auto freed = runtime.device().Ask(protocol::FreeInStream{ToDevice(pointer), *stream});
    if (!freed) return freed;
    NoteFreed(ToDevice(pointer));
    runtime.owned.erase(pointer);
    return freed;
  });
}

// --- Pools -----------------------------------------------------------------------------------------

WARPLINGS_API int cudaDeviceGetDefaultMemPool(void** pool, int device) {
  return Forward("cudaDeviceGetDefaultMemPool", [&](Runtime& runtime) -> Outcome {
    if (pool == nullptr) return kNullAddress;
    if (!runtime.HasDevice(device)) return CudaError::kInvalidDevice;
    *pool = PackPool(runtime, DefaultPoolOf(runtime, static_cast<std::size_t>(device)));
    return {};
  });
}

WARPLINGS_API int cudaDeviceGetMemPool(void** pool, int device) {
  return Forward("cudaDeviceGetMemPool", [&](Runtime& runtime) -> Outcome {
    if (pool == nullptr) return kNullAddress;
    if (!runtime.HasDevice(device)) return CudaError::kInvalidDevice;
    *pool = PackPool(runtime, CurrentPoolOf(runtime, static_cast<std::size_t>(device)));
    return {};
  });
}

WARPLINGS_API int cudaDeviceSetMemPool(int device, void* pool) {
  return WithPool("cudaDeviceSetMemPool", pool, [&](Runtime& runtime, PoolId id) -> Outcome {
    if (!runtime.HasDevice(device)) return CudaError::kInvalidDevice;
    const auto index = static_cast<std::size_t>(device);
    if (FindPool(runtime, id)->device != index) return CudaError::kInvalidValue;
    ThePools().current[index] = id;
    ThePools().is_chosen[index] = true;
    return {};
  });
}

WARPLINGS_API int cudaMemPoolCreate(void** pool, const PoolProperties* properties) {
  return Forward("cudaMemPoolCreate", [&](Runtime& runtime) -> Outcome {
    if (pool == nullptr || properties == nullptr) return kNullAddress;
    const MemoryLocation& location = properties->location;
    if (properties->allocation_type != kPinnedAllocations || location.type != kOnDevice)
      return CudaError::kInvalidValue;
    if (!runtime.HasDevice(location.id)) return CudaError::kInvalidDevice;
    // No memory is shared between processes.
    if (properties->handle_types != 0)
      return Refused{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall};
    Pools& pools = ThePools();
    if (pools.all.size() >= kMostPools) {
      Warn("at most " + std::to_string(kMostPools) + " memory pools can exist at the same time.");
      return CudaError::kMemoryAllocation;
    }
    const auto device = static_cast<std::size_t>(location.id);
    pools.all[pools.next] = {
        .device = device, .generation = runtime.generation[device], .most_bytes = properties->most_bytes};
    *pool = PackPool(runtime, pools.next++);
    return {};
  });
}

/// Memory that is in use stays until it is freed.
WARPLINGS_API int cudaMemPoolDestroy(void* pool) {
  return WithPool("cudaMemPoolDestroy", pool, [](Runtime&, PoolId id) -> Outcome {
    if (id < kMaxDevices) return CudaError::kInvalidValue;  // A device's own.
    ThePools().all.erase(id);
    return {};
  });
}

WARPLINGS_API int cudaMemPoolTrimTo(void* pool, std::size_t bytes_to_keep) {
  return WithPool("cudaMemPoolTrimTo", pool, [&](Runtime& runtime, PoolId id) -> Outcome {
    Trim(*FindPool(runtime, id), bytes_to_keep);
    return {};
  });
}

WARPLINGS_API int cudaMemPoolSetAttribute(void* pool, int attribute, void* value) {
  return WithPool("cudaMemPoolSetAttribute", pool, [&](Runtime& runtime, PoolId id) -> Outcome {
    return value == nullptr ? kNullAddress : SetPoolAttribute(*FindPool(runtime, id), attribute, value);
  });
}

WARPLINGS_API int cudaMemPoolGetAttribute(void* pool, int attribute, void* value) {
  return WithPool("cudaMemPoolGetAttribute", pool, [&](Runtime& runtime, PoolId id) -> Outcome {
    if (value == nullptr) return kNullAddress;
    Pool& found = *FindPool(runtime, id);
    const std::uint64_t* number = FindNumber(found, attribute);
    if (number != nullptr)
      std::memcpy(value, number, sizeof *number);
    else if (IsReuse(attribute))
      std::memcpy(value, &found.reuse[attribute - kFollowEvents], sizeof(int));
    else
      return CudaError::kInvalidValue;
    return {};
  });
}
