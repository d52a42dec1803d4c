// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// The `#line` directives of a source, by which its lines claim another number, or to be of another file.
/// Compilers and line tables repeat the claim.
class LineDirectives {
 public:
  explicit LineDirectives(std::string_view source);

  /// The line of the source, from 1, that claims to be `line` of `file`; `file` is "" for the source's own
  /// name. Nothing if no directive gives that name. A line that no directive reaches gives the first one that
  /// has the name.
  std::optional<int> Find(std::string_view file, int line) const;

 private:
  /// Lines from `first` on claim to be those from `claimed` on of `file`, up to the next stretch.
  struct Stretch {
    int first = 1, claimed = 1;
    std::string file;            ///< "": the source's own name.
    bool is_of_a_macro = false;  ///< The name is what a macro stands for: any text in quotes in the source.
  };

  void Add(std::string_view logical_line, int next_line);
  bool IsQuoted(std::string_view file) const;
  bool HasName(const Stretch& stretch, std::string_view file) const;

  std::string source_;
  std::vector<Stretch> stretches_;  ///< By their first lines; empty if there is no directive.
};

}  // namespace warplings
