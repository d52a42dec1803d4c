// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/build/plain_code.h"

namespace warplings {

/// The lines of a source to which symbols of its object file belong: symbols have none.
class SymbolPlaces {
 public:
  explicit SymbolPlaces(std::string_view source);

  /// The first line that calls or mentions the function or class that a demangled symbol names; of
  /// std::thread::join() the last part that the source has. 0: none.
  int LineOfUse(const std::string& demangled) const;
  /// The first line that defines a function of this name. 0: none.
  int LineOfDefinition(std::string_view name) const;

 private:
  bool IsUse(std::size_t at, bool is_call, bool is_member) const;
  int LineOfWord(const std::string& word, bool is_member) const;

  std::string code_;  ///< Without comments.
  std::vector<CodeToken> tokens_;
};

}  // namespace warplings
