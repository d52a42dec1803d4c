// SPDX-License-Identifier: Apache-2.0
#include "grader/build/toolchain.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>

#include "grader/core/layout.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

TEST(Toolchain, ReadsNvccsVersion) {
  EXPECT_EQ(ParseNvccVersion("Cuda compilation tools, release 13.0, V13.0.88\n"), (CompilerVersion{13, 0}));
  EXPECT_EQ(ParseNvccVersion("Cuda compilation tools, release 12.9, V12.9.1"), (CompilerVersion{12, 9}));
  for (const char* text : {"", "release ", "release 13", "release x.y", "release 13."}) {
    EXPECT_EQ(ParseNvccVersion(text), std::nullopt) << text;
  }
}

TEST(Toolchain, AsksThisMachinesNvcc) {
  auto toolchain = FindToolchain(ThisLayout().root);
  ASSERT_TRUE(toolchain) << toolchain.error().message;
  auto version = AskNvccVersion(*toolchain);
  ASSERT_TRUE(version) << version.error().message;
  EXPECT_GE(*version, kOldestNvcc);
}

TEST(Toolchain, ReadsWhatNvccCompilesFor) {
  EXPECT_EQ(ParseCapabilities("sm_75\nsm_80\nsm_100\nsm_90\nsm_90a\n"), (std::vector{75, 80, 90, 100}));
  EXPECT_TRUE(ParseCapabilities("nvcc fatal: unknown option\nsm_\n").empty());
  auto toolchain = FindToolchain(ThisLayout().root);
  ASSERT_TRUE(toolchain) << toolchain.error().message;
  auto capabilities = AskCapabilities(*toolchain);
  ASSERT_TRUE(capabilities) << capabilities.error().message;
  EXPECT_TRUE(std::ranges::binary_search(*capabilities, 80));
}

class ToolchainSearch : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-tools-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = fs::canonical(name);
    path_ = getenv("PATH");
    unsetenv("CUDA_HOME");
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("CUDA_HOME");
    fs::remove_all(folder_);
  }
  fs::path Program(const fs::path& path, const std::string& body = "") {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n" << body;
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  fs::path folder_;
  std::string path_;
};

TEST_F(ToolchainSearch, PrefersPathThenCudaHome) {
  fs::path home = Program(folder_ / "home" / "bin" / "nvcc");
  fs::path standard = Program(folder_ / "standard" / "bin" / "nvcc");
  setenv("PATH", folder_.c_str(), 1);
  auto found = FindToolchain(folder_, {}, folder_ / "standard");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->nvcc, standard);
  setenv("CUDA_HOME", (folder_ / "home").c_str(), 1);
  found = FindToolchain(folder_, {}, folder_ / "standard");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->nvcc, home);
  EXPECT_EQ(found->toolkit, folder_ / "home");
  fs::path first = Program(folder_ / "first" / "bin" / "nvcc");
  setenv("PATH", (first.parent_path().string() + ":/usr/bin").c_str(), 1);
  found = FindToolchain(folder_, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->nvcc, first);
  EXPECT_EQ(found->Folders(), std::vector<fs::path>{folder_ / "first"});
}

TEST_F(ToolchainSearch, WhatTheTreeWasConfiguredWithGoesFirst) {
  const fs::path on_path = Program(folder_ / "path" / "nvcc");
  const fs::path configured = Program(folder_ / "cuda-12.4" / "bin" / "nvcc");
  const fs::path older_gpp = Program(folder_ / "gcc-12" / "bin" / "g++-12");
  setenv("PATH", (on_path.parent_path().string() + ":/usr/bin").c_str(), 1);
  auto found = FindToolchain(folder_, {configured, older_gpp, {}, 12});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->nvcc, configured);
  EXPECT_EQ(found->host_compiler, older_gpp);
  EXPECT_EQ(found->linker, FindOnPath("g++", "/usr/bin"));
  EXPECT_EQ(found->Folders(), (std::vector<fs::path>{folder_ / "cuda-12.4", folder_ / "gcc-12"}));
}

TEST_F(ToolchainSearch, WithoutTheConfiguredOneItTakesOnlyTheSameCuda) {
  const ConfiguredToolchain gone = {folder_ / "gone" / "nvcc", {}, {}, 13};
  setenv("PATH", ((folder_ / "bin").string() + ":/usr/bin").c_str(), 1);
  const auto find = [&](const std::string& version) {
    Program(folder_ / "bin" / "nvcc", "echo 'Cuda compilation tools, release " + version + ", V'\n");
    return FindToolchain(folder_, gone);
  };
  EXPECT_TRUE(find("13.1"));
  const auto old = find("11.8");
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().blame, Blame::kGrader);
  EXPECT_EQ(English(old.error().message),
            "CUDA 11.8 in " + (folder_ / "bin" / "nvcc").string() + " is too old.");
  EXPECT_NE(English(old.error().next_step).find("CUDA 12 or 13"), std::string::npos) << old.error().next_step;
  const auto other = find("12.4");
  ASSERT_FALSE(other);
  EXPECT_NE(English(other.error().message).find("CUDA 12.4"), std::string::npos) << other.error().message;
  EXPECT_NE(English(other.error().message).find("built for CUDA 13"), std::string::npos)
      << other.error().message;
}

TEST_F(ToolchainSearch, FindsTheWheelsOfAVirtualEnvironment) {
  fs::path wheel = Program(folder_ / ".venv/lib/python3.11/site-packages/nvidia/cu13/bin/nvcc");
  setenv("PATH", folder_.c_str(), 1);
  auto found = FindToolchain(folder_, {}, folder_ / "no-toolkit");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->nvcc, wheel);
}

TEST_F(ToolchainSearch, WithoutAnyItSaysHowToGetOne) {
  setenv("PATH", folder_.c_str(), 1);
  auto found = FindToolchain(folder_, {}, folder_ / "no-toolkit");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().blame, Blame::kGrader);
  EXPECT_NE(English(found.error().next_step).find("pip install"), std::string::npos);
}

TEST_F(ToolchainSearch, FollowsALinkToTheRealToolkit) {
  fs::path real = Program(folder_ / "cuda-13.0" / "bin" / "nvcc");
  fs::create_directories(folder_ / "links");
  fs::create_symlink(real, folder_ / "links" / "nvcc");
  setenv("PATH", ((folder_ / "links").string() + ":/usr/bin").c_str(), 1);
  auto found = FindToolchain(folder_, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->toolkit, folder_ / "cuda-13.0");
}

TEST_F(ToolchainSearch, IgnoresRelativeFoldersAndWhatIsNotAProgram) {
  std::ofstream(folder_ / "nvcc") << "not executable";
  EXPECT_EQ(FindOnPath("nvcc", ".::" + folder_.string()), std::nullopt);
  EXPECT_TRUE(FindOnPath("sh", "relative:/bin").has_value());
}

}  // namespace
}  // namespace warplings
