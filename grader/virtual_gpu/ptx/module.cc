// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/module.h"

namespace warplings::ptx {
std::uint32_t TypeBytes(Type type) {
  const auto row = static_cast<std::size_t>(type);
  return row < kTypes.size() ? kTypes[row].bytes : 0;
}

Type TypeFromName(std::string_view name) {
  for (std::size_t row = 1; row < kTypes.size(); ++row) {
    if (kTypes[row].name == name) return static_cast<Type>(row);
  }
  return Type::kNone;
}

}  // namespace warplings::ptx
