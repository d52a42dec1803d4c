// SPDX-License-Identifier: Apache-2.0
// Fetches of every geometry, with both filters, all address modes and read modes, beside the formulas of the
// CUDA C++ Programming Guide ("Texture Fetching").
#include "tests/kernels/expect.h"

constexpr int kWidth = 7, kHeight = 5, kDepth = 4;

cudaTextureDesc How(cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalised,
                    cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc how;
  std::memset(&how, 0, sizeof how);
  for (auto& axis : how.addressMode) axis = mode;
  how.filterMode = filter;
  how.readMode = read;
  how.normalizedCoords = normalised;
  for (int c = 0; c < 4; ++c) how.borderColor[c] = 100.0f + c;
  return how;
}

cudaTextureObject_t Make(const cudaResourceDesc& resource, const cudaTextureDesc& how) {
  cudaTextureObject_t texture = 0;
  CUDA(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}
cudaResourceDesc OfArray(cudaArray_t array) {
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

template <class T>
cudaArray_t MakeArray(const std::vector<T>& values, int width, int height, int depth, unsigned flags = 0) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  CUDA(cudaMalloc3DArray(&array, &channels, make_cudaExtent(width, height, depth), flags));
  cudaMemcpy3DParms copy;
  std::memset(&copy, 0, sizeof copy);
  const int rows = height > 0 ? height : 1, slices = depth > 0 ? depth : 1;
  copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(values.data()), width * sizeof(T), width, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, rows, slices);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA(cudaMemcpy3D(&copy));
  return array;
}

struct Point {
  float x, y, z;
  int layer;
};
enum Geometry { k1D, k2D, k3D, kLayers1D, kLayers2D };

template <class T>
__global__ void Fetch(cudaTextureObject_t texture, Geometry geometry, const Point* at, T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Point p = at[i];
  switch (geometry) {
    case k1D: out[i] = tex1D<T>(texture, p.x); break;
    case k2D: out[i] = tex2D<T>(texture, p.x, p.y); break;
    case k3D: out[i] = tex3D<T>(texture, p.x, p.y, p.z); break;
    case kLayers1D: out[i] = tex1DLayered<T>(texture, p.x, p.layer); break;
    case kLayers2D: out[i] = tex2DLayered<T>(texture, p.x, p.y, p.layer); break;
  }
}

/// The texel's index within an axis; -1: the border.
int Within(cudaTextureAddressMode mode, int texel, int size, bool normalised) {
  if (mode == cudaAddressModeBorder) return texel < 0 || texel >= size ? -1 : texel;
  if (!normalised || mode == cudaAddressModeClamp) return texel < 0 ? 0 : texel >= size ? size - 1 : texel;
  if (mode == cudaAddressModeWrap) return ((texel % size) + size) % size;
  const int twice = ((texel % (2 * size)) + 2 * size) % (2 * size);
  return twice < size ? twice : 2 * size - 1 - twice;
}

float Expected(const std::vector<float>& values, Geometry geometry, const cudaTextureDesc& how, Point p) {
  const int axes = geometry == k3D ? 3 : geometry == k2D || geometry == kLayers2D ? 2 : 1;
  const int sizes[3] = {kWidth, geometry == kLayers1D ? 1 : kHeight, kDepth};
  const float point[3] = {p.x, p.y, p.z};
  const bool is_layered = geometry == kLayers1D || geometry == kLayers2D;
  const int layer = is_layered ? std::min(std::max(p.layer, 0), kDepth - 1) : 0;
  const bool linear = how.filterMode == cudaFilterModeLinear;
  int first[3];
  double fraction[3];
  for (int k = 0; k < axes; ++k) {
    const double x = double(point[k]) * (how.normalizedCoords ? sizes[k] : 1) - (linear ? 0.5 : 0.0);
    const double rounded = linear ? std::floor(x * 256 + 0.5) / 256 : x;  // 8 bits of fraction
    first[k] = static_cast<int>(std::floor(rounded));
    fraction[k] = linear ? rounded - first[k] : 0;
  }
  double sum = 0;
  for (int corner = 0; corner < 1 << axes; ++corner) {
    double weight = 1;
    int at[3] = {0, 0, 0};
    bool border = false;
    for (int k = 0; k < axes; ++k) {
      const int side = corner >> k & 1;
      weight *= side ? fraction[k] : 1 - fraction[k];
      at[k] = Within(how.addressMode[k], first[k] + side, sizes[k], how.normalizedCoords);
      border |= at[k] < 0;
    }
    if (weight == 0) continue;
    const int row = at[1] + (geometry == kLayers1D ? layer : geometry == kLayers2D ? layer * kHeight : 0);
    sum += weight * (border ? how.borderColor[0] : values[(at[2] * kHeight + row) * kWidth + at[0]]);
  }
  return static_cast<float>(sum);
}

void Compare(const char* what, const std::vector<float>& values, cudaArray_t array, Geometry geometry) {
  const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                                          cudaAddressModeBorder};
  for (cudaTextureAddressMode mode : modes) {
    for (int variant = 0; variant < 4; ++variant) {
      const bool normalised = variant & 1;
      const cudaTextureDesc how =
          How(mode, variant & 2 ? cudaFilterModeLinear : cudaFilterModePoint, normalised);
      std::vector<Point> points;
      for (int i = 0; i < 400; ++i) {
        // Multiples of 1/512 and 1/8 of a texel, beyond both ends; normalised ones need no rounding either.
        const float unit = normalised ? 1.0f / 64 : 1.0f / 16;
        points.push_back(
            {(i * 7 % 401 - 100) * unit, (i * 13 % 311 - 90) * unit, (i * 5 % 211 - 70) * unit, i % 6 - 0});
      }
      const cudaTextureObject_t texture = Make(OfArray(array), how);
      Point* at = OnDevice(points);
      float* out = OnDevice<float>(points.size());
      Fetch<<<4, 128>>>(texture, geometry, at, out, int(points.size()));
      FINISH();
      std::vector<float> got(points.size());
      CUDA(cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
      for (std::size_t i = 0; i < points.size(); ++i) {
        const float wanted = Expected(values, geometry, how, points[i]);
        ExpectNear(what, i, got[i], wanted, variant & 2 ? 1e-3 : 0);
      }
      CUDA(cudaDestroyTextureObject(texture));
      CUDA(cudaFree(at));
      CUDA(cudaFree(out));
    }
  }
}

int main() {
  std::vector<float> values(kWidth * kHeight * kDepth);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float((i * 29) % 64);
  const struct {
    const char* what;
    Geometry geometry;
    int height, depth;
    unsigned flags;
  } cases[] = {{"1d", k1D, 0, 0, 0},
               {"2d", k2D, kHeight, 0, 0},
               {"3d", k3D, kHeight, kDepth, 0},
               {"layers of 1d", kLayers1D, 0, kDepth, cudaArrayLayered},
               {"layers of 2d", kLayers2D, kHeight, kDepth, cudaArrayLayered}};
  for (const auto& one : cases) {
    cudaArray_t array = MakeArray(values, kWidth, one.height, one.depth, one.flags);
    Compare(one.what, values, array, one.geometry);
    CUDA(cudaFreeArray(array));
  }
  return Result();
}
