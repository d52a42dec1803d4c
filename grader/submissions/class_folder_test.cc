// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/class_folder.h"

#include <sys/stat.h>

#include "grader/submissions/scratch_class.h"

namespace warplings {
namespace {

class ClassFolderTest : public submissions_test::ScratchClass {
 protected:
  std::vector<std::string> Names() {
    const auto found = ListClass(folder_, workbook_);
    EXPECT_TRUE(found.ok());
    std::vector<std::string> names;
    if (!found) return names;
    for (const StudentEntry& student : found->students) names.push_back(student.name);
    return names;
  }
};

TEST_F(ClassFolderTest, FoldersAndArchivesAreStudents) {
  Write("ada lovelace/scale.cu", "");
  Write("陳大文.zip", "");
  Write("grace.tar.gz", "");
  Write("alan.TGZ", "");
  Write("kurt.tar", "");
  Write(".DS_Store", "");
  Write("__MACOSX/x", "");
  Write("roster.csv", "");
  EXPECT_EQ(Names(), (std::vector<std::string>{"ada lovelace", "alan", "grace", "kurt", "陳大文"}));
  const auto found = ListClass(folder_, workbook_);
  EXPECT_EQ(found->unplaced,
            (std::vector<UnplacedEntry>{{"roster.csv", "is neither a folder nor an archive",
                                         "Take it out of the folder if it is no hand-in."}}));
  EXPECT_EQ(found->students[0].kind, StudentEntry::Kind::kFolder);
  EXPECT_EQ(found->students[1].kind, StudentEntry::Kind::kArchive);
}

TEST_F(ClassFolderTest, AnArchiveThatIsNotReadIsAStudentAllTheSame) {
  Write("ada.rar", "");
  Write("bob.tar.xz", "");
  EXPECT_EQ(Names(), (std::vector<std::string>{"ada", "bob"}));
  const auto found = ListClass(folder_, workbook_);
  EXPECT_EQ(found->students[0].kind, StudentEntry::Kind::kUnusable);
  EXPECT_NE(found->students[0].problem.find("ask for a .zip"), std::string::npos);
}

TEST_F(ClassFolderTest, NamesThatDifferInCaseAreTwoStudents) {
  Write("Ada/a", "");
  Write("ada/a", "");
  EXPECT_EQ(Names(), (std::vector<std::string>{"Ada", "ada"}));
}

TEST_F(ClassFolderTest, OneNameTwiceGoesByWholeFileNames) {
  Write("ada/a", "");
  Write("ada.zip", "");
  Write("bob.zip", "");
  EXPECT_EQ(Names(), (std::vector<std::string>{"ada", "ada.zip", "bob"}));
}

TEST_F(ClassFolderTest, NamesAreFitToPrint) {
  Write("evil\x1b[31m\nname/a", "");
  Write("latin\xe9/a", "");
  EXPECT_EQ(Names(), (std::vector<std::string>{"evil\\x1b[31m\\x0aname", "latin\\xe9"}));
}

TEST_F(ClassFolderTest, LinksAndSpecialFilesAreNotFollowed) {
  Write("ada/a", "");
  std::filesystem::create_directory_symlink("/etc", folder_ / "link");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.zip").c_str(), 0600), 0);
  const auto found = ListClass(folder_, workbook_);
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->students.size(), 3u);
  EXPECT_EQ(found->students[1].kind, StudentEntry::Kind::kUnusable);
  EXPECT_NE(found->students[1].problem.find("is a link"), std::string::npos);
  EXPECT_EQ(found->students[2].kind, StudentEntry::Kind::kUnusable);
}

TEST_F(ClassFolderTest, DotsInANameHideNobody) {
  Write(".../a", "");
  Write("..;/a", "");
  Write(".hidden/a", "");
  Write(".git/config", "");
  Write(".note", "");
  EXPECT_EQ(Names(), (std::vector<std::string>{"...", "..;", ".hidden"}));
  const auto found = ListClass(folder_, workbook_);
  ASSERT_EQ(found->unplaced.size(), 1u);
  EXPECT_EQ(found->unplaced[0].name, ".note");
}

TEST_F(ClassFolderTest, CanvasFilesAreTheirStudents) {
  Write("lovelaceada_12_101_scale.cu", "");
  Write("lovelaceada_12_102_tile.cu", "");
  Write("lovelaceada_12_205_tile-1.cu", "");
  Write("hoppergrace_LATE_13_103_work.zip", "");
  Write("kimalan_14_104_scale.cu", "");
  Write("kimalan_15_105_scale.cu", "");
  Write("żakłukasz_16_text.html", "");
  EXPECT_EQ(Names(), (std::vector<std::string>{"hoppergrace", "kimalan (14)", "kimalan (15)", "lovelaceada",
                                               "żakłukasz"}));
  const auto found = ListClass(folder_, workbook_);
  const StudentEntry &grace = found->students[0], &ada = found->students[3];
  EXPECT_TRUE(grace.marked_late);
  EXPECT_EQ(grace.id, "13");
  EXPECT_EQ(ada.kind, StudentEntry::Kind::kFiles);
  EXPECT_FALSE(ada.marked_late);
  ASSERT_EQ(ada.files.size(), 3u);
  EXPECT_EQ(ada.files[2].name, "tile-1.cu");
  EXPECT_EQ(ada.files[2].order, 205);
  ASSERT_EQ(found->unplaced.size(), 1u);
  EXPECT_EQ(found->unplaced[0].reason, "is a text typed into Canvas");
  EXPECT_EQ(found->unplaced[0].advice, "Ask żakłukasz for the file.");
  Write("żakłukasz_16_301_scale.cu", "");
  EXPECT_TRUE(ListClass(folder_, workbook_)->unplaced.empty()) << "a word about the file";
}

TEST_F(ClassFolderTest, MoodleFoldersAndFiles) {
  Write("Ada Lovelace_77_assignsubmission_file_/scale.cu", "");
  Write("Ada Lovelace_77_assignsubmission_onlinetext_/onlinetext.html", "");
  Write("Grace Hopper_78_assignsubmission_file_scale.cu", "");
  Write("Alan Turing_79_assignsubmission_onlinetext_onlinetext.html", "");  // Downloaded without folders.
  EXPECT_EQ(Names(), (std::vector<std::string>{"Ada Lovelace", "Grace Hopper"}));
  const auto found = ListClass(folder_, workbook_);
  EXPECT_EQ(found->students[0].id, "77");
  // The number of a participant of one assignment is no student's id, in folders and files alike.
  EXPECT_EQ(found->students[0].id_kind, StudentEntry::IdKind::kParticipant);
  EXPECT_EQ(found->students[1].id_kind, StudentEntry::IdKind::kParticipant);
  EXPECT_EQ(found->students[1].files.at(0).name, "scale.cu");
  ASSERT_EQ(found->unplaced.size(), 2u);
  EXPECT_EQ(found->unplaced[1].reason, "is a text typed into Moodle");
  EXPECT_EQ(found->unplaced[1].advice, "Ask Alan Turing (participant 79 there) for the file.");
  EXPECT_EQ(found->unplaced[0].reason, "is a text typed into Moodle");
  EXPECT_EQ(found->unplaced[0].advice, "Ask Ada Lovelace (participant 77 there) for the file.")
      << "two may have the name";
}

TEST_F(ClassFolderTest, GradescopeSaysWhoAndWhen) {
  Write(
      "submission_metadata.yml",
      "submission_1:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '17'\n    :email: ada@uni.example\n"
      "  - :name: Grace Hopper\n    :sid: '18'\n  :created_at: 2026-10-08 21:59:00.000000000 Z\n"
      "submission_9:\n  :submitters:\n  - :name: Alan Kim\n");
  Write("submission_1/scale.cu", "");
  Write("submission_2/scale.cu", "");
  EXPECT_EQ(Names(), (std::vector<std::string>{"Ada Lovelace", "Grace Hopper", "submission_2"}));
  const auto found = ListClass(folder_, workbook_);
  EXPECT_EQ(found->students[0].email, "ada@uni.example");
  EXPECT_EQ(found->students[1].id, "18");
  EXPECT_EQ(found->students[1].path, found->students[0].path);
  EXPECT_TRUE(found->students[0].handed_in_at.has_value());
  EXPECT_FALSE(found->students[2].handed_in_at.has_value());
  ASSERT_EQ(found->unplaced.size(), 1u);
  EXPECT_EQ(found->unplaced[0].name, "submission_9");
}

TEST_F(ClassFolderTest, LooseFilesSayWhoseTheyAreOrAreNobodys) {
  Write("ada_tile.cu", "");
  Write("ada_scale-1.cu", "");
  Write("grace_tile.cu.txt", "");
  Write("tile.cu", "");
  Write("readme.txt", "");
  EXPECT_EQ(Names(), (std::vector<std::string>{"ada", "grace"}));
  const auto found = ListClass(folder_, workbook_);
  EXPECT_EQ(found->students[0].files.size(), 2u);
  ASSERT_EQ(found->unplaced.size(), 2u);
  EXPECT_EQ(found->unplaced[0].name, "readme.txt");
  EXPECT_EQ(found->unplaced[1].reason, "does not say whose it is");
  EXPECT_NE(found->unplaced[1].advice.find("ada_tile.cu"), std::string::npos);
}

TEST_F(ClassFolderTest, WrongFoldersAreUsageErrors) {
  EXPECT_FALSE(ListClass(folder_ / "absent", workbook_).ok());
  Write("export.zip", "");
  EXPECT_NE(English(ListClass(folder_ / "export.zip", workbook_).error().next_step).find("Unpack it first"),
            std::string::npos);
  std::filesystem::remove(folder_ / "export.zip");
  EXPECT_FALSE(ListClass(folder_, workbook_).ok());  // Empty.
  Write("roster.csv", "");
  EXPECT_FALSE(ListClass(folder_, workbook_).ok());
  Write("01_first/scale.cu", "");
  const auto one = ListClass(folder_, workbook_);
  ASSERT_FALSE(one.ok());
  EXPECT_EQ(one.error().blame, Blame::kUsage);
  EXPECT_NE(English(one.error().message).find("folder of one student"), std::string::npos)
      << one.error().message;
}

}  // namespace
}  // namespace warplings
