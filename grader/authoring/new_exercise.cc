// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/new_exercise.h"

#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "grader/base/messages.h"
#include "grader/base/read_file.h"
#include "grader/base/replace.h"
#include "grader/messages/authoring.h"
#include "grader/messages/workbook.h"
#include "grader/workbook/chapter_file.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// The GoogleTest suite's name for an exercise: "MyKernel" for "my_kernel".
std::string CamelCase(const std::string& id) {
  std::string name;
  bool starts_word = true;
  for (const char c : id) {
    if (c != '_') name += starts_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    starts_word = c == '_';
  }
  return name;
}

/// "05_bank_conflicts" as a title: "Bank conflicts".
std::string TitleOf(const std::string& chapter) {
  std::string title = chapter.substr(3);
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  for (char& c : title) {
    if (c == '_') c = ' ';
  }
  return title;
}

struct Name {
  std::string chapter, exercise;
};

Result<Name> ParseName(const std::string& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t slash = text.find('/');
  const std::string chapter = text.substr(0, slash);
  const std::string exercise = slash == std::string::npos ? "" : text.substr(slash + 1);
  const bool chapter_is_fine = chapter.size() > 3 && is_digit(chapter[0]) && is_digit(chapter[1]) &&
                               chapter[2] == '_' && IsIdentifier(chapter.substr(3));
  if (chapter_is_fine && IsIdentifier(exercise)) return Name{chapter, exercise};
  return UsageError(say::no_name_of_new_exercise(text), say::give_chapter_and_exercise());
}

/// The chapter that has this one's number already, under another name.
std::string OtherOfThatNumber(const std::string& chapter, const Layout& layout) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(layout.root / "chapters", ignored)) {
    const std::string other = entry.path().filename().string();
    if (other != chapter && other.starts_with(chapter.substr(0, 3))) return other;
  }
  return "";
}

Result<std::string> ReadTemplate(const std::string& file, const Name& name, const Layout& layout) {
  const fs::path path = layout.TemplateFolder() / file;
  auto text = ReadFile(path);
  if (!text) return GraderError(say::cannot_read(path.string()), say::check_permissions());
  return ReplaceAll(ReplaceAll(*std::move(text), "@EXERCISE@", name.exercise), "@SUITE@",
                    CamelCase(name.exercise));
}

/// Which template becomes which file; chapter.toml apart.
std::vector<std::pair<std::string, fs::path>> Targets(const Name& name) {
  const fs::path mutants = fs::path("tests/mutants") / name.chapter;
  std::vector<std::pair<std::string, fs::path>> targets = {
      {"starter.cu", fs::path("chapters") / name.chapter / (name.exercise + ".cu")},
      {"contract.h", fs::path("chapters") / name.chapter / (name.exercise + ".h")},
      {"solution.cu", fs::path("solutions") / name.chapter / (name.exercise + ".cu")},
      {"suite.cc", fs::path("tests/suites") / name.chapter / (name.exercise + "_suite.cc")}};
  for (const char* id : {"grid_rounded_down", "unguarded", "block_index_left_out"}) {
    const std::string ending = std::string(".") + id + ".cu";
    targets.emplace_back("mutant" + ending, mutants / (name.exercise + ending));
  }
  return targets;
}

Result<NewFile> PlanEntry(const Name& name, const Layout& layout) {
  NewFile entry;
  entry.path = fs::path("chapters") / name.chapter / "chapter.toml";
  entry.append = fs::exists(layout.root / entry.path);
  auto text = ReadTemplate("exercise.toml", name, layout);
  if (!text) return text.error();
  const std::string head =
      "# SPDX-License-Identifier: Apache-2.0\n# The one place that knows this chapter's exercises.\n\ntitle "
      "= \"" +
      TitleOf(name.chapter) + "\"\n";
  entry.text = (entry.append ? "" : head) + *text;
  return entry;
}

Status WriteOne(const NewFile& file, const fs::path& path) {
  std::error_code fault;
  fs::create_directories(path.parent_path(), fault);
  std::ofstream stream(path, file.append ? std::ios::app | std::ios::binary : std::ios::binary);
  stream << file.text << std::flush;
  if (stream) return Unit{};
  return GraderError(say::cannot_write(path.string(), std::strerror(errno)),
                     say::check_permissions_and_room());
}

}  // namespace

Result<std::vector<NewFile>> PlanNewExercise(const std::string& text, const Layout& layout) {
  const auto name = ParseName(text);
  if (!name) return name.error();
  if (const std::string other = OtherOfThatNumber(name->chapter, layout); !other.empty()) {
    return UsageError(say::chapter_there_already(name->chapter.substr(0, 2), other),
                      say::give_chapter_or_free_number(other, name->exercise));
  }
  std::vector<NewFile> files;
  for (const auto& [source, target] : Targets(*name)) {
    if (fs::exists(layout.root / target)) {
      return UsageError(say::exists_already(target.string()), say::choose_other_name());
    }
    auto filled = ReadTemplate(source, *name, layout);
    if (!filled) return filled.error();
    files.push_back({target, std::move(*filled)});
  }
  // One for the whole chapter, so a second exercise finds it there.
  const fs::path handout = fs::path("handouts/text/en") / (name->chapter + ".html.j2");
  if (!fs::exists(layout.root / handout)) {
    auto filled = ReadTemplate("handout.html.j2", *name, layout);
    if (!filled) return filled.error();
    files.push_back({handout, std::move(*filled)});
  }
  auto entry = PlanEntry(*name, layout);
  if (!entry) return entry.error();
  files.push_back(std::move(*entry));
  return files;
}

Status WriteNewFiles(const std::vector<NewFile>& files, const Layout& layout) {
  // chapter.toml comes last: until then nothing knows of the others.
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Status written = WriteOne(files[i], layout.root / files[i].path);
    if (written) continue;
    std::error_code ignored;
    for (std::size_t j = 0; j <= i; ++j) {
      if (!files[j].append) fs::remove(layout.root / files[j].path, ignored);
    }
    return written;
  }
  // Which sources there are is asked when the build is configured; these files say so by being newer.
  for (const char* asks : {"tests/suites/meson.build", "grader/worker/meson.build"}) {
    std::error_code ignored;
    fs::last_write_time(layout.root / asks, fs::file_time_type::clock::now(), ignored);
  }
  return Unit{};
}

}  // namespace warplings
