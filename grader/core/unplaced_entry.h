// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings {

/// An entry in the class's folder that cannot be assigned to a student.
struct UnplacedEntry {
  std::string name;    ///< Its file name, safe to print.
  std::string reason;  ///< To be read after the name: "is neither a folder nor an archive".
  std::string advice;  ///< A sentence: what to do.

  bool operator==(const UnplacedEntry&) const = default;
};

}  // namespace warplings
