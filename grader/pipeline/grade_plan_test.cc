// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/grade_plan.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <map>
#include <new>

#include "grader/gradebook/gather_grades.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// A workbook with one exercise and a class of three, who have handed it in.
class GradePlanTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-plan-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    layout_.root = folder_ / "tree";
    layout_.build = folder_ / "build";
    Exercise exercise;
    exercise.chapter = "01_first";
    exercise.id = "scale";
    exercise.contract = layout_.root / "chapters/01_first/scale.h";
    Chapter chapter;
    chapter.id = exercise.chapter;
    chapter.exercises = {exercise};
    workbook_.chapters = {chapter};
    scope_.exercises = {{&workbook_.chapters[0].exercises[0], 10, {}}};
    // The parts of a grader whose contents make its version.
    for (const fs::path& file :
         {exercise.contract, exercise.contract.parent_path() / "chapter.toml",
          layout_.SuiteProgram("01_first", "scale"), layout_.EntryObject("01_first", "scale"),
          layout_.DeviceProgram(), layout_.WorkerArchive(), layout_.RuntimeArchive(12),
          layout_.RuntimeArchive(13)}) {
      Write(file, file.filename());
    }
    for (const char* student : {"ada", "bob", "eve"})
      Write(folder_ / "class" / student / "scale.cu", student);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static void Write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  GradePlanRequest Request() const {
    GradePlanRequest request;
    request.folder = folder_ / "class";
    request.scratch = folder_ / "texts";
    request.scope = &scope_;
    return request;
  }

  /// The class by this roster, as "NAME (what was handed in)", or with the problem of an entry of nobody.
  std::vector<std::string> Matched(const Roster& roster, const MoodleParticipants* participants = nullptr) {
    scope_.course = Course{};
    auto gradebook = Gradebook::Open(folder_ / "gradebook.sqlite");
    EXPECT_TRUE(gradebook.ok());
    GradePlanRequest request = Request();
    request.roster = &roster;
    request.participants = participants;
    const auto plan = MakeGradePlan(request, workbook_, layout_, *gradebook);
    EXPECT_TRUE(plan.ok());
    std::vector<std::string> rows;
    for (const StudentRow& row : plan->rows.students) {
      rows.push_back(row.name +
                     (row.unmatched.empty() ? " (" + row.handed_in_as + ")" : ": " + row.unmatched));
    }
    return rows;
  }

  static RosterStudent Student(const std::string& name, const std::string& id,
                               const std::string& email = "") {
    return {.name = name, .fields = {id, "", email, "", ""}};
  }

  fs::path folder_;
  Layout layout_;
  Workbook workbook_;
  ScoringScope scope_;
};

TEST_F(GradePlanTest, EachDifferentTextIsAJob) {
  Write(folder_ / "class/eve/scale.cu", "bob");
  auto gradebook = Gradebook::Open(folder_ / "gradebook.sqlite");
  ASSERT_TRUE(gradebook.ok());
  const auto plan = MakeGradePlan(Request(), workbook_, layout_, *gradebook);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_EQ(plan->found, 3u);
  ASSERT_EQ(plan->jobs.size(), 2u);
  EXPECT_EQ(plan->jobs[0].submission.source, "ada");
  EXPECT_EQ(plan->jobs[0].submission.display_name, "scale.cu");
  EXPECT_TRUE(fs::is_regular_file(plan->jobs[1].submission.file));
  EXPECT_EQ(plan->rows.submissions[1].result, plan->rows.submissions[2].result);
}

TEST_F(GradePlanTest, FilesOfOtherExercisesAreCountedAndNamed) {
  Exercise other = workbook_.chapters[0].exercises[0];
  other.id = "tile";
  other.contract = layout_.root / "chapters/01_first/tile.h";
  workbook_.chapters[0].exercises.push_back(other);
  scope_.exercises = {{&workbook_.chapters[0].exercises[0], 10, {}}};
  const auto plan = [&] {
    auto gradebook = Gradebook::Open(folder_ / "gradebook.sqlite");
    return *MakeGradePlan(Request(), workbook_, layout_, *gradebook);
  };
  Write(folder_ / "class/ada/tile.cu", "a whole workbook");
  const GradePlan both = plan();
  EXPECT_EQ(both.asked_for, 3u);
  EXPECT_EQ(both.with_others, 1u);
  EXPECT_TRUE(both.rows.students[0].remarks.empty());
  for (const char* student : {"ada", "bob", "eve"}) {
    fs::remove(folder_ / "class" / student / "scale.cu");
    Write(folder_ / "class" / student / "tile.cu", student);
  }
  const GradePlan none = plan();
  EXPECT_EQ(none.asked_for, 0u);
  EXPECT_EQ(none.with_others, 3u);
  ASSERT_EQ(none.others.size(), 1u);
  EXPECT_EQ(none.others.begin()->first->id, "tile");
  EXPECT_EQ(none.rows.students[0].remarks,
            std::vector<std::string>{"tile.cu is of an exercise that this grading leaves out"});
}

TEST_F(GradePlanTest, ATextTypedIntoMoodleIsSaidOfItsStudent) {
  fs::remove_all(folder_ / "class");
  Write(folder_ / "class/Ada_11_assignsubmission_onlinetext_/onlinetext.html", "my answer");
  Write(folder_ / "class/Bob_12_assignsubmission_file_/scale.cu", "bob");
  const Roster roster{{Student("Ada", "1"), Student("Bob", "2"), Student("Eve", "3")}, {}};
  scope_.course = Course{};
  auto gradebook = Gradebook::Open(folder_ / "gradebook.sqlite");
  GradePlanRequest request = Request();
  request.roster = &roster;
  const auto plan = MakeGradePlan(request, workbook_, layout_, *gradebook);
  ASSERT_TRUE(plan.ok());
  ASSERT_EQ(plan->rows.students.size(), 3u);
  EXPECT_EQ(
      plan->rows.students[0].remarks,
      std::vector<std::string>{"a text typed into Moodle was handed in, and no file: ask for the file"});
  EXPECT_EQ(plan->rows.students[2].remarks,
            std::vector<std::string>{"nothing was handed in under this name"});
}

TEST_F(GradePlanTest, OfTwoWithOneNameTheRosterSaysWhoIsWho) {
  fs::remove_all(folder_ / "class");
  for (const char* number : {"11", "12"})
    Write(folder_ / "class" / ("Max Müller_" + std::string(number) + "_assignsubmission_file_") / "scale.cu",
          number);
  const Roster both{{Student("Max Müller", "1", "m1@x"), Student("Max Müller", "2", "m2@x")}, {}};
  const std::string fits = "fits the name of 2 students of the roster: Max Müller <1>; Max Müller <2>";
  EXPECT_EQ(Matched(both), (std::vector<std::string>{"Max Müller ()", "Max Müller (11): " + fits,
                                                     "Max Müller (12): " + fits, "Max Müller (2) ()"}));
  // Moodle's grading worksheet knows which participant has which address.
  const MoodleParticipants sheet{{"11", {{}, "Max Müller", "m2@x", ""}},
                                 {"12", {{}, "Max Müller", "m1@x", ""}}};
  EXPECT_EQ(Matched(both, &sheet),
            (std::vector<std::string>{"Max Müller (Max Müller_12_assignsubmission_file_)",
                                      "Max Müller (2) (Max Müller_11_assignsubmission_file_)"}));
  // The other one is not in the roster: who is in it cannot be told by the name.
  const Roster one{{Student("Max Müller", "1", "m1@x")}, {}};
  const std::string doubtful =
      "has the name of Max Müller, as 2 entries have, with different numbers in the LMS";
  EXPECT_EQ(Matched(one), (std::vector<std::string>{"Max Müller ()", "Max Müller (11): " + doubtful,
                                                    "Max Müller (12): " + doubtful}));
  EXPECT_EQ(Matched(one, &sheet).front(), "Max Müller (Max Müller_12_assignsubmission_file_)");
}

TEST_F(GradePlanTest, ARenamedEntryHasItsStudentsLineInTheWorksheet) {
  fs::remove_all(folder_ / "class");
  for (const char* entry :
       {"bgross", "1002", "Max Müller", "zroy", "eadams", "Ida May_99_assignsubmission_file_"})
    Write(folder_ / "class" / entry / "scale.cu", entry);
  const auto student = [](const std::string& name, const std::string& id, const std::string& login,
                          const std::string& email = "") {
    return RosterStudent{.name = name, .fields = {id, login, email, "", ""}};
  };
  const Roster roster{
      {student("Björn Groß", "1001", "bgross", "bgross@x"), student("José Núñez", "1002", "jn"),
       student("Max Müller", "1003", "mm"), student("Zoë Roy", "1004", "zroy"),
       student("Eve Adams", "1005", "eadams"), student("Ida May", "1006", "imay", "imay@x")},
      {}};
  // By the address, the number, and the name, if it is one's only. An entry's own number is not replaced.
  const MoodleParticipants sheet{
      {"1", {100, "B. Groß", "bgross@x", ""}}, {"2", {200, "J. Nunez", "", "1002"}},
      {"3", {300, "Müller, Max", "", ""}},     {"4", {400, "Zoë Roy", "", ""}},
      {"5", {500, "Zoë Roy", "", ""}},         {"6", {600, "Eve Adams", "", ""}},
      {"7", {700, "Eve Adams", "", "1005"}},   {"8", {800, "Ida May", "imay@x", ""}}};
  scope_.course = Course{};
  scope_.course->match = {MatchField::kId, MatchField::kLogin, MatchField::kName};
  auto gradebook = Gradebook::Open(folder_ / "gradebook.sqlite");
  ASSERT_TRUE(gradebook.ok());
  GradePlanRequest request = Request();
  request.roster = &roster;
  request.participants = &sheet;
  const auto plan = MakeGradePlan(request, workbook_, layout_, *gradebook);
  ASSERT_TRUE(plan.ok());
  std::map<std::string, std::int64_t> times;
  for (const AttemptRow& each : plan->rows.attempts) times[each.student] = each.handed_in_at.value_or(0);
  EXPECT_EQ(times, (std::map<std::string, std::int64_t>{{"Björn Groß", 100},
                                                        {"José Núñez", 200},
                                                        {"Max Müller", 300},
                                                        {"Zoë Roy", 0},
                                                        {"Eve Adams", 700},
                                                        {"Ida May", 0}}));
  EXPECT_EQ(plan->timed, 4u);
  // Without a roster by what the entry is called.
  request.roster = nullptr;
  Write(folder_ / "class/Max  MÜLLER/scale.cu", "another");
  const auto without = MakeGradePlan(request, workbook_, layout_, *gradebook);
  ASSERT_TRUE(without.ok());
  times.clear();
  for (const AttemptRow& each : without->rows.attempts) {
    if (each.handed_in_at) times[each.student] = *each.handed_in_at;
  }
  EXPECT_EQ(times, (std::map<std::string, std::int64_t>{{"bgross", 100}, {"1002", 200}}));
}

TEST_F(GradePlanTest, ANameAsItIsComesBeforeOneWithoutAccents) {
  fs::remove_all(folder_ / "class");
  for (const char* name : {"Renee Dupont", "Renée Dupont"})
    Write(folder_ / "class" / name / "scale.cu", name);
  const Roster roster{{Student("Renée Dupont", "1")}, {}};
  EXPECT_EQ(Matched(roster),
            (std::vector<std::string>{"Renee Dupont: is a second entry of Renée Dupont, beside Renée Dupont",
                                      "Renée Dupont (Renée Dupont)"}));
  fs::remove_all(folder_ / "class/Renée Dupont");
  EXPECT_EQ(Matched(roster), std::vector<std::string>{"Renée Dupont (Renee Dupont)"});
}

/// Unpacked beside itself.
TEST_F(GradePlanTest, AnArchiveBesideAFolderOfItsNameIsASecondEntry) {
  fs::remove_all(folder_ / "class");
  Write(folder_ / "class/ada/scale.cu", "mine");
  Write(folder_ / "class/ada.zip", "");
  EXPECT_EQ(Matched(Roster{{Student("ada", "1")}, {}}),
            (std::vector<std::string>{"ada (ada)", "ada.zip: is a second entry of ada, beside ada"}));
}

TEST_F(GradePlanTest, WhatReadingAStudentThrowsLeavesTheOthersToBeGraded) {
  auto gradebook = Gradebook::Open(folder_ / "gradebook.sqlite");
  ASSERT_TRUE(gradebook.ok());
  GradePlanRequest request = Request();
  const auto usual = request.read;
  request.read = [&](const StudentEntry& student, HardLinks& links) {
    if (student.name == "bob") throw std::bad_alloc();
    return usual(student, links);
  };
  const auto plan = MakeGradePlan(request, workbook_, layout_, *gradebook);
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  ASSERT_EQ(plan->jobs.size(), 2u);
  EXPECT_EQ(plan->jobs[0].submission.source, "ada");
  EXPECT_EQ(plan->jobs[1].submission.source, "eve");

  // A grader's fault is no zero: bob is not graded yet, and the table says why.
  ASSERT_TRUE(gradebook->ReplaceClass(plan->rows).ok());
  ASSERT_TRUE(gradebook->WriteScope({}).ok());
  const auto grades = GatherGrades(*gradebook, workbook_);
  ASSERT_TRUE(grades.ok()) << grades.error().message;
  const GradeCell& bob = grades->students.at(1).cells.at(0);
  EXPECT_EQ(grades->students[1].name, "bob");
  EXPECT_EQ(bob.state, GradeCell::State::kNotGraded);
  EXPECT_EQ(bob.problem, "reading what was handed in: the grader ran out of memory");
  EXPECT_EQ(grades->students.at(0).cells.at(0).problem, "not reached yet");
}

TEST_F(GradePlanTest, AProgramOfNoExercisesNameIsNotNothing) {
  fs::remove(folder_ / "class/ada/scale.cu");
  Write(folder_ / "class/ada/final.cu", "no header");
  Write(folder_ / "class/bob/helper.cu", "beside the right file");
  fs::remove(folder_ / "class/eve/scale.cu");
  Write(folder_ / "class/eve/notes.txt", "no program");
  auto gradebook = Gradebook::Open(folder_ / "gradebook.sqlite");
  ASSERT_TRUE(gradebook.ok());
  const auto plan = MakeGradePlan(Request(), workbook_, layout_, *gradebook);
  ASSERT_TRUE(plan.ok());
  ASSERT_EQ(plan->rows.submissions.size(), 3u);
  EXPECT_EQ(plan->rows.submissions[0].state, SubmissionRow::State::kUnusable);
  EXPECT_EQ(plan->rows.submissions[0].problem,
            "handed in under the name of no exercise: final.cu; if it is for scale, rename it to scale.cu, "
            "and grade again");
  EXPECT_EQ(plan->rows.submissions[1].state, SubmissionRow::State::kFound);
  EXPECT_EQ(plan->rows.submissions[2].state, SubmissionRow::State::kMissing);
}

TEST_F(GradePlanTest, AllAttemptsThatCanCountAreCounted) {
  for (const char* attempt : {"attempt_1", "attempt_2"})
    Write(folder_ / "class/ada" / attempt / "scale.cu", attempt);
  fs::remove(folder_ / "class/ada/scale.cu");
  auto gradebook = Gradebook::Open(folder_ / "gradebook.sqlite");
  Assignment best;
  best.attempts = AttemptRule::kBest;
  scope_.course = Course{};
  scope_.assignment = best;
  const auto plan = MakeGradePlan(Request(), workbook_, layout_, *gradebook);
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->found, 4u);
  EXPECT_EQ(plan->distinct, 4u);
}

}  // namespace
}  // namespace warplings
