// SPDX-License-Identifier: Apache-2.0
#include "grader/base/read_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>

namespace warplings {
namespace {

namespace fs = std::filesystem;

class ReadFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-read-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path Write(const std::string& text) const {
    std::ofstream(folder_ / "f", std::ios::binary) << text;
    return folder_ / "f";
  }

  fs::path folder_;
};

TEST_F(ReadFileTest, AllBytes) {
  for (const std::size_t size : {0ul, 1ul, 4095ul, 4096ul, 4097ul, 100'000ul}) {
    std::string text(size, 'x');
    if (size > 1) text[size / 2] = '\0';
    EXPECT_EQ(ReadFile(Write(text)), text) << size;
    EXPECT_EQ(ReadOrdinaryFile(folder_ / "f", size), text) << size;
  }
}

/// Files of /proc say that they have no bytes.
TEST_F(ReadFileTest, AFileWithoutASizeIsReadToItsEnd) {
  EXPECT_GT(ReadFile("/proc/self/smaps").value_or("").size(), 8192u);
}

TEST_F(ReadFileTest, NothingWhereThereIsNoFile) {
  EXPECT_EQ(ReadFile(folder_ / "absent"), std::nullopt);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(ReadFile(folder_), std::nullopt) << "a folder";
  EXPECT_EQ(errno, EISDIR);
}

TEST_F(ReadFileTest, OnlyAnOrdinaryFileOfASaneSize) {
  const fs::path file = Write("four");
  EXPECT_EQ(ReadOrdinaryFile(file, 4), "four");
  EXPECT_EQ(ReadOrdinaryFile(file, 3), std::nullopt);
  fs::create_symlink(file, folder_ / "link");
  EXPECT_EQ(ReadOrdinaryFile(folder_ / "link", 4), "four");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(ReadOrdinaryFile(folder_ / "pipe", 4), std::nullopt);
  EXPECT_EQ(ReadOrdinaryFile(folder_, 1 << 20), std::nullopt);
}

}  // namespace
}  // namespace warplings
