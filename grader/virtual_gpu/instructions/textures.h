// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: textures ("tex", "tld4"). The rules are those of the CUDA C++ Programming Guide,
// "Texture Fetching". Each texel is a load from global memory, checked and counted like any other; a filtered
// fetch loads the texels of its footprint one after the other.
#pragma once

#include <cmath>

#include "grader/virtual_gpu/instructions/half.h"
#include "grader/virtual_gpu/instructions/memory_access.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

// --- Texture objects and their coordinates. --------------------------------------------------------------

/// The descriptor at `handle`; false if no texture or surface object has this handle.
inline bool ReadDescriptor(const WarpContext& w, u64 handle, u64 magic, TextureDescriptor& texture) {
  const Region* region = w.block->grid->memory->Find(handle);
  if (!region || region->start != handle || region->bytes < sizeof texture) return false;
  std::memcpy(&texture, reinterpret_cast<const std::byte*>(handle), sizeof texture);
  const auto is_1_2_or_4 = [](u32 count) { return count == 1 || count == 2 || count == 4; };
  return texture.magic == magic && is_1_2_or_4(texture.channels) && is_1_2_or_4(texture.channel_bytes) &&
         texture.width && texture.height && texture.depth && texture.layers;
}

/// Calls f(descriptor, lanes) for the lanes of each object; reports lanes whose handle is none.
template <class F>
inline void ForEachTexture(WarpContext& w, const Inst& in, Mask mask, u64 magic, F f) {
  const u64* handle = w.Lanes<const u64>(in.address);
  while (mask) {
    const int first = __builtin_ctz(mask);
    const Mask same = mask & BitOfEach([&](int i) { return handle[i] == handle[first]; });
    mask &= ~same;
    TextureDescriptor texture;
    if (ReadDescriptor(w, handle[first], magic, texture)) {
      f(texture, same);
      continue;
    }
    if (magic == TextureDescriptor::kTexture)
      w.block->faults->NoTexture(w, in, same);
    else
      w.block->faults->NoSurface(w, in, same);
  }
}

/// The lanes of coordinate k.
template <class T>
inline const T* CoordinateLanes(const WarpContext& w, const Inst& in, int k) {
  return w.Lanes<const T>(w.block->grid->program->operand_lists[in.op[4] + static_cast<u32>(k)]);
}

/// How the coordinates of an instruction are laid out ("tex": .1d, .2d, .3d, .a1d, .a2d, .cube, .acube).
enum class Geometry { k1D, k2D, k3D, kLayers1D, kLayers2D, kCube, kLayersCube };
constexpr bool HasLayers(Geometry geometry) {
  return geometry == Geometry::kLayers1D || geometry == Geometry::kLayers2D ||
         geometry == Geometry::kLayersCube;
}
constexpr bool IsCube(Geometry geometry) {
  return geometry == Geometry::kCube || geometry == Geometry::kLayersCube;
}
/// Axes along which texels are filtered.
constexpr int AxesOf(Geometry geometry) {
  switch (geometry) {
    case Geometry::k1D:
    case Geometry::kLayers1D: return 1;
    case Geometry::k3D: return 3;
    default: return 2;
  }
}

/// One lane's place along one axis, in texels of which 256 parts are told apart: "α, β, γ are stored in 9-bit
/// fixed point format with 8 bits of fractional value".
struct AxisPlace {
  s64 texel = 0;
  u32 fraction = 0;  ///< In 1/256.
};
inline constexpr int kFractionBits = 8;

/// A float as an integer, for values beyond those of any texture too.
inline s64 ToTexel(double x) {
  constexpr double kFar = 0x1p40;
  return x > kFar ? s64(kFar) : x < -kFar ? -s64(kFar) : std::isnan(x) ? 0 : s64(std::floor(x));
}

using AddressMode = TextureDescriptor::AddressMode;
/// Wrapping and mirroring need normalised coordinates; without, both clamp.
inline AddressMode ModeOfAxis(const TextureDescriptor& texture, int axis) {
  if (texture.is_linear) return AddressMode::kBorder;
  const AddressMode mode = texture.address_modes[axis];
  const bool repeats = mode == AddressMode::kWrap || mode == AddressMode::kMirror;
  return repeats && !texture.has_normalised_axes ? AddressMode::kClamp : mode;
}

inline AxisPlace PlaceOnAxis(const TextureDescriptor& texture, AddressMode mode, u32 size, float coordinate,
                             bool is_filtered) {
  double x = coordinate;
  if (texture.has_normalised_axes) {
    // What repeats is reduced first, so that far coordinates keep their fraction.
    if (mode == AddressMode::kWrap) x -= std::floor(x);
    if (mode == AddressMode::kMirror) x -= 2 * std::floor(x / 2);
    x *= size;
  }
  if (!is_filtered) return {ToTexel(x), 0};
  const s64 fixed = ToTexel((x - 0.5) * (1 << kFractionBits) + 0.5);
  return {fixed >> kFractionBits, static_cast<u32>(fixed & ((1 << kFractionBits) - 1))};
}

/// The texel's index within the axis, by the address mode; -1: the border.
inline s64 WithinAxis(AddressMode mode, s64 texel, s64 size) {
  const auto modulo = [](s64 a, s64 b) { return (a % b + b) % b; };
  switch (mode) {
    case AddressMode::kWrap: return modulo(texel, size);
    case AddressMode::kMirror: {
      const s64 at = modulo(texel, 2 * size);
      return at < size ? at : 2 * size - 1 - at;
    }
    case AddressMode::kBorder: return texel < 0 || texel >= size ? -1 : texel;
    default: return texel < 0 ? 0 : texel >= size ? size - 1 : texel;
  }
}

/// The face that a direction leads to, and the place on it from 0 to 1 ("Cubemap Textures").
struct FacePlace {
  u32 face = 0;
  float s = 0, t = 0;
};
inline FacePlace OnCube(float x, float y, float z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  u32 face;
  float m, s, t;
  if (ax >= ay && ax >= az) {
    face = x < 0, m = ax, s = x < 0 ? z : -z, t = -y;
  } else if (ay >= az) {
    face = 2 + (y < 0), m = ay, s = x, t = y < 0 ? -z : z;
  } else {
    face = 4 + (z < 0), m = az, s = z < 0 ? -x : x, t = -y;
  }
  return {face, (s / m + 1) / 2, (t / m + 1) / 2};
}

// --- Texels. ---------------------------------------------------------------------------------------------

/// A channel as a fetch returns it: the bits of a float, or an integer extended to 32 bits.
inline u32 ReadChannel(const TextureDescriptor& texture, const std::byte* texel, u32 channel) {
  using Format = TextureDescriptor::Format;
  const u32 bytes = texture.channel_bytes;
  u32 raw = 0;
  std::memcpy(&raw, texel + channel * bytes, bytes);
  if (texture.format == Format::kFloat) {
    return bytes == 2 ? std::bit_cast<u32>(F16::Widen(static_cast<u16>(raw))) : raw;
  }
  const u32 bits = 8 * bytes;
  const auto extended = static_cast<s32>(raw << (32 - bits)) >> (32 - bits);
  if (!texture.reads_normalised) return texture.format == Format::kSigned ? static_cast<u32>(extended) : raw;
  if (texture.format == Format::kUnsigned)
    return std::bit_cast<u32>(static_cast<float>(raw) / static_cast<float>((u64{1} << bits) - 1));
  const float value = static_cast<float>(extended) / static_cast<float>((u64{1} << (bits - 1)) - 1);
  return std::bit_cast<u32>(value < -1.0f ? -1.0f : value);
}
inline bool GivesFloats(const TextureDescriptor& texture) {
  return texture.format == TextureDescriptor::Format::kFloat || texture.reads_normalised;
}
using Texels = u32[4][kWarpSize];

/// Loads a texel for each lane; a lane that is held back gets kPoison.
[[gnu::noinline]] inline void LoadTexels(WarpContext& w, const Inst& in, const TextureDescriptor& texture,
                                         Mask lanes, const u64* address, Texels& texels) {
  WarpAccess at{&w, &in, lanes, address, u32{texture.channels} * texture.channel_bytes, Access::kRead};
  const Mask permitted = CheckGlobalAccess(at);
  ForEachLane(lanes, [&](int i) {
    const bool may = (permitted >> i) & 1;
    const std::byte* texel = GlobalSpace::Host(w, i, address[i]);
    for (u32 c = 0; c < 4; ++c) {
      texels[c][i] = c >= texture.channels ? 0  // As on an H200: the fourth, too.
                     : may                 ? ReadChannel(texture, texel, c)
                                           : kPoison<u32>;
    }
  });
}

/// Where the lanes of one fetch look: their places on each axis, and the slice of the array.
struct FetchPlaces {
  const TextureDescriptor* texture;
  int axes;
  AxisPlace place[3][kWarpSize];
  u64 slice[kWarpSize];  ///< Address of the layer or face.
};

/// Reads the texels that lie `corner` (a bit for each axis) beside the lanes' places.
inline void ReadCorner(WarpContext& w, const Inst& in, const FetchPlaces& at, u32 corner, Mask lanes,
                       Texels& texels) {
  const TextureDescriptor& texture = *at.texture;
  const u32 sizes[3] = {texture.width, texture.height, texture.depth};
  const u64 strides[3] = {u64{texture.channels} * texture.channel_bytes, texture.row_bytes,
                          texture.slice_bytes};
  alignas(64) u64 address[kWarpSize];
  Mask inside = 0;
  ForEachLane(lanes, [&](int i) {
    address[i] = at.slice[i];
    bool is_border = false;
    for (int axis = 0; axis < at.axes; ++axis) {
      const s64 texel = at.place[axis][i].texel + ((corner >> axis) & 1);
      const s64 within = WithinAxis(ModeOfAxis(texture, axis), texel, sizes[axis]);
      is_border |= within < 0;
      address[i] += static_cast<u64>(within) * strides[axis];
    }
    if (!is_border) {
      inside |= 1u << i;
      return;
    }
    for (u32 c = 0; c < 4; ++c)
      texels[c][i] = GivesFloats(texture) ? std::bit_cast<u32>(texture.border[c]) : 0;
  });
  if (inside) LoadTexels(w, in, texture, inside, address, texels);
}

/// The share of a corner in the value of a lane, in 1/256 to the power of the number of axes.
inline u32 WeightOf(const FetchPlaces& at, u32 corner, int lane) {
  u32 weight = 1;
  for (int axis = 0; axis < at.axes; ++axis) {
    const u32 fraction = at.place[axis][lane].fraction;
    weight *= (corner >> axis) & 1 ? fraction : (1u << kFractionBits) - fraction;
  }
  return weight;
}

inline void ReadFiltered(WarpContext& w, const Inst& in, const FetchPlaces& at, Mask lanes, Texels& result) {
  double sum[4][kWarpSize] = {};
  for (u32 corner = 0; corner < 1u << at.axes; ++corner) {
    Mask weighty = 0;
    ForEachLane(lanes, [&](int i) { weighty |= WeightOf(at, corner, i) ? 1u << i : 0; });
    if (!weighty) continue;
    Texels texels;
    ReadCorner(w, in, at, corner, weighty, texels);
    ForEachLane(weighty, [&](int i) {
      for (u32 c = 0; c < 4; ++c)
        sum[c][i] += double{std::bit_cast<float>(texels[c][i])} * WeightOf(at, corner, i);
    });
  }
  const double whole = std::ldexp(1.0, kFractionBits * at.axes);
  ForEachLane(lanes, [&](int i) {
    for (u32 c = 0; c < 4; ++c) result[c][i] = std::bit_cast<u32>(static_cast<float>(sum[c][i] / whole));
  });
}

/// The layer that an index chooses: beyond the last it is the last.
inline u64 LayerOf(const TextureDescriptor& texture, u32 index) {
  return index < texture.layers ? index : texture.layers - 1;
}

template <Geometry kGeometry, class Coordinate>
inline void FindPlaces(const WarpContext& w, const Inst& in, const TextureDescriptor& texture, Mask lanes,
                       bool is_filtered, FetchPlaces& at) {
  constexpr int kFirst = HasLayers(kGeometry) ? 1 : 0;
  const u32 sizes[3] = {texture.width, texture.height, texture.depth};
  const u32* index = kFirst ? CoordinateLanes<u32>(w, in, 0) : nullptr;
  at.texture = &texture;
  at.axes = AxesOf(kGeometry);
  ForEachLane(lanes, [&](int i) {
    u64 layer = index ? LayerOf(texture, index[i]) : 0;
    Coordinate coordinates[3] = {};
    for (int k = 0; k < (IsCube(kGeometry) ? 3 : at.axes); ++k)
      coordinates[k] = CoordinateLanes<Coordinate>(w, in, kFirst + k)[i];
    if constexpr (IsCube(kGeometry)) {
      const FacePlace on = OnCube(coordinates[0], coordinates[1], coordinates[2]);
      layer = layer * 6 + on.face;
      coordinates[0] = on.s, coordinates[1] = on.t;
    }
    at.slice[i] = texture.base + layer * texture.slice_bytes;
    for (int axis = 0; axis < at.axes; ++axis) {
      if constexpr (std::is_integral_v<Coordinate>) {
        at.place[axis][i] = {s64{coordinates[axis]}, 0};
      } else {
        at.place[axis][i] =
            PlaceOnAxis(texture, ModeOfAxis(texture, axis), sizes[axis], coordinates[axis], is_filtered);
      }
    }
  });
}

inline void WriteTexels(WarpContext& w, const Inst& in, Mask mask, const Texels& texels) {
  for (u32 c = 0; c < 4; ++c) {
    if (in.op[c] != kNoOperand) WriteLanes<u32>(w, in.op[c], in.register_bytes, texels[c], mask);
  }
  // No array here is sparse, so that every texel is resident.
  if (in.predicate != kNoOperand) SetPredicate(w, in.predicate, kAllLanes, mask);
}

/// "tex": op 0 to 3 are the channels, `address` the object, op 4 the list of coordinates. An array has one
/// level of detail, so that a level or a gradient chooses nothing.
template <Geometry kGeometry, class Coordinate>
void FetchTexture(WarpContext& w, const Inst& in, Mask mask) {
  Texels texels;
  std::memset(texels, 0xff, sizeof texels);
  ForEachTexture(w, in, mask, TextureDescriptor::kTexture, [&](const TextureDescriptor& texture, Mask lanes) {
    const bool is_filtered = texture.is_filtered && GivesFloats(texture) && !std::is_integral_v<Coordinate>;
    FetchPlaces at;
    FindPlaces<kGeometry, Coordinate>(w, in, texture, lanes, is_filtered, at);
    if (is_filtered) {
      ReadFiltered(w, in, at, lanes, texels);
    } else {
      ReadCorner(w, in, at, 0, lanes, texels);
    }
  });
  WriteTexels(w, in, mask, texels);
}

/// "tld4": one channel, by the mode, of the four texels that a bilinear fetch reads, counter-clockwise from
/// the lower left.
template <Geometry kGeometry>
void GatherTexels(WarpContext& w, const Inst& in, Mask mask) {
  constexpr u32 kCorners[4] = {2, 3, 1, 0};
  const u32 channel = (in.mods & mods::kModeMask) >> mods::kModeShift;
  Texels gathered;
  std::memset(gathered, 0xff, sizeof gathered);
  ForEachTexture(w, in, mask, TextureDescriptor::kTexture, [&](const TextureDescriptor& texture, Mask lanes) {
    FetchPlaces at;
    FindPlaces<kGeometry, float>(w, in, texture, lanes, true, at);
    for (u32 c = 0; c < 4; ++c) {
      Texels texels;
      ReadCorner(w, in, at, kCorners[c], lanes, texels);
      ForEachLane(lanes, [&](int i) { gathered[c][i] = texels[channel][i]; });
    }
  });
  WriteTexels(w, in, mask, gathered);
}

// --- Surfaces ("suld.b", "sust.b"): bytes at whole coordinates, the first of which counts bytes. ----------

enum SurfaceMode : u32 { kSurfaceTrap, kSurfaceClamp, kSurfaceZero };

/// The lanes' addresses. Returns the lanes that access them: those within the surface, or moved to its edge.
template <Geometry kGeometry>
inline Mask FindSurfaceAddresses(WarpContext& w, const Inst& in, const TextureDescriptor& surface, Mask lanes,
                                 u32 bytes, u64* address) {
  constexpr int kFirst = HasLayers(kGeometry) ? 1 : 0;
  const u32 mode = (in.mods & mods::kModeMask) >> mods::kModeShift;
  const s64 width_bytes = s64{surface.width} * surface.channels * surface.channel_bytes;
  // Of a cube, each face counts as a layer.
  const s64 layers = s64{surface.layers} * (surface.shape == TextureDescriptor::Shape::kCube ? 6 : 1);
  const s64 last[3] = {width_bytes - bytes, s64{surface.height} - 1, s64{surface.depth} - 1};
  const u64 strides[3] = {1, surface.row_bytes, surface.slice_bytes};
  Mask inside = 0;
  ForEachLane(lanes, [&](int i) {
    bool is_outside = last[0] < 0;
    address[i] = surface.base;
    const auto add = [&](s64 at, s64 most, u64 stride) {
      is_outside |= at < 0 || at > most;
      address[i] += static_cast<u64>(at < 0 ? 0 : at > most ? most : at) * stride;
    };
    if (kFirst) add(CoordinateLanes<u32>(w, in, 0)[i], layers - 1, surface.slice_bytes);
    for (int axis = 0; axis < AxesOf(kGeometry); ++axis)
      add(CoordinateLanes<s32>(w, in, kFirst + axis)[i], last[axis], strides[axis]);
    const bool moves = mode == kSurfaceClamp && last[0] >= 0;
    if (!is_outside || moves) inside |= 1u << i;
  });
  const Mask outside = lanes & ~inside;
  if (outside && mode != kSurfaceZero)
    w.block->faults->OutsideSurface(w, in, outside, surface.width, surface.height);
  return inside;
}

template <Geometry kGeometry, class T>
void LoadSurface(WarpContext& w, const Inst& in, Mask mask) {
  const u32 bytes = u32(sizeof(T)) * ElementCount(in);
  ForEachTexture(w, in, mask, TextureDescriptor::kSurface, [&](const TextureDescriptor& surface, Mask lanes) {
    alignas(64) u64 address[kWarpSize];
    const Mask inside = FindSurfaceAddresses<kGeometry>(w, in, surface, lanes, bytes, address);
    if (inside) {
      WarpAccess at{&w, &in, inside, address, bytes, Access::kRead};
      LoadEach<T, GlobalSpace>(at, inside, CheckGlobalAccess(at));
    }
    alignas(64) const T zero[kWarpSize] = {};
    for (u32 e = 0; e < ElementCount(in); ++e) {
      if (in.op[e] != kNoOperand) WriteLanes<T>(w, in.op[e], in.register_bytes, zero, lanes & ~inside);
    }
  });
}

template <Geometry kGeometry, class T>
void StoreSurface(WarpContext& w, const Inst& in, Mask mask) {
  const u32 bytes = u32(sizeof(T)) * ElementCount(in);
  ForEachTexture(w, in, mask, TextureDescriptor::kSurface, [&](const TextureDescriptor& surface, Mask lanes) {
    alignas(64) u64 address[kWarpSize];
    const Mask inside = FindSurfaceAddresses<kGeometry>(w, in, surface, lanes, bytes, address);
    if (!inside) return;
    WarpAccess at{&w, &in, inside, address, bytes, Access::kWrite, &kStoredValues<T, GlobalSpace>};
    StoreEach<T, GlobalSpace>(at, CheckGlobalAccess(at));
  });
}

// --- Queries ("txq", "suq"). -----------------------------------------------------------------------------

enum TextureQuery : u32 { kQueryWidth, kQueryHeight, kQueryDepth, kQueryArraySize };

template <bool kOfTexture>
void QueryTexture(WarpContext& w, const Inst& in, Mask mask) {
  constexpr u64 kMagic = kOfTexture ? TextureDescriptor::kTexture : TextureDescriptor::kSurface;
  ForEachTexture(w, in, mask, kMagic, [&](const TextureDescriptor& texture, Mask lanes) {
    const u32 values[4] = {texture.width, texture.height, texture.depth, texture.layers};
    const u32 value = values[((in.mods & mods::kModeMask) >> mods::kModeShift) & 3];
    ForEachLane(lanes, [&](int i) { w.Lanes<u32>(in.op[0])[i] = value; });
  });
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
