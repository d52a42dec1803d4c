// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/choose_submissions.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>

#include "grader/pipeline/workbook_view.h"
#include "grader/workbook/laid_down.h"

namespace warplings {
namespace {

/// A workbook on disk with two chapters and three exercises.
class ChooseSubmissionsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-choose-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    workbook_.chapters = {MakeChapter(1, "01_first", {"add", "scale"}), MakeChapter(2, "02_second", {"sum"})};
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Chapter MakeChapter(int number, const std::string& id, const std::vector<std::string>& exercises) {
    Chapter chapter{.id = id, .number = number, .title = id, .exercises = {}};
    for (const std::string& name : exercises) {
      Exercise exercise;
      exercise.chapter = id;
      exercise.id = name;
      exercise.starter = Write(name + ".cu");
      exercise.solution = folder_ / "absent" / (name + ".cu");
      chapter.exercises.push_back(exercise);
    }
    return chapter;
  }

  std::filesystem::path Write(const std::string& name) {
    std::ofstream(folder_ / name) << "// " << name << "\n";
    return folder_ / name;
  }

  Progress Passed(const std::vector<std::string>& names) {
    Progress progress;
    for (const std::string& name : names) {
      const std::string file = name.substr(name.find('/') + 1) + ".cu";
      progress[name] = {Verdict::kPassed, HashText("// " + file + "\n"), 1};
    }
    return progress;
  }

  /// "add scale", or the error's message.
  std::string Chosen(const SubmissionRequest& request, const Progress& progress = {}) {
    const auto submissions = ChooseSubmissions(workbook_, progress, request);
    if (!submissions) {
      EXPECT_EQ(submissions.error().blame, Blame::kUsage);
      return English(submissions.error().message);
    }
    std::string names;
    for (const Submission& s : *submissions) names += (names.empty() ? "" : " ") + s.exercise->id;
    return names;
  }

  std::filesystem::path folder_;
  Workbook workbook_;
};

/// Answers are read only for exercises that ask questions, count for progress, and may be missing.
TEST_F(ChooseSubmissionsTest, AnswersLieBesideTheSubmission) {
  Exercise& sum = workbook_.chapters[1].exercises[0];
  const auto answers = [&] {
    const auto chosen = ChooseSubmissions(workbook_, {}, {.what = {"sum"}, .file = "", .solution = false});
    return chosen.ok() ? chosen->at(0).answers : English(chosen.error().message);
  };
  EXPECT_EQ(answers(), "");
  Write("sum.toml");
  EXPECT_EQ(answers(), "");
  const Progress passed = Passed({"02_second/sum"});
  EXPECT_EQ(StateOf(sum, passed), ExerciseState::kPassed);
  sum.has_answers = true;
  EXPECT_EQ(answers(), "// sum.toml\n");
  EXPECT_EQ(StateOf(sum, passed), ExerciseState::kChanged);
  std::ofstream(folder_ / "sum.toml") << std::string((64 << 10) + 1, '#');
  EXPECT_EQ(answers(), "");
}

/// Whoever checks a copy, mine.cu, has the answers in a file of either name; the copy's own comes first.
TEST_F(ChooseSubmissionsTest, AnswersOfACopyMayHaveTheExercisesName) {
  workbook_.chapters[1].exercises[0].has_answers = true;
  const std::string copy = Write("mine.cu");
  const auto answers = [&] {
    const auto chosen = ChooseSubmissions(workbook_, {}, {.what = {"sum"}, .file = copy, .solution = false});
    return chosen.ok() ? chosen->at(0).answers : English(chosen.error().message);
  };
  EXPECT_EQ(answers(), "");
  Write("sum.toml");
  EXPECT_EQ(answers(), "// sum.toml\n");
  Write("mine.toml");
  EXPECT_EQ(answers(), "// mine.toml\n");
}

TEST_F(ChooseSubmissionsTest, TakesNamesInOrderAndOnce) {
  EXPECT_EQ(Chosen({.what = {"sum", "1", "add"}, .file = "", .solution = false}), "sum add scale");
}

TEST_F(ChooseSubmissionsTest, TakesTheNextUnsolvedWithoutAName) {
  EXPECT_EQ(Chosen({}), "add");
  EXPECT_EQ(Chosen({}, Passed({"01_first/add"})), "scale");
  EXPECT_EQ(Chosen({}, Passed({"01_first/add", "01_first/scale", "02_second/sum"})), "");
}

TEST_F(ChooseSubmissionsTest, GoesOnWhereTheLastCheckWas) {
  const auto next = [&](const Progress& progress, const std::string& from) {
    const Exercise* found = NextUnsolved(workbook_, progress, from);
    return found == nullptr ? "" : found->id;
  };
  EXPECT_EQ(next(Passed({"01_first/scale"}), "01_first/scale"), "sum");
  EXPECT_EQ(next(Passed({"02_second/sum"}), "02_second/sum"), "add") << "behind the last comes the first";
  EXPECT_EQ(next({}, "01_first/scale"), "scale") << "it was checked last, and has not passed";
  EXPECT_EQ(next({}, "03_gone/gone"), "add");
  EXPECT_EQ(next(Passed({"01_first/add", "01_first/scale", "02_second/sum"}), "01_first/scale"), "");
}

TEST_F(ChooseSubmissionsTest, AnEditedFileIsUnsolvedAgain) {
  const Progress progress = Passed({"01_first/add", "01_first/scale", "02_second/sum"});
  std::ofstream(folder_ / "scale.cu") << "// edited\n";
  EXPECT_EQ(Chosen({}, progress), "scale");
  EXPECT_EQ(Chosen({}, Passed({"01_first/scale"})), "add") << "what has never passed comes first";
  EXPECT_EQ(Chosen({}, Passed({"01_first/add", "01_first/scale"})), "sum");
}

/// Whoever types no name means the file that is open in the editor.
TEST_F(ChooseSubmissionsTest, WithoutANameTheFileEditedLastIsChecked) {
  std::filesystem::create_directories(folder_ / ".warplings");
  LaidDown laid_down{"1", {}};
  for (const Chapter& chapter : workbook_.chapters) {
    for (const Exercise& each : chapter.exercises)
      laid_down.files["chapters/" + chapter.id + "/" + each.id + ".cu"] = {
          HashOfText("// " + each.id + ".cu\n")};
  }
  std::ofstream(folder_ / ".warplings" / "laid_down") << LaidDownText(laid_down);
  Progress progress;
  std::string last_checked;
  const auto at_work = [&] {
    const Exercise* chosen = ExerciseAtWork(workbook_, progress, folder_, last_checked);
    return chosen == nullptr ? "" : chosen->id;
  };
  const auto edit = [&](const std::string& name, int minutes_ago) {
    std::ofstream(folder_ / (name + ".cu")) << "// mine " << minutes_ago << "\n";
    std::filesystem::last_write_time(folder_ / (name + ".cu"), std::filesystem::file_time_type::clock::now() -
                                                                   std::chrono::minutes(minutes_ago));
  };
  const auto check = [&](const std::string& chapter, const std::string& name, Verdict verdict) {
    std::ifstream file(folder_ / (name + ".cu"));
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    last_checked = chapter + "/" + name;
    progress[last_checked] = {verdict, HashSubmission(text, ""), 1};
  };
  EXPECT_EQ(at_work(), "add") << "nothing was edited: the next one";
  last_checked = "02_second/sum";
  EXPECT_EQ(at_work(), "sum") << "a check has said where to begin";
  edit("sum", 9);
  edit("scale", 5);
  EXPECT_EQ(at_work(), "scale") << "edited last";
  check("01_first", "scale", Verdict::kWrongResult);
  EXPECT_EQ(at_work(), "scale") << "checked last, and not passed; the other edit is older";
  check("02_second", "sum", Verdict::kWrongResult);
  EXPECT_EQ(at_work(), "sum") << "checked last, and not passed";
  check("02_second", "sum", Verdict::kPassed);
  EXPECT_EQ(at_work(), "add") << "the next one";
  edit("sum", 1);
  EXPECT_EQ(at_work(), "sum") << "it passed, and was edited since";
  EXPECT_EQ(ExerciseAtWork(workbook_, progress, "/tmp", "")->id, "add")
      << "unknown what was handed out there";
}

TEST_F(ChooseSubmissionsTest, AFileGoesToTheOneExerciseNamed) {
  EXPECT_EQ(Chosen({.what = {"sum"}, .file = Write("whatever.cu"), .solution = false}), "sum");
}

TEST_F(ChooseSubmissionsTest, AFilesStemPicksOneOfSeveral) {
  const std::string file = Write("scale.off_by_one.cu");
  EXPECT_EQ(Chosen({.what = {"1"}, .file = file, .solution = false}), "scale");
  EXPECT_EQ(Chosen({.what = {}, .file = file, .solution = false}), "scale");
}

TEST_F(ChooseSubmissionsTest, APathInPlaceOfAName) {
  const auto chosen = [&](const std::filesystem::path& path) {
    return ChooseSubmissions(workbook_, {}, {.what = {path.string()}, .file = "", .solution = false});
  };
  const auto own = chosen(folder_ / "scale.cu");
  ASSERT_TRUE(own.ok());
  EXPECT_EQ(own->front().exercise->id, "scale");
  EXPECT_TRUE(own->front().is_workbook_file) << "it counts as progress";
  std::filesystem::create_directory(folder_ / "mine");
  for (const char* name : {"mine/scale.cu", "scale.second_try.cu"}) {
    const auto other = chosen(Write(name));
    ASSERT_TRUE(other.ok()) << name;
    EXPECT_EQ(other->front().exercise->id, "scale");
    EXPECT_FALSE(other->front().is_workbook_file);
    EXPECT_EQ(other->front().source, std::string("// ") + name + "\n");
  }
  const std::string unknown = Write("mine.cu");
  EXPECT_EQ(English(chosen(unknown).error().message), "'" + unknown + "' is a file, not an exercise");
}

TEST_F(ChooseSubmissionsTest, AFileOfNoKnownNameIsRefusedForSeveral) {
  const std::string file = Write("mine.cu");
  EXPECT_EQ(Chosen({.what = {"1"}, .file = file, .solution = false}),
            "--file " + file + ": cannot tell which exercise it is for");
}

TEST_F(ChooseSubmissionsTest, FilesThatCannotBeReadAreNamed) {
  const std::string missing = folder_ / "missing.cu";
  EXPECT_EQ(Chosen({.what = {"sum"}, .file = missing, .solution = false}), "there is no file " + missing);
  EXPECT_EQ(Chosen({.what = {"sum"}, .file = folder_, .solution = false}),
            folder_.string() + " is not an ordinary file");
  EXPECT_EQ(Chosen({.what = {"sum"}, .file = "/dev/zero", .solution = false}),
            "/dev/zero is not an ordinary file");
  std::ofstream(folder_ / "large.cu") << std::string((1 << 20) + 1, ' ');
  EXPECT_EQ(Chosen({.what = {"sum"}, .file = folder_ / "large.cu", .solution = false}),
            (folder_ / "large.cu").string() + " is larger than the 1 MiB that a submission may have");
}

TEST_F(ChooseSubmissionsTest, AMissingSolutionIsSaidSo) {
  EXPECT_EQ(Chosen({.what = {"sum"}, .file = "", .solution = true}),
            "there is no solution of 02_second/sum here");
}

TEST_F(ChooseSubmissionsTest, OnlyTheWorkbooksOwnFileIsProgress) {
  const auto own = ChooseSubmissions(workbook_, {}, {.what = {"sum"}, .file = "", .solution = false});
  ASSERT_TRUE(own.ok());
  EXPECT_TRUE(own->front().is_workbook_file);
  EXPECT_EQ(own->front().source, "// sum.cu\n");
  const auto other =
      ChooseSubmissions(workbook_, {}, {.what = {"sum"}, .file = Write("x.cu"), .solution = false});
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(other->front().is_workbook_file);
}

}  // namespace
}  // namespace warplings
