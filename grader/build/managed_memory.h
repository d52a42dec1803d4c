// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// An array of managed memory that a launch gets.
struct ManagedArray {
  std::string pointer;
  int element_bytes = 0;
  int launch = 0;  ///< The line of the launch.
  /// Host code reads only the first so many elements; nothing: it does not say how many.
  std::optional<std::int64_t> read_elements{};
};

/// The array that the only launch of the kernel gets as this argument, counted from 1, if the source shows
/// that host code reads its elements and stores none: the pointer appears only where it is declared,
/// allocated, given to a kernel or freed, and where an element is read. Nothing in doubt.
std::optional<ManagedArray> ArrayThatHostOnlyReads(std::string_view source, std::string_view kernel,
                                                   std::size_t argument);

}  // namespace warplings
