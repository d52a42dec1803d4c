// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

/// The types that programs pass to the CUDA runtime, by value or by pointer, and that this runtime reads or
/// writes. Layouts follow driver_types.h and vector_types.h of CUDA 12.0 to 13.0, 64-bit Linux;
/// cuda_abi_test.cc compares them with the toolkit's headers. Enumerations are passed as int.
namespace warplings::runtime {

struct CudaDim3 {
  unsigned x, y, z;
};

/// cudaMemcpyKind.
enum CopyKind : int { kHostToHost, kHostToDevice, kDeviceToHost, kDeviceToDevice, kDefaultKind };

/// cudaFuncAttributes.
struct FuncAttributes {
  std::size_t shared_bytes, constant_bytes, local_bytes;
  int max_threads_per_block, registers, ptx_version, binary_version, cache_mode_ca, max_dynamic_shared_bytes,
      preferred_shared_carveout;
  int rest[23];
};

/// cudaPointerAttributes as in CUDA 12; CUDA 13 appends reserved words.
struct PointerAttributes {
  int type, device;
  void *device_pointer, *host_pointer;
};
enum MemoryType : int { kUnregistered, kHostMemory, kDeviceMemory, kManagedMemory };

/// cudaLaunchConfig_t and cudaLaunchAttribute.
struct LaunchAttribute {
  int id;
  int padding;
  alignas(8) unsigned char value[64];
};
struct LaunchConfig {
  CudaDim3 grid, block;
  std::size_t dynamic_shared_bytes;
  void* stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};
/// CUlaunchConfig; its attributes are the runtime's.
struct DriverLaunchConfig {
  CudaDim3 grid, block;
  unsigned shared_bytes;
  void* stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};
enum LaunchAttributeId : int {
  kAttributeIgnore = 0,
  kAttributeCooperative = 2,
  kAttributeClusterDimension = 4
};

/// cudaMemLocation.
struct MemoryLocation {
  int type, id;
};

/// cudaMemPoolProps. Before CUDA 12.2 `most_bytes` was reserved, and 0.
struct PoolProperties {
  int allocation_type, handle_types;
  MemoryLocation location;
  void* security;
  std::size_t most_bytes;
  unsigned char rest[56];
};
constexpr int kPinnedAllocations = 1,
              kOnDevice = 1;  // cudaMemAllocationTypePinned, cudaMemLocationTypeDevice

struct PitchedPointer {
  void* pointer;
  std::size_t pitch, x_bytes, y_rows;
};
struct Extent {
  std::size_t width_bytes, height, depth;
};

/// cudaChannelFormatDesc, and its kinds of which arrays can be here.
struct ChannelDescription {
  int x, y, z, w, kind;
};
enum ChannelKind : int { kSignedChannels, kUnsignedChannels, kFloatChannels };

/// cudaResourceDesc.
struct LinearResource {
  void* pointer;
  ChannelDescription channels;
  std::size_t bytes;
};
struct PitchedResource {
  void* pointer;
  ChannelDescription channels;
  std::size_t width, height, pitch;
};
struct ResourceDescription {
  int type;
  union {
    const void* array;
    LinearResource linear;
    PitchedResource pitched;
    int reserved[32];
  };
  unsigned flags;
};
enum ResourceType : int { kArrayResource, kMipmappedResource, kLinearResource, kPitchedResource };
/// cudaTextureDesc.
struct TextureDescription {
  int address_modes[3];
  int filter, read_mode, srgb;
  float border[4];
  int normalised;
  unsigned most_anisotropy;
  int mipmap_filter;
  float mipmap_bias, least_level, most_level;
  int without_trilinear, seamless_cube;
};
/// cudaResourceViewDesc.
struct ResourceView {
  int format;
  std::size_t width, height, depth;
  unsigned first_level, last_level, first_layer, last_layer;
  unsigned reserved[16];
};

/// cudaMemcpy3DParms. Widths and positions are in bytes, or in elements where an array takes part.
struct Copy3D {
  const void* source_array;
  Extent source_position;
  PitchedPointer source;
  const void* target_array;
  Extent target_position;
  PitchedPointer target;
  Extent extent;
  int kind;
};

/// cudaMemcpy3DPeerParms.
struct Copy3DPeer {
  const void* source_array;
  Extent source_position;
  PitchedPointer source;
  int source_device;
  const void* target_array;
  Extent target_position;
  PitchedPointer target;
  int target_device;
  Extent extent;
};

/// CUctxCreateParams.
struct ContextParameters {
  const void* affinities;
  int affinity_count;
  const void* graphics;
};
/// One side of CUDA_MEMCPY2D and CUDA_MEMCPY3D. `type`: CUmemorytype.
enum DriverMemoryType : int { kDriverHost = 1, kDriverDevice, kDriverArray, kDriverUnified };
struct DriverSide2D {
  std::size_t x_bytes, y;
  int type;
  void* host;
  unsigned long long device;
  void* array;
  std::size_t pitch;
};
struct DriverCopy2D {
  DriverSide2D source, target;
  std::size_t width_bytes, height;
};
struct DriverSide3D {
  std::size_t x_bytes, y, z, level;
  int type;
  void* host;
  unsigned long long device;
  void* array;
  void* reserved;
  std::size_t pitch, height;
};
struct DriverCopy3D {
  DriverSide3D source, target;
  std::size_t width_bytes, height, depth;
};

using HostFunction = void (*)(void*);
using StreamCallback = void (*)(void* stream, int status, void* data);
struct HostParameters {
  HostFunction function;
  void* data;
};
/// Parameters of a graph's nodes: cudaKernelNodeParams, cudaMemsetParams, cudaHostNodeParams.
struct KernelParameters {
  void* function;
  CudaDim3 grid, block;
  unsigned shared_bytes;
  void** arguments;
  void** extra;
};
struct FillParameters {
  void* target;
  std::size_t pitch;
  unsigned value, element_bytes;
  std::size_t width, height;
};
/// cudaMemAllocNodeParams.
struct AllocationParameters {
  PoolProperties pool;
  const void* access;
  std::size_t access_count, bytes;
  void* pointer;
};
/// cudaConditionalNodeParams.
struct ConditionalParameters {
  unsigned long long condition;
  int type;
  unsigned size;
  void** bodies;
};
enum ConditionalType : int { kIf, kWhile, kSwitch };
/// Of cudaGraphNodeParams what lies between its type and its end: one of these.
struct ChildParameters {
  void* graph;
  int ownership;  ///< Since CUDA 12.9.
};
struct CopyParameters {
  int flags, reserved[3];
  Copy3D copy;
};
struct NodeParameters {
  int type;
  int reserved[3];
  union {
    KernelParameters kernel;
    CopyParameters copy;
    FillParameters fill;
    HostParameters host;
    ChildParameters child;
    void* event;
    AllocationParameters allocation;
    void* freed;
    ConditionalParameters conditional;
    long long padding[29];
  };
  long long end;
};
/// cudaGraphEdgeData. The virtual GPU has only edges of zeros.
struct EdgeData {
  unsigned char from_port, to_port, type, rest[5];
};
inline bool IsPlain(const EdgeData* edges, std::size_t count) {
  const EdgeData plain{};
  return edges == nullptr || std::all_of(edges, edges + count, [&](const EdgeData& edge) {
           return std::memcmp(&edge, &plain, sizeof plain) == 0;
         });
}
/// cudaGraphExecUpdateResultInfo.
struct UpdateResult {
  int result;
  void *node, *from_node;
};

}  // namespace warplings::runtime
