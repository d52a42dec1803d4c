// SPDX-License-Identifier: Apache-2.0
#include "grader/base/ascii.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace warplings {
namespace {

TEST(ToAscii, SpellsWhatItKnowsAndMarksWhatItDoesNot) {
  EXPECT_EQ(ToAscii("plain"), "plain");
  EXPECT_EQ(ToAscii("2·x[0] → 3×4 …"), "2*x[0] -> 3x4 ...");
  EXPECT_EQ(ToAscii("‘a’ “b”"), "'a' \"b\"");
  EXPECT_EQ(ToAscii("é|矩|x"), "?|??|x") << "as many columns as before";
}

TEST(ToAscii, LeavesNoByteAboveAsciiWhateverComes) {
  std::string hostile;
  for (int i = 0; i < 4096; ++i) hostile += static_cast<char>((i * 7919) % 256);
  hostile += "\xf0";  // A character that ends too early.
  for (const char c : ToAscii(hostile)) EXPECT_LT(static_cast<unsigned char>(c), 0x80);
}

TEST(LocaleIsUtf8, ReadsTheCodesetOfTheVariableThatCounts) {
  const auto is_utf8 = [](const char* all, const char* type, const char* lang) {
    setenv("LC_ALL", all, 1);
    setenv("LC_CTYPE", type, 1);
    setenv("LANG", lang, 1);
    return LocaleIsUtf8();
  };
  EXPECT_TRUE(is_utf8("", "", "de_DE.UTF-8"));
  EXPECT_TRUE(is_utf8("C.utf8", "C", "C"));
  EXPECT_TRUE(is_utf8("", "zh_TW.UTF-8@x", "C"));
  EXPECT_FALSE(is_utf8("C", "", "de_DE.UTF-8"));
  EXPECT_FALSE(is_utf8("", "de_DE.ISO-8859-1", "de_DE.UTF-8"));
  EXPECT_FALSE(is_utf8("", "", "de_DE"));
  EXPECT_FALSE(is_utf8("", "", ""));
}

}  // namespace
}  // namespace warplings
