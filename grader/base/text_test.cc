// SPDX-License-Identifier: Apache-2.0
#include "grader/base/text.h"

#include <gtest/gtest.h>

#include "grader/base/fit.h"

namespace warplings {
namespace {

TEST(Printable, KeepsTextAndNewlines) {
  EXPECT_EQ(Printable("a\n\tb é →"), "a\n  b é →");
}

TEST(Printable, DefusesControlSequences) {
  EXPECT_EQ(Printable("\x1b[2Jgone\r\x7f"), "\\x1b[2Jgone\\x0d\\x7f");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");
  EXPECT_EQ(Printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(Printable("\xff"), "\\xff");
  EXPECT_EQ(Printable("\xc3"), "\\xc3");                    // cut short
  EXPECT_EQ(Printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong '/'
  EXPECT_EQ(Printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // surrogate
}

TEST(Wrap, BreaksAtSpacesAndIndents) {
  EXPECT_EQ(Wrap("one two three four five six seven", 24, 2), "  one two three four\n  five six seven\n");
  EXPECT_EQ(Wrap("first\n\nsecond", 40, 1), " first\n\n second\n");
}

TEST(Wrap, LeavesLongWordsWhole) {
  EXPECT_EQ(Wrap("a chapters/01_boundary_checks/tiled_matmul.cu b", 22, 0),
            "a\nchapters/01_boundary_checks/tiled_matmul.cu\nb\n");
}

TEST(Unbroken, KeepsParagraphsOnly) {
  EXPECT_EQ(Unbroken("one\ntwo\n\nthree\nfour\n"), "one two\n\nthree four\n");
  EXPECT_EQ(Unbroken("\n"), "\n");
  EXPECT_EQ(Unbroken(""), "");
}

TEST(AlignColumns, AlignsByCodePointsAndTrimsTheEnd) {
  EXPECT_EQ(AlignColumns({{"é", "1", ""}, {"long", "22", "note"}}, 2), "  é     1\n  long  22  note\n");
}

TEST(Fit, CutsALineByCharacters) {
  EXPECT_EQ(CutTo("twelve chars", 12), "twelve chars");
  EXPECT_EQ(CutTo("thirteen char", 12), "thirteen ...");
  EXPECT_EQ(CutTo("ééééé", 4), "é...");
  EXPECT_EQ(CutTo("abcd", 2), "..");
}

TEST(Fit, WrapsTheLastColumnAndThenMakesBlocks) {
  const std::vector<std::vector<std::string>> rows = {
      {"", "yours", "note"}, {"P[0]", "1", "a note that is far too long for one line of this table"}};
  EXPECT_EQ(AlignWithin(rows, 2, 80), AlignColumns(rows, 2));
  EXPECT_EQ(AlignWithin(rows, 2, 40),
            "        yours  note\n"
            "  P[0]  1      a note that is far too\n"
            "               long for one line of this\n"
            "               table\n");
  EXPECT_EQ(AlignWithin(rows, 2, 30),
            "  P[0]\n"
            "    yours  1\n"
            "    note  a note that is fa...\n");
}

TEST(Numbers, ReadWell) {
  EXPECT_EQ(WithThousands(0), "0");
  EXPECT_EQ(WithThousands(999), "999");
  EXPECT_EQ(WithThousands(1234567), "1,234,567");
  EXPECT_EQ(Counted(1, "element"), "1 element");
  EXPECT_EQ(Counted(2000, "element"), "2,000 elements");
}

}  // namespace
}  // namespace warplings
