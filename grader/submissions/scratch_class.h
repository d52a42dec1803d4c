// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "grader/workbook/exercise.h"

namespace warplings::submissions_test {

/// Test fixture: a folder that is removed at the end of the test, and a workbook of three exercises, one of
/// them with answers.
class ScratchClass : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-class-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    workbook_.chapters = {MakeChapter("01_first", {"scale", "tile"}), MakeChapter("02_second", {"ask"})};
    workbook_.chapters[1].exercises[0].has_answers = true;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static Chapter MakeChapter(const std::string& id, const std::vector<std::string>& exercises) {
    Chapter chapter;
    chapter.id = id;
    for (const std::string& each : exercises) {
      Exercise exercise;
      exercise.chapter = id;
      exercise.id = each;
      exercise.points = 10;
      exercise.contract = "/workbook/chapters/" + id + "/" + each + ".h";
      chapter.exercises.push_back(exercise);
    }
    return chapter;
  }

  void Write(const std::filesystem::path& file, const std::string& text) const {
    std::filesystem::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }

  std::filesystem::path folder_;
  Workbook workbook_;
};

}  // namespace warplings::submissions_test
