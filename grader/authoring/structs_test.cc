// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/structs.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "grader/authoring/verification.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

TEST(StructsTest, MembersAreReadInTheirOrder) {
  const auto structs = StructsIn(
      "// struct Hidden { int x; };\n"
      "struct alignas(4) Pixel {\n  std::uint8_t r, g = 0;  // red; green\n  unsigned char b{}, a;\n"
      "  friend bool operator==(const Pixel&, const Pixel&) = default;\n};\n"
      "/* struct Gone {}; */ struct Request { int address[2][3]; const double *where; Pixel pixel; };\n"
      "struct Declared;\n");
  ASSERT_EQ(structs.size(), 2u);
  EXPECT_EQ(structs[0].name, "Pixel");
  EXPECT_EQ(structs[0].alignment, "4");
  ASSERT_EQ(structs[0].members.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(structs[0].members[i].type, "unsigned char") << i;
    EXPECT_EQ(structs[0].members[i].name, std::string(1, "rgba"[i]));
  }
  ASSERT_EQ(structs[1].members.size(), 3u);
  EXPECT_EQ(structs[1].members[0].extent, "[2][3]");
  EXPECT_EQ(structs[1].members[2].type, "Pixel");
  EXPECT_FALSE(LayoutOf(structs[1]));
}

TEST(StructsTest, SizeAndAlignmentAreThoseOfTheCompiler) {
  const auto layout = [](const std::string& source) { return LayoutOf(StructsIn(source).at(0)).value(); };
  struct Mixed {
    char c;
    double d;
    short s[3];
  };
  EXPECT_EQ(layout("struct Mixed { char c; double d; short s[3]; };").bytes, sizeof(Mixed));
  EXPECT_EQ(layout("struct Mixed { char c; double d; short s[3]; };").alignment, alignof(Mixed));
  EXPECT_EQ(layout("struct Bytes { std::uint8_t r, g, b; };").bytes, 3u);
  EXPECT_EQ(layout("struct alignas(4) Bytes { std::uint8_t r, g, b; };").bytes, 4u);
  EXPECT_EQ(layout("struct __align__(8) Bytes { unsigned int r; };").alignment, 8u);
}

class StructDifferencesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "structs-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    layout_.root = pattern;
    exercise_.chapter = "01_first";
    exercise_.id = "turn";
    exercise_.starter = layout_.root / "chapters/01_first/turn.cu";
  }
  void TearDown() override { fs::remove_all(layout_.root); }

  void Write(const std::string& name, const std::string& text) {
    fs::create_directories((layout_.root / name).parent_path());
    std::ofstream(layout_.root / name) << text;
  }
  Names Of(const std::string& header, const std::string& suite) {
    Write("chapters/01_first/turn.h", header);
    Write("tests/suites/01_first/turn_suite.cc", suite);
    return StructDifferences(exercise_, layout_);
  }

  Layout layout_;
  Exercise exercise_;
};

TEST_F(StructDifferencesTest, SizeAlignmentAndMembersAreCompared) {
  const std::string pixel = "struct alignas(4) Pixel {\n  unsigned char r, g, b, a;\n};\n";
  const std::string is = "unsigned char r, unsigned char g, unsigned char b, unsigned char a";
  const std::string end =
      ". If it is meant to be the contract's, include \"chapters/01_first/turn.h\" there instead; if not, "
      "give it another name";
  EXPECT_EQ(Of(pixel, "struct alignas(4) Pixel { std::uint8_t r, g; std::uint8_t b, a; };"), Names{});
  EXPECT_EQ(
      Of("struct alignas(4) Pixel { unsigned char r, g, b, a, depth; };", pixel),
      Names{"struct Pixel of the contract has 8 bytes, aligned to 4: " + is +
            ", unsigned char depth; that of tests/suites/01_first/turn_suite.cc has 4 bytes, aligned to "
            "4: " +
            is + end});
  EXPECT_EQ(Of("struct alignas(4) Pixel { unsigned char a, r, g, b; };", pixel).size(), 1u)
      << "in another order";
  EXPECT_EQ(Of("struct Pixel { unsigned char r, g, b, a; };", pixel).size(), 1u) << "of another alignment";
  EXPECT_EQ(Of("struct alignas(4) Pixel { signed char r, g, b, a; };", pixel).size(), 1u)
      << "of another type";
}

TEST_F(StructDifferencesTest, ASuiteKnowsTheContractsStructs) {
  const std::string pixel = "struct Pixel { int r; };\nvoid turn(const Pixel* in);\n";
  EXPECT_EQ(Of("void turn(int* out);", ""), Names{});
  EXPECT_EQ(Of(pixel, "struct Texel { int r; };"),
            Names{"the suite does not know struct Pixel of the contract, so nothing compares its elements "
                  "with it: include \"chapters/01_first/turn.h\""});
  EXPECT_EQ(Of(pixel, "#include \"chapters/01_first/turn.h\"\n"), Names{});
  EXPECT_EQ(Of("struct Pixel { int r; };\nPixel turn(Pixel in);\n", "struct Texel { int r; };"), Names{})
      << "the judge compares the sizes of arguments and results";
  Write("tests/suites/01_first/pixels.h", "struct Pixel { float r; };");
  EXPECT_EQ(Of(pixel, "#include \"tests/suites/01_first/pixels.h\"\n").size(), 1u);
}

TEST_F(StructDifferencesTest, AStructOfAnotherSuiteIsNotTheContracts) {
  const std::string pixel = "struct Pixel { int r; };\nvoid turn(const Pixel* in);\n";
  const std::string suite =
      "#include \"chapters/01_first/turn.h\"\n#include \"tests/suites/01_first/turn_evidence.h\"\n";
  Write("tests/suites/01_first/turn_evidence.h", "#include \"reference/turn.h\"\n");
  Write("tests/suites/01_first/shift_evidence.cc", "namespace { struct Pixel { int x, y, z; }; }\n");
  EXPECT_EQ(Of(pixel, suite), Names{}) << "that file is linked with all suites of the chapter";
  Write("reference/turn.h", "struct Pixel { int r, g; };\n");
  EXPECT_EQ(Of(pixel, suite).size(), 1u) << "included by a header";
  fs::remove(layout_.root / "reference/turn.h");
  Write("tests/suites/01_first/turn_evidence.cc", "namespace { struct Pixel { float r; }; }\n");
  EXPECT_EQ(Of(pixel, suite).size(), 1u) << "an included header's own source";
}

}  // namespace
}  // namespace warplings
