// SPDX-License-Identifier: Apache-2.0
#include "grader/build/compile.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <vector>

#include "grader/base/sha256.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

// The script's own exit statuses, above those of compilers.
constexpr int kCompileFailed = 110, kSymbolsFailed = 111, kLinkFailed = 112;

// Its descriptors beside standard output: memory files of ours.
constexpr int kSymbolsNumber = 3, kLinkerNumber = 4, kWorkerNumber = 5;

// Archives by fixed names, so that no path of this machine shows inside.
constexpr const char* kEntry = "/grader/entry.a";
constexpr const char* kWorkerMain = "/grader/worker_main.a";
constexpr const char* kRuntime = "/grader/runtime.a";

/// Of nm; a file with all of Thrust in it has half a megabyte.
constexpr std::size_t kMaxSymbolText = 8u << 20;
constexpr std::size_t kMaxLinkerText = 256u << 10;

std::string Quote(const std::string& word) {
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string Join(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + Quote(word);
  return line;
}

/// PTX for the virtual GPU and a cubin of the same, so that ptxas' opinion (registers, shared memory,
/// code that does not assemble) is known. -include: a definition that contradicts the contract's
/// declaration is an error even where the file does not include the contract.
std::vector<std::string> NvccCommand(const CompileInput& input) {
  std::string sm = std::to_string(input.sm);
  return {input.toolchain.nvcc.string(),
          "-c",
          "-std=c++17",
          "-lineinfo",
          "-cudart=none",
          "-gencode",
          "arch=compute_" + sm + ",code=[compute_" + sm + ",sm_" + sm + "]",
          "-ccbin",
          input.toolchain.host_compiler.string(),
          "-I" + fs::path(input.contract_path).parent_path().string(),
          "-include",
          input.contract_path,
          "-x",  // Whatever its name ends in: learning platforms hand out "x.cu.txt".
          "cu",
          input.source_path,
          "-o",
          "student.o"};
}

std::vector<std::string> LinkCommand(const CompileInput& input) {
  return {input.toolchain.linker.string(), "-static", "-s", "-fno-use-linker-plugin",
          // Its author chooses the names in an object: ld would write gigabytes for one of 280 characters.
          "-Wl,--build-id=none,-z,noexecstack,--no-demangle", "student.o", "-Wl,--start-group", kWorkerMain,
          kEntry, kRuntime, "-Wl,--end-group", "-o", "worker"};
}

std::string Script(const CompileInput& input) {
  std::ostringstream script;
  script << Join(NvccCommand(input)) << " || exit " << kCompileFailed << '\n'
         << "{ nm -P " << kEntry << " && echo = && nm -P student.o; } >&" << kSymbolsNumber
         << " 2>/dev/null || exit " << kSymbolsFailed << '\n'
         << Join(LinkCommand(input)) << " >&" << kLinkerNumber << " 2>&1 || exit " << kLinkFailed << '\n'
         << "cat worker >&" << kWorkerNumber << " || exit " << kSymbolsFailed << '\n';
  return script.str();
}

Result<UniqueFd> MakeMemoryFile(const char* name) {
  UniqueFd file(memfd_create(name, MFD_CLOEXEC));
  if (!file) return GraderError(std::string("Cannot make a memory file: ") + std::strerror(errno) + ".");
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

sandbox::ProcessRequest MakeRequest(const CompileInput& input) {
  sandbox::ProcessRequest request;
  request.policy = sandbox::CompilePolicy(input.toolchain.Folders());
  request.policy.environment.emplace_back("PATH", input.toolchain.ProgramFolders());
  request.policy.binds.push_back({input.entry_archive, kEntry});
  request.policy.binds.push_back({input.worker_archive, kWorkerMain});
  request.policy.binds.push_back({input.runtime_archive, kRuntime});
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

void AddIdentity(Sha256& hash, const fs::path& file) {
  struct stat status {};
  std::ostringstream text;
  if (stat(file.c_str(), &status) == 0) {
    text << status.st_size << ' ' << status.st_mtim.tv_sec << '.' << status.st_mtim.tv_nsec;
  }
  hash.AddField(file.string());
  hash.AddField(text.str());
}

}  // namespace

std::string CompileInput::CacheKey() const {
  Sha256 hash;
  hash.AddField(source);
  hash.AddField(contract);
  hash.AddField(toolchain.Identity());
  hash.AddField(Script(*this));  // Paths and every flag.
  for (const fs::path& archive : {entry_archive, worker_archive, runtime_archive}) AddIdentity(hash, archive);
  return hash.Finish();
}

Result<CompileOutput> RunCompile(const CompileInput& input) {
  auto symbols = MakeMemoryFile("symbols"), linker = MakeMemoryFile("linker"),
       worker = MakeMemoryFile("worker");
  for (const auto* file : {&symbols, &linker, &worker}) {
    if (!*file) return file->error();
  }
  sandbox::ProcessRequest request = MakeRequest(input);
  request.passed = {
      {symbols->get(), kSymbolsNumber}, {linker->get(), kLinkerNumber}, {worker->get(), kWorkerNumber}};
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
  if (std::size_t border = both.find("\n=\n"); border != std::string::npos) {
    output.symbols_of_entry = both.substr(0, border + 1);
    output.symbols_of_source = both.substr(border + 3);
  }
  output.failed_in = StageOf(output.end, output);
  output.worker_bytes = FileBytes(worker->get());
  output.worker = std::move(*worker);
  return output;
}

}  // namespace warplings
