// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "grader/suite/device_array.h"

namespace warplings {

/// What the suite's calls show of an input, for `verify`: whether the other elements that the judge may put
/// there can be wrong by the contract, without a rule (Must) that says so.
class InputUse {
 public:
  /// One call's array.
  void Add(const CallArray& array);

  /// Some call allows other elements.
  bool has_other() const { return has_other_; }
  /// Integers that fall in no call, though they are not all equal, while their other elements fall: keys in
  /// order or row starts, perhaps.
  bool never_falls() const { return rises_ && !falls_ && others_fall_; }
  /// Integers whose elements are all equal in each call: whoever reads the wrong one is not found out.
  bool never_varies() const { return is_of_integers_ && calls_ > 0 && !rises_ && !falls_; }
  /// Integers that may have any value (AnyValue), but that have only a few different values in all calls
  /// together: "from 0 to 1". Perhaps the contract limits them. "" otherwise.
  std::string narrow_range() const;
  /// Of the elements, and of the other ones that the suite names, in all calls; but not of structs that may
  /// have padding.
  std::uint64_t checksum() const { return checksum_; }

 private:
  void AddToChecksum(const std::vector<std::byte>& bytes);

  bool has_other_ = false, is_of_integers_ = false, rises_ = false, falls_ = false, others_fall_ = false;
  std::size_t calls_ = 0;  ///< With two elements or more.
  bool may_have_any_value_ = false;
  std::size_t elements_ = 0;                      ///< Of all calls.
  std::uint64_t checksum_ = 0xcbf29ce484222325u;  ///< FNV-1a.
  std::int64_t lowest_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t highest_ = std::numeric_limits<std::int64_t>::min();
};

/// By label.
using InputUses = std::map<std::string, InputUse>;

}  // namespace warplings
