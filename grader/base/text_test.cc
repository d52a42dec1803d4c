// SPDX-License-Identifier: Apache-2.0
#include "grader/base/text.h"

#include <gtest/gtest.h>
#include <wchar.h>

#include <clocale>

#include "grader/base/characters.h"
#include "grader/base/fit.h"
#include "grader/base/spelling.h"

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

TEST(Printable, ShowsWhatHidesAndReorders) {
  EXPECT_EQ(Printable("a\u202Eb"), "a\\u{202e}b");
  EXPECT_EQ(Printable("\u2066x\u2069\u061C\u200E\u200F"), "\\u{2066}x\\u{2069}\\u{061c}\\u{200e}\\u{200f}");
  EXPECT_EQ(Printable("pass\u200Bed\u2060\uFEFF"), "pass\\u{200b}ed\\u{2060}\\u{feff}");
  EXPECT_EQ(Printable("\U000E0041\u2028\u00AD\u3164"), "\\u{e0041}\\u{2028}\\u{00ad}\\u{3164}");
  // Spaces that look like one.
  EXPECT_EQ(Printable("Ada\u00A0Lovelace"), "Ada\\u{00a0}Lovelace");
  EXPECT_EQ(Printable("a\u2009b\u202Fc\u2003d\u205Fe\u1680"),
            "a\\u{2009}b\\u{202f}c\\u{2003}d\\u{205f}e\\u{1680}");
  EXPECT_EQ(Printable("a\u3000b 小\u3000"), "a\\u{3000}b 小\\u{3000}");
  // Joiners that join nothing.
  EXPECT_EQ(Printable("a\u200Db\u200C"), "a\\u{200d}b\\u{200c}");
  EXPECT_EQ(Printable("é\u200D\u200Dé"), "é\\u{200d}\\u{200d}é");
  EXPECT_EQ(Printable("1\uFE0F"), "1\\u{fe0f}");
}

TEST(Printable, KeepsHonestTextReadable) {
  for (const char* text : {"每個執行緒載入一個元素", "نمی\u200Cخواهم", "👩\u200D🔬 ❤\uFE0F\u200D🔥",
                           "e\u0301 ñ Ω", "한국어", "王\u3000小明"}) {
    EXPECT_EQ(Printable(text), text);
  }
}

TEST(Wrap, BreaksAtSpacesAndIndents) {
  EXPECT_EQ(Wrap("one two three four five six seven", 24, 2), "  one two three four\n  five six seven\n");
  EXPECT_EQ(Wrap("first\n\nsecond", 40, 1), " first\n\n second\n");
}

TEST(Wrap, PrefersToBreakChineseAtPunctuation) {
  EXPECT_EQ(Wrap("一二三四五六七，八九十一二", 20, 0), "一二三四五六七，\n八九十一二\n");
  EXPECT_EQ(Wrap("一二三四五（六七八九十一）", 20, 0), "一二三四五（六七八九\n十一）\n") << "too far away";
  EXPECT_EQ(Wrap("一二三四五六七 ab 八九十", 20, 0), "一二三四五六七 ab\n八九十\n");
  EXPECT_EQ(Wrap("一二三四五六七 32 個五", 20, 0), "一二三四五六七\n32 個五\n") << "a number and its unit";
}

TEST(Wrap, LeavesCommonChineseWordsWhole) {
  EXPECT_EQ(Wrap("一二三四五六七八九等待十一", 20, 0), "一二三四五六七八九\n等待十一\n");
  EXPECT_EQ(Wrap("一二三四五六七八執行緒十一", 20, 0), "一二三四五六七八\n執行緒十一\n");
}

TEST(Wrap, LeavesProductsOfNumbersWhole) {
  EXPECT_EQ(Wrap("a test: 2 x 3 times 3 x 4", 22, 0), "a test: 2 x 3 times\n3 x 4\n");
  EXPECT_EQ(Wrap("one block of 16 x 16 x 4", 20, 0), "one block of\n16 x 16 x 4\n");
  EXPECT_EQ(Wrap("一二三四五六在 3 x 4 的矩陣裡", 20, 0), "一二三四五六在\n3 x 4 的矩陣裡\n");
  EXPECT_EQ(Wrap("it is only along the x axis", 22, 0), "it is only along the x\naxis\n");
  EXPECT_EQ(Wrap("100 x 100 x 100 x 100 x 100", 20, 0), "100 x 100 x 100 x\n100 x 100\n") << "too long";
}

TEST(Wrap, LeavesShortCodeAndCoordinatesWhole) {
  EXPECT_EQ(Wrap("it is true for `width - 1` too", 24, 0), "it is true for\n`width - 1` too\n");
  EXPECT_EQ(Wrap("`a` is read, and so is `b + c`", 26, 0), "`a` is read, and so is\n`b + c`\n");
  EXPECT_EQ(Wrap("it is `if (row < width && column < width)` here", 24, 0),
            "it is `if (row < width\n&& column < width)` here\n")
      << "too long";
  EXPECT_EQ(Wrap("block (2, 1), thread (0, 15) reads", 26, 0), "block (2, 1), thread\n(0, 15) reads\n");
  EXPECT_EQ(Wrap("this is thread (10, 20, 30) here", 22, 0), "this is thread\n(10, 20, 30) here\n");
  EXPECT_EQ(Wrap("it is 1 of 12, 20 and 30", 20, 0), "it is 1 of 12, 20\nand 30\n");
}

TEST(Wrap, LeavesChineseOrdinalsWhole) {
  EXPECT_EQ(Wrap("一二三 16 列和第 0 列相同", 20, 0), "一二三 16 列和\n第 0 列相同\n");
  EXPECT_EQ(Wrap("一二三四五六七第 0 列", 20, 0), "一二三四五六七\n第 0 列\n");
}

TEST(Wrap, LeavesLongWordsWhole) {
  EXPECT_EQ(Wrap("a chapters/01_boundary_checks/tiled_matmul.cu b", 22, 0),
            "a\nchapters/01_boundary_checks/tiled_matmul.cu\nb\n");
}

TEST(Wrap, BreaksChineseBetweenCharactersAndKeepsPunctuation) {
  EXPECT_EQ(Wrap("一二三四五六七八九十一二三四", 20, 0), "一二三四五六七八九十\n一二三四\n");
  EXPECT_EQ(Wrap("一二三四五六七八九十，一", 20, 0), "一二三四五六七八九\n十，一\n")
      << "no comma at the start";
  EXPECT_EQ(Wrap("一二三四五六七八九「十」", 20, 0), "一二三四五六七八九\n「十」\n")
      << "no bracket at the end";
  EXPECT_EQ(Wrap("一二三四五六七 __syncthreads() 八", 22, 2), "  一二三四五六七\n  __syncthreads() 八\n")
      << "Latin words stay whole, with one space on each side";
  EXPECT_EQ(Wrap("abc 中文 def", 40, 0), "abc 中文 def\n");
}

TEST(JoinLines, JoinsChineseWithoutASpace) {
  EXPECT_EQ(JoinLines("執行\n緒"), "執行緒");
  EXPECT_EQ(JoinLines("載入 M，\nN 也是"), "載入 M，N 也是");
  EXPECT_EQ(JoinLines("讀取\nM[0][3]"), "讀取 M[0][3]");
  EXPECT_EQ(JoinLines("M[0][3]\n「的值」"), "M[0][3]「的值」");
}

TEST(JoinLines, KeepsParagraphsOnly) {
  EXPECT_EQ(JoinLines("one\ntwo\n\nthree\nfour\n"), "one two\n\nthree four\n");
  EXPECT_EQ(JoinLines("\n"), "\n");
  EXPECT_EQ(JoinLines(""), "");
}

TEST(DisplayWidth, CountsColumnsOfATerminal) {
  EXPECT_EQ(DisplayWidth(""), 0u);
  EXPECT_EQ(DisplayWidth("é → ×"), 5u);
  EXPECT_EQ(DisplayWidth("執行緒 32"), 9u);
  EXPECT_EQ(DisplayWidth("「，」"), 6u);
  EXPECT_EQ(DisplayWidth("e\xcc\x81"), 1u) << "an accent of its own";
  EXPECT_EQ(DisplayWidth("\xe5\x9f"), 2u) << "cut short: a byte a column";
}

TEST(DisplayWidth, AgreesWithTheCLibrary) {
  const char* former = std::setlocale(LC_CTYPE, nullptr);
  const std::string kept = former == nullptr ? "C" : former;
  ASSERT_NE(std::setlocale(LC_CTYPE, "C.UTF-8"), nullptr) << "Debian and Ubuntu have it always";
  // What our texts are made of: Latin to Cyrillic, punctuation, arrows and signs, Chinese and its
  // punctuation.
  const std::pair<char32_t, char32_t> ranges[] = {
      {0x20, 0x7E},     {0xA1, 0x52F},    {0x2010, 0x2027}, {0x2070, 0x2319}, {0x2500, 0x2595},
      {0x2E80, 0x2E99}, {0x3001, 0x303E}, {0x3105, 0x312F}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF},
      {0xAC00, 0xD7A3}, {0xF900, 0xFA6D}, {0xFE30, 0xFE52}, {0xFF01, 0xFF60}, {0x20000, 0x2A6DF}};
  for (const auto& [first, last] : ranges) {
    for (char32_t code = first; code <= last; ++code) {
      const int columns = ::wcwidth(static_cast<wchar_t>(code));
      if (columns < 0 || code == 0xAD) continue;  // Not assigned; the soft hyphen, on which terminals differ.
      ASSERT_EQ(ColumnsOf(code), columns) << std::hex << static_cast<std::uint32_t>(code);
    }
  }
  std::setlocale(LC_CTYPE, kept.c_str());
}

TEST(AlignColumns, AlignsChineseByColumns) {
  EXPECT_EQ(AlignColumns({{"元素", "應為", "你的"}, {"P[0][0]", "30", "nan"}}, 2),
            "  元素     應為  你的\n  P[0][0]  30    nan\n");
}

TEST(AlignColumns, AlignsByColumnsAndTrimsTheEnd) {
  EXPECT_EQ(AlignColumns({{"é", "1", ""}, {"long", "22", "note"}}, 2), "  é     1\n  long  22  note\n");
}

TEST(Spelling, FindsWhatWasMeant) {
  const std::vector<std::string> verbs = {"check", "hint", "list", "next", "status", "reset", "run"};
  EXPECT_EQ(ClosestCandidate("czeck", verbs), "check");
  EXPECT_EQ(ClosestCandidate("hnit", verbs), "hint");
  EXPECT_EQ(ClosestCandidate("stat", verbs), "status");
  EXPECT_EQ(ClosestCandidate("lst", verbs), "list");
  EXPECT_EQ(ClosestCandidate("wombat", verbs), "");
  EXPECT_EQ(ClosestCandidate("rest", {"reset", "test"}), "") << "either may be meant";
  EXPECT_EQ(ClosestCandidate("", verbs), "");
  EXPECT_EQ(ClosestCandidate(std::string(100000, 'a'), verbs), "");
}

TEST(Fit, CutsALineByCharacters) {
  EXPECT_EQ(CutTo("twelve chars", 12), "twelve chars");
  EXPECT_EQ(CutTo("thirteen char", 12), "thirteen ...");
  EXPECT_EQ(CutTo("ééééé", 4), "é...");
  EXPECT_EQ(CutTo("執行緒區塊", 8), "執行...") << "two columns each";
  EXPECT_EQ(CutTo("執行緒區塊", 10), "執行緒區塊");
  EXPECT_EQ(CutTo("abcd", 2), "..");
}

TEST(CutPathTo, KeepsTheEnd) {
  EXPECT_EQ(CutPathTo("mine/scale.cu:2", 15), "mine/scale.cu:2");
  EXPECT_EQ(CutPathTo("/home/ada/mine/scale.cu:2", 20), ".../mine/scale.cu:2");
  EXPECT_EQ(CutPathTo("/home/ada/mine/scale.cu:2", 18), ".../scale.cu:2") << "whole folders";
  EXPECT_EQ(CutPathTo("mine/scale.cu:2", 9), "...e.cu:2") << "the number of the line stays";
  EXPECT_EQ(CutPathTo("作業/執行緒.cu", 9), "...緒.cu") << "two columns each";
  EXPECT_EQ(CutPathTo("abcd", 2), "..");
}

TEST(Fit, WrapsTheLastColumnAndThenMakesBlocks) {
  const std::vector<std::vector<std::string>> rows = {
      {"", "yours", "note"}, {"P[0]", "1", "a note that is far too long for one line of this table"}};
  EXPECT_EQ(AlignWithin(rows, 2, 80), AlignColumns(rows, 2));
  EXPECT_EQ(AlignWithin(rows, 2, 50),
            "        yours  note\n"
            "  P[0]  1      a note that is far too long for one\n"
            "               line of this table\n");
  EXPECT_EQ(AlignWithin(rows, 2, 40),
            "        yours  note\n"
            "  P[0]  1\n"
            "    a note that is far too long for one\n"
            "    line of this table\n")
      << "three lines in its column";
  EXPECT_EQ(AlignWithin(rows, 2, 30),
            "  P[0]\n"
            "    yours  1\n"
            "    note   a note that is far\n"
            "           too long for one\n"
            "           line of this table\n");
}

TEST(Fit, ALastColumnOfCodeIsCut) {
  const std::vector<std::vector<std::string>> rows = {{"line", "conflicts", "source"},
                                                      {"31", "0", "const int i = blockIdx.x * SEGMENT + tx;"},
                                                      {"32", "0", "int sum = 0;"}};
  EXPECT_EQ(AlignWithin(rows, 2, 80, LastColumn::kCode), AlignColumns(rows, 2));
  EXPECT_EQ(AlignWithin(rows, 2, 42, LastColumn::kCode),
            "  line  conflicts  source\n"
            "  31    0          const int i = blockI...\n"
            "  32    0          int sum = 0;\n");
}

TEST(Fit, BreaksTheLastColumnAtCommas) {
  const std::vector<std::vector<std::string>> rows = {{"", "note"},
                                                      {"P[0]", "loads M[4][3]: index 19, last index 24"}};
  EXPECT_EQ(AlignWithin(rows, 0, 43),
            "      note\n"
            "P[0]  loads M[4][3]: index 19,\n"
            "      last index 24\n");
  EXPECT_EQ(AlignWithin(rows, 0, 28),
            "      note\n"
            "P[0]  loads M[4][3]: index\n"
            "      19, last index 24\n")
      << "there is no room for the first part";
}

TEST(Text, LowerCaseChangesAsciiLettersOnly) {
  EXPECT_EQ(InLowerCase("Ünder_Ⅷ.CU9Z"), "Ünder_Ⅷ.cu9z");
  EXPECT_EQ(InLowerCase("İI"), "İi");  // As no locale would have it.
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
