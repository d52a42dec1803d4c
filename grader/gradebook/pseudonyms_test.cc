// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/pseudonyms.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

namespace warplings {
namespace {

namespace fs = std::filesystem;

class PseudonymsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-pseudonyms-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path File() const { return folder_ / "key" / "pseudonyms.json"; }
  std::string Text() const {
    std::ifstream stream(File(), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static mode_t ModeOf(const fs::path& file) {
    struct stat found {};
    return ::stat(file.c_str(), &found) == 0 ? found.st_mode & 0777 : 0;
  }

  fs::path folder_;
};

ClassRows TwoStudents() {
  ClassRows rows;
  rows.students = {{"Ada Lovelace", "ada_77.zip", {"ada's notes.txt is ignored"}}, {"Zoe", "Zoe", {}}};
  rows.students[0].roster = {"17", "ada", "ada@uni.example", "A", "4711"};
  for (const char* student : {"Ada Lovelace", "Zoe"}) {
    rows.submissions.push_back(
        {student, "01_first", "scale", SubmissionRow::State::kFound, "ada/scale.cu", "", "key"});
    rows.submissions.push_back({student, "01_first", "tile", SubmissionRow::State::kUnusable, "Zoe_tile.cu",
                                "Zoe_tile.cu is a link", ""});
    rows.attempts.push_back({student, "01_first", "scale", 1, "ada_LATE_scale.cu", 1791504000, true, "key"});
  }
  rows.unplaced = {{"ada.txt", "is not ada's", "Ask Ada."}};
  return rows;
}

TEST_F(PseudonymsTest, AStudentHasTheSameOneEachTimeAndAnotherWithAnotherKey) {
  const auto first = Pseudonyms::Open(File()), again = Pseudonyms::Open(File());
  const auto other = Pseudonyms::Open(folder_ / "other.json");
  ASSERT_TRUE(first.ok() && again.ok() && other.ok());
  EXPECT_EQ(first->Of("id 17"), again->Of("id 17"));
  EXPECT_NE(first->Of("id 17"), first->Of("id 18"));
  EXPECT_NE(first->Of("id 17"), other->Of("id 17"));
  EXPECT_EQ(first->Of("id 17").size(), std::string("student-7kq2-m9xd-41pa").size());
  ClassRows one = TwoStudents(), two = TwoStudents();
  two.students[0].name = "Countess of Lovelace";  // The roster's id is the same.
  for (auto& row : two.submissions)
    if (row.student == "Ada Lovelace") row.student = two.students[0].name;
  EXPECT_EQ(first->Anonymise(one)[0].name, again->Anonymise(two)[0].name);
}

TEST_F(PseudonymsTest, TheTableSaysWhoIsWho) {
  const auto none = Pseudonyms::ReadTable(File());
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().blame, Blame::kUsage);
  EXPECT_FALSE(fs::exists(File())) << "only looked for";
  const auto pseudonyms = Pseudonyms::Open(File());
  ASSERT_TRUE(pseudonyms.ok());
  EXPECT_EQ(Pseudonyms::ReadTable(File())->size(), 0u);
  ClassRows rows = TwoStudents();
  const std::vector<Pseudonym> known = pseudonyms->Anonymise(rows);
  ASSERT_TRUE(pseudonyms->Note(known).ok());
  const auto table = Pseudonyms::ReadTable(File());
  ASSERT_TRUE(table.ok());
  ASSERT_EQ(table->size(), 2u);
  const auto ada = std::ranges::find(*table, known[0].name, &Pseudonym::name);
  ASSERT_NE(ada, table->end());
  EXPECT_EQ(ada->student.name, "Ada Lovelace");
  EXPECT_EQ(ada->student.roster.login, "ada");
  EXPECT_EQ(ada->student.handed_in_as, "ada_77.zip");
}

TEST_F(PseudonymsTest, WhoHandedInNothingIsSaidToHave) {
  const auto pseudonyms = Pseudonyms::Open(File());
  ASSERT_TRUE(pseudonyms.ok());
  ClassRows rows;
  rows.students = {{"Ada", "", {"nothing was handed in"}}, {"Zoe", "Zoe", {"Zoe's notes.txt"}}};
  std::vector<std::string> remarks;
  pseudonyms->Anonymise(rows);
  for (const StudentRow& each : rows.students) remarks.push_back(each.remarks.at(0).substr(0, 7));
  std::ranges::sort(remarks);
  EXPECT_EQ(remarks, (std::vector<std::string>{"nothing", "remarks"}));
}

TEST_F(PseudonymsTest, NothingInTheRowsSaysWhose) {
  const auto pseudonyms = Pseudonyms::Open(File());
  ASSERT_TRUE(pseudonyms.ok());
  ClassRows rows = TwoStudents();
  const auto all = pseudonyms->Anonymise(rows);
  std::string text;
  const auto add = [&](std::initializer_list<std::string> fields) {
    for (const std::string& each : fields) text += each + "\n";
  };
  for (const StudentRow& each : rows.students) {
    add({each.name, each.handed_in_as, each.roster.id, each.roster.login, each.roster.email,
         each.roster.section, each.roster.lms_id});
    for (const std::string& remark : each.remarks) add({remark});
  }
  for (const SubmissionRow& each : rows.submissions) add({each.student, each.file, each.problem});
  for (const AttemptRow& each : rows.attempts) add({each.student, each.file});
  for (const UnplacedEntry& each : rows.unplaced) add({each.name, each.reason, each.advice});
  for (const char* word : {"Ada", "ada", "Lovelace", "Zoe", "17\n", "4711", "uni.example"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word << " in\n" << text;
  }
  // What counts stays.
  EXPECT_EQ(rows.students[0].remarks.size() + rows.students[1].remarks.size(), 1u);
  EXPECT_EQ(rows.attempts[0].handed_in_at, 1791504000);
  EXPECT_TRUE(rows.attempts[0].marked_late);
  EXPECT_EQ(rows.submissions[0].result, "key");
  EXPECT_EQ(rows.submissions[0].file, "scale.cu");
  EXPECT_TRUE(std::ranges::is_sorted(rows.students, {}, &StudentRow::name));
  EXPECT_TRUE(std::ranges::is_sorted(rows.submissions, {}, &SubmissionRow::student));
  EXPECT_EQ(FindPseudonym(all, "ada@uni.example"), all[0].name);
  EXPECT_EQ(FindPseudonym(all, "Grace"), std::nullopt);
}

TEST_F(PseudonymsTest, TheFileIsForItsOwnerAloneAndSaysWhoseTheyAre) {
  const auto pseudonyms = Pseudonyms::Open(File());
  ASSERT_TRUE(pseudonyms.ok());
  EXPECT_EQ(ModeOf(File()), 0600u);
  ClassRows rows = TwoStudents();
  const auto all = pseudonyms->Anonymise(rows);
  fs::permissions(File(), fs::perms(0644));
  ASSERT_TRUE(pseudonyms->Note(all).ok());
  EXPECT_EQ(ModeOf(File()), 0600u);
  const std::string text = Text();
  EXPECT_NE(text.find(all[0].name), std::string::npos) << text;
  EXPECT_NE(text.find("ada@uni.example"), std::string::npos) << text;
  // A second class adds to it.
  ASSERT_TRUE(Pseudonyms::Open(File())->Note({{{"Grace", "g", {}}, "student-g"}}).ok());
  EXPECT_NE(Text().find("Grace"), std::string::npos);
  EXPECT_NE(Text().find("ada@uni.example"), std::string::npos);
}

TEST_F(PseudonymsTest, AnotherFileIsRefusedAndKept) {
  for (const char* text : {"notes", "{}", "{\"key\": \"short\"}", "{\"key\": 7}"}) {
    fs::create_directories(File().parent_path());
    std::ofstream(File()) << text;
    const auto refused = Pseudonyms::Open(File());
    ASSERT_FALSE(refused.ok()) << text;
    EXPECT_EQ(refused.error().blame, Blame::kUsage);
    EXPECT_EQ(Text(), text);
  }
}

TEST_F(PseudonymsTest, TwoWhoAreTheSameAreToldApart) {
  const auto pseudonyms = Pseudonyms::Open(File());
  ASSERT_TRUE(pseudonyms.ok());
  ClassRows rows;
  rows.students = {{"Ada", "", {}}, {"Ada (2)", "", {}}};
  for (StudentRow& each : rows.students) each.roster.id = "17";
  const auto all = pseudonyms->Anonymise(rows);
  EXPECT_EQ(all[1].name, all[0].name + " (2)");
}

}  // namespace
}  // namespace warplings
