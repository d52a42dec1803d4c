// SPDX-License-Identifier: Apache-2.0
// Formats and read modes; linear and pitched memory; the six faces of a cube; gathered texels; a level of
// detail and gradients, which change nothing without mipmaps.
#include "tests/kernels/expect.h"

template <class T>
__global__ void FetchLinear(cudaTextureObject_t texture, T* out) {
  const int i = threadIdx.x;
  out[i] = tex1Dfetch<T>(texture, i - 2);
}

template <class T>
cudaResourceDesc Linear(T* memory, std::size_t bytes) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = bytes;
  return resource;
}

cudaTextureObject_t Make(const cudaResourceDesc& resource, cudaTextureReadMode read,
                         cudaTextureFilterMode filter = cudaFilterModePoint, bool normalised = false) {
  cudaTextureDesc how;
  std::memset(&how, 0, sizeof how);
  for (auto& axis : how.addressMode) axis = cudaAddressModeClamp;
  how.readMode = read;
  how.filterMode = filter;
  how.normalizedCoords = normalised;
  cudaTextureObject_t texture = 0;
  CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

/// Whole values as they are, with their signs; beyond both ends 0.
template <class T>
void ElementsAsTheyAre(const char* what, const std::vector<T>& values) {
  T *memory = OnDevice(values), *out = OnDevice<T>(values.size() + 4);
  const cudaTextureObject_t texture =
      Make(Linear(memory, values.size() * sizeof(T)), cudaReadModeElementType);
  FetchLinear<<<1, values.size() + 4>>>(texture, out);
  FINISH();
  const auto got = FromDevice(out, values.size() + 4);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const bool inside = i >= 2 && i < values.size() + 2;
    ExpectEqual(what, i, got[i], inside ? values[i - 2] : T(0));
  }
  CUDA(cudaDestroyTextureObject(texture));
  CUDA(cudaFree(memory));
  CUDA(cudaFree(out));
}

/// Integers as fractions of their type's range.
template <class T>
void Normalised(const char* what, const std::vector<T>& values, float most) {
  T* memory = OnDevice(values);
  float* out = OnDevice<float>(values.size() + 4);
  const cudaTextureObject_t texture =
      Make(Linear(memory, values.size() * sizeof(T)), cudaReadModeNormalizedFloat);
  FetchLinear<float><<<1, values.size() + 4>>>(texture, out);
  FINISH();
  const auto got = FromDevice(out, values.size() + 4);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float wanted = std::fmax(float(values[i]) / most, -1.0f);
    ExpectNear(what, i, got[i + 2], wanted, 1e-7);
  }
  CUDA(cudaDestroyTextureObject(texture));
  CUDA(cudaFree(memory));
  CUDA(cudaFree(out));
}

__global__ void Pitched(cudaTextureObject_t texture, uchar4* out) {
  out[threadIdx.y * 5 + threadIdx.x] = tex2D<uchar4>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}
__global__ void Cube(cudaTextureObject_t texture, float* out) {
  // The middle of each face, and the quarter of it towards its first texel.
  const float directions[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  const float* d = directions[threadIdx.x];
  // s and t are -0.5 on each face: the Programming Guide's table, solved for the direction.
  const float corners[6][3] = {{1, .5f, .5f},   {-1, .5f, -.5f}, {-.5f, 1, -.5f},
                               {-.5f, -1, .5f}, {-.5f, .5f, 1},  {.5f, .5f, -1}};
  const float* c = corners[threadIdx.x];
  out[2 * threadIdx.x] = texCubemap<float>(texture, d[0] * 3, d[1] * 3, d[2] * 3);
  out[2 * threadIdx.x + 1] = texCubemap<float>(texture, c[0], c[1], c[2]);
  out[12 + threadIdx.x] = texCubemapLod<float>(texture, c[0], c[1], c[2], 0.0f);
}
__global__ void Gather(cudaTextureObject_t texture, float4* out) {
  out[0] = tex2Dgather<float4>(texture, 1.0f, 1.0f, 0);
  out[1] = tex2Dgather<float4>(texture, 2.0f, 1.0f, 0);
  out[2].x = tex2DLod<float>(texture, 1.5f, 0.5f, 0.0f);
  out[2].y = tex2DGrad<float>(texture, 1.5f, 0.5f, make_float2(0.1f, 0), make_float2(0, 0.1f));
  bool resident = false;
  out[2].z = tex2D<float>(texture, 0.5f, 1.5f, &resident);
  out[2].w = resident;
}

void FacesOfACube() {
  constexpr int kSide = 2;
  std::vector<float> values(kSide * kSide * 6);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i);
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CUDA(cudaMalloc3DArray(&array, &channels, make_cudaExtent(kSide, kSide, 6), cudaArrayCubemap));
  cudaMemcpy3DParms copy;
  std::memset(&copy, 0, sizeof copy);
  copy.srcPtr = make_cudaPitchedPtr(values.data(), kSide * sizeof(float), kSide, kSide);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(kSide, kSide, 6);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureObject_t texture = Make(resource, cudaReadModeElementType, cudaFilterModePoint, true);
  float* out = OnDevice<float>(18);
  Cube<<<1, 6>>>(texture, out);
  FINISH();
  const auto got = FromDevice(out, 18);
  for (int face = 0; face < 6; ++face) {
    ExpectEqual("face of the cube", face, int(got[2 * face]) / 4, face);
    ExpectEqual("first texel of a face", face, got[2 * face + 1], 4.0f * face);
    ExpectEqual("the same with a level", face, got[12 + face], 4.0f * face);
  }
  CUDA(cudaDestroyTextureObject(texture));
  CUDA(cudaFreeArray(array));
  CUDA(cudaFree(out));
}

void GatheredTexels() {
  const std::vector<float> values = {0, 1, 2, 10, 11, 12};
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CUDA(cudaMallocArray(&array, &channels, 3, 2, cudaArrayTextureGather));
  CUDA(cudaMemcpy2DToArray(array, 0, 0, values.data(), 12, 12, 2, cudaMemcpyHostToDevice));
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  const cudaTextureObject_t texture = Make(resource, cudaReadModeElementType, cudaFilterModeLinear);
  float4* out = OnDevice<float4>(3);
  Gather<<<1, 1>>>(texture, out);
  FINISH();
  const auto got = FromDevice(out, 3);
  // Counter-clockwise from the lower left.
  const float wanted[12] = {10, 11, 1, 0, 11, 12, 2, 1, 1, 1, 10, 1};
  const float* flat = &got[0].x;
  for (int i = 0; i < 12; ++i) ExpectEqual("gathered", i, flat[i], wanted[i]);
  CUDA(cudaDestroyTextureObject(texture));
  CUDA(cudaFreeArray(array));
  CUDA(cudaFree(out));
}

void PitchedMemory() {
  std::vector<uchar4> values(5 * 3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = make_uchar4(i, 255 - i, 2 * i, 7);
  uchar4* memory = nullptr;
  std::size_t pitch = 0;
  CUDA(cudaMallocPitch(&memory, &pitch, 5 * sizeof(uchar4), 3));
  CUDA(cudaMemcpy2D(memory, pitch, values.data(), 20, 20, 3, cudaMemcpyHostToDevice));
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  resource.res.pitch2D.width = 5;
  resource.res.pitch2D.height = 3;
  resource.res.pitch2D.pitchInBytes = pitch;
  const cudaTextureObject_t texture = Make(resource, cudaReadModeElementType);
  uchar4* out = OnDevice<uchar4>(15);
  Pitched<<<1, dim3(5, 3)>>>(texture, out);
  FINISH();
  const auto got = FromDevice(out, 15);
  for (int i = 0; i < 15; ++i) {
    ExpectEqual("pitched x", i, got[i].x, values[i].x);
    ExpectEqual("pitched y", i, got[i].y, values[i].y);
    ExpectEqual("pitched z", i, got[i].z, values[i].z);
    ExpectEqual("pitched w", i, got[i].w, values[i].w);
  }
  CUDA(cudaDestroyTextureObject(texture));
  CUDA(cudaFree(memory));
  CUDA(cudaFree(out));
}

int main() {
  ElementsAsTheyAre<signed char>("signed bytes", {-128, -1, 0, 1, 127});
  ElementsAsTheyAre<unsigned char>("bytes", {0, 1, 128, 255});
  ElementsAsTheyAre<short>("signed halves", {-32768, -1, 0, 32767});
  ElementsAsTheyAre<unsigned short>("halves", {0, 1, 65535});
  ElementsAsTheyAre<int>("signed words", {-2147483647, -1, 0, 2147483647});
  ElementsAsTheyAre<unsigned>("words", {0, 1, 4294967295u});
  ElementsAsTheyAre<float>("floats", {0.5f, -3.25f, 1e30f});
  Normalised<unsigned char>("bytes as fractions", {0, 1, 100, 254, 255}, 255);
  Normalised<signed char>("signed bytes as fractions", {-128, -127, -1, 0, 1, 127}, 127);
  Normalised<unsigned short>("halves as fractions", {0, 1, 1000, 65535}, 65535);
  Normalised<short>("signed halves as fractions", {-32768, -32767, 0, 5, 32767}, 32767);
  PitchedMemory();
  FacesOfACube();
  GatheredTexels();
  return Result();
}
