// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

/// Visits the fields of a plain struct without a hand-written list of them, so that a new field cannot be
/// forgotten.
namespace warplings::fields {

/// Maximum number of fields; a struct with more does not compile.
inline constexpr std::size_t kMost = 6;

namespace internal {

/// Converts to any type; used to count fields.
struct Anything {
  template <class T>
  operator T() const;
};

/// True if a T can be brace-initialised with this many values.
template <class T, std::size_t... kIndices>
constexpr bool Takes(std::index_sequence<kIndices...>) {
  return requires {
    T{(static_cast<void>(kIndices), Anything{})...};
  };
}

template <class T, std::size_t kCount>
consteval std::size_t CountFrom() {
  if constexpr (kCount == 0 || Takes<T>(std::make_index_sequence<kCount>())) {
    return kCount;
  } else {
    return CountFrom<T, kCount - 1>();
  }
}

}  // namespace internal

template <class T>
inline constexpr std::size_t kCount = internal::CountFrom<T, kMost + 1>();

/// Calls `visit(field, field, ...)` with all fields of `object` in order of declaration.
template <class T, class Visitor>
void Visit(T& object, Visitor&& visit) {
  static_assert(std::is_aggregate_v<T>, "only a plain struct's fields can be visited");
  static_assert(kCount<T> <= kMost, "the struct has more fields than fields::Visit knows");
  if constexpr (kCount<T> == 1) {
    auto& [a] = object;
    visit(a);
  } else if constexpr (kCount<T> == 2) {
    auto& [a, b] = object;
    visit(a, b);
  } else if constexpr (kCount<T> == 3) {
    auto& [a, b, c] = object;
    visit(a, b, c);
  } else if constexpr (kCount<T> == 4) {
    auto& [a, b, c, d] = object;
    visit(a, b, c, d);
  } else if constexpr (kCount<T> == 5) {
    auto& [a, b, c, d, e] = object;
    visit(a, b, c, d, e);
  } else if constexpr (kCount<T> == 6) {
    auto& [a, b, c, d, e, f] = object;
    visit(a, b, c, d, e, f);
  }
}

}  // namespace warplings::fields
