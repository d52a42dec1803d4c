// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/module.h"

#include <array>

namespace warplings::ptx {
namespace {

struct TypeRow {
  std::string_view name;
  std::uint32_t bytes;
};

/// In the order of enum class Type.
constexpr std::array<TypeRow, 21> kTypes = {{
    {"", 0},    {"b8", 1},    {"b16", 2},  {"b32", 4},    {"b64", 8}, {"b128", 16}, {"u8", 1},
    {"u16", 2}, {"u32", 4},   {"u64", 8},  {"s8", 1},     {"s16", 2}, {"s32", 4},   {"s64", 8},
    {"f16", 2}, {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"f32", 4}, {"f64", 8},   {"pred", 1},
}};
static_assert(kTypes.size() == static_cast<std::size_t>(Type::kPred) + 1);

}  // namespace

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
