// SPDX-License-Identifier: Apache-2.0
#include "grader/fatbin/cubin.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>

#include "grader/core/layout.h"

namespace warplings::fatbin {
namespace {

using Bytes = std::vector<std::byte>;

Bytes ReadFixture(int sm) {
  const auto folder = ThisLayout().root / "grader" / "fatbin" / "testdata";
  std::ifstream file(folder / ("resources.sm_" + std::to_string(sm) + ".cubin"), std::ios::binary);
  const std::vector<char> raw((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto* begin = reinterpret_cast<const std::byte*>(raw.data());
  return Bytes(begin, begin + raw.size());
}

struct Expected {
  int sm;
  const char* kernel;
  std::uint32_t registers, shared_bytes, local_bytes, constant_bytes;
};

/// What ptxas -v printed when the fixtures were made (testdata/regenerate.py); it does not print bank 0 for
/// sm_90, whose size is that of the section.
constexpr Expected kExpected[] = {
    {75, "plain", 8, 0, 0, 360},  {75, "spilling", 24, 0, 64, 364}, {75, "tiled", 12, 1024, 0, 368},
    {80, "plain", 8, 0, 0, 360},  {80, "spilling", 24, 0, 64, 364}, {80, "tiled", 12, 1024, 0, 368},
    {90, "plain", 10, 0, 0, 536}, {90, "spilling", 24, 0, 64, 540}, {90, "tiled", 12, 1024, 0, 544},
};

TEST(Cubin, SaysWhatPtxasSays) {
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(std::to_string(expected.sm) + " " + expected.kernel);
    const auto kernels = ReadCubin(ReadFixture(expected.sm));
    ASSERT_TRUE(kernels.ok()) << kernels.error().message;
    ASSERT_EQ(kernels->size(), 3u);
    bool found = false;
    for (const CubinKernel& kernel : *kernels) {
      if (kernel.resources.kernel != expected.kernel) continue;
      found = true;
      EXPECT_EQ(kernel.resources.registers, expected.registers);
      EXPECT_EQ(kernel.resources.shared_bytes, expected.shared_bytes);
      EXPECT_EQ(kernel.resources.local_bytes, expected.local_bytes);
      EXPECT_EQ(kernel.resources.constant_bytes, expected.constant_bytes);
    }
    EXPECT_TRUE(found);
  }
}

TEST(Cubin, KeepsMangledNames) {
  const auto kernels = ReadCubin(ReadFixture(80));
  ASSERT_TRUE(kernels.ok());
  EXPECT_EQ((*kernels)[0].mangled, "_Z5plainPf");
  EXPECT_EQ((*kernels)[1].mangled, "_Z5tiledPKfPf");
  EXPECT_EQ((*kernels)[2].mangled, "_Z8spillingPfi");
}

std::string ErrorOf(const Bytes& cubin) {
  const auto kernels = ReadCubin(cubin);
  EXPECT_FALSE(kernels.ok());
  if (kernels.ok()) return "";
  EXPECT_EQ(kernels.error().blame, Blame::kSubmission);
  return English(kernels.error().message);
}

template <class Change>
Bytes WithHeader(Change change) {
  Bytes cubin = ReadFixture(80);
  Elf64_Ehdr header;
  std::memcpy(&header, cubin.data(), sizeof header);
  change(header);
  std::memcpy(cubin.data(), &header, sizeof header);
  return cubin;
}

/// The fixture with the section headers changed that `wanted` picks.
template <class Wanted, class Change>
Bytes WithSection(Wanted wanted, Change change) {
  Bytes cubin = ReadFixture(80);
  Elf64_Ehdr header;
  std::memcpy(&header, cubin.data(), sizeof header);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    std::byte* at = cubin.data() + header.e_shoff + i * sizeof(Elf64_Shdr);
    Elf64_Shdr section;
    std::memcpy(&section, at, sizeof section);
    if (!wanted(section)) continue;
    change(section);
    std::memcpy(at, &section, sizeof section);
  }
  return cubin;
}

TEST(CubinErrors, AreNamed) {
  const std::string begin = "a cubin is malformed: ";
  EXPECT_EQ(ErrorOf({}), begin + "its header is cut off");
  EXPECT_EQ(ErrorOf(Bytes(200)), begin + "it is not a 64-bit ELF file");
  EXPECT_EQ(ErrorOf(WithHeader([](auto& h) { h.e_ident[EI_CLASS] = ELFCLASS32; })),
            begin + "it is not a 64-bit ELF file");
  EXPECT_EQ(ErrorOf(WithHeader([](auto& h) { h.e_machine = EM_X86_64; })), begin + "it is not for a GPU");
  EXPECT_EQ(ErrorOf(WithHeader([](auto& h) { h.e_shentsize = 8; })),
            begin + "its section headers have a wrong size");
  EXPECT_EQ(ErrorOf(WithHeader([](auto& h) { h.e_shoff = ~std::uint64_t{0} - 10; })),
            begin + "its section headers are cut off");
  EXPECT_EQ(ErrorOf(WithHeader([](auto& h) { h.e_shstrndx = 0xFF00; })),
            begin + "it has no table of section names");
  const auto is_symtab = [](const Elf64_Shdr& s) { return s.sh_type == SHT_SYMTAB; };
  EXPECT_EQ(ErrorOf(WithSection(is_symtab, [](auto& s) { s.sh_size = ~std::uint64_t{0}; })),
            begin + "a section reaches past the end");
  EXPECT_EQ(ErrorOf(WithSection(is_symtab, [](auto& s) { s.sh_link = 9999; })),
            begin + "its symbol table is broken");
  EXPECT_EQ(ErrorOf(WithSection(is_symtab, [](auto& s) { s.sh_link = 0; })),
            begin + "a symbol's name lies outside its table, or the names are too long");
  EXPECT_EQ(ErrorOf(WithSection(is_symtab, [](auto& s) { s.sh_name = 0xFFFFFF; })),
            begin + "a section's name lies outside its table, or the names are too long");
  // .nv.info has type SHT_LOPROC and no kernel to belong to.
  const auto is_info = [](const Elf64_Shdr& s) { return s.sh_type == SHT_LOPROC && s.sh_info == 0; };
  EXPECT_EQ(ErrorOf(WithSection(is_info, [](auto& s) { s.sh_size -= 4; })),
            begin + "an attribute of .nv.info is cut off");
}

/// 500,000 symbols, all with the same name of a megabyte: reading each would take a minute.
TEST(Cubin, NamesThatLieOverEachOtherAreBounded) {
  constexpr std::size_t kSymbols = 500'000, kName = 1 << 20;
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = 190;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  header.e_shoff = sizeof header;
  Elf64_Shdr sections[3] = {};
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_offset = sizeof header + sizeof sections;
  sections[1].sh_size = kName + 1;
  sections[2].sh_type = SHT_SYMTAB;
  sections[2].sh_link = 1;
  sections[2].sh_entsize = sizeof(Elf64_Sym);
  sections[2].sh_offset = sections[1].sh_offset + sections[1].sh_size;
  sections[2].sh_size = kSymbols * sizeof(Elf64_Sym);
  for (Elf64_Shdr& section : sections) section.sh_name = kName;
  Bytes cubin(sections[2].sh_offset + sections[2].sh_size);
  std::memcpy(cubin.data(), &header, sizeof header);
  std::memcpy(cubin.data() + sizeof header, sections, sizeof sections);
  std::memset(cubin.data() + sections[1].sh_offset, 'a', kName);
  const std::clock_t start = std::clock();
  const auto kernels = ReadCubin(cubin);
  ASSERT_FALSE(kernels.ok());
  EXPECT_NE(English(kernels.error().message).find("too long"), std::string::npos) << kernels.error().message;
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 5);
}

TEST(Cubin, WithoutSectionsItHasNoKernels) {
  const auto kernels = ReadCubin(WithHeader([](auto& h) { h.e_shnum = 0; }));
  ASSERT_TRUE(kernels.ok());
  EXPECT_TRUE(kernels->empty());
}

TEST(Cubin, DamageIsNeverFatal) {
  const Bytes whole = ReadFixture(90);
  std::mt19937 random(11);
  for (int i = 0; i < 3000; ++i) {
    Bytes damaged = whole;
    if (i % 4 == 0) damaged.resize(random() % damaged.size());
    // The headers at both ends decide most: half of the damage goes there.
    const std::size_t begin = i % 2 == 0 ? 0 : damaged.size() - std::min<std::size_t>(damaged.size(), 4096);
    for (int flips = 0; flips < 4 && damaged.size() > begin; ++flips) {
      damaged[begin + random() % (damaged.size() - begin)] = static_cast<std::byte>(random());
    }
    (void)ReadCubin(damaged).ok();
  }
}

}  // namespace
}  // namespace warplings::fatbin
