// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/suite_programs.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// A build folder with stamps of any age, and a fake launcher that records what it was asked to build.
class SuitePrograms : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "suites-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    layout_.build = folder_ / "build";
    exercise_.chapter = "01_x";
    exercise_.id = "a";
    Launcher("exit 0");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void Launcher(const std::string& end) {
    Write(folder_ / "launcher",
          "#!/bin/sh\necho \"$@\" >>'" + (folder_ / "asked").string() + "'\n" + end + "\n");
    ::chmod((folder_ / "launcher").c_str(), 0755);
  }
  static void Write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  /// A file that was written so many seconds after the others.
  static void WriteAt(const fs::path& file, int seconds) {
    Write(file, "");
    fs::last_write_time(file, fs::file_time_type(std::chrono::seconds(1'000'000 + seconds)));
  }
  Status Build() { return BuildSuites({&exercise_}, layout_, folder_ / "launcher"); }
  std::string Asked() const {
    std::stringstream text;
    text << std::ifstream(folder_ / "asked").rdbuf();
    return text.str();
  }

  fs::path folder_;
  Layout layout_;
  Exercise exercise_;
};

TEST_F(SuitePrograms, ATreeThatTheLauncherDidNotBuildIsLeftAlone) {
  EXPECT_TRUE(Build());
  EXPECT_EQ(Asked(), "");
}

TEST_F(SuitePrograms, AMissingOneIsAskedFor) {
  WriteAt(layout_.LauncherStamp("check"), 0);
  EXPECT_TRUE(Build());
  EXPECT_EQ(Asked(), "--build-suites 01_x_a\n");
}

TEST_F(SuitePrograms, OneOlderThanTheRestIsAskedForAndAYoungerOneIsNot) {
  WriteAt(layout_.SuiteProgram("01_x", "a"), 0);
  WriteAt(layout_.LauncherStamp("check"), 10);
  WriteAt(layout_.SuiteStamp("01_x", "a"), 9);
  EXPECT_TRUE(Build());
  EXPECT_EQ(Asked(), "--build-suites 01_x_a\n");
  WriteAt(layout_.SuiteStamp("01_x", "a"), 11);
  EXPECT_TRUE(Build());
  EXPECT_EQ(Asked(), "--build-suites 01_x_a\n") << "not a second time";
}

TEST_F(SuitePrograms, ABuildOfAllCounts) {
  WriteAt(layout_.SuiteProgram("01_x", "a"), 0);
  WriteAt(layout_.LauncherStamp("check"), 10);
  WriteAt(layout_.LauncherStamp("suites"), 11);
  EXPECT_TRUE(Build());
  EXPECT_EQ(Asked(), "");
}

TEST_F(SuitePrograms, AFailedBuildIsAFaultOfTheGrader) {
  WriteAt(layout_.LauncherStamp("check"), 0);
  Launcher("exit 3");
  const Status built = Build();
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().blame, Blame::kGrader);
}

}  // namespace
}  // namespace warplings
