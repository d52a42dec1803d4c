// SPDX-License-Identifier: Apache-2.0
#include "grader/base/reflect.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warplings::reflect {
namespace {

enum class Colour : std::uint8_t { kRed, kDarkGreen };
enum class OnlyOne { kA };

struct Empty {};
struct Inner {
  std::string text;
  int line = 0;
  friend bool operator==(const Inner&, const Inner&) = default;
};
struct Mixed {
  int number = 1, other_number = 2;
  std::string text = "two";
  std::vector<int> list = {3};
  Inner inner{"in", 4};
  std::optional<Inner> maybe;
  std::optional<Colour> colour{};
  std::optional<std::vector<Inner>> inners{};
};
/// As many as there may be.
struct Large {
  int a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16;
  int b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16;
};

template <class T>
std::string NamesOf() {
  std::string names;
  T object{};
  ForEachMember(object, [&](std::string_view name, auto&) { names += std::string(name) + " "; });
  return names;
}

TEST(Reflect, MembersAreCountedAndNamedInOrder) {
  static_assert(kMemberCount<Empty> == 0 && kMemberCount<Inner> == 2 && kMemberCount<const Mixed> == 8);
  EXPECT_EQ(NamesOf<Empty>(), "");
  EXPECT_EQ(NamesOf<Mixed>(), "number other_number text list inner maybe colour inners ");
  EXPECT_EQ(NamesOf<Large>(),
            "a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12 a13 a14 a15 a16 "
            "b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 b14 b15 b16 ");
}

TEST(Reflect, AVisitReachesTheMembersThemselves) {
  Inner inner;
  ApplyToMembers(inner, [](std::string& text, int& line) {
    text = "new";
    line = 7;
  });
  EXPECT_EQ(inner, (Inner{"new", 7}));
  const Inner& constant = inner;
  EXPECT_EQ(ApplyToMembers(constant, [](const std::string&, const int& line) { return line; }), 7);
}

TEST(Reflect, EnumeratorsAreCountedAndNamed) {
  static_assert(kEnumeratorCount<Colour> == 2 && kEnumeratorCount<OnlyOne> == 1);
  static_assert(NameOf(Colour::kRed) == "red" && NameOf(Colour::kDarkGreen) == "dark_green");
  EXPECT_EQ(NameOf(OnlyOne::kA), "a");
  EXPECT_THROW(NameOf(static_cast<Colour>(2)), std::out_of_range);
}

}  // namespace
}  // namespace warplings::reflect
