// SPDX-License-Identifier: Apache-2.0
// Wrong calls about arrays, textures and surfaces, a handle that is none, and an object that is destroyed.
// Prints one line for each expectation that does not hold, and at the end "right".
#include <cstdio>
#include <cstring>

#include "expect.h"

namespace {

__global__ void Fetch(cudaTextureObject_t texture, float* out) {
  *out = tex2D<float>(texture, 0.5f, 0.5f);
}
__global__ void Store(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, 400, 0);
}

cudaResourceDesc Array(cudaArray_t array) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
cudaTextureDesc How() {
  cudaTextureDesc how;
  std::memset(&how, 0, sizeof how);
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
  return how;
}

const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>(), ints = cudaCreateChannelDesc<int>();

void Arrays(cudaArray_t array) {
  cudaArray_t none = nullptr;
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  const cudaChannelFormatDesc odd = cudaCreateChannelDesc(-8, 99, 0, 7, static_cast<cudaChannelFormatKind>(77));
  FAILS(cudaMallocArray(&none, &three, 8, 8), cudaErrorInvalidChannelDescriptor);
  FAILS(cudaMallocArray(&none, &odd, 8, 8), cudaErrorInvalidChannelDescriptor);
  FAILS(cudaMallocArray(&none, &floats, 0, 8), cudaErrorInvalidValue);
  FAILS(cudaMallocArray(&none, &floats, 1 << 20, 8), cudaErrorInvalidValue);
  FAILS(cudaMallocArray(&none, &floats, ~std::size_t{0}, ~std::size_t{0}), cudaErrorInvalidValue);
  FAILS(cudaMallocArray(nullptr, &floats, 8, 8), cudaErrorInvalidValue);
  FAILS(cudaMallocArray(&none, nullptr, 8, 8), cudaErrorInvalidValue);
  FAILS(cudaMalloc3DArray(&none, &floats, make_cudaExtent(8, 4, 6), cudaArrayCubemap), cudaErrorInvalidValue);
  FAILS(cudaMalloc3DArray(&none, &floats, make_cudaExtent(8, 8, 5), cudaArrayCubemap), cudaErrorInvalidValue);
  FAILS(cudaMalloc3DArray(&none, &floats, make_cudaExtent(8, 8, 0), cudaArrayLayered), cudaErrorInvalidValue);
  FAILS(cudaMalloc3DArray(&none, &floats, make_cudaExtent(8, 0, 4), 0), cudaErrorInvalidValue);
  EXPECT(none == nullptr);
  OK(cudaFreeArray(nullptr));
  char host[1024] = {};
  const auto in = cudaMemcpyHostToDevice;
  FAILS(cudaMemcpy2DToArray(array, 4, 0, host, 64, 32, 1, in), cudaErrorInvalidValue);
  FAILS(cudaMemcpy2DToArray(array, 0, 7, host, 64, 32, 2, in), cudaErrorInvalidValue);
  FAILS(cudaMemcpy2DToArray(array, ~std::size_t{0}, ~std::size_t{0}, host, 64, 32, 1, in), cudaErrorInvalidValue);
  FAILS(cudaMemcpy2DToArray(array, 0, 0, host, 16, 32, 2, in), cudaErrorInvalidPitchValue);
  FAILS(cudaMemcpy2DToArray(array, 0, 0, nullptr, 64, 32, 1, in), cudaErrorInvalidValue);
  EXPECT(cudaMemcpy2DToArray(reinterpret_cast<cudaArray_t>(host), 0, 0, host, 64, 32, 1, in) != cudaSuccess);
  cudaGetLastError();
  cudaMemcpy3DParms both;
  std::memset(&both, 0, sizeof both);
  both.srcPtr = make_cudaPitchedPtr(host, 32, 8, 8);
  both.dstArray = array;
  both.dstPtr = make_cudaPitchedPtr(host, 32, 8, 8);
  both.extent = make_cudaExtent(8, 8, 1);
  both.kind = in;
  FAILS(cudaMemcpy3D(&both), cudaErrorInvalidValue);
  both.dstPtr.ptr = nullptr;
  OK(cudaMemcpy3D(&both));
  both.extent.width = ~std::size_t{0} / 2;
  FAILS(cudaMemcpy3D(&both), cudaErrorInvalidValue);
}

void Textures(cudaArray_t array, cudaArray_t whole) {
  cudaTextureObject_t texture = 0;
  cudaResourceDesc resource = Array(array);
  cudaTextureDesc how = How();
  FAILS(cudaCreateTextureObject(nullptr, &resource, &how, nullptr), cudaErrorInvalidValue);
  FAILS(cudaCreateTextureObject(&texture, nullptr, &how, nullptr), cudaErrorInvalidValue);
  FAILS(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr), cudaErrorInvalidValue);
  how.addressMode[1] = static_cast<cudaTextureAddressMode>(9);
  FAILS(cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaErrorInvalidValue);
  how = How();
  how.filterMode = static_cast<cudaTextureFilterMode>(-3);
  FAILS(cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaErrorInvalidValue);
  how = How();
  resource = Array(reinterpret_cast<cudaArray_t>(&how));
  FAILS(cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaErrorInvalidValue);
  resource = Array(whole);
  how.filterMode = cudaFilterModeLinear;
  FAILS(cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaErrorInvalidFilterSetting);
  how = How();
  how.readMode = cudaReadModeNormalizedFloat;
  FAILS(cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaErrorInvalidNormSetting);
  how = How();
  resource.resType = static_cast<cudaResourceType>(9);
  FAILS(cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaErrorInvalidValue);
  resource.resType = cudaResourceTypeMipmappedArray;
  FAILS(cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaErrorNotSupported);
  float* memory = nullptr;
  OK(cudaMalloc(&memory, 4096));
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory + 1;
  resource.res.linear.desc = floats;
  resource.res.linear.sizeInBytes = 64;
  FAILS(cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaErrorInvalidValue);
  resource.res.linear.devPtr = memory;
  resource.res.linear.sizeInBytes = 0;
  FAILS(cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaErrorInvalidValue);
  resource.res.linear.sizeInBytes = std::size_t{1} << 40;
  FAILS(cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaErrorInvalidValue);
  EXPECT(texture == 0);
  OK(cudaFree(memory));
  std::size_t width = 0;
  OK(cudaDeviceGetTexture1DLinearMaxWidth(&width, &floats, 0));
  EXPECT(width >= 1 << 27);
  FAILS(cudaDeviceGetTexture1DLinearMaxWidth(&width, &floats, 7), cudaErrorInvalidDevice);
  cudaSurfaceObject_t surface = 0;
  resource = Array(whole);
  FAILS(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
  OK(cudaDestroyTextureObject(0));
  FAILS(cudaDestroyTextureObject(12345), cudaErrorInvalidValue);
  resource = Array(array);
  OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  FAILS(cudaDestroySurfaceObject(texture), cudaErrorInvalidValue);
  cudaTextureDesc told;
  cudaResourceDesc of;
  OK(cudaGetTextureObjectTextureDesc(&told, texture));
  OK(cudaGetTextureObjectResourceDesc(&of, texture));
  EXPECT(told.addressMode[0] == cudaAddressModeClamp && of.res.array.array == array);
  OK(cudaDestroyTextureObject(texture));
  FAILS(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
  FAILS(cudaGetTextureObjectTextureDesc(&told, texture), cudaErrorInvalidValue);
}

/// Kernels with handles that are none, one by one: the first ends what the device does.
int Kernel(const char* which) {
  cudaArray_t array = nullptr;
  OK(cudaMallocArray(&array, &floats, 8, 8, cudaArraySurfaceLoadStore));
  const cudaResourceDesc resource = Array(array);
  const cudaTextureDesc how = How();
  float* out = nullptr;
  OK(cudaMalloc(&out, 4));
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  cudaSurfaceObject_t surface = 0;
  OK(cudaCreateSurfaceObject(&surface, &resource));
  if (std::strcmp(which, "destroyed") == 0) {
    OK(cudaDestroyTextureObject(texture));
    Fetch<<<1, 1>>>(texture, out);
  } else if (std::strcmp(which, "forged") == 0) {
    Fetch<<<1, 1>>>(reinterpret_cast<cudaTextureObject_t>(out), out);
  } else if (std::strcmp(which, "unset") == 0) {
    Fetch<<<1, 1>>>(texture, out);
  } else {
    Store<<<1, 1>>>(surface);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) return Kernel(argv[1]);
  cudaArray_t array = nullptr, whole = nullptr;
  OK(cudaMallocArray(&array, &floats, 8, 8));
  OK(cudaMallocArray(&whole, &ints, 8, 8));
  Arrays(array);
  Textures(array, whole);
  OK(cudaFreeArray(array));
  FAILS(cudaFreeArray(array), cudaErrorInvalidValue);
  OK(cudaFreeArray(whole));
  if (failed == 0) std::printf("right\n");
  return failed != 0;
}
