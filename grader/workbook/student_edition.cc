// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/student_edition.h"

#include <algorithm>
#include <system_error>

#include "grader/base/atomic_file.h"
#include "grader/base/messages.h"
#include "grader/base/read_file.h"
#include "grader/messages/workbook.h"
#include "grader/workbook/covered_texts.h"
#include "grader/workbook/lay_out.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// What is copied into program/ unchanged; folders with everything in them.
constexpr const char* kCopied[] = {
    "bin/warplings",
    "lib/warplings/grader/cli/warplings-cli",
    "lib/warplings/grader/device/program",
    "lib/warplings/grader/runtime",
    "lib/warplings/grader/worker",
    "lib/warplings/installed",
    "lib/warplings/libraries",
    "lib/warplings/tests/suites",
    "share/bash-completion",
    "share/fish",
    "share/man",
    "share/warplings/LICENSE",
    "share/warplings/chapters",
    "share/warplings/docs/elsewhere.md",
    "share/warplings/docs/profile.schema.json",
    "share/warplings/docs/profile_page.schema.json",
    "share/warplings/docs/result.schema.json",
    "share/warplings/docs/virtual_gpu.md",
    "share/warplings/grader/build/nvcc_probe.cu",
    "share/warplings/grader/pages/chromium.py",
    "share/warplings/grader/pages/listing.py",
    "share/warplings/grader/pages/page.html.j2",
    "share/warplings/grader/pages/pages.css",
    "share/warplings/grader/pages/pages.py",
    "share/warplings/grader/pages/profile",
    "share/warplings/grader/pages/words.py",
    "share/warplings/licences",
    "share/warplings/po",
    "share/zsh",
};

/// Shared libraries are only beside programs that a wheel brought, licences only where the machine that built
/// them had them, and another mandir moves the manual page.
bool MayBeMissing(std::string_view path) {
  return path == "lib/warplings/libraries" || path == "share/warplings/licences" || path == "share/man";
}

Error CannotWrite(const fs::path& path, const std::error_code& fault) {
  return UsageError(say::cannot_write(path.string(), fault.message()), say::free_space_or_name_folder());
}

Status Copy(const fs::path& from, const fs::path& to) {
  std::error_code fault;
  fs::create_directories(to.parent_path(), fault);
  if (!fault) fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::copy_symlinks, fault);
  if (fault) return CannotWrite(to, fault);
  return Unit{};
}

Status CopyProgram(const fs::path& prefix, const fs::path& program) {
  for (const char* path : kCopied) {
    std::error_code fault;
    if (!fs::exists(prefix / path, fault)) {
      if (MayBeMissing(path)) continue;
      return GraderError(say::part_missing((prefix / path).string()), say::install_again());
    }
    if (const Status copied = Copy(prefix / path, program / path); !copied) return copied;
  }
  return Unit{};
}

Result<std::string> ReadAll(const fs::path& file) {
  auto text = ReadFile(file);
  if (!text) return GraderError(say::cannot_read(file.string()), say::check_permissions());
  return *std::move(text);
}

/// chapter.toml in each language, as opposed to the answers that a student fills in.
bool IsChapterText(const fs::path& file) {
  const std::string name = file.filename();
  return name.starts_with("chapter.") && name.ends_with(".toml");
}

/// Chapters' texts and baselines; those that were copied are removed.
Status CoverTree(const fs::path& tree, const fs::path& copy) {
  TextsByName texts;
  for (const char* folder : {"chapters", "reference/baselines"}) {
    for (const auto& entry : fs::recursive_directory_iterator(tree / folder)) {
      if (!entry.is_regular_file() || (folder == std::string_view("chapters") && !IsChapterText(entry)))
        continue;
      const fs::path name = fs::relative(entry.path(), tree);
      auto text = ReadAll(entry.path());
      if (!text) return text.error();
      texts[name.string()] = std::move(*text);
      std::error_code is_not_there;
      fs::remove(copy / name, is_not_there);
    }
  }
  return WriteFileAtomically(copy / kCoveredTextsFile, CoverTexts(texts));
}

Status LayOutChapters(const fs::path& tree, const fs::path& folder, const std::string& version) {
  const auto workbook = LoadWorkbook(tree);
  if (!workbook) return workbook.error();
  const auto files = FilesOfWorkbook(tree, *workbook, "./warplings");
  if (!files) return files.error();
  const auto made = MakeWorkbook(folder, *files, version);
  if (!made) return made.error();
  return Unit{};
}

Status Fill(const fs::path& prefix, const fs::path& handouts, const fs::path& folder,
            const std::string& version) {
  const fs::path program = folder / "program", tree = program / "share" / "warplings";
  if (const Status made = CopyProgram(prefix, folder / "program"); !made) return made;
  if (const Status made = CoverTree(prefix / "share" / "warplings", tree); !made) return made;
  // Where `update` looks for a workbook's README.md.
  const fs::path page = fs::path("grader") / "workbook" / "workbook.md";
  if (const Status made = Copy(prefix / "share/warplings/grader/workbook/student_edition.md", tree / page);
      !made)
    return made;
  // The workbook is made of what students get, so that what was covered too much would be missed here.
  if (const Status made = LayOutChapters(tree, folder / "workbook", version); !made) return made;
  for (const auto& entry : fs::directory_iterator(folder / "workbook")) {
    fs::rename(entry.path(), folder / entry.path().filename());
  }
  fs::remove(folder / "workbook");
  fs::create_symlink("program/bin/warplings", folder / "warplings");
  if (handouts.empty()) return Unit{};
  return Copy(handouts, folder / "handouts" / "students");
}

bool IsThereAndNotEmpty(const fs::path& folder) {
  std::error_code fault;
  return fs::exists(fs::symlink_status(folder, fault)) &&
         !(fs::is_directory(folder, fault) && fs::is_empty(folder, fault));
}

}  // namespace

Status MakeStudentEdition(const fs::path& prefix, const fs::path& handouts, const fs::path& folder,
                          const std::string& version) {
  if (IsThereAndNotEmpty(folder)) {
    return UsageError(say::there_already(folder.string()), say::name_new_folder());
  }
  // A name without its last slash.
  const fs::path whole = folder.has_filename() ? folder : folder.parent_path();
  const fs::path incoming = whole.string() + ".incoming";
  std::error_code fault;
  fs::remove_all(incoming, fault);  // What an interrupted call left.
  fs::create_directories(incoming, fault);
  if (fault) return CannotWrite(incoming, fault);
  Status made = Unit{};
  try {
    made = Fill(prefix, handouts, incoming, version);
    if (made) fs::rename(incoming, whole);
  } catch (const fs::filesystem_error& error) {
    made = CannotWrite(error.path1(), error.code());
  }
  if (!made) fs::remove_all(incoming, fault);
  return made;
}

}  // namespace warplings
