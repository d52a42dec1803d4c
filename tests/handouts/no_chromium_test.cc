// SPDX-License-Identifier: Apache-2.0
// Handouts on a machine without a browser that prints: pages all the same, one line that says what is
// missing, and no PDF, not even one of an earlier time.
#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "tests/cli/cli_fixture.h"

namespace warplings::handouts_test {
namespace {

namespace fs = std::filesystem;
using cli_test::ProgramRun;
using cli_test::ReadText;

/// As grader/pages/chromium.py looks for it.
constexpr const char* kBrowsers[] = {"chromium", "chromium-browser", "google-chrome-stable", "google-chrome"};

bool IsBrowser(const fs::path& file) {
  return std::ranges::count(kBrowsers, file.filename().string()) > 0;
}

class HandoutsWithoutChromium : public cli_test::CliFixture {
 protected:
  /// PATH, with a folder of links to all the others in the place of each folder that holds a browser.
  std::string PathWithoutBrowsers() {
    std::string path;
    std::istringstream folders(std::getenv("PATH"));
    for (std::string folder; std::getline(folders, folder, ':');) {
      const bool has_one = std::ranges::any_of(
          kBrowsers, [&](const char* name) { return fs::exists(fs::path(folder) / name); });
      path += (path.empty() ? "" : ":") + (has_one ? LinksToTheOthers(folder).string() : folder);
    }
    return path;
  }

  /// The chapter with the fewest samples, in one language.
  ProgramRun Build(const std::vector<std::string>& more) {
    std::vector<std::string> command = {"handouts", "3", "--lang", "en", "--out", out_.string()};
    command.insert(command.end(), more.begin(), more.end());
    return Run(command, {.environment = {{"PATH", PathWithoutBrowsers()}}});
  }

  std::vector<std::string> FilesWith(const std::string& extension) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(out_)) {
      if (entry.path().extension() == extension) names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  const fs::path out_ = scratch() / "pages";

 private:
  fs::path LinksToTheOthers(const fs::path& folder) {
    const fs::path links = scratch() / ("path-" + std::to_string(++folders_));
    fs::create_directories(links);
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (!IsBrowser(entry.path())) fs::create_symlink(entry.path(), links / entry.path().filename());
    }
    return links;
  }

  int folders_ = 0;
};

int TimesIn(const std::string& text, const std::string& part) {
  int times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

/// Without the lines that say how far the samples are, on a machine that takes long for them.
std::string WithoutProgress(const std::string& text) {
  return std::regex_replace(text, std::regex("\\d+ of \\d+ samples have run\n"), "");
}

TEST_F(HandoutsWithoutChromium, PagesAndALineThatSaysWhatToInstall) {
  const std::string page = "03_dynamic_shared_memory";
  fs::create_directories(out_);
  cli_test::WriteText(out_ / (page + "-A4.pdf"), "printed from a page that has changed since");
  const ProgramRun run = Build({});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(WithoutProgress(run.err), "");
  EXPECT_EQ(
      run.out.find("No PDF: there is no Chromium here. Install the package chromium (or Google Chrome), "
                   "or print the pages from a browser.\n"),
      0u)
      << run.out;
  EXPECT_EQ(TimesIn(run.out, "Chromium"), 1) << run.out;
  EXPECT_EQ(TimesIn(run.out, "\n"), 2) << "one line of that, one that says where the pages are: " << run.out;

  const auto pages = FilesWith(".html");
  for (const std::string& name : {page, std::string("index"), std::string("glossary")}) {
    EXPECT_EQ(std::ranges::count(pages, name + ".html"), 1) << name;
  }
  EXPECT_TRUE(FilesWith(".pdf").empty()) << FilesWith(".pdf").front();
  // Nor does a page lead to one.
  for (const std::string& name : pages) {
    EXPECT_EQ(ReadText(out_ / name).find(".pdf\""), std::string::npos) << name;
  }
}

TEST_F(HandoutsWithoutChromium, WhoWantsNoPaperIsToldNothing) {
  const ProgramRun run = Build({"--paper", "none"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(TimesIn(run.out, "Chromium"), 0) << run.out;
  EXPECT_EQ(TimesIn(run.out, "\n"), 1) << run.out;
}

/// The PDFs take longer than the samples, whose time is announced.
TEST_F(HandoutsWithoutChromium, TheFirstFigureSaysThatItIsWithoutPdfs) {
  for (const std::string paper : {"A4", "none"}) {
    const ProgramRun run = Run({"handouts", "2", "--lang", "en", "--paper", paper, "--out", out_.string()},
                               {.environment = {{"PATH", PathWithoutBrowsers()},
                                                {"XDG_CACHE_HOME", scratch() / ("no results " + paper)}}});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_EQ(TimesIn(run.err, "Running the 2 samples that the pages show: about "), 1) << run.err;
    EXPECT_EQ(TimesIn(run.err, "The PDFs, if Chromium is installed, take minutes more; `--paper none`"),
              paper == "A4" ? 1 : 0)
        << run.err;
  }
}

/// Most readers have the program on PATH, those of a student edition in their folder.
TEST_F(HandoutsWithoutChromium, PagesCallTheProgramAsTheirReadersDo) {
  const auto says = [&](const std::string& command) {
    int times = 0;
    for (const std::string& name : FilesWith(".html")) times += TimesIn(ReadText(out_ / name), command);
    return times;
  };
  ASSERT_EQ(Build({"--paper", "none"}).status, 0);
  const int times = says("<code>./warplings drill 3</code>");
  EXPECT_GT(times, 0);
  ASSERT_EQ(Build({"--paper", "none", "--command", "warplings"}).status, 0);
  EXPECT_EQ(says("<code>warplings drill 3</code>"), times);
  EXPECT_EQ(says("./warplings"), 0);
  ASSERT_EQ(Build({"--paper", "none", "--command", "'/a<b/warplings'"}).status, 0);
  EXPECT_EQ(says("<code>&#39;/a&lt;b/warplings&#39; drill 3</code>"), times);
  // Those of the folder and those of the wheel, as `package` makes them.
  const fs::path of_pip = scratch() / "of pip";
  ASSERT_EQ(Build({"--paper", "none", "--for-pip", of_pip}).status, 0);
  EXPECT_EQ(says("<code>./warplings drill 3</code>"), times);
  const std::string page = ReadText(of_pip / "03_dynamic_shared_memory.html");
  EXPECT_GT(TimesIn(page, "<code>warplings drill 3</code>"), 0);
  EXPECT_EQ(TimesIn(page, "./warplings"), 0);
}

using HandoutsWithoutFont = HandoutsWithoutChromium;

/// What stands for a browser notes which pages were there when it was started.
class HandoutsOpened : public HandoutsWithoutChromium {
 protected:
  ProgramRun Open(const std::string& locale, const std::vector<std::string>& more = {}) {
    const fs::path programs = scratch() / "programs";
    fs::create_directories(programs);
    cli_test::WriteText(programs / "xdg-open", "#!/bin/sh\necho \"$1\" > " + seen_.string() + "\nfind " +
                                                   out_.string() + " -type f >> " + seen_.string() + "\n");
    cli_test::WriteText(programs / "chromium", "#!/bin/sh\n");
    for (const char* name : {"xdg-open", "chromium"}) fs::permissions(programs / name, fs::perms::owner_all);
    std::vector<std::string> command = {"handouts", "3", "--open", "--out", out_.string()};
    command.insert(command.end(), more.begin(), more.end());
    return Run(command, {.environment = {{"PATH", programs.string() + ":" + PathWithoutBrowsers()},
                                         {"LC_ALL", locale}}});
  }
  /// "zh_Hant/index.html": it was there when the browser was started.
  bool WasThere(const std::string& page) const {
    return TimesIn(ReadText(seen_), (out_ / page).string() + "\n") > 0;
  }

  const fs::path seen_ = scratch() / "seen";
};

TEST_F(HandoutsOpened, TheReadersPagesComeFirst) {
  const ProgramRun run = Open("C.UTF-8");
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_TRUE(ReadText(seen_).starts_with((out_ / "index.html").string() + "\n")) << ReadText(seen_);
  EXPECT_TRUE(WasThere("03_dynamic_shared_memory.html"));
  EXPECT_FALSE(WasThere("zh_Hant/03_dynamic_shared_memory.html")) << "nobody waits for a language of others";
  EXPECT_TRUE(fs::exists(out_ / "zh_Hant" / "03_dynamic_shared_memory.html"));
  EXPECT_EQ(TimesIn(run.out, "The pages in other languages follow."), 1) << run.out;
  // The page that was shown first leads to the one that came later.
  EXPECT_EQ(TimesIn(ReadText(out_ / "index.html"), "href=\"zh_Hant/index.html\""), 1);
  EXPECT_TRUE(FilesWith(".pdf").empty()) << "unasked";

  fs::remove_all(out_);
  const ProgramRun chinese = Open("zh_TW.UTF-8");
  EXPECT_EQ(chinese.status, 0) << chinese.out << chinese.err;
  EXPECT_TRUE(WasThere("zh_Hant/03_dynamic_shared_memory.html"));
  EXPECT_FALSE(WasThere("03_dynamic_shared_memory.html"));
  EXPECT_TRUE(fs::exists(out_ / "03_dynamic_shared_memory.html"));
}

/// The stand-in for Chromium prints nothing, so the command fails; the pages have been shown by then.
TEST_F(HandoutsOpened, PagesComeBeforePdfs) {
  const ProgramRun run = Open("C.UTF-8", {"--paper", "A4", "--lang", "en"});
  EXPECT_NE(run.status, 0) << run.out;
  EXPECT_TRUE(WasThere("03_dynamic_shared_memory.html"));
  EXPECT_EQ(TimesIn(run.out, "The PDFs and the pages in other languages follow."), 1) << run.out;
}

/// A browser would print boxes. Any program called chromium will do: none is started where there is nothing
/// to print.
TEST_F(HandoutsWithoutFont, NoPdfOfALanguageThatNoFontHereCanWrite) {
  const fs::path programs = scratch() / "programs";
  fs::create_directories(programs);
  for (const char* name : {"fc-list", "chromium"}) {
    cli_test::WriteText(programs / name, "#!/bin/sh\n");
    fs::permissions(programs / name, fs::perms::owner_all);
  }
  const fs::path old = out_ / "zh_Hant" / "03_dynamic_shared_memory-A4.pdf";
  fs::create_directories(old.parent_path());
  cli_test::WriteText(old, "printed where there was a font");
  const ProgramRun run = Run({"handouts", "3", "--lang", "zh_Hant", "--out", out_.string()},
                             {.environment = {{"PATH", programs.string() + ":" + PathWithoutBrowsers()}}});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(TimesIn(run.out, "Install the package fonts-noto-cjk"), 1) << run.out;
  EXPECT_EQ(TimesIn(run.out, "Chromium"), 0) << run.out;
  EXPECT_TRUE(FilesWith(".pdf").empty()) << FilesWith(".pdf").front();
  EXPECT_EQ(ReadText(out_ / "zh_Hant" / "03_dynamic_shared_memory.html").find(".pdf\""), std::string::npos);
}

TEST_F(HandoutsWithoutFont, DoctorSaysWhatToInstall) {
  const fs::path programs = scratch() / "programs";
  fs::create_directories(programs);
  for (const char* name : {"fc-list", "chromium"}) {
    cli_test::WriteText(programs / name, "#!/bin/sh\n");
    fs::permissions(programs / name, fs::perms::owner_all);
  }
  const cli_test::ProgramOptions options{
      .environment = {{"PATH", programs.string() + ":" + PathWithoutBrowsers()}},
      .time_limit = std::chrono::seconds(600)};
  const std::string without = Run({"doctor"}, options).out;
  EXPECT_NE(without.find("warn  handouts as PDF"), std::string::npos) << without;
  EXPECT_NE(without.find("Install one: sudo apt install fonts-noto-cjk"), std::string::npos) << without;
  cli_test::WriteText(programs / "fc-list", "#!/bin/sh\necho 'Noto Sans CJK TC'\n");
  const std::string with = Run({"doctor"}, options).out;
  EXPECT_NE(with.find("ok    handouts as PDF"), std::string::npos) << with;
}

}  // namespace
}  // namespace warplings::handouts_test
