// SPDX-License-Identifier: Apache-2.0
#include "grader/build/guarded_indices.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

std::string Mended(const std::string& statement) {
  const auto found = FindExchangedIndex(
      "void k() {\n" + statement + "\nb[row * columns + column] = t;\nd[row * n + column] = t;\n}", 2);
  return found ? found->written + " -> " + found->should_be + ", " + found->column + " < " + found->length
               : "";
}

TEST(GuardedIndices, RowAndColumnAreExchanged) {
  const std::string expected = "c * columns + r -> r * columns + c, c < columns";
  EXPECT_EQ(Mended("t = r >= 0 && r < rows && c >= 0 && c < columns ? a[c * columns + r] : 0;"), expected);
  EXPECT_EQ(Mended("t = (r < rows && c < columns) ? a[c * columns + r] : 0;"), expected);
  EXPECT_EQ(Mended("t = r < rows && c < columns ? a[r * columns + c] : 0;"), "");
  EXPECT_EQ(Mended("t = r < rows && c < columns ? a[c * rows + r] : 0;"), "") << "a transposed array";
  EXPECT_EQ(Mended("t = r < n && c < n ? a[c * n + r] : 0;"), "") << "nothing tells which is the column";
  EXPECT_EQ(Mended("t = c < k && r < j ? a[c * k + r] : 0;"), "") << "the length may be wrong: no row has k";
  EXPECT_EQ(Mended("t = n_row < columns && col < l ? a[n_row * columns + col] : 0;"), "")
      << "the row is multiplied, by the length of another array's rows";
  EXPECT_EQ(Mended("t = r < rows || c < columns ? a[c * columns + r] : 0;"), "");
  EXPECT_EQ(Mended("t = r < rows ? a[c * columns + r] : 0;"), "");
}

std::string Guards(const std::string& statement) {
  const auto found =
      FindGuardOfOthers("void k() {\nint row = ty, m_col = tx, n_row = p * T + ty;\n" + statement + "\n}");
  if (!found) return "";
  return std::to_string(found->line) + ": " + found->tested.first + ", " + found->tested.second + " for " +
         found->used.first + ", " + found->used.second;
}

TEST(GuardedIndices, TheConditionIsAboutOthers) {
  EXPECT_EQ(Guards("t = (row < n && m_col < n) ? N[n_row * n + col] : 0;"), "3: row, m_col for n_row, col");
  EXPECT_EQ(Guards("t = (n_row < n && col < n) ? N[n_row * n + col] : 0;"), "");
  EXPECT_EQ(Guards("t = (row < n && col < n) ? N[n_row * n + col] : 0;"), "") << "half of it is right";
  EXPECT_EQ(Guards("int r = row - 1, q = m_col - 1; t = (row < n && m_col < n) ? N[r * n + q] : 0;"), "");
}

}  // namespace
}  // namespace warplings
