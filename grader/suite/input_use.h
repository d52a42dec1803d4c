// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>

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

 private:
  bool has_other_ = false, is_of_integers_ = false, rises_ = false, falls_ = false, others_fall_ = false;
  std::size_t calls_ = 0;  ///< With two elements or more.
};

/// By label.
using InputUses = std::map<std::string, InputUse>;

}  // namespace warplings
