// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: rows of the instruction table, "Texture Instructions" and "Surface Instructions"
// of the PTX ISA manual, in the unified mode and with objects, not references, as CUDA C++ has them.
#pragma once

#include "grader/virtual_gpu/instructions/textures.h"
#include "grader/virtual_gpu/isa/instruction_row.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

#define TYPES "{.v4}{.f32|.s32|.u32}"
#define FETCHED "dst_vector.b32 texture"
/// A geometry with `count` coordinates, whose gradients have `slopes`.
#define FETCH_ROWS(word, geometry, count, slopes)                                                        \
  {"tex" word TYPES ".f32", FETCHED #count ".f32", FetchTexture<geometry, float>,                        \
   Reads(StateSpace::kGlobal)},                                                                          \
      {"tex.level" word TYPES ".f32", FETCHED #count ".f32 ignored1.f32", FetchTexture<geometry, float>, \
       Reads(StateSpace::kGlobal)},                                                                      \
  {                                                                                                      \
    "tex.grad" word TYPES ".f32", FETCHED #count ".f32 ignored" #slopes ".f32 ignored" #slopes ".f32",   \
        FetchTexture<geometry, float>, Reads(StateSpace::kGlobal)                                        \
  }
#define FETCH_WHOLE_ROW(word, geometry, count) \
  { "tex" word TYPES ".s32", FETCHED #count ".s32", FetchTexture<geometry, s32>, Reads(StateSpace::kGlobal) }

inline constexpr InstructionRow kTextureRows[] = {
    FETCH_ROWS(".1d", Geometry::k1D, 1, 1),
    FETCH_ROWS(".2d", Geometry::k2D, 2, 2),
    FETCH_ROWS(".3d", Geometry::k3D, 4, 4),
    FETCH_ROWS(".a1d", Geometry::kLayers1D, 2, 1),
    FETCH_ROWS(".a2d", Geometry::kLayers2D, 4, 2),
    FETCH_ROWS(".cube", Geometry::kCube, 4, 4),
    FETCH_ROWS(".acube", Geometry::kLayersCube, 4, 4),
    FETCH_WHOLE_ROW(".1d", Geometry::k1D, 1),
    FETCH_WHOLE_ROW(".2d", Geometry::k2D, 2),
    FETCH_WHOLE_ROW(".3d", Geometry::k3D, 4),
    FETCH_WHOLE_ROW(".a1d", Geometry::kLayers1D, 2),
    FETCH_WHOLE_ROW(".a2d", Geometry::kLayers2D, 4),
    {"tld4{.r|.g|.b|.a}.2d" TYPES ".f32", FETCHED "2.f32", GatherTexels<Geometry::k2D>,
     Reads(StateSpace::kGlobal)},
    {"tld4{.r|.g|.b|.a}.a2d" TYPES ".f32", FETCHED "4.f32", GatherTexels<Geometry::kLayers2D>,
     Reads(StateSpace::kGlobal)},
    {"txq{.width|.height|.depth|.array_size}.b32", "dst.b32 texture0.b32", QueryTexture<true>},
};
#undef TYPES
#undef FETCHED
#undef FETCH_ROWS
#undef FETCH_WHOLE_ROW

#define BORDER "{.trap|.clamp|.zero}"
#define SURFACE_ROWS_OF(word, geometry, count, type, T)                               \
  {"suld.b" word "[.v2|.v4]" type BORDER, "dst_vector" type " texture" #count ".s32", \
   LoadSurface<geometry, T>, Reads(StateSpace::kGlobal)},                             \
  {                                                                                   \
    "sust.b" word "[.v2|.v4]" type BORDER, "texture" #count ".s32 src_vector" type,   \
        StoreSurface<geometry, T>, Writes(StateSpace::kGlobal)                        \
  }
#define SURFACE_ROWS(word, geometry, count)                                                               \
  SURFACE_ROWS_OF(word, geometry, count, ".b8", u8), SURFACE_ROWS_OF(word, geometry, count, ".b16", u16), \
      SURFACE_ROWS_OF(word, geometry, count, ".b32", u32),                                                \
      SURFACE_ROWS_OF(word, geometry, count, ".b64", u64)

inline constexpr InstructionRow kSurfaceRows[] = {
    SURFACE_ROWS(".1d", Geometry::k1D, 1),
    SURFACE_ROWS(".2d", Geometry::k2D, 2),
    SURFACE_ROWS(".3d", Geometry::k3D, 4),
    SURFACE_ROWS(".a1d", Geometry::kLayers1D, 2),
    SURFACE_ROWS(".a2d", Geometry::kLayers2D, 4),
    {"suq{.width|.height|.depth|.array_size}.b32", "dst.b32 texture0.b32", QueryTexture<false>},
};
#undef BORDER
#undef SURFACE_ROWS_OF
#undef SURFACE_ROWS

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
