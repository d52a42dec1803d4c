// SPDX-License-Identifier: Apache-2.0
#include "grader/base/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace warplings {
namespace {

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
  EXPECT_NE(written.error().message.find("No space left"), std::string::npos) << written.error().message;
  EXPECT_NE(written.error().next_step.find("Free some space"), std::string::npos)
      << written.error().next_step;
}

TEST_F(AtomicFileTest, WritesAndReplaces) {
  const mode_t mask = ::umask(022);
  EXPECT_TRUE(WriteFileAtomically(folder_ / "f", "a long first text").ok());
  EXPECT_TRUE(WriteFileAtomically(folder_ / "f", "second").ok());
  ::umask(mask);
  EXPECT_EQ(Text(folder_ / "f"), "second");
  struct stat info {};
  ASSERT_EQ(::stat((folder_ / "f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0644u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(AtomicFileTest, AMissingFolderIsNamed) {
  const Status status = WriteFileAtomically(folder_ / "no" / "f", "x");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().blame, Blame::kUsage);
  EXPECT_NE(status.error().message.find((folder_ / "no" / "f").string()), std::string::npos);
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
