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
  EXPECT_EQ(found->ignored, std::vector<std::string>{"roster.csv"});
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

TEST_F(ClassFolderTest, WrongFoldersAreUsageErrors) {
  EXPECT_FALSE(ListClass(folder_ / "absent", workbook_).ok());
  EXPECT_FALSE(ListClass(folder_, workbook_).ok());  // Empty.
  Write("roster.csv", "");
  EXPECT_FALSE(ListClass(folder_, workbook_).ok());
  Write("01_first/scale.cu", "");
  const auto one = ListClass(folder_, workbook_);
  ASSERT_FALSE(one.ok());
  EXPECT_EQ(one.error().blame, Blame::kUsage);
  EXPECT_NE(one.error().message.find("one student's"), std::string::npos) << one.error().message;
}

}  // namespace
}  // namespace warplings
