// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/complete.h"

#include <algorithm>

#include "grader/pipeline/workbook_view.h"
#include "grader/workbook/exercise.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

const Option* FindOption(const Command& command, const std::string& name) {
  const auto option = std::ranges::find(command.options, name, &Option::name);
  return option == command.options.end() ? nullptr : &*option;
}

bool TakesNoValue(const Option& option) {
  return std::holds_alternative<bool*>(option.target);
}

/// The names that a value is one of; those of --device as far as they do not depend on this machine.
std::vector<std::string> ValuesOf(const Option& option) {
  if (const auto* names = std::get_if<OneOf>(&option.target)) return names->names;
  if (option.name == "--device") return {"auto", "virtual", "gpu"};
  return {};
}

/// The argument that is typed: the first by its place, which may hold several words.
const Option* ArgumentOf(const Command& command) {
  const auto argument = std::ranges::find_if(
      command.options, [](const Option& option) { return !option.name.starts_with("-"); });
  return argument == command.options.end() ? nullptr : &*argument;
}

std::vector<std::string> WithPrefix(std::vector<std::string> names, const std::string& typed) {
  std::erase_if(names, [&](const std::string& name) { return !name.starts_with(typed); });
  return names;
}

std::vector<std::string> VerbsOf(const std::vector<Command>& commands) {
  std::vector<std::string> names = {"help"};
  for (const Command& command : commands) names.push_back(command.name);
  return names;
}

/// Of the names of chapters and exercises: a chapter's begins with its number, an exercise's with a letter.
std::vector<std::string> ChaptersOf(std::vector<std::string> names) {
  std::erase_if(names,
                [](const std::string& name) { return name.empty() || name[0] < '0' || name[0] > '9'; });
  return names;
}

/// For roff: a line must not begin with a dot or an apostrophe, a backslash is an escape, and "-" is a hyphen
/// where
/// "\-" is what one types. What is not ASCII does not get here: the texts are the English ones.
std::string Roff(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_begins = c == '\n';
  }
  return out;
}

std::string ManualOfOption(const Option& option) {
  std::string value = option.value_name;
  if (const auto* names = std::get_if<OneOf>(&option.target); names != nullptr && value.empty())
    value = "NAME";
  return ".TP\n\\fB" + Roff(option.name) + "\\fR" + (value.empty() ? "" : " \\fI" + Roff(value) + "\\fR") +
         "\n" + Roff(option.help) + "\n";
}

std::string ManualOfCommand(const Command& command) {
  std::string out = ".SS \"warplings " + Roff(command.name) + "\"\n" + Roff(command.help) + ".\n";
  if (command.is_of_other_program) out += "Its options: \\fBwarplings help " + Roff(command.name) + "\\fR\n";
  for (const Option& option : command.options) out += ManualOfOption(option);
  if (!command.footer.empty()) out += ".PP\n.nf\n" + Roff(command.footer) + "\n.fi\n";
  return out;
}

}  // namespace

std::vector<std::string> Completions(const std::vector<Command>& commands,
                                     const std::vector<std::string>& words,
                                     const std::vector<std::string>& exercises) {
  const std::string typed = words.empty() ? "" : words.back();
  if (words.size() <= 1) {
    std::vector<std::string> names = VerbsOf(commands);
    names.insert(names.end(), {"--help", "--version"});
    return WithPrefix(std::move(names), typed);
  }
  if (words.front() == "help") {
    std::vector<std::string> names = VerbsOf(commands);
    names.push_back("kernel");  // The one page of help that is about no command.
    return WithPrefix(std::move(names), typed);
  }
  const auto command = std::ranges::find(commands, words.front(), &Command::name);
  if (command == commands.end()) return {};
  const std::string& before = words[words.size() - 2];
  if (before == "--lang") return WithPrefix({"en", "zh_Hant"}, typed);
  const Option* option = words.size() > 2 ? FindOption(*command, before) : nullptr;
  if (option != nullptr && before.starts_with("-") && !TakesNoValue(*option))
    return WithPrefix(ValuesOf(*option), typed);
  if (typed.starts_with("-")) {
    std::vector<std::string> names = {"--help", "--lang"};
    for (const Option& each : command->options) {
      if (each.name.starts_with("-")) names.push_back(each.name);
    }
    return WithPrefix(std::move(names), typed);
  }
  const Option* argument = ArgumentOf(*command);
  if (argument == nullptr) return {};
  if (argument->name == "WHAT" || argument->name == "EXERCISE") return WithPrefix(exercises, typed);
  if (argument->name == "CHAPTER") return WithPrefix(ChaptersOf(exercises), typed);
  return WithPrefix(ValuesOf(*argument), typed);
}

std::vector<std::string> NamesToComplete() {
  const Result<Workbook> workbook = LoadWorkbook(LayoutOfCurrentWorkbook().root);
  std::vector<std::string> names;
  if (!workbook) return names;
  for (const Chapter& chapter : workbook->chapters) {
    names.push_back(chapter.id);
    for (const Exercise& exercise : chapter.exercises) names.push_back(exercise.id);
  }
  return names;
}

std::string ManualPage(const std::vector<Command>& commands) {
  std::string out =
      ".TH WARPLINGS 1 \"\" \"warplings " + ProgramVersion() + "\" \"User Commands\"\n" +
      ".SH NAME\nwarplings \\- a CUDA workbook that grades itself, with or without a GPU\n"
      ".SH SYNOPSIS\n.B warplings\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIARGUMENT\\fR...]\n"
      ".SH DESCRIPTION\nEdit an exercise's file, check it, and know whether it is right and, if not, why.\n"
      "Without a GPU, kernels run on a virtual one.\n"
      "Every command takes \\fB\\-\\-help\\fR, and \\fB\\-\\-lang\\fR \\fIen\\fR or "
      "\\fIzh_Hant\\fR for the language of its texts.\n.SH COMMANDS\n";
  for (const Command& command : commands) out += ManualOfCommand(command);
  out +=
      ".SH EXIT STATUS\n0: all passed. 1: something did not pass. 2: wrong usage. 3: the grader itself "
      "failed.\n"
      "grade also has 4: graded, and something that was handed in is nobody's.\n"
      ".SH FILES\n.TP\n.I ~/.local/state/warplings\nProgress.\n.TP\n.I ~/.cache/warplings\nWhat was "
      "compiled; it may be "
      "removed at any time.\n"
      ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nNo colour, whatever it says.\n.TP\n.B COLUMNS\nWidth of a "
      "report.\n";
  return out;
}

}  // namespace warplings
