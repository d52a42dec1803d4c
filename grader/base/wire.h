// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "grader/base/reflect.h"

/// Serialises plain data for messages between our own processes on one machine, hence in host byte order and
/// without padding.
///
/// A message is a plain struct. Its members are sent in order of declaration:
///
///     struct Free {
///       std::uint64_t address = 0;
///     };
///     std::vector<std::byte> bytes = wire::Encode(message);
///     std::optional<Free> message = wire::Decode<Free>(bytes);
///
/// Members may be numbers, bool, enums, std::string, std::vector, std::optional, std::pair, std::tuple and
/// structs of these; not pointers. An enum's enumerators count from 0, and a value beyond the last does not
/// decode. A struct of which not all members are sent, or whose values have to go together, has a free
/// function WireFields(archive, object) in its namespace, which passes to the archive what is sent; a class
/// with private members has a member function Fields(archive).
///
/// The bytes may come from a hostile process. Decoding never reads past their end, never allocates more than
/// a fixed multiple of their size, and reports an error in its return value (never an exception) for anything
/// but exactly one whole message.
namespace warplings::wire {

namespace internal {

template <class T, template <class...> class Template>
inline constexpr bool kIs = false;
template <template <class...> class Template, class... Args>
inline constexpr bool kIs<Template<Args...>, Template> = true;

/// Types that are copied as a block: their object representation is their encoding, and every bit pattern is
/// a valid value.
template <class T>
inline constexpr bool kPlain =
    (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, std::byte>;

}  // namespace internal

/// Passes to the archive what is sent of a struct.
template <class Archive, class T>
void VisitFields(Archive& archive, T& object) {
  if constexpr (requires { object.Fields(archive); }) {
    object.Fields(archive);
  } else if constexpr (requires { WireFields(archive, object); }) {
    WireFields(archive, object);
  } else {
    reflect::ApplyToMembers(object, archive);
  }
}

/// True for the values of an enum's enumerators.
template <class Enum>
constexpr bool IsEnumerator(std::underlying_type_t<Enum> value) {
  return std::in_range<std::size_t>(value) &&
         static_cast<std::size_t>(value) < reflect::kEnumeratorCount<Enum>;
}

/// The archive that writes.
class Encoder {
 public:
  template <class... T>
  void operator()(T&... fields) {
    (Put(fields), ...);
  }

  std::vector<std::byte> Take() && { return std::move(bytes_); }

 private:
  void PutRaw(const void* data, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  void PutCount(std::size_t count) {
    auto narrow = static_cast<std::uint32_t>(count);
    PutRaw(&narrow, sizeof narrow);
  }

  template <class T>
  void Put(T& field) {
    using internal::kIs;
    if constexpr (internal::kPlain<T>) {
      PutRaw(&field, sizeof field);
    } else if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = field ? 1 : 0;
      PutRaw(&byte, 1);
    } else if constexpr (std::is_enum_v<T>) {
      auto value = static_cast<std::underlying_type_t<T>>(field);
      PutRaw(&value, sizeof value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      PutCount(field.size());
      PutRaw(field.data(), field.size());
    } else if constexpr (kIs<T, std::vector>) {
      PutCount(field.size());
      if constexpr (internal::kPlain<typename T::value_type>) {
        PutRaw(field.data(), field.size() * sizeof(typename T::value_type));
      } else {
        for (auto& element : field) Put(element);
      }
    } else if constexpr (kIs<T, std::optional>) {
      bool present = field.has_value();
      Put(present);
      if (present) Put(*field);
    } else if constexpr (kIs<T, std::tuple> || kIs<T, std::pair>) {
      std::apply([this](auto&... element) { (Put(element), ...); }, field);
    } else {
      VisitFields(*this, field);
    }
  }

  std::vector<std::byte> bytes_;
};

/// The archive that reads. After the first error, failed() stays true and all further fields are left
/// unchanged.
class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class... T>
  void operator()(T&... fields) {
    (Get(fields), ...);
  }

  bool failed() const { return failed_; }
  /// For a WireFields that finds values which do not go together.
  void Fail() { failed_ = true; }
  std::size_t remaining() const { return rest_.size(); }

 private:
  bool GetRaw(void* data, std::size_t size) {
    if (failed_ || size > rest_.size()) {
      failed_ = true;
      return false;
    }
    if (size != 0) std::memcpy(data, rest_.data(), size);
    rest_ = rest_.subspan(size);
    return true;
  }

  /// Reads a count of elements, each of which takes at least `least_bytes` bytes. Fails if that many cannot
  /// follow.
  bool GetCount(std::uint32_t& count, std::size_t least_bytes) {
    if (!GetRaw(&count, sizeof count)) return false;
    if (count > rest_.size() / least_bytes) failed_ = true;
    return !failed_;
  }

  /// Appends elements one by one as they decode, so that a huge count with few bytes behind it allocates
  /// little. An element that takes no bytes is an error, because it could be repeated without end.
  template <class Vector>
  void GetElements(Vector& field, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count && !failed_; ++i) {
      std::size_t before = rest_.size();
      Get(field.emplace_back());
      if (rest_.size() == before) failed_ = true;
    }
  }

  template <class T>
  void Get(T& field) {
    using internal::kIs;
    if (failed_) return;
    if constexpr (internal::kPlain<T>) {
      GetRaw(&field, sizeof field);
    } else if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      if (GetRaw(&byte, 1)) failed_ = byte > 1;
      field = byte == 1;
    } else if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> value{};
      if (!GetRaw(&value, sizeof value)) return;
      failed_ = !IsEnumerator<T>(value);
      if (!failed_) field = static_cast<T>(value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      std::uint32_t size = 0;
      if (!GetCount(size, 1)) return;
      field.resize(size);
      GetRaw(field.data(), size);
    } else if constexpr (kIs<T, std::vector>) {
      field.clear();
      std::uint32_t count = 0;
      if constexpr (internal::kPlain<typename T::value_type>) {
        if (!GetCount(count, sizeof(typename T::value_type))) return;
        field.resize(count);
        GetRaw(field.data(), count * sizeof(typename T::value_type));
      } else {
        if (GetCount(count, 1)) GetElements(field, count);
      }
    } else if constexpr (kIs<T, std::optional>) {
      bool present = false;
      Get(present);
      field.reset();
      if (present && !failed_) Get(field.emplace());
    } else if constexpr (kIs<T, std::tuple> || kIs<T, std::pair>) {
      std::apply([this](auto&... element) { (Get(element), ...); }, field);
    } else {
      VisitFields(*this, field);
    }
  }

  std::span<const std::byte> rest_;
  bool failed_ = false;
};

/// Encodes one message. Strings and vectors must have fewer than 2^32 elements.
template <class T>
std::vector<std::byte> Encode(const T& message) {
  Encoder encoder;
  // The list of fields serves both directions and is therefore not const; the encoder only reads.
  encoder(const_cast<T&>(message));
  return std::move(encoder).Take();
}

/// Decodes `bytes` into `message`. Returns false unless they are exactly one message.
template <class T>
[[nodiscard]] bool DecodeInto(std::span<const std::byte> bytes, T& message) {
  Decoder decoder(bytes);
  decoder(message);
  return !decoder.failed() && decoder.remaining() == 0;
}

/// Decodes `bytes`. Returns nothing unless they are exactly one message.
template <class T>
std::optional<T> Decode(std::span<const std::byte> bytes) {
  std::optional<T> message(std::in_place);
  if (!DecodeInto(bytes, *message)) message.reset();
  return message;
}

}  // namespace warplings::wire
