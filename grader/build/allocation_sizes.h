// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// The cudaMalloc of an array that a kernel gets.
struct WrittenAllocation {
  enum class Size {
    kOther,
    kOfVector,  ///< sizeof of a std::vector object.
    kOfPointer  ///< sizeof of a pointer.
  };
  int line = 0;
  std::string pointer;
  std::string written;  ///< The size: "n * sizeof(int)".
  Size size = Size::kOther;
  std::string measured{};      ///< What sizeof gets, in the last two cases.
  std::string element_type{};  ///< Of the vector.
};

/// Of argument `number` of the kernel, from 1: what its only launch in the source passes, and the only
/// cudaMalloc of that pointer.
std::optional<WrittenAllocation> FindAllocationOf(std::string_view source, std::string_view kernel,
                                                  std::size_t number);

}  // namespace warplings
