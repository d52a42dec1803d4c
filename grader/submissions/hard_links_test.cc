// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/hard_links.h"

#include <unistd.h>

#include "grader/submissions/read_handed_in.h"
#include "grader/submissions/scratch_class.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

class HardLinksTest : public submissions_test::ScratchClass {
 protected:
  HardLinks MakeLinks() const { return {folder_ / "class", {folder_ / "solutions"}}; }

  /// The text that a student of class/ handed in as scale.cu, or "problem: ...".
  std::string Read(const std::string& student) const {
    HardLinks links = MakeLinks();
    for (const HandedInFile& file : ReadFolder(folder_ / "class" / student, {}, &links).files) {
      if (file.path == "scale.cu") return file.problem.empty() ? file.text : "problem: " + file.problem;
    }
    return "problem: there is no such file";
  }

  void Link(const std::string& from, const std::string& to) const {
    fs::create_directories((folder_ / to).parent_path());
    fs::create_hard_link(folder_ / from, folder_ / to);
  }

  /// Gives a file or folder to another user. False where only root may.
  bool Give(const std::string& name, uid_t owner) const {
    return ::chown((folder_ / name).c_str(), owner, static_cast<gid_t>(-1)) == 0;
  }
};

TEST_F(HardLinksTest, ACopyThatSharesItsFilesIsRead) {
  Write("class/ada/scale.cu", "ada's");
  Write("class/bob/scale.cu", "bob's");
  Link("class/ada/scale.cu", "backup/ada/scale.cu");
  Link("class/bob/scale.cu", "backup/bob/scale.cu");
  EXPECT_EQ(Read("ada"), "ada's");
  EXPECT_EQ(Read("bob"), "bob's");
  // Two names for one file within a student's own folder take nothing from anybody.
  Link("class/ada/scale.cu", "class/ada/old/scale.cu");
  EXPECT_EQ(Read("ada"), "ada's");
}

TEST_F(HardLinksTest, AnotherStudentsFileIsNobodys) {
  Write("class/ada/scale.cu", "ada's");
  Link("class/ada/scale.cu", "class/eve/scale.cu");
  // Where all belongs to whoever unpacked it, nothing says whose it was first.
  for (const char* student : {"ada", "eve"}) {
    EXPECT_TRUE(Read(student).starts_with("problem: is a hard link: ada and eve have one and the same file"))
        << Read(student);
  }
  // In a folder further down, too, and under another name.
  Write("class/bob/scale.cu", "bob's");
  Link("class/bob/scale.cu", "class/eve/deep/folder/mine.cu");
  EXPECT_NE(Read("bob").find("bob and eve have"), std::string::npos);
}

TEST_F(HardLinksTest, TheSolutionIsNotHandedIn) {
  Write("solutions/01_first/scale.cu", "the solution");
  Link("solutions/01_first/scale.cu", "class/eve/scale.cu");
  EXPECT_EQ(Read("eve"), "problem: is a hard link to a file of the workbook's own");
}

TEST_F(HardLinksTest, AFileOfAnotherUserIsNotRead) {
  // As in a folder for handing in that students write to.
  Write("secret/notes.cu", "the instructor's");
  Link("secret/notes.cu", "class/eve/scale.cu");
  if (!Give("class/eve", 65534)) GTEST_SKIP() << "only root gives files away";
  EXPECT_TRUE(Read("eve").starts_with("problem: is a hard link to a file of another user")) << Read("eve");
  // Her own file is read, whatever else refers to it.
  Write("class/ada/scale.cu", "ada's");
  Link("class/ada/scale.cu", "backup/ada.cu");
  ASSERT_TRUE(Give("class/ada", 65534) && Give("class/ada/scale.cu", 65534));
  EXPECT_EQ(Read("ada"), "ada's");
}

TEST_F(HardLinksTest, LooseFilesAndArchivesAreFilesToo) {
  Write("class/ada_scale.cu", "ada's");
  Link("class/ada_scale.cu", "backup/ada_scale.cu");
  Link("class/ada_scale.cu", "class/eve_scale.cu");
  Write("class/bob.zip", "no archive, but bob's");
  Link("class/bob.zip", "class/eve.zip");
  HardLinks links = MakeLinks();
  StudentEntry eve;
  eve.kind = StudentEntry::Kind::kFiles;
  eve.files = {{folder_ / "class/eve_scale.cu", "scale.cu", 0}};
  EXPECT_NE(ReadHandedIn(eve, {}, &links)->files[0].problem.find("ada_scale.cu and eve_scale.cu"),
            std::string::npos);
  eve.kind = StudentEntry::Kind::kArchive;
  eve.path = folder_ / "class/eve.zip";
  EXPECT_NE(ReadHandedIn(eve, {}, &links)->problem.find("bob.zip and eve.zip have one"), std::string::npos);
}

TEST_F(HardLinksTest, WithoutAClassNoLinkIsRead) {
  Write("class/ada/scale.cu", "ada's");
  Link("class/ada/scale.cu", "backup/scale.cu");
  EXPECT_NE(ReadFolder(folder_ / "class/ada", {}).files[0].problem, "");
  // Nor one that the class does not have.
  fs::create_directory(folder_ / "elsewhere");
  HardLinks nowhere(folder_ / "elsewhere", {});
  EXPECT_NE(ReadFolder(folder_ / "class/ada", {}, &nowhere).files[0].problem, "");
}

}  // namespace
}  // namespace warplings
