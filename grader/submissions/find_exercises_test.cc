// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/find_exercises.h"

#include "grader/submissions/read_handed_in.h"
#include "grader/submissions/scratch_class.h"

namespace warplings {
namespace {

using State = ExerciseFile::State;

class FindExercisesTest : public submissions_test::ScratchClass {
 protected:
  FoundExercises Find(std::vector<HandedInFile> files, const std::string& problem = "") const {
    return FindExercises({std::move(files), problem}, workbook_);
  }
};

TEST_F(FindExercisesTest, TheWorkbooksOwnPlaces) {
  const FoundExercises found = Find({{"chapters/01_first/scale.cu", "s", ""},
                                     {"chapters/01_first/scale.h", "", ""},
                                     {"chapters/01_first/chapter.toml", "", ""},
                                     {"chapters/grading.md", "", ""},
                                     {"chapters/02_second/ask.cu", "a", ""},
                                     {"chapters/02_second/ask.toml", "b = 1", ""}});
  ASSERT_EQ(found.exercises.size(), 3u);
  EXPECT_EQ(found.exercises[0].state, State::kFound);
  EXPECT_EQ(found.exercises[0].text, "s");
  EXPECT_EQ(found.exercises[1].state, State::kMissing);
  EXPECT_EQ(found.exercises[2].answers, "b = 1");
  EXPECT_TRUE(found.remarks.empty()) << found.remarks[0];
}

TEST_F(FindExercisesTest, AnswersMayHaveTheExercisesName) {
  EXPECT_EQ(Find({{"ask-1.cu", "a", ""}, {"ask.toml", "b = 1", ""}}).exercises[2].answers, "b = 1");
  // The file's own name comes first.
  EXPECT_EQ(Find({{"ask-1.cu", "a", ""}, {"ask.toml", "b = 1", ""}, {"ask-1.toml", "b = 2", ""}})
                .exercises[2]
                .answers,
            "b = 2");
  EXPECT_EQ(Find({{"ask.cu.txt", "a", ""}, {"Ask.toml.txt", "b = 1", ""}}).exercises[2].answers, "b = 1");
  const FoundExercises apart = Find({{"x/ask.cu", "a", ""}, {"y/ask.toml", "b = 1", ""}});
  EXPECT_EQ(apart.exercises[2].answers, "b = 1");
  EXPECT_EQ(apart.remarks, std::vector<std::string>{"y/ask.toml is taken for ask.toml"});
  // Of two neither is taken, nor that of another attempt.
  const FoundExercises several =
      Find({{"x/ask.cu", "a", ""}, {"y/ask.toml", "b = 1", ""}, {"z/ask.toml", "b = 2", ""}});
  EXPECT_EQ(several.exercises[2].answers, "");
  EXPECT_TRUE(
      several.remarks[0].starts_with("y/ask.toml is not beside x/ask.cu, so its answers count nothing"));
  EXPECT_EQ(Find({{"attempt_2/ask.cu", "a", ""}, {"attempt_1/ask.toml", "b = 1", ""}}).exercises[2].answers,
            "");
}

/// Browsers and course systems number the copies of answers, too.
TEST_F(FindExercisesTest, NumberedCopiesOfAnswers) {
  for (const char* copy : {"ask-1.toml", "ask (1).toml", "Ask_2.toml", "ask-1.toml.txt"}) {
    const FoundExercises found = Find({{"ask.cu", "a", ""}, {copy, "b = 1", ""}});
    EXPECT_EQ(found.exercises[2].answers, "b = 1") << copy;
    EXPECT_EQ(found.remarks, std::vector<std::string>{copy + std::string(" is taken for ask.toml")});
  }
  const FoundExercises same =
      Find({{"ask.cu", "a", ""}, {"ask-1.toml", "b = 1", ""}, {"ask-2.toml", "b = 1", ""}});
  EXPECT_EQ(same.exercises[2].answers, "b = 1");
  const FoundExercises two =
      Find({{"ask.cu", "a", ""}, {"ask-1.toml", "b = 1", ""}, {"ask-2.toml", "b = 2", ""}});
  EXPECT_EQ(two.exercises[2].answers, "");
  EXPECT_TRUE(
      two.remarks[0].starts_with("there are two different files with answers, ask-1.toml and ask-2.toml"));
  EXPECT_EQ(Find({{"x/ask.cu", "a", ""}, {"y/ask-1.toml", "b = 1", ""}}).exercises[2].answers, "");
}

TEST_F(FindExercisesTest, AnswersThatCountNothingAreNamed) {
  const FoundExercises other = Find({{"ask.cu", "a", ""}, {"ask_final.toml", "b = 1", ""}});
  ASSERT_EQ(other.remarks.size(), 1u);
  EXPECT_TRUE(other.remarks[0].starts_with(
      "ask_final.toml may be meant for ask.toml, and its answers count nothing; rename it"));
  const FoundExercises wide = Find({{"ask.cu", "a", ""},
                                    {"ask.toml",
                                     "\xff\xfe"
                                     "b",
                                     ""}});
  ASSERT_EQ(wide.remarks.size(), 1u);
  EXPECT_TRUE(wide.remarks[0].starts_with("ask.toml is not UTF-8 text, and its answers count nothing"));
  const FoundExercises alone = Find({{"ask.toml", "b = 1", ""}});
  EXPECT_EQ(alone.exercises[2].state, State::kUnusable);
  EXPECT_EQ(alone.exercises[2].problem, "only the answers in ask.toml were handed in, and no ask.cu");
  const FoundExercises renamed = Find({{"ask.toml", "b = 1", ""}, {"my_ask.cu", "#include \"ask.h\"", ""}});
  EXPECT_TRUE(renamed.exercises[2].problem.starts_with("handed in under another name: my_ask.cu"));
  EXPECT_EQ(Find({{"scale.cu", "s", ""}}).exercises[2].state, State::kMissing);
}

TEST_F(FindExercisesTest, NestedFlatAndInAnotherCase) {
  const FoundExercises found = Find({{"work of ada/week 1/01_first/scale.cu", "s", ""},
                                     {"tile.cu", "t", ""},
                                     {"sub/ASK.CU", "a", ""},
                                     {"sub/ask.TOML", "b = 1", ""}});
  EXPECT_EQ(found.exercises[0].text, "s");
  EXPECT_EQ(found.exercises[1].text, "t");
  EXPECT_EQ(found.exercises[2].text, "a");
  EXPECT_EQ(found.exercises[2].answers, "b = 1");
  EXPECT_EQ(found.remarks, std::vector<std::string>{"sub/ASK.CU is taken for ask.cu"});
}

TEST_F(FindExercisesTest, NumberedCopiesOfAFileHandedInAgain) {
  for (const char* name : {"scale-1.cu", "scale (12).cu", "scale(1).cu", "sub/Scale_2.cu"}) {
    const FoundExercises found = Find({{name, "s", ""}});
    EXPECT_EQ(found.exercises[0].text, "s") << name;
    EXPECT_EQ(found.remarks, std::vector<std::string>{std::string(name) + " is taken for scale.cu"});
  }
  for (const char* name :
       {"scale1.cu", "scale-.cu", "scale-x.cu", "scale ().cu", "scale-1.txt", "my-scale.cu"}) {
    EXPECT_NE(Find({{name, "s", ""}}).exercises[0].state, State::kFound) << name;
  }
  EXPECT_EQ(Find({{"scale-1.cu", "old", ""}, {"scale.cu", "new", ""}}).exercises[0].text, "new");
}

TEST_F(FindExercisesTest, AFileWithAnotherEndingIsTakenForWhatItIs) {
  for (const char* name : {"scale.cpp", "scale.cu.txt", "Scale.CU.TXT", "sub/scale.cuh", "scale.cu.cu",
                           "scale-1.cu.txt", "chapters/01_first/scale.cc"}) {
    const FoundExercises found = Find({{name, "s", ""}});
    EXPECT_EQ(found.exercises[0].state, State::kFound) << name;
    EXPECT_EQ(found.exercises[0].text, "s") << name;
    EXPECT_EQ(found.remarks, std::vector<std::string>{std::string(name) + " is taken for scale.cu"});
  }
  // The right name comes first, wherever it is, and a note is no hand-in, but named.
  EXPECT_EQ(Find({{"chapters/01_first/scale.cpp", "c", ""}, {"x/scale.cu", "s", ""}}).exercises[0].text, "s");
  const FoundExercises note = Find({{"scales.txt", "", ""}, {".cpp", "", ""}});
  EXPECT_EQ(note.exercises[0].state, State::kMissing);
  EXPECT_EQ(note.remarks, std::vector<std::string>{"files of no exercise: scales.txt, .cpp"});
  EXPECT_EQ(Find({{"ask.cu.txt", "a", ""}, {"ask.toml", "b = 1", ""}}).exercises[2].answers, "b = 1");
  EXPECT_EQ(Find({{"scale.cpp", "c", ""}, {"scale.cc", "d", ""}}).exercises[0].state, State::kUnusable);
}

TEST_F(FindExercisesTest, TheWorkbooksPlaceBeatsACopy) {
  const FoundExercises found = Find({{"chapters/01_first/scale.cu", "new", ""}, {"old/scale.cu", "old", ""}});
  EXPECT_EQ(found.exercises[0].text, "new");
  EXPECT_EQ(found.remarks,
            std::vector<std::string>{"old/scale.cu is passed over for chapters/01_first/scale.cu"});
}

TEST_F(FindExercisesTest, TwoDifferentFilesAreNotGuessedBetween) {
  const FoundExercises same = Find({{"a/scale.cu", "s", ""}, {"b/scale.cu", "s", ""}});
  EXPECT_EQ(same.exercises[0].state, State::kFound);
  const FoundExercises found = Find({{"a/scale.cu", "s", ""}, {"b/scale.cu", "other", ""}});
  EXPECT_EQ(found.exercises[0].state, State::kUnusable);
  EXPECT_EQ(found.exercises[0].problem,
            "there are two different files, a/scale.cu and b/scale.cu: keep one of them");
  EXPECT_EQ(found.remarks.size(), 1u);
}

TEST_F(FindExercisesTest, AnIdOfTwoChaptersNeedsItsFolder) {
  workbook_.chapters.push_back(MakeChapter("03_third", {"scale"}));
  const FoundExercises found = Find({{"scale.cu", "?", ""}, {"03_third/scale.cu", "s", ""}});
  EXPECT_EQ(found.exercises[0].state, State::kUnusable);
  EXPECT_EQ(found.exercises[0].problem,
            "handed in outside of its chapter's folder: scale.cu may be meant for scale of 01_first; if so, "
            "put it into a "
            "folder of that name, and grade again");
  EXPECT_EQ(found.exercises[3].text, "s");
}

TEST_F(FindExercisesTest, ProblemsAreTold) {
  const FoundExercises found = Find({{"scale.cu", "", "is a link that leaves the folder"}});
  EXPECT_EQ(found.exercises[0].state, State::kUnusable);
  EXPECT_EQ(found.exercises[0].problem, "scale.cu is a link that leaves the folder");
  // What could not be read may be what is missing: it is no proof that nothing was handed in.
  const FoundExercises damaged = Find({{"scale.cu", "s", ""}}, "the archive is damaged");
  EXPECT_EQ(damaged.exercises[0].state, State::kFound);
  EXPECT_EQ(damaged.exercises[1].state, State::kUnusable);
  EXPECT_EQ(damaged.remarks, std::vector<std::string>{"the archive is damaged"});
}

TEST_F(FindExercisesTest, FilesOfNoExerciseAreNamed) {
  std::vector<HandedInFile> files;
  for (const char* name : {"a.txt", "b.o", "c.cu", "d", "e", "f\x1b", "g"}) files.push_back({name, "", ""});
  EXPECT_EQ(Find(files).remarks,
            std::vector<std::string>{"files of no exercise: a.txt, b.o, c.cu, d, e, f\\x1b, g"});
}

TEST_F(FindExercisesTest, AFileOfAnotherNameMayBeMeant) {
  const auto remark = [&](std::vector<HandedInFile> files) { return Find(std::move(files)).remarks.front(); };
  const auto meant = [](const std::string& file) {
    return "handed in under another name: " + file +
           " may be meant for scale; rename it to scale.cu, and grade again";
  };
  EXPECT_EQ(remark({{"final.cu", "#include \"scale.h\"\n", ""}}), meant("final.cu"));
  EXPECT_EQ(remark({{"x/Final.cpp", "#include \"../01_first/scale.h\"\n", ""}}), meant("x/Final.cpp"));
  EXPECT_EQ(remark({{"my_Scale.cu", "", ""}}), meant("my_Scale.cu"));
  // It was handed in, and is not taken under a name that nobody gave it.
  const FoundExercises renamed = Find({{"final.cu", "#include \"scale.h\"\n", ""}});
  EXPECT_EQ(renamed.exercises[0].state, State::kUnusable);
  EXPECT_EQ(renamed.exercises[0].path, "final.cu");
  EXPECT_EQ(renamed.exercises[0].problem, meant("final.cu"));
  EXPECT_EQ(renamed.exercises[1].state, State::kMissing);
  EXPECT_TRUE(renamed.unclaimed.empty());
  // Another exercise's header says more than the name; and of what was found nothing is missing.
  EXPECT_NE(remark({{"scale_a.cu", "#include \"tile.h\"\n", ""}}).find("meant for tile;"), std::string::npos);
  const std::string other = "files of no exercise: old_scale.cu";
  EXPECT_EQ(remark({{"scale.cu", "s", ""}, {"old_scale.cu", "#include \"scale.h\"\n", ""}}), other);
  EXPECT_EQ(remark({{"scales.pdf", "", ""}}), "files of no exercise: scales.pdf");
  EXPECT_EQ(remark({{"helper.cu", "#include \"rescale.h\"\n", ""}}), "files of no exercise: helper.cu");
  EXPECT_EQ(Find({{"helper.cu", "", ""}, {"b.txt", "", ""}}).unclaimed,
            std::vector<std::string>{"helper.cu"});
}

TEST_F(FindExercisesTest, AnAnswerThatIsNoSourceFileIsNamed) {
  for (const char* name : {"tile.docx", "TILE.ODT", "sub/tile-1.doc", "tile (2).ipynb", "tile.o"}) {
    const FoundExercises found = Find({{"scale.cu", "s", ""}, {name, "\x50\x4b", ""}});
    EXPECT_EQ(found.exercises[1].state, State::kUnusable) << name;
    EXPECT_EQ(found.exercises[1].problem,
              "handed in as " + std::string(name) + ", and only tile.cu can be graded; ask for it again");
    EXPECT_EQ(found.remarks, std::vector<std::string>{found.exercises[1].problem});
  }
  for (const char* name : {"tile.h", "tiles.docx", "reptile.doc", "tiles.html", "my_tile.txt", "tile.md"})
    EXPECT_EQ(Find({{name, "x", ""}}).exercises[1].state, State::kMissing) << name;
  // Beside the source it is nothing but a file of no exercise.
  const FoundExercises both = Find({{"tile.cu", "t", ""}, {"tile.docx", "x", ""}});
  EXPECT_EQ(both.exercises[1].state, State::kFound);
  EXPECT_EQ(both.remarks, std::vector<std::string>{"files of no exercise: tile.docx"});
}

TEST_F(FindExercisesTest, AFileThatDefinesAnExercisesFunctionMayBeMeantForIt) {
  workbook_.chapters[0].exercises[0].entry = "scale_all";
  const auto state = [&](const std::string& text) {
    return Find({{"final.cu", text, ""}}).exercises[0].state;
  };
  EXPECT_EQ(state("void scale_all(float* x, int (*f)(int)) {\n}\n"), State::kUnusable);
  EXPECT_EQ(state("void scale_all\n  (float* x)\n{ }"), State::kUnusable);
  for (const char* text : {"void scale_all(float* x);", "void rescale_all(float* x) {}",
                           "int scale_all_2(int) {}", "scale_all(", "scale_all", "x = scale_all(1) + 2; {"}) {
    EXPECT_EQ(state(text), State::kMissing) << text;
  }
}

TEST_F(FindExercisesTest, AnArchiveThatIsNotReadIsNotNothing) {
  for (const char* name :
       {"abgabe.7z", "work.RAR", "inner.zip", "deep/work.tar.gz", "scale.cu.gz", "a.tar.xz"}) {
    const FoundExercises found = Find({{name, "", ""}, {"tile.cu", "t", ""}});
    EXPECT_EQ(found.exercises[0].state, State::kUnusable) << name;
    EXPECT_EQ(found.exercises[0].problem.find(std::string(name) + " is an archive "), 0u)
        << found.exercises[0].problem;
    EXPECT_NE(found.exercises[0].problem.find("unpack it in the student's folder"), std::string::npos);
    EXPECT_EQ(found.exercises[1].state, State::kFound) << name;
    EXPECT_EQ(found.remarks, std::vector<std::string>{found.exercises[0].problem});
  }
  EXPECT_NE(Find({{"a.7z", "", ""}}).exercises[0].problem.find("of a kind that is not read"),
            std::string::npos);
  EXPECT_NE(Find({{"a.zip", "", ""}}).exercises[0].problem.find("inside an archive"), std::string::npos);
}

TEST_F(FindExercisesTest, TextThatIsNotUtf8IsNamed) {
  const FoundExercises found = Find({{"scale.cu",
                                      "// Gr\xfc\xdf"
                                      "e\n",
                                      ""}});
  EXPECT_EQ(found.exercises[0].state, State::kFound);
  ASSERT_EQ(found.remarks.size(), 1u);
  EXPECT_EQ(found.remarks[0].find("scale.cu is not UTF-8 text"), 0u);
  EXPECT_TRUE(Find({{"scale.cu",
                     "// Gr\xc3\xbc\xc3\x9f"
                     "e\n",
                     ""}})
                  .remarks.empty());
}

TEST_F(FindExercisesTest, OfManyFilesOfNoExerciseTheNumberIsTold) {
  std::vector<HandedInFile> files;
  for (int i = 100; i < 152; ++i) files.push_back({std::to_string(i) + ".o", "", ""});
  const auto remarks = Find(files).remarks;
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_NE(remarks[0].find("149.o and 2 more"), std::string::npos) << remarks[0];
}

TEST_F(FindExercisesTest, WhatAnLmsNumberedAreAttempts) {
  HandedIn handed_in;
  const auto add = [&](const std::string& path, const std::string& text, std::int64_t order) {
    handed_in.files.push_back({path, text, "", order * 100, order});
  };
  add("scale-1.cu", "second", 205);
  add("scale.cu", "first", 102);
  add("ask.cu", "ask", 103);
  add("ask.toml", "old answers", 104);
  add("ask-1.cu", "ask again", 206);
  add("ask-1.toml", "new answers", 207);
  const FoundExercises found = FindExercises(handed_in, workbook_);
  const ExerciseFile& scale = found.exercises[0];
  EXPECT_EQ(scale.state, ExerciseFile::State::kFound);
  EXPECT_EQ(scale.text, "second");
  ASSERT_EQ(scale.attempts.size(), 2u);
  EXPECT_EQ(scale.attempts[0].text, "first");
  EXPECT_EQ(scale.attempts[0].modified_at, 10200);
  EXPECT_EQ(scale.attempts[1].path, "scale-1.cu");
  for (const std::string& remark : found.remarks)
    EXPECT_EQ(remark.find("is taken for"), remark.npos) << remark;
  const ExerciseFile& ask = found.exercises[2];
  ASSERT_EQ(ask.attempts.size(), 2u);
  EXPECT_EQ(ask.attempts[0].answers, "old answers");
  EXPECT_EQ(ask.answers, "new answers");
  EXPECT_EQ(found.exercises[1].state, ExerciseFile::State::kMissing);
}

TEST_F(FindExercisesTest, FoldersOfAttempts) {
  Write("attempt_2/scale.cu", "second");
  Write("Attempt 10/01_first/scale.cu", "tenth");
  Write("attempt-1/scale.cu", "first");
  Write("attempts/tile.cu", "no number");
  const FoundExercises found = FindExercises(ReadFolder(folder_, {}), workbook_);
  const ExerciseFile& scale = found.exercises[0];
  ASSERT_EQ(scale.attempts.size(), 3u);
  EXPECT_EQ(scale.attempts[0].text, "first");
  EXPECT_EQ(scale.text, "tenth");
  EXPECT_EQ(found.exercises[1].attempts.size(), 1u);
}

TEST_F(FindExercisesTest, TwoDifferentFilesOfOneAttemptAreNotGuessedBetween) {
  HandedIn handed_in;
  const auto add = [&](const std::string& path, const std::string& text, std::int64_t order) {
    handed_in.files.push_back({path, text, "", order * 100, order});
  };
  add("a/scale.cu", "wrong", 102);  // Out of one archive.
  add("b/scale.cu", "right", 102);
  add("tile.cu", "right", 103);
  add("tile-1.cu", "older", 103);
  const FoundExercises found = FindExercises(handed_in, workbook_);
  EXPECT_EQ(found.exercises[0].state, State::kUnusable);
  EXPECT_EQ(found.exercises[0].problem,
            "there are two different files, a/scale.cu and b/scale.cu: keep one of them");
  EXPECT_EQ(found.exercises[1].text, "right");
  EXPECT_EQ(found.remarks,
            (std::vector<std::string>{"tile-1.cu is passed over for tile.cu", found.exercises[0].problem}));
  add("scale.cu", "right", 205);
  const FoundExercises later = FindExercises(handed_in, workbook_);
  EXPECT_EQ(later.exercises[0].text, "right");
  EXPECT_EQ(later.exercises[0].attempts.size(), 1u);
  EXPECT_EQ(later.remarks[0],
            "there are two different files, a/scale.cu and b/scale.cu, in an earlier attempt, which counts "
            "nothing");
}

TEST_F(FindExercisesTest, AnUnchangedFileIsNoSecondAttempt) {
  Write("attempt_1/scale.cu", "first");
  Write("attempt_2/scale.cu", "first");
  Write("attempt_3/scale.cu", "second");
  const FoundExercises found = FindExercises(ReadFolder(folder_, {}), workbook_);
  ASSERT_EQ(found.exercises[0].attempts.size(), 2u);
  EXPECT_EQ(found.exercises[0].attempts[0].path, "attempt_1/scale.cu");
  EXPECT_EQ(found.exercises[0].attempts[1].text, "second");
}

TEST_F(FindExercisesTest, AProgramThatIsCalledATextMayBeMeant) {
  const FoundExercises included = Find({{"solution.txt", "#include \"scale.h\"\n", ""}});
  EXPECT_EQ(included.exercises[0].state, State::kUnusable);
  EXPECT_TRUE(included.exercises[0].problem.starts_with(
      "handed in under another name: solution.txt may be meant for scale; rename it to scale.cu"))
      << included.exercises[0].problem;
  for (const char* name : {"scale.txt", "scale.pdf", "scale.html", "scale"}) {
    const FoundExercises called = Find({{name, "", ""}});
    EXPECT_EQ(called.exercises[0].state, State::kUnusable) << name;
    EXPECT_TRUE(called.exercises[0].problem.starts_with("handed in as " + std::string(name))) << name;
  }
  EXPECT_EQ(Find({{"notes.txt", "I could not do it.", ""}}).exercises[0].state, State::kMissing);
  EXPECT_EQ(Find({{"scale.cu", "s", ""}, {"scale.txt", "notes", ""}}).exercises[0].state, State::kFound);
}

TEST_F(FindExercisesTest, AnEmptyFolderIsTold) {
  const FoundExercises found = FindExercises(ReadFolder(folder_, {}), workbook_);
  ASSERT_EQ(found.remarks.size(), 1u);
  EXPECT_EQ(found.remarks[0], "there is no file in it");
}

}  // namespace
}  // namespace warplings
