// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/slurm.h"

#include <unistd.h>

#include <cstring>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include "grader/base/program_output.h"
#include "grader/base/sha256.h"
#include "grader/core/layout.h"
#include "grader/messages/class.h"

namespace warplings::cluster {
namespace {

using Clock = std::chrono::steady_clock;

/// A command's error message: its last line that is not empty, without "sbatch: error: ".
Message Complaint(const ProgramAnswer& answer) {
  std::istringstream lines(answer.err);
  std::string line, last;
  while (std::getline(lines, line)) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  }
  for (const char* prefix : {"error: ", "Error: "}) {
    if (const auto at = last.find(prefix); at != std::string::npos)
      last = last.substr(at + std::strlen(prefix));
  }
  return last.empty() ? say::ended_with_status(answer.status) : Message(last);
}

std::string UserId() {
  return std::to_string(::geteuid());
}

}  // namespace

ProgramAnswer RunWithTimeout(const std::vector<std::string>& command, std::chrono::milliseconds patience) {
  const auto output =
      CaptureOutput(command, ErrorText::kKept, {.time = patience, .bytes = std::size_t{64} << 20});
  if (!output) return {.status = 127, .out = "", .err = English(output.error().message)};
  ProgramAnswer answer{output->status, output->text, output->errors};
  if (output->timed_out) answer.err += "\n" + command[0] + " did not answer in time";
  return answer;
}

std::string JobName(const std::filesystem::path& out) {
  std::error_code error;
  Sha256 hash;
  hash.AddField(std::filesystem::weakly_canonical(out, error).string());
  return "warplings-" + hash.Finish().substr(0, 12);
}

std::string ArrayText(const std::vector<std::size_t>& tasks) {
  std::string text;
  for (std::size_t i = 0; i < tasks.size();) {
    std::size_t end = i;
    while (end + 1 < tasks.size() && tasks[end + 1] == tasks[end] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(tasks[i]);
    if (end > i) text += "-" + std::to_string(tasks[end]);
    i = end + 1;
  }
  return text;
}

QueueView ParseQueue(const std::string& text) {
  QueueView view;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::size_t task = 0;
    std::string state, reason;
    if (!(words >> task >> state)) continue;
    std::getline(words >> std::ws, reason);
    if (state == "PD") {
      view.waiting.insert(task);
      view.reason = reason;
    } else {
      view.running.insert(task);
    }
  }
  return view;
}

SlurmQueue::SlurmQueue(std::string name, SlurmRequest request, std::filesystem::path script,
                       std::string log_pattern)
    : name_(std::move(name)),
      request_(std::move(request)),
      script_(std::move(script)),
      log_pattern_(std::move(log_pattern)) {}

Status SlurmQueue::CheckAvailable() {
  for (const char* command : {"sbatch", "squeue", "scancel"}) {
    if (RunWithTimeout({command, "--version"}).status == 0) continue;
    return UsageError(say::no_slurm_command(command),
                      say::run_where_jobs_are_submitted(ThisLayout().GuideNamed("cluster.md")));
  }
  return Unit{};
}

std::vector<std::string> SlurmQueue::Options() const {
  std::vector<std::string> options = {"--job-name=" + name_, "--ntasks=1",
                                      "--cpus-per-task=" + std::to_string(request_.cpus)};
  const std::pair<const char*, const std::string*> named[] = {{"--partition=", &request_.partition},
                                                              {"--account=", &request_.account},
                                                              {"--time=", &request_.time},
                                                              {"--gres=", &request_.gres}};
  for (const auto& [name, value] : named) {
    if (!value->empty()) options.push_back(name + *value);
  }
  options.insert(options.end(), request_.more.begin(), request_.more.end());
  return options;
}

Status SlurmQueue::Submit(const std::vector<std::size_t>& tasks) {
  std::vector<std::string> command = {"sbatch", "--parsable"};
  for (std::string& option : Options()) command.push_back(std::move(option));
  // We send again ourselves what is missing; Slurm would send all of it, or hold it.
  command.insert(command.end(), {"--no-requeue", "--open-mode=append", "--output=" + log_pattern_,
                                 "--array=" + ArrayText(tasks), script_.string()});
  const ProgramAnswer answer = RunWithTimeout(command);
  if (answer.status == 0) return Unit{};
  return UsageError(say::slurm_refused(Complaint(answer)), say::what_says_what_is_asked_for());
}

Result<QueueView> SlurmQueue::Poll() {
  const ProgramAnswer answer = RunWithTimeout(
      {"squeue", "--noheader", "--array", "--name=" + name_, "--user=" + UserId(), "--format=%K %t %r"});
  if (answer.status == 0) return ParseQueue(answer.out);
  return GraderError(say::queue_does_not_answer(Complaint(answer)), say::start_again_later());
}

void SlurmQueue::Cancel() {
  constexpr auto kPatience = std::chrono::seconds(45);  // Slurm's own before it kills: KillWait, 30 s.
  const auto end = Clock::now() + kPatience;
  while (Clock::now() < end) {
    RunWithTimeout({"scancel", "--name=" + name_, "--user=" + UserId()}, std::chrono::seconds(20));
    const auto view = Poll();
    if (view && view->running.empty() && view->waiting.empty()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
}

Result<std::string> SlurmQueue::RunOnNode(const std::vector<std::string>& command) const {
  std::vector<std::string> words = {"srun"};
  for (std::string& option : Options()) words.push_back(std::move(option));
  words.insert(words.end(), command.begin(), command.end());
  // As long as the queue takes.
  const ProgramAnswer answer = RunWithTimeout(words, std::chrono::hours(24));
  if (answer.status == 0) return answer.out;
  const std::string said = answer.out.substr(0, answer.out.find('\n'));
  return UsageError(say::no_node_told_its_card(said.empty() ? Complaint(answer) : Message(said)),
                    say::ask_for_nodes_with_card());
}

}  // namespace warplings::cluster
