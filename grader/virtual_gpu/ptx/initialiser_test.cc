// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/initialiser.h"

#include <cstring>

#include "grader/virtual_gpu/ptx/test_module.h"

namespace warplings::ptx {
namespace {

template <class T>
std::vector<T> Values(const Variable& variable) {
  std::vector<T> values(variable.initial.size() / sizeof(T));
  std::memcpy(values.data(), variable.initial.data(), variable.initial.size());
  return values;
}

Variable Declared(const std::string& declaration) {
  const Module module =
      MustParse(ParseText(".global .align 8 .b8 other[64];\n.func f() { ret; }\n" + declaration));
  return module.variables.empty() ? Variable() : module.variables.back();
}

std::string Refused(const std::string& declaration) {
  return ErrorOf(ParseText(declaration));
}

TEST(Initialiser, Integers) {
  EXPECT_EQ(Values<std::uint8_t>(Declared(".global .b8 x[5] = {104, 0xff, -1, 0};")),
            (std::vector<std::uint8_t>{104, 255, 255, 0, 0}));
  EXPECT_EQ(Values<std::int32_t>(Declared(".const .u32 x = 7;")), (std::vector<std::int32_t>{7}));
  EXPECT_EQ(Values<std::int64_t>(Declared(".global .s64 x = -5;")), (std::vector<std::int64_t>{-5}));
  EXPECT_TRUE(Declared(".global .b32 x[4];").initial.empty());
}

TEST(Initialiser, FloatsInEitherWidth) {
  EXPECT_EQ(Values<float>(Declared(".global .f32 x[4] = {0f3FC00000, 1.5, 0d3FF8000000000000};")),
            (std::vector<float>{1.5f, 1.5f, 1.5f, 0.f}));
  EXPECT_EQ(Values<double>(Declared(".global .f64 x[2] = {0d3FF8000000000000, 0f3FC00000};")),
            (std::vector<double>{1.5, 1.5}));
}

TEST(Initialiser, NestedBracesFillTheirRow) {
  EXPECT_EQ(Values<std::int32_t>(Declared(".global .b32 x[2][3] = {{1}, {2, 3}};")),
            (std::vector<std::int32_t>{1, 0, 0, 2, 3, 0}));
  EXPECT_EQ(Values<std::int32_t>(Declared(".global .b32 x[2][3] = {1, 2, 3, 4};")),
            (std::vector<std::int32_t>{1, 2, 3, 4, 0, 0}));
  EXPECT_EQ(Values<float>(Declared(".global .v2 .f32 x[2] = {{1.0, 2.0}, {3.0, 4.0}};")),
            (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(Values<std::int32_t>(Declared(".global .b32 x[2] = {};")), (std::vector<std::int32_t>{0, 0}));
}

TEST(Initialiser, OpenExtentIsCounted) {
  const Variable flat = Declared(".global .b32 x[] = {1, 2, 3};");
  EXPECT_EQ(flat.count, 3u);
  EXPECT_EQ(flat.initial.size(), 12u);
  const Variable rows = Declared(".global .b32 x[][2] = {{1}, {3}};");
  EXPECT_EQ(rows.count, 4u);
  EXPECT_EQ(Values<std::int32_t>(rows), (std::vector<std::int32_t>{1, 0, 3, 0}));
}

TEST(Initialiser, Addresses) {
  const Variable x = Declared(".global .u64 x[4] = {generic(other)+8, other, f, generic(other+4)-1};");
  ASSERT_EQ(x.relocations.size(), 4u);
  EXPECT_EQ(x.initial.size(), 32u);
  EXPECT_EQ(x.relocations[0].symbol, "other");
  EXPECT_EQ(x.relocations[0].addend, 8);
  EXPECT_TRUE(x.relocations[0].is_generic);
  EXPECT_EQ(x.relocations[1].offset, 8u);
  EXPECT_FALSE(x.relocations[1].is_generic);
  EXPECT_EQ(x.relocations[2].symbol, "f");
  EXPECT_EQ(x.relocations[3].addend, 3);
}

TEST(Initialiser, MaskedBytesMakeOneAddress) {
  const Variable x = Declared(
      ".global .align 8 .b8 x[24] = {1, 0, 0, 0, 0, 0, 0, 0, 0xFF(generic(other)), 0xFF00(generic(other)), "
      "0xFF0000(generic(other)), 0xFF000000(generic(other)), 0xFF00000000(generic(other)), "
      "0xFF0000000000(generic(other)), 0xFF000000000000(generic(other)), 0xFF00000000000000(generic(other)), "
      "5};");
  ASSERT_EQ(x.relocations.size(), 1u);
  EXPECT_EQ(x.relocations[0].offset, 8u);
  EXPECT_EQ(Values<std::uint8_t>(x)[16], 5);
}

TEST(InitialiserErrors, AreNamed) {
  EXPECT_EQ(Refused(".global .b8 x[2] = {1, 2, 3};"), "PTX line 4: 'x' has more values than elements");
  EXPECT_EQ(Refused(".global .b8 x = 256;"), "PTX line 4: a value does not fit the type of 'x'");
  EXPECT_EQ(Refused(".global .s8 x = -129;"), "PTX line 4: a value does not fit the type of 'x'");
  EXPECT_EQ(Refused(".global .b32 x = 1.5;"),
            "PTX line 4: a floating-point constant does not fit the type of 'x'");
  EXPECT_EQ(Refused(".global .f32 x = 1;"), "PTX line 4: an integer constant does not fit the type of 'x'");
  EXPECT_EQ(Refused(".global .f16 x = 1.0;"),
            "PTX line 4: a floating-point constant does not fit the type of 'x'");
  EXPECT_EQ(Refused(".global .u64 x = nobody;"),
            "PTX line 4: 'nobody', whose address 'x' holds, is not declared");
  EXPECT_EQ(Refused(".global .u32 x = x;"), "PTX line 4: an address needs an element of 8 bytes");
  EXPECT_EQ(Refused(".global .b32 x[2] = 1;"),
            "PTX line 4: '{' before an array's values expected, but found '1'");
  EXPECT_EQ(Refused(".global .b32 x[2] = {{1}, {{2}}};"), "PTX line 4: braces nest deeper than the array");
  EXPECT_EQ(Refused(".global .b8 x[8] = {0xFF(x), 0xFF00(x)};"),
            "PTX line 4: masked bytes of an address that do not make a whole address are not supported");
  EXPECT_EQ(Refused(".global .b8 x[8] = {0xFF00(x)};"),
            "PTX line 4: masked bytes of an address that do not make a whole address are not supported");
  EXPECT_EQ(Refused(".global .b32 x = 0xFF(x);"),
            "PTX line 4: a masked address needs an element of one byte");
  EXPECT_EQ(Refused(".extern .global .b32 x = 1;"), "PTX line 4: an external variable cannot have a value");
  EXPECT_EQ(Refused(".shared .b32 x = 1;"), "PTX line 4: only .global and .const variables can have a value");
  EXPECT_EQ(Refused(".global .u64 x = x+99999999999999;"), "PTX line 4: an offset is too large");
  EXPECT_EQ(Refused(".global .b32 x = ;"), "PTX line 4: a value expected, but found ';'");
}

TEST(InitialiserErrors, HugeValuesAreNotAllocated) {
  EXPECT_NE(Refused(".global .b8 x[900000000000] = {1};").find("initial values are larger"),
            std::string::npos);
  EXPECT_NE(Refused(".global .b8 x[][900000000000] = {{1}};").find("more values than"), std::string::npos);
  EXPECT_TRUE(ParseText(".global .b8 x[900000000000];").ok());
}

}  // namespace
}  // namespace warplings::ptx
