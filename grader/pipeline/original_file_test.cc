// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/original_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "grader/workbook/laid_down.h"

namespace warplings {
namespace {

class OriginalFileTest : public testing::Test {
 protected:
  OriginalFileTest() { std::filesystem::create_directories(folder_); }
  ~OriginalFileTest() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& text) const { std::ofstream(file_) << text; }
  static std::string Read(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }
  int Git(const std::string& arguments) const {
    return std::system(("git -C \"" + folder_.string() +
                        "\" -c user.name=a -c user.email=a@b -c commit.gpgsign=false " + arguments +
                        " >/dev/null 2>&1")
                           .c_str());
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("it's a test-" + std::to_string(::getpid()));
  const std::filesystem::path file_ = folder_ / "a.cu";
};

TEST_F(OriginalFileTest, ComesFromTheBranchThatIsFollowedBeforeTheLastCommit) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "needs git";
  Write("starter\n");
  EXPECT_FALSE(OriginalText(folder_, file_).ok()) << "no repository";
  ASSERT_EQ(Git("init -b main"), 0);
  ASSERT_EQ(Git("add . "), 0);
  ASSERT_EQ(Git("commit -m starter"), 0);
  ASSERT_EQ(Git("branch handed_out"), 0);
  Write("answer\n");
  ASSERT_EQ(Git("commit -am answer"), 0);
  EXPECT_EQ(*OriginalText(folder_, file_), "answer\n");
  ASSERT_EQ(Git("branch --set-upstream-to=handed_out"), 0);
  EXPECT_EQ(*OriginalText(folder_, file_), "starter\n");
  EXPECT_FALSE(OriginalText(folder_, folder_ / "b.cu").ok());
}

TEST_F(OriginalFileTest, AStarterIsWhatTheListHasWhateverWasCommittedSince) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "needs git";
  Write("starter\n");
  const std::filesystem::path list = folder_ / kStarterList;
  std::filesystem::create_directories(list.parent_path());
  std::ofstream(list) << HashOfText("starter\n") << "  a.cu\n";
  EXPECT_EQ(*OriginalText(folder_, file_), "starter\n");
  ASSERT_EQ(Git("init -b main"), 0);
  ASSERT_EQ(Git("add ."), 0);
  ASSERT_EQ(Git("commit -m starter"), 0);
  for (const char* text : {"answer\n", "int half_written("}) {
    Write(text);
    EXPECT_EQ(*OriginalText(folder_, file_), "starter\n") << text;
    ASSERT_EQ(Git("commit -am answer"), 0);
    EXPECT_EQ(*OriginalText(folder_, file_), "starter\n") << "committed: " << text;
  }
  std::filesystem::remove(file_);
  EXPECT_EQ(*OriginalText(folder_, file_), "starter\n") << "deleted";
  std::filesystem::remove_all(folder_ / ".git");
  EXPECT_FALSE(OriginalText(folder_, file_).ok());
}

TEST_F(OriginalFileTest, WhatWasThereIsKeptUnderAFreeName) {
  EXPECT_EQ(*ReplaceKeepingBackup(file_, "one"), "");
  EXPECT_EQ(*ReplaceKeepingBackup(file_, "two"), file_.string() + ".bak");
  EXPECT_EQ(*ReplaceKeepingBackup(file_, "three"), file_.string() + ".bak2");
  EXPECT_EQ(Read(file_), "three");
  EXPECT_EQ(Read(file_.string() + ".bak"), "one");
  EXPECT_EQ(Read(file_.string() + ".bak2"), "two");
}

}  // namespace
}  // namespace warplings
