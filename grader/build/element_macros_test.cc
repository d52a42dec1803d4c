// SPDX-License-Identifier: Apache-2.0
#include "grader/build/element_macros.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

std::string Expanded(const std::string& code) {
  std::string text;
  for (const CodeToken& token : TokensWithElements(code)) text += token.text;
  return text;
}

TEST(ElementMacros, StandForWhatTheyAre) {
  const std::string at = "#define AT(r, c) x[r * w + c]\n";
  EXPECT_EQ(Expanded(at + "s = AT(i, j);"), "s=x[i*w+j];");
  EXPECT_EQ(Expanded(at + "s = AT(i + 1, f(j, 2));"), "s=x[i+1*w+f(j,2)];") << "as the compiler does";
  EXPECT_EQ(Expanded("  # define AT(r)  x[(r)]  \r\ns = AT(i);"), "s=x[(i)];");
  EXPECT_EQ(TokensWithElements(at + "\ns = AT(i,\n j);").at(6).line, 3) << "in the line of the call";
}

TEST(ElementMacros, OthersStay) {
  EXPECT_EQ(Expanded("#define T 16\n#define HALF(n) (n / 2)\ns = x[HALF(T)];"), "s=x[HALF(T)];");
  EXPECT_EQ(Expanded("#define AT(r) x[r]\n#define AT(r) y[r]\ns = AT(1);"), "s=AT(1);") << "which one?";
  EXPECT_EQ(Expanded("#define AT(r) \\\n x[r]\ns = AT(1);").substr(0, 1), "s");
  EXPECT_EQ(Expanded("#define AT(r, c) x[r]\ns = AT(1);"), "s=AT(1);");
  EXPECT_EQ(Expanded("#define AT(r) x[r]\ns = AT(1;"), "s=AT(1;");
  EXPECT_EQ(Expanded("#define AT(r) x[r]\ns = AT;"), "s=AT;");
}

}  // namespace
}  // namespace warplings
