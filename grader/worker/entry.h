// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "grader/worker/protocol.h"

/// Generates the stub that decodes the arguments, calls the contract's function and encodes the result. Meson
/// generates one source per exercise, which includes this header and the contract and uses
/// WARPLINGS_ENTRY(name).
namespace warplings::worker {

namespace internal {

template <class T>
bool DecodeValue(const Value& bytes, T& value) {
  static_assert(std::is_trivially_copyable_v<T>, "a contract's parameters and result are plain values");
  if constexpr (std::is_pointer_v<T>) {
    std::uint64_t address = 0;
    if (bytes.size() != sizeof address) return false;
    std::memcpy(&address, bytes.data(), sizeof address);
    value = reinterpret_cast<T>(static_cast<std::uintptr_t>(address));
  } else {
    if (bytes.size() != sizeof value) return false;
    std::memcpy(&value, bytes.data(), sizeof value);
  }
  return true;
}

template <class T>
Value EncodeValue(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>, "a contract's parameters and result are plain values");
  Value bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class R, class... P, std::size_t... I>
std::optional<Value> CallWith(R (*function)(P...), const std::vector<Value>& arguments,
                              std::index_sequence<I...>) {
  std::tuple<std::remove_cv_t<P>...> values{};
  if (arguments.size() != sizeof...(P)) return std::nullopt;
  if (!(DecodeValue(arguments[I], std::get<I>(values)) && ...)) return std::nullopt;
  if constexpr (std::is_void_v<R>) {
    function(std::get<I>(values)...);
    return Value{};
  } else {
    return EncodeValue<R>(function(std::get<I>(values)...));
  }
}

}  // namespace internal

template <class R, class... P>
std::optional<Value> CallFunction(R (*function)(P...), const std::vector<Value>& arguments) {
  return internal::CallWith(function, arguments, std::index_sequence_for<P...>{});
}

/// The bytes of each parameter's Value.
template <class R, class... P>
std::vector<std::size_t> SizesOf(R (*)(P...)) {
  return {(std::is_pointer_v<P> ? sizeof(std::uint64_t) : sizeof(P))...};
}

/// Defined by the exercise's stub. Returns nothing if number or sizes of the arguments do not match the
/// contract.
std::optional<Value> CallEntry(const std::vector<Value>& arguments);
/// Defined there, too: SizesOf the contract's function.
std::vector<std::size_t> SizesOfEntry();

}  // namespace warplings::worker

/// Defines both for `function`. A contract declares only one function of that name, so the name alone
/// identifies it.
#define WARPLINGS_ENTRY(function)                                       \
  namespace warplings::worker {                                         \
  std::optional<Value> CallEntry(const std::vector<Value>& arguments) { \
    return CallFunction(&::function, arguments);                        \
  }                                                                     \
  std::vector<std::size_t> SizesOfEntry() {                             \
    return SizesOf(&::function);                                        \
  }                                                                     \
  }
