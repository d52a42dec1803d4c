// SPDX-License-Identifier: Apache-2.0
#include "grader/base/wire.h"

#include <gtest/gtest.h>

#include <limits>

namespace warplings::wire {
namespace {

enum class Colour : std::uint8_t { kRed, kGreen, kBlue };

struct Inner {
  std::int16_t number = 0;
  std::string text;
  friend bool operator==(const Inner&, const Inner&) = default;
};

struct Outer {
  std::uint64_t big = 0;
  double real = 0;
  bool flag = false;
  Colour colour = Colour::kRed;
  std::vector<Inner> inners;
  std::vector<float> floats;
  std::optional<Inner> maybe;
  std::tuple<int, std::string> pair;
  friend bool operator==(const Outer&, const Outer&) = default;
};

struct Empty {};

Outer Example() {
  return {.big = std::numeric_limits<std::uint64_t>::max(),
          .real = -0.5,
          .flag = true,
          .colour = Colour::kBlue,
          .inners = {{-7, "seven"}, {8, ""}},
          .floats = {1, 2, 3},
          .maybe = Inner{1, std::string("a\0b", 3)},
          .pair = {5, "five"}};
}

std::vector<std::byte> Bytes(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST(Wire, RoundTripKeepsEveryField) {
  auto decoded = Decode<Outer>(Encode(Example()));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, Example());
}

TEST(Wire, EveryTruncationFails) {
  auto bytes = Encode(Example());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(Decode<Outer>(std::span(bytes).first(size)).has_value()) << size;
  }
}

TEST(Wire, TrailingBytesFail) {
  auto bytes = Encode(Example());
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(Decode<Outer>(bytes).has_value());
}

TEST(Wire, EveryFlippedByteDecodesOrFailsWithoutHarm) {
  auto bytes = Encode(Example());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int pattern : {0x01, 0x80, 0xff}) {
      auto damaged = bytes;
      damaged[at] ^= static_cast<std::byte>(pattern);
      (void)Decode<Outer>(damaged);
    }
  }
}

TEST(Wire, HugeCountWithoutBytesFails) {
  EXPECT_FALSE(Decode<std::string>(Bytes({0xff, 0xff, 0xff, 0xff})).has_value());
  EXPECT_FALSE(Decode<std::vector<double>>(Bytes({0xff, 0xff, 0xff, 0x1f, 0, 0})).has_value());
  EXPECT_FALSE(Decode<std::vector<Inner>>(Bytes({0xff, 0xff, 0xff, 0xff, 1, 2, 3})).has_value());
}

TEST(Wire, ElementsWithoutBytesCannotBeRepeated) {
  EXPECT_FALSE(Decode<std::vector<Empty>>(Bytes({3, 0, 0, 0, 1, 2, 3})).has_value());
}

TEST(Wire, ValuesOutsideTheirTypeFail) {
  EXPECT_TRUE(Decode<Colour>(Bytes({2})).has_value());
  EXPECT_FALSE(Decode<Colour>(Bytes({3})).has_value());
  EXPECT_TRUE(Decode<bool>(Bytes({1})).has_value());
  EXPECT_FALSE(Decode<bool>(Bytes({2})).has_value());
}

/// A struct that says itself what is sent, and a class that does.
struct WithScratch {
  int sent = 0, scratch = 0;
};
template <class Archive>
void WireFields(Archive& archive, WithScratch& object) {
  archive(object.sent);
}
class Closed {
 public:
  explicit Closed(int number = 0) : number_(number) {}
  int number() const { return number_; }
  template <class Archive>
  void Fields(Archive& archive) {
    archive(number_);
  }

 private:
  int number_;
};

TEST(Wire, ATypeMaySayItselfWhatIsSent) {
  const auto scratch = Decode<WithScratch>(Encode(WithScratch{5, 6}));
  ASSERT_TRUE(scratch.has_value());
  EXPECT_EQ(scratch->sent, 5);
  EXPECT_EQ(scratch->scratch, 0);
  EXPECT_EQ(Decode<Closed>(Encode(Closed(7)))->number(), 7);
}

TEST(Wire, NothingIsAMessageOfNoFields) {
  EXPECT_TRUE(Decode<Empty>({}).has_value());
  EXPECT_FALSE(Decode<Empty>(Bytes({0})).has_value());
}

}  // namespace
}  // namespace warplings::wire
