// SPDX-License-Identifier: Apache-2.0
#include "grader/base/message.h"

#include <gtest/gtest.h>

#include <string>

#include "grader/base/catalogue.h"
#include "grader/base/wire.h"

namespace warplings {
namespace {

using say::Count, say::Decimal, say::Index, say::Line, say::Name, say::Number, say::TestName;

constexpr MessageRow<> kPlain{"plain", "nothing to fill in"};
constexpr MessageRow<Count, Name, Line> kReads{"reads", "reads {1} of {2} in {3}"};
constexpr MessageRow<TestName, Message> kIn{"in", "{1}: {2}"};
constexpr MessageRow<Number, Index, Decimal> kNumbers{"numbers", "{1}, {2}, {3}"};
constexpr MessageRow<Name, Name> kTurned{"turned", "{2} before {1}, and {2} again"};

TEST(MessageTest, EnglishIsTheTemplateWithItsArguments) {
  EXPECT_EQ(English(kPlain()), "nothing to fill in");
  EXPECT_EQ(English(kReads(Count(4, "byte"), "Nds", 26)), "reads 4 bytes of Nds in line 26");
  EXPECT_EQ(English(kReads(Count(1, "byte"), "Nds", 0)), "reads 1 byte of Nds in the line");
  EXPECT_EQ(English(kIn(std::string("Width17"), kPlain())), "Width17: nothing to fill in");
  EXPECT_EQ(English(kNumbers(-4096, 4096, Decimal(12.84, 1))), "-4096, 4096, 12.8");
  EXPECT_EQ(English(kTurned("a", "b")), "b before a, and b again");
}

TEST(MessageTest, WordsOfOthersStayAsTheyAre) {
  const Message words = std::string("error: expected '}' before {1}");
  EXPECT_FALSE(words.IsData());
  EXPECT_EQ(English(words), "error: expected '}' before {1}");
  // An argument's braces are not filled in either.
  EXPECT_EQ(English(kTurned("{2}", "{1}")), "{1} before {2}, and {1} again");
}

TEST(MessageTest, AMessageIsKnownByItsRow) {
  const Message message = kReads(Count(4, "byte"), "M", 3);
  EXPECT_TRUE(kReads.Made(message));
  EXPECT_FALSE(kPlain.Made(message));
  EXPECT_EQ(message, kReads(Count(4, "byte"), "M", 3));
  EXPECT_NE(message, kReads(Count(4, "byte"), "M", 4));
}

TEST(MessageTest, TemplatesAreHeldAgainstTheirArguments) {
  static_assert(PlaceholdersIn("none") == 0);
  static_assert(PlaceholdersIn("{1} and {2}, {1} again") == 2);
  static_assert(PlaceholdersIn("{2} without a first") == -1);
  static_assert(PlaceholdersIn("{1:n}") == -1);
  static_assert(PlaceholdersIn("{") == -1 && PlaceholdersIn("}") == -1 && PlaceholdersIn("{0}") == -1);
}

TEST(MessageTest, ASentenceBehindACommaBeginsWithASmallLetter) {
  constexpr MessageRow<Message, Message> kWith{"with", "With {1}, {2}"}, kBoth{"both", "{1} {2}"},
      kAfter{"after", "{1}: {2}"};
  constexpr MessageRow<> kEach{"each", "Each sum lacks a product."}, kTile{"tile", "A tile holds 0."},
      kElement{"element", "P[0][0] is 0."}, kMatrix{"matrix", "N's tile holds 0."}, kCall{"call", "width 3"};
  constexpr MessageRow<Name> kNamed{"named", "{1} is never stored."};
  EXPECT_EQ(English(kWith(kCall(), kEach())), "With width 3, each sum lacks a product.");
  EXPECT_EQ(English(kWith(kCall(), kBoth(kTile(), kEach()))),
            "With width 3, a tile holds 0. Each sum lacks a product.");
  EXPECT_EQ(English(kWith(kCall(), kElement())), "With width 3, P[0][0] is 0.");
  EXPECT_EQ(English(kWith(kCall(), kMatrix())), "With width 3, N's tile holds 0.");
  EXPECT_EQ(English(kWith(kCall(), kNamed("Pvalue"))), "With width 3, Pvalue is never stored.") << "a name";
  EXPECT_EQ(English(kWith(kCall(), "The words of others")), "With width 3, The words of others");
  EXPECT_EQ(English(kAfter(kCall(), kEach())), "width 3: Each sum lacks a product.");
}

TEST(MessageTest, TestsInsideAreFound) {
  const Message message = kIn(std::string("A"), kIn(std::string("B"), kPlain()));
  EXPECT_EQ(TestsIn(message), (std::vector<std::string>{"A", "B"}));
  EXPECT_TRUE(TestsIn("A and B").empty());
}

TEST(MessageTest, TravelsAsBytes) {
  const Message message = kIn(std::string("A"), kReads(Count(4, "byte"), "M", 3));
  EXPECT_EQ(wire::Decode<Message>(wire::Encode(message)), message);
}

TEST(MessageTest, BytesThatNestWithoutEndAreRefused) {
  Message message = kPlain();
  for (int i = 0; i < 20; ++i) message = kIn(std::string("A"), message);
  EXPECT_TRUE(wire::Decode<Message>(wire::Encode(message)));
  for (int i = 0; i < 100; ++i) message = kIn(std::string("A"), message);
  EXPECT_FALSE(wire::Decode<Message>(wire::Encode(message)));
  // What was refused leaves nothing behind for the next message.
  EXPECT_TRUE(wire::Decode<Message>(wire::Encode(kPlain())));
}

TEST(MessageTest, WordsAreTranslatedBeforeArgumentsArePutIn) {
  auto catalogue = Catalogue::Parse(
      "msgid \"\"\nmsgstr \"\"\n"
      "msgid \"reads {1} of {2} in {3}\"\nmsgstr \"{3}：讀取 {2} 的 {1}\"\n"
      "msgid \"{1} bytes\"\nmsgstr \"{1} 個位元組\"\n"
      "msgid \"line {1}\"\nmsgstr \"第 {1} 行\"\n"
      "msgid \"M\"\nmsgstr \"wrong: a name is not translated\"\n",
      "test.po");
  ASSERT_TRUE(catalogue) << catalogue.error().message;
  EXPECT_EQ(catalogue->Words(kReads(Count(4096, "byte"), "M", 1026)), "第 1026 行：讀取 M 的 4,096 個位元組");
  // Without an entry it is English; amounts are grouped, positions are not.
  EXPECT_EQ(catalogue->Words(kNumbers(-4096, 4096, Decimal(1234.5, 1))), "-4,096, 4096, 1234.5");
}

}  // namespace
}  // namespace warplings
