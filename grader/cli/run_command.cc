// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/run_command.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "grader/base/atomic_file.h"
#include "grader/base/catalogue.h"
#include "grader/base/messages.h"
#include "grader/base/pipe.h"
#include "grader/base/read_file.h"
#include "grader/base/text.h"
#include "grader/build/allocation_sizes.h"
#include "grader/build/argument_names.h"
#include "grader/build/array_loops.h"
#include "grader/build/block_indices.h"
#include "grader/build/element_allocations.h"
#include "grader/build/host_code.h"
#include "grader/build/host_divisions.h"
#include "grader/build/local_arrays.h"
#include "grader/build/lost_changes.h"
#include "grader/build/managed_memory.h"
#include "grader/build/missing_guards.h"
#include "grader/build/plain_code.h"
#include "grader/build/race_loops.h"
#include "grader/build/row_lengths.h"
#include "grader/build/silent_mistakes.h"
#include "grader/build/skipped_shuffles.h"
#include "grader/build/toolchain.h"
#include "grader/build/unset_variables.h"
#include "grader/build/wrapped_index.h"
#include "grader/cli/command.h"
#include "grader/cli/launch_progress_line.h"
#include "grader/cli/run_summary.h"
#include "grader/cli/same_cause.h"
#include "grader/core/json.h"
#include "grader/core/layout.h"
#include "grader/device/client.h"
#include "grader/device/describe_fault.h"
#include "grader/device/launch_progress.h"
#include "grader/device/model/backend.h"
#include "grader/fatbin/executable.h"
#include "grader/messages/calls.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/command_line.h"
#include "grader/messages/findings.h"
#include "grader/messages/host_code.h"
#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/messages/refusals.h"
#include "grader/messages/report.h"
#include "grader/pipeline/device_choice.h"
#include "grader/report/finding_text.h"
#include "grader/report/result_words.h"
#include "grader/sandbox/process.h"
#include "grader/timing/estimate.h"

namespace warplings {
namespace {

constexpr const char* kRunFooter =
    "PROGRAM must be built with nvcc -cudart shared; -lineinfo lets findings name source lines. An "
    "unchanged\n"
    "Makefile does both with NVCC_APPEND_FLAGS=\"-cudart shared -lineinfo\" in its environment. A program "
    "that\n"
    "calls the driver API alone (-lcuda) runs as it is.\n"
    "\n"
    "`warplings cc` compiles and runs in one step.\n"
    "\n"
    "Examples:\n"
    "  warplings run ./vector_add 1000000\n"
    "  warplings run --device virtual:t4 ./vector_add\n"
    "  warplings run --profile counts.json ./vector_add\n"
    "  warplings run --summary ./vector_add\n"
    "  warplings run --device virtual:a100,t4 ./uses_two_cards\n"
    "\n"
    "The host's own use of managed or pinned memory is not seen. If the program never waits for a kernel\n"
    "or an asynchronous copy that wrote there, you get a warning: call cudaDeviceSynchronize() before the\n"
    "host reads the result.\n"
    "\n"
    "A kernel that runs for more than 2 s gets a line on standard error, if that is a terminal: how many of "
    "its\n"
    "blocks have finished, and about how long the rest takes. In a log, such a line comes every 30 s.\n"
    "\n"
    "A program without findings ends with \"no errors found in N launches\" on standard error.\n"
    "\n"
    "Exit status: the program's; 1 if that is 0 but an error was found; 128 + N after signal N.";

constexpr std::size_t kMaxPrintedFindings = 20, kColumns = 100;
/// How long the device may need to answer once the program has ended: a kernel may still be running. Who
/// ended the program by a signal is not kept waiting for one: it is broken off, and what it found is told.
constexpr std::chrono::seconds kLastWords{30}, kLastWordsAfterSignal{5};

/// The program, while it runs: signals that are sent to us go on to it. Ctrl-C reaches it by itself, as
/// everything in the foreground, and is for it to handle.
volatile pid_t running_program = 0;

void ForwardSignal(int signal_number) {
  if (running_program > 0) kill(running_program, signal_number);
}

/// Signal dispositions for as long as the program runs.
class SignalForwarding {
 public:
  SignalForwarding() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
      struct sigaction action {};
      action.sa_handler = kSignals[i] == SIGINT || kSignals[i] == SIGQUIT ? SIG_IGN : ForwardSignal;
      sigaction(kSignals[i], &action, &before_[i]);
    }
  }
  ~SignalForwarding() { Restore(); }
  /// Also called in the child, which must start with what we were started with.
  void Restore() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }

 private:
  static constexpr int kSignals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(kSignals)];
};

/// What the program is loaded with.
struct Libraries {
  std::vector<std::filesystem::path> ours;  ///< In the place of NVIDIA's.
  std::string nvrtc;                        ///< The name under which the program needs NVRTC, if it does.
  std::filesystem::path nvrtc_folder;       ///< Where the toolkit has it; empty: it has none.
};

/// The toolkit's libraries are not where a loader looks.
Libraries LibrariesFor(const fatbin::ExecutableInfo& program, int cuda_major) {
  const Layout layout = ThisLayout();
  Libraries libraries{{layout.RuntimeLibrary(cuda_major), layout.DriverLibrary(cuda_major)}, "", ""};
  std::error_code ignored;
  if (std::filesystem::exists(layout.HeapLibrary(), ignored)) libraries.ours.push_back(layout.HeapLibrary());
  const auto nvrtc = std::ranges::find_if(
      program.libraries, [](const std::string& name) { return name.starts_with("libnvrtc.so"); });
  if (nvrtc == program.libraries.end()) return libraries;
  libraries.nvrtc = *nvrtc;
  const auto tools = FindToolchain(layout.root);
  if (!tools) return libraries;
  for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
    if (!std::filesystem::exists(tools->toolkit / folder / *nvrtc, ignored)) continue;
    libraries.nvrtc_folder = tools->toolkit / folder;
    break;
  }
  return libraries;
}

/// Sets a list of files or folders, with what it had before at its end.
void PutBefore(const char* variable, std::string list) {
  if (const char* before = std::getenv(variable); before != nullptr && *before != '\0')
    list += ":" + std::string(before);
  setenv(variable, list.c_str(), 1);
}

/// In the child: becomes the program, with our runtime in the place of NVIDIA's. Returns on failure only.
void Exec(const std::vector<std::string>& command, const Libraries& libraries, int device_fd, int fault_fd) {
  std::string preload;
  for (const std::filesystem::path& library : libraries.ours)
    preload += (preload.empty() ? "" : ":") + library.string();
  PutBefore("LD_PRELOAD", preload);
  if (!libraries.nvrtc_folder.empty()) PutBefore("LD_LIBRARY_PATH", libraries.nvrtc_folder);
  setenv("WARPLINGS_DEVICE_FD", std::to_string(device_fd).c_str(), 1);
  setenv(kFaultDescriptorVariable, std::to_string(fault_fd).c_str(), 1);
  if (fcntl(device_fd, F_SETFD, 0) != 0 || fcntl(fault_fd, F_SETFD, 0) != 0) return;
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
}

/// How the program ended.
struct ProgramEnd {
  int wait_status = 0;
  std::optional<HostFault> fault;  ///< If a fault ended it and it could still say where.

  bool signalled() const { return WIFSIGNALED(wait_status); }
};

/// What the program itself reported last. A child of it may still hold the other end, so this waits for
/// nothing.
std::optional<HostFault> ReadFault(const UniqueFd& reports, pid_t program) {
  std::optional<HostFault> fault;
  fcntl(reports.get(), F_SETFL, O_NONBLOCK);
  for (ReportedHostFault report; read(reports.get(), &report, sizeof report) == sizeof report;) {
    if (report.process == program) fault = report.fault;
  }
  return fault;
}

Result<ProgramEnd> RunToItsEnd(const std::vector<std::string>& command, const Libraries& libraries,
                               UniqueFd device_socket, LaunchProgressLine& line) {
  auto faults = MakePipe();
  if (!faults) return faults.error();
  std::fflush(nullptr);
  SignalForwarding forwarding;
  pid_t child = fork();
  if (child < 0)
    return GraderError(say::cannot_start(command[0], std::strerror(errno)),
                       say::close_programs_for_processes());
  if (child == 0) {
    forwarding.Restore();
    Exec(command, libraries, device_socket.get(), faults->write.get());
    Warn(say::cannot_run(command[0], std::strerror(errno)));
    _exit(kExitUsage);
  }
  running_program = child;
  line.Start();
  device_socket.reset();
  faults->write.reset();
  ProgramEnd end;
  while (waitpid(child, &end.wait_status, 0) < 0 && errno == EINTR) continue;
  running_program = 0;
  end.fault = ReadFault(faults->read, child);
  return end;
}

/// What cudaMalloc allocated; no shared memory.
bool IsArray(const Message& object) {
  return say::argument.Made(object) || say::an_allocation.Made(object);
}

void PutLeaksLast(std::vector<Finding>& findings) {
  std::ranges::stable_partition(findings,
                                [](const Finding& finding) { return finding.kind != FindingKind::kLeak; });
}

/// Kernels are named, but none of their lines: the program was compiled without -lineinfo.
bool LackLines(const std::vector<Finding>& findings) {
  const auto is_of_kernel = [](const Finding& each) { return !each.kernel.empty(); };
  return std::ranges::any_of(findings, is_of_kernel) &&
         std::ranges::none_of(findings,
                              [&](const Finding& each) { return is_of_kernel(each) && each.where.line > 0; });
}

/// Empty if the source is not known.
std::string SourceOf(const std::string& file) {
  return file.empty() ? "" : ReadFile(file).value_or("");
}

bool IsCopyFromPastBlock(const Finding& finding) {
  return say::copies_past_source_block.Made(finding.message) ||
         say::copies_past_source_block_at.Made(finding.message) ||
         say::copies_elements_past_end_of_host_array.Made(finding.message) ||
         say::copies_past_end_of_host_array.Made(finding.message);
}

bool IsCopyPastBlock(const Finding& finding) {
  return IsCopyFromPastBlock(finding) || say::copies_past_target_block.Made(finding.message) ||
         say::copies_past_target_block_at.Made(finding.message) ||
         say::copies_elements_past_host_array.Made(finding.message) ||
         say::copies_past_host_array.Made(finding.message);
}

/// Names the line of a copy past the end of a block of the host's heap, and the array, if the source shows
/// which copy it is.
void NameCopyPastBlock(Finding& finding, const std::string& source, const std::string& file) {
  const std::vector<Argument> said = finding.message.arguments();
  const std::string function = said.at(0).text;
  const std::int64_t copied = said.at(1).number, block = said.at(2).number;
  const bool is_read = IsCopyFromPastBlock(finding);
  auto side = OnlyHostSide(source, function, is_read);
  if (!side) {
    const auto overflow = FindHostOverflow(source);
    const bool is_it = overflow && overflow->function == function && overflow->copied == copied &&
                       overflow->bytes == block && overflow->is_read == is_read;
    if (!is_it) return;
    side = HostSide{overflow->line, overflow->array};
  }
  finding.where = {file, side->line};
  const bool is_of_whole = say::copies_past_source_block.Made(finding.message) ||
                           say::copies_past_target_block.Made(finding.message);
  if (side->array.empty() || !is_of_whole) return;
  const say::Count bytes(copied, "byte");
  const int size = side->element_bytes;
  if (size > 1 && copied % size == 0 && block % size == 0) {
    const auto& what =
        is_read ? say::copies_elements_past_end_of_host_array : say::copies_elements_past_host_array;
    finding.message = what(function, bytes, side->array, block, copied / size, block / size);
    return;
  }
  const auto& what = is_read ? say::copies_past_end_of_host_array : say::copies_past_host_array;
  finding.message = what(function, bytes, side->array, block);
}

/// Host code has no line numbers: the text shows where a call or a launch is that it has once.
void NameHostLines(std::vector<Finding>& findings, const std::string& file) {
  const std::string source = SourceOf(file);
  for (Finding& finding : findings) {
    if (finding.where.line != 0) continue;
    if (IsCopyPastBlock(finding)) NameCopyPastBlock(finding, source, file);
    if (finding.where.line != 0) continue;
    if (const auto line = LineOfRefused(source, finding)) finding.where = {file, *line};
  }
}

/// The compiler records whole paths; the reader knows the source by the path that he gave.
void NameAsGiven(SourceLine& where, const std::string& source_file) {
  std::error_code fault;
  if (!source_file.empty() && std::filesystem::equivalent(where.file, source_file, fault) && !fault)
    where.file = source_file;
}

/// What is behind a race of several threads that change an element: `*sum += x`, and no `out[i] = sum`. Where
/// a thread reads another one's element, or changes only its own, no atomic operation is a remedy.
bool ChangesAnElement(const Finding& finding, const SourceQuotes& quotes, const std::string& source) {
  if (finding.kind != FindingKind::kRace || finding.severity != Severity::kError) return false;
  if (finding.other && finding.other->line != finding.where.line) return false;
  const std::string array = say::NameOfArray(finding.object), line = quotes.Line(finding.where);
  if (HasSeveralElements(line, array)) return false;
  // Blocks have threads of one number each.
  if (!say::IsBetweenBlocks(finding.message) && HasOwnElement(source, finding.where.line, array))
    return false;
  return ChangesInPlace(line, array);
}

/// Of threads that each change an element of their own and read another's, in steps, as in a tree of sums:
/// where a barrier is missing. Empty of others. In global memory only of a grid of one block: other ones may
/// come to these elements.
Message WaitBetweenSteps(const Finding& finding, const SourceQuotes& quotes, const std::string& source) {
  const bool is_race = finding.kind == FindingKind::kRace && finding.severity == Severity::kError &&
                       finding.other && *finding.other == finding.where;
  const bool two_write = finding.access == Access::kWrite && finding.other_access == Access::kWrite;
  if (!is_race || two_write) return {};
  const int line = finding.where.line;
  const std::string array = say::NameOfArray(finding.object);
  const bool is_of_block = finding.space == MemorySpace::kShared
                               ? say::IsSharedObject(finding.object)
                               : HasOneBlock(source, finding.kernel) && HasOwnElement(source, line, array);
  if (!is_of_block || !ReadsNeighbour(quotes.Line(finding.where), array)) return {};
  if (RunsInOneWarp(source, line, finding.kernel)) return say::warp_barrier_after_each_step();
  return FindStepWithoutBarrier(source, line) ? say::barrier_after_each_step() : say::split_the_step();
}

/// Of a race between a block that stores in one line and others that read in a later one of the kernel, as if
/// all blocks waited between the two. Not where they may signal each other, where a loop has both lines, or
/// where an index leaves another array.
Message WaitForOtherBlocks(const Finding& finding, const std::vector<Finding>& all,
                           const std::string& source) {
  const bool is_race = say::IsBetweenBlocks(finding.message) && finding.severity == Severity::kError &&
                       finding.other && finding.other->line > 0 && finding.where.line > 0 &&
                       finding.other_access && source.size() <= kLongestSource;
  if (!is_race) return {};
  const bool stores = finding.access == Access::kWrite && *finding.other_access == Access::kRead;
  const bool reads = finding.access == Access::kRead && *finding.other_access == Access::kWrite;
  if (!stores && !reads) return {};
  const int store = stores ? finding.where.line : finding.other->line;
  const int read = stores ? finding.other->line : finding.where.line;
  if (store >= read || LoopAround(source, store, read)) return {};
  const bool is_strayed =
      std::ranges::any_of(all, [&](const Finding& each) { return MayFollowFromOutside(finding, each); });
  const bool may_signal = std::ranges::any_of(TokensOf(WithoutComments(source)), [](const CodeToken& token) {
    return token.text.starts_with("atomic") || token.text.starts_with("__threadfence") ||
           IsOneOf(token.text, {"volatile", "asm", "sync", "cuda"});
  });
  return is_strayed || may_signal ? Message() : say::blocks_wait_for_launches();
}

/// Whether what the read finds unset is what another block of the launch stores, in a race of these lines.
bool IsStoredByOtherBlock(const Finding& read, const std::vector<Finding>& all) {
  return read.kind == FindingKind::kUninitialised && read.space == MemorySpace::kGlobal &&
         std::ranges::any_of(all, [&](const Finding& race) {
           return race.kind == FindingKind::kRace && race.severity == Severity::kError &&
                  say::IsBetweenBlocks(race.message) && race.kernel == read.kernel &&
                  race.object == read.object &&
                  ((race.other == read.where && race.other_access == Access::kRead) ||
                   (race.where == read.where && race.access == Access::kRead));
         });
}

/// Memory is often read before it is written because the reader did not wait, for other threads or for
/// another stream. Then the race is the mistake, and what was read follows from it.
void PutRacesFirst(std::vector<Finding>& findings) {
  const std::vector<Finding> all = findings;
  const auto follows_from_race = [&](const Finding& read) {
    if (std::ranges::any_of(all, [&](const Finding& race) { return IsReadBeforeOtherStream(read, race); }))
      return true;
    if (IsStoredByOtherBlock(read, all)) return true;
    return read.kind == FindingKind::kUninitialised && read.space == MemorySpace::kShared &&
           std::ranges::any_of(all, [&](const Finding& race) {
             return race.kind == FindingKind::kRace && race.severity == Severity::kError &&
                    race.kernel == read.kernel && race.object == read.object;
           });
  };
  std::ranges::stable_partition(findings, std::not_fn(follows_from_race));
}

/// Whether the line calls the barrier of a grid: `grid.sync()`, `cg::this_grid().sync()`, `cg::sync(grid)`.
bool IsGridSync(const std::string& source, int line) {
  if (source.size() > kLongestSource) return false;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  const bool has_trap = std::ranges::any_of(tokens, [&](const CodeToken& each) {
    return each.line == line && IsOneOf(each.text, {"__trap", "asm", "__builtin_trap"});
  });
  if (has_trap) return false;
  const auto is_grid = [&](const std::string& name) {
    for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
      if (tokens[at].text != name) continue;
      if (tokens[at - 1].text == "grid_group" || (at > 1 && tokens[at - 2].text == "grid_group")) return true;
      // `auto grid = cg::this_grid();`
      for (std::size_t i = at + 2; tokens[at + 1].text == "=" && i < tokens.size(); ++i) {
        if (tokens[i].text == ";") break;
        if (tokens[i].text == "this_grid") return true;
      }
    }
    return false;
  };
  for (std::size_t at = 2; at + 2 < tokens.size(); ++at) {
    if (tokens[at].line != line || tokens[at].text != "sync" || tokens[at + 1].text != "(") continue;
    const bool is_member = IsOneOf(tokens[at - 1].text, {".", "->"});
    const std::string& group = tokens[is_member ? at - 2 : at + 2].text;
    const bool is_of_call = is_member && group == ")" && at > 4 && tokens[at - 4].text == "this_grid";
    if (is_of_call || group == "this_grid" || is_grid(group)) return true;
  }
  return false;
}

/// The barrier of a whole grid traps after a plain launch, and nothing else of the source's line does.
void ExplainTrap(Finding& finding, const std::string& source) {
  if (!say::trapped.Made(finding.message)) return;
  if (IsGridSync(source, finding.where.line)) finding.message = say::trapped_in_grid_sync();
}

bool IsRaceOfStoringBlocks(const Finding& finding) {
  return say::race_of_many_blocks.Made(finding.message) ||
         say::race_of_many_blocks_same_value.Made(finding.message);
}

Message DescribeBlockIndex(const BlockIndex& found) {
  const say::Line line(found.line);
  switch (found.mistake) {
    case BlockIndex::Mistake::kWithoutBlock: return say::index_without_block(found.index, line);
    case BlockIndex::Mistake::kTimesBlocks: return say::index_times_blocks(found.index, line, found.axis);
    case BlockIndex::Mistake::kBlockAlone: return say::index_of_block_alone(found.index, line, found.axis);
  }
  return {};
}

/// Of an access right past the end of an array: who allocated it.
Message WhereAllocated(const Finding& finding, const std::string& host_source, std::size_t argument) {
  const bool is_past_end = finding.kind == FindingKind::kOutOfBounds &&
                           finding.offset_bytes >= finding.object_bytes && finding.object_bytes > 0;
  const auto found = is_past_end ? FindAllocationOf(host_source, finding.kernel, argument) : std::nullopt;
  if (!found) return {};
  const say::Line line(found->line);
  constexpr std::int64_t kVectorBytes = 24, kPointerBytes = 8;
  if (found->size == WrittenAllocation::Size::kOfVector && finding.object_bytes == kVectorBytes)
    return say::allocated_with_size_of_vector(found->pointer, line, found->measured, found->element_type);
  if (found->size == WrittenAllocation::Size::kOfPointer && finding.object_bytes == kPointerBytes)
    return say::allocated_with_size_of_pointer(found->pointer, line, found->measured);
  return say::array_is_allocated_in(found->pointer, line, found->written);
}

/// Of a refused call that is one of several in the source.
Message WhichCalls(const Finding& finding, const std::string& host_source) {
  constexpr std::size_t kMostLines = 8;
  if (finding.where.line != 0 || finding.kind != FindingKind::kInvalidCall) return {};
  if (!say::refused.Made(finding.message)) return {};
  const std::string& name = finding.message.arguments().at(0).text;  // "cudaMemcpy to the device"
  const std::string call = name.substr(0, name.find(' '));
  const std::vector<int> lines = LinesOfCalls(host_source, call);
  if (lines.size() < 2 || lines.size() > kMostLines) return {};
  Message listed = say::one_position(lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i)
    listed = say::two_listed(Message(listed), say::one_position(lines[i]));
  return say::calls_are_in_lines(call, listed);
}

/// Of a refused call that takes as many bytes as the memory would have if its size counted elements: the only
/// allocation without sizeof.
Message WhichAllocation(const Finding& finding, const std::string& host_source) {
  if (finding.kind != FindingKind::kInvalidCall || !say::refused.Made(finding.message)) return {};
  const Message& why = finding.message.arguments().at(1).inner.at(0);
  if (!say::larger_than_allocation.Made(why)) return {};
  const std::int64_t wanted = why.arguments().at(0).number, there = why.arguments().at(1).number;
  if (there <= 0 || wanted % there != 0) return {};
  const auto found = FindAllocationWithoutSizeof(host_source, wanted / there);
  if (!found) return {};
  return say::allocated_without_sizeof(found->pointer, say::Line(found->line), found->size, found->function,
                                       found->type);
}

/// Of an access outside an array in that source: a row and a column that are exchanged in its index.
Message ExchangedIndices(const Finding& finding, const std::string& source) {
  if (finding.kind != FindingKind::kOutOfBounds || !say::name_in_code.Made(finding.object)) return {};
  const auto wrong = FindWrongRowLength(source, finding.where.line, finding.object.arguments().at(0).text);
  if (!wrong) return {};
  return say::row_runs_to_its_factor(wrong->row, wrong->used, wrong->column, wrong->needed);
}

/// The pointers that the leaked memory was given to, if there are as many that the source never frees.
Message WhichLeaks(const Finding& finding, const std::string& host_source) {
  constexpr std::size_t kMost = 8;
  if (!say::leak_of_several.Made(finding.message)) return {};
  const std::string& calls = finding.message.arguments().at(2).text;
  if (!IsOneOf(calls, {"cudaMalloc", "cudaMallocManaged", "cudaMalloc, cudaMallocManaged"})) return {};
  const std::vector<UnfreedPointer> unfreed = FindUnfreed(host_source);
  if (unfreed.size() > kMost ||
      static_cast<std::int64_t>(unfreed.size()) != finding.message.arguments().at(0).number)
    return {};
  Message listed;
  for (const UnfreedPointer& each : unfreed) {
    Message one = say::unfreed_pointer(each.pointer, say::Line(each.line));
    listed = listed.empty() ? one : Message(say::two_listed(std::move(listed), std::move(one)));
  }
  return say::no_free_has(listed);
}

/// Whether a source that is known never asks what became of a launch.
bool NeverAsksForErrors(const std::string& source) {
  if (source.empty()) return false;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  return std::ranges::none_of(tokens, [](const CodeToken& token) {
    return IsOneOf(token.text, {"cudaGetLastError", "cudaPeekAtLastError", "cudaLaunchKernel",
                                "cudaLaunchKernelEx", "cudaLaunchCooperativeKernel"});
  });
}

/// Whether as many bytes were filled as the array has elements, or as a pointer has bytes.
bool IsSizeOfElements(const Finding& finding) {
  if (!say::read_past_filled.Made(finding.message)) return false;
  const std::int64_t filled = finding.message.arguments().at(2).number;
  const std::int64_t all = finding.message.arguments().at(3).number;
  return filled == static_cast<std::int64_t>(sizeof(void*)) || filled * finding.access_bytes == all;
}

/// Of an access outside memory in a kernel of Thrust or CUB: which call of the source's it comes from.
Message WhichAlgorithm(const Finding& finding, const std::string& host_source) {
  const bool is_librarys = finding.kernel.starts_with("cub::") || finding.kernel.starts_with("thrust::");
  if (!is_librarys || finding.kind != FindingKind::kOutOfBounds || host_source.empty()) return {};
  const std::vector<LibraryCall> calls = CallsOfAlgorithms(host_source);
  if (calls.size() != 1) return say::algorithm_has_too_little_memory();
  return say::algorithm_of_line_has_too_little_memory(calls.front().name, say::Line(calls.front().line));
}

/// What a reader can do about a finding, where that is known.
Message RemedyOf(const Finding& finding, const std::string& host_source, std::size_t argument, bool is_array,
                 const SourceQuotes& quotes, const std::string& source) {
  if (IsSizeOfElements(finding)) return say::sizes_are_in_bytes();
  if (IsCopyPastBlock(finding))
    return IsCopyFromPastBlock(finding) ? say::allocate_more_or_copy_less()
                                        : say::allocate_more_or_overwrite();
  const bool is_refused_launch =
      finding.kind == FindingKind::kInvalidLaunch && finding.severity == Severity::kError;
  if (is_refused_launch && NeverAsksForErrors(host_source)) return say::ask_for_launch_error();
  if (finding.kind == FindingKind::kLeak) return WhichLeaks(finding, host_source);
  if (finding.kind == FindingKind::kUninitialised && is_array) return say::fill_it_before_launch();
  if (say::time_before_event.Made(finding.message)) return say::wait_before_time();
  if (finding.kind == FindingKind::kMissingWait) return say::wait_before_host_reads();
  if (Message wait = WaitBetweenSteps(finding, quotes, source); !wait.empty()) return wait;
  if (ChangesAnElement(finding, quotes, source)) return say::change_it_atomically();
  if (IsRaceOfStoringBlocks(finding)) {
    if (const auto index = FindWrongBlockIndex(host_source, finding.where.line))
      return DescribeBlockIndex(*index);
    return finding.severity == Severity::kError ? say::which_block_stores_last() : Message();
  }
  if (Message which = WhichAllocation(finding, host_source); !which.empty()) return which;
  if (const auto guard = FindMissingGuard(source, finding, argument))
    return say::guard_is_missing(guard->index, guard->length);
  if (Message where = WhereAllocated(finding, host_source, argument); !where.empty()) return where;
  if (Message which = WhichAlgorithm(finding, host_source); !which.empty()) return which;
  if (Message which = WhichCalls(finding, host_source); !which.empty()) return which;
  return WhyRefused(host_source, finding);
}

/// Whether a GPU may end the kernel there, and with it everything that the program does.
bool MayEndTheKernel(const Finding& finding) {
  const bool is_outside =
      finding.kind == FindingKind::kOutOfBounds || finding.kind == FindingKind::kUseAfterFree;
  return is_outside && finding.severity == Severity::kError && !finding.kernel.empty() &&
         finding.space == MemorySpace::kGlobal;
}

/// Results that were never copied to the host.
bool IsLostResult(const Finding& finding) {
  return say::result_lost.Made(finding.message) || say::result_of_array_lost.Made(finding.message) ||
         say::result_overwritten.Made(finding.message);
}

/// Copies to the host that come before the kernel which stores there.
bool IsEarlyCopy(const Finding& finding) {
  return say::copied_before_stored.Made(finding.message) ||
         say::copied_before_and_after.Made(finding.message);
}

/// Managed memory that kernels stored only in part.
bool IsStoredInPart(const Finding& finding) {
  return say::bytes_stored_only.Made(finding.message) || say::elements_stored_only.Made(finding.message) ||
         say::element_stored_only.Made(finding.message);
}

/// Results of which a copy fetched as many bytes as there may be elements.
bool IsCopiedInPart(const Finding& finding) {
  return say::result_copied_in_part.Made(finding.message);
}

/// Copies to the host of what nothing has stored: nothing is wrong with them, unless the host uses all of it.
/// Nor with results that nobody looks at.
bool IsNote(const Finding& finding) {
  return IsEarlyCopy(finding) || IsStoredInPart(finding) || say::bytes_copied_unset.Made(finding.message) ||
         say::some_bytes_copied_unset.Made(finding.message) || IsLostResult(finding) ||
         IsCopiedInPart(finding);
}

/// Names the array and its elements, if the source shows which copy it is.
void NameUnsetElements(Finding& finding, const std::string& source, const std::string& file) {
  const auto copy = OnlyCopyToHost(source);
  if (!copy) return;
  finding.where = {file, copy->line};
  std::vector<Argument>& said = finding.message.arguments();
  if (!copy->pointer.empty()) said.at(1).inner = {say::name_in_code(copy->pointer)};
  const Argument range = said.at(0);
  const std::int64_t size = copy->element_bytes, first = range.number, end = range.last + 1;
  const bool is_whole = said.size() < 3;
  const std::int64_t count = is_whole ? end - first : said[2].number;
  if (size == 0 || first % size != 0 || end % size != 0 || count % size != 0) return;
  const Message array = said[1].inner.at(0);
  const say::Range elements(first / size, end / size - 1);
  finding.message = elements.first == elements.last ? say::element_copied_unset(elements.first, array)
                    : is_whole                      ? say::elements_copied_unset(elements, array)
                               : say::some_elements_copied_unset(elements, array, count / size);
}

/// Names the array and the line of the copy that overwrote a result, if the source shows which copy it is.
void NameOverwritingCopy(Finding& finding, const std::string& source, const std::string& file) {
  const auto copy = OnlyCopyAfterLaunch(source, finding.kernel);
  if (!copy) return;
  finding.where = {file, copy->line};
  if (!copy->pointer.empty()) finding.message.arguments().at(1).inner = {say::name_in_code(copy->pointer)};
}

/// Names the array that a kernel stored results in and its cudaMalloc, if the source shows both.
void NameLostArray(Finding& finding, const std::string& source) {
  if (!say::argument.Made(finding.object)) return;
  const auto number = static_cast<std::size_t>(finding.object.arguments().at(0).number);
  const auto found = FindAllocationOf(source, finding.kernel, number);
  if (found)
    finding.message = say::result_of_array_lost(finding.kernel, found->pointer, say::Line(found->line));
}

/// Names the array and the lines of a copy before a launch, if the source shows both.
void NameEarlyCopy(Finding& finding, const std::string& source, const std::string& file) {
  const auto copy = OnlyCopyBeforeLaunch(source, finding.kernel);
  if (!copy) return;
  finding.where = {file, copy->line};
  std::vector<Argument>& said = finding.message.arguments();
  if (!copy->pointer.empty()) said.at(0).inner = {say::name_in_code(copy->pointer)};
  said.at(1).inner = {say::kernel_launched_in(finding.kernel, say::Line(copy->launch))};
}

/// Names the array that kernels stored in part, and its launch. False: the source does not show both, or that
/// the host stores nothing there, or the host reads nothing of the rest.
bool NamePartlyStored(Finding& finding, const std::string& source, const std::string& file) {
  if (!say::argument.Made(finding.object)) return false;
  const auto number = static_cast<std::size_t>(finding.object.arguments().at(0).number);
  const auto array = ArrayThatHostOnlyReads(source, finding.kernel, number);
  if (!array || array->element_bytes == 0) return false;
  const std::int64_t size = array->element_bytes, end = finding.message.arguments().at(0).last + 1;
  if (end % size != 0 || finding.object_bytes % size != 0) return false;
  const std::int64_t all = finding.object_bytes / size, last = end / size - 1;
  if (array->read_elements && *array->read_elements <= last + 1) return false;  // Nobody wants the rest.
  const Message name = say::name_in_code(array->pointer);
  finding.where = {file, array->launch};
  finding.message = last == 0 ? say::element_stored_only(last, name, all)
                              : say::elements_stored_only(say::Range(0, last), name, all);
  return true;
}

/// Names the array and the copy of a part of its results. False: the source does not show that the copy's
/// size is a number of elements.
bool NameCopyOfElements(Finding& finding, const std::string& source, const std::string& file) {
  const auto copy = OnlyCopyOfElements(source);
  std::vector<Argument>& said = finding.message.arguments();
  const std::int64_t copied = said.at(0).number, all = said.at(1).number;
  // One element of several may well be all that is wanted.
  if (!copy || copied * copy->element_bytes != all || copied == copy->element_bytes) return false;
  finding.where = {file, copy->line};
  said.at(2).inner = {say::name_in_code(copy->pointer)};
  return true;
}

/// What is wrong with the index by which a kernel stores, if elements are left that nothing stored.
Message MistakeOfIndex(const std::vector<Finding>& findings, const std::string& source) {
  for (const Finding& finding : findings) {
    if (!IsRaceOfStoringBlocks(finding)) continue;
    if (const auto index = FindWrongBlockIndex(source, finding.where.line)) return DescribeBlockIndex(*index);
  }
  const auto index = FindIndexTimesBlocks(source);
  return index ? DescribeBlockIndex(*index) : Message();
}

/// What a reader can do about a note.
Message RemedyOfNote(const Finding& note) {
  if (IsStoredInPart(note)) return say::which_thread_stores_rest();
  if (IsCopiedInPart(note)) return say::sizes_are_in_bytes();
  if (say::copied_before_stored.Made(note.message)) return say::move_copy_after_launch();
  if (IsEarlyCopy(note)) return say::remove_copy_before_launch();
  if (say::result_overwritten.Made(note.message)) return say::destination_comes_first();
  return IsLostResult(note) ? say::copy_result_to_host() : say::which_thread_stores_it();
}

/// What the source alone shows, such as a sum without its 0.
void PrintWarning(const Diagnostic& warning, const SourceQuotes& quotes) {
  std::fprintf(stderr, "\n%s\n", PrintableWords(QuotedLine(warning.where, quotes)).c_str());
  std::fputs(Wrap(PrintableWords(say::warning_of_source(warning.message)), kColumns, 2).c_str(), stderr);
}

void PrintNote(const SourceLine& where, const Message& what, const Message& remedy,
               const SourceQuotes& quotes) {
  const Message place = where.line != 0 ? QuotedLine(where, quotes) : say::in_host_code();
  std::fprintf(stderr, "\n%s\n", PrintableWords(place).c_str());
  std::fputs(Wrap(PrintableWords(say::note_of_copy(what)), kColumns, 2).c_str(), stderr);
  std::fputs(Wrap(PrintableWords(remedy), kColumns, 4).c_str(), stderr);
}

/// Whether the copy past an array of the host was found when it ran, too.
bool IsSameCopy(const SilentMistake& mistake, const Finding& finding) {
  const bool is_copy =
      say::copies_past_host_array.Made(mistake.what) || say::copies_past_end_of_host_array.Made(mistake.what);
  if (!is_copy || !IsCopyPastBlock(finding)) return false;
  return mistake.what.arguments().at(1).number == finding.message.arguments().at(1).number;
}

/// What the host does in vain. Nothing if the findings have it already: a warning is of the same line.
std::vector<SilentMistake> SilentMistakesOf(const std::string& source, const std::vector<Finding>& findings) {
  std::vector<SilentMistake> mistakes = FindSilentMistakes(source);
  std::erase_if(mistakes, [&](const SilentMistake& each) {
    return std::ranges::any_of(findings, [&](const Finding& finding) {
      return finding.where.line == each.line || IsSameCopy(each, finding);
    });
  });
  return mistakes;
}

/// `index`: what is wrong with the kernel's index, if that is known.
void PrintNotes(std::vector<Finding> notes, const std::string& source_file, const Message& index) {
  const std::string source = SourceOf(source_file);
  const SourceQuotes quotes = SourceQuotes::OfFiles();
  for (Finding& note : notes) {
    Message remedy = RemedyOfNote(note);
    const bool asks_who_stores =
        say::which_thread_stores_it.Made(remedy) || say::which_thread_stores_rest.Made(remedy);
    if (asks_who_stores && !index.empty()) remedy = index;
    if (say::result_overwritten.Made(note.message)) NameOverwritingCopy(note, source, source_file);
    if (say::result_lost.Made(note.message)) {
      if (const auto launch = OnlyLaunchOf(source, note.kernel)) note.where = {source_file, *launch};
      NameLostArray(note, source);
    }
    const bool is_only_early = IsEarlyCopy(note) && std::ranges::count_if(notes, IsEarlyCopy) == 1;
    if (is_only_early) NameEarlyCopy(note, source, source_file);
    if (!IsLostResult(note) && !IsEarlyCopy(note) && !IsStoredInPart(note) && !IsCopiedInPart(note) &&
        notes.size() == 1)
      NameUnsetElements(note, source, source_file);
    PrintNote(note.where, note.message, remedy, quotes);
  }
}

/// Prints what was found; returns whether there was an error among it.
bool PrintFindings(std::vector<Finding> findings, const std::string& source_file) {
  PutRacesFirst(findings);
  PutLeaksLast(findings);
  NameHostLines(findings, source_file);
  const SourceQuotes quotes = SourceQuotes::OfFiles();
  bool error = false, is_told_to_go_on = false;
  std::size_t printed = 0;
  std::map<std::string, std::string> sources;
  std::set<std::pair<std::string, int>> guarded;
  std::vector<LeadingFinding> leading = WithoutFollowers(findings);
  for (auto& [finding, followers] : leading) {
    error = error || finding.severity == Severity::kError;
    const Finding as_found = finding;  // With the names that the others have, too.
    NameAsGiven(finding.where, source_file);
    if (finding.other) NameAsGiven(*finding.other, source_file);
    if (++printed > kMaxPrintedFindings) continue;
    const auto [source, is_new] = sources.emplace(finding.where.file, "");
    if (is_new) source->second = ReadFile(finding.where.file).value_or("");
    const bool is_array = IsArray(finding.object);
    const bool is_argument = say::argument.Made(finding.object);
    const auto argument = is_argument ? static_cast<std::size_t>(finding.object.arguments().at(0).number) : 0;
    NameArguments(finding, source->second);
    ExplainWrappedIndex(finding, source->second);
    NameLocalArray(finding, source->second);
    ExplainTrap(finding, source->second);
    NamePassesOfRace(finding, source->second);
    std::fprintf(stderr, "\n%s", FormatFinding(finding, quotes, kColumns).c_str());
    Message remedy = ExchangedIndices(finding, source->second);
    if (remedy.empty()) remedy = WaitForOtherBlocks(as_found, findings, source->second);
    if (remedy.empty() && !IsStoredByOtherBlock(as_found, findings))
      remedy = RemedyOf(finding, SourceOf(source_file), argument, is_array, quotes, source->second);
    // Once for the line, however many arrays it uses.
    if (say::guard_is_missing.Made(remedy) && !guarded.emplace(finding.where.file, finding.where.line).second)
      remedy = {};
    if (!remedy.empty()) std::fputs(Wrap(PrintableWords(remedy), kColumns, 4).c_str(), stderr);
    if (MayEndTheKernel(finding) && !std::exchange(is_told_to_go_on, true))
      std::fputs(Wrap(PrintableWords(say::card_may_stop_there()), kColumns, 4).c_str(), stderr);
    if (followers == 0) continue;
    const Message more = say::findings_with_same_cause(say::Count(followers, "more finding"));
    std::fputs(Wrap(PrintableWords(more), kColumns, 4).c_str(), stderr);
  }
  if (LackLines(findings)) {
    std::fputs("\n", stderr);
    Warn(say::lineinfo_names_lines());
  }
  if (leading.size() > kMaxPrintedFindings) {
    std::fputs("\n", stderr);
    Warn(say::findings_more(say::Count(leading.size() - kMaxPrintedFindings, "more finding")));
  }
  return error;
}

/// Whether free() met the fault: it reads the size of its block in the 8 bytes before the pointer, and what
/// cudaMalloc returns is aligned to 256 bytes. delete ends there, too.
bool IsOfFree(const std::optional<HostFault>& fault) {
  constexpr std::uint64_t kAlignment = 256, kSizeOfSize = 8;
  return fault && fault->address % kAlignment == kAlignment - kSizeOfSize;
}

/// What to do about host code that uses device memory.
Message AdviceOnDeviceMemory(const std::optional<HostFault>& fault, const std::string& source,
                             const Message& otherwise) {
  auto use = FindHostUse(source, "");
  if (IsOfFree(fault) && !(use && !use->function.empty())) {
    use = FindFreeOfDeviceMemory(source);
    if (!use) return say::free_of_device_memory();
  }
  return use ? DescribeHostUse(*use) : otherwise;
}

/// Who copies past the end of an array of the host may crash anywhere later.
Message DescribeOverflow(const HostOverflow& overflow) {
  const auto& [line, function, array, array_line, copied, bytes, is_read] = overflow;
  if (is_read)
    return say::copy_from_past_host_array_in(function, say::Line(line), say::Count(copied, "byte"), array,
                                             bytes);
  return say::copy_past_host_array_in(function, say::Line(line), say::Count(copied, "byte"), array, bytes);
}

/// Says why host code crashed; returns whether it did. Who sent a signal such as SIGINT knows about it.
/// `heap_is_whole`: a copy that passes the end of a block was stopped there, and is no reason for a crash.
bool PrintCrash(const ProgramEnd& end, const std::string& source_file, bool heap_is_whole) {
  if (!end.signalled()) return false;
  const auto find_overflow = [&] {
    return heap_is_whole ? std::nullopt : FindHostOverflow(SourceOf(source_file));
  };
  const int signal_number = WTERMSIG(end.wait_status);
  const Message name = sandbox::DescribeSignal(signal_number);
  switch (signal_number) {
    case SIGSEGV:
    case SIGBUS: {
      const FaultWords words = DescribeFault(name, end.fault);
      Warn(words.reason);
      const auto overflow = find_overflow();
      if (overflow && !say::device_memory_on_host.Made(words.next_step)) {
        WarnFurther(DescribeOverflow(*overflow));
        return true;
      }
      WarnFurther(say::device_memory_on_host.Made(words.next_step)
                      ? AdviceOnDeviceMemory(end.fault, SourceOf(source_file), words.next_step)
                      : words.next_step);
      return true;
    }
    case SIGABRT:
    case SIGFPE:
    case SIGILL:
      Warn(say::ended_by_signal(name));
      if (const auto overflow = find_overflow(); overflow && signal_number == SIGABRT) {
        WarnFurther(DescribeOverflow(*overflow));
        return true;
      }
      if (Message advice = AdviceOnSignal(signal_number); !advice.empty()) {
        if (say::look_for_division_by_zero.Made(advice))
          advice = AdviceOnDivisionByZero(SourceOf(source_file));
        WarnFurther(advice);
      }
      return true;
    case SIGKILL: Warn(say::killed_for_memory()); return false;
    default: return false;
  }
}

int ExitStatusFor(int wait_status, bool found_error) {
  if (WIFSIGNALED(wait_status)) return 128 + WTERMSIG(wait_status);
  int status = WEXITSTATUS(wait_status);
  return status == 0 && found_error ? kExitNotPassed : status;
}

/// Counts by kernel, line and instruction, as docs/profile.schema.json says.
Status WriteProfile(const DeviceClient& device, const std::vector<KernelProfile>& kernels,
                    const std::string& file) {
  constexpr int kSchemaVersion = 1;
  nlohmann::json json;
  json["schema_version"] = kSchemaVersion;
  json["devices"] = nlohmann::json::array();
  for (std::size_t i = 0; i < device.device_count(); ++i) json["devices"].push_back(device.profile_of(i).id);
  json["kernels"] = nlohmann::json::array();
  for (const KernelProfile& kernel : kernels) {
    nlohmann::json out = kernel;
    if (const auto estimate = timing::EstimateKernel(kernel, device.profile_of(kernel.device))) {
      out["estimated_seconds"] = estimate->seconds;
      out["estimated_bound"] = English(timing::NameOf(estimate->bound));
    }
    json["kernels"].push_back(std::move(out));
  }
  json["complete"] = device.alive();
  return WriteFileAtomically(file, DumpJson(json, 2) + "\n");
}

using DeviceUses = std::vector<protocol::DeviceUse>;

void PrintSummary(DeviceClient& device, const std::vector<KernelProfile>& kernels, const DeviceUses& uses) {
  std::vector<DeviceProfile> cards;
  for (std::size_t i = 0; i < device.device_count(); ++i) cards.push_back(device.profile_of(i));
  const std::string summary = FormatRunSummary(kernels, uses, cards);
  std::fputs(summary.c_str(), stderr);
}

/// What was not looked at, in a program with this use of its devices. Or empty.
Message LeftOut(RunChecks checks, const DeviceUses& uses) {
  if (checks == RunChecks::kNone) return say::no_checks_leave_out();
  const bool of_host = std::ranges::any_of(uses, &protocol::DeviceUse::wrote_host_memory);
  if (checks == RunChecks::kFast) {
    return of_host ? Message(say::and_remedy(say::fast_checks_leave_out(), say::host_reads_left_out()))
                   : say::fast_checks_leave_out();
  }
  return of_host ? say::host_reads_left_out() : Message();
}

/// Silence could also mean that nothing was looked at.
void PrintThatAllIsWell(DeviceClient& device, RunChecks checks, const DeviceUses& uses, std::size_t notes,
                        int status) {
  const std::size_t launches = device.TakeLaunches().size();
  if (launches == 0) return;
  Message well = launches == Observed::kMaximumLaunches ? say::no_errors_in_many_launches(launches)
                 : launches > 1                         ? say::no_errors_in_launches(launches)
                                                        : say::no_errors_in_one_launch();
  if (notes > 0) well = say::no_errors_but_notes(well, say::Count(notes, "note"));
  const Message left_out = LeftOut(checks, uses);
  if (!left_out.empty()) well = say::no_errors_as_far_as(well, left_out);
  Warn(status == 0 ? well : Message(say::no_errors_but_returned(well, status)));
}

/// What a kernel prints appears when the program waits for it, on a card, too. Returns whether some never
/// did.
bool PrintThatOutputIsLost(DeviceClient& device) {
  if (device.TakePrinted().empty()) return false;
  Warn(say::kernel_output_lost());
  WarnFurther(say::wait_before_program_ends());
  return true;
}

/// After these errors the runtime refuses every call, cudaFree too.
bool RefusesWhatFollows(const Finding& finding) {
  return finding.kind == FindingKind::kEndlessLoop || finding.kind == FindingKind::kDeadlock ||
         finding.kind == FindingKind::kTrap;
}

/// The program was given an error, so that it may have left out what frees its memory; or the free was what
/// was refused.
bool GivesAnError(const Finding& finding) {
  return RefusesWhatFollows(finding) || finding.kind == FindingKind::kInvalidCall ||
         (finding.kind == FindingKind::kInvalidLaunch && finding.severity == Severity::kError);
}

/// What the source shows and the machine code may not: the compiler may do anything there.
std::vector<Diagnostic> UndefinedBehaviourIn(const std::string& source, const std::string& display_name) {
  std::vector<Diagnostic> found = FindUnsetVariables(source, display_name);
  if (source.size() > kLongestSource) return found;
  const std::string code = WithoutComments(source);
  if (const auto loop = FindLoopPastArray(TokensOf(code), code))
    found.push_back({Severity::kWarning, {display_name, loop->line}, 0, loop->what});
  return found;
}

/// What is left to say once the program has ended; the exit status.
int Conclude(DeviceClient& device, const RunOptions& options, const ProgramEnd& end,
             LaunchProgressLine& line) {
  if (end.signalled()) device.Interrupt();
  device.SetDeadline(end.signalled() ? kLastWordsAfterSignal : kLastWords);
  std::vector<Finding> findings = device.TakeFindings();  // Waits for a kernel that still runs.
  line.End();
  const auto behind = std::ranges::stable_partition(findings, std::not_fn(IsNote));
  std::vector<Finding> notes(behind.begin(), behind.end());
  findings.erase(behind.begin(), behind.end());
  for (Finding& finding : findings) {
    if (finding.kind == FindingKind::kShuffleAfterExit)
      ExplainSkippedShuffle(finding, SourceOf(finding.where.file));
  }
  // What crashes has no chance to free anything or to wait, and what gives up does not care to.
  const bool gave_up = WIFEXITED(end.wait_status) && WEXITSTATUS(end.wait_status) != 0;
  const bool crashed = PrintCrash(end, options.source, std::ranges::any_of(findings, IsCopyPastBlock)),
             ended_early = crashed || gave_up;
  // A time that was too early may be why it gives up.
  if (ended_early || std::ranges::any_of(findings, RefusesWhatFollows)) {
    std::erase_if(findings, [](const Finding& f) {
      return f.kind == FindingKind::kMissingWait && !say::time_before_event.Made(f.message);
    });
  }
  if (ended_early || std::ranges::any_of(findings, GivesAnError))
    std::erase_if(findings, [](const Finding& f) { return f.kind == FindingKind::kLeak; });
  const auto violations = device.TakeProtocolViolations();
  for (const auto& violation : violations) Warn(say::program_was_cut_off(violation.what));
  // However the program ended: counts of what failed are of interest too.
  const bool is_profiled = options.summary || !options.profile.empty();
  const auto kernels = is_profiled ? device.TakeProfile() : std::vector<KernelProfile>{};
  if (!options.profile.empty()) {
    if (Status written = WriteProfile(device, kernels, options.profile); !written)
      return ReportError(written.error());
  }
  if (!device.alive() && !end.signalled()) {
    return ReportError(GraderError(say::findings_not_told(), say::findings_are_lost()));
  }
  const int status = ExitStatusFor(end.wait_status, PrintFindings(findings, options.source));
  const bool is_lost = !ended_early && !end.signalled() && PrintThatOutputIsLost(device);
  const bool was_checked = options.sample_blocks == 0 && violations.empty();
  const auto asked = device.Ask(protocol::TakeDeviceUse{});
  const DeviceUses uses = asked ? *asked : DeviceUses{};
  // What other cards read is not noted, and in a sample of blocks not all is stored.
  if (uses.size() > 1 || options.sample_blocks != 0 || gave_up) std::erase_if(notes, IsLostResult);
  const std::string source = SourceOf(options.source);
  std::erase_if(notes, [&](Finding& note) {
    return IsStoredInPart(note) && (uses.size() > 1 || !NamePartlyStored(note, source, options.source));
  });
  std::erase_if(notes, [&](Finding& note) {
    return IsCopiedInPart(note) && (uses.size() > 1 || options.sample_blocks != 0 ||
                                    !NameCopyOfElements(note, source, options.source));
  });
  if (!crashed && std::ranges::count(findings, Severity::kError, &Finding::severity) == 0)
    PrintNotes(notes, options.source, MistakeOfIndex(findings, source));
  std::vector<SilentMistake> silent =
      crashed ? std::vector<SilentMistake>() : SilentMistakesOf(source, findings);
  // Another file may fill what this one has.
  if (!options.source_is_whole)
    std::erase_if(silent,
                  [](const SilentMistake& each) { return say::constant_is_not_filled.Made(each.what); });
  for (const SilentMistake& each : silent)
    PrintNote({options.source, each.line}, each.what, each.remedy, SourceQuotes::OfFiles());
  const std::vector<Diagnostic> unseen = UndefinedBehaviourIn(source, options.source);
  for (const Diagnostic& each : unseen) PrintWarning(each, SourceQuotes::OfFiles());
  // A program that checks itself returns another status than 0.
  if (WIFEXITED(end.wait_status) && findings.empty() && unseen.empty() && !is_lost && was_checked)
    PrintThatAllIsWell(device, options.checks, uses, notes.size() + silent.size(), status);
  if (options.summary) PrintSummary(device, kernels, uses);
  return status;
}

}  // namespace

int RunOnVirtualGpu(const RunOptions& options, const std::string& device_spec) {
  auto major = fatbin::RuntimeMajorOf(options.command[0]);
  if (!major) return ReportError(major.error());
  const auto program = fatbin::ReadExecutable(options.command[0]);
  if (!program) return ReportError(program.error());

  const Layout layout = ThisLayout();
  const SharedMemory progress = SharedMemory::Create(sizeof(LaunchProgress));
  auto device = DeviceClient::StartProcess(layout.DeviceProgram(), device_spec, 0, 0, progress.fd());
  if (!device) return ReportError(device.error());
  ObservationOptions observation;
  observation.profile = observation.work = options.summary || !options.profile.empty();
  observation.sample_blocks = options.sample_blocks;
  observation.checks = options.checks != RunChecks::kNone;
  observation.access_checks = options.checks == RunChecks::kAll;
  if (options.sample_blocks) observation.checks = false;  // Blocks that did not run wrote nothing.
  observation.max_warp_instructions = options.max_instructions;
  observation.repeat_launches = observation.missing_waits = true;
  (*device)->SetObservation(observation);
  ChannelPair pair = MakeChannelPair();
  auto client = (*device)->AttachClient(pair.second.get(), /*deliver_printed=*/true);
  if (!client) return ReportError(GraderError(say::device_refused_program(client.error().message)));
  pair.second.reset();

  const Libraries libraries = LibrariesFor(*program, *major);
  LaunchProgressLine line(LaunchProgress::In(progress));
  auto end = RunToItsEnd(options.command, libraries, std::move(pair.first), line);
  if (!end) return ReportError(end.error());
  constexpr int kNotLoaded =
      127;  // The loader's exit status if a library is missing; it has named the library.
  const bool is_not_loaded = WIFEXITED(end->wait_status) && WEXITSTATUS(end->wait_status) == kNotLoaded;
  if (is_not_loaded && !libraries.nvrtc.empty() && libraries.nvrtc_folder.empty()) {
    Warn(say::nvrtc_not_found(libraries.nvrtc));
    WarnFurther(say::install_nvrtc());
  }
  return Conclude(**device, options, *end, line);
}

namespace {

int Run(const RunOptions& options) {
  if (options.command.empty()) {
    return ReportError(UsageError(say::no_program_to_run(), say::try_run_program()));
  }
  const std::filesystem::path program = options.command[0];
  if (program.extension() == ".cu") {
    return ReportError(
        UsageError(say::is_a_cuda_source(program.string()), say::cc_compiles_it(program.string())));
  }
  const auto choice = ChooseDevice(options.device);
  if (!choice) return ReportError(choice.error());
  return RunOnVirtualGpu(options, choice->spec);
}

}  // namespace

namespace {

/// What --checks takes.
OneOf ChecksWords(RunOptions& options) {
  return {{"none", "fast", "all"}, [&options](std::size_t number) {
            constexpr RunChecks kChoices[] = {RunChecks::kNone, RunChecks::kFast, RunChecks::kAll};
            options.checks = kChoices[number];
          }};
}

}  // namespace

std::vector<Option> DescribeRunOptions(RunOptions& options) {
  constexpr std::uint64_t kMany = std::uint64_t{1} << 62;
  return {
      {.name = "--device",
       .target = &options.device,
       .help = "auto, virtual, virtual:PROFILE, or virtual:PROFILE,PROFILE... for several cards at once",
       .show_default = true},
      {"--profile", &options.profile, "Write counts by kernel, source line and instruction to this file",
       "F.json"},
      {"--summary", &options.summary,
       "At the end, list kernels with their launches and estimated times, copies, and memory"},
      {"--checks", ChecksWords(options),
       "all; fast: without races and uninitialised reads, in about half the time; none: only invalid "
       "accesses, traps and endless loops, hardly faster than fast; default: all",
       "WHICH"},
      {.name = "--sample-blocks",
       .target = &options.sample_blocks,
       .help =
           "With --profile: run only this many blocks of each launch, spread over the grid, and scale their "
           "counts to all; results of the program are then worthless",
       .value_name = "N",
       .needs = "--profile",
       .range = {{1, kMany}}},
      {.name = "--max-instructions",
       .target = &options.max_instructions,
       .help = "Warp instructions of one block that count as an endless loop",
       .value_name = "N",
       .show_default = true,
       .range = {{1, kMany}}},
  };
}

Command MakeRunCommand() {
  auto options = std::make_shared<RunOptions>();
  return {.name = "run",
          .help = "Run a CUDA program of your own on the virtual GPU",
          .options = DescribeRunOptions(*options),
          .footer = kRunFooter,
          .run = [options] { return Run(*options); },
          .rest = Rest::kFromFirstWord,  // What stands behind the program is the program's.
          .rest_words = &options->command,
          .usage = "run [OPTIONS] PROGRAM [ARG...]"};
}

}  // namespace warplings
