// SPDX-License-Identifier: Apache-2.0
#include "grader/course/course_file.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "grader/base/csv.h"
#include "grader/base/spelling.h"
#include "grader/core/layout.h"
#include "grader/course/scoring.h"
#include "grader/course/time_zone.h"
#include "grader/messages/course.h"
#include "grader/messages/toml.h"
#include "grader/workbook/table_reader.h"

namespace warplings {
namespace {

constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;

/// Reads tables of one course.toml; knows its time zone once [course] is read.
class CourseReader {
 public:
  Course Read(TableReader& root) {
    ReadHead(root);
    if (root.Take("grading")) ReadGrading(root);
    LateRule late;
    if (root.Take("late")) {
      TableReader table = root.Table("late");
      late = ReadLate(table, {}, std::nullopt);
      course_.late_days = late.late_days;
    }
    for (TableReader& each : root.Tables("assignment", 1)) {
      Assignment assignment = ReadAssignment(each, late);
      if (std::ranges::count(course_.assignments, assignment.id, &Assignment::id) > 0) {
        each.Fail("id", say::id_there_twice(assignment.id));
      }
      course_.assignments.push_back(std::move(assignment));
    }
    root.Finish();
    return std::move(course_);
  }

 private:
  void ReadHead(TableReader& root) {
    TableReader table = root.Table("course");
    course_.title = table.Text("title");
    if (table.Take("term")) course_.term = table.Text("term");
    if (table.Take("time_zone")) {
      course_.time_zone = table.Text("time_zone");
      if (const Message fault = WhyNoTimeZone(course_.time_zone); !fault.empty()) {
        table.Fail("time_zone", fault);
      }
    }
    if (table.Take("roster")) course_.roster_file = table.Text("roster");
    if (table.Take("match")) ReadMatch(table);
    if (table.Take("times")) {
      course_.times = table.Choice("times", {"lms", "files"}) == 0 ? TimeSource::kLms : TimeSource::kFiles;
    }
    table.Finish();
  }

  void ReadMatch(TableReader& table) {
    const std::vector<std::string> known = {"id", "login", "email", "name"};
    course_.match.clear();
    for (const std::string& each : table.Texts("match")) {
      const auto found = std::ranges::find(known, each);
      if (found == known.end()) {
        table.Fail("match", WithClosest(say::must_be_one_of(each, "id, login, email, name"), each, known));
      }
      course_.match.push_back(static_cast<MatchField>(found - known.begin()));
    }
  }

  void ReadGrading(TableReader& root) {
    TableReader table = root.Table("grading");
    if (table.Take("device")) course_.device = table.Text("device");
    if (table.Take("seed")) {
      course_.seed = static_cast<std::uint64_t>(
          table.Whole("seed", 0, INT64_MAX, say::must_be_whole_number_of_at_least(0)));
    }
    table.Finish();
  }

  /// `budget`: the course's free late days, of which an assignment may allow fewer; none for the course's own
  /// rule.
  static LateRule ReadLate(TableReader& table, LateRule rule, std::optional<std::int64_t> budget) {
    constexpr double kMostMinutes = 7 * 24 * 60;
    if (table.Take("grace_minutes")) {
      rule.grace_seconds =
          static_cast<std::int64_t>(table.Number("grace_minutes", 0, kMostMinutes) * kMinute);
    }
    if (table.Take("percent_per_day")) rule.percent_per_day = table.Number("percent_per_day", 0, 100);
    if (table.Take("cap_percent")) rule.cap_percent = table.Number("cap_percent", 0, 100);
    if (table.Take("closed_after_days")) {
      rule.closed_after_days = table.Whole("closed_after_days", 0, 3650, say::must_be_days(0, 3650));
    }
    if (table.Take("late_days")) {
      rule.late_days = table.Whole("late_days", 0, 3650, say::must_be_days(0, 3650));
      if (budget && rule.late_days > *budget) table.Fail("late_days", say::more_than_late_days(*budget));
    }
    table.Finish();
    return rule;
  }

  Assignment ReadAssignment(TableReader& table, const LateRule& late) {
    Assignment assignment;
    assignment.line = table.Line("what");
    assignment.id = table.Text("id");
    if (assignment.id.find_first_of("/\\ \t\n") != std::string::npos) {
      table.Fail("id", say::must_be_word(assignment.id));
    }
    assignment.title = table.Take("title") ? table.Text("title") : assignment.id;
    assignment.what = table.Texts("what");
    if (table.Take("points")) assignment.points = table.Points("points");
    assignment.scoring = ReadScoring(table, {});
    if (table.Take("attempts")) {
      constexpr AttemptRule kRules[] = {AttemptRule::kLast, AttemptRule::kBest, AttemptRule::kFirst};
      assignment.attempts = kRules[table.Choice("attempts", {"last", "best", "first"})];
    }
    if (table.Take("max_attempts")) {
      assignment.max_attempts =
          table.Whole("max_attempts", 1, 1000, say::must_be_whole_number_of_at_least(1));
    }
    if (table.Take("due")) assignment.due = ReadTime(table, "due");
    assignment.late = late;
    if (table.Take("late")) {
      TableReader own = table.Table("late");
      assignment.late = ReadLate(own, late, course_.late_days);
    }
    for (TableReader& each : table.Tables("extension", 0)) {
      assignment.extensions.push_back(ReadExtension(each, assignment));
    }
    for (TableReader& each : table.Tables("exercise", 0)) {
      assignment.exercises.push_back(ReadExercise(each, assignment));
    }
    table.Finish();
    return assignment;
  }

  /// Keys `scoring`, `group` and `speed_percent`; what is not said is as in `rule`.
  static ScoringRule ReadScoring(TableReader& table, ScoringRule rule) {
    const bool says = table.Take("scoring");
    if (says) {
      constexpr Scoring kRules[] = {Scoring::kChapter, Scoring::kAllOrNothing, Scoring::kPerTest,
                                    Scoring::kRubric};
      rule.scoring = kRules[table.Choice("scoring", {"chapter", "all_or_nothing", "per_test", "rubric"})];
      rule.groups.clear();
    }
    if (table.Take("speed_percent")) rule.speed_share = table.Number("speed_percent", 0, 100) / 100;
    if (!table.Take("group")) {
      if (rule.scoring == Scoring::kRubric && rule.groups.empty()) {
        table.Fail("group", say::rubric_needs_group());
      }
      return rule;
    }
    if (rule.scoring != Scoring::kRubric) table.Fail("group", say::needs_rubric());
    rule.groups.clear();
    double sum = 0;
    for (TableReader& each : table.Tables("group", 1)) {
      rule.groups.push_back(ReadGroup(each));
      sum += rule.groups.back().points;
    }
    if (sum <= 0) table.Fail("group", say::groups_without_points());
    return rule;
  }

  static TestGroup ReadGroup(TableReader& table) {
    TestGroup group;
    group.line = table.Line("tests");
    group.title = table.Text("title");
    group.points = table.Points("points");
    group.tests = table.Texts("tests");
    group.test_lines = table.ElementLines("tests");
    if (table.Take("scoring")) group.per_test = table.Choice("scoring", {"all_or_nothing", "per_test"}) == 1;
    table.Finish();
    return group;
  }

  ExerciseEntry ReadExercise(TableReader& table, const Assignment& assignment) {
    ExerciseEntry entry;
    entry.line = table.Line("name");
    entry.name = table.Text("name");
    if (table.Take("points")) entry.points = table.Points("points");
    entry.scoring = ReadScoring(table, assignment.scoring);
    table.Finish();
    return entry;
  }

  Extension ReadExtension(TableReader& table, const Assignment& assignment) {
    Extension extension;
    extension.line = table.Line("student");
    extension.student = table.Text("student");
    const bool due = table.Take("due"), days = table.Take("days");
    if (due && days) table.Fail("days", say::not_beside_due());
    if (due) extension.due = ReadTime(table, "due");
    if (days) {
      if (!assignment.due) table.Fail("days", say::needs_due_date());
      extension.more_seconds = static_cast<std::int64_t>(table.Number("days", 0, 3650) * kDay);
    }
    if (table.Take("no_deduction")) extension.no_deduction = table.Flag("no_deduction");
    if (!due && !days && !extension.no_deduction) {
      table.Fail("student", say::needs_what_is_extended());
    }
    if (table.Take("reason")) extension.reason = table.Text("reason");
    table.Finish();
    return extension;
  }

  /// A date is its last second; a time without an offset is the course's time zone's.
  std::int64_t ReadTime(TableReader& table, const char* key) const {
    const toml::node& node = table.Node(key);
    if (const auto* date = node.as_date()) {
      return Local(table, key, {date->get().year, date->get().month, date->get().day, 23, 59, 59});
    }
    const auto* both = node.as_date_time();
    if (both == nullptr) {
      table.Fail(key, say::must_be_date());
    }
    const toml::date_time& time = both->get();
    const LocalTime local{time.date.year, time.date.month,  time.date.day,
                          time.time.hour, time.time.minute, time.time.second};
    if (!time.offset) return Local(table, key, local);
    return SecondsOfUtc(local) - time.offset->minutes * kMinute;
  }

  std::int64_t Local(TableReader& table, const char* key, const LocalTime& local) const {
    const auto seconds = ToUtc(local, course_.time_zone);
    if (!seconds) table.Fail(key, say::time_does_not_exist(course_.time_zone));
    return *seconds;
  }

  Course course_;
};

/// "36 years"; days where it is less than two.
say::Count Span(std::int64_t seconds) {
  constexpr std::int64_t kYear = 365 * kDay;
  const auto days = static_cast<std::uint64_t>(std::abs(seconds) / kDay);
  return std::abs(seconds) < 2 * kYear ? say::Count(days, "day") : say::Count(days / 365, "year");
}

Message YearInDoubt(const Message& what, const std::string& reference, std::int64_t after) {
  return after > 0 ? Message(say::is_due_after(what, Span(after), reference))
                   : Message(say::is_due_before(what, Span(after), reference));
}

/// The first or the last of three or more dates, where it is more than six weeks and four times the longest
/// other gap away from the others. In the middle that may be a break between two terms.
void DoubtMonth(const std::vector<const Assignment*>& sorted, std::vector<Message>& doubts) {
  constexpr std::int64_t kLong = 42 * kDay, kOtherYear = 300 * kDay;
  if (sorted.size() < 3) return;
  std::vector<std::int64_t> gaps;
  for (std::size_t i = 1; i < sorted.size(); ++i) gaps.push_back(*sorted[i]->due - *sorted[i - 1]->due);
  const auto is_odd = [&](std::size_t gap) {
    std::int64_t longest = 0;
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      if (i != gap) longest = std::max(longest, gaps[i]);
    }
    return gaps[gap] > kLong && gaps[gap] <= kOtherYear && gaps[gap] > 4 * longest;
  };
  if (is_odd(0)) doubts.push_back(say::is_due_long_before(sorted[0]->id, Span(gaps[0]), sorted[1]->id));
  const std::size_t last = sorted.size() - 1;
  if (is_odd(last - 1))
    doubts.push_back(say::is_due_long_after(sorted[last]->id, Span(gaps[last - 1]), sorted[last - 1]->id));
}

Error WithLine(const Error& error, const std::string& file, int line, const std::string& key) {
  return UsageError(say::key_of_file(file, line, key, error.message),
                    error.next_step.empty() ? say::correct_line_of_course() : error.next_step);
}

}  // namespace

Result<Course> ParseCourse(std::string_view text, const std::string& name) {
  const TomlFile file{name, say::correct_line_as_documented(ThisLayout().CourseDocumentation().string())};
  return ReadToml<Course>(text, file, [](TableReader& root) { return CourseReader().Read(root); });
}

std::vector<Message> DoubtsAboutDue(const Course& course) {
  constexpr std::int64_t kSuspicious = 300 * kDay;
  std::vector<const Assignment*> dated;
  for (const Assignment& each : course.assignments) {
    if (each.due) dated.push_back(&each);
  }
  std::vector<Message> doubts;
  if (dated.empty()) return doubts;
  // The one in the middle is right even if another one's year is not.
  auto sorted = dated;
  std::ranges::stable_sort(sorted, {}, [](const Assignment* each) { return *each->due; });
  const Assignment& middle = *sorted[(sorted.size() - 1) / 2];
  for (const Assignment* each : dated) {
    const std::int64_t after = *each->due - *middle.due;
    if (std::abs(after) > kSuspicious) doubts.push_back(YearInDoubt(each->id, middle.id, after));
    for (const Extension& extension : each->extensions) {
      const std::int64_t more = extension.due.value_or(*each->due) - *each->due;
      if (more <= kSuspicious) continue;
      doubts.push_back(YearInDoubt(say::extension_of(extension.student), each->id, more));
    }
    std::ranges::move(DoubtsAboutExtensions(*each, course.time_zone), std::back_inserter(doubts));
  }
  DoubtMonth(sorted, doubts);
  for (const Assignment& each : course.assignments) {
    if (!each.due && dated.size() > 1) doubts.push_back(say::has_no_due_date(each.id));
  }
  for (std::size_t i = 1; i < dated.size(); ++i) {
    const Assignment &former = *dated[i - 1], &each = *dated[i];
    // A wrong year is told above.
    if (*each.due >= *former.due || *former.due - *each.due > kSuspicious) continue;
    doubts.push_back(say::is_due_before_former(each.id, ShowTime(*each.due, course.time_zone), former.id,
                                               ShowTime(*former.due, course.time_zone)));
  }
  return doubts;
}

std::vector<Message> DoubtsAboutWhat(const Course& course) {
  std::vector<Message> doubts;
  std::map<std::set<std::string>, std::string> seen;
  for (const Assignment& each : course.assignments) {
    const auto [former, is_new] = seen.emplace(std::set(each.what.begin(), each.what.end()), each.id);
    if (!is_new) doubts.push_back(say::asks_for_the_same(each.id, former->second));
  }
  return doubts;
}

std::vector<Message> DoubtsAboutPercentages(const Course& course) {
  std::vector<Message> doubts;
  std::set<std::pair<std::string, double>> seen;
  const auto look_at = [&](const std::string& key, double percent) {
    if (percent <= 0 || percent >= 1 || !seen.emplace(key, percent).second) return;
    doubts.push_back(say::may_be_percentage(key, CsvNumber(percent), CsvNumber(percent * 100)));
  };
  for (const Assignment& each : course.assignments) {
    look_at("percent_per_day", each.late.percent_per_day);
    look_at("cap_percent", each.late.cap_percent);
    if (each.late.cap_percent > 0 && each.late.cap_percent < each.late.percent_per_day &&
        seen.emplace("cap_percent below percent_per_day", each.late.cap_percent).second)
      doubts.push_back(
          say::cap_below_one_day(CsvNumber(each.late.cap_percent), CsvNumber(each.late.percent_per_day)));
    if (each.late.closed_after_days == 0 && each.late.percent_per_day > 0 &&
        seen.emplace("closed_after_days", each.late.percent_per_day).second)
      doubts.push_back(say::closed_at_once(CsvNumber(each.late.percent_per_day)));
    if (each.scoring.speed_share) look_at("speed_percent", *each.scoring.speed_share * 100);
    for (const ExerciseEntry& entry : each.exercises) {
      if (entry.scoring && entry.scoring->speed_share)
        look_at("speed_percent", *entry.scoring->speed_share * 100);
    }
  }
  return doubts;
}

std::vector<Message> DoubtsAboutExtensions(const Assignment& assignment, const std::string& time_zone) {
  std::vector<Message> doubts;
  for (const Extension& each : assignment.extensions) {
    if (!assignment.due || !each.due || *each.due >= *assignment.due) continue;
    doubts.push_back(say::extension_ends_before(each.student, ShowTime(*each.due, time_zone), assignment.id,
                                                ShowTime(*assignment.due, time_zone)));
  }
  return doubts;
}

Result<const Assignment*> FindAssignment(const Course& course, const std::string& id) {
  std::vector<std::string> ids;
  for (const Assignment& each : course.assignments) {
    if (each.id == id) return &each;
    ids.push_back(each.id);
  }
  std::string list;
  for (const std::string& each : ids) list += (list.empty() ? "" : ", ") + each;
  return UsageError(WithClosest(say::no_such_assignment(id), id, ids), say::its_assignments(list));
}

Result<std::vector<AssignedExercise>> ResolveAssignment(const Assignment& assignment,
                                                        const Workbook& workbook, const std::string& file) {
  std::map<const Exercise*, const ExerciseEntry*> chosen;
  for (const std::string& what : assignment.what) {
    const auto selected = SelectExercises(workbook, what);
    if (!selected) return WithLine(selected.error(), file, assignment.line, "assignment.what");
    for (const Exercise* each : *selected) chosen.emplace(each, nullptr);
  }
  for (const ExerciseEntry& entry : assignment.exercises) {
    const auto selected = SelectExercises(workbook, entry.name);
    if (!selected) return WithLine(selected.error(), file, entry.line, "assignment.exercise.name");
    for (const Exercise* each : *selected) {
      const auto found = chosen.find(each);
      if (found == chosen.end()) {
        return WithLine(UsageError(say::none_of_assignments_exercises(entry.name), say::add_it_to_what()),
                        file, entry.line, "assignment.exercise.name");
      }
      found->second = &entry;
    }
  }
  std::vector<AssignedExercise> exercises;
  std::vector<double> points;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      const auto found = chosen.find(&exercise);
      if (found == chosen.end()) continue;
      const ExerciseEntry* entry = found->second;
      exercises.push_back(
          {&exercise, 0, entry != nullptr && entry->scoring ? *entry->scoring : assignment.scoring, file});
      points.push_back(entry != nullptr && entry->points ? *entry->points : exercise.points);
    }
  }
  points = assignment.points ? Apportion(*assignment.points, points) : points;
  for (std::size_t i = 0; i < exercises.size(); ++i) exercises[i].max_points = points[i];
  return exercises;
}

}  // namespace warplings
