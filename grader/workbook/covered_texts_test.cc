// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/covered_texts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace warplings {
namespace {

namespace fs = std::filesystem;

const TextsByName kTexts = {{"chapters/01_first/chapter.toml", "hints = [\"look at the last thread\"]"},
                            {"reference/baselines/01_first/vector_add.cu", "y[i] = x[i];\n"}};

class CoveredTextsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "covered_texts.XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(root_); }
  void Write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
  }
  fs::path root_;
};

TEST_F(CoveredTextsTest, WhatIsCoveredIsReadAgainAndCannotBeReadAsItStands) {
  const std::string covered = CoverTexts(kTexts);
  for (const char* words : {"last thread", "y[i]", "chapter.toml"}) {
    EXPECT_EQ(covered.find(words), std::string::npos) << words;
  }
  const auto texts = UncoverTexts(covered);
  ASSERT_TRUE(texts.ok());
  EXPECT_EQ(*texts, kTexts);
}

TEST_F(CoveredTextsTest, DamageIsNamed) {
  const std::string covered = CoverTexts(kTexts);
  for (std::size_t at = 0; at < covered.size(); ++at) {
    std::string damaged = covered;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_FALSE(UncoverTexts(damaged).ok()) << at;
    EXPECT_FALSE(UncoverTexts(covered.substr(0, at)).ok()) << at;
  }
  Write(kCoveredTextsFile, covered.substr(1));
  TreeTexts texts(root_);
  EXPECT_TRUE(texts.Has("chapters/01_first/chapter.toml"));
  const auto read = texts.Read("chapters/01_first/chapter.toml");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(English(read.error().message).find("texts.covered is damaged"), std::string::npos);
}

TEST_F(CoveredTextsTest, AFileOfItsOwnComesFirst) {
  Write(kCoveredTextsFile, CoverTexts(kTexts));
  Write("chapters/01_first/chapter.toml", "title = \"mine\"");
  TreeTexts texts(root_);
  EXPECT_EQ(*texts.Read("chapters/01_first/chapter.toml"), "title = \"mine\"");
  EXPECT_EQ(*texts.Read("reference/baselines/01_first/vector_add.cu"), "y[i] = x[i];\n");
  EXPECT_FALSE(texts.Has("chapters/02_second/chapter.toml"));
  EXPECT_FALSE(texts.Read("chapters/02_second/chapter.toml").ok());
}

TEST_F(CoveredTextsTest, ABaselineIsAFileOfTheTreeOrBecomesATemporaryOne) {
  Exercise exercise;
  exercise.chapter = "01_first";
  exercise.id = "vector_add";
  exercise.baseline = root_ / "reference/baselines/01_first/vector_add.cu";
  EXPECT_FALSE(BaselineFile(exercise).ok());
  Write(kCoveredTextsFile, CoverTexts(kTexts));
  setenv("TMPDIR", (root_ / "temporary").c_str(), 1);
  fs::create_directories(root_ / "temporary");
  const auto covered = BaselineFile(exercise);
  unsetenv("TMPDIR");
  ASSERT_TRUE(covered.ok()) << covered.error().message;
  EXPECT_EQ(covered->filename(), "vector_add.cu");
  EXPECT_TRUE(covered->string().starts_with((root_ / "temporary").string()));
  std::string text;
  std::getline(std::ifstream(*covered), text);
  EXPECT_EQ(text, "y[i] = x[i];");
  Write("reference/baselines/01_first/vector_add.cu", "");
  EXPECT_EQ(*BaselineFile(exercise), exercise.baseline);
}

}  // namespace
}  // namespace warplings
