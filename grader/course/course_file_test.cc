// SPDX-License-Identifier: Apache-2.0
#include "grader/course/course_file.h"

#include <gtest/gtest.h>

#include "grader/course/time_zone.h"

namespace warplings {
namespace {

constexpr const char* kHead = "[course]\ntitle = \"CUDA\"\ntime_zone = \"Europe/Berlin\"\n";
constexpr const char* kWeek = "[[assignment]]\nid = \"week1\"\nwhat = [\"1\"]\n";

Workbook MakeWorkbook() {
  Workbook workbook;
  int number = 0;
  for (const auto& [id, names] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"01_first", {"scale", "tile", "sum"}}, {"02_second", {"ask"}}}) {
    Chapter chapter;
    chapter.id = id;
    chapter.number = ++number;
    for (const std::string& name : names) {
      Exercise exercise;
      exercise.chapter = id;
      exercise.id = name;
      exercise.points = 10;
      chapter.exercises.push_back(exercise);
    }
    workbook.chapters.push_back(chapter);
  }
  return workbook;
}

std::string FaultOf(const std::string& text) {
  const auto course = ParseCourse(text, "course.toml");
  return course ? "no fault" : English(course.error().message);
}

TEST(CourseFile, DefaultsAndInheritance) {
  const auto course = ParseCourse(
      std::string(kHead) + "[late]\ngrace_minutes = 15\npercent_per_day = 10\ncap_percent = 50\n" + kWeek +
          "due = 2026-10-08T23:59:00\n"
          "[[assignment]]\nid = \"week2\"\nwhat = [\"ask\"]\nattempts = \"best\"\n"
          "late = { percent_per_day = 20 }\n",
      "course.toml");
  ASSERT_TRUE(course.ok()) << course.error().message;
  ASSERT_EQ(course->assignments.size(), 2u);
  const Assignment& first = course->assignments[0];
  EXPECT_EQ(first.title, "week1");
  EXPECT_EQ(first.scoring.scoring, Scoring::kChapter);
  EXPECT_EQ(first.attempts, AttemptRule::kLast);
  EXPECT_EQ(first.late.grace_seconds, 900);
  EXPECT_EQ(ShowUtc(*first.due), "2026-10-08T21:59:00Z");  // Summer: two hours ahead of UTC.
  const Assignment& second = course->assignments[1];
  EXPECT_FALSE(second.due.has_value());
  EXPECT_EQ(second.attempts, AttemptRule::kBest);
  EXPECT_EQ(second.late.percent_per_day, 20);
  EXPECT_EQ(second.late.cap_percent, 50);
  EXPECT_EQ(course->times, TimeSource::kLms);
}

TEST(CourseFile, DatesAndTimes) {
  const auto due = [](const std::string& value) {
    const auto course = ParseCourse(std::string(kHead) + kWeek + "due = " + value + "\n", "course.toml");
    return course ? ShowUtc(*course->assignments[0].due) : English(course.error().message);
  };
  EXPECT_EQ(due("2026-12-01"), "2026-12-01T22:59:59Z");  // To the end of the day, in winter.
  EXPECT_EQ(due("2026-10-08T23:59:00+05:30"), "2026-10-08T18:29:00Z");
  EXPECT_EQ(due("2026-10-08T23:59:00Z"), "2026-10-08T23:59:00Z");
  // Clocks go back at 3 to 2: of two half past two, the later one.
  EXPECT_EQ(due("2026-10-25T02:30:00"), "2026-10-25T01:30:00Z");
  // Clocks go forward from 2 to 3.
  EXPECT_EQ(
      due("2026-03-29T02:30:00"),
      "course.toml:7: assignment.due: does not exist in Europe/Berlin, where the clocks skip it; give a "
      "time an hour earlier or later");
  EXPECT_NE(due("\"2026-10-08\"").find("without quotes"), std::string::npos);
  EXPECT_NE(due("2026-10-08 23:59").find("course.toml:7: a time needs seconds, as in 2026-10-08T23:59:00"),
            std::string::npos)
      << due("2026-10-08 23:59");
  for (const char* date : {"2026-02-30", "2026-13-01", "2026-02-30T12:00:00"}) {
    EXPECT_NE(due(date).find("course.toml:7: there is no date " + std::string(date, 10)), std::string::npos)
        << due(date);
  }
  EXPECT_NE(
      due("2026-10-08T24:00:00  # the end").find("course.toml:7: there is no time 24:00:00: hours go to 23"),
      std::string::npos)
      << due("2026-10-08T24:00:00");
  EXPECT_NE(due("next Monday").find("course.toml:7: text must be in quotes: due = \"next Monday\""),
            std::string::npos)
      << due("next Monday");
  for (const char* date :
       {"08.10.2026", "8.10.2026", "08.10.2026 23:59", "10/8/26", "2026/10/08", "2026-10-8"}) {
    EXPECT_NE(
        due(date).find("course.toml:7: due: must be a date or a date with a time, without quotes: 2026-"),
        std::string::npos)
        << date << ": " << due(date);
  }
  for (const char* text : {"\"2026-10-08", "\"2026-10-08 # to 23:59", "'2026"}) {
    EXPECT_NE(due(text).find("course.toml:7: the quote that this line opens is never closed"),
              std::string::npos)
        << text << ": " << due(text);
  }
  EXPECT_NE(due("2026-10-08 23h").find("course.toml:7: not TOML"), std::string::npos)
      << due("2026-10-08 23h");
}

TEST(CourseFile, FaultsNameLineKeyAndWhatIsAllowed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {kWeek, "course.toml:1: course: is missing"},
      {kHead, "course.toml:1: assignment: is missing"},
      {"[course]\ntitle = \"x\"\ntime_zone = \"Europe/Berlim\"\n" + std::string(kWeek),
       "course.toml:3: course.time_zone: 'Europe/Berlim' is not a time zone; write one such as Europe/Berlin "
       "or "
       "UTC; "
       "did you mean Europe/Berlin?"},
      {std::string(kHead) + "roter = \"x\"\n" + kWeek,
       "course.toml:4: course.roter: is not a known key; did you mean roster? The keys here are"},
      {std::string(kHead) + "match = [\"mail\"]\n" + kWeek,
       "course.match: 'mail' must be one of id, login, email"},
      {std::string(kHead) + kWeek + "scoring = \"per-test\"\n",
       "course.toml:7: assignment.scoring: 'per-test' must be one of chapter, all_or_nothing, per_test, "
       "rubric; did "
       "you mean per_test?"},
      {std::string(kHead) + kWeek + "scoring = \"rubric\"\n", "assignment.group: is missing: a rubric needs"},
      {std::string(kHead) + kWeek + "[[assignment.group]]\ntitle = \"t\"\npoints = 1\ntests = [\"*\"]\n",
       "assignment.group: needs scoring = \"rubric\""},
      {std::string(kHead) + kWeek +
           "scoring = \"rubric\"\n[[assignment.group]]\ntitle = \"t\"\npoints = 0\ntests = [\"*\"]\n",
       "assignment.group: must have points"},
      {std::string(kHead) + kWeek + kWeek, "course.toml:8: assignment.id: 'week1' appears twice"},
      {std::string(kHead) + kWeek + "points = -1\n", "assignment.points: must be a number of at least 0"},
      {std::string(kHead) + kWeek + "late = { cap_percent = 101 }\n",
       "assignment.late.cap_percent: must be a number from 0 to 100"},
      {std::string(kHead) + kWeek + "attempts = \"bets\"\n", "did you mean best?"},
      {std::string(kHead) + kWeek + "max_attempts = 0\n", "assignment.max_attempts: must be a whole number"},
      {std::string(kHead) + kWeek + "[[assignment.extension]]\nstudent = \"ada\"\n",
       "course.toml:8: assignment.extension.student: needs due, days or no_deduction"},
      {std::string(kHead) + kWeek + "[[assignment.extension]]\nstudent = \"ada\"\ndays = 2\n",
       "assignment.extension.days: needs a due date of the assignment"},
      {std::string(kHead) + kWeek +
           "due = 2026-10-08\n[[assignment.extension]]\nstudent = \"a\"\ndays = 2\ndue = 2026-10-10\n",
       "assignment.extension.days: cannot be combined with due"},
      {"[course\n", "course.toml:1: not TOML"},
  };
  for (const auto& [text, words] : cases) {
    EXPECT_NE(FaultOf(text).find(words), std::string::npos) << FaultOf(text) << "\nfor\n" << text;
  }
}

TEST(CourseFile, AnAssignmentIsFoundByItsId) {
  const auto course = ParseCourse(std::string(kHead) + kWeek, "course.toml");
  ASSERT_TRUE(course.ok());
  EXPECT_TRUE(FindAssignment(*course, "week1").ok());
  const auto unknown = FindAssignment(*course, "wek1");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(English(unknown.error().message), "the course has no assignment 'wek1'; did you mean week1?");
}

TEST(CourseFile, ExercisesAreResolvedOnceAndScaled) {
  const Workbook workbook = MakeWorkbook();
  Assignment assignment;
  assignment.what = {"1", "tile", "ask"};
  assignment.exercises = {{"scale", 20.0, std::nullopt, 9}};
  auto exercises = ResolveAssignment(assignment, workbook, "course.toml");
  ASSERT_TRUE(exercises.ok()) << exercises.error().message;
  ASSERT_EQ(exercises->size(), 4u);
  EXPECT_EQ((*exercises)[0].exercise->id, "scale");
  EXPECT_EQ((*exercises)[0].max_points, 20);
  EXPECT_EQ((*exercises)[1].max_points, 10);

  assignment.exercises.clear();
  assignment.what = {"1"};
  assignment.points = 10;
  exercises = ResolveAssignment(assignment, workbook, "course.toml");
  ASSERT_TRUE(exercises.ok());
  EXPECT_EQ((*exercises)[0].max_points, 3.34);
  EXPECT_EQ((*exercises)[1].max_points, 3.33);
  EXPECT_EQ((*exercises)[2].max_points, 3.33);
}

TEST(CourseFile, UnknownExercisesNameTheLine) {
  const Workbook workbook = MakeWorkbook();
  Assignment assignment;
  assignment.line = 12;
  assignment.what = {"tiles"};
  auto exercises = ResolveAssignment(assignment, workbook, "course.toml");
  ASSERT_FALSE(exercises.ok());
  EXPECT_EQ(English(exercises.error().message),
            "course.toml:12: assignment.what: there is no chapter or exercise 'tiles'; did you mean tile?");
  assignment.what = {"tile"};
  assignment.exercises = {{"ask", 1.0, std::nullopt, 15}};
  exercises = ResolveAssignment(assignment, workbook, "course.toml");
  ASSERT_FALSE(exercises.ok());
  EXPECT_EQ(English(exercises.error().message),
            "course.toml:15: assignment.exercise.name: 'ask' is not an exercise of this assignment");
}

/// The last line of a file, and one in the middle, of a list.
TEST(CourseFile, AQuoteThatIsNeverClosedIsNamedInItsLine) {
  EXPECT_NE(FaultOf(std::string(kHead) + "[[assignment]]\nid = \"week1\"\nwhat = [\"1]\ndue = 2026-10-08\n")
                .find("course.toml:6: the quote that this line opens is never closed"),
            std::string::npos);
  EXPECT_NE(FaultOf("[course]\ntitle = \"CUDA").find("course.toml:2: the quote that this line opens"),
            std::string::npos);
  EXPECT_EQ(FaultOf("[course]\ntitle = \"a # \\\" b\" c\n").find("course.toml:2: the quote"),
            std::string::npos)
      << "both are there";
}

TEST(CourseFile, DueDatesOfAnotherYearAreDoubted) {
  const auto doubts = [](const std::vector<std::string>& dates, const std::string& more = "") {
    std::string text = kHead;
    for (std::size_t i = 0; i < dates.size(); ++i) {
      text += "[[assignment]]\nid = \"week" + std::to_string(i + 1) +
              "\"\nwhat = [\"1\"]\ndue = " + dates[i] + "\n";
    }
    const auto course = ParseCourse(text + more, "course.toml");
    EXPECT_TRUE(course.ok()) << course.error().message;
    std::string all;
    for (const Message& each : DoubtsAboutDue(*course)) all += English(each) + "\n";
    return all;
  };
  EXPECT_EQ(doubts({"2026-10-08", "2062-10-15"}), "week2 is due 36 years after week1: is the year right?\n");
  EXPECT_EQ(doubts({"2026-10-08", "2025-10-15", "2026-10-22"}),
            "week2 is due 358 days before week1: is the year right?\n");
  EXPECT_EQ(doubts({"2026-10-08", "2027-07-15"}), "") << "a course of two terms";
  EXPECT_EQ(doubts({"2026-10-08"}, "[[assignment.extension]]\nstudent = \"Ada\"\ndue = 2027-10-15\n"),
            "the extension of Ada is due 372 days after week1: is the year right?\n");
  EXPECT_EQ(doubts({"2026-10-08"},
                   "[[assignment.extension]]\nstudent = \"Ada\"\ndue = 2026-10-01\n"
                   "[[assignment.extension]]\nstudent = \"Bob\"\ndue = 2026-10-08\n"),
            "the extension of Ada ends 2026-10-01 23:59:59 CEST, before week1 is due (2026-10-08 23:59:59 "
            "CEST): is "
            "the date right?\n");
  EXPECT_EQ(
      doubts({"2026-10-08", "2026-10-22", "2026-10-15"}),
      "week3 is due 2026-10-15 23:59:59 CEST, before week2 (2026-10-22 23:59:59 CEST), which is above it: "
      "is the date right?\n");
  EXPECT_EQ(doubts({"2026-10-08", "2026-10-08"}), "");
  // Of two dates nobody knows how far apart they should be.
  EXPECT_EQ(doubts({"2026-08-10", "2026-10-15"}), "");
  EXPECT_EQ(doubts({"2026-08-10", "2026-10-15", "2026-10-22"}),
            "week1 is due 66 days before week2, and no others are so far apart: is the date right?\n");
  EXPECT_EQ(doubts({"2026-10-08", "2026-10-15", "2026-12-22"}),
            "week3 is due 68 days after week2, and no others are so far apart: is the date right?\n");
  EXPECT_EQ(doubts({"2026-10-08", "2026-10-15", "2026-12-22", "2026-12-29"}), "") << "a break";
  EXPECT_EQ(doubts({"2026-10-08", "2026-10-08", "2026-10-29"}), "") << "three weeks are no long time";
  const std::string no_date = "[[assignment]]\nid = \"last\"\nwhat = [\"2\"]\n";
  EXPECT_EQ(doubts({"2026-10-08", "2026-10-15"}, no_date),
            "last has no `due`, and others have one: nothing counts as late there\n");
  EXPECT_EQ(doubts({"2026-10-08"}, no_date), "");
}

TEST(CourseFile, TheSameExercisesInTwoAssignmentsAreDoubted) {
  const auto doubts = [](const std::string& second) {
    const auto course =
        ParseCourse(std::string(kHead) + "[[assignment]]\nid = \"week1\"\nwhat = [\"1\", \"bank_of\"]\n" +
                        "[[assignment]]\nid = \"week2\"\nwhat = " + second + "\n",
                    "course.toml");
    std::string all;
    for (const Message& each : DoubtsAboutWhat(*course)) all += English(each) + "\n";
    return all;
  };
  EXPECT_EQ(doubts("[\"bank_of\", \"1\"]"), "week2 has the same `what` as week1: is it right?\n");
  EXPECT_EQ(doubts("[\"1\"]"), "");
}

TEST(CourseFile, PercentagesBelowOneAreDoubted) {
  const auto doubts = [](const std::string& late, const std::string& more = "") {
    const std::string text = std::string(kHead) + "[late]\n" + late +
                             "\n[[assignment]]\nid = \"a\"\nwhat = [\"1\"]\ndue = 2026-10-08\n" + more +
                             "[[assignment]]\nid = \"b\"\nwhat = [\"1\"]\ndue = 2026-10-08\n";
    const auto course = ParseCourse(text, "course.toml");
    EXPECT_TRUE(course.ok()) << course.error().message;
    std::string all;
    for (const Message& each : DoubtsAboutPercentages(*course)) all += English(each) + "\n";
    return all;
  };
  EXPECT_EQ(doubts("percent_per_day = 10\ncap_percent = 0"), "");
  EXPECT_EQ(doubts("percent_per_day = 1"), "");
  EXPECT_EQ(doubts("percent_per_day = 10\ncap_percent = 10"), "");
  EXPECT_EQ(doubts("percent_per_day = 10\ncap_percent = 5"),
            "cap_percent = 5 is less than one day's percent_per_day = 10: all late work loses 5 %\n");
  EXPECT_EQ(doubts("closed_after_days = 0"), "");
  EXPECT_EQ(doubts("percent_per_day = 10\nclosed_after_days = 1"), "");
  EXPECT_EQ(doubts("percent_per_day = 10\nclosed_after_days = 0"),
            "closed_after_days = 0 leaves no late day, so percent_per_day = 10 has no effect\n");
  EXPECT_EQ(doubts("percent_per_day = 0.1"),
            "percent_per_day = 0.1 means 0.1 %; for 10 % write percent_per_day = 10\n");
  EXPECT_EQ(doubts("cap_percent = 0.5", "speed_percent = 0.2\n"),
            "cap_percent = 0.5 means 0.5 %; for 50 % write cap_percent = 50\n"
            "speed_percent = 0.2 means 0.2 %; for 20 % write speed_percent = 20\n");
}

}  // namespace
}  // namespace warplings
