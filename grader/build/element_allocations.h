// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// `cudaMalloc(&dM, j * k)`: a number of elements in place of one of bytes.
struct ElementAllocation {
  int line = 0;
  std::string function;  ///< "cudaMalloc".
  std::string pointer;   ///< "dM".
  std::string size;      ///< "j * k".
  std::string type;      ///< "float": what the pointer points to.
  friend bool operator==(const ElementAllocation&, const ElementAllocation&) = default;
};

/// The first one of a pointer to numbers of 4 bytes or more whose size is, after all that the source says of
/// it, made of numbers of elements: no sizeof, no factor such as 4, no name of a size.
std::optional<ElementAllocation> FindElementAllocation(std::string_view source);

/// The only cudaMalloc whose size has no sizeof, nor has anything from which the source computes it, where
/// all others have one and its pointer's elements have `element_bytes` bytes.
std::optional<ElementAllocation> FindAllocationWithoutSizeof(std::string_view source,
                                                             std::int64_t element_bytes);
/// `k<<<blocks, threads, bins>>>`: a number of elements as the bytes of dynamic shared memory.
struct ElementLaunch {
  int line = 0;
  std::string size;  ///< "bins".
  std::string type;  ///< "int": of the array's elements.
  friend bool operator==(const ElementLaunch&, const ElementLaunch&) = default;
};

/// The only launch of the source with dynamic shared memory, where `array` is declared, if its size is made
/// of numbers of elements as above.
std::optional<ElementLaunch> FindElementLaunch(std::string_view source, std::string_view array);

}  // namespace warplings
