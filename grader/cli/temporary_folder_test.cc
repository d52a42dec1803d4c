// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <vector>

namespace warplings {
namespace {

namespace fs = std::filesystem;

class TemporaryFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-temporary-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    base_ = name;
    ::setenv("TMPDIR", base_.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("TMPDIR");
    fs::remove_all(base_);
  }

  /// The folder of a process that is killed.
  fs::path AbandonedFolder() const {
    if (const pid_t child = ::fork(); child != 0) {
      int status = 0;
      ::waitpid(child, &status, 0);
      EXPECT_TRUE(WIFSIGNALED(status));
      for (const auto& entry : fs::directory_iterator(base_)) {
        if (fs::exists(entry.path() / "killed")) return entry.path();
      }
      return {};
    }
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "killed") << "x";
    fs::create_directory(folder.path() / "texts");
    ::raise(SIGKILL);
    ::_exit(1);
  }

  fs::path base_;
};

TEST_F(TemporaryFolderTest, OfAKilledRunIsRemovedByTheNext) {
  const fs::path abandoned = AbandonedFolder();
  ASSERT_FALSE(abandoned.empty());
  {
    const TemporaryFolder next;
    EXPECT_FALSE(fs::exists(abandoned));
    EXPECT_TRUE(fs::is_directory(next.path()));
  }
  EXPECT_TRUE(fs::is_empty(base_));
}

TEST_F(TemporaryFolderTest, OfALivingRunStays) {
  const TemporaryFolder first;
  const TemporaryFolder second;
  EXPECT_NE(first.path(), second.path());
  EXPECT_TRUE(fs::is_directory(first.path()));
  const pid_t child = ::fork();
  if (child == 0) {
    RemoveAbandonedFolders(base_);
    ::_exit(fs::is_directory(first.path()) && fs::is_directory(second.path()) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(TemporaryFolderTest, OneThatWasNotMarkedYetIsRemovedUnlessItsOwnerLives) {
  // Killed right after the folder was made, or while it was being marked.
  fs::create_directory(base_ / "warplings-empty0");
  fs::create_directory(base_ / "warplings-begun0");
  std::ofstream(base_ / "warplings-begun0" / ".owner.new") << "";
  // Alive, in the middle of it.
  fs::create_directory(base_ / "warplings-alive0");
  const UniqueFd owner(::open((base_ / "warplings-alive0" / ".owner.new").c_str(), O_RDWR | O_CREAT, 0600));
  ASSERT_EQ(::flock(owner.get(), LOCK_EX | LOCK_NB), 0);
  RemoveAbandonedFolders(base_);
  EXPECT_FALSE(fs::exists(base_ / "warplings-empty0"));
  EXPECT_FALSE(fs::exists(base_ / "warplings-begun0"));
  EXPECT_TRUE(fs::exists(base_ / "warplings-alive0" / ".owner.new"));
}

TEST_F(TemporaryFolderTest, EachOfManyAtOnceHasItsOwn) {
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = ::fork();
    if (child != 0) {
      children.push_back(child);
      continue;
    }
    for (int turn = 0; turn < 200; ++turn) {
      const TemporaryFolder folder;
      std::ofstream(folder.path() / "file") << "x";
      if (folder.path().empty() || !fs::exists(folder.path() / "file")) ::_exit(1);
    }
    ::_exit(0);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(fs::is_empty(base_));
}

TEST_F(TemporaryFolderTest, WhatOthersMadeStays) {
  // No owner's file, another name, a link to somewhere, a file.
  fs::create_directories(base_ / "warplings-abcdef" / "notes");
  fs::create_directory(base_ / "warplings-slurm-abcdef");
  std::ofstream(base_ / "warplings-slurm-abcdef" / ".owner") << "";
  fs::create_directory(base_ / "elsewhere");
  std::ofstream(base_ / "elsewhere" / ".owner") << "";
  fs::create_directory_symlink(base_ / "elsewhere", base_ / "warplings-ghijkl");
  std::ofstream(base_ / "warplings-mnopqr") << "a file";
  RemoveAbandonedFolders(base_);
  for (const char* name : {"warplings-abcdef", "warplings-slurm-abcdef", "elsewhere", "warplings-ghijkl",
                           "warplings-mnopqr", "elsewhere/.owner"}) {
    EXPECT_TRUE(fs::exists(base_ / name)) << name;
  }
}

}  // namespace
}  // namespace warplings
