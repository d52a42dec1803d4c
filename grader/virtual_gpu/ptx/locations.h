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

/// Whether a path belongs to the CUDA toolkit, the compiler or the system, whichever way they were
/// installed (/usr/local/cuda-13.0, a .venv's nvidia/cu13, CUDA_HOME elsewhere), and so holds no line
/// that a student wrote.
bool IsToolkitPath(std::string_view path);

/// Collects one function's .loc directives while it is read. They can be resolved only at the end of
/// the module, because nvcc writes the .file directives after the functions.
class LocationTable {
 public:
  /// Reads a .loc from behind the directive. Line 0 says that the compiler knows no line: the previous
  /// one goes on.
  void TakeLoc(Scanner& scanner);
  /// Index of the location in force; -1 before the first.
  std::int32_t current() const { return current_; }

  /// `file_index` maps the numbers of .file to indices into `files`. Throws ParseFailure for a number that no
  /// .file declares.
  ///
  /// `where` is the first link of the inlined_at chain, from the innermost outward, whose file is a
  /// student's: one that IsToolkitPath does not know, or the file of the chain's outermost link (the
  /// function itself). So a line of a student's inlined device function stands for itself, and the
  /// insides of cooperative groups stand for the line that calls them.
  std::vector<Location> Resolve(const std::map<int, int>& file_index,
                                const std::vector<std::string>& files) const;

 private:
  using Position = std::tuple<int, int, int>;  ///< File's number, line, column.
  struct Entry {
    Position at;
    Position call_site;  ///< Where the code was inlined, if is_inlined.
    bool is_inlined = false;
    std::int32_t parent = -1;  ///< The call site's own entry, always an earlier one; -1: none.
    int ptx_line = 0;
  };

  std::vector<Entry> entries_;
  std::map<Position, std::int32_t> latest_;  ///< The last entry at a position.
  std::int32_t current_ = -1;
};

}  // namespace warplings::ptx
