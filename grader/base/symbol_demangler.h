// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warplings {

/// Demangles C++ symbol names in bounded time and memory. The author of an object file chooses its symbols,
/// and a mangled name of 260 characters can expand to gigabytes. Use one Demangler for a whole file, because
/// thousands of modest names add up, too.
class Demangler {
 public:
  /// Returns "tiled_matmul(float const*, int)" for "_Z12tiled_matmulPKfi". Returns an empty string if the
  /// name is not mangled, if it expands to more text than a person would write, or if this Demangler has used
  /// up its budget of text.
  std::string operator()(std::string_view mangled);

 private:
  /// Remaining budget in bytes. All names of a large file that includes the standard library take a few
  /// megabytes.
  std::size_t left_ = std::size_t{32} << 20;
};

}  // namespace warplings
