// SPDX-License-Identifier: Apache-2.0
#include "grader/build/compile_steps.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>
#include <vector>

#include "grader/base/replace.h"
#include "grader/base/sha256.h"
#include "grader/base/shell.h"
#include "grader/build/cache_entry.h"
#include "grader/build/header_list.h"
#include "grader/messages/build.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

// Exit statuses of the script itself, higher than those of compilers.
constexpr int kCompileFailed = 110, kSymbolsFailed = 111, kLinkFailed = 112;

// Its descriptors beside standard output: memory files of ours.
constexpr int kSymbolsNumber = 3, kLinkerNumber = 4, kWorkerNumber = 5, kImageNumber = 6, kHeadersNumber = 7;

// Archives by fixed names, so that no path of this machine shows inside.
constexpr const char* kEntry = "/grader/entry.a";
constexpr const char* kWorkerMain = "/grader/worker_main.a";
constexpr const char* kRuntime = "/grader/runtime.a";

/// Of nm; a file with all of Thrust in it has half a megabyte.
constexpr std::size_t kMaxSymbolText = 8u << 20;
constexpr std::size_t kMaxLinkerText = 256u << 10;
constexpr std::size_t kMaxHeaderPaths = 2u << 20;

std::vector<std::string> LinkCommand(const CompileInput& input) {
  return {input.toolchain.linker.string(), "-static", "-s", "-fno-use-linker-plugin",
          // Its author chooses the names in an object: ld would write gigabytes for one of 280 characters.
          "-Wl,--build-id=none,-z,noexecstack,--no-demangle", "student.o", "-Wl,--start-group", kWorkerMain,
          kEntry, kRuntime, "-Wl,--end-group", "-o", "worker"};
}

/// nvcc as a whole.
std::string WholeCompilation(const CompileInput& input) {
  return ShellLine(NvccCommand(input.toolchain, input.sm, input.source_path, input.contract_path)) +
         " || exit " + std::to_string(kCompileFailed) + '\n';
}

/// A preprocessor's step with the kept text in the prologue's place (prologue.h), or as nvcc runs it.
std::string PreprocessLines(const std::string& step, const std::string& side, const std::string& said) {
  const std::string kept = std::string(kPrologueFolder) + '/' + side;
  const std::string result = step.substr(step.rfind(" -o ") + 4);
  std::string quick = ReplaceAll(step, "-include \"cuda_runtime.h\"", "-imacros " + kept + ".macros");
  quick = quick.substr(0, quick.rfind(" -o ")) + " -o " + side + ".part";
  std::ostringstream lines;
  lines << "{ " << quick << " > " << said << " 2>&1 && [ ! -s " << said << " ] &&\n"
        << "{ head -n 1 " << side << ".part; cat " << kept << ".ii; sed -n '/^# 1 \"\\/contract\\//,$p' "
        << side << ".part; } > " << result << "; } || { ! killed " << said << " &&\n"
        << step << " > " << said << " 2>&1; } || exit $?\n";
  return lines.str();
}

/// g++'s step, with the precompiled header where cudafe++'s output begins with the very text that it was made
/// of.
std::string HostCompileLines(const NvccSteps& steps) {
  const std::string all = std::string(kStepsStem) + ".cudafe1.cpp";
  const std::string header = std::string(kPrologueFolder) + "/host.h";
  std::string quick =
      ReplaceAll(steps.compile_host, " -c -x c++ ", " -Winvalid-pch -include " + header + " -c -x c++ ");
  quick = ReplaceAll(quick, '"' + all + '"', "rest.cpp");
  std::ostringstream lines;
  // By bytes: a megabyte by lines takes ten times as long. The first line has the source's name.
  lines << "whole=$(wc -c < " << header << ") named=$(head -n 1 " << header << " | wc -c) mine=$(head -n 1 "
        << all << " | wc -c)\nsame=$((whole - named))\n"
        << "cmp -s -n $same -i $named:$mine " << header << ' ' << all << " && tail -c +$((mine + same + 1)) "
        << all << " > rest.cpp && head -n 1 rest.cpp | grep -q '^# [0-9]* \"' &&\n"
        << quick << " > said6 2>&1 && [ ! -s said6 ] || { ! killed said6 && " << steps.compile_host
        << " > said6 2>&1; }\n";
  return lines.str();
}

/// nvcc's own steps, the host's beside the device's, and what they print in nvcc's order.
std::string StepwiseCompilation(const CompileInput& input) {
  const NvccSteps steps = StepsFor(input.prologue->steps, input.source_path, input.contract_path);
  std::ostringstream script;
  script << ExportLines(steps)
         // $1: the status of a row of steps that failed, $2: the file with the name of its last step. A
         // status from 126 on says that a signal ended the step, or that it could not start: `failed` returns
         // 2, and nvcc itself is run, which has a message for that. A step that used up its time limit, or
         // five seconds of it, is not run again: `failed` prints nvcc's message itself and returns 1.
         << "broken() { [ $1 -ge 126 ] && [ $1 -le 192 ]; }\nfailed() {\nbroken $1 || return 1\n"
         << "[ $1 -eq " << 128 + SIGXCPU << " ] || { [ $1 -gt 128 ] && took_long; } || return 2\n"
         << "echo \"nvcc error   : '$(cat $2)' died due to signal $(($1 - 128)) \"; return 1\n}\n"
         // Five seconds or more, of the processes that were waited for: 0m5.123s.
         << "took_long() {\ntimes > spent\n{ read own; read user system; } < spent\n"
         << "case $user in 0m[0-4].*) return 1 ;; esac\n}\n"
         // g++'s words for what a signal ended. A signal that struck the short way strikes the long one, too.
         << "killed() { grep -q '^[a-z0-9+.-]*: [a-z ]*error: [A-Za-z ]*signal terminated program' $1 "
            "2>/dev/null; }\n"
         << "compile() {\n"
         << "{ echo g++ > host.step\n"
         << PreprocessLines(steps.preprocess_host, "host", "said0") << "echo cudafe++ > host.step\n"
         << steps.cudafe << " > said1 2>&1; } & host=$!\n"
         << "{ echo g++ > device.step\n"
         << PreprocessLines(steps.preprocess_device, "device", "said2") << "echo cicc > device.step\n"
         << steps.cicc << " > said3 2>&1 || exit $?\n"
         << "echo ptxas > device.step\n"
         << steps.ptxas << " > said4 2>&1 || exit $?\n"
         << "echo fatbinary > device.step\n"
         << steps.fatbinary << " > said5 2>&1; } & device=$!\n";
  script << "wait $host; status=$?\nbroken $status || cat said0 said1 2>/dev/null\n"
         << "[ $status -eq 0 ] || { failed $status host.step; return $?; }\n"
         << "wait $device; status=$?\nbroken $status || cat said2 said3 said4 said5 2>/dev/null\n"
         << "[ $status -eq 0 ] || { failed $status device.step; return $?; }\n"
         << "echo g++ > host.step\n"
         << HostCompileLines(steps)
         << "status=$?; cat said6\n[ $status -eq 0 ] || { failed $status host.step; return $?; }\n}\n"
         << "compile; case $? in 0) ;; 1) exit " << kCompileFailed << " ;; *)\n"
         << WholeCompilation(input) << ";;\nesac\n";
  return script.str();
}

/// The symbols are listed while the linker works; both need nothing but the object. So are the headers, out
/// of the preprocessed texts that --keep leaves. The fat binary is what nvcc's fatbinary wrote, before host
/// code had a chance to add to its section.
std::string LinkLines(const CompileInput& input) {
  std::ostringstream script;
  // One nm for both: most of its time is its start.
  script << "nm -P " << kEntry << " student.o >&" << kSymbolsNumber << " 2>/dev/null &\n"
         << "symbols=$!\n"
         << HeaderPathsLine("./*.ii") << " >&" << kHeadersNumber << " 2>/dev/null &\n"
         << "headers=$!\n"
         << "cat ./*.fatbin >&" << kImageNumber << " 2>/dev/null\n"
         << ShellLine(LinkCommand(input)) << " >&" << kLinkerNumber << " 2>&1; linked=$?\n"
         << "wait $headers; wait $symbols || exit " << kSymbolsFailed << '\n'
         << "[ $linked -eq 0 ] || exit " << kLinkFailed << '\n'
         << "cat worker >&" << kWorkerNumber << " || exit " << kSymbolsFailed << '\n';
  return script.str();
}

std::string Script(const CompileInput& input) {
  return (input.prologue ? StepwiseCompilation(input) : WholeCompilation(input)) + LinkLines(input);
}

Result<UniqueFd> MakeMemoryFile(const char* name) {
  UniqueFd file(memfd_create(name, MFD_CLOEXEC));
  if (!file) return GraderError(say::cannot_make_memory_file(std::strerror(errno)));
  return file;
}

std::uint64_t FileBytes(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

std::string ReadText(int fd, std::size_t at_most) {
  std::string text(std::min<std::uint64_t>(FileBytes(fd), at_most), '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    ssize_t got = pread(fd, text.data() + size, text.size() - size, static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += static_cast<std::size_t>(got);
  }
  text.resize(size);
  return text;
}

/// The hash of a whole file; "" of an empty one.
std::string HashFile(int fd) {
  const std::uint64_t bytes = FileBytes(fd);
  if (bytes == 0) return "";
  Sha256 hash;
  std::string piece(std::size_t{64} << 10, '\0');
  for (std::uint64_t at = 0; at < bytes;) {
    const ssize_t got = pread(fd, piece.data(), piece.size(), static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    hash.Add(std::string_view(piece.data(), static_cast<std::size_t>(got)));
    at += static_cast<std::uint64_t>(got);
  }
  return hash.Finish();
}

sandbox::ProcessRequest MakeRequest(const CompileInput& input) {
  sandbox::ProcessRequest request;
  request.policy = sandbox::CompilePolicy(input.toolchain.Folders());
  request.policy.environment.emplace_back("PATH", input.toolchain.ProgramFolders());
  request.policy.binds.push_back({input.entry_archive, kEntry});
  request.policy.binds.push_back({input.worker_archive, kWorkerMain});
  request.policy.binds.push_back({input.runtime_archive, kRuntime});
  if (input.prologue) request.policy.binds.push_back({input.prologue->folder, kPrologueFolder});
  request.program = {"/bin/sh", "-c", Script(input)};
  request.files = {{input.source_path, input.source}, {input.contract_path, input.contract}};
  return request;
}

CompileOutput::Stage StageOf(const sandbox::ProgramEnd& end, const CompileOutput& output) {
  using enum CompileOutput::Stage;
  if (end.succeeded()) return kDone;
  if (end.kind == sandbox::ProgramEnd::Kind::kExited) {
    if (end.code == kLinkFailed) return kLink;
    return end.code == kSymbolsFailed ? kSymbols : kCompile;
  }
  return output.symbols_of_source.empty() ? kCompile : kLink;
}

}  // namespace

std::string CompileInput::CacheKey() const {
  Sha256 hash;
  hash.AddField(source);
  hash.AddField(contract);
  hash.AddField(toolchain.Identity());
  // Paths and every flag. What is compiled step by step is the same, whether a prologue was there or not.
  hash.AddField(WholeCompilation(*this) + LinkLines(*this));
  for (const fs::path& archive : {entry_archive, worker_archive, runtime_archive}) AddIdentity(hash, archive);
  return hash.Finish();
}

Result<CompileOutput> RunCompile(const CompileInput& input) {
  auto symbols = MakeMemoryFile("symbols"), linker = MakeMemoryFile("linker"),
       worker = MakeMemoryFile("worker"), image = MakeMemoryFile("image"),
       headers = MakeMemoryFile("headers");
  for (const auto* file : {&symbols, &linker, &worker, &image, &headers}) {
    if (!*file) return file->error();
  }
  sandbox::ProcessRequest request = MakeRequest(input);
  request.passed = {{symbols->get(), kSymbolsNumber},
                    {linker->get(), kLinkerNumber},
                    {worker->get(), kWorkerNumber},
                    {image->get(), kImageNumber},
                    {headers->get(), kHeadersNumber}};
  auto finished = sandbox::RunToEnd(request);
  if (!finished) return finished.error();

  CompileOutput output;
  output.end = finished->end;
  output.compiler_output = std::move(finished->output);
  output.linker_output = ReadText(linker->get(), kMaxLinkerText);
  if (FileBytes(linker->get()) > kMaxLinkerText)
    output.linker_output += "\n… (the rest of the linker's messages is cut)\n";
  std::string both = ReadText(symbols->get(), kMaxSymbolText);
  output.symbols_are_cut = FileBytes(symbols->get()) > kMaxSymbolText;
  // nm names each file. The first such line is its own: the entry, where nobody else chooses names, comes
  // first.
  constexpr std::string_view kBorder = "\nstudent.o:\n";
  if (std::size_t border = both.find(kBorder); border != std::string::npos) {
    output.symbols_of_entry = both.substr(0, border + 1);
    output.symbols_of_source = both.substr(border + kBorder.size());
  }
  output.failed_in = StageOf(output.end, output);
  output.image = HashFile(image->get());
  if (FileBytes(headers->get()) <= kMaxHeaderPaths) {
    output.headers = DescribeHeaders(ReadText(headers->get(), kMaxHeaderPaths));
  }
  output.worker_bytes = FileBytes(worker->get());
  output.worker = std::move(*worker);
  return output;
}

}  // namespace warplings
