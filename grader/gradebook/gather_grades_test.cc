// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/gather_grades.h"

#include <fstream>

#include "grader/base/sha256.h"
#include "grader/gradebook/apply_decisions.h"
#include "grader/messages/report.h"
#include "grader/workbook/lay_out.h"
#include "tests/support/scratch_gradebook.h"

namespace warplings::gather_grades_test {
namespace {

using State = GradeCell::State;

class GatherGradesTest : public gradebook_test::ScratchGradebook {
 protected:
  void SetUp() override {
    ScratchGradebook::SetUp();
    Chapter chapter;
    chapter.id = "01_first";
    for (const char* id : {"scale", "tile"}) {
      Exercise exercise;
      exercise.chapter = chapter.id;
      exercise.id = id;
      exercise.points = 10;
      chapter.exercises.push_back(exercise);
    }
    workbook_.chapters = {chapter};
  }

  ClassGrades Gather() {
    auto grades = GatherGrades(*gradebook_, workbook_);
    EXPECT_TRUE(grades.ok());
    return grades ? std::move(*grades) : ClassGrades{};
  }

  SubmissionRow Row(const std::string& student, const std::string& exercise, SubmissionRow::State state,
                    const std::string& hash) {
    return {student, "01_first", exercise, state, exercise + ".cu", "", Key(exercise, hash).Name()};
  }

  Workbook workbook_;
};

TEST_F(GatherGradesTest, CountsStudentsNotTexts) {
  using Handed = SubmissionRow::State;
  ASSERT_TRUE(gradebook_->WriteSettings({"virtual:a100", 7, 1}).ok());
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale", "wrong"), Result(Verdict::kFinding, 2), "").ok());
  ExerciseResult passed = Result(Verdict::kPassed, 10);
  passed.misconceptions.clear();
  for (TestResult& test : passed.tests) test.verdict = Verdict::kPassed;
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale", "right"), passed, "").ok());
  ASSERT_TRUE(gradebook_->WriteResult(Key("tile", "ours"), Result(Verdict::kGraderFault, 0), "").ok());
  const std::vector<StudentRow> students = {{"a", "a", {}}, {"b", "b", {}}, {"c", "c", {}}, {"d", "d", {}}};
  const std::vector<SubmissionRow> rows = {
      Row("a", "scale", Handed::kFound, "wrong"), Row("a", "tile", Handed::kMissing, ""),
      Row("b", "scale", Handed::kFound, "wrong"), Row("b", "tile", Handed::kUnusable, ""),
      Row("c", "scale", Handed::kFound, "right"), Row("c", "tile", Handed::kFound, "ours"),
      Row("d", "scale", Handed::kFound, "late"),  Row("d", "tile", Handed::kMissing, "")};
  ASSERT_TRUE(gradebook_->ReplaceClass(students, rows).ok());

  const ClassGrades grades = Gather();
  EXPECT_EQ(grades.max_points, 20);
  EXPECT_EQ(grades.seed, 7u);
  ASSERT_EQ(grades.students.size(), 4u);
  EXPECT_EQ(grades.texts.size(), 3u);
  EXPECT_EQ(grades.students[0].points, 2);
  EXPECT_EQ(grades.students[0].automatic, 2);
  EXPECT_EQ(grades.students[0].cells[0].automatic, 2);
  EXPECT_TRUE(grades.students[0].cells[0].changes.empty());
  EXPECT_TRUE(grades.course_title.empty());
  EXPECT_EQ(grades.students[0].cells[0].text, grades.students[1].cells[0].text);
  EXPECT_TRUE(grades.students[1].complete);
  EXPECT_EQ(grades.students[1].cells[1].state, State::kUnusable);
  EXPECT_FALSE(grades.students[2].complete);
  EXPECT_EQ(grades.students[2].cells[1].state, State::kNotGraded);
  EXPECT_FALSE(grades.students[3].complete);
  EXPECT_EQ(grades.students[3].cells[0].problem, "not reached yet");

  const ClassExercise& scale = grades.exercises[0];
  EXPECT_EQ(scale.graded, 3u);
  EXPECT_EQ(scale.passed, 1u);
  EXPECT_EQ(scale.not_graded, 1u);
  ASSERT_EQ(scale.tests.size(), 3u);
  EXPECT_EQ(scale.tests[0].passed, 3u);
  EXPECT_EQ(scale.tests[1].passed, 1u);
  EXPECT_EQ(scale.tests[1].total, 3u);
  ASSERT_EQ(scale.misconceptions.size(), 1u);
  EXPECT_EQ(scale.misconceptions[0].students, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(grades.exercises[1].missing, 2u);
  EXPECT_EQ(grades.exercises[1].unusable, 1u);
  EXPECT_NE(grades.texts[0].report.find("Do this first"), std::string::npos);
}

TEST_F(GatherGradesTest, ATestKeepsItsTitleAsData) {
  ASSERT_TRUE(gradebook_->WriteSettings({"virtual:a100", 7, 1}).ok());
  ExerciseResult result = Result(Verdict::kPassed, 10);
  const Message title = say::rate_of_graded(50, 4096, 40000);  // Which each report puts into words.
  result.tests[0].title = title;
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale", "right"), result, "").ok());
  const std::vector<StudentRow> students = {{"a", "a", {}}};
  const std::vector<SubmissionRow> rows = {Row("a", "scale", SubmissionRow::State::kFound, "right")};
  ASSERT_TRUE(gradebook_->ReplaceClass(students, rows).ok());
  const ClassGrades grades = Gather();
  ASSERT_FALSE(grades.exercises[0].tests.empty());
  EXPECT_EQ(grades.exercises[0].tests[0].title, title);
}

TEST_F(GatherGradesTest, AnUnchangedStarterIsToldAndIsNoMisconception) {
  using Handed = SubmissionRow::State;
  Exercise& scale = workbook_.chapters[0].exercises[0];
  scale.starter = folder_ / "scale.cu";
  std::ofstream(scale.starter) << "int a;\n  // TODO\n";
  ExerciseResult starter = Result(Verdict::kFinding, 2), mine = starter;
  starter.source = "int a;\r\n  // TODO\r\n";
  mine.source = "int a; int b;\n";
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale", "starter"), starter, "").ok());
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale", "mine"), mine, "").ok());
  const std::vector<StudentRow> students = {{"a", "a", {}}, {"b", "b", {}}};
  const std::vector<SubmissionRow> rows = {Row("a", "scale", Handed::kFound, "starter"),
                                           Row("b", "scale", Handed::kFound, "mine")};
  ASSERT_TRUE(gradebook_->ReplaceClass(students, rows).ok());
  const ClassGrades grades = Gather();
  EXPECT_TRUE(grades.students[0].cells[0].is_starter);
  EXPECT_FALSE(grades.students[1].cells[0].is_starter);
  EXPECT_FALSE(grades.students[0].cells[1].is_starter) << "nothing was handed in";
  ASSERT_EQ(grades.exercises[0].misconceptions.size(), 1u);
  EXPECT_EQ(grades.exercises[0].misconceptions[0].students, std::vector<std::size_t>{1});
  EXPECT_EQ(grades.exercises[0].graded, 2u);
  // With answers of somebody's own it is not as it was given out.
  scale.has_answers = true;
  EXPECT_FALSE(Gather().students[0].cells[0].is_starter);
}

TEST_F(GatherGradesTest, AStarterOfAWorkbookThatInitMadeIsUnchangedToo) {
  using Handed = SubmissionRow::State;
  Exercise& scale = workbook_.chapters[0].exercises[0];
  scale.starter = folder_ / "scale.cu";
  scale.has_answers = true;
  const std::string text = "// Scale.\n//\n//   ./warplings check scale --verbose\n\nint a;\n  // TODO\n";
  const std::string answers = "# The report of \"./warplings check scale\" has it.\nwho = \"\"\n";
  std::ofstream(scale.starter) << text;
  std::ofstream(folder_ / "scale.toml") << answers;
  const auto hand_in = [&](const std::string& source, const std::string& given) {
    Sha256 hash;
    hash.AddField(source);
    hash.AddField(given);
    const std::string name = hash.Finish();
    ExerciseResult result = Result(Verdict::kFinding, 2);
    result.source = source;
    ASSERT_TRUE(gradebook_->WriteResult(Key("scale", name), result, given).ok());
    const std::vector<StudentRow> students = {{"a", "a", {}}};
    const std::vector<SubmissionRow> rows = {Row("a", "scale", Handed::kFound, name)};
    ASSERT_TRUE(gradebook_->ReplaceClass(students, rows).ok());
  };
  for (const char* command : {"warplings", "~/'my course'/bin/warplings", "wl"}) {
    const std::string mine = TextInWorkbook(text, command);
    hand_in(mine, TextInWorkbook(answers, command));
    const ClassGrades grades = Gather();
    EXPECT_TRUE(grades.students[0].cells[0].is_starter) << command;
    EXPECT_TRUE(grades.exercises[0].misconceptions.empty()) << command;
    hand_in(mine, "");
    EXPECT_TRUE(Gather().students[0].cells[0].is_starter) << command;
    hand_in(mine + "int mine;\n", "");
    EXPECT_FALSE(Gather().students[0].cells[0].is_starter) << command;
    hand_in(mine, TextInWorkbook(answers, command) + "who = \"a\"\n");
    EXPECT_FALSE(Gather().students[0].cells[0].is_starter) << command;
  }
}

TEST_F(GatherGradesTest, PointsThatWereDecidedForAnEarlierFileAreMarked) {
  using Handed = SubmissionRow::State;
  for (const char* hash : {"old", "new"})
    ASSERT_TRUE(gradebook_->WriteResult(Key("scale", hash), Result(Verdict::kFinding, 2), "").ok());
  const std::vector<StudentRow> students = {{"a", "a", {}}};
  const auto hand_in = [&](SubmissionRow::State state, const std::string& hash) {
    const std::vector<SubmissionRow> rows = {Row("a", "scale", state, hash),
                                             Row("a", "tile", Handed::kMissing, "")};
    ASSERT_TRUE(gradebook_->ReplaceClass(students, rows).ok());
  };
  const auto decide = [&](Decision::Kind kind, const std::string& exercise, const std::string& about) {
    Decision decision{.kind = kind, .student = "a", .chapter = "01_first", .exercise = exercise};
    if (kind != Decision::Kind::kPoints) decision.test = "1";
    if (kind == Decision::Kind::kItem) decision.student = "";
    decision.points = 1;
    decision.text = "why";
    decision.quote = about;
    ASSERT_TRUE(gradebook_->Decide({{{.decision = decision}}}).ok());
  };
  const auto is_marked = [&](std::size_t exercise) {
    return Gather().students[0].cells[exercise].is_decided_before;
  };
  hand_in(Handed::kFound, "old");
  const std::string old = DecidedAbout(Gather().students[0].cells[0]),
                    nothing = DecidedAbout(Gather().students[0].cells[1]);
  EXPECT_FALSE(old.empty() || nothing.empty());
  decide(Decision::Kind::kPoints, "scale", old);
  decide(Decision::Kind::kPoints, "tile", nothing);
  EXPECT_FALSE(is_marked(0) || is_marked(1));
  hand_in(Handed::kFound, "new");
  EXPECT_TRUE(is_marked(0));
  EXPECT_TRUE(Gather().students[0].cells[0].changes.back().is_outdated);
  EXPECT_EQ(Gather().students[0].cells[0].points, 1) << "a person has the last word";
  hand_in(Handed::kFound, "not graded yet");
  EXPECT_FALSE(is_marked(0)) << "nobody knows";
  hand_in(Handed::kMissing, "");
  EXPECT_TRUE(is_marked(0));
  hand_in(Handed::kFound, "new");
  decide(Decision::Kind::kPoints, "scale", DecidedAbout(Gather().students[0].cells[0]));
  EXPECT_FALSE(is_marked(0));
  decide(Decision::Kind::kItem, "scale", "");
  decide(Decision::Kind::kMark, "scale", old);
  EXPECT_FALSE(is_marked(0)) << "points for this file replace what the rubric adds up to";
  const auto items = [&] { return Gather().students[0].cells[0].items_before; };
  decide(Decision::Kind::kPoints, "scale", old);
  EXPECT_TRUE(is_marked(0));
  EXPECT_EQ(items(), std::vector<std::string>{}) << "the points are out of date";
  // As older versions stored it.
  decide(Decision::Kind::kPoints, "scale", "");
  EXPECT_TRUE(is_marked(0));
  EXPECT_EQ(items(), std::vector<std::string>{"why"});
  decide(Decision::Kind::kMark, "scale", "");
  EXPECT_FALSE(is_marked(0));
}

TEST_F(GatherGradesTest, PointsThatWereDecidedOfAnotherMaximumAreMarked) {
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale", "mine"), Result(Verdict::kFinding, 2), "").ok());
  const std::vector<StudentRow> students = {{"a", "a", {}}};
  const std::vector<SubmissionRow> rows = {Row("a", "scale", SubmissionRow::State::kFound, "mine"),
                                           Row("a", "tile", SubmissionRow::State::kMissing, "")};
  ASSERT_TRUE(gradebook_->ReplaceClass(students, rows).ok());
  const auto cell_decided = [&](std::size_t number, double max_points) {
    const ClassGrades grades = Gather();
    const GradeCell& cell = grades.students[0].cells[number];
    Decision decision{.kind = Decision::Kind::kPoints, .student = "a", .chapter = "01_first"};
    decision.exercise = grades.exercises[number].id;
    decision.points = 1;
    decision.text = "why";
    decision.quote = PointsDecidedAbout(cell, max_points);
    EXPECT_TRUE(gradebook_->Decide({{{.decision = decision}}}).ok());
    return Gather().students[0].cells[number];
  };
  for (const std::size_t number : {0u, 1u}) {
    const double now = Gather().exercises[number].max_points;
    EXPECT_EQ(cell_decided(number, now).decided_of, std::nullopt);
    const GradeCell other = cell_decided(number, now / 2);
    EXPECT_EQ(other.decided_of, now / 2);
    EXPECT_FALSE(other.is_decided_before) << "it is the same file";
    EXPECT_EQ(other.points, 1) << "a person has the last word";
  }
}

/// Whatever is written of them, in CSV, JSON and pages: 3.42, and not 3.4200000000000004.
TEST_F(GatherGradesTest, PointsAreHundredths) {
  using Handed = SubmissionRow::State;
  workbook_.chapters[0].exercises[0].points = 0.1;
  workbook_.chapters[0].exercises[1].points = 0.2;
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale", "a"), Result(Verdict::kPassed, 0.1), "").ok());
  ASSERT_TRUE(gradebook_->WriteResult(Key("tile", "a"), Result(Verdict::kPassed, 0.2), "").ok());
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale", "b"), Result(Verdict::kWrongResult, 10.0 / 3), "").ok());
  const std::vector<StudentRow> students = {{"a", "a", {}}, {"b", "b", {}}};
  const std::vector<SubmissionRow> rows = {
      Row("a", "scale", Handed::kFound, "a"), Row("a", "tile", Handed::kFound, "a"),
      Row("b", "scale", Handed::kFound, "b"), Row("b", "tile", Handed::kMissing, "")};
  ASSERT_TRUE(gradebook_->ReplaceClass(students, rows).ok());
  ASSERT_TRUE(gradebook_
                  ->Decide({{{.decision = {.kind = Decision::Kind::kPoints,
                                           .student = "a",
                                           .chapter = "01_first",
                                           .exercise = "scale",
                                           .points = 0.3,
                                           .text = "seen",
                                           .author = "Grace"}}}})
                  .ok());
  const ClassGrades grades = Gather();
  EXPECT_EQ(grades.max_points, 0.3);
  EXPECT_EQ(grades.students[0].automatic, 0.3);
  EXPECT_EQ(grades.students[0].points, 0.5);
  ASSERT_EQ(grades.students[0].cells[0].changes.size(), 1u);
  EXPECT_EQ(grades.students[0].cells[0].changes[0].delta, 0.2);
  EXPECT_EQ(grades.students[1].points, 3.33);
}

TEST_F(GatherGradesTest, KeepsTheStarters) {
  ASSERT_TRUE(gradebook_->WriteSettings({"virtual:a100", 7, 1}).ok());
  const std::filesystem::path starter = std::filesystem::path(::testing::TempDir()) / "gather_starter.cu";
  std::ofstream(starter) << "// TODO\n";
  workbook_.chapters[0].exercises[0].starter = starter;
  const ClassGrades grades = Gather();
  std::filesystem::remove(starter);
  EXPECT_EQ(grades.exercises[0].starter, "// TODO\n");
  EXPECT_EQ(grades.exercises[1].starter, "");
}

TEST_F(GatherGradesTest, DecisionsComeAfterTheGradersPoints) {
  using Handed = SubmissionRow::State;
  using Kind = PointChange::Kind;
  ASSERT_TRUE(gradebook_->WriteResult(Key("scale", "wrong"), Result(Verdict::kFinding, 0), "").ok());
  const std::vector<StudentRow> students = {{"a", "a", {}}, {"b", "b", {}}};
  const std::vector<SubmissionRow> rows = {
      Row("a", "scale", Handed::kFound, "wrong"), Row("a", "tile", Handed::kFound, "not reached"),
      Row("b", "scale", Handed::kFound, "wrong"), Row("b", "tile", Handed::kMissing, "")};
  ASSERT_TRUE(gradebook_->ReplaceClass(students, rows).ok());
  const auto decide = [&](Decision decision) {
    decision.chapter = "01_first";
    decision.author = "Grace";
    ASSERT_TRUE(gradebook_->Decide({{{.decision = decision}}}).ok());
  };

  // All tests but those that passed are left out: what is left has passed.
  const ClassGrades before = Gather();
  std::size_t failed = 0;
  for (const TestResult& test : before.texts[0].result.tests) {
    if (test.verdict == Verdict::kPassed) continue;
    ++failed;
    decide({.kind = Decision::Kind::kExclusion, .exercise = "scale", .test = test.name, .text = "faulty"});
  }
  ASSERT_GT(failed, 0u);
  EXPECT_EQ(before.students[0].points, 0);
  decide({.kind = Decision::Kind::kPoints, .student = "b", .exercise = "scale", .points = 4, .text = "seen"});
  decide({.kind = Decision::Kind::kPoints, .student = "a", .exercise = "tile", .points = 1, .text = "oral"});
  decide({.kind = Decision::Kind::kComment, .student = "a", .exercise = "scale", .text = "well done"});
  decide({.kind = Decision::Kind::kRegrade, .student = "b", .exercise = "tile", .text = "please"});
  decide({.kind = Decision::Kind::kPoints, .student = "gone", .exercise = "tile", .points = 1});

  const ClassGrades after = Gather();
  const GradeCell& excluded = after.students[0].cells[0];
  EXPECT_TRUE(excluded.passed);
  EXPECT_EQ(excluded.automatic, 0);
  EXPECT_EQ(excluded.points, 10);
  ASSERT_EQ(excluded.changes.size(), 1u);
  EXPECT_EQ(excluded.changes[0].kind, Kind::kExcludedTest);
  EXPECT_EQ(excluded.changes[0].delta, 10);
  EXPECT_NE(excluded.changes[0].reason.find("faulty"), std::string::npos);
  ASSERT_EQ(excluded.comments.size(), 1u);
  EXPECT_EQ(excluded.comments[0].author, "Grace");
  const GradeCell& overridden = after.students[1].cells[0];
  EXPECT_EQ(overridden.points, 4);
  ASSERT_EQ(overridden.changes.size(), 2u);
  EXPECT_EQ(overridden.changes[1].kind, Kind::kOverride);
  EXPECT_EQ(overridden.changes[1].delta, -6);
  EXPECT_EQ(after.students[1].points, 4);
  EXPECT_EQ(after.students[1].automatic, 0);
  ASSERT_TRUE(after.students[1].cells[1].regrade);
  EXPECT_TRUE(after.students[1].cells[1].regrade->is_open);
  // What the grader did not grade, but somebody did, is complete.
  EXPECT_FALSE(before.students[0].complete);
  EXPECT_TRUE(after.students[0].complete);
  EXPECT_EQ(after.students[0].points, 11);
  EXPECT_EQ(after.exercises[0].passed, 2u);
  EXPECT_EQ(after.exercises[0].excluded.size(), failed);
}

TEST(PageNames, AreFileNamesAndDiffer) {
  const std::string long_name(300, 'x');
  std::string chinese;
  for (int i = 0; i < 60; ++i) chinese += "陳";
  const std::vector<std::string> pages = PageNames({{"Ada Lovelace", "", {}},
                                                    {"ada lovelace", "", {}},
                                                    {"../x", "", {}},
                                                    {"..", "", {}},
                                                    {long_name, "", {}},
                                                    {chinese, "", {}},
                                                    {"a/b?#%", "", {}}});
  EXPECT_EQ(pages[0], "Ada_Lovelace");
  EXPECT_EQ(pages[1], "ada_lovelace-2");
  EXPECT_EQ(pages[2], "_.._x");
  EXPECT_EQ(pages[3], "_..");
  EXPECT_EQ(pages[4], std::string(100, 'x'));
  EXPECT_EQ(pages[5].size(), 99u);
  EXPECT_TRUE(chinese.starts_with(pages[5]));
  EXPECT_EQ(pages[6], "a_b___");
}

}  // namespace
}  // namespace warplings::gather_grades_test
