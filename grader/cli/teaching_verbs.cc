// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>

#include "grader/base/language.h"
#include "grader/base/read_file.h"
#include "grader/cli/command.h"
#include "grader/cli/typed_name.h"
#include "grader/core/layout.h"
#include "grader/messages/command_line.h"

namespace warplings {
namespace {

constexpr const char* kForAll = "Subcommands";
constexpr const char* kForInstructors = "Subcommands for instructors";
constexpr const char* kForAuthors = "Subcommands for authors of exercises";

struct TeachingVerb {
  const char* name;
  const char* heading;
  const char* help;
};

constexpr TeachingVerb kTeachingVerbs[] = {
    {"course", kForInstructors, "Write or check a course's file"},
    {"export", kForInstructors, "Take a class's or a term's grades to Canvas, Moodle or Gradescope"},
    {"grade", kForInstructors, "Grade the submissions of a class"},
    {"grade-slice", kForInstructors, "Grade a part of a class, on any machine"},
    {"gradescope-bundle", kForInstructors, "Pack an autograder for Gradescope"},
    {"handouts", kForAll, "Build the chapters' handouts, for students or for instructors"},
    {"new", kForAuthors, "Lay out the files of a new exercise"},
    {"override", kForInstructors, "Decide about points, comments and excluded tests of a graded class"},
    {"package", kForInstructors, "Make a student edition, without solutions"},
    {"review", kForInstructors, "Comment on lines, mark by a rubric and answer requests, in a browser"},
    {"statistics", kForInstructors, "Show pass rates and misconceptions, from term to term"},
    {"verify", kForAuthors, "Test that exercises, solutions and mutants behave as declared"},
};

/// Prints the verb's help as packaging/help keeps it. False if there is none.
bool PrintKeptHelp(const std::string& verb) {
  const std::filesystem::path file = ThisLayout().root / "packaging" / "help" / (ChosenLanguage() + ".txt");
  const std::string text = "\n" + ReadFile(file).value_or(""), heading = "\n=== " + verb + "\n";
  const std::size_t at = text.find(heading);
  if (at == text.npos) return false;
  const std::size_t begin = at + heading.size(), end = std::min(text.find("\n=== ", begin), text.size());
  std::fputs((text.substr(begin, end - begin) + (end < text.size() ? "\n" : "")).c_str(), stdout);
  return true;
}

}  // namespace

bool IsTeachingVerb(const std::string& name) {
  return std::ranges::count(kTeachingVerbs, name, &TeachingVerb::name) > 0;
}

std::string HeadingOf(const std::string& name) {
  const auto verb = std::ranges::find(kTeachingVerbs, name, &TeachingVerb::name);
  return verb == std::end(kTeachingVerbs) ? kForAll : verb->heading;
}

std::string TeachingHelp(const std::string& name) {
  const auto verb = std::ranges::find(kTeachingVerbs, name, &TeachingVerb::name);
  return verb->help;
}

Command TeachingCommand(const std::string& name) {
  auto words = std::make_shared<std::vector<std::string>>();
  return {.name = name,
          .help = TeachingHelp(name),
          .options = {},
          .footer = "",
          .run =
              [words] {
                const std::string program = ThisLayout().TeachingProgram();
                // The launcher asks for help before that program is built.
                if (std::ranges::count(*words, "--help") > 0 && access(program.c_str(), X_OK) != 0 &&
                    PrintKeptHelp(words->front()))
                  return static_cast<int>(kExitPassed);
                std::vector<char*> arguments = {const_cast<char*>(TypedName().c_str())};
                for (std::string& word : *words) arguments.push_back(word.data());
                arguments.push_back(nullptr);
                execv(program.c_str(), arguments.data());
                return ReportError(GraderError(say::cannot_start_other_program(program, std::strerror(errno)),
                                               say::built_when_needed()));
              },
          .rest_words = words.get(),
          .is_of_other_program = true};
}

}  // namespace warplings
