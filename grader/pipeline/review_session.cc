// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/review_session.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "grader/base/catalogue.h"
#include "grader/base/csv.h"
#include "grader/base/language.h"
#include "grader/base/text.h"
#include "grader/core/json.h"
#include "grader/core/student_identity.h"
#include "grader/gradebook/apply_decisions.h"
#include "grader/gradebook/class_lock.h"
#include "grader/gradebook/gather_grades.h"
#include "grader/messages/class.h"
#include "grader/report/class_report.h"

namespace warplings {
namespace {

using nlohmann::json;
using Action = DecisionRequest::Action;

/// Long enough for any comment; a spreadsheet's cell holds as much, too.
constexpr std::size_t kMostText = 20'000;
constexpr std::size_t kMostName = 200;

enum HttpStatus : int { kDecided = 200, kWrong = 400, kConflict = 409, kBusy = 503 };

json Refuse(const Error& error, int status) {
  return {{"status", status}, {"error", Words(error.message)}, {"next", Words(error.next_step)}};
}

std::string KeyOf(const Decision& decision) {
  return std::string(DecisionKindName(decision.kind)) + "|" + KeyOfStudent(decision) + "|" +
         decision.chapter + "/" + decision.exercise + "|" + decision.test;
}

std::optional<Action> ActionNamed(const std::string& name) {
  if (name == "points") return Action::kPoints;
  if (name == "comment") return Action::kComment;
  if (name == "answer") return Action::kAnswer;
  if (name == "item") return Action::kItem;
  if (name == "mark") return Action::kMark;
  if (name == "reviewed") return Action::kReview;
  return std::nullopt;
}

std::string TextOf(const json& asked, const char* name) {
  const auto found = asked.find(name);
  return found != asked.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<DecisionRequest> AskedRequest(const json& asked) {
  const auto text = [&](const char* name) { return TextOf(asked, name); };
  const auto action = ActionNamed(text("action"));
  if (!action) return std::nullopt;
  DecisionRequest request;
  request.action = *action;
  request.student = text("student");
  request.who = text("who");
  request.exercise = text("exercise");
  request.test = text("test");
  request.line = text("line");
  request.points = text("points");
  request.text = text("text");
  request.author = text("author");
  const auto removes = asked.find("removes");
  request.removes = removes != asked.end() && removes->is_boolean() && removes->get<bool>();
  request.beyond = text("beyond") == "yes";
  request.is_of_page = true;
  const bool is_named = !request.exercise.empty() &&
                        (*action == Action::kItem || !request.student.empty() || !request.who.empty());
  return is_named ? std::optional(std::move(request)) : std::nullopt;
}

Status CheckLengths(const DecisionRequest& request) {
  if (request.text.size() > kMostText) {
    return UsageError(say::longer_than_budget(say::Count(kMostText, "byte")), say::write_shorter());
  }
  for (const std::string* each : {&request.student, &request.who, &request.exercise, &request.test,
                                  &request.line, &request.points, &request.author}) {
    if (each->size() > kMostName) return UsageError(say::longer_than_budget(say::Count(kMostName, "byte")));
  }
  return Unit{};
}

}  // namespace

ReviewSession::ReviewSession(GradeOutputs outputs, Layout layout, Workbook workbook, Gradebook gradebook)
    : outputs_(std::move(outputs)),
      layout_(std::move(layout)),
      workbook_(std::move(workbook)),
      gradebook_(std::move(gradebook)) {}

Result<ReviewSession> ReviewSession::Open(const GradeOutputs& outputs, const Layout& layout) {
  // Whoever grades just now may be changing the file's tables.
  const auto lock = ClassLock::Take(outputs.folder);
  if (!lock) return lock.error();
  auto workbook = LoadWorkbook(layout.root, ChosenLanguage());
  if (!workbook) return workbook.error();
  auto gradebook = Gradebook::Open(outputs.Gradebook());
  if (!gradebook) return gradebook.error();
  ReviewSession session(outputs, layout, std::move(*workbook), std::move(*gradebook));
  if (const Status read = session.Follow(); !read) return read.error();
  return session;
}

Status ReviewSession::Follow() {
  const auto changes = gradebook_.ChangesOfOthers();
  if (!changes) return changes.error();
  if (*changes == changes_of_others_) return Unit{};
  if (const Status read = ReadClass(); !read) return read;
  changes_of_others_ = *changes;
  is_told_ = false;
  return Unit{};
}

Status ReviewSession::ReadClass() {
  auto grades = GatherUndecided(gradebook_, workbook_);
  if (!grades) return grades.error();
  grades_ = std::move(*grades);
  undecided_ = grades_.students;
  return ReadDecisions();
}

Status ReviewSession::ReadDecisions() {
  auto decisions = gradebook_.ReadDecisions();
  if (!decisions) return decisions.error();
  decisions_ = std::move(*decisions);
  grades_.students = undecided_;
  ApplyDecisions(decisions_, grades_);
  return Unit{};
}

std::string ReviewSession::Handle(std::string_view request) {
  const auto asked = FromJson<json>(request);
  const auto what = asked && asked->is_object() ? asked->value("do", json()) : json();
  json answer;
  if (what == "class") {
    const Status followed = Follow();
    answer = followed ? ClassData() : Refuse(followed.error(), kBusy);
  } else if (what == "decide") {
    answer = Decide(*asked);
  } else {
    answer = Refuse(UsageError(say::review_not_understood()), kWrong);
  }
  return DumpJson(answer);
}

json ReviewSession::ClassData() {
  if (is_told_) return json::object();
  is_told_ = true;
  json versions = json::object();
  for (const Decision& each : decisions_) versions[KeyOf(each)] = VersionOf(&each);
  return {{"class", *FromJson<json>(ClassReportData(grades_))}, {"versions", std::move(versions)}};
}

json ReviewSession::Decide(const json& asked) {
  auto request = AskedRequest(asked);
  if (!request) return Refuse(UsageError(say::review_not_understood()), kWrong);
  if (const Status fits = CheckLengths(*request); !fits) return Refuse(fits.error(), kWrong);
  const auto lock = ClassLock::Take(outputs_.folder);
  if (!lock) return Refuse(lock.error(), kBusy);
  if (const Status followed = Follow(); !followed) return Refuse(followed.error(), kBusy);
  if (request->action == Action::kItem && request->test.empty()) {
    request->test = FreeItem(*request);
  } else if (request->action == Action::kItem && !HasItem(*request)) {
    return Refuse(UsageError(say::no_such_item(request->exercise), say::look_at_the_page_again()), kWrong);
  }
  if (request->action == Action::kMark && request->text.empty()) request->text = "rubric";
  if (request->action == Action::kReview && request->text.empty()) request->text = "in the review";
  return Store(*request, asked);
}

json ReviewSession::Store(const DecisionRequest& request, const json& asked) {
  const auto changes = ChangesOf(request);
  if (!changes) return Refuse(changes.error(), kWrong);
  const Decision& made = changes->front().decision;
  if (made.kind == Decision::Kind::kReviewed && !request.removes && made.quote != TextOf(asked, "of")) {
    return Refuse(UsageError(say::handed_in_meanwhile(), say::look_at_the_page_again()), kWrong);
  }
  const std::string seen = TextOf(asked, "seen");
  const Decision* former = Former(made);
  if (VersionOf(former) != seen) return Conflict(former);
  if (const Status decided = gradebook_.Decide(*changes); !decided) return Refuse(decided.error(), kBusy);
  ++decided_;
  // No file and no page of the class says what has been looked at.
  if (request.action != Action::kReview) has_unwritten_ = true;
  if (const Status read = ReadDecisions(); !read) return Refuse(read.error(), kBusy);
  return Decided(*changes);
}

/// An item that goes takes its marks with it, each with an entry of its own in the trail.
Result<std::vector<DecisionChange>> ReviewSession::ChangesOf(const DecisionRequest& request) const {
  const DecisionMaker maker(workbook_, grades_, decisions_);
  auto change = maker.Make(request);
  if (!change) return change.error();
  std::vector<DecisionChange> changes = {*std::move(change)};
  if (request.action != Action::kItem || !request.removes) return changes;
  for (const Decision& each : decisions_) {
    const Decision& item = changes.front().decision;
    if (each.kind != Decision::Kind::kMark || each.chapter != item.chapter ||
        each.exercise != item.exercise || each.test != item.test) {
      continue;
    }
    DecisionChange gone{each, "removed", "holds", "", request.text, true};
    gone.decision.author = request.author;
    changes.push_back(std::move(gone));
  }
  return changes;
}

const Decision* ReviewSession::Former(const Decision& decision) const {
  const auto former = std::ranges::find(decisions_, KeyOf(decision), KeyOf);
  return former == decisions_.end() ? nullptr : &*former;
}

json ReviewSession::Conflict(const Decision* theirs) const {
  const Message what = theirs == nullptr ? Message(say::taken_back_meanwhile())
                                         : Message(say::decided_meanwhile(Printable(theirs->author)));
  const Message next =
      theirs == nullptr ? Message(say::save_again_to_keep()) : Message(say::save_again_to_replace());
  json answer = Refuse(UsageError(what, next), kConflict);
  answer["version"] = VersionOf(theirs);
  // A mark that it was looked at has no words of its own.
  const bool has_words = theirs != nullptr && theirs->kind != Decision::Kind::kReviewed;
  const bool gives_points =
      has_words && (theirs->kind == Decision::Kind::kPoints || theirs->kind == Decision::Kind::kItem);
  answer["theirs"] = !has_words
                         ? json()
                         : json{{"text", Printable(theirs->answer.empty() ? theirs->text : theirs->answer)},
                                {"points", theirs->points},
                                {"gives", gives_points ? json(CsvNumber(theirs->points)) : json()},
                                {"author", Printable(theirs->author)},
                                {"when", theirs->when}};
  return answer;
}

json ReviewSession::Decided(const std::vector<DecisionChange>& changes) const {
  json versions = json::object(), students = json::array(), rubric = json::array();
  for (const DecisionChange& each : changes)
    versions[KeyOf(each.decision)] = VersionOf(Former(each.decision));
  const Decision& made = changes.front().decision;
  // An item's points are the points of all who have its mark.
  for (std::size_t i = 0; i < grades_.students.size(); ++i) {
    const StudentGrades& student = grades_.students[i];
    if (made.who.empty() || StudentKey(student) == made.who) {
      students.push_back({{"number", i}, {"data", ClassStudentData(grades_, student)}});
    }
  }
  const auto exercise = std::ranges::find_if(grades_.exercises, [&](const ClassExercise& each) {
    return each.chapter == made.chapter && each.id == made.exercise;
  });
  for (const RubricItem& each : exercise->rubric) {
    rubric.push_back({{"id", each.id}, {"title", Printable(each.title)}, {"points", each.points}});
  }
  return {{"status", kDecided},
          {"versions", std::move(versions)},
          {"students", std::move(students)},
          {"exercise", exercise - grades_.exercises.begin()},
          {"rubric", std::move(rubric)}};
}

std::vector<RubricItem> ReviewSession::RubricOf(const std::string& exercise) const {
  for (const ClassExercise& each : grades_.exercises) {
    const std::string name = each.chapter + "/" + each.id;
    if (name == exercise) return each.rubric;
  }
  return {};
}

bool ReviewSession::HasItem(const DecisionRequest& request) const {
  return std::ranges::count(RubricOf(request.exercise), request.test, &RubricItem::id) > 0;
}

/// The id of a new item: the number after the largest.
std::string ReviewSession::FreeItem(const DecisionRequest& request) const {
  std::size_t largest = 0;
  for (const RubricItem& item : RubricOf(request.exercise)) {
    largest = std::max(largest, static_cast<std::size_t>(std::stoul(item.id)));
  }
  return std::to_string(largest + 1);
}

Status ReviewSession::WriteOutputs() {
  const auto lock = ClassLock::Take(outputs_.folder);
  if (!lock) return lock.error();
  if (const Status followed = Follow(); !followed) return followed;
  const Status written = WriteGradeOutputs(grades_, outputs_, layout_);
  if (written) has_unwritten_ = false;
  return written;
}

}  // namespace warplings
