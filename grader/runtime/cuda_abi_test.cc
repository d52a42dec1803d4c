// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/cuda_abi.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "grader/runtime/device_properties.h"

/// Compares this runtime's declarations of NVIDIA's types with the headers of the toolkit that was found.
namespace warplings::runtime {
namespace {

static_assert(sizeof(FuncAttributes) == sizeof(cudaFuncAttributes));
static_assert(offsetof(FuncAttributes, registers) == offsetof(cudaFuncAttributes, numRegs));
static_assert(offsetof(FuncAttributes, binary_version) == offsetof(cudaFuncAttributes, binaryVersion));
static_assert(offsetof(FuncAttributes, preferred_shared_carveout) ==
              offsetof(cudaFuncAttributes, preferredShmemCarveout));
static_assert(sizeof(PointerAttributes) <= sizeof(cudaPointerAttributes));
static_assert(offsetof(PointerAttributes, host_pointer) == offsetof(cudaPointerAttributes, hostPointer));
static_assert(sizeof(LaunchConfig) == sizeof(cudaLaunchConfig_t));
static_assert(offsetof(LaunchConfig, attributes) == offsetof(cudaLaunchConfig_t, attrs));
static_assert(sizeof(LaunchAttribute) == sizeof(cudaLaunchAttribute));
static_assert(offsetof(LaunchAttribute, value) == offsetof(cudaLaunchAttribute, val));
static_assert(sizeof(MemoryLocation) == sizeof(cudaMemLocation));
static_assert(sizeof(ChannelDescription) == sizeof(cudaChannelFormatDesc));
static_assert(sizeof(ResourceDescription) == sizeof(cudaResourceDesc));
static_assert(offsetof(ResourceDescription, linear.bytes) ==
              offsetof(cudaResourceDesc, res.linear.sizeInBytes));
static_assert(offsetof(ResourceDescription, pitched.pitch) ==
              offsetof(cudaResourceDesc, res.pitch2D.pitchInBytes));
static_assert(offsetof(ResourceDescription, flags) == offsetof(cudaResourceDesc, flags));
static_assert(sizeof(TextureDescription) == sizeof(cudaTextureDesc));
static_assert(offsetof(TextureDescription, border) == offsetof(cudaTextureDesc, borderColor));
static_assert(offsetof(TextureDescription, seamless_cube) == offsetof(cudaTextureDesc, seamlessCubemap));
static_assert(sizeof(ResourceView) == sizeof(cudaResourceViewDesc));
static_assert(sizeof(Copy3DPeer) == sizeof(cudaMemcpy3DPeerParms));
static_assert(offsetof(Copy3DPeer, target) == offsetof(cudaMemcpy3DPeerParms, dstPtr));
static_assert(offsetof(Copy3DPeer, extent) == offsetof(cudaMemcpy3DPeerParms, extent));
static_assert(sizeof(Copy3D) == sizeof(cudaMemcpy3DParms));
static_assert(offsetof(Copy3D, target) == offsetof(cudaMemcpy3DParms, dstPtr));
static_assert(offsetof(Copy3D, kind) == offsetof(cudaMemcpy3DParms, kind));
static_assert(sizeof(KernelParameters) == sizeof(cudaKernelNodeParams));
static_assert(offsetof(KernelParameters, arguments) == offsetof(cudaKernelNodeParams, kernelParams));
static_assert(sizeof(FillParameters) == sizeof(cudaMemsetParams));
static_assert(offsetof(FillParameters, width) == offsetof(cudaMemsetParams, width));
static_assert(sizeof(HostParameters) == sizeof(cudaHostNodeParams));
static_assert(sizeof(AllocationParameters) == sizeof(cudaMemAllocNodeParams));
static_assert(offsetof(AllocationParameters, pointer) == offsetof(cudaMemAllocNodeParams, dptr));
static_assert(sizeof(NodeParameters) == sizeof(cudaGraphNodeParams));
static_assert(offsetof(NodeParameters, kernel) == offsetof(cudaGraphNodeParams, kernel));
static_assert(offsetof(NodeParameters, copy.copy) == offsetof(cudaGraphNodeParams, memcpy.copyParams));
static_assert(offsetof(NodeParameters, end) == offsetof(cudaGraphNodeParams, reserved2));
static_assert(sizeof(EdgeData) == sizeof(cudaGraphEdgeData));
static_assert(sizeof(UpdateResult) == sizeof(cudaGraphExecUpdateResultInfo));
static_assert(sizeof(PoolProperties) == sizeof(cudaMemPoolProps));
static_assert(offsetof(PoolProperties, location) == offsetof(cudaMemPoolProps, location));
static_assert(offsetof(PoolProperties, security) == offsetof(cudaMemPoolProps, win32SecurityAttributes));
static_assert(kPinnedAllocations == static_cast<int>(cudaMemAllocationTypePinned));
static_assert(kOnDevice == static_cast<int>(cudaMemLocationTypeDevice));
static_assert(sizeof(PitchedPointer) == sizeof(cudaPitchedPtr) && sizeof(Extent) == sizeof(cudaExtent));
static_assert(sizeof(CudaDim3) == sizeof(dim3));
static_assert(kAttributeCooperative == static_cast<int>(cudaLaunchAttributeCooperative));
static_assert(kAttributeClusterDimension == static_cast<int>(cudaLaunchAttributeClusterDimension));
static_assert(kDefaultKind == static_cast<int>(cudaMemcpyDefault));
static_assert(kManagedMemory == static_cast<int>(cudaMemoryTypeManaged));
// The driver API.
static_assert(sizeof(CUdeviceptr) == sizeof(unsigned long long) && sizeof(CUdeviceptr) == sizeof(void*));
static_assert(sizeof(DriverLaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(DriverLaunchConfig, shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(DriverLaunchConfig, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(DriverLaunchConfig, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(LaunchAttribute) == sizeof(CUlaunchAttribute));
#if CUDA_VERSION >= 13000
static_assert(sizeof(ContextParameters) == sizeof(CUctxCreateParams));
static_assert(offsetof(ContextParameters, graphics) == offsetof(CUctxCreateParams, cigParams));
#endif
static_assert(sizeof(DriverCopy2D) == sizeof(CUDA_MEMCPY2D));
static_assert(offsetof(DriverCopy2D, source.pitch) == offsetof(CUDA_MEMCPY2D, srcPitch));
static_assert(offsetof(DriverCopy2D, target.device) == offsetof(CUDA_MEMCPY2D, dstDevice));
static_assert(offsetof(DriverCopy2D, width_bytes) == offsetof(CUDA_MEMCPY2D, WidthInBytes));
static_assert(sizeof(DriverCopy3D) == sizeof(CUDA_MEMCPY3D));
static_assert(offsetof(DriverCopy3D, source.height) == offsetof(CUDA_MEMCPY3D, srcHeight));
static_assert(offsetof(DriverCopy3D, target.device) == offsetof(CUDA_MEMCPY3D, dstDevice));
static_assert(offsetof(DriverCopy3D, depth) == offsetof(CUDA_MEMCPY3D, Depth));
static_assert(kDriverHost == static_cast<int>(CU_MEMORYTYPE_HOST));
static_assert(kDriverUnified == static_cast<int>(CU_MEMORYTYPE_UNIFIED));
static_assert(kAttributeCooperative == static_cast<int>(CU_LAUNCH_ATTRIBUTE_COOPERATIVE));
static_assert(static_cast<int>(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) == cudaDevAttrMultiProcessorCount);
static_assert(static_cast<int>(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) ==
              cudaDevAttrMemoryPoolsSupported);
static_assert(static_cast<int>(CU_LIMIT_MALLOC_HEAP_SIZE) == cudaLimitMallocHeapSize);
#if CUDART_VERSION >= 13000
constexpr int kMajor = 13;
static_assert(sizeof(cudaDeviceProp) == kDevicePropertiesBytes13);
#else
constexpr int kMajor = 12;
static_assert(sizeof(cudaDeviceProp) == kDevicePropertiesBytes12);
#endif

#define FIELD(name) \
  { #name, static_cast < int>(offsetof(cudaDeviceProp, name)) }

TEST(DeviceProperties, LieWhereTheToolkitsHeadersSay) {
  const std::map<std::string, int> theirs = {
    FIELD(totalGlobalMem),
    FIELD(sharedMemPerBlock),
    FIELD(regsPerBlock),
    FIELD(warpSize),
    FIELD(memPitch),
    FIELD(maxThreadsPerBlock),
    FIELD(maxThreadsDim),
    FIELD(maxThreadsDim[1]),
    FIELD(maxThreadsDim[2]),
    FIELD(maxGridSize),
    FIELD(maxGridSize[1]),
    FIELD(maxGridSize[2]),
    FIELD(totalConstMem),
    FIELD(major),
    FIELD(minor),
    FIELD(textureAlignment),
    FIELD(texturePitchAlignment),
    FIELD(multiProcessorCount),
    FIELD(integrated),
    FIELD(canMapHostMemory),
    FIELD(surfaceAlignment),
    FIELD(concurrentKernels),
    FIELD(pciBusID),
    FIELD(asyncEngineCount),
    FIELD(unifiedAddressing),
    FIELD(memoryBusWidth),
    FIELD(l2CacheSize),
    FIELD(maxThreadsPerMultiProcessor),
    FIELD(streamPrioritiesSupported),
    FIELD(globalL1CacheSupported),
    FIELD(localL1CacheSupported),
    FIELD(sharedMemPerMultiprocessor),
    FIELD(regsPerMultiprocessor),
    FIELD(managedMemory),
    FIELD(concurrentManagedAccess),
    FIELD(computePreemptionSupported),
    FIELD(cooperativeLaunch),
    FIELD(sharedMemPerBlockOptin),
    FIELD(maxBlocksPerMultiProcessor),
    FIELD(reservedSharedMemPerBlock),
    FIELD(memoryPoolsSupported),
#if CUDART_VERSION < 13000
    FIELD(clockRate),
    FIELD(deviceOverlap),
    FIELD(memoryClockRate),
    FIELD(singleToDoublePrecisionPerfRatio),
#endif
  };
  std::size_t compared = 0;
  for (const PropertyField& field : PropertyFields()) {
    int ours = kMajor >= 13 ? field.offset13 : field.offset12;
    if (ours < 0) continue;
    ASSERT_TRUE(theirs.contains(field.name)) << field.name;
    EXPECT_EQ(ours, theirs.at(field.name)) << field.name;
    ++compared;
  }
  EXPECT_EQ(compared, theirs.size());
}

TEST(DeviceProperties, ReadAsTheProfile) {
  cudaDeviceProp properties;
  const DeviceProfile& a100 = *FindDeviceProfile("a100");
  WriteDeviceProperties(a100, 0, kMajor, std::as_writable_bytes(std::span(&properties, 1)));
  EXPECT_STREQ(properties.name, "NVIDIA A100-SXM4-40GB");
  EXPECT_EQ(properties.sharedMemPerMultiprocessor, 164u << 10);
  EXPECT_EQ(properties.multiProcessorCount, 108);
  EXPECT_EQ(properties.ECCEnabled, 0);
}

TEST(DeviceAttribute, AgreesWithTheProperties) {
  const DeviceProfile& t4 = *FindDeviceProfile("t4");
  EXPECT_EQ(DeviceAttribute(t4, 0, cudaDevAttrComputeCapabilityMajor), 7);
  EXPECT_EQ(DeviceAttribute(t4, 0, cudaDevAttrClockRate), 1'590'000);
  EXPECT_EQ(DeviceAttribute(t4, 0, cudaDevAttrMaxBlocksPerMultiprocessor), 16);
  EXPECT_EQ(DeviceAttribute(t4, 0, cudaDevAttrReservedSharedMemoryPerBlock), 0);
  EXPECT_EQ(DeviceAttribute(t4, 0, cudaDevAttrEccEnabled), 0) << "an attribute without a row";
  EXPECT_FALSE(DeviceAttribute(t4, 0, 0).has_value());
  EXPECT_FALSE(DeviceAttribute(t4, 0, 100000).has_value());
}

}  // namespace
}  // namespace warplings::runtime
