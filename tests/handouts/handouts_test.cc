// SPDX-License-Identifier: Apache-2.0
// Both versions of the handouts, built as a user builds them, once for all tests: they stand alone, their
// links and figures are whole, their numbers are the grader's, and the students' version gives no solution
// away.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "grader/build/worker_cache.h"
#include "grader/device/occupancy.h"
#include "grader/messages/teaching_commands.h"
#include "grader/workbook/drills.h"
#include "grader/workbook/exercise.h"
#include "reference/banks.h"
#include "tests/cli/cli_fixture.h"
#include "tests/handouts/equations.h"
#include "tests/handouts/page.h"

namespace warplings::handouts_test {
namespace {

namespace fs = std::filesystem;
using cli_test::ProgramRun;

/// An estimate for samples that take long, on a machine without their results, and how far the work is, is
/// all that may be said.
bool IsProgress(const std::string& line) {
  static const std::regex kProgress(
      R"(Running the \d.* samples that .*|\d.* samples have run|\d.* samples, .*)"
      R"(|Drawing the pages: .* sets done|Printing the pages: .* done, .*|Printing \d.* PDFs: .*)");
  return std::regex_match(line, kProgress);
}

TEST(HandoutsProgress, IsEachLineThatSaysHowFarTheWorkIs) {
  for (const Message& line :
       {say::samples_take_time(3, 60), say::samples_take_time_before_pdfs(1234, 60), say::samples_done(1, 20),
        say::progress_of_samples(1, 20, "5", say::samples_done(1, 2)), say::progress_of_drawing("1", "2"),
        say::progress_of_printing("1", "2", "start.html"), say::printing_takes_time("36", "54")}) {
    EXPECT_TRUE(IsProgress(English(line))) << line;
  }
  EXPECT_FALSE(IsProgress(English(say::page_left_out("05.html", "a sample"))));
  EXPECT_FALSE(IsProgress(""));
}

class HandoutsTest : public cli_test::CliFixture {
 protected:
  /// Built in the first test's scratch folder, kept for the others.
  void SetUp() override {
    if (!students_.empty()) return;
    students_ = Build({});
    instructor_ = Build({"--instructor"});
  }

  std::map<std::string, Page> Build(const std::vector<std::string>& options) const {
    const fs::path out = scratch() / "a folder with blanks";
    // tests/browser looks at what is printed.
    std::vector<std::string> command = {"handouts", "--strict", "--paper", "none", "--out", out.string()};
    command.insert(command.end(), options.begin(), options.end());
    // The samples' results that other tests have made with this build are used again.
    const fs::path cache = DefaultCacheFolder().parent_path().parent_path();
    const ProgramRun run = Run(command, {.environment = {{"XDG_CACHE_HOME", cache}}});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    std::istringstream said(run.err);
    for (std::string line; std::getline(said, line);) EXPECT_TRUE(IsProgress(line)) << run.err;
    std::map<std::string, Page> pages;
    if (!fs::is_directory(out)) return pages;
    for (const auto& entry : fs::recursive_directory_iterator(out)) {
      if (!entry.is_regular_file()) continue;
      pages[entry.path().lexically_relative(out).string()] = ReadPage(cli_test::ReadText(entry.path()));
    }
    fs::remove_all(out);
    return pages;
  }

  Workbook LoadedWorkbook() const {
    const auto workbook = LoadWorkbook(layout_.root);
    EXPECT_TRUE(workbook.ok());
    return workbook ? *workbook : Workbook{};
  }

  /// The page of the chapter with this number.
  const Page& Chapter(int number) const {
    static const Page kNone;
    for (const auto& [name, page] : students_) {
      if (name.starts_with("0" + std::to_string(number))) return page;
    }
    ADD_FAILURE() << "no page for chapter " << number;
    return kNone;
  }

  void ExpectText(int chapter, const std::string& text) const {
    EXPECT_NE(Normalised(Chapter(chapter).text).find(Normalised(text)), std::string::npos)
        << "chapter " << chapter << " does not say: " << text;
  }

  /// By name, "glossary.html"; in another language "zh_Hant/glossary.html".
  static std::map<std::string, Page> students_, instructor_;
};
std::map<std::string, Page> HandoutsTest::students_, HandoutsTest::instructor_;

TEST_F(HandoutsTest, EachChapterHasAWholePage) {
  const Workbook workbook = LoadedWorkbook();
  for (const auto* version : {&students_, &instructor_}) {
    std::set<std::string> missing;
    for (const std::string folder : {"", "zh_Hant/"}) {
      for (const char* name :
           {"index", "checklist", "glossary", "tile_phases", "occupancy_calculator", "bank_explorer"}) {
        missing.insert(folder + name + ".html");
      }
      for (const auto& chapter : workbook.chapters) {
        missing.insert(folder + chapter.id + ".html");
        if (version == &instructor_) missing.insert(folder + chapter.id + ".slides.html");
      }
    }
    for (const auto& [name, page] : *version) {
      EXPECT_EQ(page.fault, "") << name;
      EXPECT_EQ(missing.erase(name), 1u) << name << " is no page that we know";
    }
    EXPECT_TRUE(missing.empty()) << *missing.begin() << " is missing";
  }
  for (const auto& chapter : workbook.chapters) {
    const Page& page = students_[chapter.id + ".html"];
    const std::string text = Normalised(page.text);
    for (const Exercise& exercise : chapter.exercises) {
      EXPECT_TRUE(page.ids.contains(exercise.id)) << exercise.id;
      EXPECT_NE(text.find(Normalised(exercise.title)), std::string::npos) << exercise.title;
      EXPECT_NE(text.find(Normalised(exercise.declaration)), std::string::npos) << exercise.declaration;
    }
  }
}

TEST_F(HandoutsTest, PagesStandAlone) {
  for (const auto* version : {&students_, &instructor_}) {
    for (const auto& [name, page] : *version) {
      for (const Tag& tag : page.tags) {
        // A page may compute if its policy names its script; what comes from elsewhere is no script of ours.
        if (tag.name == "script" && !tag.attributes.contains("type")) {
          EXPECT_NE(page.source.find("script-src 'sha256-"), std::string::npos) << name;
        }
        EXPECT_NE(tag.name, "link") << name;
        EXPECT_FALSE(tag.attributes.contains("src")) << name;
        for (const auto& [key, value] : tag.attributes) {
          EXPECT_FALSE(key.starts_with("on")) << name << ": " << key;
          EXPECT_EQ(value.find("://"), std::string::npos) << name << ": " << value;
        }
      }
      EXPECT_EQ(page.source.find("@import"), std::string::npos) << name;
      EXPECT_NE(page.source.find("default-src 'none'"), std::string::npos) << name;
    }
  }
}

TEST_F(HandoutsTest, LinksResolve) {
  for (const auto* version : {&students_, &instructor_}) {
    std::size_t links = 0;
    for (const auto& [name, page] : *version) {
      for (const Tag& tag : page.tags) {
        const auto href = tag.attributes.find("href");
        if (href == tag.attributes.end()) continue;
        ++links;
        const std::string& to = href->second;
        const std::size_t hash = std::min(to.find('#'), to.size());
        const fs::path file = (fs::path(name).parent_path() / to.substr(0, hash)).lexically_normal();
        const auto target = version->find(hash == 0 ? name : file.string());
        const bool found = target != version->end() &&
                           (hash == to.size() || target->second.ids.contains(to.substr(hash + 1)));
        EXPECT_TRUE(found) << name << " links to " << to;
      }
    }
    EXPECT_GE(links, 7 * version->size() - 7) << "each page has its contents";
  }
}

TEST_F(HandoutsTest, FiguresAreThereAndSpeak) {
  const std::map<std::string, std::size_t> at_least = {{"01", 6},  {"02", 5},  {"03", 2},
                                                       {"04", 12}, {"05", 16}, {"06", 11}};
  for (const auto& [name, page] : students_) {
    std::size_t pictures = 0;
    for (const std::string& source : page.drawings) {
      const Page drawing = ReadPage(source);
      ASSERT_EQ(drawing.fault, "");
      const auto& attributes = drawing.tags.front().attributes;
      EXPECT_EQ(attributes.at("role"), "img");
      EXPECT_TRUE(attributes.contains("viewBox"));
      const std::string label = attributes.at("aria-labelledby");
      EXPECT_TRUE(drawing.ids.contains(label)) << name << ": " << label;
      ASSERT_GE(drawing.tags.size(), 2u);
      EXPECT_EQ(drawing.tags[1].name, "title");
      const std::size_t title = source.find("<title");
      EXPECT_GT(source.find("</title>", title), source.find('>', title) + 1) << name << ": an empty title";
      pictures += !attributes.contains("aria-hidden");
    }
    const auto wanted = at_least.find(fs::path(name).filename().string().substr(0, 2));
    EXPECT_GE(pictures, wanted == at_least.end() ? 0 : wanted->second) << name;
  }
}

/// A declaration that computes an index from the built-in variables and numbers alone, such as
/// "const int r = blockIdx.y * blockDim.y + threadIdx.y;". Everybody writes it like that.
bool IsUsualIndex(const std::string& line) {
  static const std::regex usual(
      R"((const )?(auto|int|unsigned|unsigned int|size_t|std::size_t|long long) \w+ = )"
      R"(([()+*/% ]|\d+|\b(blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\b)+;( //.*)?)");
  return std::regex_match(line, usual);
}

TEST(HandoutsLines, AnIndexFromTheBuiltInVariablesGivesNothingAway) {
  for (const char* usual :
       {"const int r = blockIdx.y * blockDim.y + threadIdx.y;",
        "int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);",
        "const unsigned int lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32; // 0 to 31",
        "const auto step = blockDim.x * gridDim.x;"}) {
    EXPECT_TRUE(IsUsualIndex(usual)) << usual;
  }
  for (const char* telling : {"const int i = blockIdx.x * kTile + threadIdx.x;",
                              "const int row = blockIdx.y * blockDim.y + threadIdx.y, k = phase;",
                              "const int i = blockIdx.x * (blockDim.x - 2) + threadIdx.x - 1;",
                              "sum += M[threadIdx.y][threadIdx.x] * N[threadIdx.x];",
                              "if (threadIdx.x + blockIdx.x * blockDim.x < n) return;"}) {
    EXPECT_FALSE(IsUsualIndex(telling)) << telling;
  }
}

/// Lines with something to give away, each with the solutions that hold it: braces, else, includes, usual
/// indices and the like are not.
std::map<std::string, std::set<std::string>> TellingLines(const fs::path& folder) {
  std::map<std::string, std::set<std::string>> lines;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::istringstream text(cli_test::ReadText(entry.path()));
    for (std::string line; std::getline(text, line);) {
      line = Normalised(line);
      const auto words = std::ranges::count_if(line, [](unsigned char c) { return std::isalnum(c) != 0; });
      if (words >= 8 && !line.starts_with("//") && !line.starts_with("#") && !IsUsualIndex(line))
        lines[line].insert(fs::relative(entry.path(), folder.parent_path()).generic_string());
    }
  }
  return lines;
}

/// All that students have anyhow: starters, contracts, questions.
std::string KnownText(const fs::path& folder) {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) text += Normalised(cli_test::ReadText(entry.path())) + "\n";
  }
  return text;
}

TEST_F(HandoutsTest, StudentsVersionHoldsNoLineOfASolution) {
  const std::string known = KnownText(layout_.root / "chapters");
  std::size_t secrets = 0, shown = 0;
  for (const auto& [line, solutions] : TellingLines(layout_.root / "solutions")) {
    if (known.find(line) != std::string::npos) continue;
    ++secrets;
    for (const auto& [name, page] : students_) {
      EXPECT_TRUE(Normalised(page.text).find(line) == std::string::npos)
          << name << " holds a line of " << testing::PrintToString(solutions) << ": " << line
          << "\nLet the page show other code. If the line gives nothing away, name its variables differently "
             "in the "
             "solution, or write the line in the starter, too.";
    }
    shown += std::ranges::any_of(instructor_, [&](const auto& each) {
      return Normalised(each.second.text).find(line) != std::string::npos;
    });
  }
  // The search finds what is there: the instructor's version has the solutions' code. Answers files and
  // comments at the head of a file are not shown.
  EXPECT_GE(secrets, 100u);
  EXPECT_GE(shown * 100, secrets * 95);
}

TEST_F(HandoutsTest, OnlyInstructorsSeeAnswers) {
  const auto answers = [](const Page& page) {
    return std::ranges::count_if(page.tags, [](const Tag& tag) {
      const auto kind = tag.attributes.find("class");
      return kind != tag.attributes.end() && (kind->second == "answer" || kind->second == "misconceptions");
    });
  };
  for (const auto& [name, page] : students_) EXPECT_EQ(answers(page), 0) << name;
  for (const auto& chapter : LoadedWorkbook().chapters) {
    const Page& page = instructor_[chapter.id + ".html"];
    EXPECT_GE(answers(page), 5) << chapter.id;
    EXPECT_TRUE(page.ids.contains("teaching")) << chapter.id;
    for (const Exercise& exercise : chapter.exercises) {
      for (const MisconceptionText& each : exercise.misconceptions) {
        EXPECT_NE(Normalised(page.text).find(AsShown(each.message)), std::string::npos) << each.id;
      }
    }
  }
}

std::size_t TagsOf(const Page& page, const std::string& name, const std::string& kind = "") {
  return static_cast<std::size_t>(std::ranges::count_if(page.tags, [&](const Tag& tag) {
    const auto has = tag.attributes.find("class");
    return tag.name == name && (kind.empty() || (has != tag.attributes.end() && has->second == kind));
  }));
}

TEST_F(HandoutsTest, DrillsAreOnEachPage) {
  for (const auto& chapter : LoadedWorkbook().chapters) {
    for (const std::string language : {"en", "zh_Hant"}) {
      const auto drills = LoadDrills(layout_.root, chapter.id, language);
      ASSERT_TRUE(drills.ok());
      const std::string file = (language == "en" ? "" : language + "/") + chapter.id + ".html";
      const Page &students = students_[file], &instructors = instructor_[file];
      const std::string text = Normalised(instructors.text);
      for (const Drill& drill : *drills) {
        for (const Page* page : {&students, &instructors})
          EXPECT_TRUE(page->ids.contains("drill-" + drill.id)) << file << ": " << drill.id;
        EXPECT_TRUE(students.ids.contains("answer-" + drill.id)) << file << ": " << drill.id;
        EXPECT_FALSE(instructors.ids.contains("answer-" + drill.id)) << file << ": " << drill.id;
      }
      // A time line has a list of its steps folded up, too.
      EXPECT_GE(TagsOf(students, "details"), drills->size()) << file << ": answers without a script";
      EXPECT_EQ(TagsOf(students, "form"), drills->size()) << file;
      EXPECT_EQ(TagsOf(instructors, "form"), 0u) << file;
      EXPECT_EQ(instructors.source.find("numberTyped"), std::string::npos) << file << ": a script for drills";
    }
  }
  // What is said about a mistake is on an instructor's page, and in the data of a student's.
  const std::string mistake = "That is the size of M.";
  EXPECT_NE(Normalised(instructor_["02_rectangular_matmul.html"].text).find(mistake), std::string::npos);
  EXPECT_NE(students_["02_rectangular_matmul.html"].source.find(mistake), std::string::npos);
}

TEST_F(HandoutsTest, OnlyInstructorsSeeHints) {
  for (const auto& chapter : LoadedWorkbook().chapters) {
    const std::string students = Normalised(students_[chapter.id + ".html"].text);
    const std::string instructors = Normalised(instructor_[chapter.id + ".html"].text);
    for (const Exercise& exercise : chapter.exercises) {
      for (const std::string& hint : exercise.hints) {
        EXPECT_NE(instructors.find(AsShown(hint)), std::string::npos) << exercise.id << ": " << hint;
        EXPECT_EQ(students.find(AsShown(hint)), std::string::npos) << exercise.id << ": " << hint;
      }
    }
  }
}

TEST_F(HandoutsTest, ASlideShowsEachFigure) {
  for (const auto& chapter : LoadedWorkbook().chapters) {
    const Page& page = instructor_[chapter.id + ".html"];
    const Page& slides = instructor_[chapter.id + ".slides.html"];
    const std::size_t figures = TagsOf(page, "figure");
    const std::string text = "handouts/text/en/" + chapter.id + ".html.j2";
    EXPECT_GE(figures, 3u)
        << text << " has " << figures
        << " figures, and a chapter needs three or more: draw them with the functions that "
           "handouts/README.md lists under \"Figures and slides\"";
    if (figures == 0) continue;  // Then there is nothing to compare.
    EXPECT_EQ(TagsOf(slides, "section", "slide"), figures) << chapter.id;
    EXPECT_EQ(slides.drawings, page.drawings) << chapter.id;
    EXPECT_EQ(TagsOf(slides, "p", "say"), figures)
        << text << ": a figure has nothing to say: write {{ h.say(\"…\", ask=\"…?\") }} right behind it";
    EXPECT_EQ(TagsOf(slides, "p", "ask"), figures) << text << ": a figure has nothing to ask";
    EXPECT_EQ(TagsOf(students_[chapter.id + ".html"], "p", "say"), 0u) << chapter.id;
    EXPECT_EQ(TagsOf(students_[chapter.id + ".html"], "p", "ask"), 0u) << chapter.id;
    // A slide's figure has the page's number, once.
    const std::string first = "Figure " + std::to_string(chapter.number) + ".1 ";
    EXPECT_NE(Normalised(slides.text).find(first), std::string::npos)
        << chapter.id << ".slides.html does not number its first figure \"" << first << "\"";
    EXPECT_EQ(Normalised(slides.text).find("Figure 1 "), std::string::npos) << chapter.id;
  }
}

/// A page's links into the glossary, in its order.
std::vector<std::string> TermsOf(const Page& page) {
  constexpr std::string_view kTo = "glossary.html#";
  std::vector<std::string> terms;
  for (const Tag& tag : page.tags) {
    const auto href = tag.attributes.find("href");
    if (href != tag.attributes.end() && href->second.starts_with(kTo))
      terms.push_back(href->second.substr(kTo.size()));
  }
  return terms;
}

TEST_F(HandoutsTest, FirstUseOfATermLeadsToTheGlossary) {
  const Page& glossary = students_["glossary.html"];
  EXPECT_GE(glossary.ids.size(), 40u);
  for (const auto& chapter : LoadedWorkbook().chapters) {
    const Page& page = students_[chapter.id + ".html"];
    const std::vector<std::string> terms = TermsOf(page);
    EXPECT_GE(terms.size(), 10u)
        << "handouts/text/en/" << chapter.id << ".html.j2 uses " << terms.size()
        << " terms of the glossary, and a chapter's page uses ten or more: the page links the first use of "
           "each "
           "by itself. Does it explain the chapter's words, and does the glossary have them?";
    EXPECT_EQ(std::set<std::string>(terms.begin(), terms.end()).size(), terms.size())
        << chapter.id << ": a term is linked twice";
    for (const std::string& term : terms) EXPECT_TRUE(glossary.ids.contains(term)) << term;
    // The link stands at the first use: before it, the term occurs only where nothing is linked.
    if (chapter.number == 1) {
      const std::size_t link = page.source.find("glossary.html#tile\"");
      const std::size_t use = page.source.find("tile", page.source.find("id=\"objectives\""));
      EXPECT_LT(link, page.source.find("id=\"example\""));
      EXPECT_LE(link, use + std::string_view("<a class=\"term\" href=\"glossary.html#tile\">").size());
    }
  }
}

/// "45 min", "2 h", "2 h 30 min".
std::string InWords(int minutes) {
  const std::string rest = minutes % 60 == 0 ? "" : std::to_string(minutes % 60) + " min";
  if (minutes < 60) return rest;
  return std::to_string(minutes / 60) + " h" + (rest.empty() ? "" : " ") + rest;
}

/// The values of a key in a chapter.toml, which has one line for each.
std::vector<int> ValuesOf(const std::string& key, const fs::path& file) {
  std::vector<int> values;
  std::istringstream text(cli_test::ReadText(file));
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with(key + " = ")) values.push_back(std::stoi(line.substr(key.size() + 3)));
  }
  return values;
}

TEST_F(HandoutsTest, IndexSaysOrderAndTimes) {
  const std::string index = Normalised(students_["index.html"].text);
  std::size_t at = 0;
  int all = 0;
  for (const auto& chapter : LoadedWorkbook().chapters) {
    const fs::path file = layout_.root / "chapters" / chapter.id / "chapter.toml";
    const std::vector<int> minutes = ValuesOf("minutes", file);
    ASSERT_EQ(minutes.size(), chapter.exercises.size()) << chapter.id << ": each exercise has a time";
    const std::vector<int> reading = ValuesOf("reading_minutes", file);
    ASSERT_EQ(reading.size(), 1u) << chapter.id;
    all += reading[0];
    at = index.find(chapter.title + " Reading: about " + InWords(reading[0]), at);
    ASSERT_NE(at, std::string::npos) << chapter.title;
    for (std::size_t i = 0; i < minutes.size(); ++i) {
      all += minutes[i];
      std::ostringstream entry;
      entry << Normalised(chapter.exercises[i].title) << " " << chapter.exercises[i].points << " points · "
            << InWords(minutes[i]);
      at = index.find(entry.str(), at);
      ASSERT_NE(at, std::string::npos) << entry.str();
    }
  }
  EXPECT_NE(index.find("Everything together takes about " + InWords(all)), std::string::npos) << InWords(all);
}

TEST_F(HandoutsTest, PagesLeadToTheirNeighbours) {
  const Workbook workbook = LoadedWorkbook();
  for (std::size_t i = 0; i < workbook.chapters.size(); ++i) {
    std::string previous, next;
    for (const Tag& tag : students_[workbook.chapters[i].id + ".html"].tags) {
      const auto rel = tag.attributes.find("rel");
      if (rel == tag.attributes.end()) continue;
      (rel->second == "prev" ? previous : next) = tag.attributes.at("href");
    }
    EXPECT_EQ(previous, i == 0 ? "" : workbook.chapters[i - 1].id + ".html");
    EXPECT_EQ(next, i + 1 == workbook.chapters.size() ? "" : workbook.chapters[i + 1].id + ".html");
  }
}

TEST_F(HandoutsTest, WhatIsPrintedIsEscaped) {
  EXPECT_NE(Chapter(1).source.find("row_sums&lt;&lt;&lt;blocks, block&gt;&gt;&gt;"), std::string::npos);
  for (const auto& [name, page] : students_) EXPECT_EQ(page.source.find("<<<"), std::string::npos) << name;
}

/// The figures that must come out of the workbook's own tools.
TEST_F(HandoutsTest, NumbersAreTheGraders) {
  const DeviceProfile& a100 = *FindDeviceProfile("a100");
  ExpectText(4, "164 KB for 2,048 threads are 82 bytes for each");
  const auto percent = [&](const BlockShape& shape) {
    std::ostringstream text;
    text << 100 * Occupancy(a100, shape) << " %";
    return text.str();
  };
  EXPECT_EQ(percent({.threads = 32}), "50 %");
  ExpectText(4, percent({.threads = 32}));
  EXPECT_EQ(percent({.threads = 768}), "75 %");
  ExpectText(4, "33: " + percent({.threads = 512, .registers = 33}));
  ExpectText(4, "64: " + percent({.threads = 512, .registers = 64}));
  const BlockShape large{.threads = 256, .static_shared_bytes = 32768};
  ExpectText(4, "32 KB: " + percent(large));
  ExpectText(4, "So " + std::to_string(BlocksPerMultiprocessor(a100, large)) + " blocks fit");

  // What each block gives the driver: with 82 bytes a thread, no block size fills an A100.
  std::string row = "occupancy";
  for (const std::uint32_t threads : {64u, 128u, 256u, 512u, 1024u}) {
    const double share = Occupancy(a100, {.threads = threads, .static_shared_bytes = 82 * threads});
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << 100 * share;
    row += std::regex_replace(text.str(), std::regex("\\.0$"), "") + " %";
  }
  EXPECT_EQ(row, "occupancy81.2 %87.5 %87.5 %75 %50 %");
  ExpectText(4, row);
  EXPECT_EQ(Occupancy(a100, {.threads = 256, .static_shared_bytes = 256 * 78}), 1.0);
  EXPECT_LT(Occupancy(a100, {.threads = 256, .static_shared_bytes = 256 * 79}), 1.0);
  ExpectText(4, "19,968 / 256 = 78 bytes a thread");

  const reference::BankUse use = reference::UseOfBanks(reference::Strided(0, 32), 4);
  EXPECT_EQ(use.busiest_banks, 0x01010101u);
  ExpectText(5, "All are in banks 0, 8, 16, 24, and each of these must deliver " +
                    std::to_string(use.degree) + " different words");

  ExpectText(1, "Block (1, 1) in phase 0, its very first. Threads (0, 1) and (1, 1) load from row 3 of M");
}

/// The worked examples of chapters 1 to 3, computed here a second time.
TEST_F(HandoutsTest, WorkedNumbersOfTheFirstChapters) {
  constexpr int kM[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, kN[3][3] = {{1, 0, 2}, {0, 1, 1}, {3, 1, 4}};
  int sums[2] = {0, 0};  // Of P[2][2], in phases of two products.
  for (int i = 0; i < 3; ++i) sums[i / 2] += kM[2][i] * kN[i][2];
  ExpectText(1, "In phase 0 that is 7 × 2 + 8 × 1 = " + std::to_string(sums[0]) + ". In phase 1 it is");
  ExpectText(1, "so the sum is " + std::to_string(sums[0] + sums[1]) + ".");
  const int stale = kM[2][1] * kN[1][2];  // What phase 0 left in the places that phase 1 does not fill.
  ExpectText(1, "becomes " + std::to_string(sums[0] + sums[1] + stale) + " instead of " +
                    std::to_string(sums[0] + sums[1]));
  ExpectText(1, "row 2, column 3no9not the matrixPAST_THE_END");

  ExpectText(2, "M’s elements 3, 4 and 5 with N’s elements 2, 6 and 10, stored at 6");
  ExpectText(2,
             "The last block, (3, 1), begins at row 16 and column 48 of P. Its last phase begins at step 32");
  for (const char* part :
       {"4 rows × 5 columns exist", "5 rows × 2 columns exist", "4 rows × 2 columns exist"}) {
    ExpectText(2, part);
  }

  ExpectText(3, "N’s tile begins at float 9, which is byte 36, and both need 72 bytes");
  const auto largest = [](const char* card) {
    const auto limit = FindDeviceProfile(card)->shared_bytes_per_block_optin;
    int tile = 0;
    while (3 * (tile + 8) * (tile + 8) * 8 <= static_cast<int>(limit)) tile += 8;
    return std::to_string(tile);
  };
  ExpectText(3, "So the answer is " + largest("t4") + ". On an A100 it would be " + largest("a100") +
                    ", on an H200 " + largest("h200"));
}

/// What the text says about the lanes' addresses is what the virtual GPU counts for the same load.
TEST_F(HandoutsTest, SectorsOfATransposedLoadAreCountedOnes) {
  for (const auto& [file, said] : {std::pair{"chapters/02_rectangular_matmul/rect_tiled_transposed.cu",
                                             "tx goes down a column (starter)0 256 512 768 3,840 4 260 "},
                                   std::pair{"solutions/02_rectangular_matmul/rect_tiled_transposed.cu",
                                             "tx goes along a row0 4 8 12 60 256 260 "}}) {
    const auto check = Check({"02_rectangular_matmul/rect_tiled_transposed", "--file",
                              (layout_.root / file).string(), "--seed", "1", "--device", "virtual:a100"});
    std::uint64_t sectors = 0;
    for (const TestResult& test : check.Only().tests) {
      if (test.name != "RectTiledTransposed.NeighbouringThreadsLoadNeighbouringElements") continue;
      ASSERT_FALSE(test.launches.empty());
      const auto most = std::ranges::max_element(
          test.launches[0].lines, {}, [](const LineCounts& line) { return line.counts.global_load_sectors; });
      sectors = most->counts.global_load_sectors / most->counts.global_load_requests;
    }
    std::string text = said + std::to_string(sectors);
    std::erase(text, ' ');
    std::string page = Normalised(Chapter(2).text);
    std::erase(page, ' ');
    EXPECT_NE(page.find(Normalised(text)), std::string::npos) << text;
  }
}

TEST_F(HandoutsTest, CountsAreThoseOfACheck) {
  const fs::path mutant = layout_.MutantFolder("06_coarsening") / "coarsened_matmul.not_coarsened.cu";
  const auto check = Check({"06_coarsening/coarsened_matmul", "--file", mutant.string(), "--seed", "1",
                            "--device", "virtual:a100"});
  const auto& tests = check.Only().tests;
  const auto test =
      std::ranges::find(tests, "CoarsenedMatmul.TileOfMIsLoadedOnceForFourTilesOfP", &TestResult::name);
  ASSERT_NE(test, tests.end());
  ASSERT_FALSE(test->launches.empty());
  const Counts& counts = test->launches[0].totals;
  EXPECT_EQ(counts.global_load_bytes, 524'288u);
  EXPECT_EQ(counts.flops, 8 * counts.global_load_bytes);
  ExpectText(6, "524,288 bytes are loaded without coarsening, and 327,680 with a factor of 4");
  ExpectText(6, "one product at a time0.25tiles of 32 x 328coarsened by 412.8");  // The chart's words.
}

/// The chart of additions in chapter 7, from another run of the same checks.
TEST_F(HandoutsTest, AdditionsOfCopiesAreThoseOfACheck) {
  const auto additions = [&](const fs::path& file) {
    const auto check = Check(
        {"07_where_it_recurs/histogram", "--file", file.string(), "--seed", "1", "--device", "virtual:a100"});
    const auto& tests = check.Only().tests;
    const auto test = std::ranges::find(tests, "Histogram.FewCopiesAreAddedUp", &TestResult::name);
    if (test == tests.end() || test->launches.empty()) return std::string("no launch");
    std::string digits = std::to_string(test->launches[0].totals.global_atomic_bytes / 4);
    return digits.insert(digits.size() - 3, ",");
  };
  const fs::path mutants = layout_.MutantFolder("07_where_it_recurs");
  EXPECT_EQ(additions(layout_.root / "chapters/07_where_it_recurs/histogram.cu"), "262,144");
  ExpectText(7, "no copies262,144256 elements a copy" + additions(mutants / "histogram.not_coarsened.cu") +
                    "2,048 elements a copy" + additions(mutants / "histogram.too_many_copies.cu"));
}

/// The trees of chapter 5 as drawn are those that the virtual GPU runs: branches that diverge and wavefronts,
/// for each segment. Storing the sum adds a branch, and a load.
TEST_F(HandoutsTest, DrawnTreesAreThoseThatRun) {
  const auto per_segment = [&](const fs::path& file) {
    const auto check = Check({"05_bank_conflicts/reduce_sequential", "--file", file.string(), "--seed", "1",
                              "--device", "virtual:a100"});
    const auto& tests = check.Only().tests;
    const auto test = std::ranges::find(tests, "ReduceSequential.WarpsWorkOrRestAsAWhole", &TestResult::name);
    EXPECT_TRUE(test != tests.end() && !test->launches.empty()) << file;
    if (test == tests.end() || test->launches.empty()) return std::pair<std::uint64_t, std::uint64_t>{};
    const LaunchRecord& launch = test->launches[0];
    return std::pair{launch.totals.divergent_branches / launch.grid.x - 1,
                     launch.totals.shared_load_wavefronts / launch.grid.x - 1};
  };
  using Counted = std::pair<std::uint64_t, std::uint64_t>;
  const std::string name = "reduce_sequential";
  EXPECT_EQ(per_segment(layout_.root / "chapters" / "05_bank_conflicts" / (name + ".cu")), Counted(47, 94));
  EXPECT_EQ(per_segment(layout_.MutantFolder("05_bank_conflicts") / (name + ".interleaved_elements.cu")),
            Counted(5, 94));
  EXPECT_EQ(per_segment(layout_.root / "solutions" / "05_bank_conflicts" / (name + ".cu")), Counted(5, 24));
  ExpectText(5, "interleaved threads474717 %94");
  ExpectText(5, "interleaved elements12566.4 %94");
  ExpectText(5, "sequential12566.4 %24");
}

/// Each calculation that a page shows is right, for what it shows.
TEST_F(HandoutsTest, CalculationsAreRight) {
  const std::map<std::string, std::size_t> at_least = {{"01", 3}, {"04", 20}, {"05", 8}, {"06", 12}};
  for (const auto* version : {&students_, &instructor_}) {
    for (const auto& [name, page] : *version) {
      const std::vector<Equation> equations = EquationsIn(Normalised(page.text));
      for (const Equation& each : equations) EXPECT_TRUE(each.holds) << name << ": " << each.text;
      if (name.ends_with(".slides.html")) continue;  // Figures alone.
      const auto wanted = at_least.find(fs::path(name).filename().string().substr(0, 2));
      EXPECT_GE(equations.size(), wanted == at_least.end() ? 0 : wanted->second) << name;
    }
  }
}

TEST(Equations, RightAndWrongOnesAreTold) {
  const auto holds = [](const std::string& text) {
    const std::vector<Equation> found = EquationsIn(text);
    EXPECT_EQ(found.size(), 1u) << text;
    return found.size() == 1 && found[0].holds;
  };
  EXPECT_TRUE(holds("so 4 x 12 = 48 warps"));
  EXPECT_TRUE(holds("164 KB / 128 bytes = 1,312 threads"));
  EXPECT_TRUE(holds("66.9 / 4.8 = 13.9."));
  EXPECT_TRUE(holds("87 = 2 x 32 + 23: bank"));
  EXPECT_TRUE(holds("5,000 − 4,096 = 904"));
  EXPECT_FALSE(holds("4 x 12 = 49"));
  EXPECT_FALSE(holds("66.9 / 4.8 = 13.8."));
  EXPECT_FALSE(holds("64 + 71 x 4 = 540"));
  EXPECT_EQ(EquationsIn("block x = 1, thread tx = 5, a[3] = 4").size(), 0u);
}

/// What was measured comes from the files that the measuring commands wrote.
TEST_F(HandoutsTest, MeasuredTimesAreThoseOfTheResults) {
  const fs::path results = layout_.root / "tests" / "benchmarks" / "results";
  std::istringstream steps(cli_test::ReadText(results / "matmul_steps.h200.txt"));
  std::size_t rows = 0;
  std::string line;
  while (std::getline(steps, line) && !line.starts_with("step ")) {
  }
  while (std::getline(steps, line) && !line.starts_with("Counted")) {
    std::istringstream columns(line);
    std::string step, registers, threads, blocks, ms_1024, ms_2048;
    double ms = 0;
    if (!(columns >> step >> registers >> threads >> blocks >> ms_1024 >> ms_2048 >> ms)) continue;
    if (step == "coarsened_4_free" || step == "coarsened_8_free") continue;  // Not in the last table.
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << ms << std::setprecision(1) << 2e-9 * std::pow(4096, 3) / ms;
    ExpectText(6, text.str());
    ++rows;
  }
  EXPECT_EQ(rows, 11u);
  EXPECT_FALSE(fs::exists(layout_.HandoutFolder() / "measured.json"));
}

/// The sectors drawn for one row of 16 threads are those that the virtual GPU counts for a warp's two rows.
TEST_F(HandoutsTest, DrawnSectorsAreCountedOnes) {
  ExpectText(2, "read down a column: 16 sectors");
  ExpectText(2, "read along a row: 2 sectors");
  ExpectText(2, "from 16 sectors of 32 bytes");
}

/// The time lines of barriers and of latency draw what the virtual GPU counts in the solution of
/// tiled_matmul. To the left of each "=" is what is drawn, to the right what is counted, or the other way
/// round; CalculationsAreRight compares the two.
TEST_F(HandoutsTest, TimeLinesDrawCountedWork) {
  ExpectText(1, "98 + 73 + 45 + 20 = ");    // sectors, by block
  ExpectText(1, "4 x 8 x 2 x 16 = ");       // multiply-adds of warps
  ExpectText(1, " / 1,728 = 82 for each");  // instructions of a warp in a phase
  ExpectText(4, "734 / 82 = 9 slots");
}

TEST_F(HandoutsTest, OneChapterAlone) {
  const fs::path out = scratch() / "one";
  const ProgramRun run = Run({"handouts", "3", "--out", out.string()});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(fs::exists(out / "03_dynamic_shared_memory.html"));
  EXPECT_FALSE(fs::exists(out / "01_boundary_checks.html"));
  EXPECT_TRUE(fs::exists(out / "glossary.html"));
  const Page alone = ReadPage(cli_test::ReadText(out / "03_dynamic_shared_memory.html"));
  for (const Tag& tag : alone.tags)
    EXPECT_FALSE(tag.attributes.contains("rel")) << "a neighbour that is not there";
  const Page index = ReadPage(cli_test::ReadText(out / "index.html"));
  EXPECT_EQ(index.text.find("Boundary checks"), std::string::npos);
  EXPECT_NE(index.text.find("Dynamic shared memory"), std::string::npos);
}

TEST_F(HandoutsTest, WrongUsageIsTold) {
  EXPECT_EQ(Run({"handouts", "17"}).status, 2);
  const ProgramRun language = Run({"handouts", "--lang", "tlh"});
  EXPECT_EQ(language.status, 2);
  EXPECT_NE(language.err.find("there are no handouts in the language 'tlh'"), std::string::npos)
      << language.err;
  EXPECT_EQ(Run({"handouts", "--lang", "."}).status, 2);
  EXPECT_EQ(Run({"handouts", "3", "--out", "/dev/null/x"}).status, 2);
}

/// The worked examples are programs: they run without a finding and give what they should.
TEST_F(HandoutsTest, WorkedExamplesRun) {
  std::size_t examples = 0;
  for (const auto& entry : fs::directory_iterator(layout_.HandoutFolder() / "examples")) {
    if (entry.path().extension() != ".cu") continue;
    const fs::path program = fs::path(WARPLINGS_HANDOUT_EXAMPLES) / entry.path().stem();
    const ProgramRun run = Run({"run", program.string()});
    EXPECT_EQ(run.status, 0) << program << run.out << run.err;
    const bool launches_none = run.err.empty();
    EXPECT_TRUE(launches_none || run.err.starts_with("warplings: no errors found")) << program << run.err;
    ++examples;
    if (entry.path().stem() == "ask_for_occupancy") {
      ExpectText(4, "prints " + Normalised(run.out));
    } else {
      EXPECT_EQ(run.out, "ok\n") << program;
    }
  }
  const std::size_t chapters = LoadedWorkbook().chapters.size();
  if (examples != chapters) {
    ADD_FAILURE() << chapters << " chapters, " << examples
                  << " worked examples in handouts/examples/: write one for each chapter; "
                     "tests/handouts/meson.build lists them";
  }
}

/// What finish.py does to every page: the head of each table's row and column says so, what scrolls can be
/// focused, figures are numbered by chapter, text has real signs, and code has those of a keyboard.
TEST_F(HandoutsTest, PagesAreFinished) {
  for (const auto* version : {&students_, &instructor_}) {
    for (const auto& [name, page] : *version) {
      EXPECT_TRUE(page.ids.contains("main")) << name;
      for (const Tag& tag : page.tags) {
        const std::string needs = tag.name == "th" ? "scope" : tag.name == "pre" ? "tabindex" : "";
        EXPECT_TRUE(needs.empty() || tag.attributes.contains(needs)) << name << ": " << tag.name;
      }
      EXPECT_EQ(page.source.find("<th></th>"), std::string::npos) << name;
    }
  }
  const Page& fifth = Chapter(5);
  EXPECT_TRUE(fifth.ids.contains("figure-5-1"));
  // A number means the same figure for students and instructors, who see more of them: in answers.
  const auto figures = [](const Page& page) {
    std::set<std::string> ids;
    for (const std::string& id : page.ids) {
      if (id.starts_with("figure-")) ids.insert(id);
    }
    return ids;
  };
  for (const auto& [name, page] : students_) EXPECT_EQ(figures(instructor_[name]), figures(page)) << name;
  EXPECT_NE(fifth.text.find("Figure 5.1 "), std::string::npos);
  EXPECT_NE(fifth.source.find("<span class=\"kw\">__shared__</span>"), std::string::npos);
  EXPECT_NE(Chapter(1).text.find("3 × 3"), std::string::npos);
  EXPECT_NE(Chapter(1).text.find("“"), std::string::npos);
}

TEST(Pages, WhatIsNotWellFormedIsFound) {
  EXPECT_EQ(ReadPage("<script>if (a < b) c();</script><p>d</p>").fault, "");
  EXPECT_EQ(ReadPage("<script>if (a < b) c();</script><p>d</p>").text, "d");
  EXPECT_EQ(ReadPage("<p>a<br>b &lt;i&gt; <i class=\"x\">c</i></p>").fault, "");
  EXPECT_EQ(ReadPage("<p>a &lt;i&gt;<i>c</i></p>").text, "a <i>c");
  for (const char* wrong : {"<p>", "<p></i>", "<p id=\"a\"></p><p id=\"a\"></p>", "<p class=x></p>", "<p"}) {
    EXPECT_NE(ReadPage(wrong).fault, "") << wrong;
  }
}

}  // namespace
}  // namespace warplings::handouts_test
