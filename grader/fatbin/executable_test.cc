// SPDX-License-Identifier: Apache-2.0
#include "grader/fatbin/executable.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <random>

namespace warplings::fatbin {
namespace {

/// A minimal ELF program with only what ReadExecutable looks at. Layout: header, two program headers, dynamic
/// section, strings, section names, section headers; loaded at 0x400000.
class ProgramBuilder {
 public:
  std::vector<std::string> libraries;
  std::vector<std::string> sections;
  bool is_dynamic = true;
  bool has_strings = true;

  std::string Build() const {
    std::string strings(1, '\0');
    std::vector<Elf64_Dyn> dynamic;
    for (const std::string& library : libraries) {
      dynamic.push_back(Entry(DT_NEEDED, strings.size()));
      strings += library + '\0';
    }
    const std::uint64_t dynamic_at = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
    const std::uint64_t strings_at = dynamic_at + (dynamic.size() + 2) * sizeof(Elf64_Dyn);
    if (has_strings) dynamic.push_back(Entry(DT_STRTAB, kBase + strings_at));
    dynamic.resize(libraries.size() + 2);  // DT_NULL ends it.

    std::string names(1, '\0');
    std::vector<Elf64_Shdr> headers(1);
    for (const std::string& section : sections) {
      headers.emplace_back().sh_name = static_cast<Elf64_Word>(names.size());
      names += section + '\0';
    }
    Elf64_Shdr& names_header = headers.emplace_back();
    names_header.sh_offset = strings_at + strings.size();
    names_header.sh_size = names.size();

    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_type = ET_DYN;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = is_dynamic ? 2 : 1;
    header.e_shoff = names_header.sh_offset + names.size();
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(headers.size());
    header.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
    Elf64_Phdr segments[2]{};
    segments[0].p_type = PT_LOAD;
    segments[0].p_vaddr = kBase;
    segments[0].p_filesz = header.e_shoff;
    segments[1].p_type = PT_DYNAMIC;
    segments[1].p_offset = dynamic_at;
    segments[1].p_filesz = dynamic.size() * sizeof(Elf64_Dyn);

    std::string image;
    Append(image, &header, sizeof header);
    Append(image, segments, sizeof segments);
    Append(image, dynamic.data(), dynamic.size() * sizeof(Elf64_Dyn));
    image += strings + names;
    Append(image, headers.data(), headers.size() * sizeof(Elf64_Shdr));
    return image;
  }

 private:
  static constexpr std::uint64_t kBase = 0x400000;
  static Elf64_Dyn Entry(Elf64_Sxword tag, std::uint64_t value) {
    Elf64_Dyn entry{};
    entry.d_tag = tag;
    entry.d_un.d_val = value;
    return entry;
  }
  static void Append(std::string& image, const void* data, std::size_t bytes) {
    image.append(static_cast<const char*>(data), bytes);
  }
};

class ExecutableTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "executable_test_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path Write(const std::string& image) {
    const std::filesystem::path path = folder_ / "program";
    std::ofstream(path, std::ios::binary) << image;
    return path;
  }
  std::filesystem::path Write(const ProgramBuilder& program) { return Write(program.Build()); }

  std::string RefusalOf(const std::filesystem::path& path) {
    const Result<int> major = RuntimeMajorOf(path);
    EXPECT_FALSE(major.ok());
    if (major.ok()) return "";
    EXPECT_EQ(major.error().blame, Blame::kUsage);
    std::string message = English(major.error().message);
    const std::size_t at = message.find(path.string());
    if (at != message.npos) message.replace(at, path.string().size(), "PROGRAM");
    return message;
  }

  std::filesystem::path folder_;
};

TEST_F(ExecutableTest, FindsTheSharedRuntime) {
  ProgramBuilder program;
  program.libraries = {"libstdc++.so.6", "libcudart.so.13", "libc.so.6"};
  program.sections = {".text", ".nv_fatbin"};
  const auto info = ReadExecutable(Write(program));
  ASSERT_TRUE(info.ok()) << info.error().message;
  EXPECT_TRUE(info->is_dynamic);
  EXPECT_EQ(info->cudart_major, 13);
  EXPECT_TRUE(info->has_device_code);
  EXPECT_EQ(info->libraries, program.libraries);
  EXPECT_EQ(*RuntimeMajorOf(folder_ / "program"), 13);
  program.libraries = {"libcudart.so.12"};
  EXPECT_EQ(*RuntimeMajorOf(Write(program)), 12);
}

TEST_F(ExecutableTest, StaticRuntimeIsNamed) {
  ProgramBuilder program;
  program.libraries = {"libc.so.6"};
  program.sections = {".nv_fatbin"};
  EXPECT_EQ(RefusalOf(Write(program)), "'PROGRAM' is linked with the static CUDA runtime");
  EXPECT_EQ(English(RuntimeMajorOf(folder_ / "program").error().next_step),
            "link it with the shared CUDA runtime: nvcc -cudart shared");
  program.is_dynamic = false;
  EXPECT_EQ(RefusalOf(Write(program)), "'PROGRAM' is linked with the static CUDA runtime");
}

TEST_F(ExecutableTest, TheDriverApiAloneRunsWithTheNewestRuntime) {
  ProgramBuilder program;
  program.libraries = {"libcuda.so.1", "libc.so.6"};
  program.sections = {".nv_fatbin"};
  EXPECT_EQ(*RuntimeMajorOf(Write(program)), 13);
  EXPECT_TRUE(ReadExecutable(folder_ / "program")->needs_driver);
  program.libraries = {"libcuda.so.1", "libcudart.so.12"};
  EXPECT_EQ(*RuntimeMajorOf(Write(program)), 12);
}

TEST_F(ExecutableTest, RelocatableDeviceCodeIsDeviceCode) {
  ProgramBuilder program;
  program.libraries = {"libcudart.so.13"};
  program.sections = {"__nv_relfatbin", ".nv_fatbin"};
  EXPECT_EQ(*RuntimeMajorOf(Write(program)), 13);
  program.libraries = {"libc.so.6"};
  EXPECT_EQ(RefusalOf(Write(program)), "'PROGRAM' is linked with the static CUDA runtime");
}

TEST_F(ExecutableTest, AProgramWithoutCuda) {
  EXPECT_EQ(RefusalOf(Write(ProgramBuilder())), "'PROGRAM' uses neither the CUDA runtime nor the driver API");
  EXPECT_EQ(RefusalOf("/proc/self/exe"), "'PROGRAM' uses neither the CUDA runtime nor the driver API");
}

TEST_F(ExecutableTest, WhatIsNoProgram) {
  EXPECT_EQ(RefusalOf(folder_ / "missing"), "cannot open 'PROGRAM': No such file or directory");
  EXPECT_EQ(RefusalOf(folder_), "'PROGRAM' is not a file");
  EXPECT_EQ(RefusalOf(Write(std::string("#!/bin/sh\n"))),
            "'PROGRAM' is not a program that can run here: it is not an ELF program");
  EXPECT_EQ(RefusalOf(Write(std::string(4096, 'x'))),
            "'PROGRAM' is not a program that can run here: it is not an ELF program");
}

template <class Change>
std::string Changed(const ProgramBuilder& program, Change change) {
  std::string image = program.Build();
  Elf64_Ehdr header;
  std::memcpy(&header, image.data(), sizeof header);
  change(header);
  std::memcpy(image.data(), &header, sizeof header);
  return image;
}

TEST_F(ExecutableTest, BrokenHeadersAreNamed) {
  const std::string begin = "'PROGRAM' is not a program that can run here: ";
  ProgramBuilder program;
  program.libraries = {"libcudart.so.13"};
  EXPECT_EQ(RefusalOf(Write(Changed(program, [](auto& h) { h.e_ident[EI_CLASS] = ELFCLASS32; }))),
            begin + "it is for another kind of machine");
  EXPECT_EQ(RefusalOf(Write(Changed(program, [](auto& h) { h.e_type = ET_REL; }))),
            "'PROGRAM' is not a linked program");
  EXPECT_EQ(RefusalOf(Write(Changed(program, [](auto& h) { h.e_phentsize = 1; }))),
            begin + "its headers are malformed");
  EXPECT_EQ(RefusalOf(Write(Changed(program, [](auto& h) { h.e_phoff = ~std::uint64_t{0} - 7; }))),
            begin + "the file is cut off");
  EXPECT_EQ(RefusalOf(Write(Changed(program, [](auto& h) { h.e_shoff = 1 << 30; }))),
            begin + "the file is cut off");
  program.has_strings = false;
  EXPECT_EQ(RefusalOf(Write(program)), begin + "its libraries' names are missing");
  program.has_strings = true;
  program.libraries = {std::string(5000, 'x')};
  EXPECT_EQ(RefusalOf(Write(program)), begin + "a name in it has no end");
}

TEST_F(ExecutableTest, DamageIsNeverFatal) {
  ProgramBuilder program;
  program.libraries = {"libcudart.so.13", "libc.so.6"};
  program.sections = {".nv_fatbin"};
  const std::string whole = program.Build();
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    std::string damaged = whole;
    if (i % 4 == 0) damaged.resize(random() % damaged.size());
    for (int flips = 0; flips < 3 && damaged.size() > 16; ++flips) {
      damaged[16 + random() % (damaged.size() - 16)] = static_cast<char>(random());
    }
    (void)RuntimeMajorOf(Write(damaged)).ok();
  }
}

}  // namespace
}  // namespace warplings::fatbin
