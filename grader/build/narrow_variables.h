// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// Variables, members and parameters of an integer type of one or two bytes. An array or a pointer holds data
/// whose range is known, perhaps, and is left out.
struct NarrowVariables {
  std::string type;  ///< "unsigned short".
  std::int64_t most = 0;
  std::vector<std::string> names;  ///< In the order of the source, none twice.
};

/// Those of the first such type in the source.
std::optional<NarrowVariables> FindNarrowVariables(std::string_view source);

}  // namespace warplings
