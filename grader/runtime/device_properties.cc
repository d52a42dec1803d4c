// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/device_properties.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace warplings::runtime {
namespace {

constexpr int kWarpSize = 32;
constexpr int kConstantBytes = 65536;
constexpr int kTextureAlignment = 512, kTexturePitchAlignment = 32;
constexpr int kMaxPitch = std::numeric_limits<int>::max();
// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", same for 5.0 to 12.x.
constexpr int kMaxBlockDim[3] = {1024, 1024, 64};
constexpr int kMaxGridDim[3] = {std::numeric_limits<int>::max(), 65535, 65535};

/// Value of one property or attribute. Every number below is one of the profile, or one that all cards
/// since compute capability 7.0 share.
struct Card : DeviceProfile {
  int ordinal = 0;
};
using Getter = long long (*)(const Card&);

enum class Width { kInt, kSize };

struct Property {
  PropertyField field;
  Width width;
  Getter get;
};

/// Ratio of throughput of fp32 to fp64 (CUDA C++ Programming Guide, "Arithmetic Instructions").
long long SingleToDoubleRatio(const Card& profile) {
  bool data_centre = profile.minor == 0 && profile.major != 12;
  return data_centre ? 2 : profile.minor == 9 || profile.minor == 6 ? 64 : 32;
}

constexpr Property kProperties[] = {
    {{"totalGlobalMem", 288, 288}, Width::kSize, [](auto& p) -> long long { return p.global_memory_bytes; }},
    {{"sharedMemPerBlock", 296, 296},
     Width::kSize,
     [](auto& p) -> long long { return p.shared_bytes_per_block; }},
    {{"regsPerBlock", 304, 304}, Width::kInt, [](auto& p) -> long long { return p.registers_per_block; }},
    {{"warpSize", 308, 308}, Width::kInt, [](auto&) -> long long { return kWarpSize; }},
    {{"memPitch", 312, 312}, Width::kSize, [](auto&) -> long long { return kMaxPitch; }},
    {{"maxThreadsPerBlock", 320, 320},
     Width::kInt,
     [](auto& p) -> long long { return p.max_threads_per_block; }},
    {{"maxThreadsDim", 324, 324}, Width::kInt, [](auto&) -> long long { return kMaxBlockDim[0]; }},
    {{"maxThreadsDim[1]", 328, 328}, Width::kInt, [](auto&) -> long long { return kMaxBlockDim[1]; }},
    {{"maxThreadsDim[2]", 332, 332}, Width::kInt, [](auto&) -> long long { return kMaxBlockDim[2]; }},
    {{"maxGridSize", 336, 336}, Width::kInt, [](auto&) -> long long { return kMaxGridDim[0]; }},
    {{"maxGridSize[1]", 340, 340}, Width::kInt, [](auto&) -> long long { return kMaxGridDim[1]; }},
    {{"maxGridSize[2]", 344, 344}, Width::kInt, [](auto&) -> long long { return kMaxGridDim[2]; }},
    {{"clockRate", 348, -1}, Width::kInt, [](auto& p) -> long long { return p.clock_khz; }},
    {{"totalConstMem", 352, 352}, Width::kSize, [](auto&) -> long long { return kConstantBytes; }},
    {{"major", 360, 360}, Width::kInt, [](auto& p) -> long long { return p.major; }},
    {{"minor", 364, 364}, Width::kInt, [](auto& p) -> long long { return p.minor; }},
    {{"textureAlignment", 368, 368}, Width::kSize, [](auto&) -> long long { return kTextureAlignment; }},
    {{"texturePitchAlignment", 376, 376},
     Width::kSize,
     [](auto&) -> long long { return kTexturePitchAlignment; }},
    {{"deviceOverlap", 384, -1}, Width::kInt, [](auto&) -> long long { return 1; }},
    {{"multiProcessorCount", 388, 384}, Width::kInt, [](auto& p) -> long long { return p.multiprocessors; }},
    {{"integrated", 396, 388}, Width::kInt, [](auto& p) -> long long { return p.integrated; }},
    {{"canMapHostMemory", 400, 392}, Width::kInt, [](auto&) -> long long { return 1; }},
    {{"surfaceAlignment", 568, 552}, Width::kSize, [](auto&) -> long long { return kTextureAlignment; }},
    {{"concurrentKernels", 576, 560}, Width::kInt, [](auto&) -> long long { return 1; }},
    {{"pciBusID", 584, 568}, Width::kInt, [](auto& p) -> long long { return p.ordinal; }},
    {{"asyncEngineCount", 600, 584}, Width::kInt, [](auto&) -> long long { return 3; }},
    {{"unifiedAddressing", 604, 588}, Width::kInt, [](auto&) -> long long { return 1; }},
    {{"memoryClockRate", 608, -1}, Width::kInt, [](auto& p) -> long long { return p.memory_clock_khz; }},
    {{"memoryBusWidth", 612, 592}, Width::kInt, [](auto& p) -> long long { return p.memory_bus_bits; }},
    {{"l2CacheSize", 616, 596}, Width::kInt, [](auto& p) -> long long { return p.l2_bytes; }},
    {{"maxThreadsPerMultiProcessor", 624, 604},
     Width::kInt,
     [](auto& p) -> long long { return p.max_threads_per_multiprocessor; }},
    {{"streamPrioritiesSupported", 628, 608}, Width::kInt, [](auto&) -> long long { return 1; }},
    {{"globalL1CacheSupported", 632, 612}, Width::kInt, [](auto&) -> long long { return 1; }},
    {{"localL1CacheSupported", 636, 616}, Width::kInt, [](auto&) -> long long { return 1; }},
    {{"sharedMemPerMultiprocessor", 640, 624},
     Width::kSize,
     [](auto& p) -> long long { return p.shared_bytes_per_multiprocessor; }},
    {{"regsPerMultiprocessor", 648, 632},
     Width::kInt,
     [](auto& p) -> long long { return p.registers_per_multiprocessor; }},
    {{"managedMemory", 652, 636}, Width::kInt, [](auto&) -> long long { return 1; }},
    {{"singleToDoublePrecisionPerfRatio", 668, -1}, Width::kInt, SingleToDoubleRatio},
    {{"concurrentManagedAccess", 676, 656}, Width::kInt, [](auto&) -> long long { return 1; }},
    {{"computePreemptionSupported", 680, 660}, Width::kInt, [](auto&) -> long long { return 1; }},
    {{"cooperativeLaunch", 688, 668}, Width::kInt, [](auto&) -> long long { return 1; }},
    {{"sharedMemPerBlockOptin", 696, 672},
     Width::kSize,
     [](auto& p) -> long long { return p.shared_bytes_per_block_optin; }},
    {{"maxBlocksPerMultiProcessor", 712, 688},
     Width::kInt,
     [](auto& p) -> long long { return p.max_blocks_per_multiprocessor; }},
    {{"reservedSharedMemPerBlock", 720, 696},
     Width::kSize,
     [](auto& p) -> long long { return p.reserved_shared_bytes_per_block; }},
    {{"memoryPoolsSupported", 744, 720}, Width::kInt, [](auto&) -> long long { return 1; }},
};

struct Attribute {
  int number;
  const char* property;  ///< Of the same value.
};

constexpr Attribute kAttributes[] = {
    {1, "maxThreadsPerBlock"},
    {2, "maxThreadsDim"},
    {3, "maxThreadsDim[1]"},
    {4, "maxThreadsDim[2]"},
    {5, "maxGridSize"},
    {6, "maxGridSize[1]"},
    {7, "maxGridSize[2]"},
    {8, "sharedMemPerBlock"},
    {9, "totalConstMem"},
    {10, "warpSize"},
    {11, "memPitch"},
    {12, "regsPerBlock"},
    {13, "clockRate"},
    {14, "textureAlignment"},
    {15, "deviceOverlap"},
    {16, "multiProcessorCount"},
    {18, "integrated"},
    {19, "canMapHostMemory"},
    {30, "surfaceAlignment"},
    {31, "concurrentKernels"},
    {33, "pciBusID"},
    {36, "memoryClockRate"},
    {37, "memoryBusWidth"},
    {38, "l2CacheSize"},
    {39, "maxThreadsPerMultiProcessor"},
    {40, "asyncEngineCount"},
    {41, "unifiedAddressing"},
    {51, "texturePitchAlignment"},
    {75, "major"},
    {76, "minor"},
    {78, "streamPrioritiesSupported"},
    {79, "globalL1CacheSupported"},
    {80, "localL1CacheSupported"},
    {81, "sharedMemPerMultiprocessor"},
    {82, "regsPerMultiprocessor"},
    {83, "managedMemory"},
    {87, "singleToDoublePrecisionPerfRatio"},
    {89, "concurrentManagedAccess"},
    {90, "computePreemptionSupported"},
    {95, "cooperativeLaunch"},
    {97, "sharedMemPerBlockOptin"},
    {106, "maxBlocksPerMultiProcessor"},
    {111, "reservedSharedMemPerBlock"},
    {115, "memoryPoolsSupported"},
};
/// Attributes end here in CUDA 13.0; those between that have no row are features that a virtual card lacks.
constexpr int kLastAttribute = 147;

void Write(std::span<std::byte> target, int offset, Width width, long long value) {
  if (width == Width::kSize) {
    auto wide = static_cast<std::size_t>(value);
    std::memcpy(target.data() + offset, &wide, sizeof wide);
  } else {
    int narrow = static_cast<int>(value);
    std::memcpy(target.data() + offset, &narrow, sizeof narrow);
  }
}

}  // namespace

void WriteDeviceProperties(const DeviceProfile& profile, int ordinal, int cuda_major,
                           std::span<std::byte> target) {
  const Card card{profile, ordinal};
  std::ranges::fill(target, std::byte{0});
  constexpr std::size_t kNameBytes = 256;
  std::memcpy(target.data(), profile.name.data(), std::min(profile.name.size(), kNameBytes - 1));
  for (const Property& property : kProperties) {
    int offset = cuda_major >= 13 ? property.field.offset13 : property.field.offset12;
    if (offset >= 0) Write(target, offset, property.width, property.get(card));
  }
}

std::optional<int> DeviceAttribute(const DeviceProfile& profile, int ordinal, int attribute) {
  const Card card{profile, ordinal};
  auto row = std::ranges::find(kAttributes, attribute, &Attribute::number);
  if (row != std::end(kAttributes)) {
    for (const Property& property : kProperties) {
      if (std::strcmp(property.field.name, row->property) == 0) return static_cast<int>(property.get(card));
    }
  }
  if (attribute < 1 || attribute > kLastAttribute) return std::nullopt;
  return 0;
}

std::span<const PropertyField> PropertyFields() {
  static const auto kFields = [] {
    std::array<PropertyField, std::size(kProperties)> fields{};
    std::ranges::transform(kProperties, fields.begin(), &Property::field);
    return fields;
  }();
  return kFields;
}

}  // namespace warplings::runtime
