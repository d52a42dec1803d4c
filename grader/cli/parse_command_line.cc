// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "grader/base/ascii.h"
#include "grader/base/catalogue.h"
#include "grader/base/language.h"
#include "grader/base/read_file.h"
#include "grader/base/replace.h"
#include "grader/base/spelling.h"
#include "grader/cli/ascii_output.h"
#include "grader/cli/command.h"
#include "grader/cli/complete.h"
#include "grader/cli/standard_streams.h"
#include "grader/cli/typed_name.h"
#include "grader/core/layout.h"
#include "grader/messages/command_line.h"

namespace warplings {
namespace {

constexpr const char* kProgramFooter =
    "Start here:\n"
    "  warplings check 1              check chapter 1; the report says what to do first\n"
    "  warplings check                check the next exercise that is not solved yet\n"
    "  warplings hint                 a hint for the exercise that was checked last\n"
    "  warplings help COMMAND         a command's options, with examples\n"
    "  warplings help kernel          what a kernel, a grid, a block, a thread and a warp are\n"
    "\n"
    "Exit status: 0 all passed, 1 something did not pass, 2 wrong usage, 3 the grader itself failed.";

constexpr const char* kTeachingFooter = "Instructors: begin with docs/instructor.md.";

/// A help text in the reader's language. It names a guide as it lies in a clone; an installed tree's is named
/// where it is.
std::string Helping(const std::string& text) {
  const Layout& layout = ThisLayout();
  const std::string words = Translated(text);
  return layout.is_installed ? ReplaceAll(words, "docs/", (layout.root / "docs").string() + "/") : words;
}

/// For a first day with CUDA, on one screen. The code stands apart, because a text to translate has no
/// braces.
constexpr const char* kKernelHelp =
    "Kernel, grid, block, thread, warp\n"
    "\n"
    "A kernel is a function that runs on the GPU, once in each of many threads. It is marked __global__:";
constexpr const char* kKernelCode =
    "  __global__ void twice(float* a, int n) {\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n) a[i] = 2 * a[i];\n"
    "  }";
constexpr const char* kLaunchHelp =
    "Here i is the element that the thread doubles. The last block may have more threads than there are "
    "elements\n"
    "left, so each thread looks whether its own exists.\n"
    "\n"
    "Host code, which runs on the CPU, launches it. For n = 1,000 and 256 threads in each block:\n"
    "\n"
    "  twice<<<(n + 255) / 256, 256>>>(a, n);            // 4 blocks, 1,024 threads\n"
    "  cudaDeviceSynchronize();                          // a launch does not wait; this does\n"
    "\n"
    "  thread  executes the kernel's code once. threadIdx says which thread of its block it is.\n"
    "  block   is a group of at most 1,024 threads. They share an array that is marked __shared__, and wait "
    "for\n"
    "          each other at __syncthreads(). blockIdx says which block it is, blockDim how many threads it "
    "has.\n"
    "  grid    is all blocks of one launch. They run in any order, and no block may wait for another one.\n"
    "          gridDim says how many there are.\n"
    "  warp    is 32 threads of a block that usually execute an instruction together. They need not run in\n"
    "          lockstep, though: if one reads what another one wrote, they have to wait for each other.\n"
    "          Threads are counted along x first, so 256 threads are 8 warps.\n"
    "\n"
    "Arrays that kernels use are in the GPU's memory. cudaMalloc allocates them, and cudaMemcpy copies to "
    "them\n"
    "and back; host code cannot read or write them.\n"
    "\n"
    "Try it on a file of your own: warplings cc FILE.cu. The first exercise: warplings check 1.";

/// Headings and labels in the reader's language.
class TranslatedFormatter : public CLI::Formatter {
 public:
  TranslatedFormatter() {
    for (const char* key : {"Usage", "OPTIONS", "Positionals", "SUBCOMMAND", "REQUIRED", "Needs", "Excludes"})
      label(key, Translated(key));
  }
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    group = Translated(group);
    return WithColon(CLI::Formatter::make_group(group, is_positional, std::move(options)), group);
  }
  std::string make_usage(const CLI::App* app, std::string name) const override {
    return WithColon(CLI::Formatter::make_usage(app, std::move(name)), get_label("Usage"));
  }
  std::string make_subcommands(const CLI::App* app, CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_subcommands(app, mode);
    std::set<std::string> headings;
    for (const CLI::App* verb : app->get_subcommands(nullptr)) headings.insert(verb->get_group());
    for (const std::string& heading : headings) text = WithColon(std::move(text), heading);
    return text;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    if (!option->get_option_text().empty()) return text;
    // CLI11 writes both lists in the order of the options' addresses, which differs between runs of a
    // program, and an ASCII colon behind a label in any language.
    text.resize(std::min({text.size(), text.find(" " + get_label("Needs") + ":"),
                          text.find(" " + get_label("Excludes") + ":")}));
    return text;
  }
  /// What it needs and excludes stands behind the description: beside the name it would break the column.
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_desc(option);
    for (const std::string& each :
         {Listed("Needs", option->get_needs()), Listed("Excludes", option->get_excludes())}) {
      if (!each.empty()) text += " (" + each + ")";
    }
    return text;
  }

 private:
  /// "LABEL: A B", the names in alphabetical order; nothing where there are none.
  std::string Listed(const std::string& label, const std::set<CLI::Option*>& options) const {
    std::set<std::string> names;
    for (const CLI::Option* option : options) names.insert(option->get_name());
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    return text.empty() ? "" : get_label(label) + Translated(": ") + text;
  }
  static std::string WithColon(std::string text, const std::string& label) {
    const std::size_t at = text.find(label + ":");
    if (at != std::string::npos) text.replace(at + label.size(), 1, Translated(":"));
    return text;
  }
};

/// With a usage line of our own. (CLI11 has App::usage for it from 2.3 on; Debian 12 has 2.1.)
class UsageFormatter : public TranslatedFormatter {
 public:
  explicit UsageFormatter(std::string usage) : usage_(std::move(usage)) {}
  std::string make_usage(const CLI::App*, std::string) const override {
    return Translated("Usage") + Translated(": ") + "warplings " + Translated(usage_) + "\n";
  }

 private:
  std::string usage_;
};

/// A list as people write it: "a, b".
std::string Listed(const std::vector<std::string>& names) {
  std::string listed;
  for (const std::string& name : names) listed += (listed.empty() ? "" : ", ") + name;
  return listed;
}

std::string RefuseOther(const std::vector<std::string>& names, const std::string& text) {
  if (std::ranges::count(names, text) > 0) return "";
  return Words(say::typed_none_of(text, Listed(names)));
}

/// One way to declare each kind of target.
struct Declare {
  CLI::App& app;
  const Option& option;

  CLI::Option* operator()(bool* target) const {
    return app.add_flag(option.name, *target, Helping(option.help));
  }
  CLI::Option* operator()(const OneOf& target) const {
    const auto choose = [target](const std::string& text) {
      target.choose(std::ranges::find(target.names, text) - target.names.begin());
    };
    return app.add_option_function<std::string>(option.name, choose, Helping(option.help))
        ->check([target](const std::string& text) { return RefuseOther(target.names, text); });
  }
  CLI::Option* operator()(auto* target) const {
    return app.add_option(option.name, *target, Helping(option.help));
  }
};

/// The text of a number that CLI11 would take for another one: "-1" for a very large one.
std::string RefuseOutside(std::pair<std::uint64_t, std::uint64_t> range, const std::string& text) {
  const bool is_number = !text.empty() && text.size() < 20 &&
                         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (is_number && std::stoull(text) >= range.first && std::stoull(text) <= range.second) return "";
  return Words(say::typed_no_number(text, range.first, std::to_string(range.second)));
}

/// The language that a value of --lang names; "" for none. A locale's name will do: "zh_TW".
std::string LanguageNamed(const std::string& value) {
  const std::string language = LanguageOfLocale(value);
  return language != kEnglish || value.starts_with(kEnglish) ? language : "";
}

constexpr std::string_view kLanguageOption = "--lang", kLanguageIs = "--lang=";

/// Every verb has --lang, so "--lang L check 1" is "check --lang L 1", and "help --lang L check" is
/// "help check --lang L". Without a verb it comes last.
std::vector<std::string> WithLanguageBehindVerb(const std::vector<std::string>& words) {
  std::vector<std::string> turned(words.begin(),
                                  words.begin() + std::min<std::ptrdiff_t>(1, std::ssize(words)));
  std::vector<std::string> language;
  std::size_t at = 1;
  for (bool is_help = false; at < words.size(); ++at) {
    if (words[at] == kLanguageOption) {
      language.push_back(words[at]);
      if (at + 1 < words.size()) language.push_back(words[++at]);
    } else if (words[at].starts_with(kLanguageIs)) {
      language.push_back(words[at]);
    } else if (words[at] == "help" && !is_help) {
      is_help = true;
      turned.push_back(words[at]);
    } else {
      turned.push_back(words[at++]);
      break;
    }
  }
  turned.insert(turned.end(), language.begin(), language.end());
  if (at < words.size())
    turned.insert(turned.end(), words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
  return turned;
}

/// What --lang says, else what the environment asks for. Looked for before anything else is read, because
/// help and complaints are to be in that language, too. Of `run`, whatever follows its program's name is the
/// program's.
std::string LanguageAsked(const std::vector<Command>& commands, std::vector<std::string> words) {
  words.erase(words.begin());  // The program's name.
  const auto verb = words.empty() ? commands.end() : std::ranges::find(commands, words[0], &Command::name);
  const bool has_program = verb != commands.end() && verb->rest == Rest::kFromFirstWord;
  // Where Chinese cannot be shown, it is not chosen; who names it gets it.
  std::string language = LocaleIsUtf8() ? LanguageOfEnvironment() : std::string(kEnglish);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_option = words[i].starts_with("-");
    const bool is_value =
        i > 0 && words[i - 1].starts_with("--") && words[i - 1].find('=') == std::string::npos;
    if (words[i] == "--" || (has_program && i > 0 && !is_option && !is_value)) break;
    std::string value;
    if (words[i] == kLanguageOption && i + 1 < words.size()) value = words[i + 1];
    if (words[i].starts_with(kLanguageIs)) value = words[i].substr(kLanguageIs.size());
    if (const std::string named = LanguageNamed(value); !named.empty()) language = named;
  }
  return language;
}

/// Chooses the language of all texts. If its file cannot be used, the program speaks English: that is no
/// reason to refuse a check.
void Speak(const std::string& language) {
  ChooseLanguage(language);
  if (language == kEnglish) return;
  const std::filesystem::path file = ThisLayout().MessageFile(language);
  const std::string text = ReadFile(file).value_or("");
  auto catalogue = Catalogue::Parse(text, file.string());
  if (!catalogue || text.empty()) {
    Warn(say::english_only(catalogue ? say::message_file_unreadable(file.string())
                                     : catalogue.error().message));
    return;
  }
  UseCatalogue(std::move(*catalogue));
}

void DeclareLanguage(CLI::App& app, bool is_for_teaching) {
  const auto refuse = [](const std::string& value) {
    return LanguageNamed(value).empty() ? Words(say::no_such_language(value)) : "";
  };
  // LanguageAsked() has read it.
  app.add_option_function<std::string>(
         std::string(kLanguageOption), [](const std::string&) {},
         Translated(is_for_teaching
                        ? "Language of pages and reports: en or zh_Hant; default: the locale's. Most texts "
                          "on the terminal are in English"
                        : "Language of all texts: en or zh_Hant; default: the locale's"))
      ->check(refuse)
      ->type_name("L");
}

void DeclareOptions(CLI::App& app, const Command& command) {
  if (std::ranges::count(command.options, "--lang", &Option::name) == 0)
    DeclareLanguage(app, IsTeachingVerb(command.name));
  for (const Option& option : command.options) {
    CLI::Option* declared = std::visit(Declare{app, option}, option.target);
    if (!option.value_name.empty()) declared->type_name(option.value_name);
    if (option.required) declared->required();
    if (option.show_default) declared->capture_default_str();
    if (option.range) {
      declared->check(
          [range = *option.range](const std::string& text) { return RefuseOutside(range, text); });
    }
    if (option.refuse) declared->check(option.refuse);
  }
  for (const Option& option : command.options) {
    if (!option.excludes.empty()) app.get_option(option.name)->excludes(app.get_option(option.excludes));
    if (!option.needs.empty()) app.get_option(option.name)->needs(app.get_option(option.needs));
  }
  if (command.rest == Rest::kFromFirstWord) app.prefix_command();
  if (command.rest == Rest::kAnywhere) app.allow_extras();
  if (!command.usage.empty()) app.formatter(std::make_shared<UsageFormatter>(command.usage));
  app.footer(Helping(command.footer));
}

/// The first word that is meant as an option and is none of the verb's; "" if there is none.
std::string UnknownOption(const std::vector<std::string>& options, const std::vector<std::string>& words) {
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i] == "--") break;
    const std::string name = words[i].substr(0, words[i].find('='));
    if (name.starts_with("--") && std::ranges::count(options, name) == 0) return name;
  }
  return "";
}

/// CLI11's error in our words, in the reader's language: of the option, what is wrong with it. CLI11 begins
/// its own English sentence with the option's name.
Message OurWords(const CLI::ParseError& error, const CLI::App& app) {
  const std::string said = error.what();
  const auto before = [&said](std::string_view end) { return said.substr(0, said.find(end)); };
  const auto after = [&said](std::string_view begin) {
    const std::size_t at = said.find(begin);
    return at == said.npos ? std::string() : said.substr(at + begin.size());
  };
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::ExtrasError: return say::words_not_expected(Listed(app.remaining(true)));
    case CLI::ExitCodes::RequiredError:
      return app.get_subcommands().empty() ? Message(say::command_is_missing())
                                           : Message(say::option_is_missing(before(" is required")));
    case CLI::ExitCodes::ArgumentMismatch: return say::option_lacks_value(before(":"));
    case CLI::ExitCodes::ConversionError:
      return say::option_value_is_no_number(after(": ").substr(0, after(": ").find(" = ")), after(" = "));
    case CLI::ExitCodes::ExcludesError:
      return say::option_excludes(before(" excludes "), after(" excludes "));
    case CLI::ExitCodes::RequiresError: return say::option_needs(before(" requires "), after(" requires "));
    default: return said;  // "--device: " and what our own check of the value says.
  }
}

/// What is wrong, or for an option that does not exist, the one that was probably meant.
Message WhatIsWrong(const CLI::App& app, const CLI::ParseError& error, const std::vector<Command>& commands,
                    const std::vector<std::string>& words) {
  const auto verb = words.size() < 2 ? commands.end() : std::ranges::find(commands, words[1], &Command::name);
  // Where an option is missing that has to be there, its name may have been misspelt.
  const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
  if (verb == commands.end() ||
      (code != CLI::ExitCodes::ExtrasError && code != CLI::ExitCodes::RequiredError))
    return OurWords(error, app);
  std::vector<std::string> options = {"--help", "--lang"};
  for (const Option& option : verb->options) {
    if (option.name.starts_with("--")) options.push_back(option.name);
  }
  const std::string unknown = UnknownOption(options, words);
  if (unknown.empty()) return OurWords(error, app);
  return WithClosest(say::no_such_option(verb->name, unknown), unknown, options);
}

/// CLI11's own exit codes start at 100; ours say who has to act.
int ReportParseError(const CLI::App& app, const CLI::ParseError& error, const std::vector<Command>& commands,
                     const std::vector<std::string>& words) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    // Not by std::cout, which would go past WriteAsciiOnly.
    std::ostringstream out, err;
    const bool is_said = app.exit(error, out, err) == 0;
    std::fputs(err.str().c_str(), stderr);
    std::fputs(out.str().c_str(), stdout);
    return is_said ? kExitPassed : kExitGraderFault;
  }
  std::string verb;
  for (const CLI::App* used : app.get_subcommands()) verb = used->get_name() + " ";
  return ReportError(
      UsageError(WhatIsWrong(app, error, commands, words), say::see_command("warplings " + verb + "--help")));
}

/// Threads and the programs that are started get as much stack as this one may have. Without enough of it
/// they would crash in the middle of their work.
Status ClaimStack() {
  constexpr rlim_t kUsual = 8u << 20, kLeast = 1u << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0) return Unit{};
  if (limit.rlim_cur < kUsual) {
    limit.rlim_cur = std::min(limit.rlim_max, kUsual);
    ::setrlimit(RLIMIT_STACK, &limit);
    // The C library took the size for new threads from the limit that stood when this program began.
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, limit.rlim_cur);
    ::pthread_setattr_default_np(&attributes);
    ::pthread_attr_destroy(&attributes);
  }
  if (limit.rlim_cur >= kLeast) return Unit{};
  return GraderError(say::stack_too_small(limit.rlim_cur >> 10, kLeast >> 10), say::larger_stack());
}

/// "help check" is "check --help", and "help" is "--help". Anything else stays as it is.
std::vector<std::string> WithHelpAsOption(std::vector<std::string> words) {
  if (words.size() < 2 || words[1] != "help") return words;
  std::vector<std::string> turned = {words[0]};
  if (words.size() > 2 && !words[2].starts_with("-")) turned.push_back(words[2]);
  turned.emplace_back("--help");
  return turned;
}

/// Words that are no commands: those for shells and packagers, which the help leaves out, and a topic of the
/// help. Nothing if the command line has none of them.
std::optional<int> RunHiddenVerb(const std::vector<Command>& commands,
                                 const std::vector<std::string>& words) {
  if (words.size() >= 2 && words[1] == "complete") {
    const std::vector<std::string> typed(words.begin() + 2, words.end());
    for (const std::string& each : Completions(commands, typed, NamesToComplete())) std::puts(each.c_str());
    return kExitPassed;
  }
  if (words.size() == 2 && words[1] == "manual-page") {
    std::fputs(ManualPage(commands).c_str(), stdout);
    return kExitPassed;
  }
  // "help kernel": no command, but what they are all about.
  if (words.size() == 3 && words[1] == "kernel" && words[2] == "--help") {
    std::printf("%s\n\n%s\n\n%s\n", Translated(kKernelHelp).c_str(), kKernelCode,
                Translated(kLaunchHelp).c_str());
    return kExitPassed;
  }
  return std::nullopt;
}

Error NoSuchCommand(const std::vector<Command>& commands, const std::string& typed) {
  std::vector<std::string> names = {"help"};
  for (const Command& command : commands) names.push_back(command.name);
  return UsageError(WithClosest(say::no_such_command(typed), typed, names),
                    say::see_command("warplings --help"));
}

int ParseVerb(const std::vector<Command>& commands, const std::vector<std::string>& words) {
  CLI::App app(Translated("A CUDA workbook that grades itself, with or without a GPU."), "warplings");
  app.formatter(std::make_shared<TranslatedFormatter>());
  app.set_help_flag("-h,--help", Translated("Print this help message and exit"));
  // As a wheel of a student edition is called.
  app.set_version_flag("--version", "warplings " + ProgramVersion() + (IsStudentEdition() ? "+students" : ""),
                       Translated("Display program version information and exit"));
  app.require_subcommand(1);
  app.footer(Translated(kProgramFooter) + (IsStudentEdition() ? "" : "\n\n" + Helping(kTeachingFooter)));
  const Command* chosen = nullptr;
  for (const Command& command : commands) {
    CLI::App* verb = app.add_subcommand(command.name, Translated(command.help));
    verb->group(Translated(HeadingOf(command.name)));
    DeclareOptions(*verb, command);
    verb->callback([&chosen, &command, verb] {
      chosen = &command;
      if (command.rest_words != nullptr) *command.rest_words = verb->remaining();
    });
  }
  if (words.size() < 2 || words[1] == kLanguageOption || words[1].starts_with(kLanguageIs)) {
    std::fputs(app.help().c_str(), stderr);
    return kExitUsage;
  }
  try {
    // CLI11 takes the words from the back.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));
  } catch (const CLI::ParseError& error) {
    return ReportParseError(app, error, commands, words);
  }
  return chosen->run();
}

int ParseAndRun(const std::vector<Command>& commands, int argc, char** argv) {
  const std::vector<std::string> typed = WithLanguageBehindVerb({argv, argv + argc});
  const std::string language = LanguageAsked(commands, typed);
  if (language == kEnglish && !LocaleIsUtf8()) WriteAsciiOnly();
  Speak(language);
  const std::vector<std::string> words = WithHelpAsOption(typed);
  if (const auto status = RunHiddenVerb(commands, words)) return *status;
  if (words.size() >= 2) {
    const auto named = std::ranges::find(commands, words[1], &Command::name);
    // CLI11 would only say that a verb is required.
    if (named == commands.end() && !words[1].starts_with("-"))
      return ReportError(NoSuchCommand(commands, words[1]));
    if (named != commands.end() && named->is_of_other_program) {
      named->rest_words->assign(words.begin() + 1, words.end());
      return named->run();
    }
  }
  return ParseVerb(commands, words);
}

}  // namespace

int RunCommandLine(const std::function<std::vector<Command>()>& commands, int argc, char** argv) {
  OccupyStandardDescriptors();
  const auto run = [&] {
    SetTypedName(argv[0]);
    if (const Status claimed = ClaimStack(); !claimed) return ReportError(claimed.error());
    return ParseAndRun(commands(), argc, argv);
  };
  return FinishOutput(RunGuarded(run));
}

}  // namespace warplings
