// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "grader/virtual_gpu/ptx/module.h"
#include "grader/virtual_gpu/ptx/scanner.h"

namespace warplings::ptx {

/// True if a path belongs to the CUDA toolkit, the compiler or the system, wherever they are installed
/// (/usr/local/cuda-13.0, a .venv's nvidia/cu13, another CUDA_HOME), so that no student wrote the file.
bool IsToolkitPath(std::string_view path);

/// Collects the .loc directives of a function while it is parsed. They can be resolved only at the end of the
/// module, because nvcc writes the .file directives after the functions.
class LocationTable {
 public:
  /// Parses a .loc, from after the directive. Line 0 means that the compiler knows no line; the previous
  /// location stays in force.
  void TakeLoc(Scanner& scanner);
  /// Index of the location in force; -1 before the first.
  std::int32_t current() const { return current_; }

  /// `file_index` maps the numbers of .file to indices into `files`. Throws ParseFailure for a number that no
  /// .file declares.
  ///
  /// Location's `where` is the first position of the inlined_at chain, from the innermost outward, in a
  /// student's file: one for which IsToolkitPath is false, or the file of the outermost position (the
  /// function itself). So a line of a student's inlined device function is reported as such, and code inside
  /// cooperative groups is reported at the line that calls it.
  std::vector<Location> Resolve(const std::map<int, int>& file_index,
                                const std::vector<std::string>& files) const;

 private:
  using Position = std::tuple<int, int, int>;  ///< Number of the file, line, column.
  struct Entry {
    Position at;
    Position call_site;  ///< Where the code was inlined; valid if is_inlined.
    bool is_inlined = false;
    std::int32_t parent = -1;  ///< Index of the call site's entry, which is always an earlier one; -1: none.
    int ptx_line = 0;
  };

  std::vector<Entry> entries_;
  std::map<Position, std::int32_t> latest_;  ///< The last entry at a position.
  std::int32_t current_ = -1;
};

}  // namespace warplings::ptx
