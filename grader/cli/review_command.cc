// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/text.h"
#include "grader/base/unique_fd.h"
#include "grader/base/write_all.h"
#include "grader/cli/command.h"
#include "grader/cli/graded_class.h"
#include "grader/cli/temporary_folder.h"
#include "grader/cli/user_name.h"
#include "grader/core/json.h"
#include "grader/gradebook/gather_grades.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/command_line.h"
#include "grader/messages/teaching_commands.h"
#include "grader/pipeline/review_session.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kReviewFooter =
    "Shows a graded class in a browser, for comments on lines, a rubric, points and answers to requests.\n"
    "Everything that you save is a decision, as `override` makes them: it is in the gradebook at once, with\n"
    "an entry in the audit trail. Ctrl-C ends the review and writes grades.csv and the pages anew.\n"
    "\n"
    "The pages are served on this machine only (127.0.0.1), to anybody who has the address with its key.\n"
    "Several people may review at once: nobody replaces another's text without seeing it.\n"
    "\n"
    "Examples:\n"
    "  warplings review graded/week1\n"
    "  warplings review graded/week1 --port 8123     then on your laptop: ssh -L 8123:127.0.0.1:8123 HOST\n"
    "\n"
    "Exit status: 0 ended by Ctrl-C; 2 wrong usage; 3 the pages could not be served or written.";

/// How long after a decision the pages are written anew, if no other comes.
constexpr int kIdleMilliseconds = 5000;
/// A page's program that does not end by itself is ended.
constexpr int kPatienceMilliseconds = 3000;
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

struct ReviewOptions {
  fs::path out;
  std::uint64_t port = 0;
  std::string author;
  Layout layout = ThisLayout();
};

volatile std::sig_atomic_t was_interrupted = 0;

/// Signals that end the review are only let through while it waits: a decision is stored to its end.
class EndingSignals {
 public:
  EndingSignals() {
    sigset_t ending;
    sigemptyset(&ending);
    struct sigaction action {};
    action.sa_handler = [](int) { was_interrupted = 1; };
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      sigaddset(&ending, signal);
      ::sigaction(signal, &action, nullptr);
    }
    std::signal(SIGPIPE, SIG_IGN);
    ::sigprocmask(SIG_BLOCK, &ending, &former_);
  }
  const sigset_t& former() const { return former_; }

 private:
  sigset_t former_{};
};

/// The program that serves the pages: it asks by lines on its standard output and is answered on its input.
class PageServer {
 public:
  ~PageServer() { Stop(); }
  PageServer() = default;
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  Status Start(const ReviewOptions& options, const sigset_t& signals) {
    std::array<int, 2> down{}, up{};
    if (::pipe2(down.data(), O_CLOEXEC) != 0 || ::pipe2(up.data(), O_CLOEXEC) != 0) {
      return GraderError(say::cannot_start_process(std::strerror(errno)));
    }
    const UniqueFd its_input(down[0]), its_output(up[1]);
    answers_ = UniqueFd(down[1]);
    questions_ = UniqueFd(up[0]);
    const std::vector<std::string> command = {
        options.layout.PythonProgram().string(), "-B",
        (options.layout.root / "grader" / "pages" / "review" / "server.py").string(),
        std::to_string(options.port), options.author};
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, its_input.get(), STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, its_output.get(), STDOUT_FILENO);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setsigmask(&attributes, &signals);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int fault = ::posix_spawnp(&pid_, arguments[0], &actions, &attributes, arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (fault == 0) return Unit{};
    pid_ = -1;
    return GraderError(say::cannot_run(command[0], std::strerror(fault)), say::install_python());
  }

  int questions() const { return questions_.get(); }

  /// Reads what is there; false at the end.
  bool Read() {
    std::array<char, 1 << 16> piece{};
    const ssize_t got = ::read(questions_.get(), piece.data(), piece.size());
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    text_.append(piece.data(), static_cast<std::size_t>(got));
    return got > 0 && text_.size() <= kLongestLine;
  }

  /// The next whole line.
  std::optional<std::string> Line() {
    const std::size_t end = text_.find('\n');
    if (end == std::string::npos) return std::nullopt;
    std::string line = text_.substr(0, end);
    text_.erase(0, end + 1);
    return line;
  }

  bool Answer(const std::string& line) { return WriteAll(answers_.get(), line + "\n"); }

  /// Its exit status. It ends when nobody answers any more; what does not is killed.
  int Stop() {
    if (pid_ < 0) return 0;
    answers_.reset();
    questions_.reset();
    int status = 0;
    for (int waited = 0; ::waitpid(pid_, &status, WNOHANG) == 0; waited += 10) {
      if (waited >= kPatienceMilliseconds) ::kill(pid_, SIGKILL);
      ::poll(nullptr, 0, 10);
    }
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }

 private:
  pid_t pid_ = -1;
  UniqueFd answers_, questions_;
  std::string text_;
};

/// The program's first line says where it listens.
bool TellAddress(const std::string& line) {
  const auto said = FromJson<json>(line);
  if (!said || !said->is_object() || said->value("do", json()) != "ready") return false;
  PrintLine(say::review_is_at(said->value("address", "")));
  PrintLine(say::end_review_by_key());
  std::fflush(stdout);
  return true;
}

/// Until it is interrupted, or the pages' program ends. False if that ended by itself. `is_served`: it said
/// where the pages are.
bool Serve(PageServer& server, ReviewSession& session, const sigset_t& signals, bool& is_served) {
  while (was_interrupted == 0) {
    pollfd waited{server.questions(), POLLIN, 0};
    const timespec idle{kIdleMilliseconds / 1000, 0};
    const int ready = ::ppoll(&waited, 1, session.has_unwritten() ? &idle : nullptr, &signals);
    if (ready == 0) {
      // Nobody waits for this; what fails is tried again, and told at the end.
      [[maybe_unused]] const Status later = session.WriteOutputs();
      continue;
    }
    if (ready < 0) continue;
    if (!server.Read()) return false;
    while (const auto line = server.Line()) {
      const bool is_first = line->find("\"ready\"") != std::string::npos && TellAddress(*line);
      is_served = is_served || is_first;
      if (!is_first && !server.Answer(session.Handle(*line))) return false;
    }
  }
  return true;
}

/// Whether it warned that the grading was interrupted. A folder that is no graded class is an error.
Result<bool> WarnOfClass(const ReviewOptions& options) {
  const auto opened = OpenGradedClass(options.out);
  if (!opened) return opened.error();
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root);
  if (!workbook) return workbook.error();
  const auto grades = GatherGrades(opened->gradebook, *workbook);
  if (!grades) return grades.error();
  return WarnIfUnfinished(*opened, *grades);
}

int Review(const ReviewOptions& options) {
  std::signal(SIGXFSZ, SIG_IGN);
  const auto was_unfinished = WarnOfClass(options);
  if (!was_unfinished) return ReportError(was_unfinished.error());
  const TemporaryFolder folder;
  if (folder.path().empty()) {
    return ReportError(GraderError(say::no_temporary_folder(std::strerror(errno)), say::check_tmpdir()));
  }
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  auto session = ReviewSession::Open({options.out}, options.layout);
  if (!session) return ReportError(session.error());
  const EndingSignals signals;
  PageServer server;
  if (const Status started = server.Start(options, signals.former()); !started) {
    return ReportError(started.error());
  }
  bool is_served = false;
  const bool was_ended = Serve(server, *session, signals.former(), is_served);
  const int status = server.Stop();
  // Such as a port that is taken: the program has said so, and no review has begun.
  if (!is_served && status == kExitUsage) return kExitUsage;
  if (session->has_unwritten()) {
    if (const Status written = session->WriteOutputs(); !written) {
      ReportError(written.error());
      WarnFurther(say::decision_is_in(GradeOutputs{options.out}.Gradebook().string()));
      return kExitGraderFault;
    }
  }
  const say::Count decided(session->decided(), "decision");
  std::error_code error;
  PrintLine(std::filesystem::exists(GradeOutputs{options.out}.Csv(), error)
                ? Message(say::review_ended(decided))
                : Message(say::review_ended_before_outputs(decided)));
  // It may have been interrupted in the meantime.
  if (!*was_unfinished) {
    if (const auto is_class = WarnOfClass(options); !is_class) return ReportError(is_class.error());
  }
  if (was_ended) return kExitPassed;
  return status == kExitUsage ? kExitUsage
                              : ReportError(GraderError(say::pages_not_served(), say::reason_stands_above()));
}

}  // namespace

Command MakeReviewCommand() {
  auto options = std::make_shared<ReviewOptions>();
  options->author = NameOfUser();
  std::vector<Option> described = {
      {.name = "OUT", .target = &options->out, .help = kGradedClassHelp, .required = true},
      {.name = "--port",
       .target = &options->port,
       .help = "Port to listen on; default: one that is free",
       .value_name = "N",
       .range = {{1024, 65535}}},
      {"--author", &options->author, "Who decides, if the page names nobody else; default: your user name",
       "NAME"},
      {"--workbook", &options->layout.root, "Folder that holds chapters/; default: this workbook",
       "WORKBOOK"},
  };
  return {"review", TeachingHelp("review"), std::move(described), kReviewFooter,
          [options] { return RunGuarded([options] { return Review(*options); }); }};
}

}  // namespace warplings
