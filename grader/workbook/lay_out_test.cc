// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/lay_out.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <map>

#include "grader/workbook/laid_down.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

using Files = std::vector<WorkbookFile>;
using Names = std::vector<std::string>;

const Files kFirst = {{"README.md", "read\n"}, {"chapters/1/a.cu", "a 1\n"}, {"chapters/1/b.cu", "b 1\n"}};
const Files kSecond = {{"README.md", "read\n"},
                       {"chapters/1/a.cu", "a 2\n"},
                       {"chapters/1/b.cu", "b 2\n"},
                       {"chapters/2/c.cu", "c 2\n"}};

class LayOutTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-lay-out-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    scratch_ = name;
    workbook_ = scratch_ / "book";
  }
  void TearDown() override { fs::remove_all(scratch_); }

  LayOutResult Make(const Files& files) const { return Must(MakeWorkbook(workbook_, files, "1")); }
  LayOutResult Update(const Files& files) const { return Must(LayOutWorkbook(workbook_, files, "2")); }
  static LayOutResult Must(const Result<LayOutResult>& done) {
    EXPECT_TRUE(done) << done.error().message;
    return done ? *done : LayOutResult{};
  }

  void Write(const std::string& path, const std::string& text) const {
    std::ofstream(workbook_ / path) << text;
  }
  /// Every file but the marker's own, with its text.
  std::map<std::string, std::string> Texts() const {
    std::map<std::string, std::string> texts;
    for (const auto& entry : fs::recursive_directory_iterator(workbook_)) {
      const std::string path = entry.path().lexically_relative(workbook_).string();
      if (!entry.is_regular_file() || path.starts_with(kWorkbookMarker)) continue;
      std::ifstream stream(entry.path());
      texts[path] = {std::istreambuf_iterator<char>(stream), {}};
    }
    return texts;
  }
  static std::map<std::string, std::string> TextsOf(const Files& files) {
    std::map<std::string, std::string> texts;
    for (const WorkbookFile& file : files) texts[file.path] = file.text;
    return texts;
  }
  /// Besides the files nothing is left behind.
  Names InMarker() const {
    Names names;
    for (const auto& entry : fs::directory_iterator(workbook_ / kWorkbookMarker)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  fs::path scratch_, workbook_;
};

TEST_F(LayOutTest, AWorkbookIsMadeAndMadeAgain) {
  EXPECT_EQ(Make(kFirst).added, (Names{"README.md", "chapters/1/a.cu", "chapters/1/b.cu"}));
  EXPECT_EQ(Texts(), TextsOf(kFirst));
  EXPECT_EQ(InMarker(), Names{"laid_down"});
  EXPECT_TRUE(IsStudentWorkbook(workbook_));
  const fs::file_time_type before = fs::last_write_time(LaidDownFile(workbook_));
  EXPECT_TRUE(Make(kFirst).added.empty());
  EXPECT_EQ(fs::last_write_time(LaidDownFile(workbook_)), before) << "nothing to do, nothing written";
}

TEST_F(LayOutTest, UneditedFilesAreReplacedAndNewOnesAdded) {
  Make(kFirst);
  const LayOutResult done = Update(kSecond);
  EXPECT_EQ(done.added, Names{"chapters/2/c.cu"});
  EXPECT_EQ(done.replaced, (Names{"chapters/1/a.cu", "chapters/1/b.cu"}));
  EXPECT_EQ(Texts(), TextsOf(kSecond));
  const LayOutResult again = Update(kSecond);
  EXPECT_TRUE(again.added.empty() && again.replaced.empty() && again.beside.empty());
}

TEST_F(LayOutTest, AnEditedFileStaysAndTheNewOneLiesBeside) {
  Make(kFirst);
  Write("chapters/1/a.cu", "mine\n");
  EXPECT_EQ(Update(kSecond).beside, Names{"chapters/1/a.cu"});
  std::map<std::string, std::string> expected = TextsOf(kSecond);
  expected["chapters/1/a.cu"] = "mine\n";
  expected["chapters/1/a.cu.new"] = "a 2\n";
  EXPECT_EQ(Texts(), expected);
  // Told once: taking the new file away does not bring it back.
  fs::remove(workbook_ / "chapters/1/a.cu.new");
  EXPECT_TRUE(Update(kSecond).beside.empty());
  EXPECT_FALSE(fs::exists(workbook_ / "chapters/1/a.cu.new"));
}

TEST_F(LayOutTest, AnEditedFileWhoseStarterIsTheSameIsNotMentioned) {
  Make(kFirst);
  Write("chapters/1/a.cu", "mine\n");
  const LayOutResult done = Update(kFirst);
  EXPECT_TRUE(done.beside.empty() && done.replaced.empty() && done.added.empty());
  EXPECT_EQ(Texts().at("chapters/1/a.cu"), "mine\n");
  EXPECT_FALSE(fs::exists(workbook_ / "chapters/1/a.cu.new"));
}

TEST_F(LayOutTest, TheFileBesideIsReplacedUnlessItWasEditedToo) {
  Make(kFirst);
  Write("chapters/1/a.cu", "mine\n");
  Update(kSecond);
  Files third = kSecond;
  third[1].text = "a 3\n";
  EXPECT_EQ(Update(third).beside, Names{"chapters/1/a.cu"});
  EXPECT_EQ(Texts().at("chapters/1/a.cu.new"), "a 3\n");
  Write("chapters/1/a.cu.new", "half merged\n");
  third[1].text = "a 4\n";
  for (int i = 0; i < 2; ++i) {  // It is not forgotten.
    const LayOutResult done = Update(third);
    EXPECT_EQ(done.in_the_way, Names{"chapters/1/a.cu"});
    EXPECT_EQ(Texts().at("chapters/1/a.cu.new"), "half merged\n");
  }
  fs::remove(workbook_ / "chapters/1/a.cu.new");
  EXPECT_EQ(Update(third).beside, Names{"chapters/1/a.cu"});
  EXPECT_EQ(Texts().at("chapters/1/a.cu.new"), "a 4\n");
  EXPECT_EQ(Texts().at("chapters/1/a.cu"), "mine\n");
}

TEST_F(LayOutTest, AStarterPutBackOrTakenAwayCountsAsUnedited) {
  Make(kFirst);
  Write("chapters/1/a.cu", "mine\n");
  Write("chapters/1/a.cu", "a 1\n");
  fs::remove(workbook_ / "chapters/1/b.cu");
  const LayOutResult done = Update(kSecond);
  EXPECT_EQ(done.replaced, Names{"chapters/1/a.cu"});
  EXPECT_EQ(done.added, (Names{"chapters/1/b.cu", "chapters/2/c.cu"}));
}

/// Ends the process before each change on the disk, one after the other, until a run gets through. Whatever
/// was reached, each file is whole, the student's work is there, and the next call completes it.
TEST_F(LayOutTest, AnInterruptionLeavesWholeFilesAndTheNextCallGoesOn) {
  const auto run_until = [&](int steps, bool make) {
    const pid_t child = fork();
    if (child == 0) {
      int left = steps;
      const std::function<void()> step = [&left] {
        if (left-- == 0) _exit(77);
      };
      const auto done =
          make ? MakeWorkbook(workbook_, kFirst, "1", step) : LayOutWorkbook(workbook_, kSecond, "2", step);
      _exit(done ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  const std::map<std::string, std::string> first = TextsOf(kFirst), second = TextsOf(kSecond);
  int makings = 0, updates = 0;
  for (int ended = 77; ended != 0; ++makings) {
    ended = run_until(makings, true);
    ASSERT_TRUE(ended == 77 || ended == 0) << makings;
    if (fs::exists(workbook_)) {
      for (const auto& [path, text] : Texts()) EXPECT_EQ(text, first.at(path)) << makings;
    }
    Make(kFirst);
    EXPECT_EQ(Texts(), first) << makings;
    EXPECT_EQ(InMarker(), Names{"laid_down"}) << makings;
    fs::remove_all(workbook_);
  }
  for (int ended = 77; ended != 0; ++updates) {
    Make(kFirst);
    Write("chapters/1/b.cu", "mine\n");
    ended = run_until(updates, false);
    ASSERT_TRUE(ended == 77 || ended == 0) << updates;
    for (const auto& [path, text] : Texts()) {
      if (path == "chapters/1/b.cu") {
        EXPECT_EQ(text, "mine\n") << updates;
      } else if (path == "chapters/1/b.cu.new") {
        EXPECT_EQ(text, "b 2\n") << updates;
      } else {
        EXPECT_TRUE((first.contains(path) && text == first.at(path)) || text == second.at(path))
            << path << updates;
      }
    }
    // A version that came out in between: what the interrupted call put there is no edit of the student's.
    Files third = kSecond;
    third[1].text = "a 3\n";
    const LayOutResult done = Update(third);
    EXPECT_EQ(done.replaced, Names{"chapters/1/a.cu"}) << updates;
    std::map<std::string, std::string> expected = TextsOf(third);
    expected["chapters/1/b.cu"] = "mine\n";
    expected["chapters/1/b.cu.new"] = "b 2\n";
    EXPECT_EQ(Texts(), expected) << updates;
    EXPECT_EQ(InMarker(), Names{"laid_down"}) << updates;
    fs::remove_all(workbook_);
  }
  EXPECT_GT(makings, 8);
  EXPECT_GT(updates, 10);
}

TEST_F(LayOutTest, AFileSavedInTheMeantimeIsLeftAlone) {
  Make(kFirst);
  int steps = 0;
  const auto save = [&] {
    if (++steps == 3) Write("chapters/1/b.cu", "saved just now\n");
  };
  Files only_b = kFirst;
  only_b[2].text = "b 2\n";
  const auto done = LayOutWorkbook(workbook_, only_b, "1", save);
  ASSERT_FALSE(done);
  EXPECT_NE(English(done.error().message).find("b.cu changed while this ran"), std::string::npos)
      << done.error().message;
  EXPECT_EQ(Texts().at("chapters/1/b.cu"), "saved just now\n");
  EXPECT_EQ(Update(only_b).beside, Names{"chapters/1/b.cu"}) << "it is offered again";
}

TEST_F(LayOutTest, FoldersThatCannotBeOnesAreRefused) {
  const auto refused = [&](const fs::path& folder) {
    const auto made = MakeWorkbook(folder, kFirst, "1");
    EXPECT_FALSE(made) << folder;
    if (made) return std::string();
    EXPECT_EQ(made.error().blame, Blame::kUsage);
    EXPECT_NE(English(made.error().next_step), "");
    return English(made.error().message);
  };
  std::ofstream(scratch_ / "file") << "x";
  EXPECT_NE(refused(scratch_ / "file").find("is a file"), std::string::npos);
  EXPECT_NE(refused(scratch_).find("is neither empty nor a workbook"), std::string::npos);
  EXPECT_NE(refused(scratch_ / "file" / "book").find("cannot write"), std::string::npos);
  EXPECT_FALSE(fs::exists(scratch_ / kWorkbookMarker));
  Make(kFirst);
  EXPECT_NE(refused(workbook_ / "chapters" / "inner").find("would be inside the workbook"),
            std::string::npos);
  EXPECT_EQ(Texts(), TextsOf(kFirst));
}

TEST_F(LayOutTest, AnEmptyFolderWillDo) {
  fs::create_directory(workbook_);
  Make(kFirst);
  EXPECT_EQ(Texts(), TextsOf(kFirst));
}

TEST_F(LayOutTest, WhatIsNoFileIsNamedAndNothingIsChanged) {
  Make(kFirst);
  fs::remove(workbook_ / "chapters/1/b.cu");
  fs::create_directory(workbook_ / "chapters/1/b.cu");
  const auto done = LayOutWorkbook(workbook_, kSecond, "2");
  ASSERT_FALSE(done);
  EXPECT_NE(English(done.error().message).find("b.cu is not an ordinary file"), std::string::npos)
      << done.error().message;
  EXPECT_EQ(Texts().at("chapters/1/a.cu"), "a 1\n");
}

}  // namespace
}  // namespace warplings
