// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <iterator>
#include <map>

#include "grader/core/layout.h"
#include "tests/support/scratch_gradebook.h"

namespace warplings {
namespace {

class DecisionsTest : public gradebook_test::ScratchGradebook {
 protected:
  static DecisionChange Points(const std::string& student, double points) {
    DecisionChange change;
    change.decision.student = student;
    change.decision.chapter = "01_first";
    change.decision.exercise = "scale";
    change.decision.points = points;
    change.decision.text = change.reason = "shown to me";
    change.decision.author = "Grace";
    change.before = "0 points";
    change.after = "some";
    return change;
  }

  /// Runs SQL as a stranger with the sqlite3 shell would; the message of what went wrong.
  std::string Execute(const std::string& sql) {
    sqlite3* handle = nullptr;
    EXPECT_EQ(sqlite3_open(File().c_str(), &handle), SQLITE_OK);
    char* message = nullptr;
    sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message);
    std::string text = message == nullptr ? "" : message;
    sqlite3_free(message);
    sqlite3_close(handle);
    return text;
  }
};

TEST_F(DecisionsTest, AFileFromBeforeCommentsOnLinesTakesThem) {
  ASSERT_TRUE(gradebook_->Decide({{Points("Ada", 5)}}).ok());
  gradebook_.reset();
  ASSERT_EQ(Execute("ALTER TABLE decisions DROP COLUMN quote; ALTER TABLE audit DROP COLUMN who; "
                    "PRAGMA user_version = 3"),
            "");
  Open();
  DecisionChange line = Points("Ada", 0);
  line.decision.kind = Decision::Kind::kLine;
  line.decision.test = "12";
  line.decision.quote = "int i = 0;";
  ASSERT_TRUE(gradebook_->Decide({{line}}).ok());
  const auto decisions = gradebook_->ReadDecisions();
  ASSERT_EQ(decisions->size(), 2u);
  EXPECT_EQ((*decisions)[0].quote, "int i = 0;");
  EXPECT_EQ((*decisions)[1].points, 5);
  EXPECT_NE(VersionOf(&(*decisions)[0]), VersionOf(&(*decisions)[1]));
  EXPECT_EQ(VersionOf(nullptr), "");
}

TEST_F(DecisionsTest, AProgramThatKnowsNoReviewMarksRefusesTheFile) {
  // It would show the mark to the student as a comment.
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(File().c_str(), &handle), SQLITE_OK);
  sqlite3_stmt* version = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(handle, "PRAGMA user_version", -1, &version, nullptr), SQLITE_OK);
  ASSERT_EQ(sqlite3_step(version), SQLITE_ROW);
  EXPECT_GT(sqlite3_column_int(version, 0), 6) << "the last version without them";
  sqlite3_finalize(version);
  sqlite3_close(handle);
}

TEST_F(DecisionsTest, OneForEachPlaceAndALineOfTheTrailForEachChange) {
  ASSERT_TRUE(gradebook_->Decide({{Points("Ada", 5), Points("Bob", 3)}}).ok());
  ASSERT_TRUE(gradebook_->Decide({{Points("Ada", 7)}}).ok());
  Open();
  const auto decisions = gradebook_->ReadDecisions();
  ASSERT_TRUE(decisions.ok());
  ASSERT_EQ(decisions->size(), 2u);
  EXPECT_EQ((*decisions)[0].student, "Ada");
  EXPECT_EQ((*decisions)[0].points, 7);
  EXPECT_EQ((*decisions)[0].text, "shown to me");
  EXPECT_EQ((*decisions)[0].author, "Grace");
  EXPECT_EQ((*decisions)[0].when.size(), std::string("2026-10-01T12:00:00Z").size());

  DecisionChange gone = Points("Ada", 0);
  gone.removes = true;
  gone.action = "removed";
  ASSERT_TRUE(gradebook_->Decide({{gone}}).ok());
  EXPECT_EQ(gradebook_->ReadDecisions()->size(), 1u);
  const auto trail = gradebook_->ReadAuditTrail();
  ASSERT_TRUE(trail.ok());
  ASSERT_EQ(trail->size(), 4u);
  EXPECT_EQ((*trail)[0].action, "set");
  EXPECT_EQ((*trail)[0].before, "0 points");
  EXPECT_EQ((*trail)[3].action, "removed");
  EXPECT_EQ((*trail)[3].student, "Ada");
  EXPECT_LT((*trail)[0].number, (*trail)[3].number);
}

TEST_F(DecisionsTest, TheTrailCannotBeChangedOrShortened) {
  ASSERT_TRUE(gradebook_->Decide({{Points("Ada", 5)}}).ok());
  EXPECT_NE(Execute("UPDATE audit SET author = 'nobody'").find("only added to"), std::string::npos);
  EXPECT_NE(Execute("DELETE FROM audit").find("only added to"), std::string::npos);
  EXPECT_EQ(gradebook_->ReadAuditTrail()->at(0).author, "Grace");
}

TEST_F(DecisionsTest, TheyOutliveWhatTheClassHandsIn) {
  ASSERT_TRUE(gradebook_->Decide({{Points("Ada", 5)}}).ok());
  ASSERT_TRUE(gradebook_->ReplaceClass({}, {}).ok());
  EXPECT_EQ(gradebook_->ReadDecisions()->size(), 1u);
}

TEST_F(DecisionsTest, TheyFollowTheStudentAndNotTheName) {
  const auto student = [](const std::string& name, const std::string& id) {
    StudentRow row{name, "", {}};
    row.roster.id = id;
    return row;
  };
  const auto replace = [&](const std::vector<StudentRow>& students) {
    ASSERT_TRUE(gradebook_->ReplaceClass(students, {}).ok());
  };
  const auto decided = [&] {
    std::map<double, std::string> names;
    const auto decisions = gradebook_->ReadDecisions();
    for (const Decision& each : *decisions) {
      names[each.points] = each.student + " = " + each.who;
    }
    return names;
  };
  using Names = std::map<double, std::string>;
  replace({student("Max", ""), student("Max (2)", "103"), student("Max (3)", "104")});
  DecisionChange one = Points("Max (2)", 5), other = Points("Max", 1);
  one.decision.who = "id 103";
  ASSERT_TRUE(gradebook_->Decide({{one, other}}).ok());
  // The entry that was nobody's is 104's now, and "Max" is another.
  replace({student("Max", "103"), student("Max (2)", "104")});
  EXPECT_EQ(decided(), (Names{{1, "Max = name Max"}, {5, "Max = id 103"}}));
  // The second has a decision of the same name and exercise, beside the first's.
  DecisionChange second = Points("Max (2)", 2);
  second.decision.who = "id 104";
  ASSERT_TRUE(gradebook_->Decide({{second}}).ok());
  replace({student("Max", "104"), student("Max (2)", "103")});
  EXPECT_EQ(decided(), (Names{{1, "Max = name Max"}, {2, "Max = id 104"}, {5, "Max (2) = id 103"}}));
  // Who leaves keeps what was decided.
  replace({student("Max", "104")});
  replace({student("Max", "103")});
  EXPECT_EQ(decided().at(5), "Max = id 103");
  one.removes = true;
  ASSERT_TRUE(gradebook_->Decide({{one}}).ok());
  EXPECT_EQ(decided(), (Names{{1, "Max = name Max"}, {2, "Max = id 104"}}));
  EXPECT_EQ(gradebook_->ReadAuditTrail()->back().who, "id 103");
}

TEST_F(DecisionsTest, TheyFollowIntoARosterThatKnowsMore) {
  StudentRow ada{"Ada", "ada", {}};
  ASSERT_TRUE(gradebook_->ReplaceClass({{ada}}, {}).ok());
  ASSERT_TRUE(gradebook_->Decide({{Points("Ada", 5)}}).ok());
  ada.roster.login = "ada";
  ASSERT_TRUE(gradebook_->ReplaceClass({{ada}}, {}).ok());
  EXPECT_EQ(gradebook_->ReadDecisions()->at(0).who, "login ada");
  ada.roster.id = "7";
  ada.name = "Ada Lovelace";
  ASSERT_TRUE(gradebook_->ReplaceClass({{ada}}, {}).ok());
  EXPECT_EQ(gradebook_->ReadDecisions()->at(0).who, "id 7");
  EXPECT_EQ(gradebook_->ReadDecisions()->at(0).student, "Ada Lovelace");
}

TEST_F(DecisionsTest, WhatWasDecidedOfAnEntryIsTheStudentsOnceTheRosterHasHim) {
  StudentRow entry{"lovelaceada", "lovelaceada", {}};
  entry.unmatched = "is not in the roster";
  ASSERT_TRUE(gradebook_->ReplaceClass({{entry}}, {}).ok());
  ASSERT_TRUE(gradebook_->Decide({{Points("lovelaceada", 5)}}).ok());
  StudentRow ada{"Lovelace, Ada", "lovelaceada", {}};
  ada.roster.id = "7";
  ASSERT_TRUE(gradebook_->ReplaceClass({{ada}}, {}).ok());
  EXPECT_EQ(gradebook_->ReadDecisions()->at(0).who, "id 7");
  EXPECT_EQ(gradebook_->ReadDecisions()->at(0).student, "Lovelace, Ada");
  // Of an entry that is a group's nobody knows whom it was about.
  ASSERT_TRUE(gradebook_->ReplaceClass({{entry}}, {}).ok());
  ASSERT_TRUE(gradebook_->Decide({{Points("lovelaceada", 3)}}).ok());
  StudentRow grace{"Hopper, Grace", "lovelaceada", {}};
  grace.roster.id = "8";
  ASSERT_TRUE(gradebook_->ReplaceClass({{ada, grace}}, {}).ok());
  const auto decisions = gradebook_->ReadDecisions();
  EXPECT_EQ(std::ranges::count(*decisions, "name lovelaceada", &Decision::who), 1);
}

TEST_F(DecisionsTest, DecisionsByNameGetTheKeyOfWhoHasTheName) {
  StudentRow first{"Max", "", {}}, second{"Max (2)", "", {}}, none{"Eve", "", {}};
  first.roster.id = "103";
  second.roster.login = "max2";
  ASSERT_TRUE(gradebook_->ReplaceClass({{first, second, none}}, {}).ok());
  gradebook_.reset();
  ASSERT_EQ(Execute(R"(ALTER TABLE audit DROP COLUMN who; DROP TABLE decisions;
    CREATE TABLE decisions(
      kind TEXT NOT NULL, student TEXT NOT NULL, chapter TEXT NOT NULL, exercise TEXT NOT NULL,
      test TEXT NOT NULL, points REAL NOT NULL, text TEXT NOT NULL, answer TEXT NOT NULL,
      is_open INTEGER NOT NULL, author TEXT NOT NULL, decided_at TEXT NOT NULL, quote TEXT NOT NULL DEFAULT '',
      PRIMARY KEY(kind, student, chapter, exercise, test));
    INSERT INTO decisions SELECT 'points', column1, 'c', 'e', '', 5, 'r', '', 1, 'Grace', '2026', ''
      FROM (VALUES('Max'), ('Max (2)'), ('Eve'), (''));
    PRAGMA user_version = 6)"),
            "");
  Open();
  std::map<std::string, std::string> keys;
  const auto decisions = gradebook_->ReadDecisions();
  for (const Decision& each : *decisions) keys[each.student] = each.who;
  const std::map<std::string, std::string> wanted = {
      {"", ""}, {"Max", "id 103"}, {"Max (2)", "login max2"}, {"Eve", "name Eve"}};
  EXPECT_EQ(keys, wanted);
}

TEST_F(DecisionsTest, AGradebookOfTheFirstVersionIsUpgradedInPlace) {
  gradebook_.reset();
  std::filesystem::remove(File());
  std::ifstream stream(ThisLayout().root / "grader" / "gradebook" / "testdata" / "version_1.sql");
  const std::string first{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  ASSERT_FALSE(first.empty());
  ASSERT_EQ(Execute(first), "");
  for (int times = 0; times < 2; ++times) {
    Open();
    EXPECT_EQ(gradebook_->ReadStudents()->at(0).name, "Ada Lovelace");
    EXPECT_EQ((*gradebook_->ReadSettings())->seed, 7u);
    const auto submissions = gradebook_->ReadSubmissions();
    ASSERT_EQ(submissions->size(), 2u);
    const auto kept = gradebook_->ReadResult(submissions->at(1).result);
    ASSERT_TRUE(kept.ok() && *kept);
    EXPECT_EQ((*kept)->result.verdict, Verdict::kCompileError);
    EXPECT_EQ((*kept)->result.source, "void broken( {\n");
    ASSERT_TRUE(gradebook_->Decide({{Points("Ada Lovelace", 5)}}).ok());
  }
  EXPECT_EQ(gradebook_->ReadAuditTrail()->size(), 2u);
}

TEST_F(DecisionsTest, AFaultLeavesNothing) {
  gradebook_.reset();
  ASSERT_EQ(Execute("DROP TABLE audit"), "");
  Open();
  EXPECT_FALSE(gradebook_->Decide({{Points("Ada", 5)}}).ok());
  EXPECT_TRUE(gradebook_->ReadDecisions()->empty());
}

}  // namespace
}  // namespace warplings
