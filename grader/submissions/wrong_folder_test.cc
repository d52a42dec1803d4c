// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/class_folder.h"
#include "grader/submissions/scratch_class.h"

namespace warplings {
namespace {

class WrongFolderTest : public submissions_test::ScratchClass {
 protected:
  /// The error and what to do, without the scratch folder's name; "" for the folder of a class.
  std::string Fault(const std::filesystem::path& below = "") const {
    const Status checked = CheckClassFolder(folder_ / below, workbook_);
    if (checked) return "";
    EXPECT_EQ(checked.error().blame, Blame::kUsage);
    std::string text = English(checked.error().message) + " | " + English(checked.error().next_step);
    for (std::size_t at = 0; (at = text.find(folder_.string(), at)) != text.npos;)
      text.replace(at, folder_.string().size(), "DIR");
    return text;
  }
};

constexpr const char* kHolds =
    "A class's folder holds a folder or an archive (.zip, .tar.gz) for each student, or the unpacked "
    "download from "
    "Canvas, Moodle or Gradescope.";

TEST_F(WrongFolderTest, OfAClassItIsNot) {
  Write("ada/scale.cu", "");
  EXPECT_EQ(Fault(), "");
  Write("bob/chapters/01_first/scale.cu", "");
  Write("eve/notes.txt", "");
  Write("roster.csv", "");
  EXPECT_EQ(Fault(), "");
  // A student's several versions are not a class.
  for (const char* version : {"v1", "v2"}) Write(std::string("kim/") + version + "/scale.cu", "");
  for (int i = 1; i < 9; ++i) Write("zoe/attempt_" + std::to_string(i) + "/scale.cu", "");
  EXPECT_EQ(Fault(), "");
  EXPECT_EQ(Fault("absent"), "") << "ListClass's to say";
}

TEST_F(WrongFolderTest, OneFolderMayHoldAnything) {
  Write("submission/other.txt", "");
  EXPECT_EQ(Fault(), "");
}

TEST_F(WrongFolderTest, ExportsAreFoldersOfAClass) {
  Write("a/Ada_77_assignsubmission_file_/notes.pdf", "");
  Write("b/lovelaceada_12_101_notes.pdf", "");
  Write("c/ada_scale.cu", "");
  Write("d/ada.zip", "");
  for (const char* each : {"a", "b", "c", "d"}) EXPECT_EQ(Fault(each), "") << each;
}

TEST_F(WrongFolderTest, SaysWhatIsThereAndWhichFolderLooksRight) {
  std::filesystem::create_directories(folder_ / "empty");
  EXPECT_EQ(Fault("empty"), std::string("there is no submission in DIR/empty: it is empty | ") + kHolds);
  Write("course/course.toml", "");
  Write("course/slides/week1.pdf", "");
  EXPECT_EQ(Fault("course"),
            std::string("there is no submission in DIR/course: it holds course.toml, slides/ | ") + kHolds);
  for (const char* name : {"ada", "bob", "eve"}) {
    Write(std::string("course/handed in/week1/") + name + "/scale.cu", "");
    Write(std::string("course/handed in/week2/") + name + ".zip", "");
  }
  Write("course/starters/scale.cu", "");
  EXPECT_EQ(
      Fault("course/handed in"),
      std::string("there is no submission in DIR/course/handed in: it holds week1/, week2/ | ") + kHolds +
          " Name one of these, which look like one: DIR/course/handed in/week1, DIR/course/handed in/week2.");
  std::filesystem::remove_all(folder_ / "course/handed in/week2");
  EXPECT_EQ(Fault("course/handed in"),
            std::string("there is no submission in DIR/course/handed in: it holds week1/ | ") + kHolds +
                " Name DIR/course/handed in/week1, which looks like one.");
}

TEST_F(WrongFolderTest, TheCoursesOwnFoldersBesideTheClasssAreNoStudents) {
  for (const char* name : {"ada", "bob", "eve"}) Write(std::string("submissions/") + name + "/scale.cu", "");
  Write("starters/scale.cu", "");
  Write("solutions/scale.cu", "");
  EXPECT_NE(Fault().find("Name DIR/submissions, which looks like one."), std::string::npos) << Fault();
}

TEST_F(WrongFolderTest, TheCoursesFolderHasTheClassesTwoLevelsBelow) {
  // The second week has another exercise, or the same once more; a slip lies beside them.
  for (const char* week2 : {"/tile.cu", "/scale.cu"}) {
    for (const char* name : {"ada", "bob"}) {
      Write(std::string("submissions/week1/") + name + "/scale.cu", "");
      Write(std::string("submissions/week2/") + name + week2, "");
    }
    Write("course.toml", "");
    Write("roster.csv", "");
    Write("starters/scale.cu", "");
    Write("graded/week1/gradebook.sqlite", "");
    Write("graded/week1/copies/ada/scale.cu", "");
    EXPECT_EQ(Fault(), std::string("DIR/ is the folder of a course, not that of a class's submissions | ") +
                           kHolds +
                           " Name one of these, which look like one: DIR/submissions/week1, "
                           "DIR/submissions/week2.");
    EXPECT_EQ(Fault("submissions/week1"), "");
    std::filesystem::remove_all(folder_ / "submissions");
  }
}

/// A course's file may lie among the submissions.
TEST_F(WrongFolderTest, AClassWithTheCoursesFile) {
  Write("course.toml", "");
  for (const char* name : {"ada", "bob", "eve"}) Write(std::string(name) + "/scale.cu", "");
  for (const char* version : {"v1", "v2"}) Write(std::string("kim/all/") + version + "/scale.cu", "");
  EXPECT_EQ(Fault(), "");
}

TEST_F(WrongFolderTest, NeitherWorkbookNorGradedClass) {
  Write("book/chapters/01_first/scale.cu", "");
  Write("book/solutions/01_first/scale.cu", "");
  EXPECT_EQ(Fault("book"), std::string("DIR/book is a workbook, not the folder of a class | ") + kHolds);
  Write("out/gradebook.sqlite", "");
  EXPECT_EQ(Fault("out"),
            std::string("DIR/out is a graded class: `grade --out` made it, and it holds no submissions | ") +
                kHolds);
}

}  // namespace
}  // namespace warplings
