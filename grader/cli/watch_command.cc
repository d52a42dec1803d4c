// SPDX-License-Identifier: Apache-2.0
//
// Theory of operation: one process with one loop, which waits for three things at once: the folders of the
// workbook's files (inotify), keys, and signals (signalfd). Each check is a process of its own, `check
// EXERCISE`, in a process group of its own, whose output is read through a pipe and shown when it has ended.
// A save while one runs asks it to end (SIGTERM: it takes down all that it started) and starts the next as
// soon as it is gone. So whatever a submission does, this loop stays awake.
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "grader/base/catalogue.h"
#include "grader/base/pipe.h"
#include "grader/base/unique_fd.h"
#include "grader/cli/chosen_exercise.h"
#include "grader/cli/command.h"
#include "grader/cli/typed_name.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/choose_submissions.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/terminal_report.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kWatchFooter =
    "Checks the exercise now, and again each time you save its file. Once it passes, the next one is\n"
    "watched. If you save another exercise's file, that exercise is watched from then on.\n"
    "Keys: h next hint, n next exercise, l list, r check again, ? what the keys do, q quit.\n"
    "\n"
    "Examples:\n"
    "  warplings watch                                 the exercise that you are at work on\n"
    "  warplings watch tiled_matmul --file ~/mine.cu\n"
    "\n"
    "Exit status: 0 after q; 2 wrong usage; 130 after Ctrl-C.";

struct WatchOptions {
  std::string exercise, file;
  std::filesystem::path root = CurrentWorkbook();
};

/// Keys one by one and without an echo, until it goes out of scope. Ctrl-C and Ctrl-Z stay signals.
class RawKeys {
 public:
  RawKeys() : is_terminal_(::tcgetattr(STDIN_FILENO, &former_) == 0) { Begin(); }
  ~RawKeys() { End(); }
  RawKeys(const RawKeys&) = delete;
  RawKeys& operator=(const RawKeys&) = delete;
  void Begin() const {
    if (!is_terminal_) return;
    termios raw = former_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  void End() const {
    if (is_terminal_) ::tcsetattr(STDIN_FILENO, TCSANOW, &former_);
  }

 private:
  termios former_{};
  bool is_terminal_;
};

sigset_t Signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int each : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH}) sigaddset(&set, each);
  return set;
}

/// A folder and a name in it, as inotify says where something was written.
using WatchedName = std::pair<std::filesystem::path, std::filesystem::path>;

std::filesystem::path FolderOf(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

/// The workbook's files, with their exercises' full names.
std::map<WatchedName, std::string> WatchedFiles(const Workbook& workbook) {
  std::map<WatchedName, std::string> files;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      const std::filesystem::path file = exercise.starter, folder = FolderOf(file);
      files[{folder, file.filename()}] = FullName(exercise);
      if (exercise.has_answers) files[{folder, exercise.id + ".toml"}] = FullName(exercise);
    }
  }
  return files;
}

class Watch {
 public:
  Watch(WatchOptions options, const Workbook& workbook, const Exercise& exercise)
      : options_(std::move(options)), workbook_files_(WatchedFiles(workbook)) {
    Follow(exercise);
    const sigset_t set = Signals();
    ::sigprocmask(SIG_BLOCK, &set, &former_signals_);
    signals_ = UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  }

  int Run() {
    Start({"check", name_});
    while (!quit_) {
      std::array<pollfd, 4> wanted = {{{files_.get(), POLLIN, 0},
                                       {signals_.get(), POLLIN, 0},
                                       {keys_open_ ? STDIN_FILENO : -1, POLLIN, 0},
                                       {output_.get(), POLLIN, 0}}};
      const int ready = ::poll(wanted.data(), wanted.size(), Patience());
      if (ready < 0 && errno != EINTR) break;
      if (wanted[0].revents != 0) TakeFileEvents();
      if (wanted[2].revents != 0) TakeKey();
      if (wanted[3].revents != 0) TakeOutput();
      if (wanted[1].revents != 0) TakeSignals();
      if (!watching_) AddWatch();
      if (save_seen_ && Clock::now() >= due_) CheckAgain();
    }
    EndChild();
    ::sigprocmask(SIG_SETMASK, &former_signals_, nullptr);
    return status_;
  }

 private:
  void Follow(const Exercise& exercise) {
    name_ = FullName(exercise);
    is_open_ = StateOf(exercise, LoadProgress(ProgressFile())) == ExerciseState::kOpen;
    file_ = options_.file.empty() ? exercise.starter : std::filesystem::path(options_.file);
    answers_ = exercise.has_answers ? exercise.id + ".toml" : "";
    folders_.clear();
    files_ = UniqueFd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    AddWatch();
  }

  /// The folders, because an editor may put a new file in the old one's place; again when one comes back. A
  /// file of the student's own is watched alone.
  void AddWatch() {
    watching_ = AddFolder(FolderOf(file_));
    if (!options_.file.empty()) return;
    for (const auto& [place, name] : workbook_files_) AddFolder(place.first);
  }

  bool AddFolder(const std::filesystem::path& folder) {
    const int number = ::inotify_add_watch(files_.get(), folder.c_str(),
                                           IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF);
    if (number >= 0) folders_[number] = folder;
    return number >= 0;
  }

  /// Milliseconds until something is due without anybody's doing; -1: nothing.
  int Patience() const {
    constexpr int kLookForFolder = 500;
    if (!save_seen_) return watching_ ? -1 : kLookForFolder;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(due_ - Clock::now()).count();
    return static_cast<int>(std::max<long>(0, left + 1));
  }

  void TakeFileEvents() {
    alignas(inotify_event) std::array<char, 4096> bytes;
    for (ssize_t n; (n = ::read(files_.get(), bytes.data(), bytes.size())) > 0;) {
      for (ssize_t at = 0; at < n;) {
        const auto* event = reinterpret_cast<const inotify_event*>(bytes.data() + at);
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
        if ((event->mask & IN_Q_OVERFLOW) != 0) NoteSave(name_);
        const auto folder = folders_.find(event->wd);
        if (folder == folders_.end()) continue;
        if ((event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)) != 0) {
          folders_.erase(folder);
          watching_ = false;
        } else if (event->len > 0) {
          NoteChange(folder->second, event->name);
        }
      }
    }
  }

  void NoteChange(const std::filesystem::path& folder, const std::filesystem::path& changed) {
    // The answers file has the same stem, or the exercise's.
    const bool ours = folder == FolderOf(file_) &&
                      ((changed.stem() == file_.stem() &&
                        (changed.extension() == file_.extension() || changed.extension() == ".toml")) ||
                       changed == answers_);
    if (ours) return NoteSave(name_);
    const auto other = workbook_files_.find({folder, changed});
    if (options_.file.empty() && other != workbook_files_.end()) NoteSave(other->second);
  }

  /// A moment's quiet ends a burst of saves; a burst without end is looked at in between.
  void NoteSave(const std::string& exercise) {
    saved_.insert(exercise);
    constexpr auto kQuiet = std::chrono::milliseconds(40), kLongest = std::chrono::milliseconds(400);
    const auto now = Clock::now();
    if (!save_seen_) first_save_ = now;
    save_seen_ = true;
    due_ = std::min(now + kQuiet, first_save_ + kLongest);
  }

  /// Several files of others at once are no edit: a program has written them.
  void CheckAgain() {
    save_seen_ = false;
    const std::set<std::string> saved = std::exchange(saved_, {});
    if (!saved.contains(name_)) {
      if (saved.size() != 1 || !GoOver(*saved.begin())) return;
    }
    Start({"check", name_});
  }

  /// To the exercise whose file was saved.
  bool GoOver(const std::string& name) {
    workbook_ = std::make_unique<Result<Workbook>>(LoadWorkbook(options_.root, ChosenLanguage()));
    if (!*workbook_) return false;
    const auto found = SelectExercises(**workbook_, name);
    if (!found || found->size() != 1) return false;
    Follow(*found->front());
    went_over_ = "\n" + Words(say::watching_saved(found->front()->id, DisplayPath(file_))) + "\n";
    return true;
  }

  /// Runs one of our own verbs; the one that is running is abandoned.
  void Start(std::vector<std::string> words) {
    if (child_ > 0) {
      if (waiting_.empty()) ::kill(-child_, SIGTERM);
      waiting_ = std::move(words);
      return;
    }
    shows_check_ = words.front() == "check";
    shows_list_ = words.front() == "list";
    list_.clear();
    if (shows_check_ && !options_.file.empty()) words.insert(words.end(), {"--file", options_.file});
    words.insert(words.end(), {"--workbook", options_.root.string()});
    auto pipe = MakePipe();
    if (!pipe) return;
    output_ = std::move(pipe->read);
    ::fcntl(output_.get(), F_SETFL, O_NONBLOCK);  // Whoever holds the other end open, we do not wait for it.
    text_.clear();
    const std::string columns = std::to_string(DetectTerminalStyle(STDOUT_FILENO).columns);
    const bool colour = DetectTerminalStyle(STDOUT_FILENO).colour;
    child_ = ::fork();
    if (child_ == 0) BecomeVerb(words, pipe->write.get(), columns, colour);
    if (child_ > 0) ::setpgid(child_, child_);
    if (child_ < 0) quit_ = true;
    if (shows_check_) std::printf("\n%s\n", Words(say::checking(name_)).c_str());
    std::fflush(stdout);
  }

  [[noreturn]] void BecomeVerb(const std::vector<std::string>& words, int out, const std::string& columns,
                               bool colour) const {
    ::setpgid(0, 0);
    ::sigprocmask(SIG_SETMASK, &former_signals_, nullptr);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::setenv("COLUMNS", columns.c_str(), 1);
    if (colour) ::setenv("CLICOLOR_FORCE", "1", 1);
    std::vector<std::string> all = {TypedName()};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv("/proc/self/exe", arguments.data());
    std::_Exit(kExitGraderFault);
  }

  /// All of it is read, so that the child never waits for us; what no screen could hold is dropped. False:
  /// there is nothing more at the moment.
  bool TakeOutput() {
    constexpr std::size_t kKept = 256 * 1024;
    std::array<char, 8192> bytes;
    const ssize_t n = ::read(output_.get(), bytes.data(), bytes.size());
    if (n > 0 && text_.size() < kKept) text_.append(bytes.data(), static_cast<std::size_t>(n));
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) output_ = UniqueFd();
    return n > 0;
  }

  void TakeSignals() {
    signalfd_siginfo info;
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
      switch (info.ssi_signo) {
        case SIGCHLD: Reap(); break;
        case SIGTSTP: Stop(); break;
        case SIGWINCH:
          if (child_ <= 0) Show();
          break;
        default: status_ = 128 + static_cast<int>(info.ssi_signo); quit_ = true;
      }
    }
  }

  void Reap() {
    int status = 0;
    if (child_ <= 0 || ::waitpid(child_, &status, WNOHANG) != child_) return;
    child_ = 0;
    if (!waiting_.empty()) {
      Start(std::exchange(waiting_, {}));
      return;
    }
    while (output_.valid() && TakeOutput()) {
    }
    output_.reset();
    if (shows_check_) {
      shown_ = text_ + std::exchange(went_over_, {});
      if (WIFEXITED(status) && WEXITSTATUS(status) == kExitPassed) GoOnAfterPass();
    } else if (shows_list_) {
      list_ = text_;
    } else {
      shown_ += "\n" + text_;
    }
    Show();
  }

  /// Ctrl-Z: the terminal is as it was while somebody else has it.
  void Stop() {
    keys_.End();
    ::kill(::getpid(), SIGSTOP);
    keys_.Begin();
    if (child_ <= 0) Show();
  }

  void Show() const {
    if (::isatty(STDOUT_FILENO) != 0) std::fputs("\x1b[H\x1b[2J", stdout);
    std::fputs((list_.empty() ? shown_ : list_).c_str(), stdout);
    std::printf("\n%s\n", Words(list_.empty() ? say::keys_of_watch() : say::keys_of_list()).c_str());
    std::fflush(stdout);
  }

  void TakeKey() {
    char key = 0;
    const ssize_t n = ::read(STDIN_FILENO, &key, 1);
    if (n <= 0) {
      // The terminal is gone; or there is none, and files alone are watched.
      keys_open_ = false;
      if (n < 0 && errno == EIO) quit_ = true;
      return;
    }
    if (key == 'q') quit_ = true;
    if (key == 'r') Start({"check", name_});
    if (key == 'n') GoOn();
    const bool busy = child_ > 0;
    if (key == 'h' && !busy) ShowHint();
    if (key == 'l' && !busy) ShowOrHideList();
    if (key == '?' && !busy) ShowKeys();
  }

  /// After the last hint there is no next one: then all are shown again.
  void ShowHint() {
    const auto workbook = LoadWorkbook(options_.root, ChosenLanguage());
    const auto exercises =
        workbook ? SelectExercises(*workbook, name_) : Result<std::vector<const Exercise*>>(workbook.error());
    const WorkbookHistory history = LoadWorkbookHistory(WorkbookHistoryFile(options_.root));
    const auto mine = history.exercises.find(name_);
    const bool saw_all = exercises && exercises->size() == 1 && mine != history.exercises.end() &&
                         !mine->second.hints.empty() &&
                         mine->second.hints.size() >= exercises->front()->hints.size();
    Start(saw_all ? std::vector<std::string>{"hint", name_, "--shown"}
                  : std::vector<std::string>{"hint", name_});
  }

  void ShowKeys() {
    list_.clear();
    shown_ += "\n";
    for (const Message& each :
         {say::key_hint(), say::key_next(), say::key_list(), say::key_check(), say::key_quit()})
      shown_ += "  " + Words(each) + "\n";
    Show();
  }

  /// The list is longer than a screen, and the report would scroll away above it: one takes the other's
  /// place.
  void ShowOrHideList() {
    if (list_.empty()) return Start({"list"});
    list_.clear();
    Show();
  }

  /// To the first exercise that has not passed; where that is this one, to the one behind it.
  void GoOn() {
    workbook_ = std::make_unique<Result<Workbook>>(LoadWorkbook(options_.root, ChosenLanguage()));
    if (!*workbook_) return;
    const Exercise* next = NextOpen();
    if (next == nullptr) return Start({"next"});
    options_.file.clear();
    Follow(*next);
    Start({"check", name_});
  }

  /// A first pass. Who watches an exercise that had passed already wants to go on with that one, and a file
  /// of the student's own is no other exercise's.
  void GoOnAfterPass() {
    if (!std::exchange(is_open_, false) || !options_.file.empty()) return;
    workbook_ = std::make_unique<Result<Workbook>>(LoadWorkbook(options_.root, ChosenLanguage()));
    const Exercise* next = *workbook_ ? NextOpen() : nullptr;
    if (next == nullptr) return;
    Follow(*next);
    shown_ += "\n" + Words(say::watching_next(next->id, DisplayPath(next->starter))) + "\n";
  }

  /// The next exercise of workbook_ that has not passed, other than the present one; null if all have.
  const Exercise* NextOpen() const {
    const Progress progress = LoadProgress(ProgressFile());
    std::vector<const Exercise*> open;
    std::size_t here = 0;
    for (const Chapter& chapter : (**workbook_).chapters) {
      for (const Exercise& exercise : chapter.exercises) {
        if (FullName(exercise) == name_) here = open.size();
        const bool passed = StateOf(exercise, progress) != ExerciseState::kOpen;
        if (!passed && FullName(exercise) != name_) open.push_back(&exercise);
      }
    }
    if (open.empty()) return nullptr;
    return open[here < open.size() ? here : 0];
  }

  void EndChild() {
    if (child_ <= 0) return;
    constexpr auto kPatience = std::chrono::seconds(6);
    ::kill(-child_, SIGTERM);
    for (const auto end = Clock::now() + kPatience; Clock::now() < end; ::usleep(5000)) {
      if (::waitpid(child_, nullptr, WNOHANG) == child_) return;
      if (output_.valid()) TakeOutput();
    }
    ::kill(-child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

  WatchOptions options_;
  std::unique_ptr<Result<Workbook>> workbook_;
  std::string name_;
  std::filesystem::path file_;
  std::string answers_;  ///< "when_not_to.toml"; empty where no questions are asked.
  std::map<WatchedName, std::string> workbook_files_;
  std::map<int, std::filesystem::path> folders_;  ///< By inotify's number.
  std::set<std::string> saved_;                   ///< Exercises, since the last check began.
  std::string went_over_;                         ///< To be said below the next report.
  RawKeys keys_;
  sigset_t former_signals_{};
  UniqueFd files_, signals_, output_;
  pid_t child_ = 0;
  std::vector<std::string> waiting_;  ///< To be started when the child is gone.
  std::string text_, shown_;
  std::string list_;     ///< What `list` printed, as long as it is shown.
  bool is_open_ = true;  ///< The exercise had not passed when it was chosen.
  bool watching_ = false, keys_open_ = true, shows_check_ = true, shows_list_ = false, quit_ = false,
       save_seen_ = false;
  Clock::time_point due_, first_save_;
  int status_ = kExitPassed;
};

int RunWatch(const WatchOptions& options) {
  if (const Status mine = NeedWorkbook(options.root); options.file.empty() && !mine)
    return ReportError(mine.error());
  const Result<Workbook> workbook = LoadWorkbook(options.root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  const Progress progress = LoadProgress(ProgressFile());
  const WorkbookHistory history = LoadWorkbookHistory(WorkbookHistoryFile(options.root));
  if (options.exercise.empty() && options.file.empty()) {
    // As `check` without a name.
    const Exercise* at_work = ExerciseAtWork(*workbook, progress, options.root, history.last_checked);
    if (at_work != nullptr) return Watch(options, *workbook, *at_work).Run();
  }
  const auto exercise = ChosenExercise(*workbook, progress, history, options.exercise);
  if (!exercise) return ReportError(exercise.error());
  return Watch(options, *workbook, **exercise).Run();
}

}  // namespace

Command MakeWatchCommand() {
  auto options = std::make_shared<WatchOptions>();
  std::vector<Option> described = {
      {"EXERCISE", &options->exercise,
       "Default: the one whose file you edited last, else the one checked last, else the next"},
      {"--file", &options->file, "Watch this file instead of the workbook's", "F.cu"},
      WorkbookOption(options->root)};
  return {"watch", "Check an exercise each time you save it", std::move(described), kWatchFooter,
          [options] { return RunWatch(*options); }};
}

}  // namespace warplings
