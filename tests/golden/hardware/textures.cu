// SPDX-License-Identifier: Apache-2.0
// What the documentation of textures leaves open: how a card rounds the fractions of a filtered fetch, which
// values channels have that a texture lacks, which face of a cube an edge belongs to, and the errors of wrong
// calls. Prints one line for each question, with the bits of the values.
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void Sweep1D(cudaTextureObject_t texture, float first, float step, float4* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex1D<float4>(texture, first + i * step);
}
__global__ void Sweep2D(cudaTextureObject_t texture, float first, float step, float4* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex2D<float4>(texture, first + (i * 37 % 101) * step, first + (i * 53 % 97) * step);
}
__global__ void Whole(cudaTextureObject_t texture, uint4* out, int first, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = tex1Dfetch<uint4>(texture, first + i);
}
__global__ void CubeAt(cudaTextureObject_t texture, const float* directions, float4* out, int count) {
  const int i = threadIdx.x;
  if (i < count)
    out[i] = texCubemap<float4>(texture, directions[3 * i], directions[3 * i + 1], directions[3 * i + 2]);
}
__global__ void LayersAt(cudaTextureObject_t texture, float4* out) {
  out[threadIdx.x] = tex1DLayered<float4>(texture, 0.5f, int(threadIdx.x) - 2);
}

void PrintBits(const char* name, const void* values, int count, int every = 1) {
  const auto* words = static_cast<const unsigned*>(values);
  std::printf("%s:", name);
  for (int i = 0; i < count; i += every) std::printf(" %08x", words[i]);
  std::printf("\n");
}

cudaTextureDesc How(cudaTextureAddressMode mode, cudaTextureFilterMode filter, cudaTextureReadMode read,
                    bool normalised) {
  cudaTextureDesc how;
  std::memset(&how, 0, sizeof how);
  for (auto& axis : how.addressMode) axis = mode;
  how.filterMode = filter;
  how.readMode = read;
  how.normalizedCoords = normalised;
  for (int c = 0; c < 4; ++c) how.borderColor[c] = 5.0f + c;
  return how;
}
cudaResourceDesc Array(cudaArray_t array) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}
template <class T>
cudaArray_t Filled(const std::vector<T>& values, int width, int height, int depth, unsigned flags = 0) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  cudaMalloc3DArray(&array, &channels, make_cudaExtent(width, height, depth), flags);
  cudaMemcpy3DParms copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcPtr =
      make_cudaPitchedPtr(const_cast<T*>(values.data()), width * sizeof(T), width, height ? height : 1);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height ? height : 1, depth ? depth : 1);
  copy.kind = cudaMemcpyHostToDevice;
  const cudaError_t copied = cudaMemcpy3D(&copy);
  if (copied != cudaSuccess) std::printf("copy: %s\n", cudaGetErrorName(copied));
  return array;
}
cudaTextureObject_t Make(const cudaResourceDesc& resource, const cudaTextureDesc& how) {
  cudaTextureObject_t texture = 0;
  const cudaError_t made = cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  if (made != cudaSuccess) std::printf("texture: %s\n", cudaGetErrorName(made));
  return texture;
}

template <class Launch>
void Print(const char* name, int values, int every, Launch launch) {
  float4* out = nullptr;
  cudaMalloc(&out, values * sizeof(float4));
  launch(out);
  std::vector<float4> got(values);
  const cudaError_t copied = cudaMemcpy(got.data(), out, values * sizeof(float4), cudaMemcpyDeviceToHost);
  if (copied != cudaSuccess) std::printf("%s: %s\n", name, cudaGetErrorName(copied));
  PrintBits(name, got.data(), values * 4, every);
  cudaFree(out);
}

void Say(const char* what, cudaError_t status) {
  std::printf("%s: %s\n", what, cudaGetErrorName(status));
  cudaGetLastError();
}

void Filters() {
  const auto clamp = cudaAddressModeClamp, wrap = cudaAddressModeWrap, mirror = cudaAddressModeMirror,
             border = cudaAddressModeBorder;
  const auto linear = cudaFilterModeLinear, point = cudaFilterModePoint;
  const auto element = cudaReadModeElementType, fraction = cudaReadModeNormalizedFloat;
  cudaArray_t step = Filled<float>({0, 256}, 2, 0, 0);
  Print("fraction of 1/2048 steps", 65, 4, [&](float4* out) {
    Sweep1D<<<1, 128>>>(Make(Array(step), How(clamp, linear, element, false)), 0.5f, 1.0f / 2048, out, 65);
  });
  Print("fraction before the last texel", 65, 4, [&](float4* out) {
    Sweep1D<<<1, 128>>>(Make(Array(step), How(clamp, linear, element, false)), 1.5f - 64.0f / 2048,
                        1.0f / 2048, out, 65);
  });
  Print("channels of one float", 1, 1, [&](float4* out) {
    Sweep1D<<<1, 1>>>(Make(Array(step), How(clamp, point, element, false)), 0.5f, 0, out, 1);
  });
  for (auto mode : {clamp, wrap, mirror, border}) {
    std::printf("mode %d, ", mode);
    Print("points", 64, 4, [&](float4* out) {
      Sweep1D<<<1, 64>>>(Make(Array(step), How(mode, point, element, true)), -2.0f, 1.0f / 16, out, 64);
    });
    std::printf("mode %d, ", mode);
    Print("points not normalised", 64, 4, [&](float4* out) {
      Sweep1D<<<1, 64>>>(Make(Array(step), How(mode, point, element, false)), -4.0f, 1.0f / 8, out, 64);
    });
    std::printf("mode %d, ", mode);
    Print("filtered", 64, 4, [&](float4* out) {
      Sweep1D<<<1, 64>>>(Make(Array(step), How(mode, linear, element, true)), -2.0f, 1.0f / 16, out, 64);
    });
  }
  std::vector<float> noise(64);
  unsigned seed = 3;
  for (float& each : noise) each = float((seed = seed * 1664525u + 1013904223u) >> 8) / 7.0f;
  cudaArray_t plane = Filled(noise, 8, 8, 0);
  Print("2d filtered", 96, 4, [&](float4* out) {
    Sweep2D<<<1, 96>>>(Make(Array(plane), How(clamp, linear, element, false)), -0.3f, 0.0917f, out, 96);
  });
  std::vector<uchar4> bytes(16);
  for (int i = 0; i < 16; ++i) bytes[i] = make_uchar4(i * 16, 255 - i, i, 1);
  cudaArray_t pixels = Filled(bytes, 4, 4, 0);
  Print("bytes as fractions, filtered", 32, 1, [&](float4* out) {
    Sweep2D<<<1, 32>>>(Make(Array(pixels), How(clamp, linear, fraction, false)), 0.3f, 0.0317f, out, 32);
  });
}

void OpenQuestions() {
  const auto clamp = cudaAddressModeClamp;
  const auto point = cudaFilterModePoint;
  const auto element = cudaReadModeElementType;
  unsigned* words = nullptr;
  cudaMalloc(&words, 512);
  const unsigned four[] = {11, 22, 33, 44};
  cudaMemset(words, 0x5a, 512);
  cudaMemcpy(words, four, sizeof four, cudaMemcpyHostToDevice);
  cudaResourceDesc linear;
  std::memset(&linear, 0, sizeof linear);
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = words;
  linear.res.linear.desc = cudaCreateChannelDesc<unsigned>();
  linear.res.linear.sizeInBytes = sizeof four;
  uint4* out = nullptr;
  cudaMalloc(&out, 8 * sizeof(uint4));
  Whole<<<1, 8>>>(Make(linear, How(clamp, point, element, false)), out, -2, 8);
  std::vector<uint4> got(8);
  cudaMemcpy(got.data(), out, 8 * sizeof(uint4), cudaMemcpyDeviceToHost);
  PrintBits("whole words, from -2 to 5, all channels", got.data(), 32);

  std::vector<float> faces(24);
  for (int i = 0; i < 24; ++i) faces[i] = float(i);
  cudaArray_t cube = Filled(faces, 2, 2, 6, cudaArrayCubemap);
  const float directions[] = {1, 1,  0, 1, 0,  1, 0, 1, 1,  1, 1,    1,     -1,    -1,   -1, -1, 1, 0,
                              1, -1, 1, 0, -1, 1, 0, 0, -1, 1, 0.3f, -0.2f, -0.3f, 0.2f, 1,  0,  0, 0};
  float* at = nullptr;
  cudaMalloc(&at, sizeof directions);
  cudaMemcpy(at, directions, sizeof directions, cudaMemcpyHostToDevice);
  Print("edges of a cube", 12, 4, [&](float4* to) {
    CubeAt<<<1, 12>>>(Make(Array(cube), How(clamp, point, element, true)), at, to, 12);
  });
  Print("cube, filtered", 12, 4, [&](float4* to) {
    CubeAt<<<1, 12>>>(Make(Array(cube), How(clamp, cudaFilterModeLinear, element, true)), at, to, 12);
  });
  cudaArray_t layers = Filled(faces, 4, 0, 3, cudaArrayLayered);
  Print("layers -2 to 5 of 3", 8, 4,
        [&](float4* to) { LayersAt<<<1, 8>>>(Make(Array(layers), How(clamp, point, element, false)), to); });
}

void WrongCalls() {
  const auto clamp = cudaAddressModeClamp;
  const auto point = cudaFilterModePoint, filtered = cudaFilterModeLinear;
  const auto element = cudaReadModeElementType, fraction = cudaReadModeNormalizedFloat;
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>(), ints = cudaCreateChannelDesc<int>();
  const cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  cudaArray_t array = nullptr, whole = nullptr;
  Say("array", cudaMallocArray(&array, &floats, 8, 8));
  Say("array of ints", cudaMallocArray(&whole, &ints, 8, 8));
  cudaArray_t none = nullptr;
  Say("array of three channels", cudaMallocArray(&none, &three, 8, 8));
  Say("array without a width", cudaMallocArray(&none, &floats, 0, 8));
  Say("array too wide", cudaMallocArray(&none, &floats, 1 << 20, 8));
  Say("array without a handle", cudaMallocArray(nullptr, &floats, 8, 8));
  Say("array without channels", cudaMallocArray(&none, nullptr, 8, 8));
  Say("cube that is no square",
      cudaMalloc3DArray(&none, &floats, make_cudaExtent(8, 4, 6), cudaArrayCubemap));
  Say("cube of five faces", cudaMalloc3DArray(&none, &floats, make_cudaExtent(8, 8, 5), cudaArrayCubemap));
  Say("layers, none", cudaMalloc3DArray(&none, &floats, make_cudaExtent(8, 8, 0), cudaArrayLayered));
  Say("depth without height", cudaMalloc3DArray(&none, &floats, make_cudaExtent(8, 0, 4), 0));
  Say("free nothing", cudaFreeArray(nullptr));
  char host[1024] = {};
  Say("copy too wide", cudaMemcpy2DToArray(array, 4, 0, host, 64, 32, 1, cudaMemcpyHostToDevice));
  Say("copy too high", cudaMemcpy2DToArray(array, 0, 7, host, 64, 32, 2, cudaMemcpyHostToDevice));
  Say("copy with a pitch too small",
      cudaMemcpy2DToArray(array, 0, 0, host, 16, 32, 2, cudaMemcpyHostToDevice));
  Say("copy to no array", cudaMemcpy2DToArray(nullptr, 0, 0, host, 64, 32, 1, cudaMemcpyHostToDevice));
  Say("copy from null", cudaMemcpy2DToArray(array, 0, 0, nullptr, 64, 32, 1, cudaMemcpyHostToDevice));
  Say("copy in the wrong direction",
      cudaMemcpy2DToArray(array, 0, 0, host, 64, 32, 1, cudaMemcpyDeviceToHost));
  cudaTextureObject_t texture = 0;
  cudaResourceDesc resource = Array(array);
  cudaTextureDesc how = How(clamp, point, element, false);
  Say("texture without a handle", cudaCreateTextureObject(nullptr, &resource, &how, nullptr));
  Say("texture of nothing", cudaCreateTextureObject(&texture, nullptr, &how, nullptr));
  Say("texture without a description", cudaCreateTextureObject(&texture, &resource, nullptr, nullptr));
  resource = Array(nullptr);
  Say("texture of no array", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  resource = Array(whole);
  how = How(clamp, filtered, element, false);
  Say("ints filtered", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  how = How(clamp, point, fraction, false);
  Say("ints of 32 bits as fractions", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  how = How(clamp, point, element, false);
  how.filterMode = static_cast<cudaTextureFilterMode>(7);
  Say("no such filter", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  how = How(static_cast<cudaTextureAddressMode>(9), point, element, false);
  Say("no such address mode", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  how = How(clamp, point, element, false);
  resource.resType = static_cast<cudaResourceType>(9);
  Say("no such resource", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  float* memory = nullptr;
  cudaMalloc(&memory, 1 << 16);
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory + 1;
  resource.res.linear.desc = floats;
  resource.res.linear.sizeInBytes = 64;
  Say("linear memory that is not aligned", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  resource.res.linear.devPtr = memory;
  resource.res.linear.sizeInBytes = 0;
  Say("linear memory without bytes", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  resource.res.linear.sizeInBytes = std::size_t{1} << 40;
  Say("linear memory too large", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = floats;
  resource.res.pitch2D.width = 9;
  resource.res.pitch2D.height = 3;
  resource.res.pitch2D.pitchInBytes = 40;
  Say("a pitch that is not aligned", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  resource.res.pitch2D.pitchInBytes = 32;
  Say("a pitch below the width", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  cudaSurfaceObject_t surface = 0;
  resource = Array(array);
  Say("surface of an array without its flag", cudaCreateSurfaceObject(&surface, &resource));
  Say("destroy no texture", cudaDestroyTextureObject(0));
  Say("destroy what is no texture", cudaDestroyTextureObject(12345));
  Say("destroy no surface", cudaDestroySurfaceObject(0));
  how = How(clamp, point, element, false);
  Say("texture", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  Say("destroyed", cudaDestroyTextureObject(texture));
  Say("destroyed twice", cudaDestroyTextureObject(texture));
  Say("described after that", cudaGetTextureObjectTextureDesc(&how, texture));
  Say("freed", cudaFreeArray(array));
  Say("freed twice", cudaFreeArray(array));
}

int main() {
  Filters();
  OpenQuestions();
  WrongCalls();
  return 0;
}
