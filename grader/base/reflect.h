// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

/// What the definitions of plain structs and of enums say, so that nobody lists it a second time: the members
/// with their names, and the names of the enumerators. JSON (grader/core/json.cc) and the messages between
/// our processes (wire.h) are made from it; a member that is added to a struct is in both.
///
/// The compiler tells these names where it spells a template argument in __PRETTY_FUNCTION__. g++ and clang
/// spell it differently; where the name stands is found by asking for one that is known.
namespace warplings::reflect {

/// A struct with more members does not compile.
inline constexpr std::size_t kMostMembers = 32;

namespace internal {

/// Converts to any type; used to count members, and never evaluated.
struct Anything {
  template <class T>
  operator T() const {
    throw;
  }
};

/// True if a T can be brace-initialised with this many values.
template <class T, std::size_t... kIndices>
constexpr bool Takes(std::index_sequence<kIndices...>) {
  return requires {
    T{(static_cast<void>(kIndices), Anything{})...};
  };
}

/// Were this to end early, at a member that nothing can be converted to, the structured binding in
/// ApplyToMembers would not compile.
template <class T, std::size_t kCount = 0>
consteval std::size_t CountMembers() {
  if constexpr (kCount <= kMostMembers && Takes<T>(std::make_index_sequence<kCount + 1>())) {
    return CountMembers<T, kCount + 1>();
  } else {
    return kCount;
  }
}

}  // namespace internal

template <class T>
inline constexpr std::size_t kMemberCount = internal::CountMembers<std::remove_const_t<T>>();

/// Returns `visit(member, member, ...)` for all members of `object` in order of declaration.
template <class T, class Visitor>
constexpr decltype(auto) ApplyToMembers(T& object, Visitor&& visit) {
  static_assert(std::is_aggregate_v<T>, "only a plain struct's members can be visited");
  static_assert(kMemberCount<T> <= kMostMembers, "the struct has too many members: add lines below");
  // A structured binding has a fixed number of names before C++26.
  if constexpr (kMemberCount<T> == 0) return visit();
#define WARPLINGS_MEMBERS(count, ...)                 \
  else if constexpr (kMemberCount<T> == count) {      \
    auto& [__VA_ARGS__] = object;                     \
    return std::forward<Visitor>(visit)(__VA_ARGS__); \
  }
  // clang-format off
  WARPLINGS_MEMBERS(1, a)
  WARPLINGS_MEMBERS(2, a, b)
  WARPLINGS_MEMBERS(3, a, b, c)
  WARPLINGS_MEMBERS(4, a, b, c, d)
  WARPLINGS_MEMBERS(5, a, b, c, d, e)
  WARPLINGS_MEMBERS(6, a, b, c, d, e, f)
  WARPLINGS_MEMBERS(7, a, b, c, d, e, f, g)
  WARPLINGS_MEMBERS(8, a, b, c, d, e, f, g, h)
  WARPLINGS_MEMBERS(9, a, b, c, d, e, f, g, h, i)
  WARPLINGS_MEMBERS(10, a, b, c, d, e, f, g, h, i, j)
  WARPLINGS_MEMBERS(11, a, b, c, d, e, f, g, h, i, j, k)
  WARPLINGS_MEMBERS(12, a, b, c, d, e, f, g, h, i, j, k, l)
  WARPLINGS_MEMBERS(13, a, b, c, d, e, f, g, h, i, j, k, l, m)
  WARPLINGS_MEMBERS(14, a, b, c, d, e, f, g, h, i, j, k, l, m, n)
  WARPLINGS_MEMBERS(15, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)
  WARPLINGS_MEMBERS(16, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
  WARPLINGS_MEMBERS(17, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q)
  WARPLINGS_MEMBERS(18, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r)
  WARPLINGS_MEMBERS(19, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s)
  WARPLINGS_MEMBERS(20, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)
  WARPLINGS_MEMBERS(21, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u)
  WARPLINGS_MEMBERS(22, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v)
  WARPLINGS_MEMBERS(23, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w)
  WARPLINGS_MEMBERS(24, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x)
  WARPLINGS_MEMBERS(25, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y)
  WARPLINGS_MEMBERS(26, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z)
  WARPLINGS_MEMBERS(27, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa)
  WARPLINGS_MEMBERS(28, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb)
  WARPLINGS_MEMBERS(29, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc)
  WARPLINGS_MEMBERS(30, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd)
  WARPLINGS_MEMBERS(31, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee)
  WARPLINGS_MEMBERS(32, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee, ff)
  // clang-format on
#undef WARPLINGS_MEMBERS
}

namespace internal {

/// Never defined: only addresses of its members are looked at.
template <class T>
struct Sample {
  T value;
};
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-internal"
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif
template <class T>
extern const Sample<T> kSample;

/// clang 14 takes the address of a member as template argument only within a class.
struct Address {
  const void* of;
};
template <Address kMember>
consteval std::string_view SpellMember() {
  return __PRETTY_FUNCTION__;
}
template <auto kValue>
consteval std::string_view SpellValue() {
  return __PRETTY_FUNCTION__;
}

/// A function and no variable: without optimization a variable would be in the program, and these addresses
/// with it.
template <class T>
consteval auto MembersOf() {
  return ApplyToMembers(kSample<T>.value, [](auto&... members) {
    return std::array<Address, sizeof...(members)>{Address{&members}...};
  });
}
#ifdef __clang__
#pragma clang diagnostic pop
#endif

constexpr bool IsInName(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_';
}

/// The name at the end of `spelt`, in front of as many characters as `known_spelt` has behind `known`.
consteval std::string_view NameIn(std::string_view spelt, std::string_view known_spelt,
                                  std::string_view known) {
  spelt.remove_suffix(known_spelt.size() - known_spelt.rfind(known) - known.size());
  std::size_t first = spelt.size();
  while (first > 0 && IsInName(spelt[first - 1])) --first;
  return spelt.substr(first);
}

struct KnownStruct {
  int known_member;
};
enum class KnownEnum { kKnown };

template <class T, std::size_t kIndex>
consteval std::string_view MemberName() {
  return NameIn(SpellMember<MembersOf<T>()[kIndex]>(), SpellMember<MembersOf<KnownStruct>()[0]>(),
                "known_member");
}

/// Empty if no enumerator has this value: the compiler spells that as a number, "(Colour)7".
template <auto kValue>
consteval std::string_view EnumeratorName() {
  const std::string_view name = NameIn(SpellValue<kValue>(), SpellValue<KnownEnum::kKnown>(), "kKnown");
  return name[0] >= '0' && name[0] <= '9' ? std::string_view{} : name;
}

/// A text of the program's own: what __PRETTY_FUNCTION__ holds is long, and would be kept whole.
template <std::size_t kSize>
struct Text {
  char letters[kSize + 1] = {};
};

template <class T, std::size_t kIndex>
consteval auto MakeMemberText() {
  constexpr std::string_view kName = MemberName<T, kIndex>();
  Text<kName.size()> text;
  for (std::size_t i = 0; i < kName.size(); ++i) text.letters[i] = kName[i];
  return text;
}
template <class T, std::size_t kIndex>
inline constexpr auto kMemberText = MakeMemberText<T, kIndex>();

constexpr bool IsCapital(char letter) {
  return letter >= 'A' && letter <= 'Z';
}

constexpr std::size_t CountCapitals(std::string_view name) {
  std::size_t count = 0;
  for (char letter : name) count += IsCapital(letter) ? 1 : 0;
  return count;
}

/// "kOutOfBounds" is "out_of_bounds".
template <auto kValue>
consteval auto MakeEnumeratorText() {
  constexpr std::string_view kName = EnumeratorName<kValue>();
  static_assert(kName.size() > 1 && kName[0] == 'k' && IsCapital(kName[1]));
  // Without the k, and with an underscore between two words.
  Text<kName.size() + CountCapitals(kName) - 2> text;
  std::size_t length = 0;
  for (char letter : kName.substr(1)) {
    if (IsCapital(letter) && length > 0) text.letters[length++] = '_';
    text.letters[length++] = IsCapital(letter) ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return text;
}
template <auto kValue>
inline constexpr auto kEnumeratorText = MakeEnumeratorText<kValue>();

template <class Enum, std::size_t kCount = 0>
consteval std::size_t CountEnumerators() {
  if constexpr (EnumeratorName<static_cast<Enum>(kCount)>().empty()) {
    return kCount;
  } else {
    return CountEnumerators<Enum, kCount + 1>();
  }
}

}  // namespace internal

/// The names of the members in order of declaration.
template <class T>
inline constexpr auto kMemberNames = []<std::size_t... kIndices>(std::index_sequence<kIndices...>) {
  return std::array<const char*, sizeof...(kIndices)>{internal::kMemberText<T, kIndices>.letters...};
}
(std::make_index_sequence<kMemberCount<T>>());

/// Calls `visit(name, member)` for each member of `object` in order of declaration.
template <class T, class Visitor>
void ForEachMember(T& object, Visitor&& visit) {
  ApplyToMembers(object, [&visit](auto&... members) {
    const char* const* name = kMemberNames<std::remove_const_t<T>>.data();
    (visit(*name++, members), ...);
  });
}

/// How many enumerators an enum has whose enumerators count from 0 without a gap.
template <class Enum>
requires std::is_enum_v<Enum>
inline constexpr std::size_t kEnumeratorCount = internal::CountEnumerators<Enum>();

/// The names of such an enum's enumerators, as JSON has them: "out_of_bounds" of kOutOfBounds.
template <class Enum>
inline constexpr auto kEnumeratorNames = []<std::size_t... kValues>(std::index_sequence<kValues...>) {
  return std::array<std::string_view, sizeof...(kValues)>{
      internal::kEnumeratorText<static_cast<Enum>(kValues)>.letters...};
}
(std::make_index_sequence<kEnumeratorCount<Enum>>());

template <class Enum>
constexpr std::string_view NameOf(Enum value) {
  return kEnumeratorNames<Enum>.at(static_cast<std::size_t>(value));
}

}  // namespace warplings::reflect
