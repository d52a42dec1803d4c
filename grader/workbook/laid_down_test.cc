// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/laid_down.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

class LaidDownTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-laid-down-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    fs::create_directories(LaidDownFile(folder_).parent_path());
  }
  void TearDown() override { fs::remove_all(folder_); }
  void Write(const std::string& text) const { std::ofstream(LaidDownFile(folder_)) << text; }
  fs::path folder_;
};

/// "abc" is the first example of FIPS 180-4.
TEST_F(LaidDownTest, HashesAsSha256sumDoes) {
  EXPECT_EQ(HashOfText("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(HashOfText(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_F(LaidDownTest, WhatIsWrittenIsReadBack) {
  LaidDown written{
      "1.2.3", {{"chapters/a b.cu", {HashOfText("1"), HashOfText("2")}}, {"README.md", {HashOfText("3")}}}};
  Write(LaidDownText(written));
  const auto read = ReadLaidDown(folder_);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->version, "1.2.3");
  EXPECT_EQ(read->files, written.files);
  EXPECT_TRUE(read->Has("chapters/a b.cu", HashOfText("2")));
  EXPECT_FALSE(read->Has("chapters/a b.cu", HashOfText("3")));
  EXPECT_FALSE(read->Has("other", HashOfText("3")));
}

TEST_F(LaidDownTest, ADamagedLineIsNamed) {
  const std::string good = HashOfText("1") + "  a\n";
  for (const std::string& bad : {std::string("nonsense\n"), HashOfText("1") + "\n", HashOfText("1") + "  \n",
                                 HashOfText("1") + " a\n", HashOfText("1").substr(1) + "g  a\n"}) {
    Write(good + bad);
    const auto read = ReadLaidDown(folder_);
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().blame, Blame::kUsage);
    EXPECT_NE(English(read.error().message).find("line 2"), std::string::npos) << read.error().message;
  }
}

TEST_F(LaidDownTest, AWorkbookIsFoundFromBelowAndNotFromBeside) {
  fs::create_directories(folder_ / "chapters" / "01_x");
  EXPECT_EQ(FindStudentWorkbook(folder_ / "chapters"), std::nullopt);
  Write("");
  EXPECT_EQ(FindStudentWorkbook(folder_), folder_);
  EXPECT_EQ(FindStudentWorkbook(folder_ / "chapters" / "01_x"), folder_);
  EXPECT_EQ(FindStudentWorkbook(folder_ / "chapters" / "01_x" / ".." / "not_there"), folder_);
  EXPECT_EQ(FindStudentWorkbook(folder_.parent_path()), std::nullopt);
  EXPECT_EQ(FindStudentWorkbook(folder_ / ".."), std::nullopt);
}

}  // namespace
}  // namespace warplings
