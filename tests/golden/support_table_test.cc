// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/support_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace warplings::vgpu::support_table_test {
namespace {

TEST(SupportTable, IsInTheDocumentAsTheRowsAre) {
  std::ifstream in(WARPLINGS_VIRTUAL_GPU_DOCUMENT);
  const std::string document{std::istreambuf_iterator<char>(in), {}};
  EXPECT_TRUE(document == WithSupportTable(document, BestEngine()))
      << "docs/virtual_gpu.md does not list the instructions that there are. To rewrite its list:\n"
         "  ninja -C build tests/golden/write_support_table\n"
         "  build/tests/golden/write_support_table docs/virtual_gpu.md";
}

void Nothing(WarpContext&, const Inst&, Mask) {}

TEST(SupportTable, FormsThatDifferInOneWordAreOne) {
  const InstructionRow rows[] = {{"spin{.up|.down}.u16", "dst.b16 src.b16", Nothing},
                                 {"spin{.up|.down}.u32", "dst.b32 src.b32", Nothing},
                                 {"spin.sat.s32", "dst.b32 src.b32", Nothing},
                                 {"halt", "", Nothing, Control::kExit}};
  const RowChapter chapters[] = {{"First", 3}, {"Second", 1}};
  const std::string table = SupportTable({"", rows, chapters, nullptr});
  EXPECT_NE(table.find("### First\n\n| instruction | forms | tested by |\n|---|---|---|\n"
                       "| `spin` | `{.up .down}{.u16 .u32}`, `.sat.s32` | bits |\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("### Second\n\n| instruction | forms | tested by |\n|---|---|---|\n"
                       "| `halt` | no modifiers | kernel |\n"),
            std::string::npos)
      << table;
}

TEST(SupportTable, TheRestOfTheDocumentStays) {
  const std::string before = "# Title\n\n## Instructions\nold\n\n## Next\nkept\n";
  const std::string after = WithSupportTable(before, BestEngine());
  EXPECT_TRUE(after.starts_with("# Title\n\n## Instructions\n\n`write_support_table` writes"));
  EXPECT_TRUE(after.ends_with("\n## Next\nkept\n"));
  EXPECT_EQ(after.find("old\n"), after.npos);
  EXPECT_EQ(WithSupportTable("# No such heading\n", BestEngine()), "");
}

}  // namespace
}  // namespace warplings::vgpu::support_table_test
