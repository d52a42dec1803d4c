// SPDX-License-Identifier: Apache-2.0
// Just enough of a CUDA runtime to link a test submission. Nothing here ever runs.
#define FAKE(name)        \
  extern "C" int name() { \
    return 1;             \
  }

FAKE(__cudaGetKernel)
FAKE(__cudaInitModule)
FAKE(__cudaLaunchKernel)
FAKE(__cudaPopCallConfiguration)
FAKE(__cudaPushCallConfiguration)
FAKE(__cudaRegisterFatBinary)
FAKE(__cudaRegisterFatBinaryEnd)
FAKE(__cudaRegisterFunction)
FAKE(__cudaUnregisterFatBinary)
FAKE(cudaDeviceSynchronize)
FAKE(cudaFree)
FAKE(cudaGetErrorString)
FAKE(cudaGetLastError)
FAKE(cudaLaunchKernel)
FAKE(cudaMalloc)
FAKE(cudaMemcpy)
FAKE(cudaPeekAtLastError)
FAKE(cudaSetDevice)
