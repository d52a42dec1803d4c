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

std::string Function::RegisterName(std::int32_t index) const {
  const auto place = static_cast<std::size_t>(index);
  const RegisterNames& names = register_names[registers[place].names];
  return names.is_numbered ? names.name + std::to_string(place - names.first) : names.name;
}

}  // namespace warplings::ptx
