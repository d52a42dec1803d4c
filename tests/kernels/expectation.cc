// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/expectation.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "grader/base/reflect.h"
#include "grader/report/finding_text.h"

namespace warplings::kernels_test {
namespace {

std::optional<FindingKind> KindOf(const std::string& name) {
  const auto& names = reflect::kEnumeratorNames<FindingKind>;
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<FindingKind>(found - names.begin());
}

std::optional<Access> AccessOf(const std::string& name) {
  if (name == "read") return Access::kRead;
  if (name == "write") return Access::kWrite;
  if (name == "atomic") return Access::kAtomic;
  return std::nullopt;
}

std::optional<int> NumberOf(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Sets what one `key value` states; false where it is none.
bool SetDetail(const std::string& key, const std::string& value, ExpectedFinding& expected) {
  if (key == "line") return (expected.line = NumberOf(value)).has_value();
  if (key == "other") return (expected.other = NumberOf(value)).has_value();
  if (key == "access") return (expected.access = AccessOf(value)).has_value();
  if (key != "object" || value.size() < 2 || value.front() != '"' || value.back() != '"') return false;
  expected.object = value.substr(1, value.size() - 2);
  return true;
}

/// `text` is what follows "finding: ".
std::optional<ExpectedFinding> ParseFinding(const std::string& text, Severity severity) {
  std::istringstream stream(text);
  std::string part;
  std::getline(stream, part, ',');
  const auto kind = KindOf(part);
  if (!kind) return std::nullopt;
  ExpectedFinding expected;
  expected.kind = *kind;
  expected.severity = severity;
  while (std::getline(stream, part, ',')) {
    const std::size_t space = part.find(' ', 1);
    if (part.empty() || part[0] != ' ' || space == std::string::npos) return std::nullopt;
    if (!SetDetail(part.substr(1, space - 1), part.substr(space + 1), expected)) return std::nullopt;
  }
  return expected;
}

bool IsLineOf(const SourceLine& where, int line, const std::filesystem::path& file) {
  return where.line == line && std::filesystem::path(where.file).filename() == file.filename();
}

bool MatchesLines(const ExpectedFinding& expected, const SourceLine& where,
                  const std::optional<SourceLine>& other, const std::filesystem::path& file) {
  if (expected.line && !IsLineOf(where, *expected.line, file)) return false;
  return !expected.other || (other && IsLineOf(*other, *expected.other, file));
}

bool Matches(const ExpectedFinding& expected, const Finding& finding, const std::filesystem::path& file) {
  if (expected.kind != finding.kind || expected.severity != finding.severity) return false;
  if (expected.object && *expected.object != English(finding.object)) return false;
  const bool same_order = (!expected.access || *expected.access == finding.access) &&
                          MatchesLines(expected, finding.where, finding.other, file);
  // Which of a race's two accesses comes first, and which barrier, is the scheduler's choice.
  const bool either_order = finding.other && !expected.access;
  return same_order || (either_order && MatchesLines(expected, *finding.other, finding.where, file));
}

std::string Describe(const ExpectedFinding& expected) {
  std::string text(FindingKindName(expected.kind));
  if (expected.line) text += ", line " + std::to_string(*expected.line);
  if (expected.other) text += ", other " + std::to_string(*expected.other);
  if (expected.object) text += ", object \"" + *expected.object + "\"";
  return text;
}

}  // namespace

Result<std::vector<ExpectedFinding>> ParseExpectation(const std::string& source) {
  std::vector<ExpectedFinding> expected;
  bool clean = false;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line) && line.starts_with("//");) {
    const bool warning = line.starts_with("// warning: ");
    if (line == "// clean") {
      clean = true;
    } else if (warning || line.starts_with("// finding: ")) {
      const auto finding = ParseFinding(line.substr(12), warning ? Severity::kWarning : Severity::kError);
      if (!finding) return GraderError("This states no finding: " + line);
      expected.push_back(*finding);
    }
  }
  if (clean == !expected.empty())
    return GraderError("The first comment must state either a finding or clean");
  return expected;
}

std::string CompareFindings(const std::vector<ExpectedFinding>& expected, const std::vector<Finding>& found,
                            const std::filesystem::path& file) {
  std::string text;
  std::vector<bool> taken(found.size(), false);
  for (const ExpectedFinding& wanted : expected) {
    std::size_t i = 0;
    while (i < found.size() && (taken[i] || !Matches(wanted, found[i], file))) ++i;
    if (i == found.size()) {
      text += "expected, but not found: " + Describe(wanted) + "\n";
    } else {
      taken[i] = true;
    }
  }
  const SourceQuotes quotes = SourceQuotes::OfFiles();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!taken[i]) text += "found, but not expected:\n" + FormatFinding(found[i], quotes);
  }
  return text;
}

}  // namespace warplings::kernels_test
