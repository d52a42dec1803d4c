// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "grader/base/language.h"
#include "grader/base/read_file.h"
#include "grader/cli/command.h"
#include "grader/cli/typed_name.h"
#include "grader/core/layout.h"
#include "grader/messages/command_line.h"

namespace warplings {
namespace {

struct TeachingVerb {
  const char* name;
  const char* help;
};

constexpr TeachingVerb kTeachingVerbs[] = {
    {"course", "For instructors: write or check a course's file"},
    {"export", "For instructors: take a class's or a term's grades to Canvas, Moodle or Gradescope"},
    {"grade", "For instructors: grade the submissions of a class"},
    {"grade-slice", "For instructors: grade a part of a class, on any machine"},
    {"gradescope-bundle", "For instructors: pack an autograder for Gradescope"},
    {"handouts", "Build the chapters' handouts, for students or for instructors"},
    {"new", "For authors: lay out the files of a new exercise"},
    {"override", "For instructors: decide about points, comments and excluded tests of a graded class"},
    {"package", "For instructors: make a student edition, without solutions"},
    {"review", "For instructors: comment on lines, mark by a rubric and answer requests, in a browser"},
    {"statistics", "For instructors: pass rates and misconceptions, from term to term"},
    {"verify", "For authors: test that exercises, solutions and mutants behave as declared"},
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
