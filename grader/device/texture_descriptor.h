// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// A texture or surface object of a program, as the virtual GPU's kernels read it. The runtime writes it to
/// device memory of its own, and the object's handle is its address. So objects need no table in the device
/// process: they come and go, and are limited, as allocations are. A kernel may overwrite its descriptor, so
/// whoever reads one relies on none of its numbers; each texel's address is checked like that of a load.
namespace warplings {

struct TextureDescriptor {
  enum class Shape : std::uint8_t { k1D, k2D, k3D, kCube };
  enum class Format : std::uint8_t { kSigned, kUnsigned, kFloat };
  /// In the order of cudaTextureAddressMode.
  enum class AddressMode : std::uint8_t { kWrap, kClamp, kMirror, kBorder };
  static constexpr std::uint64_t kTexture = 0x7465787475726531, kSurface = 0x7375726661636531;

  std::uint64_t magic = 0;  ///< kTexture or kSurface.
  std::uint64_t base = 0;   ///< Address of the first texel.
  /// Bytes from one row to the next, and from one slice, layer or face to the next.
  std::uint64_t row_bytes = 0, slice_bytes = 0;
  /// In texels. Height and depth are 1 where there is no such axis; of a cube, both sides are the width.
  std::uint32_t width = 1, height = 1, depth = 1;
  std::uint32_t layers = 1;  ///< Of a cube, six faces are one layer.
  Shape shape = Shape::k1D;
  std::uint8_t channels = 1, channel_bytes = 4;
  Format format = Format::kFloat;
  AddressMode address_modes[3] = {AddressMode::kClamp, AddressMode::kClamp, AddressMode::kClamp};
  bool is_filtered = false;          ///< cudaFilterModeLinear
  bool has_normalised_axes = false;  ///< Coordinates count from 0 to 1.
  bool reads_normalised = false;     ///< cudaReadModeNormalizedFloat, of integers.
  bool is_linear = false;            ///< Linear memory: one row, whose texels beyond the end are 0.
  std::uint8_t unused[5] = {};
  float border[4] = {};
};
static_assert(sizeof(TextureDescriptor) == 80);

}  // namespace warplings
