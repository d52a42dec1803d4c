// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/review_session.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/core/json.h"
#include "grader/core/layout.h"
#include "grader/gradebook/class_lock.h"
#include "tests/support/scratch_gradebook.h"

namespace warplings {
namespace {

using nlohmann::json;

constexpr const char* kExercise = "01_boundary_checks/tiled_matmul";

/// Ada and Bob handed in the same three lines, which are worth 4 of 10 points.
class ReviewSessionTest : public gradebook_test::ScratchGradebook {
 protected:
  void SetUp() override {
    ScratchGradebook::SetUp();
    const ResultKey key{
        "01_boundary_checks", "tiled_matmul", "hash", "suite", "grader", "virtual:a100", 7, 1};
    ExerciseResult result = Result(Verdict::kPassed, 4);
    result.chapter = key.chapter;
    result.exercise = key.exercise;
    result.max_points = 10;
    result.source = "int a;\nint b;\nint c;\n";
    ASSERT_TRUE(gradebook_->WriteSettings({"virtual:a100", 7, 1, false}).ok());
    ASSERT_TRUE(gradebook_->WriteScope({"", "", "", {"tiled_matmul"}}).ok());
    ASSERT_TRUE(gradebook_->WriteResult(key, result, "").ok());
    ClassRows rows;
    for (const char* name : {"Ada", "Bob"}) {
      rows.students.push_back({name, name, {}});
      rows.submissions.push_back(
          {name, key.chapter, key.exercise, SubmissionRow::State::kFound, "tiled_matmul.cu", "", key.Name()});
      rows.attempts.push_back({name, key.chapter, key.exercise, 1, "tiled_matmul.cu", {}, false, key.Name()});
    }
    ASSERT_TRUE(gradebook_->ReplaceClass(rows).ok());
  }

  ReviewSession Review() {
    auto session = ReviewSession::Open({folder_}, ThisLayout());
    EXPECT_TRUE(session.ok()) << session.error().message;
    return std::move(*session);
  }

  static json Ask(ReviewSession& session, const json& question) {
    return *FromJson<json>(session.Handle(DumpJson(question)));
  }

  static json Decide(ReviewSession& session, const char* action, json more) {
    json question = {{"do", "decide"},   {"action", action},      {"author", "Grace"},
                     {"student", "Ada"}, {"exercise", kExercise}, {"seen", ""}};
    question.update(more);
    return Ask(session, question);
  }

  static json CellOf(ReviewSession& session, int student) {
    static json known;
    const json told = Ask(session, {{"do", "class"}});
    if (told.contains("class")) known = told["class"];
    return known["students"][student]["cells"][0];
  }

  /// As when grading again: Ada hands in another file, or one that cannot be read, or the same as before.
  void HandIn(const std::string& hash, const std::string& source) {
    ResultKey key{"01_boundary_checks", "tiled_matmul", hash, "suite", "grader", "virtual:a100", 7, 1};
    ExerciseResult result = Result(Verdict::kPassed, 4);
    result.chapter = key.chapter;
    result.exercise = key.exercise;
    result.max_points = 10;
    result.source = source;
    ASSERT_TRUE(gradebook_->WriteResult(key, result, "").ok());
    ClassRows rows;
    rows.students.push_back({"Ada", "Ada", {}});
    rows.submissions.push_back(
        {"Ada", key.chapter, key.exercise, SubmissionRow::State::kFound, "t.cu", "", key.Name()});
    rows.attempts.push_back({"Ada", key.chapter, key.exercise, 1, "t.cu", {}, false, key.Name()});
    ASSERT_TRUE(gradebook_->ReplaceClass(rows).ok());
  }

  /// Ada's file is a link, say, or is not there at all.
  void HandInNothing(SubmissionRow::State state, const std::string& problem) {
    ClassRows rows;
    rows.students.push_back({"Ada", "Ada", {}});
    rows.submissions.push_back({"Ada", "01_boundary_checks", "tiled_matmul", state, "", problem, ""});
    ASSERT_TRUE(gradebook_->ReplaceClass(rows).ok());
  }

  std::size_t LinesOfTrail() const { return gradebook_->ReadAuditTrail()->size(); }
};

TEST_F(ReviewSessionTest, ACommentOnALineIsADecisionWithItsQuote) {
  ReviewSession session = Review();
  const json made = Decide(session, "comment", {{"line", "2"}, {"text", "Why two?"}});
  ASSERT_EQ(made["status"], 200) << made;
  const json comment = made["students"][0]["data"]["cells"][0]["comments"][0];
  EXPECT_EQ(comment["shown_at"], 2);
  EXPECT_EQ(comment["quote"], "int b;");
  const auto decisions = gradebook_->ReadDecisions();
  ASSERT_EQ(decisions->size(), 1u);
  EXPECT_EQ((*decisions)[0].kind, Decision::Kind::kLine);
  EXPECT_EQ((*decisions)[0].author, "Grace");
  EXPECT_EQ(LinesOfTrail(), 1u);
  EXPECT_EQ(session.decided(), 1u);
  for (const char* line : {"0", "4", "-1", "two", "2 "}) {
    EXPECT_EQ(Decide(session, "comment", {{"line", line}, {"text", "x"}})["status"], 400) << line;
  }
  // Taken back, and the trail keeps both.
  const std::string version = made["versions"].front();
  const json gone =
      Decide(session, "comment", {{"line", "2"}, {"text", "done"}, {"removes", true}, {"seen", version}});
  EXPECT_EQ(gone["status"], 200) << gone;
  EXPECT_EQ(gradebook_->ReadDecisions()->size(), 0u);
  EXPECT_EQ(LinesOfTrail(), 2u);
}

TEST_F(ReviewSessionTest, OfTwoOfOneNameThePageSaysWhoIsMeant) {
  ClassRows rows;
  for (const auto& [name, id] : {std::pair("Max", "103"), std::pair("Max (2)", "104")}) {
    rows.students.push_back({name, "", {}, {.id = id, .login = "", .email = "", .section = ""}});
    rows.submissions.push_back({.student = name,
                                .chapter = "01_boundary_checks",
                                .exercise = "tiled_matmul",
                                .state = SubmissionRow::State::kMissing,
                                .file = "",
                                .problem = "",
                                .result = ""});
  }
  ASSERT_TRUE(gradebook_->ReplaceClass(rows).ok());
  ReviewSession session = Review();
  const json students = Ask(session, {{"do", "class"}})["class"]["students"];
  EXPECT_EQ(students[0]["account"], "103");
  EXPECT_EQ(Decide(session, "comment", {{"student", "Max"}, {"text", "Who?"}})["status"], 400);
  EXPECT_EQ(Decide(session, "comment", {{"who", "id 105"}, {"text", "Who?"}})["status"], 400);
  for (const std::size_t number : {0, 1}) {
    const json made = Decide(session, "comment", {{"who", students[number]["key"]}, {"text", "You."}});
    ASSERT_EQ(made["status"], 200) << made;
    EXPECT_EQ(made["students"].size(), 1u);
    EXPECT_EQ(made["students"][0]["number"], number);
    EXPECT_TRUE(made["versions"].contains("comment|" + students[number]["key"].get<std::string>() + "|" +
                                          kExercise + "|"));
  }
  EXPECT_EQ(gradebook_->ReadDecisions()->at(1).who, "id 104");
}

TEST_F(ReviewSessionTest, NobodyReplacesWhatHeHasNotSeen) {
  ReviewSession grace = Review(), alan = Review();
  EXPECT_EQ(Decide(grace, "comment", {{"text", "Well done."}})["status"], 200);
  // Alan's page is older than Grace's comment.
  const json refused = Decide(alan, "comment", {{"text", "Poor."}, {"author", "Alan"}});
  EXPECT_EQ(refused["status"], 409) << refused;
  EXPECT_EQ(refused["theirs"]["text"], "Well done.");
  EXPECT_EQ(refused["theirs"]["gives"], json());
  EXPECT_EQ(refused["error"], "Grace has changed this since you loaded the page");
  EXPECT_EQ(gradebook_->ReadDecisions()->front().text, "Well done.");
  // Having seen it, he may.
  const json replaced =
      Decide(alan, "comment", {{"text", "Fair."}, {"author", "Alan"}, {"seen", refused["version"]}});
  EXPECT_EQ(replaced["status"], 200) << replaced;
  // And Grace's page learns of it.
  EXPECT_TRUE(Ask(grace, {{"do", "class"}}).contains("class"));
  EXPECT_EQ(Ask(grace, {{"do", "class"}}), json::object());
}

TEST_F(ReviewSessionTest, PointsBeyondTheMostAreRefusedAndADecimalCommaIsUnderstood) {
  ReviewSession session = Review();
  const json refused = Decide(session, "points", {{"points", "99"}, {"text", "A slip."}});
  EXPECT_EQ(refused["status"], 400) << refused;
  EXPECT_EQ(refused["next"], "Give at most 10. For extra points tick \"Extra points\".");
  EXPECT_EQ(Decide(session, "points", {{"points", "3,500"}, {"text", "x"}})["status"], 400);
  EXPECT_EQ(gradebook_->ReadDecisions()->size(), 0u);
  const json made = Decide(session, "points", {{"points", "3,5"}, {"text", "By hand."}});
  ASSERT_EQ(made["status"], 200) << made;
  EXPECT_EQ(gradebook_->ReadDecisions()->front().points, 3.5);
  const json extra =
      Decide(session, "points",
             {{"points", "12"}, {"text", "Bonus."}, {"beyond", "yes"}, {"seen", made["versions"].front()}});
  EXPECT_EQ(extra["status"], 200) << extra;
  EXPECT_EQ(gradebook_->ReadDecisions()->front().points, 12);
}

TEST_F(ReviewSessionTest, ARubricsItemsAddUp) {
  ReviewSession session = Review();
  const json item = Decide(session, "item", {{"points", "-1.5"}, {"text", "No comment"}});
  ASSERT_EQ(item["status"], 200) << item;
  EXPECT_EQ(item["rubric"][0], (json{{"id", "1"}, {"title", "No comment"}, {"points", -1.5}}));
  ASSERT_EQ(Decide(session, "item", {{"points", "+3"}, {"text", "Fast"}})["status"], 200);
  EXPECT_EQ(Decide(session, "item", {{"points", "many"}, {"text", "x"}})["status"], 400);
  // A slip for 1.2; nobody could ever get so many by it.
  const json slip = Decide(session, "item", {{"points", "+12"}, {"text", "Idea"}});
  EXPECT_EQ(slip["status"], 400) << slip;
  EXPECT_TRUE(slip["next"].get<std::string>().starts_with("Give at most 10:")) << slip;
  const json other = Decide(session, "item", {{"points", "-12"}, {"text", "Idea"}});
  EXPECT_EQ(other["status"], 400) << other;
  EXPECT_TRUE(other["next"].get<std::string>().starts_with("Let it take at most 10:")) << other;
  ASSERT_EQ(Decide(session, "mark", {{"test", "1"}})["status"], 200);
  const json marked = Decide(session, "mark", {{"test", "2"}});
  const json cell = marked["students"][0]["data"]["cells"][0];
  EXPECT_EQ(cell["points"], 5.5);
  EXPECT_EQ(cell["automatic"], 4);
  EXPECT_EQ(cell["changes"][0]["reason"], "No comment (-1.5); Fast (+3)");
  EXPECT_EQ(CellOf(session, 1)["points"], 4) << "Bob has no mark";
  EXPECT_EQ(Decide(session, "mark", {{"test", "9"}})["status"], 400);
  // Another number of points is everybody's who has the mark; nobody gets more than there is, or less than
  // nothing.
  const auto seen = [&] { return Ask(session, {{"do", "class"}}); };
  const std::string version = item["versions"].front();
  const json changed =
      Decide(session, "item", {{"test", "1"}, {"points", "-10"}, {"text", "None"}, {"seen", version}});
  ASSERT_EQ(changed["status"], 200) << changed;
  EXPECT_EQ(changed["students"].size(), 2u);
  EXPECT_EQ(changed["students"][0]["data"]["cells"][0]["points"], 0);
  // Points by hand have the last word.
  ASSERT_EQ(Decide(session, "points", {{"points", "7"}, {"text", "oral"}})["status"], 200);
  EXPECT_EQ(gradebook_->ReadDecisions()->size(), 5u);
  // An item takes its marks with it.
  const std::string later = changed["versions"].front();
  const json gone =
      Decide(session, "item", {{"test", "1"}, {"text", "not fair"}, {"removes", true}, {"seen", later}});
  ASSERT_EQ(gone["status"], 200) << gone;
  EXPECT_EQ(gone["students"][0]["data"]["cells"][0]["rubric"],
            json::array({{{"id", "2"}, {"title", "Fast"}, {"points", 3}}}));
  EXPECT_EQ(gone["students"][0]["data"]["points"], 7);
  EXPECT_EQ(LinesOfTrail(), 8u);
  seen();
}

TEST_F(ReviewSessionTest, AMarkSaysWhoReviewedAndIsTakenBack) {
  ReviewSession session = Review();
  EXPECT_EQ(CellOf(session, 0)["reviewed"], json());
  const json made = Decide(session, "reviewed", {{"of", "hash"}, {"test", "Scale.One"}});
  ASSERT_EQ(made["status"], 200) << made;
  const json reviewed = made["students"][0]["data"]["cells"][0]["reviewed"];
  EXPECT_EQ(reviewed["author"], "Grace");
  EXPECT_EQ(reviewed["when"].get<std::string>().size(), std::string("2026-10-01T12:00:00Z").size());
  EXPECT_EQ(reviewed["outdated"], false);
  EXPECT_EQ(CellOf(session, 1)["reviewed"], json()) << "Bob's equal file has not been looked at";
  EXPECT_EQ(made["students"][0]["data"]["points"], 4);
  EXPECT_FALSE(session.has_unwritten()) << "no page of the class is older for it";
  // Twice, by somebody whose page is older: he is told who was first.
  const json again = Decide(session, "reviewed", {{"of", "hash"}, {"author", "Alan"}});
  EXPECT_EQ(again["status"], 409) << again;
  EXPECT_EQ(again["theirs"], json());
  EXPECT_EQ(again["error"], "Grace has changed this since you loaded the page");
  const json gone =
      Decide(session, "reviewed",
             {{"removes", true}, {"text", "removed"}, {"author", "Alan"}, {"seen", again["version"]}});
  ASSERT_EQ(gone["status"], 200) << gone;
  EXPECT_EQ(gone["students"][0]["data"]["cells"][0]["reviewed"], json());
  EXPECT_TRUE(gradebook_->ReadDecisions()->empty());
  const auto trail = gradebook_->ReadAuditTrail();
  ASSERT_EQ(trail->size(), 2u);
  EXPECT_EQ((*trail)[0].author, "Grace");
  EXPECT_EQ((*trail)[0].after, "reviewed");
  EXPECT_EQ((*trail)[0].kind, Decision::Kind::kReviewed);
  EXPECT_EQ((*trail)[0].test, "");
  EXPECT_EQ((*trail)[1].author, "Alan");
  EXPECT_EQ((*trail)[1].action, "removed");
  EXPECT_EQ((*trail)[1].before, "reviewed");
}

TEST_F(ReviewSessionTest, AMarkDoesNotStandForAnotherSubmission) {
  using State = SubmissionRow::State;
  ReviewSession session = Review();
  const json made = Decide(session, "reviewed", {{"of", "hash"}});
  ASSERT_EQ(made["status"], 200) << made;
  const auto is_outdated = [&] { return CellOf(session, 0)["reviewed"]["outdated"]; };
  HandIn("newer", "int d;\n");
  EXPECT_EQ(is_outdated(), true);
  HandIn("hash", "int a;\nint b;\nint c;\n");
  EXPECT_EQ(is_outdated(), false) << "that was looked at";
  HandInNothing(State::kMissing, "");
  EXPECT_EQ(is_outdated(), true);
  HandInNothing(State::kUnusable, "is a link");
  EXPECT_EQ(is_outdated(), true);
  // Looked at again, it holds for what is there now, and only for that.
  const json now = CellOf(session, 0);
  const std::string version = made["versions"].front();
  const json again = Decide(session, "reviewed", {{"of", now["hash"]}, {"seen", version}});
  ASSERT_EQ(again["status"], 200) << again;
  EXPECT_EQ(again["students"][0]["data"]["cells"][0]["reviewed"]["outdated"], false);
  HandInNothing(State::kUnusable, "is a folder");
  EXPECT_EQ(is_outdated(), true);
  EXPECT_EQ(gradebook_->ReadDecisions()->size(), 1u);
  EXPECT_EQ(LinesOfTrail(), 2u);
}

TEST_F(ReviewSessionTest, NobodyMarksWhatHeHasNotSeen) {
  ReviewSession session = Review();
  HandIn("newer", "int d;\n");
  // His page shows the file from before.
  const json refused = Decide(session, "reviewed", {{"of", "hash"}});
  EXPECT_EQ(refused["status"], 400) << refused;
  EXPECT_EQ(refused["error"], "Something else is graded here since you loaded the page");
  EXPECT_EQ(Decide(session, "reviewed", json::object())["status"], 400);
  EXPECT_EQ(LinesOfTrail(), 0u);
  EXPECT_EQ(Decide(session, "reviewed", {{"of", "newer"}})["status"], 200);
}

TEST_F(ReviewSessionTest, ARequestIsAnsweredOnce) {
  DecisionChange asked;
  asked.decision = {.kind = Decision::Kind::kRegrade,
                    .student = "Bob",
                    .chapter = "01_boundary_checks",
                    .exercise = "tiled_matmul",
                    .text = "Line 2 is right.",
                    .author = "Bob"};
  ASSERT_TRUE(gradebook_->Decide({{asked}}).ok());
  ReviewSession session = Review();
  const json told = Ask(session, {{"do", "class"}});
  const std::string seen = told["versions"]["regrade|name Bob|01_boundary_checks/tiled_matmul|"];
  EXPECT_EQ(Decide(session, "answer", {{"student", "Bob"}, {"text", "It is."}, {"seen", "older"}})["status"],
            409);
  EXPECT_EQ(Decide(session, "answer", {{"student", "Bob"}, {"text", "It is."}, {"seen", seen}})["status"],
            200);
  EXPECT_EQ(Decide(session, "answer", {{"student", "Bob"}, {"text", "No."}, {"seen", seen}})["status"], 400);
}

TEST_F(ReviewSessionTest, WhatIsNoDecisionChangesNothing) {
  ReviewSession session = Review();
  for (const char* question : {"", "[]", "7", "{}", "{\"do\":\"erase\"}", "{\"do\":\"decide\"}", "{\"do\":7}",
                               "{\"do\":\"decide\",\"action\":[],\"student\":{}}"}) {
    EXPECT_EQ((*FromJson<json>(session.Handle(question)))["status"], 400) << question;
  }
  EXPECT_EQ(Decide(session, "points", {{"points", "11"}, {"text", "too many"}})["status"], 400);
  EXPECT_EQ(Decide(session, "comment", {{"student", "Eve"}, {"text", "x"}})["status"], 400);
  EXPECT_EQ(Decide(session, "comment", {{"exercise", "bank_of"}, {"text", "x"}})["status"], 400);
  EXPECT_EQ(Decide(session, "comment", {{"text", std::string(20'001, 'x')}})["status"], 400);
  EXPECT_EQ(Decide(session, "comment", {{"text", ""}})["status"], 400);
  EXPECT_EQ(LinesOfTrail(), 0u);
  // While somebody grades, it is said who; and what is written then is not lost in the page.
  const auto lock = ClassLock::Take(folder_);
  EXPECT_EQ(Decide(session, "comment", {{"text", "x"}})["status"], 503);
}

TEST_F(ReviewSessionTest, ACommentFollowsItsLineIntoANewVersion) {
  ReviewSession session = Review();
  ASSERT_EQ(Decide(session, "comment", {{"line", "3"}, {"text", "Why?"}})["status"], 200);
  for (const auto& [source, line] :
       {std::pair("// New.\nint a;\nint b;\nint c;\n", 4), std::pair("int d;\n", 0)}) {
    HandIn(source, source);
    const json comment = CellOf(session, 0)["comments"][0];
    EXPECT_EQ(comment["shown_at"], line);
    EXPECT_EQ(comment["line"], "3");
  }
}

TEST_F(ReviewSessionTest, ACommentOnALineThatIsThereTwiceFollowsItsOwn) {
  ReviewSession session = Review();
  HandIn("first", "f() {\n  wait();\n  g();\n  wait();\n}\n");
  ASSERT_EQ(Decide(session, "comment", {{"line", "2"}, {"text", "One"}})["status"], 200);
  ASSERT_EQ(Decide(session, "comment", {{"line", "4"}, {"text", "Two"}})["status"], 200);
  const auto shown = [&](const std::string& text) {
    const json comments = CellOf(session, 0)["comments"];
    for (const json& each : comments) {
      if (each["text"] == text) return each["shown_at"].get<int>();
    }
    return -1;
  };
  const struct {
    std::string source;
    int one, two;
  } versions[] = {{"// New.\nf() {\n  wait();\n  g();\n  wait();\n}\n", 3, 5},
                  {"f() {\r\n\r\n  wait();\r\n  g();  \r\n  h();\r\n  wait();\r\n}\r\n", 3, 6},
                  {"f() {\n  g();\n  wait();\n}\n", 0, 3},
                  {"f() {\n  wait();\n  g();\n}\n", 2, 0},
                  {"f() {\n  wait();\n  wait();\n  wait();\n  g();\n  wait();\n}\n", 2, 6}};
  for (const auto& [source, one, two] : versions) {
    HandIn(source, source);
    EXPECT_EQ(shown("One"), one) << source;
    EXPECT_EQ(shown("Two"), two) << source;
  }
}

TEST_F(ReviewSessionTest, ACommentThatIsWrittenAnewIsOfTheLineInThatVersion) {
  ReviewSession session = Review();
  const std::string text = "f() {\n  wait();\n  g();\n  wait();\n}\n";
  HandIn("first", text);
  const json made = Decide(session, "comment", {{"line", "2"}, {"text", "Why?"}});
  ASSERT_EQ(made["status"], 200) << made;
  HandIn("second", "// New.\n" + text);
  const json changed = Decide(session, "comment",
                              {{"line", "3"}, {"text", "Why, really?"}, {"seen", made["versions"].front()}});
  ASSERT_EQ(changed["status"], 200) << changed;
  HandIn("third", "// New.\n// Newer.\n" + text);
  ASSERT_EQ(CellOf(session, 0)["comments"].size(), 1u);
  EXPECT_EQ(CellOf(session, 0)["comments"][0]["shown_at"], 4);
}

/// Whoever writes to a line means the line that is shown.
TEST_F(ReviewSessionTest, AMovedCommentIsFoundAtTheLineWhereItIsShown) {
  ReviewSession session = Review();
  const auto comments = [](const json& answer) {
    return answer["students"][0]["data"]["cells"][0]["comments"];
  };
  const json made = Decide(session, "comment", {{"line", "3"}, {"text", "Why?"}});
  ASSERT_EQ(made["status"], 200) << made;
  HandIn("moved", "// New.\nint a;\nint b;\nint c;\n");
  const json changed = Decide(session, "comment",
                              {{"line", "4"}, {"text", "Why, really?"}, {"seen", made["versions"].front()}});
  ASSERT_EQ(changed["status"], 200) << changed;
  ASSERT_EQ(comments(changed).size(), 1u);
  // A new one at the former line does not replace it.
  const json added = Decide(session, "comment", {{"line", "3"}, {"text", "And b?"}});
  ASSERT_EQ(added["status"], 200) << added;
  ASSERT_EQ(comments(added).size(), 2u);
  for (const json& each : comments(added)) EXPECT_EQ(each["shown_at"], each["text"] == "And b?" ? 3 : 4);
  const json removed =
      Decide(session, "comment",
             {{"line", "4"}, {"text", "x"}, {"removes", true}, {"seen", changed["versions"].front()}});
  ASSERT_EQ(removed["status"], 200) << removed;
  ASSERT_EQ(comments(removed).size(), 1u);
  EXPECT_EQ(comments(removed)[0]["text"], "And b?");
}

}  // namespace
}  // namespace warplings
