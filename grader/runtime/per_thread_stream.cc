// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/runtime.h"

/// The functions that a program compiled with --default-stream per-thread calls. Their names end in _ptsz,
/// for which stream 0 is the calling thread's own stream, or in _ptds, which have no stream argument
/// (cuda_runtime_api.h, under CUDA_API_PER_THREAD_DEFAULT_STREAM).
using namespace warplings::runtime;

#define WARPLINGS_IMPORT extern "C" int

WARPLINGS_IMPORT cudaStreamSynchronize(void*);
WARPLINGS_IMPORT cudaStreamQuery(void*);
WARPLINGS_IMPORT cudaStreamGetPriority(void*, int*);
WARPLINGS_IMPORT cudaStreamWaitEvent(void*, void*, unsigned);
WARPLINGS_IMPORT cudaEventRecord(void*, void*);
WARPLINGS_IMPORT cudaEventRecordWithFlags(void*, void*, unsigned);
WARPLINGS_IMPORT cudaLaunchHostFunc(void*, HostFunction, void*);
WARPLINGS_IMPORT cudaStreamAddCallback(void*, StreamCallback, void*, unsigned);
WARPLINGS_IMPORT __cudaLaunchKernel(const void*, CudaDim3, CudaDim3, void**, std::size_t, void*);
WARPLINGS_IMPORT cudaLaunchKernel(const void*, CudaDim3, CudaDim3, void**, std::size_t, void*);
WARPLINGS_IMPORT cudaLaunchCooperativeKernel(const void*, CudaDim3, CudaDim3, void**, std::size_t, void*);
WARPLINGS_IMPORT cudaLaunchKernelExC(const LaunchConfig*, const void*, void**);
WARPLINGS_IMPORT cudaMallocAsync(void**, std::size_t, void*);
WARPLINGS_IMPORT cudaMallocFromPoolAsync(void**, std::size_t, void*, void*);
WARPLINGS_IMPORT cudaFreeAsync(void*, void*);
WARPLINGS_IMPORT cudaMemcpyAsync(void*, const void*, std::size_t, int, void*);
WARPLINGS_IMPORT cudaMemcpy2DAsync(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t,
                                   int, void*);
WARPLINGS_IMPORT cudaMemsetAsync(void*, int, std::size_t, void*);
WARPLINGS_IMPORT cudaMemset2DAsync(void*, std::size_t, int, std::size_t, std::size_t, void*);
WARPLINGS_IMPORT cudaMemcpy3DAsync(const Copy3D*, void*);
WARPLINGS_IMPORT cudaMemcpy3DPeerAsync(const Copy3DPeer*, void*);
WARPLINGS_IMPORT cudaMemset3DAsync(PitchedPointer, int, Extent, void*);
WARPLINGS_IMPORT cudaMemcpy2DToArrayAsync(void*, std::size_t, std::size_t, const void*, std::size_t,
                                          std::size_t, std::size_t, int, void*);
WARPLINGS_IMPORT cudaMemcpy2DFromArrayAsync(void*, std::size_t, const void*, std::size_t, std::size_t,
                                            std::size_t, std::size_t, int, void*);
WARPLINGS_IMPORT cudaMemcpyToArrayAsync(void*, std::size_t, std::size_t, const void*, std::size_t, int,
                                        void*);
WARPLINGS_IMPORT cudaMemcpyFromArrayAsync(void*, const void*, std::size_t, std::size_t, std::size_t, int,
                                          void*);
WARPLINGS_IMPORT cudaGraphLaunch(void*, void*);
WARPLINGS_IMPORT cudaGraphUpload(void*, void*);
WARPLINGS_IMPORT cudaStreamBeginCapture(void*, int);
WARPLINGS_IMPORT cudaStreamEndCapture(void*, void**);
WARPLINGS_IMPORT cudaStreamIsCapturing(void*, int*);
WARPLINGS_IMPORT cudaStreamGetFlags(void*, unsigned*);
WARPLINGS_IMPORT cudaMemcpyToSymbolAsync(const void*, const void*, std::size_t, std::size_t, int, void*);
WARPLINGS_IMPORT cudaMemcpyFromSymbolAsync(void*, const void*, std::size_t, std::size_t, int, void*);

namespace {

/// A call without a stream returns when its work on the thread's own stream is done.
int ThenWait(int status) {
  return status != 0 ? status : cudaStreamSynchronize(kPerThreadStream);
}

}  // namespace

WARPLINGS_API int cudaStreamSynchronize_ptsz(void* stream) {
  return cudaStreamSynchronize(OwnIfDefault(stream));
}
WARPLINGS_API int cudaStreamQuery_ptsz(void* stream) {
  return cudaStreamQuery(OwnIfDefault(stream));
}
WARPLINGS_API int cudaStreamGetPriority_ptsz(void* stream, int* priority) {
  return cudaStreamGetPriority(OwnIfDefault(stream), priority);
}
WARPLINGS_API int cudaStreamWaitEvent_ptsz(void* stream, void* event, unsigned flags) {
  return cudaStreamWaitEvent(OwnIfDefault(stream), event, flags);
}
WARPLINGS_API int cudaEventRecord_ptsz(void* event, void* stream) {
  return cudaEventRecord(event, OwnIfDefault(stream));
}
WARPLINGS_API int cudaEventRecordWithFlags_ptsz(void* event, void* stream, unsigned flags) {
  return cudaEventRecordWithFlags(event, OwnIfDefault(stream), flags);
}
WARPLINGS_API int cudaLaunchHostFunc_ptsz(void* stream, HostFunction function, void* data) {
  return cudaLaunchHostFunc(OwnIfDefault(stream), function, data);
}
WARPLINGS_API int cudaStreamAddCallback_ptsz(void* stream, StreamCallback callback, void* data,
                                             unsigned flags) {
  return cudaStreamAddCallback(OwnIfDefault(stream), callback, data, flags);
}
WARPLINGS_API int __cudaLaunchKernel_ptsz(const void* kernel, CudaDim3 grid, CudaDim3 block, void** arguments,
                                          std::size_t shared_bytes, void* stream) {
  return __cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, OwnIfDefault(stream));
}
WARPLINGS_API int cudaLaunchKernel_ptsz(const void* function, CudaDim3 grid, CudaDim3 block, void** arguments,
                                        std::size_t shared_bytes, void* stream) {
  return cudaLaunchKernel(function, grid, block, arguments, shared_bytes, OwnIfDefault(stream));
}
WARPLINGS_API int cudaLaunchCooperativeKernel_ptsz(const void* function, CudaDim3 grid, CudaDim3 block,
                                                   void** arguments, std::size_t shared_bytes, void* stream) {
  return cudaLaunchCooperativeKernel(function, grid, block, arguments, shared_bytes, OwnIfDefault(stream));
}
WARPLINGS_API int cudaLaunchKernelExC_ptsz(const LaunchConfig* config, const void* function,
                                           void** arguments) {
  if (config == nullptr) return cudaLaunchKernelExC(config, function, arguments);
  LaunchConfig own = *config;
  own.stream = OwnIfDefault(config->stream);
  return cudaLaunchKernelExC(&own, function, arguments);
}
WARPLINGS_API int cudaMallocAsync_ptsz(void** pointer, std::size_t bytes, void* stream) {
  return cudaMallocAsync(pointer, bytes, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMallocFromPoolAsync_ptsz(void** pointer, std::size_t bytes, void* pool, void* stream) {
  return cudaMallocFromPoolAsync(pointer, bytes, pool, OwnIfDefault(stream));
}
WARPLINGS_API int cudaFreeAsync_ptsz(void* pointer, void* stream) {
  return cudaFreeAsync(pointer, OwnIfDefault(stream));
}

WARPLINGS_API int cudaMemcpyAsync_ptsz(void* target, const void* source, std::size_t bytes, int kind,
                                       void* stream) {
  return cudaMemcpyAsync(target, source, bytes, kind, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemcpy_ptds(void* target, const void* source, std::size_t bytes, int kind) {
  return ThenWait(cudaMemcpyAsync(target, source, bytes, kind, kPerThreadStream));
}
WARPLINGS_API int cudaMemcpy2DAsync_ptsz(void* target, std::size_t target_pitch, const void* source,
                                         std::size_t source_pitch, std::size_t width_bytes,
                                         std::size_t height, int kind, void* stream) {
  return cudaMemcpy2DAsync(target, target_pitch, source, source_pitch, width_bytes, height, kind,
                           OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemcpy2D_ptds(void* target, std::size_t target_pitch, const void* source,
                                    std::size_t source_pitch, std::size_t width_bytes, std::size_t height,
                                    int kind) {
  return ThenWait(cudaMemcpy2DAsync(target, target_pitch, source, source_pitch, width_bytes, height, kind,
                                    kPerThreadStream));
}
WARPLINGS_API int cudaMemsetAsync_ptsz(void* target, int value, std::size_t bytes, void* stream) {
  return cudaMemsetAsync(target, value, bytes, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemset_ptds(void* target, int value, std::size_t bytes) {
  return cudaMemsetAsync(target, value, bytes, kPerThreadStream);
}
WARPLINGS_API int cudaMemset2DAsync_ptsz(void* target, std::size_t pitch, int value, std::size_t width_bytes,
                                         std::size_t height, void* stream) {
  return cudaMemset2DAsync(target, pitch, value, width_bytes, height, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemset2D_ptds(void* target, std::size_t pitch, int value, std::size_t width_bytes,
                                    std::size_t height) {
  return cudaMemset2DAsync(target, pitch, value, width_bytes, height, kPerThreadStream);
}
WARPLINGS_API int cudaMemcpyToSymbolAsync_ptsz(const void* symbol, const void* source, std::size_t bytes,
                                               std::size_t offset, int kind, void* stream) {
  return cudaMemcpyToSymbolAsync(symbol, source, bytes, offset, kind, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemcpyToSymbol_ptds(const void* symbol, const void* source, std::size_t bytes,
                                          std::size_t offset, int kind) {
  return ThenWait(cudaMemcpyToSymbolAsync(symbol, source, bytes, offset, kind, kPerThreadStream));
}
WARPLINGS_API int cudaMemcpyFromSymbolAsync_ptsz(void* target, const void* symbol, std::size_t bytes,
                                                 std::size_t offset, int kind, void* stream) {
  return cudaMemcpyFromSymbolAsync(target, symbol, bytes, offset, kind, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemcpyFromSymbol_ptds(void* target, const void* symbol, std::size_t bytes,
                                            std::size_t offset, int kind) {
  return ThenWait(cudaMemcpyFromSymbolAsync(target, symbol, bytes, offset, kind, kPerThreadStream));
}
WARPLINGS_API int cudaMemcpy3DAsync_ptsz(const Copy3D* parameters, void* stream) {
  return cudaMemcpy3DAsync(parameters, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemcpy3D_ptds(const Copy3D* parameters) {
  return ThenWait(cudaMemcpy3DAsync(parameters, kPerThreadStream));
}
WARPLINGS_API int cudaMemcpy3DPeerAsync_ptsz(const Copy3DPeer* parameters, void* stream) {
  return cudaMemcpy3DPeerAsync(parameters, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemcpy3DPeer_ptds(const Copy3DPeer* parameters) {
  return ThenWait(cudaMemcpy3DPeerAsync(parameters, kPerThreadStream));
}
WARPLINGS_API int cudaMemset3DAsync_ptsz(PitchedPointer target, int value, Extent extent, void* stream) {
  return cudaMemset3DAsync(target, value, extent, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemset3D_ptds(PitchedPointer target, int value, Extent extent) {
  return cudaMemset3DAsync(target, value, extent, kPerThreadStream);
}

WARPLINGS_API int cudaMemcpy2DToArrayAsync_ptsz(void* target, std::size_t x, std::size_t y,
                                                const void* source, std::size_t pitch, std::size_t width,
                                                std::size_t height, int kind, void* stream) {
  return cudaMemcpy2DToArrayAsync(target, x, y, source, pitch, width, height, kind, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemcpy2DToArray_ptds(void* target, std::size_t x, std::size_t y, const void* source,
                                           std::size_t pitch, std::size_t width, std::size_t height,
                                           int kind) {
  return ThenWait(
      cudaMemcpy2DToArrayAsync(target, x, y, source, pitch, width, height, kind, kPerThreadStream));
}
WARPLINGS_API int cudaMemcpy2DFromArrayAsync_ptsz(void* target, std::size_t pitch, const void* source,
                                                  std::size_t x, std::size_t y, std::size_t width,
                                                  std::size_t height, int kind, void* stream) {
  return cudaMemcpy2DFromArrayAsync(target, pitch, source, x, y, width, height, kind, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemcpy2DFromArray_ptds(void* target, std::size_t pitch, const void* source,
                                             std::size_t x, std::size_t y, std::size_t width,
                                             std::size_t height, int kind) {
  return ThenWait(
      cudaMemcpy2DFromArrayAsync(target, pitch, source, x, y, width, height, kind, kPerThreadStream));
}
WARPLINGS_API int cudaMemcpyToArrayAsync_ptsz(void* target, std::size_t x, std::size_t y, const void* source,
                                              std::size_t bytes, int kind, void* stream) {
  return cudaMemcpyToArrayAsync(target, x, y, source, bytes, kind, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemcpyToArray_ptds(void* target, std::size_t x, std::size_t y, const void* source,
                                         std::size_t bytes, int kind) {
  return ThenWait(cudaMemcpyToArrayAsync(target, x, y, source, bytes, kind, kPerThreadStream));
}
WARPLINGS_API int cudaMemcpyFromArrayAsync_ptsz(void* target, const void* source, std::size_t x,
                                                std::size_t y, std::size_t bytes, int kind, void* stream) {
  return cudaMemcpyFromArrayAsync(target, source, x, y, bytes, kind, OwnIfDefault(stream));
}
WARPLINGS_API int cudaMemcpyFromArray_ptds(void* target, const void* source, std::size_t x, std::size_t y,
                                           std::size_t bytes, int kind) {
  return ThenWait(cudaMemcpyFromArrayAsync(target, source, x, y, bytes, kind, kPerThreadStream));
}

WARPLINGS_API int cudaGraphLaunch_ptsz(void* graph, void* stream) {
  return cudaGraphLaunch(graph, OwnIfDefault(stream));
}
WARPLINGS_API int cudaGraphUpload_ptsz(void* graph, void* stream) {
  return cudaGraphUpload(graph, OwnIfDefault(stream));
}
WARPLINGS_API int cudaStreamBeginCapture_ptsz(void* stream, int mode) {
  return cudaStreamBeginCapture(OwnIfDefault(stream), mode);
}
WARPLINGS_API int cudaStreamEndCapture_ptsz(void* stream, void** graph) {
  return cudaStreamEndCapture(OwnIfDefault(stream), graph);
}
WARPLINGS_API int cudaStreamIsCapturing_ptsz(void* stream, int* status) {
  return cudaStreamIsCapturing(OwnIfDefault(stream), status);
}
WARPLINGS_API int cudaStreamGetFlags_ptsz(void* stream, unsigned* flags) {
  return cudaStreamGetFlags(OwnIfDefault(stream), flags);
}
