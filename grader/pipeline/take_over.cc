// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/take_over.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "grader/base/csv.h"
#include "grader/base/text.h"
#include "grader/core/student_identity.h"
#include "grader/messages/class.h"
#include "grader/pipeline/make_decisions.h"

namespace warplings {
namespace {

/// Decisions with the same one replace each other (AreAboutTheSame).
using Subject = std::tuple<Decision::Kind, std::string, std::string, std::string, std::string>;

Subject SubjectOf(const Decision& decision) {
  return {decision.kind, KeyOfStudent(decision), decision.chapter, decision.exercise, decision.test};
}

bool SayTheSame(const Decision& a, const Decision& b) {
  const auto said = [](const Decision& each) {
    return std::tie(each.points, each.text, each.answer, each.is_open, each.author, each.quote);
  };
  return said(a) == said(b);
}

std::optional<std::size_t> NumberOf(const ClassGrades& grades, const Decision& decision) {
  for (std::size_t i = 0; i < grades.exercises.size(); ++i) {
    const ClassExercise& each = grades.exercises[i];
    if (each.chapter == decision.chapter && each.id == decision.exercise) return i;
  }
  return std::nullopt;
}

/// Work that cannot be graded is not known to be the same: a blind class has no names of files, and so no
/// hash that could be compared.
bool IsTheSameWork(const GradeCell& a, const GradeCell& b) {
  using State = GradeCell::State;
  return a.state == b.state && a.hash == b.hash && (a.state == State::kGraded || a.state == State::kMissing);
}

class Carrier {
 public:
  Carrier(const BlindClass& blind, const NamedClass& named, const std::string& by)
      : blind_(blind), named_(named), by_(by) {
    for (const Decision& each : named.decisions) former_[SubjectOf(each)] = &each;
    for (const AuditEntry& each : named.trail) {
      Decision about{.kind = each.kind, .student = each.student};
      about.chapter = each.chapter;
      about.exercise = each.exercise;
      about.test = each.test;
      about.who = each.who;
      latest_[SubjectOf(about)] = each.action;
    }
  }

  Status FindStudents() {
    std::map<std::string, const Pseudonym*> owners;
    for (const Pseudonym& each : blind_.pseudonyms) owners[each.name] = &each;
    std::vector<KnownStudent> before, after;
    std::vector<const StudentGrades*> blind;
    for (const StudentGrades& each : blind_.grades.students) {
      const auto owner = owners.find(each.name);
      if (owner == owners.end()) continue;
      const StudentRow& row = owner->second->student;
      before.push_back({row.name, each.unmatched.empty() ? "" : row.handed_in_as, row.roster});
      blind.push_back(&each);
    }
    if (before.empty() && !blind_.grades.students.empty()) {
      return UsageError(say::key_of_others(blind_.folder), say::name_its_key());
    }
    for (const StudentGrades& each : named_.grades.students) {
      after.push_back({each.name, each.unmatched.empty() ? "" : each.handed_in_as, each.roster});
    }
    const auto found = FindAgain(before, after);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (found[i]) students_[StudentKey(*blind[i])] = {blind[i], &named_.grades.students[*found[i]]};
    }
    return Unit{};
  }

  TakenOver Carry() {
    // Marks are about items.
    for (const Decision& each : blind_.decisions) {
      if (each.kind == Decision::Kind::kItem) Add(each);
    }
    for (const Decision& each : blind_.decisions) {
      if (each.kind != Decision::Kind::kItem) Add(each);
    }
    return std::move(taken_);
  }

 private:
  /// One student, with a pseudonym and with a name.
  struct Student {
    const StudentGrades* blind = nullptr;
    const StudentGrades* named = nullptr;
  };

  void Add(const Decision& decided) {
    Decision made = decided;
    Student student;
    if (const std::string key = KeyOfStudent(decided); !key.empty()) {
      const auto found = students_.find(key);
      if (found == students_.end()) return LeaveOut(made, say::student_not_in(named_.folder));
      student = found->second;
      made.student = student.named->name;
      made.who = StudentKey(*student.named);
    }
    const Message fault = WhyNot(made, student);
    if (!fault.empty()) return LeaveOut(made, fault);
    const auto former = former_.find(SubjectOf(made));
    const bool is_there = former != former_.end();
    if (is_there && SayTheSame(*former->second, made)) {
      ++taken_.known;
      return;
    }
    const std::string& latest = latest_[SubjectOf(made)];
    if (!is_there && latest == "removed") return LeaveOut(made, say::taken_back_in(named_.folder));
    if (is_there && latest != kTakenOver) {
      const Decision& other = *former->second;
      return LeaveOut(
          made, say::decided_otherwise(named_.folder, Printable(other.author), Printable(InWords(other))));
    }
    DecisionChange change;
    change.action = kTakenOver;
    change.before = is_there ? InWords(*former->second) : "";
    if (made.kind == Decision::Kind::kPoints) {
      const GradeCell& cell = student.named->cells[*NumberOf(named_.grades, made)];
      change.before = cell.HasPoints() ? PointsInWords(cell.points) : "no points";
    }
    change.after = InWords(made);
    change.reason = ReasonOf(decided);
    change.decision = std::move(made);
    taken_.changes.push_back(std::move(change));
  }

  void LeaveOut(const Decision& decision, const Message& why) {
    if (decision.kind == Decision::Kind::kItem) other_items_.insert(SubjectOf(decision));
    taken_.left_out.push_back({decision, why});
  }

  Message WhyNot(const Decision& made, const Student& student) const {
    if (made.exercise.empty()) {
      return student.named == nullptr || IsAllTheSame(student) ? Message()
                                                               : Message(say::other_work_in(named_.folder));
    }
    const auto here = NumberOf(blind_.grades, made), there = NumberOf(named_.grades, made);
    if (!there) return say::exercise_not_in(named_.folder);
    if (!here) return say::exercise_not_in(blind_.folder);
    const ClassExercise& blind = blind_.grades.exercises[*here];
    const ClassExercise& named = named_.grades.exercises[*there];
    const bool is_of_points = made.kind == Decision::Kind::kPoints || made.kind == Decision::Kind::kItem;
    if (is_of_points && blind.max_points != named.max_points) {
      return say::worth_otherwise(CsvNumber(blind.max_points), blind_.folder, CsvNumber(named.max_points),
                                  named_.folder);
    }
    if (made.kind == Decision::Kind::kExclusion &&
        std::ranges::count(named.tests, made.test, &TestRate::name) == 0) {
      return say::test_not_in(named_.folder);
    }
    if (student.named == nullptr) return {};
    if (!IsTheSameWork(student.blind->cells[*here], student.named->cells[*there])) {
      return say::other_work_in(named_.folder);
    }
    const bool is_of_item = made.kind == Decision::Kind::kMark;
    const Subject item{Decision::Kind::kItem, "", made.chapter, made.exercise, made.test};
    return is_of_item && other_items_.contains(item) ? Message(say::item_not_taken_over()) : Message();
  }

  bool IsAllTheSame(const Student& student) const {
    if (blind_.grades.exercises.size() != named_.grades.exercises.size()) return false;
    for (std::size_t i = 0; i < named_.grades.exercises.size(); ++i) {
      const ClassExercise &a = blind_.grades.exercises[i], &b = named_.grades.exercises[i];
      if (a.chapter != b.chapter || a.id != b.id) return false;
      if (!IsTheSameWork(student.blind->cells[i], student.named->cells[i])) return false;
    }
    return true;
  }

  /// "taken over by grace from blind/week1 (student-7kq2-m9xd-41pa), where it was decided at 2026-…: too
  /// long"
  std::string ReasonOf(const Decision& decided) const {
    const std::string whose = decided.student.empty() ? "" : " (" + decided.student + ")";
    return "taken over by " + by_ + " from " + blind_.folder + whose + ", where it was decided at " +
           decided.when + ": " + (decided.answer.empty() ? decided.text : decided.answer);
  }

  const BlindClass& blind_;
  const NamedClass& named_;
  const std::string& by_;
  std::map<std::string, Student> students_;    ///< By the pseudonym's StudentKey().
  std::map<Subject, const Decision*> former_;  ///< Of the named class.
  std::map<Subject, std::string> latest_;      ///< The latest action in its trail.
  std::set<Subject> other_items_;              ///< Items of rubrics that are left out.
  TakenOver taken_;
};

}  // namespace

Result<TakenOver> TakeOver(const BlindClass& blind, const NamedClass& named, const std::string& by) {
  Carrier carrier(blind, named, by);
  if (const Status found = carrier.FindStudents(); !found) return found.error();
  return carrier.Carry();
}

}  // namespace warplings
