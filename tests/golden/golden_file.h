// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace warplings::vgpu {

/// Results of instruction cases, recorded on a real GPU.
struct GoldenResults {
  std::string device;  ///< "NVIDIA H200, driver 580.159.04".
  /// By the case's name: kCaseThreads x kCaseResults values; results that the case does not write are
  /// kUnwritten.
  std::map<std::string, std::vector<std::uint64_t>> results;
};

/// Initial content of the result memory.
inline constexpr std::uint64_t kUnwritten = 0xcccccccccccccccc;

/// File format: zstd-compressed; "WGR1", the device's name, then for each case its name and its values.
/// Lengths have 32 bits; everything is little-endian.
Status WriteGolden(const std::filesystem::path& file, const GoldenResults& golden);
Result<GoldenResults> ReadGolden(const std::filesystem::path& file);

}  // namespace warplings::vgpu
