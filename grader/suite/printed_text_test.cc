// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/printed_text.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

PrintedText Printed(const std::vector<std::string>& calls) {
  std::optional<PrintedText> printed;
  for (const std::string& call : calls) AddPrinted(call, printed);
  return printed.value_or(PrintedText{"nothing", 0, 0});
}

TEST(PrintedTextTest, NothingStaysNothing) {
  EXPECT_EQ(Printed({"", ""}).text, "nothing");
}

TEST(PrintedTextTest, CallsAreJoined) {
  const PrintedText printed = Printed({"a\n", "b", "c\n"});
  EXPECT_EQ(printed.text, "a\nbc\n");
  EXPECT_EQ(printed.more_lines, 0u);
  EXPECT_EQ(printed.more_bytes, 0u);
}

TEST(PrintedTextTest, LinesBeyondTheLimitAreCounted) {
  std::string many;
  for (int i = 0; i < 50; ++i) many += "line\n";
  const PrintedText printed = Printed({many, "more\n"});
  EXPECT_EQ(printed.text.size(), PrintedText::kMostLines * 5);
  EXPECT_EQ(printed.more_lines, 31u);
  EXPECT_EQ(printed.more_bytes, 31u * 5);
}

TEST(PrintedTextTest, BytesBeyondTheLimitAreCounted) {
  const std::string half(PrintedText::kMostBytes / 2 - 1, 'x');
  const PrintedText lines = Printed({half + "\n" + half + "\n" + "y\nz\n"});
  EXPECT_EQ(lines.text, half + "\n" + half + "\n");
  EXPECT_EQ(lines.more_lines, 2u);
  EXPECT_EQ(lines.more_bytes, 4u);
  // What came too late stays out, or the text would have a gap that nobody sees.
  EXPECT_EQ(Printed({"a\n", half + half + half + "\n", "z\n"}).text, "a\n");
}

TEST(PrintedTextTest, OneLongLineIsCutBetweenCharacters) {
  std::string line = "x";  // Then each character begins at an odd byte.
  while (line.size() < 2 * PrintedText::kMostBytes) line += "é";
  const PrintedText printed = Printed({line});
  EXPECT_EQ(printed.text.size(), PrintedText::kMostBytes - 1);
  EXPECT_EQ(printed.more_lines, 0u);
  EXPECT_EQ(printed.more_bytes, line.size() - printed.text.size());
}

}  // namespace
}  // namespace warplings
