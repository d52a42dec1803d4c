// SPDX-License-Identifier: Apache-2.0
#include "grader/base/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

namespace warplings {
namespace {

mode_t ModeOf(const std::filesystem::path& file) {
  struct stat info {};
  return ::stat(file.c_str(), &info) == 0 ? info.st_mode & 0777 : 0;
}

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-atomic-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Text(const std::filesystem::path& file) const {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }

  std::filesystem::path folder_;
};

TEST_F(AtomicFileTest, AFullDiskIsNamed) {
  const Status written = WriteFileAtomically("/dev/full", "x");
  ASSERT_FALSE(written);
  EXPECT_NE(English(written.error().message).find("No space left"), std::string::npos)
      << written.error().message;
  EXPECT_NE(English(written.error().next_step).find("Free some space"), std::string::npos)
      << written.error().next_step;
}

TEST_F(AtomicFileTest, WritesAndReplaces) {
  const mode_t mask = ::umask(022);
  EXPECT_TRUE(WriteFileAtomically(folder_ / "f", "a long first text").ok());
  EXPECT_TRUE(WriteFileAtomically(folder_ / "f", "second").ok());
  ::umask(mask);
  EXPECT_EQ(Text(folder_ / "f"), "second");
  EXPECT_EQ(ModeOf(folder_ / "f"), 0644u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(AtomicFileTest, AFileForItsOwnerReplacesOneThatAllCouldRead) {
  EXPECT_TRUE(WriteFileAtomically(folder_ / "f", "all").ok());
  EXPECT_TRUE(WriteFileAtomically(folder_ / "f", "mine", NewFileAccess::kOwner).ok());
  EXPECT_EQ(ModeOf(folder_ / "f"), 0600u);
  EXPECT_EQ(Text(folder_ / "f"), "mine");
}

/// The umask belongs to the process: a thread that sets it, for a moment only, sets it for files that others
/// make. The only way to look at it is to set it, here to what it is.
TEST_F(AtomicFileTest, ThreadsWriteAtOnceAndTheUmaskStays) {
  constexpr mode_t kMask = 027;
  constexpr int kFiles = 300;
  const mode_t before = ::umask(kMask);
  std::atomic<int> writing = 2;
  const auto write = [&](const char* name, NewFileAccess access, mode_t expected) {
    int wrong = 0;
    for (int i = 0; i < kFiles; ++i) {
      const bool written = WriteFileAtomically(folder_ / name, "text", access).ok();
      wrong += !written || ModeOf(folder_ / name) != expected;
    }
    EXPECT_EQ(wrong, 0) << name;
    --writing;
  };
  const std::jthread report([&] { write("report", NewFileAccess::kUsual, 0640); });
  const std::jthread key([&] { write("key", NewFileAccess::kOwner, 0600); });
  int other = 0;
  while (writing > 0) other += ::umask(kMask) != kMask;
  EXPECT_EQ(other, 0) << "looks at the umask found another";
  EXPECT_EQ(::umask(before), kMask);
}

TEST_F(AtomicFileTest, AMissingFolderIsNamed) {
  const Status status = WriteFileAtomically(folder_ / "no" / "f", "x");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().blame, Blame::kUsage);
  EXPECT_NE(English(status.error().message).find((folder_ / "no" / "f").string()), std::string::npos);
}

TEST_F(AtomicFileTest, DevicesAreWrittenToAndStay) {
  EXPECT_TRUE(WriteFileAtomically("/dev/null", "x").ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_FALSE(WriteFileAtomically("/dev/full", "x").ok());
}

TEST_F(AtomicFileTest, AFolderIsNoFile) {
  EXPECT_FALSE(WriteFileAtomically(folder_, "x").ok());
}

}  // namespace
}  // namespace warplings
