// SPDX-License-Identifier: Apache-2.0
#include "grader/base/usable_memory.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// A made-up root, with the files in which the kernel tells of control groups.
class UsableMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-groups-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  void Write(const fs::path& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  /// As systemd mounts v2 alone.
  void MountUnified(const std::string& seen = "/") const {
    Write("proc/self/mountinfo",
          "22 28 0:21 / /proc rw,nosuid shared:13 - proc proc rw\n"
          "30 23 0:26 " +
              seen +
              " /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 "
              "rw,nsdelegate,memory_recursiveprot\n");
  }
  fs::path LimitBelow(const fs::path& file) const { return root_ / "sys/fs/cgroup" / file; }

  fs::path root_;
};

std::uint64_t Installed() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST_F(UsableMemoryTest, WithoutControlGroupsItIsTheMachines) {
  EXPECT_EQ(FindUsableMemory(root_).bytes, Installed());
  EXPECT_EQ(FindUsableMemory(root_).limit, "");
}

TEST_F(UsableMemoryTest, OfTheGroupsAroundAProcessTheStrictestCounts) {
  MountUnified();
  Write("proc/self/cgroup", "0::/user.slice/run-5.scope\n");
  Write("sys/fs/cgroup/user.slice/run-5.scope/memory.max", "max\n");
  Write("sys/fs/cgroup/other.slice/memory.max", "1048576\n");
  EXPECT_EQ(FindUsableMemory(root_).limit, "");
  Write("sys/fs/cgroup/user.slice/run-5.scope/memory.max", std::to_string(300 * kMiB) + "\n");
  EXPECT_EQ(FindUsableMemory(root_).bytes, 300 * kMiB);
  EXPECT_EQ(FindUsableMemory(root_).limit, LimitBelow("user.slice/run-5.scope/memory.max"));
  Write("sys/fs/cgroup/user.slice/memory.max", std::to_string(200 * kMiB) + "\n");
  EXPECT_EQ(FindUsableMemory(root_).bytes, 200 * kMiB);
  EXPECT_EQ(FindUsableMemory(root_).limit, LimitBelow("user.slice/memory.max"));
}

TEST_F(UsableMemoryTest, InAContainerWithANamespaceOfItsOwn) {
  MountUnified();
  Write("proc/self/cgroup", "0::/\n");
  Write("sys/fs/cgroup/memory.max", std::to_string(64 * kMiB) + "\n");
  EXPECT_EQ(FindUsableMemory(root_).bytes, 64 * kMiB);
}

TEST_F(UsableMemoryTest, InAContainerThatSeesOnlyItsPart) {
  MountUnified("/docker/abc");
  Write("proc/self/cgroup", "0::/docker/abc/step\n");
  Write("sys/fs/cgroup/memory.max", std::to_string(90 * kMiB) + "\n");
  Write("sys/fs/cgroup/step/memory.max", std::to_string(80 * kMiB) + "\n");
  EXPECT_EQ(FindUsableMemory(root_).bytes, 80 * kMiB);
  // A group that is not seen there.
  Write("proc/self/cgroup", "0::/docker/other\n");
  EXPECT_EQ(FindUsableMemory(root_).bytes, 90 * kMiB);
}

TEST_F(UsableMemoryTest, VersionOneBesideAVersionTwoWithoutControllers) {
  Write("proc/self/mountinfo",
        "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
        "39 31 0:36 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
        "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
  Write("proc/self/cgroup", "8:cpu,cpuacct:/\n4:memory:/slurm/uid_1000/job_7\n0::/\n");
  Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  Write("sys/fs/cgroup/memory/slurm/uid_1000/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(FindUsableMemory(root_).limit, "");
  Write("sys/fs/cgroup/memory/slurm/uid_1000/job_7/memory.limit_in_bytes", std::to_string(500 * kMiB));
  EXPECT_EQ(FindUsableMemory(root_).bytes, 500 * kMiB);
}

TEST_F(UsableMemoryTest, WhatIsNotUnderstoodIsNoLimit) {
  MountUnified();
  Write("proc/self/mountinfo", "garbage\n1 2 3 4 5 6 -\n1 2 3 / /sys 6 - cgroup2\n");
  Write("proc/self/cgroup", "garbage\n0:\n");
  EXPECT_EQ(FindUsableMemory(root_).bytes, Installed());
  MountUnified();
  Write("proc/self/cgroup", "0::/\n");
  for (const char* text : {"", "0\n", "-1\n", "lots\n"}) {
    Write("sys/fs/cgroup/memory.max", text);
    EXPECT_EQ(FindUsableMemory(root_).bytes, Installed()) << text;
  }
}

/// Whatever this machine has: never nothing, never more than is installed.
TEST(UsableMemory, OfThisProcess) {
  const UsableMemory usable = FindUsableMemory();
  EXPECT_GT(usable.bytes, 0u);
  EXPECT_LE(usable.bytes, Installed());
  EXPECT_EQ(usable.limit.empty(), usable.bytes == Installed());
}

}  // namespace
}  // namespace warplings
