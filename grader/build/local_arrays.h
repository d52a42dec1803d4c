// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/core/finding.h"

namespace warplings {

/// An array of a thread's own that the compiler cannot keep in registers, because one of its indices is known
/// only at run time, or because something needs its address.
struct RunTimeIndex {
  enum class Why {
    kBounds,       ///< It is the variable of a loop whose bounds are no constants.
    kNotUnrolled,  ///< It comes from a loop that a #pragma keeps from being unrolled.
    kComputed,     ///< It is computed from what only the running kernel knows.
    kAddress,      ///< There is no such index: a function that is not inlined gets the array.
  };
  int line = 0;
  std::string array;
  std::string index;  ///< As it is written: "phase & 1".
  Why why = Why::kComputed;
  std::string variable;  ///< What is known only at run time: "phase", "threadIdx"; or that function.
  int loop_line = 0;     ///< Of its loop; 0: it is the variable of none.
  friend bool operator==(const RunTimeIndex&, const RunTimeIndex&) = default;
};

/// The first one in device code, if the text shows any.
std::optional<RunTimeIndex> FindRunTimeIndex(std::string_view source);

/// "reads `mine[4]`" of an access outside "a local variable": it is the only local array in the line that has
/// as many elements, where the text shows how many.
void NameLocalArray(Finding& finding, std::string_view source);

}  // namespace warplings
