// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "grader/authoring/verification.h"
#include "grader/workbook/laid_down.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// A tree with one exercise and all files that belong to it.
class WorkbookFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "authoring-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    layout_.root = pattern;
    Write("chapters/01_first/add.cu", "// TODO: add\n");
    Write("chapters/01_first/add.h", "");
    Write("chapters/01_first/chapter.toml",
          "reading_minutes = 45\n[[exercise]]\nid = \"add\"\nminutes = 30\n");
    Write("chapters/01_first/drills.toml", "");
    Write("chapters/01_first/drills.zh_Hant.toml", "");
    Write("solutions/01_first/add.cu", "");
    Write("grader/workbook/starters.sha256", HashOfText("// TODO: add\n") + "  chapters/01_first/add.cu\n");
    Write("tests/mutants/01_first/add.one.cu", "");
    Write("tests/mutants/01_first/add.two.cu", "");
    Write("tests/mutants/01_first/add.two.by_shift.cu", "");
    Write("tests/mutants/01_first/add.three.cu", "");
    Exercise exercise;
    exercise.chapter = "01_first";
    exercise.id = "add";
    exercise.points = 5;
    exercise.hints = {"a", "b", "c"};
    exercise.profiles = {"a100", "t4"};
    exercise.misconceptions = {{"one", "", ""}, {"two", "", ""}, {"three", "", ""}};
    exercise.starter = layout_.root / "chapters/01_first/add.cu";
    exercise.solution = layout_.root / "solutions/01_first/add.cu";
    workbook_.chapters = {{"01_first", 1, "First", {exercise}}};
  }
  void TearDown() override { fs::remove_all(layout_.root); }

  void Write(const std::string& name, const std::string& text) {
    fs::create_directories((layout_.root / name).parent_path());
    std::ofstream(layout_.root / name) << text;
  }
  Exercise& exercise() { return workbook_.chapters[0].exercises[0]; }

  Layout layout_;
  Workbook workbook_;
};

TEST_F(WorkbookFilesTest, ACompleteExerciseLacksNothing) {
  EXPECT_EQ(MissingParts(exercise(), layout_), Names{});
  EXPECT_EQ(StrayFiles(workbook_, layout_), Names{});
}

TEST_F(WorkbookFilesTest, ThePlanHoldsStarterSolutionPerProfileAndEveryMutant) {
  Names names;
  for (const VerificationRun& run : PlanVerification(exercise(), layout_)) names.push_back(run.Name());
  EXPECT_EQ(names, (Names{"starter", "solution on a100", "solution on t4", "mutant add.one",
                          "mutant add.three", "mutant add.two.by_shift", "mutant add.two"}));
  EXPECT_EQ(PlanVerification(exercise(), layout_)[5].misconception, "two");
}

/// Where no other test says so: an answer on the CPU gets all points.
TEST_F(WorkbookFilesTest, ASuiteThatDoesNotRequireWhatTheContractPromisesIsTold) {
  const std::string suite = "tests/suites/01_first/add_suite.cc";
  const auto is_told = [&] { return UnrequiredWork(exercise(), layout_).size() == 1; };
  EXPECT_FALSE(is_told()) << "no suite, and no promise";
  Write(suite, "#include \"tests/suites/01_first/calls.h\"\n// RequireDeviceWork(result)\n");
  EXPECT_FALSE(is_told()) << "no promise";
  Write("chapters/01_first/add.h",
        "//   - Your kernel must do the work itself: chapters/grading.md has the rules.\n");
  EXPECT_TRUE(is_told());
  EXPECT_EQ(MissingParts(exercise(), layout_), UnrequiredWork(exercise(), layout_)) << "verify fails";
  Write("tests/suites/01_first/shared_calls.cc",
        "#include \"tests/suites/01_first/calls.h\"\nRequireDeviceWork(r, c, w);\n");
  EXPECT_FALSE(is_told()) << "code that suites share calls it";
  Write("tests/suites/01_first/shared_calls.cc", "");
  Write(suite, "  if (n > 0) RequireDeviceWork(result, report, {.output = \"out\"});  // of the kernel\n");
  EXPECT_FALSE(is_told());
}

TEST_F(WorkbookFilesTest, OtherRightAnswersRunSeedBySeed) {
  Write("tests/alternatives/add.float4.cu", "");
  Write("tests/alternatives/add.lambda.cu", "");
  Write("tests/alternatives/README.md", "");
  Names names;
  for (const VerificationRun& run : PlanVerification(exercise(), layout_)) {
    if (run.kind == VerificationRun::Kind::kAlternative) names.push_back(run.Name());
  }
  ASSERT_EQ(names.size(), 2 * kAlternativeSeeds);
  EXPECT_EQ(names[0], "alternative add.float4 at seed + 0");
  EXPECT_EQ(names[1], "alternative add.lambda at seed + 0");
  EXPECT_EQ(names.back(), "alternative add.lambda at seed + 4");
  EXPECT_EQ(StrayFiles(workbook_, layout_), Names{});
  Write("tests/alternatives/ad.float4.cu", "");
  Write("tests/alternatives/add.float4.toml", "");
  EXPECT_EQ(StrayFiles(workbook_, layout_),
            (Names{"tests/alternatives/ad.float4.cu", "tests/alternatives/add.float4.toml"}));
}

TEST_F(WorkbookFilesTest, AProfileThatDoesNotExistIsNamedByLine) {
  EXPECT_TRUE(CheckProfiles(exercise()).ok());
  exercise().profiles = {"a100", "t5"};
  exercise().profiles_line = 9;
  const Status known = CheckProfiles(exercise());
  ASSERT_FALSE(known.ok());
  const std::string words = English(known.error().message);
  EXPECT_EQ(words.find("chapters/01_first/chapter.toml:9: exercise.profiles: 't5' must be one of a100, "), 0u)
      << words;
  EXPECT_NE(words.find("h200"), std::string::npos) << words;
}

TEST_F(WorkbookFilesTest, TooFewOtherRightAnswersAreAReminder) {
  for (const char* name : {"a", "b", "c"}) Write("tests/alternatives/add." + std::string(name) + ".cu", "");
  EXPECT_EQ(Reminders(exercise(), layout_),
            Names{"tests/alternatives/ has 3 right answers besides the solution; write at least 4"});
  EXPECT_EQ(MissingParts(exercise(), layout_), Names{});
  Write("tests/alternatives/add.d.cu", "");
  EXPECT_EQ(Reminders(exercise(), layout_), Names{});
}

TEST_F(WorkbookFilesTest, AMutantWithoutAMistakeIsNamed) {
  Write("solutions/01_first/add.cu", "__global__ void add() {\n  c = a + b;  // the sum\n}\n");
  Write("tests/mutants/01_first/add.one.cu",
        "// The index is wrong.\n__global__ void add() { c = a + b; }\n");
  Write("tests/mutants/01_first/add.two.cu", "__global__ void add() { c = a - b; }\n");
  EXPECT_EQ(
      MutantsLikeSolution(exercise(), layout_),
      Names{
          "add.one.cu is the solution, but for comments and white space: change what its misconception gets "
          "wrong"});
}

TEST_F(WorkbookFilesTest, AFactThatNoSourceOfTheSuiteHasIsTold) {
  exercise().misconceptions[0].told_by = {"reads_outsid"};
  EXPECT_EQ(UnknownFacts(exercise(), layout_), Names{}) << "there is no suite to look in";
  Write("tests/suites/01_first/add_suite.cc", "AddFactOf(found, \"reads_outside\", message, test);");
  EXPECT_EQ(UnknownFacts(exercise(), layout_),
            Names{"the suite never calls StateFactsWith, so it states no fact, and no misconception is "
                  "recognised"});
  Write("tests/suites/01_first/add_suite.cc",
        "AddFactOf(found, \"reads_outside\", message, test); StateFactsWith(FactsOfCalls);");
  EXPECT_EQ(UnknownFacts(exercise(), layout_),
            Names{"told_by of one: no source of the suite has a fact reads_outsid; did you mean "
                  "reads_outside?"});
  exercise().misconceptions[0].told_by = {"reads_outside"};
  exercise().misconceptions[1].told_by = {"chapter_saw_that", "all_saw_that"};
  Write("tests/suites/01_first/subtract_suite.cc", "say::chapter_saw_that(), say::all_saw_that()");
  Write("tests/suites/01_first/evidence_test.cc", "say::chapter_saw_that(), say::all_saw_that()");
  EXPECT_EQ(UnknownFacts(exercise(), layout_).size(), 2u) << "another exercise's suite, and a test";
  Write("tests/suites/01_first/evidence.cc", "say::chapter_saw_that()");
  Write("grader/messages/all.inc", "MESSAGE(all_saw_that, \"all\")");
  EXPECT_EQ(UnknownFacts(exercise(), layout_), Names{});
}

TEST_F(WorkbookFilesTest, AHandoutWithoutTheExerciseIsAReminder) {
  for (const char* name : {"a", "b", "c", "d"})
    Write("tests/alternatives/add." + std::string(name) + ".cu", "");
  const std::string page = "/" + exercise().chapter + ".html.j2";
  for (const std::string language : {"en", "zh_Hant"}) {
    Write("handouts/text/" + language + "/words.json", "{}");
    Write("handouts/text/" + language + page, "{% block about_add %}{% endblock %}");
  }
  EXPECT_EQ(Reminders(exercise(), layout_), Names{});
  Write("handouts/text/zh_Hant" + page, "{% block about_add_more %}{% endblock %}");
  EXPECT_EQ(Reminders(exercise(), layout_),
            Names{"handouts/text/zh_Hant" + page +
                  " has no block about_add; CONTRIBUTING.md lists the parts that an exercise has there"});
}

TEST_F(WorkbookFilesTest, WhatNewWroteIntoThePageIsAReminder) {
  const std::string page = "handouts/text/en/01_first.html.j2";
  const std::string figures = "{{ h.say(\"a\") }}{{ h.say(\"b\") }}{{ h.say(\"c\") }}\n";
  Write("handouts/text/en/words.json", "{}");
  Write(
      "grader/authoring/template/handout.html.j2",
      "{% block idea %}\n<p>The idea.</p>\n{{ h.say(\"One thing.\") }}\n<p>A report.</p>\n{% endblock %}\n");
  Write(page, "{% block idea %}\n<p>Mine.</p>\n" + figures + "{% endblock %}\n");
  EXPECT_EQ(ChapterReminders(workbook_.chapters[0], layout_), Names{}) << "lines without prose are the same";
  Write(page,
        "{% block idea %}\n" + figures + "{{ h.say(\"One thing.\") }}\n{% endblock %}\n<p>A report.</p>\n");
  EXPECT_EQ(ChapterReminders(workbook_.chapters[0], layout_),
            Names{page + ":3: 2 lines as `new` wrote it, the first of them here; write your own"});
}

TEST_F(WorkbookFilesTest, FewerThanTenDrillsAreAReminder) {
  std::string drills;
  for (int i = 0; i < 3; ++i) drills += "[[drill]]\nid = \"a\"\n[[drill.wrong]]\nanswer = 6\n";
  Write("chapters/01_first/drills.toml", drills);
  EXPECT_EQ(ChapterReminders(workbook_.chapters[0], layout_),
            Names{"chapters/01_first/drills.toml has 3 questions; a chapter has ten (handouts/README.md, "
                  "\"Drills\")"});
}

TEST_F(WorkbookFilesTest, WhatANewChapterLacksIsAReminder) {
  const Chapter& chapter = workbook_.chapters[0];
  EXPECT_EQ(ChapterReminders(chapter, layout_), Names{}) << "there is neither a README nor a handout";
  EXPECT_EQ(WorkbookReminders(workbook_, layout_), Names{});
  fs::remove(layout_.root / "chapters/01_first/drills.toml");
  for (const std::string language : {"en", "zh_Hant"}) {
    Write("handouts/text/" + language + "/words.json", "{}");
    Write("handouts/text/" + language + "/start.html.j2", "(\"02_second\", \"5.1\", \"…\"),");
  }
  Write("handouts/examples/add.cu", "");
  Write("handouts/examples/sub.cu", "");
  Write("README.md", "There are 27 exercises in two chapters:\n| 11 Last | 1 |\n");
  EXPECT_EQ(
      ChapterReminders(chapter, layout_),
      (Names{"chapters/01_first/drills.toml is missing: ten short questions (handouts/README.md, \"Drills\")",
             "handouts/text/en/start.html.j2 has no row of 01_first in the table of the book",
             "handouts/text/zh_Hant/01_first.html.j2 is missing",
             "handouts/text/zh_Hant/start.html.j2 has no row of 01_first in the table of the book",
             "README.md has no row of chapter 1 in the table of chapters"}));
  EXPECT_EQ(
      WorkbookReminders(workbook_, layout_),
      (Names{
          "README.md does not say \"1 exercises in one chapters\"",
          "handouts/examples/ has 2 worked examples for 1 chapter; tests/handouts/meson.build lists them"}));
  Write("README.md", "There are 1 exercises in one chapters:\n| 1 First | 3 | … |\n");
  EXPECT_EQ(ChapterReminders(chapter, layout_).back(),
            "README.md, row of chapter 1: the chapter has 1 exercise");
  Write("README.md", "There are 1 exercises in one chapters:\n| 1 First | 1 | … |\n");
  fs::remove(layout_.root / "handouts/examples/sub.cu");
  EXPECT_EQ(ChapterReminders(chapter, layout_).size(), 4u);
  EXPECT_EQ(WorkbookReminders(workbook_, layout_), Names{});
}

TEST_F(WorkbookFilesTest, APageWithTooFewFiguresIsAReminder) {
  const Chapter& chapter = workbook_.chapters[0];
  const std::string page = "handouts/text/en/01_first.html.j2";
  Write("handouts/text/en/words.json", "{}");
  const std::string of_figure = "{{ h.say(\"a\", ask=\"b?\") }}\n";
  Write(page, of_figure);
  EXPECT_EQ(ChapterReminders(chapter, layout_),
            Names{page + " has 1 figure with an h.say(…) behind it; a chapter needs 3 or more "
                         "(handouts/README.md, \"Figures and slides\")"});
  Write(page, of_figure + of_figure + of_figure);
  EXPECT_EQ(ChapterReminders(chapter, layout_), Names{});
}

TEST_F(WorkbookFilesTest, DrillsThatALanguageLacksAreAReminder) {
  const Chapter& chapter = workbook_.chapters[0];
  const std::string name = "chapters/01_first/drills.zh_Hant.toml";
  const std::string made = name + " is missing: `python3 tests/translations/chapters.py --add " + name +
                           "` makes it, and its drills are then shown in English";
  fs::remove(layout_.root / name);
  EXPECT_EQ(ChapterReminders(chapter, layout_), Names{}) << "nothing is in this language";
  Write("handouts/text/zh_Hant/words.json", "{}");
  Write("handouts/text/zh_Hant/01_first.html.j2", "");
  EXPECT_EQ(ChapterReminders(chapter, layout_), Names{made});
  Write(name, "");
  EXPECT_EQ(ChapterReminders(chapter, layout_), Names{});
}

TEST_F(WorkbookFilesTest, TimesThatAreMissingAreAReminder) {
  const std::string name = "chapters/01_first/chapter.toml";
  Write(name, "[[exercise]]\nid = \"add\"\nminutes = 30\n[[exercise]]\nid = \"sub\"\n");
  EXPECT_EQ(ChapterReminders(workbook_.chapters[0], layout_),
            (Names{name + " gives the chapter no reading_minutes: the handouts' index shows it",
                   name + " gives sub no minutes: the handouts' index shows it"}));
}

/// Students read in these sections which rules their exercise has.
TEST_F(WorkbookFilesTest, AnExerciseThatItsSectionOfThePageDoesNotNameIsAReminder) {
  for (const char* name : {"a", "b", "c", "d"})
    Write("tests/alternatives/add." + std::string(name) + ".cu", "");
  layout_.build = layout_.root / "build";
  const fs::path suite = layout_.SuiteProgram("01_first", "add").lexically_relative(layout_.root);
  Write(suite.string(),
        "#!/bin/sh\n[ $1 != --graded ] || printf 'Every exercise\\tNo loop.\\n"
        "Exercises that move elements\\tNo copy.\\n'\n");
  fs::permissions(layout_.root / suite, fs::perms::owner_all);
  const std::string page = "## Every exercise\n\nSpeed counts in `sub`.\n\n- No loop.\n\n";
  const std::string moves = "## Exercises that move elements\n\n`reverse` and ";
  Write("chapters/grading.md", page + moves + "`add` move.\n\n- No copy.\n\n## add\n");
  EXPECT_EQ(Reminders(exercise(), layout_), Names{});
  Write("chapters/grading.md", page + moves + "`adds` move.\n\n- No copy.\n\n## `add`\n");
  const std::string end = "\", does not name `add`, which is graded by it";
  EXPECT_EQ(Reminders(exercise(), layout_),
            Names{"chapters/grading.md, section \"Exercises that move elements" + end});
  exercise().speed.emplace();
  EXPECT_EQ(
      Reminders(exercise(), layout_),
      (Names{"chapters/grading.md, section \"Every exercise\", does not name `add`, whose speed is graded",
             "chapters/grading.md, section \"Exercises that move elements" + end}));
}

TEST_F(WorkbookFilesTest, ATranslationThatDoesNotFitIsAReminder) {
  const Chapter& chapter = workbook_.chapters[0];
  const std::string name = "chapters/01_first/chapter.zh_Hant.toml";
  const std::string end = ". `python3 tests/translations/chapters.py` names each text";
  std::string fits = "[[exercise]]\nid = \"add\"\nhints = [\"\", \"\", \"\"]\n";
  for (const char* id : {"one", "two", "three"})
    fits += "[[exercise.misconception]]\nid = \"" + std::string(id) + "\"\n";
  Write(name, fits);
  EXPECT_EQ(ChapterReminders(chapter, layout_), Names{});
  std::string stale = fits;
  stale.replace(stale.find("\"two\""), 5, "\"grid_rounded_down\"");
  stale.replace(stale.find(", \"\"]"), 5, "]");
  Write(name, stale);
  EXPECT_EQ(
      ChapterReminders(chapter, layout_),
      Names{name +
            " does not fit add: it lacks two; it has grid_rounded_down, which chapter.toml lacks; it has "
            "2 hints, chapter.toml 3" +
            end});
  Write(name, "[[exercise]]\nid = \"sub\"\n");
  EXPECT_EQ(
      ChapterReminders(chapter, layout_),
      Names{name + " does not fit the chapter: it lacks add; it has sub, which chapter.toml lacks" + end});
}

/// The workbook itself lacks none of it.
TEST(ChapterParts, TheWorkbookHasThemAll) {
  const Layout layout = ThisLayout();
  const auto workbook = LoadWorkbook(layout.root);
  ASSERT_TRUE(workbook.ok());
  for (const Chapter& chapter : workbook->chapters) {
    EXPECT_EQ(ChapterReminders(chapter, layout), Names{}) << chapter.id;
    for (const Exercise& each : chapter.exercises) {
      EXPECT_EQ(UnknownFacts(each, layout), Names{}) << each.id;
      EXPECT_EQ(UnrequiredWork(each, layout), Names{}) << each.id;
      EXPECT_EQ(StructDifferences(each, layout), Names{}) << each.id;
    }
  }
  EXPECT_EQ(WorkbookReminders(*workbook, layout), Names{});
}

TEST_F(WorkbookFilesTest, ASampleFollowsFromWhatItIsDrawnBy) {
  for (const char* name : {"float4", "lambda", "unrolled"})
    Write("tests/alternatives/add." + std::string(name) + ".cu", "");
  const std::vector<VerificationRun> all = PlanVerification(exercise(), layout_);
  const auto names_of = [&](std::size_t size, std::string_view drawn_by) {
    Names names;
    for (const VerificationRun& run : Sample(all, size, drawn_by)) names.push_back(run.Name());
    return names;
  };
  std::set<std::string> mutants, alternatives;
  for (int commit = 0; commit < 40; ++commit) {
    const Names names = names_of(1, std::to_string(commit));
    ASSERT_EQ(names.size(), 5u);
    EXPECT_EQ(Names(names.begin(), names.begin() + 3),
              (Names{"starter", "solution on a100", "solution on t4"}));
    mutants.insert(names[3]);
    alternatives.insert(names[4]);
    EXPECT_EQ(names, names_of(1, std::to_string(commit)));
  }
  EXPECT_EQ(mutants.size(), 4u) << "each is drawn by some commit";
  EXPECT_EQ(alternatives,
            (std::set<std::string>{"alternative add.float4 at seed + 0", "alternative add.lambda at seed + 0",
                                   "alternative add.unrolled at seed + 0"}));
  EXPECT_EQ(names_of(100, "").size(), 3u + 4u + 3u) << "no more than there are";
}

TEST_F(WorkbookFilesTest, ACardSeesSolutionAndMutants) {
  Names names;
  for (const auto& run : PlanCardVerification(exercise(), layout_, "gpu:0")) names.push_back(run.Name());
  EXPECT_EQ(names, (Names{"solution on gpu:0", "mutant add.one on gpu:0", "mutant add.three on gpu:0",
                          "mutant add.two.by_shift on gpu:0", "mutant add.two on gpu:0"}));
}

TEST_F(WorkbookFilesTest, WhatIsMissingIsNamed) {
  Write("chapters/01_first/add.cu", "done\n");
  Write("solutions/01_first/add.cu", "// TODO\n");
  fs::remove(layout_.root / "tests/mutants/01_first/add.one.cu");
  exercise().hints.pop_back();
  exercise().points = 0;
  exercise().has_answers = true;
  EXPECT_EQ(MissingParts(exercise(), layout_),
            (Names{"the starter has no TODO", "the solution has a TODO left", "it has fewer than 3 hints",
                   "it earns no points", "it asks for answers, and its starter has no add.toml",
                   "no mutant holds the misconception one",
                   "grader/workbook/starters.sha256 lacks this starter's checksum: run "
                   "grader/authoring/list_starters chapters/01_first/add.cu"}));
  exercise().solution.clear();
  exercise().misconceptions.clear();
  const Names missing = MissingParts(exercise(), layout_);
  EXPECT_NE(
      std::find(missing.begin(), missing.end(), "there is no solution: write solutions/01_first/add.cu"),
      missing.end());
  EXPECT_NE(std::find(missing.begin(), missing.end(), "it has fewer than 3 misconceptions"), missing.end());
}

TEST_F(WorkbookFilesTest, WhatIsTimedNeedsABaseline) {
  Write("reference/baselines/01_first/add.cu", "");
  EXPECT_EQ(StrayFiles(workbook_, layout_), Names{"reference/baselines/01_first/add.cu"});
  exercise().speed = SpeedRubric{"a slow kernel", 1};
  exercise().baseline = layout_.root / "reference/baselines/01_first/add.cu";
  EXPECT_EQ(StrayFiles(workbook_, layout_), Names{});
  EXPECT_EQ(MissingParts(exercise(), layout_), Names{});
  fs::remove(exercise().baseline);
  EXPECT_EQ(MissingParts(exercise(), layout_), Names{"its speed is graded, and it has no baseline"});
}

TEST_F(WorkbookFilesTest, StraysAreFoundInEveryFolder) {
  Write("chapters/01_first/add.cu~", "");
  Write("chapters/01_first/add.toml", "");  // The exercise asks no questions.
  Write("chapters/02_second/readme.txt", "");
  Write("solutions/01_first/sub.cu", "");
  Write("tests/mutants/01_first/ad.one.cu", "");
  Write("tests/mutants/01_first/.hidden", "");
  EXPECT_EQ(StrayFiles(workbook_, layout_),
            (Names{"chapters/01_first/add.cu~", "chapters/01_first/add.toml", "chapters/02_second/readme.txt",
                   "solutions/01_first/sub.cu", "tests/mutants/01_first/ad.one.cu"}));
}

TEST_F(WorkbookFilesTest, AStraySaysWhichExerciseIsMeant) {
  EXPECT_EQ(English(SayStray(workbook_, "tests/mutants/01_first/adds.one.cu")),
            "tests/mutants/01_first/adds.one.cu belongs to no exercise; did you mean add?");
  EXPECT_EQ(English(SayStray(workbook_, "tests/alternatives/quite_another.two.cu")),
            "tests/alternatives/quite_another.two.cu belongs to no exercise");
  EXPECT_EQ(English(SayStray(workbook_, "chapters/01_first/add.cu~")),
            "chapters/01_first/add.cu~ belongs to no exercise");
}

/// It belongs to the exercise, which has no such misconception.
TEST_F(WorkbookFilesTest, AMutantOfAMisspeltMisconceptionIsNamed) {
  EXPECT_EQ(MisnamedMutants(exercise(), layout_), Names{});
  Write("tests/mutants/01_first/add.threes.again.cu", "");
  Write("tests/mutants/01_first/add.untold.cu", "");
  EXPECT_EQ(
      MisnamedMutants(exercise(), layout_),
      (Names{"tests/mutants/01_first/add.threes.again.cu: add has no misconception threes; did you mean "
             "three?",
             "tests/mutants/01_first/add.untold.cu: add has no misconception untold"}));
  EXPECT_EQ(StrayFiles(workbook_, layout_), Names{});
}

/// A suite that says what it grades, as suite programs do.
TEST_F(WorkbookFilesTest, SuiteHeaderAndPageAreCompared) {
  layout_.build = layout_.root / "build";
  const fs::path suite = layout_.SuiteProgram("01_first", "add").lexically_relative(layout_.root);
  Write(suite.string(),
        "#!/bin/sh\n[ $1 != --inputs ] || { printf 'keys\\tother elements\\tnever falls\\n'; exit; }\nprintf "
        "'header\\tC is right.\\nown section\\tNo atomics.\\nEvery exercise\\tNo "
        "loop.\\n'\n");
  fs::permissions(layout_.root / suite, fs::perms::owner_all);
  Write("chapters/01_first/add.h", "// Graded:\n//   - C is right.\nvoid add();\n");
  Write("chapters/grading.md", "## Every exercise\n- No loop.\n\n## add\n- No atomics.\n");
  EXPECT_EQ(ContractDifferences(exercise(), layout_), Names{});
  EXPECT_EQ(UngradedSections(workbook_, layout_), Names{});
  Write("tests/suites/01_first/add_suite.cc", "\nTrafficOf(result, \"key\") + TrafficOf(result, \"keys\")");
  const Names faults = ArrayFaults(exercise(), layout_);
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_TRUE(faults[0].starts_with("the elements of keys never fall")) << faults[0];
  EXPECT_TRUE(faults[1].starts_with("tests/suites/01_first/add_suite.cc:2: TrafficOf asks for \"key\""))
      << faults[1];

  Write("chapters/grading.md", "## Every exercise\n- No loop.\n\n## ad\n- No atomics.\n");
  EXPECT_EQ(ContractDifferences(exercise(), layout_),
            Names{"chapters/grading.md has no section \"## add\"; by it the suite grades 1 sentence"});
  EXPECT_EQ(UngradedSections(workbook_, layout_), Names{"chapters/grading.md, section \"ad\","});
}

}  // namespace
}  // namespace warplings
