// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>

#include "grader/base/language.h"
#include "grader/base/program_output.h"
#include "grader/base/read_file.h"
#include "grader/build/diagnostics.h"
#include "grader/build/known_mistakes.h"
#include "grader/build/toolchain.h"
#include "grader/cli/command.h"
#include "grader/cli/run_command.h"
#include "grader/cli/temporary_folder.h"
#include "grader/core/layout.h"
#include "grader/messages/build.h"
#include "grader/messages/command_line.h"
#include "grader/messages/joining.h"
#include "grader/messages/workbook.h"
#include "grader/pipeline/device_choice.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCcFooter =
    "FILE.cu is compiled for the card of --device, with -lineinfo, and run on the virtual GPU; the program "
    "is\n"
    "removed afterwards. `warplings run` takes programs of several files, and those that you build "
    "yourself.\n"
    "\n"
    "Examples:\n"
    "  warplings cc vector_add.cu 1000000\n"
    "  warplings cc --device virtual:t4 vector_add.cu\n"
    "  warplings cc --nvcc-options \"-std=c++20 -O3\" vector_add.cu\n"
    "  warplings cc --nvcc-options \"-rdc=true kernels.cu\" main.cu\n"
    "  warplings cc --nvcc-options \"-lcuda -lnvrtc\" compiles_at_run_time.cu\n"
    "  warplings cc --profile counts.json vector_add.cu\n"
    "  warplings cc --summary vector_add.cu\n"
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
    "Exit status: the program's; 1 if that is 0 but an error was found, or if it does not compile; 128 + N "
    "after\n"
    "signal N.";

struct CcOptions {
  RunOptions run;
  std::string nvcc_options;  ///< Separated by blanks.
};

/// Several devices share one program; it is compiled for the oldest.
std::vector<std::string> CompileCommand(const Toolchain& tools, int sm, const CcOptions& options,
                                        const fs::path& libraries, const fs::path& program) {
  std::vector<std::string> command = {tools.nvcc, "-ccbin", tools.host_compiler, "-lineinfo"};
  if (options.nvcc_options.find("-arch") == std::string::npos &&
      options.nvcc_options.find("-gencode") == std::string::npos)
    command.push_back("-arch=sm_" + std::to_string(sm));
  std::istringstream words(options.nvcc_options);
  for (std::string word; words >> word;) command.push_back(word);
  // With -cudart none, nvcc would not link device code (-rdc=true).
  command.insert(command.end(), {"-cudart", "shared", "-cudadevrt", "none", "-L", libraries, "-o", program,
                                 options.run.command[0]});
  return command;
}

/// The name in ld's first "undefined reference to `helper(int)'"; empty if there is none.
std::string FirstUndefined(const std::string& output) {
  constexpr std::string_view kBefore = "undefined reference to `";
  const std::size_t at = output.find(kBefore);
  if (at == output.npos) return "";
  const std::size_t begin = at + kBefore.size(), end = output.find('\n', begin);
  const std::string rest = output.substr(begin, end == output.npos ? end : end - begin);
  return rest.substr(0, rest.rfind('\''));
}

/// Mistakes that we know, in our words, as `check` has them; the compiler's stand below.
void ExplainErrors(const std::string& compiler_output, const fs::path& source) {
  const std::string text = ReadFile(source).value_or("");
  const auto diagnostics = ParseDiagnostics(compiler_output, {{source, source}}, text);
  auto mistakes = RecogniseMistakes(diagnostics, text, source.string());
  if (auto index = FindIndexInHostCode(compiler_output); index && mistakes.empty())
    mistakes.push_back(std::move(*index));
  if (auto launch = FindLaunchFromKernel(diagnostics, compiler_output); launch && mistakes.empty())
    mistakes.push_back(std::move(*launch));
  if (mistakes.empty() && compiler_output.find("undefined reference to `main'") != std::string::npos)
    mistakes.push_back({say::has_no_main(), say::to_check_file(source.string())});
  if (const std::string name = FirstUndefined(compiler_output); mistakes.empty() && !name.empty())
    mistakes.push_back({say::used_and_not_linked(name), say::link_other_file()});
  for (const KnownMistake& mistake : mistakes) {
    Warn(say::in_line_of_file(source.string(), mistake.reason));
    if (!mistake.next_step.empty()) WarnFurther(mistake.next_step);
  }
  if (!mistakes.empty()) std::fputs("\n", stderr);
}

/// nvcc compiles a file twice, for host and device, and says the same of both: each paragraph once.
std::string WithoutRepetitions(const std::string& text) {
  std::string kept;
  std::set<std::string> seen;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t blank = text.find("\n\n", at), end = blank == text.npos ? text.size() : blank + 2;
    const std::string paragraph = text.substr(at, end - at);
    if (seen.insert(paragraph).second) kept += paragraph;
    at = end;
  }
  return kept;
}

bool IsLanguage(const std::string& value) {
  return value.starts_with(kEnglish) || LanguageOfLocale(value) != kEnglish;
}

/// The name of an option of ours that takes nothing or any value; empty if the word is none.
std::string OptionIn(const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  for (const char* const option :
       {"--summary", "--profile", "--checks", "--sample-blocks", "--max-instructions"})
    if (name == option) return name;
  return "";
}

/// Options of ours behind the file go to the program, which may have a --device, too: ours are recognised by
/// their values, or because the program's source does not have them.
void WarnOfOptionsBehindFile(const std::vector<std::string>& command) {
  const std::string source = ReadFile(command[0]).value_or("");
  for (std::size_t i = 1; i < command.size(); ++i) {
    const std::string& word = command[i];
    const std::string value = i + 1 < command.size() ? command[i + 1] : "";
    const bool names_device = (word == "--device" && (value == "auto" || value.starts_with("virtual"))) ||
                              word.starts_with("--device=virtual");
    const bool names_language = (word == "--lang" && IsLanguage(value)) ||
                                (word.starts_with("--lang=") && IsLanguage(word.substr(7)));
    const std::string option = OptionIn(word);
    const bool is_unknown_to_program = !option.empty() && source.find(option.substr(2)) == std::string::npos;
    if (!names_device && !names_language && !is_unknown_to_program && !word.starts_with("--nvcc-options"))
      continue;
    Warn(say::option_goes_to_program(word, command[0]));
    WarnFurther(say::write_option_before_file(command[0]));
  }
}

/// Whether it could be compiled. Prints what nvcc says, warnings too.
Result<bool> Compile(const std::vector<std::string>& command, const fs::path& source) {
  // nvcc needs minutes for some files; who has no patience presses Ctrl-C.
  constexpr CaptureLimits kLimits{.time = std::chrono::hours(1)};
  const auto output = CaptureOutput(command, ErrorText::kKept, kLimits);
  if (!output) return output.error();
  if (output->status != 0) ExplainErrors(output->text + output->errors, source);
  std::fputs(output->text.c_str(), stdout);
  std::fflush(stdout);
  std::fputs(WithoutRepetitions(output->errors).c_str(), stderr);
  return output->status == 0;
}

int CompileAndRun(CcOptions options) {
  if (options.run.command.empty()) return ReportError(UsageError(say::no_file_to_compile(), say::try_cc()));
  const fs::path source = options.run.command[0];
  std::error_code fault;
  if (fs::is_directory(source, fault))
    return ReportError(UsageError(say::is_a_folder(source.string()), say::try_cc()));
  if (!fs::is_regular_file(source, fault))
    return ReportError(UsageError(say::no_such_file(source.string()), say::try_cc()));
  if (source.extension() != ".cu")
    return ReportError(
        UsageError(say::no_cuda_source(source.string()), say::run_takes_programs(source.string())));
  WarnOfOptionsBehindFile(options.run.command);
  const auto choice = ChooseDevice(options.run.device);
  if (!choice) return ReportError(choice.error());
  auto tools = FindToolchain(ThisLayout().root);
  if (!tools) return ReportError(tools.error());
  if (tools->cuda_major == 0) {
    const auto version = AskNvccVersion(*tools);
    if (!version) return ReportError(version.error());
    tools->cuda_major = version->major;
  }
  const TemporaryFolder folder;
  if (folder.path().empty())
    return ReportError(GraderError(say::no_folder_to_compile_in(std::strerror(errno))));
  // NVIDIA's wheels bring neither libcudart.so nor libcudadevrt to link with.
  fs::create_symlink(ThisLayout().RuntimeLibrary(tools->cuda_major), folder.path() / "libcudart.so", fault);
  // For -lcuda; no toolkit needs to have a stub, and no machine a driver.
  if (!fault)
    fs::create_symlink(ThisLayout().DriverLibrary(tools->cuda_major), folder.path() / "libcuda.so", fault);
  // A folder of its own: the program may have any name.
  const fs::path program = folder.path() / "program" / source.stem();
  if (!fault) fs::create_directory(program.parent_path(), fault);
  if (fault) return ReportError(GraderError(say::no_folder_to_compile_in(fault.message())));
  const auto compiled = Compile(CompileCommand(*tools, choice->sm, options, folder.path(), program), source);
  if (!compiled) return ReportError(compiled.error());
  if (!*compiled) return kExitNotPassed;
  options.run.command[0] = program;
  options.run.source = source;
  // "-rdc=true kernels.cu"
  options.run.source_is_whole = options.nvcc_options.find(".cu") == std::string::npos &&
                                options.nvcc_options.find("-rdc") == std::string::npos &&
                                options.nvcc_options.find("-dc") == std::string::npos;
  return RunOnVirtualGpu(options.run, choice->spec);
}

}  // namespace

Command MakeCcCommand() {
  auto options = std::make_shared<CcOptions>();
  std::vector<Option> described = DescribeRunOptions(options->run);
  described.push_back({"--nvcc-options", &options->nvcc_options,
                       "Options for nvcc, separated by blanks, in one pair of quotes", "\"OPTION...\""});
  return {.name = "cc",
          .help = "Compile a CUDA file of your own and run it on the virtual GPU",
          .options = std::move(described),
          .footer = kCcFooter,
          .run = [options] { return CompileAndRun(*options); },
          .rest = Rest::kFromFirstWord,  // What stands behind the file is the program's.
          .rest_words = &options->run.command,
          .usage = "cc [OPTIONS] FILE.cu [ARG...]"};
}

}  // namespace warplings
