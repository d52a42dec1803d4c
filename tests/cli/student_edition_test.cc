// SPDX-License-Identifier: Apache-2.0
// What `package --students` makes: the same commands work in it, and no file of it, read as text, as a page
// or as the bytes of a program, holds a line of a solution or of a wrong answer, a hint, or what is said of a
// misconception.
#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "grader/workbook/covered_texts.h"
#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

namespace fs = std::filesystem;

/// Bytes with each run of blanks and line ends as one space: a line is found however it is indented or
/// broken.
std::string Squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (out.ends_with(' ')) out.pop_back();
  return out.starts_with(' ') ? out.substr(1) : out;
}

/// What a reader of a page sees: code that is coloured has tags in its lines.
std::string TextOfPage(std::string_view page) {
  std::string out;
  for (std::size_t at = 0; at < page.size(); ++at) {
    if (page[at] == '<') {
      at = std::min(page.find('>', at), page.size());
      continue;
    }
    out += page[at];
  }
  const std::pair<const char*, const char*> entities[] = {{"&lt;", "<"},   {"&gt;", ">"},  {"&quot;", "\""},
                                                          {"&#34;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (const auto& [entity, character] : entities) {
    for (std::size_t at = 0; (at = out.find(entity, at)) != std::string::npos; ++at)
      out.replace(at, std::string_view(entity).size(), character);
  }
  return out;
}

/// A file as the proof reads it.
struct ReadFile {
  std::string name;
  std::vector<std::string> texts;  ///< Its bytes; of a page also what is seen of it. Squeezed.
};

std::vector<ReadFile> FilesBelow(const fs::path& folder) {
  std::vector<ReadFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.is_symlink()) continue;
    const std::string bytes = ReadText(entry.path());
    ReadFile file{fs::relative(entry.path(), folder).string(), {Squeezed(bytes)}};
    if (entry.path().extension() == ".html") file.texts.push_back(Squeezed(TextOfPage(bytes)));
    files.push_back(std::move(file));
  }
  return files;
}

/// Secrets by their first bytes, so that one look at each byte of a file finds all of them: there are
/// thousands of secrets and a hundred megabytes of programs.
class SecretsByBeginning {
 public:
  explicit SecretsByBeginning(const std::set<std::string>& secrets) {
    for (const std::string& secret : secrets) {
      const std::size_t length = secret.size() < kLong ? kShort : kLong;
      EXPECT_GE(secret.size(), kShort) << secret;
      const std::size_t key = Key(std::string_view(secret).substr(0, length));
      may_begin_[key % kFilter] = true;
      by_key_[key].push_back(&secret);
    }
  }

  /// Of these secrets, those that `text` holds.
  std::set<std::string> In(std::string_view text) const {
    std::set<std::string> found;
    for (std::size_t at = 0; at + kShort <= text.size(); ++at) {
      for (const std::size_t length : {kShort, kLong}) {
        const std::size_t key = Key(text.substr(at, length));
        if (!may_begin_[key % kFilter]) continue;
        const auto same_key = by_key_.find(key);
        if (same_key == by_key_.end()) continue;
        for (const std::string* secret : same_key->second)
          if (text.substr(at, secret->size()) == *secret) found.insert(*secret);
      }
    }
    return found;
  }

 private:
  static constexpr std::size_t kShort = 6, kLong = 16, kFilter = std::size_t{1} << 20;

  static std::size_t Key(std::string_view beginning) { return std::hash<std::string_view>()(beginning); }

  std::vector<bool> may_begin_ = std::vector<bool>(kFilter);  ///< By the key's remainder.
  std::unordered_map<std::size_t, std::vector<const std::string*>> by_key_;
};

/// "FILE holds: TEXT" for each text that stands in a file.
std::vector<std::string> Leaks(const std::vector<ReadFile>& files, const std::set<std::string>& secrets,
                               const std::string& except_below = "//") {
  const SecretsByBeginning beginnings(secrets);
  std::vector<std::string> leaks;
  for (const ReadFile& file : files) {
    if (file.name.starts_with(except_below)) continue;
    std::set<std::string> found;
    for (const std::string& text : file.texts) found.merge(beginnings.In(text));
    for (const std::string& secret : found) leaks.push_back(file.name + " holds: " + secret);
  }
  return leaks;
}

/// Lines of the answers below a folder that tell something: not what students have anyhow, in starters,
/// contracts and questions; not a comment or a directive; and not what has fewer than six letters and digits
/// ("++i;").
std::set<std::string> SecretLines(const fs::path& answers, const fs::path& chapters) {
  std::string known;
  for (const auto& entry : fs::recursive_directory_iterator(chapters)) {
    const std::string name = entry.path().filename();
    if (entry.is_regular_file() && !name.starts_with("chapter."))
      known += Squeezed(ReadText(entry.path())) + "\n";
  }
  // Said by the scripts of the interactive pages, too, which have nothing to do with it.
  known += "return found;\n";
  std::set<std::string> lines;
  for (const auto& entry : fs::recursive_directory_iterator(answers)) {
    if (!entry.is_regular_file() || entry.path().extension() == ".md") continue;
    std::istringstream text(ReadText(entry.path()));
    for (std::string line; std::getline(text, line);) {
      line = Squeezed(line);
      const auto letters = std::ranges::count_if(line, [](unsigned char c) { return std::isalnum(c) != 0; });
      if (letters < 6 || line.starts_with("//") || line.starts_with("#")) continue;
      if (known.find(line) == std::string::npos) lines.insert(line);
    }
  }
  return lines;
}

/// How each hint and each message begins, in both languages.
std::set<std::string> SecretTexts(const fs::path& tree) {
  std::set<std::string> texts;
  const auto add = [&](const std::string& text) { texts.insert(Squeezed(text).substr(0, 48)); };
  for (const char* language : {"en", "zh_Hant"}) {
    const auto workbook = LoadWorkbook(tree, language);
    EXPECT_TRUE(workbook.ok());
    if (!workbook) continue;
    for (const Chapter& chapter : workbook->chapters) {
      for (const Exercise& exercise : chapter.exercises) {
        std::ranges::for_each(exercise.hints, add);
        for (const MisconceptionText& each : exercise.misconceptions) {
          if (!each.message.empty()) add(each.message);
        }
      }
    }
  }
  return texts;
}

class StudentEditionTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shared_ = new ScratchFolder;
    const ProgramRun made = RunProgram({ThisLayout().TeachingProgram(), "package", "--students",
                                        shared_->path() / "made here", "--paper", "none"},
                                       {.environment = Environment()});
    ASSERT_EQ(made.status, 0) << made.out << made.err;
    fs::rename(shared_->path() / "made here", Edition());  // To another machine, say.
  }
  static void TearDownTestSuite() {
    delete shared_;
    shared_ = nullptr;
  }

  static fs::path Edition() { return shared_->path() / "my edition"; }
  static std::map<std::string, std::string> Environment() {
    return {{"XDG_STATE_HOME", shared_->path() / "state"},
            {"XDG_DATA_HOME", shared_->path() / "data"},
            {"XDG_CACHE_HOME", shared_->path() / "cache"},
            {"CUDA_VISIBLE_DEVICES", ""}};
  }
  static ProgramRun InEdition(std::vector<std::string> command) {
    command.insert(command.begin(), "./warplings");
    return RunProgram(command, {.environment = Environment(), .folder = Edition()});
  }
  static bool Has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  const fs::path root_ = ThisLayout().root;
  ScratchFolder scratch_;

 private:
  static ScratchFolder* shared_;
};

ScratchFolder* StudentEditionTest::shared_ = nullptr;

TEST_F(StudentEditionTest, HoldsNoLineOfASolution) {
  const auto secrets = SecretLines(root_ / "solutions", root_ / "chapters");
  EXPECT_GE(secrets.size(), 200u);
  const auto files = FilesBelow(Edition());
  EXPECT_GE(files.size(), 100u);
  EXPECT_EQ(Leaks(files, secrets), std::vector<std::string>());
  // Handouts show some reports as they are; that they show no hint is a test of theirs.
  EXPECT_EQ(Leaks(files, SecretTexts(root_), "handouts/"), std::vector<std::string>());
}

/// Handouts show reports about some wrong answers, with the lines that they are about.
TEST_F(StudentEditionTest, HoldsNoLineOfAWrongAnswerOrAnAlternative) {
  const auto files = FilesBelow(Edition());
  for (const char* folder : {"tests/mutants", "tests/alternatives"}) {
    // Many differ from a starter by a name or a number, and such a line may stand in any program.
    auto secrets = SecretLines(root_ / folder, root_ / "chapters");
    std::erase_if(secrets, [](const std::string& line) { return line.size() < 32; });
    EXPECT_GE(secrets.size(), 200u);
    EXPECT_EQ(Leaks(files, secrets, "handouts/"), std::vector<std::string>()) << folder;
  }
}

/// The proof is worth something only if it finds what is there.
TEST_F(StudentEditionTest, TheProofFindsWhatIsPlanted) {
  const auto secrets = SecretLines(root_ / "solutions", root_ / "chapters");
  const fs::path chosen = root_ / "solutions/06_coarsening/fast_matmul.cu";
  const auto of_one = SecretLines(chosen.parent_path(), root_ / "chapters");
  std::size_t planted = 0;
  for (const std::string& line : of_one) {
    if (planted == 20) break;
    ++planted;
    fs::remove_all(scratch_.path() / "p");
    WriteText(scratch_.path() / "p" / "clean.md", "Nothing to see.\n");
    ASSERT_TRUE(Leaks(FilesBelow(scratch_.path() / "p"), secrets).empty());
    std::string broken = line, page;
    if (const std::size_t space = broken.find(' '); space != std::string::npos)
      broken.replace(space, 1, "\n        ");
    for (const char c : line)
      page += c == '<' ? "<b>&lt;</b>" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    WriteText(scratch_.path() / "p" / "text.md", "See:\n\t  " + broken + "\n");
    WriteText(scratch_.path() / "p" / "program", std::string("\x7f"
                                                             "ELF\0\x01",
                                                             6) +
                                                     line + std::string(3, '\0'));
    WriteText(scratch_.path() / "p" / "page.html", "<pre><span>" + page + "</span></pre>");
    std::set<std::string> found;
    for (const std::string& leak : Leaks(FilesBelow(scratch_.path() / "p"), secrets))
      found.insert(leak.substr(0, leak.find(' ')));
    EXPECT_EQ(found, (std::set<std::string>{"page.html", "program", "text.md"})) << line;
  }
  EXPECT_EQ(planted, 20u);
  // Whole files that must not be in an edition are full of it.
  for (const char* folder : {"solutions", "reference/baselines"})
    EXPECT_FALSE(Leaks(FilesBelow(root_ / folder), secrets).empty()) << folder;
  EXPECT_FALSE(Leaks(FilesBelow(root_ / "chapters"), SecretTexts(root_)).empty());
}

TEST_F(StudentEditionTest, TheSameCommandsWorkInside) {
  EXPECT_TRUE(Has(InEdition({"check", "tiled_matmul"}).out, "begin at TODO 1, line 24"));
  const fs::path file = Edition() / "chapters/01_boundary_checks/tiled_matmul.cu";
  EXPECT_TRUE(Has(ReadText(file), "//   ./warplings check tiled_matmul\n")) << ReadText(file);
  WriteText(file, ReadText(file) + "// mine\n");
  const ProgramRun starter = InEdition({"check", "tiled_matmul"});
  EXPECT_EQ(starter.status, 1) << starter.out << starter.err;
  EXPECT_TRUE(Has(starter.out, "Do this first")) << starter.out;
  const ProgramRun hint = InEdition({"hint", "tiled_matmul"});
  EXPECT_EQ(hint.status, 0) << hint.err;
  EXPECT_TRUE(Has(hint.out, "tiled_matmul, hint ")) << hint.out;
  const ProgramRun drill = InEdition({"drill", "--answer", "row_start", "40"});
  EXPECT_EQ(drill.status, 0) << drill.out << drill.err;
  EXPECT_TRUE(Has(InEdition({"drill", "--list", "2"}).out, "1 of 10 drills answered correctly"));
  WriteText(scratch_.path() / "mine.cu", ReadText(root_ / "solutions/01_boundary_checks/tiled_matmul.cu"));
  const ProgramRun solved =
      InEdition({"check", "tiled_matmul", "--file", (scratch_.path() / "mine.cu").string()});
  EXPECT_EQ(solved.status, 0) << solved.out << solved.err;
  EXPECT_TRUE(Has(solved.out, "PASSED: 14 of 14 tests passed")) << solved.out;
  EXPECT_TRUE(Has(solved.out, "times as fast as")) << "beside the baseline, which is covered: " << solved.out;
  EXPECT_TRUE(Has(solved.out, "handouts/students/01_boundary_checks.html#")) << solved.out;
  EXPECT_TRUE(Has(InEdition({"list"}).out, "passed"));
  const ProgramRun profile =
      InEdition({"check", "tiled_matmul", "--html", (scratch_.path() / "page.html").string()});
  EXPECT_TRUE(fs::exists(scratch_.path() / "page.html")) << profile.out << profile.err;
  EXPECT_EQ(InEdition({"handouts"}).out, "handouts/students/index.html\n");
  EXPECT_EQ(InEdition({"update"}).status, 0);
  for (const char* said :
       {"This edition holds no solutions", "Your course may count otherwise", "regrade.toml"})
    EXPECT_TRUE(Has(ReadText(Edition() / "README.md"), said)) << "update keeps it";
}

TEST_F(StudentEditionTest, ItsVersionSaysWhichEditionItIs) {
  const ProgramRun version = InEdition({"--version"});
  EXPECT_TRUE(version.out.starts_with("warplings ")) << version.out << version.err;
  EXPECT_TRUE(version.out.ends_with("+students\n")) << version.out << version.err;
}

TEST_F(StudentEditionTest, WhatItDoesNotHoldIsSaidClearly) {
  const ProgramRun solution = InEdition({"solution", "tiled_matmul", "--yes"});
  EXPECT_EQ(solution.status, 2) << solution.out;
  EXPECT_TRUE(Has(solution.err, "The student edition has no solutions")) << solution.err;
  EXPECT_EQ(InEdition({"check", "tiled_matmul", "--solution"}).status, 2);
  for (const char* verb : {"grade", "verify", "package", "selftest"}) {
    const ProgramRun run = InEdition({verb});
    EXPECT_EQ(run.status, 2) << verb;
    EXPECT_FALSE(Has(InEdition({"help"}).out, std::string("\n  ") + verb + " ")) << verb;
  }
}

TEST_F(StudentEditionTest, AWheelOfItHoldsNoLineOfASolution) {
  const fs::path out = scratch_.path() / "wheels", unpacked = scratch_.path() / "unpacked";
  const ProgramRun made = RunProgram({ThisLayout().TeachingProgram(), "package", "--students",
                                      scratch_.path() / "edition", "--without-handouts", "--wheel", out},
                                     {.environment = {{"XDG_STATE_HOME", scratch_.path() / "state"}}});
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  const fs::path wheel = *fs::directory_iterator(out);
  EXPECT_TRUE(Has(wheel.filename(), "+students-py3-none-manylinux_")) << "which PyPI refuses: " << wheel;
  ASSERT_EQ(RunProgram({"python3", "-m", "zipfile", "-e", wheel, unpacked}).status, 0);
  const auto files = FilesBelow(unpacked);
  EXPECT_GE(files.size(), 100u);
  EXPECT_EQ(Leaks(files, SecretLines(root_ / "solutions", root_ / "chapters")), std::vector<std::string>());
  EXPECT_EQ(Leaks(files, SecretTexts(root_)), std::vector<std::string>());
}

TEST_F(StudentEditionTest, AWheelInTheStudentsFolderIsRefusedAtOnce) {
  const fs::path edition = scratch_.path() / "edition";
  fs::create_directory_symlink(scratch_.path(), scratch_.path() / "link");
  for (const fs::path& wheels :
       {edition, edition / "", edition / "wheels", scratch_.path() / "link" / "edition" / "x"}) {
    const ProgramRun run =
        RunProgram({ThisLayout().TeachingProgram(), "package", "--students", edition, "--wheel", wheels},
                   {.environment = Environment()});
    EXPECT_EQ(run.status, 2) << wheels << run.out;
    EXPECT_TRUE(Has(run.err, "is in the folder that students get")) << run.err;
    EXPECT_TRUE(Has(run.err, (scratch_.path() / "wheels").string())) << run.err;
    EXPECT_FALSE(fs::exists(edition)) << "nothing was made first";
  }
}

TEST_F(StudentEditionTest, AFolderThatIsThereIsLeftAlone) {
  WriteText(scratch_.path() / "there" / "mine.cu", "// mine\n");
  const ProgramRun run =
      RunProgram({ThisLayout().TeachingProgram(), "package", "--students", scratch_.path() / "there"},
                 {.environment = Environment()});
  EXPECT_EQ(run.status, 2) << run.out;
  EXPECT_TRUE(Has(run.err, "already exists")) << run.err;
  EXPECT_EQ(ReadText(scratch_.path() / "there" / "mine.cu"), "// mine\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch_.path()), {}), 1) << "nothing was left beside it";
}

}  // namespace
}  // namespace warplings::cli_test
