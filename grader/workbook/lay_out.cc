// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/lay_out.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>

#include "grader/base/atomic_file.h"
#include "grader/base/messages.h"
#include "grader/base/read_file.h"
#include "grader/base/replace.h"
#include "grader/base/unique_fd.h"
#include "grader/messages/workbook.h"
#include "grader/workbook/laid_down.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNew = ".new";
constexpr std::string_view kCommandInTree = "./warplings";

/// The first line, without blanks at its end.
std::string_view WithoutEnd(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

Error FaultAt(const fs::path& path, const std::error_code& fault) {
  const bool is_full = fault == std::errc::no_space_on_device || fault.value() == EDQUOT;
  return UsageError(say::cannot_write(path.string(), fault.message()),
                    is_full ? say::free_space_and_go_on() : say::choose_writable_folder());
}

Result<std::string> ReadWhole(const fs::path& path) {
  std::error_code fault;
  if (!fs::is_regular_file(path, fault)) {
    return UsageError(say::no_ordinary_file(path.string()), say::move_away_and_run_again());
  }
  auto text = ReadFile(path);
  if (!text) return UsageError(say::cannot_read(path.string()), say::check_permissions_and_run_again());
  return *std::move(text);
}

/// One call's work: plan everything, stage everything, note it, put it into place.
class Layer {
 public:
  Layer(const fs::path& workbook, const std::vector<WorkbookFile>& files, const std::function<void()>& step)
      : workbook_(workbook), marker_(workbook / kWorkbookMarker), files_(files), step_(step) {}

  Result<LayOutResult> Run(const std::string& version) {
    if (Status locked = Lock(); !locked) return locked.error();
    if (Status read = ReadState(version); !read) return read.error();
    for (const WorkbookFile& file : files_) {
      if (Status planned = Plan(file); !planned) return planned.error();
    }
    if (Status done = PutIntoPlace(); !done) return done.error();
    return outcome_;
  }

 private:
  /// A staged file and where it goes.
  struct Move {
    fs::path staged, target;
    std::string path, hash, origin;   ///< As .warplings/laid_down notes it; `origin` may be "".
    std::optional<std::string> over;  ///< Hash of what it replaces; nothing is there if there is none.
  };

  Status MakeFolder(const fs::path& folder) {
    std::error_code fault;
    if (fs::is_directory(folder, fault)) return Unit{};
    step_();
    fs::create_directories(folder, fault);
    return fault ? Status(FaultAt(folder, fault)) : Status(Unit{});
  }

  Status Lock() {
    if (Status made = MakeFolder(marker_); !made) return made;
    lock_ = UniqueFd(open(marker_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (lock_ && flock(lock_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      return UsageError(say::another_is_at_work(workbook_.string()), say::wait_for_it());
    }
    return Unit{};
  }

  Status ReadState(const std::string& version) {
    if (IsStudentWorkbook(workbook_)) {
      auto read = ReadLaidDown(workbook_);
      if (!read) return read.error();
      before_ = std::move(*read);
      noted_ = LaidDownText(before_);
    }
    now_ = before_;
    now_.version = version;
    return Unit{};
  }

  Status Plan(const WorkbookFile& file) {
    const std::string hash = HashOfText(file.text), origin = OriginOf(file);
    const fs::path target = workbook_ / file.path;
    std::error_code ignored;
    if (!fs::exists(target, ignored)) {
      outcome_.added.push_back(file.path);
      return Replace(file.path, file, hash, std::nullopt);
    }
    const auto there = ReadWhole(target);
    if (!there) return there.error();
    const std::string hash_there = HashOfText(*there);
    if (hash_there == hash) {
      Remember(file.path, hash, origin);
      return Unit{};
    }
    if (before_.Has(file.path, hash_there)) {
      outcome_.replaced.push_back(file.path);
      return Replace(file.path, file, hash, hash_there);
    }
    if (before_.Has(file.path, hash) || (!origin.empty() && before_.Has(file.path, origin)))
      return Unit{};  // The student has edited what is still the newest version.
    return PlanBeside(file, hash);
  }

  Status PlanBeside(const WorkbookFile& file, const std::string& hash) {
    const std::string path = file.path + kNew;
    std::optional<std::string> hash_there;
    std::error_code ignored;
    if (fs::exists(workbook_ / path, ignored)) {
      const auto there = ReadWhole(workbook_ / path);
      if (!there) return there.error();
      hash_there = HashOfText(*there);
      if (*hash_there != hash && !before_.Has(path, *hash_there)) {
        outcome_.in_the_way.push_back(file.path);
        return Unit{};
      }
    }
    outcome_.beside.push_back(file.path);
    // The starter's own entry says "told of this version": noted only once the file lies there.
    beside_.push_back({file.path, hash, OriginOf(file)});
    return Replace(path, file, hash, hash_there);
  }

  Status Replace(const std::string& path, const WorkbookFile& file, const std::string& hash,
                 std::optional<std::string> over) {
    Remember(path, hash, OriginOf(file));
    moves_.push_back({Incoming() / std::to_string(moves_.size()), workbook_ / path, path, hash,
                      OriginOf(file), std::move(over)});
    texts_.push_back(file.text);
    return Unit{};
  }

  static std::string OriginOf(const WorkbookFile& file) {
    return file.origin.empty() ? "" : HashOfText(file.origin);
  }

  void Remember(const std::string& path, const std::string& hash, const std::string& origin) {
    now_.files[path].insert(hash);
    if (!origin.empty()) now_.files[path].insert(origin);
  }

  Status PutIntoPlace() {
    std::error_code fault;
    if (fs::exists(Incoming(), fault)) {  // Of a call that was interrupted.
      step_();
      fs::remove_all(Incoming(), fault);
    }
    Status status = Stage();
    if (status) status = Note();
    std::size_t moved = 0;
    while (status && moved < moves_.size()) {
      status = MoveOne(moves_[moved]);
      if (status) ++moved;
    }
    if (!status) Forget(moved);
    if (status && !beside_.empty()) {
      for (const auto& [path, hash, origin] : beside_) Remember(path, hash, origin);
      status = Note();
    }
    step_();
    fs::remove_all(Incoming(), fault);
    return status;
  }

  /// What was noted and not put into place is not what the student has: the next call has to offer it again.
  void Forget(std::size_t first) {
    for (std::size_t i = first; i < moves_.size(); ++i) {
      for (const std::string& hash : {moves_[i].hash, moves_[i].origin}) {
        if (!before_.Has(moves_[i].path, hash)) now_.files[moves_[i].path].erase(hash);
      }
    }
    if (IsStudentWorkbook(workbook_)) static_cast<void>(Note());  // The first fault is the one to report.
  }

  Status Stage() {
    if (moves_.empty()) return Unit{};
    if (Status made = MakeFolder(Incoming()); !made) return made;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      step_();
      if (Status written = WriteFileAtomically(moves_[i].staged, texts_[i]); !written) return written;
    }
    return Unit{};
  }

  Status Note() {
    const std::string text = LaidDownText(now_);
    if (text == noted_) return Unit{};
    if (Status made = MakeFolder(Incoming()); !made) return made;
    step_();
    const fs::path staged = Incoming() / "laid_down";
    if (Status written = WriteFileAtomically(staged, text); !written) return written;
    if (Status renamed = Rename(staged, LaidDownFile(workbook_)); !renamed) return renamed;
    noted_ = text;
    return Unit{};
  }

  /// Looks once more: an editor may have saved the file in the meantime.
  Status MoveOne(const Move& move) {
    if (Status made = MakeFolder(move.target.parent_path()); !made) return made;
    std::error_code ignored;
    const bool is_there = fs::exists(move.target, ignored);
    const auto text = is_there ? ReadWhole(move.target) : Result<std::string>(std::string());
    if (!text) return text.error();
    if (is_there != move.over.has_value() || (is_there && HashOfText(*text) != *move.over)) {
      return UsageError(say::changed_meanwhile(move.target.string()), say::run_command_again());
    }
    return Rename(move.staged, move.target);
  }

  Status Rename(const fs::path& from, const fs::path& to) {
    step_();
    std::error_code fault;
    fs::rename(from, to, fault);
    return fault ? Status(FaultAt(to, fault)) : Status(Unit{});
  }

  fs::path Incoming() const { return marker_ / "incoming"; }

  const fs::path workbook_, marker_;
  const std::vector<WorkbookFile>& files_;
  const std::function<void()>& step_;
  UniqueFd lock_;
  LaidDown before_, now_;
  std::string noted_;  ///< Text of .warplings/laid_down as it is now; "" where there is none.
  LayOutResult outcome_;
  std::vector<Move> moves_;
  std::vector<std::string> texts_;  ///< Of moves_.
  /// A file to which the newest version lies beside.
  struct Beside {
    std::string path, hash, origin;
  };
  std::vector<Beside> beside_;
};

Status AddFile(const fs::path& tree, const fs::path& path, const std::string& name,
               const std::string& command, std::vector<WorkbookFile>& files) {
  auto text = ReadWhole(tree / path);
  if (!text) return text.error();
  std::string here = TextInWorkbook(*text, command);
  const bool is_same = here == *text;
  files.push_back({name, std::move(here), is_same ? "" : std::move(*text)});
  return Unit{};
}

/// Nothing but what an interrupted call may have begun with.
bool IsEmptyFolder(const fs::path& folder, std::error_code& fault) {
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault)) {
    if (at->path().filename() != kWorkbookMarker) return false;
  }
  return !fault;
}

}  // namespace

std::string TextInWorkbook(const std::string& text, const std::string& command) {
  return ReplaceAll(text, std::string(kCommandInTree) + " ", command + " ");
}

std::string CommandInText(std::string_view text, std::string_view file) {
  const std::string kept(kCommandInTree);
  const std::size_t at = text.find(kept + " ");
  if (at == text.npos) return kept;
  // npos + 1 is 0.
  const std::string_view head = text.substr(text.rfind('\n', at) + 1, at - (text.rfind('\n', at) + 1));
  const std::string_view tail = WithoutEnd(text.substr(at + kept.size()));
  while (!file.empty()) {
    const std::string_view line = WithoutEnd(file);
    if (line.size() > head.size() + tail.size() && line.starts_with(head) && line.ends_with(tail))
      return std::string(line.substr(head.size(), line.size() - head.size() - tail.size()));
    file.remove_prefix(std::min(file.find('\n'), file.size() - 1) + 1);
  }
  return kept;
}

std::string TextInTree(const std::string& file, const std::string& command) {
  return ReplaceAll(file, command + " ", std::string(kCommandInTree) + " ");
}

Result<std::vector<WorkbookFile>> FilesOfWorkbook(const fs::path& tree, const Workbook& chapters,
                                                  const std::string& command) {
  std::vector<WorkbookFile> files;
  if (Status added = AddFile(tree, "grader/workbook/workbook.md", "README.md", command, files); !added)
    return added.error();
  std::error_code ignored;
  if (const std::string page = "chapters/grading.md"; fs::exists(tree / page, ignored)) {
    if (Status added = AddFile(tree, page, page, command, files); !added) return added.error();
  }
  for (const Chapter& chapter : chapters.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      for (const char* ending : {".cu", ".h", ".toml"}) {
        const fs::path path = fs::path("chapters") / chapter.id / (exercise.id + ending);
        if (std::string_view(ending) == ".toml" &&
            !(exercise.has_answers && fs::exists(tree / path, ignored))) {
          continue;
        }
        if (Status added = AddFile(tree, path, path.string(), command, files); !added) return added.error();
      }
    }
  }
  return files;
}

Result<LayOutResult> LayOutWorkbook(const fs::path& workbook, const std::vector<WorkbookFile>& files,
                                    const std::string& version, const std::function<void()>& before_step) {
  return Layer(workbook, files, before_step).Run(version);
}

Result<LayOutResult> MakeWorkbook(const fs::path& folder, const std::vector<WorkbookFile>& files,
                                  const std::string& version, const std::function<void()>& before_step) {
  std::error_code fault;
  const fs::file_status status = fs::status(folder, fault);
  if (fs::exists(status) && !fs::is_directory(status)) {
    return UsageError(say::is_a_file(folder.string()), say::name_new_folder());
  }
  if (fs::exists(status) && !IsStudentWorkbook(folder) && !IsEmptyFolder(folder, fault)) {
    if (fault) return UsageError(say::cannot_read_folder(folder.string(), fault.message()));
    return UsageError(say::neither_empty_nor_workbook(folder.string()), say::name_new_or_empty_folder());
  }
  if (const auto around = FindStudentWorkbook(folder); around && !IsStudentWorkbook(folder)) {
    return UsageError(say::would_lie_in_workbook(folder.string(), around->string()),
                      say::name_folder_outside());
  }
  return LayOutWorkbook(folder, files, version, before_step);
}

}  // namespace warplings
