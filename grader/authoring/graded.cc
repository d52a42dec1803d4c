// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/graded.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

#include "grader/base/program_output.h"
#include "grader/base/spelling.h"
#include "grader/base/text.h"
#include "grader/messages/authoring.h"

namespace warplings {
namespace {

constexpr std::string_view kHeading = "// Graded:";

std::vector<std::string> NamesOf(const std::string& title) {
  std::vector<std::string> names;
  for (std::size_t start = 0; start <= title.size();) {
    const std::size_t end = std::min(title.find(", ", start), title.size());
    names.push_back(title.substr(start, end - start));
    start = end + 2;
  }
  return names;
}

void Compare(const std::vector<std::string>& suite, const std::vector<std::string>& contract,
             const std::string& place, std::vector<std::string>& differences) {
  for (const std::string& sentence : suite) {
    if (std::ranges::count(contract, sentence) == 0)
      differences.push_back("the suite grades what " + place + " does not say: \"" + sentence + "\"");
  }
  for (const std::string& sentence : contract) {
    if (std::ranges::count(suite, sentence) == 0)
      differences.push_back(place + " says what the suite does not grade: \"" + sentence + "\"");
  }
}

/// Adds an indented line to a list: the rest of its last sentence, or an entry of a list below that one.
/// `heading` is the sentence above such entries; each of them is read with it.
void AddIndented(std::vector<std::string>& sentences, std::string& heading, const std::string& line) {
  const std::string text = line.substr(line.find_first_not_of(' '));
  if (!text.starts_with("- ")) {
    sentences.back() += " " + text;
    return;
  }
  if (sentences.back().ends_with(":")) {
    heading = sentences.back();
    sentences.pop_back();
  }
  sentences.push_back(heading + text.substr(1));
}

std::vector<std::string> SentencesOf(const GradedSections& sections, const std::string& title) {
  const auto found = sections.find(title);
  return found == sections.end() ? std::vector<std::string>{} : found->second;
}

}  // namespace

std::string SectionOfPage(const std::string& title) {
  return std::string(kGradingPage) + ", section \"" + title + "\",";
}

GradedList GradedInHeader(const std::string& header) {
  GradedList list;
  std::istringstream lines(header);
  std::string heading;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!inside) {
      inside = line == kHeading;
      continue;
    }
    if (line.starts_with("//   - ")) {
      list.sentences.push_back(line.substr(7));
    } else if (line.starts_with("//     ") && !list.sentences.empty()) {
      AddIndented(list.sentences, heading, line.substr(2));
    } else {
      break;
    }
    list.last_line = number;
  }
  return list;
}

GradedSections GradedInPage(const std::string& page) {
  GradedSections sections;
  std::vector<std::string> names;
  std::string heading;
  std::istringstream lines(page);
  bool inside = false;  // a sentence, which goes on in indented lines
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) {
      names = NamesOf(line.substr(3));
      inside = false;
    } else if (line.starts_with("- ")) {
      for (const std::string& name : names) sections[name].push_back(line.substr(2));
      inside = true;
    } else if (line.starts_with("  ") && inside) {
      for (const std::string& name : names) AddIndented(sections[name], heading, line);
    } else {
      inside = false;
    }
  }
  return sections;
}

SuiteGrading ParseSuiteGrading(const std::string& printed) {
  SuiteGrading grading;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    const std::string where = line.substr(0, tab), sentence = line.substr(tab + 1);
    if (where == "header") {
      grading.header.push_back(sentence);
    } else if (where == "own section") {
      grading.own_section.push_back(sentence);
    } else {
      grading.shared[where].push_back(sentence);
    }
  }
  return grading;
}

SuiteArrays ParseSuiteArrays(const std::string& printed) {
  SuiteArrays arrays;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    const auto has = [fields = line.substr(tab) + "\t"](const std::string& field) {
      return fields.find("\t" + field + "\t") != std::string::npos;
    };
    const auto field_after = [fields = line.substr(tab) + "\t"](const std::string& begin) {
      const std::size_t at = fields.find("\t" + begin);
      if (at == std::string::npos) return std::string();
      const std::size_t start = at + 1 + begin.size();
      return fields.substr(start, fields.find('\t', start) - start);
    };
    const std::string label = line.substr(0, tab);
    if (has("output")) {
      arrays.outputs.push_back(label);
      continue;
    }
    arrays.inputs[label] = {.has_other = has("other elements"),
                            .never_falls = has("never falls"),
                            .never_varies = has("never varies"),
                            .checksum = field_after("checksum "),
                            .narrow_range = field_after("only ")};
  }
  return arrays;
}

std::vector<std::string> RemindersOfInputs(const SuiteInputs& inputs) {
  std::vector<std::string> reminders;
  if (!inputs.empty() &&
      std::ranges::none_of(inputs, [](const auto& input) { return input.second.has_other; })) {
    reminders.emplace_back(
        "no input may have other elements (OtherElements), so an answer that remembers results by an array's "
        "address is not found out");
  }
  for (const auto& [label, input] : inputs) {
    if (input.narrow_range.empty()) continue;
    reminders.push_back("the elements of " + label + " are " + input.narrow_range +
                        " in each call of the suite, and OtherElements::AnyValue() allows any other. If the "
                        "contract limits them, write OtherElements::EachAlone() and a Must::BeFrom: a right "
                        "answer may rely on the limits");
  }
  for (const auto& [label, input] : inputs) {
    if (!input.never_varies) continue;
    reminders.push_back("the elements of " + label +
                        " are all equal in each call of the suite, so an answer that reads the wrong one is "
                        "not found out");
  }
  return reminders;
}

std::vector<std::string> RemindersOfDrawing(const SuiteInputs& inputs, const SuiteInputs& again) {
  std::vector<std::string> reminders;
  for (const auto& [label, input] : inputs) {
    const auto other = again.find(label);
    if (other != again.end() && other->second.checksum == input.checksum) continue;
    reminders.push_back("two runs of the suite with the same seed call with different elements of " + label +
                        ", so --seed does not repeat a check. Draw them from TestRandom(), not from a clock, "
                        "std::random_device or an address");
  }
  return reminders;
}

std::vector<std::string> RemindersOfClocks(const std::string& name, const std::string& source) {
  static const std::regex kReads(
      R"(\btime\s*\(\s*(nullptr|NULL|0|&\w+)\s*\)|\bclock\s*\(\s*\)|::now\s*\(\s*\))");
  std::istringstream lines(source);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::smatch read;
    const std::string code = line.substr(0, line.find("//"));
    if (!std::regex_search(code, read, kReads)) continue;
    return {name + ":" + std::to_string(number) + ": the suite reads a clock (" + read.str() +
            "). If inputs depend on it, --seed does not repeat a check: draw them from TestRandom()"};
  }
  return {};
}

std::vector<std::string> FaultsOfInputs(const SuiteInputs& inputs) {
  std::vector<std::string> faults;
  for (const auto& [label, input] : inputs) {
    if (!input.never_falls) continue;
    faults.push_back("the elements of " + label +
                     " never fall in a call of the suite, but its other elements (OtherElements) do: a right "
                     "answer that relies on the order fails. If the contract promises it, declare it "
                     "(Must::NotFall) and name others that keep it; if not, add a test in which they fall");
  }
  return faults;
}

std::vector<std::string> UnknownArrays(const std::string& name, const std::string& source,
                                       const SuiteArrays& arrays) {
  static const std::regex kAsked("\\bTrafficOf\\(\\s*[^;\"]*,\\s*\"([^\"]*)\"\\s*\\)");
  std::vector<std::string> known = arrays.outputs, unknown;
  for (const auto& [label, input] : arrays.inputs) known.push_back(label);
  for (std::sregex_iterator at(source.begin(), source.end(), kAsked), end; at != end; ++at) {
    const std::string label = (*at)[1];
    if (std::ranges::count(known, label) > 0) continue;
    const auto line = 1 + std::count(source.begin(), source.begin() + at->position(), '\n');
    const std::string meant = ClosestCandidate(label, known);
    unknown.push_back(name + ":" + std::to_string(line) + ": TrafficOf asks for \"" + label +
                      "\", and no call of the suite has an array of this label" +
                      (meant.empty() ? "" : "; did you mean " + meant + "?"));
  }
  return unknown;
}

std::vector<std::string> RemindersOfOutputs(const std::vector<std::string>& outputs,
                                            const std::string& page) {
  const std::size_t begin = page.find("\nThe output is ");
  if (begin == std::string::npos) return {};
  const std::string sentence = page.substr(begin, page.find('.', begin) - begin);
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  const auto is_named = [&](const std::string& label) {
    for (std::size_t at = sentence.find(label); at != std::string::npos; at = sentence.find(label, at + 1)) {
      const std::size_t end = at + label.size();
      if (!is_part(sentence[at - 1]) && (end == sentence.size() || !is_part(sentence[end]))) return true;
    }
    return false;
  };
  std::vector<std::string> reminders;
  for (const std::string& label : outputs) {
    if (is_named(label)) continue;
    reminders.push_back(std::string(kGradingPage) + " does not name the output " + label +
                        " in \"The output is the array …\" (section \"Exercises with a kernel\")");
  }
  return reminders;
}

std::vector<std::string> RemindersOfSections(const std::string& exercise, bool is_timed,
                                             const SuiteGrading& suite, const std::string& page) {
  const auto is_named = [&](const std::string& title) {
    const std::size_t begin = page.find("## " + title + "\n");
    if (begin == std::string::npos) return true;  // DifferencesInGrading says that it is missing.
    return page.substr(begin, page.find("\n## ", begin) - begin).find("`" + exercise + "`") !=
           std::string::npos;
  };
  std::vector<std::string> reminders;
  const auto add = [&](const std::string& title, const std::string& why) {
    reminders.push_back(SectionOfPage(title) + " does not name `" + exercise + "`, " + why);
  };
  if (is_timed && !is_named("Every exercise")) add("Every exercise", "whose speed is graded");
  for (const char* title : {"Exercises that move elements", "Exercises on the host"}) {
    if (suite.shared.contains(title) && !is_named(title)) add(title, "which is graded by it");
  }
  return reminders;
}

Result<SuiteArrays> ArraysOfSuite(const std::filesystem::path& suite_program) {
  const std::string program = suite_program.string();
  const auto output = CaptureOutput({program, "--inputs"}, ErrorText::kDropped);
  if (!output) return output.error();
  if (output->status != 0) return GraderError(say::inputs_failed(program));
  return ParseSuiteArrays(output->text);
}

Result<SuiteGrading> GradedInSuite(const std::filesystem::path& suite_program) {
  const std::string program = suite_program.string();
  const auto output = CaptureOutput({program, "--graded"});
  if (!output) return output.error();
  if (output->status != 0) return GraderError(say::graded_failed(program));
  return ParseSuiteGrading(output->text);
}

std::vector<std::string> DifferencesInGrading(const std::string& exercise, const GradedList& header,
                                              const GradedSections& page, const SuiteGrading& suite) {
  std::vector<std::string> differences;
  const auto compare_section = [&](const std::string& title, const std::vector<std::string>& sentences) {
    if (sentences.empty() || page.contains(title)) {
      Compare(sentences, SentencesOf(page, title), SectionOfPage(title), differences);
    } else {
      differences.push_back(std::string(kGradingPage) + " has no section \"## " + title +
                            "\"; by it the suite grades " + Counted(sentences.size(), "sentence"));
    }
  };
  if (suite.header.empty() && suite.own_section.empty() && suite.shared.empty()) {
    return {"the suite calls GradedBy nowhere, so it says nothing of what it grades; the header has " +
            Counted(header.sentences.size(), "sentence") + " below \"Graded:\""};
  }
  Compare(suite.header, header.sentences, "the header", differences);
  compare_section(exercise, suite.own_section);
  for (const auto& [title, sentences] : suite.shared) compare_section(title, sentences);
  if (header.last_line > kFirstScreen) {
    differences.push_back("the header's list of what is graded ends in line " +
                          std::to_string(header.last_line) + ", and the first screen has " +
                          std::to_string(kFirstScreen));
  }
  return differences;
}

}  // namespace warplings
