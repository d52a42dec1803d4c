// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/structs.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <sstream>
#include <utility>

#include "grader/authoring/verification.h"
#include "grader/base/read_file.h"
#include "grader/base/text.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

std::string WithoutComments(const std::string& source) {
  std::string text;
  for (std::size_t at = 0; at < source.size();) {
    const bool is_line = source.compare(at, 2, "//") == 0;
    if (!is_line && source.compare(at, 2, "/*") != 0) {
      text += source[at++];
      continue;
    }
    const std::size_t end = source.find(is_line ? "\n" : "*/", at + 2);
    text += ' ';
    at = end == std::string::npos ? source.size() : end + (is_line ? 0 : 2);
  }
  return text;
}

std::string WithSingleSpaces(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// One name for each type that a contract may write in several ways.
std::string Canonical(std::string type) {
  static const std::map<std::string, std::string> kNames = {
      {"uint8_t", "unsigned char"}, {"int8_t", "signed char"},     {"uint16_t", "unsigned short"},
      {"int16_t", "short"},         {"uint32_t", "unsigned int"},  {"unsigned", "unsigned int"},
      {"int32_t", "int"},           {"uint64_t", "unsigned long"}, {"int64_t", "long"},
      {"size_t", "unsigned long"},  {"long long", "long"},         {"unsigned long long", "unsigned long"},
      {"uchar", "unsigned char"},   {"ushort", "unsigned short"},  {"uint", "unsigned int"}};
  type = WithSingleSpaces(std::regex_replace(type, std::regex("\\bstd::|\\bconst\\b|\\bmutable\\b"), ""));
  const auto known = kNames.find(type);
  return known == kNames.end() ? type : known->second;
}

/// 0: unknown. Of the types that these are, alignment and size are the same.
std::size_t SizeOf(const std::string& type) {
  static const std::map<std::string, std::size_t> kSizes = {
      {"bool", 1},           {"char", 1}, {"signed char", 1},  {"unsigned char", 1},
      {"short", 2},          {"int", 4},  {"unsigned int", 4}, {"float", 4},
      {"unsigned short", 2}, {"long", 8}, {"double", 8},       {"unsigned long", 8}};
  const auto known = kSizes.find(type);
  return known == kSizes.end() ? 0 : known->second;
}

std::vector<StructMember> MembersOf(const std::string& body) {
  static const std::regex kInitialiser("=[^,;]*|\\{[^}]*\\}");
  static const std::regex kDeclarator("^(.*[\\s*&])?([A-Za-z_]\\w*)\\s*((?:\\[[^\\]]*\\]\\s*)*)$");
  std::vector<StructMember> members;
  std::istringstream statements(body);
  for (std::string statement; std::getline(statements, statement, ';');) {
    if (statement.find('(') != std::string::npos) continue;  // A function.
    std::istringstream declarators(std::regex_replace(statement, kInitialiser, ""));
    std::string type;
    for (std::string each; std::getline(declarators, each, ',');) {
      std::smatch parts;
      const std::string line = WithSingleSpaces(each);
      if (!std::regex_match(line, parts, kDeclarator)) continue;
      if (parts[1].length() > 0) type = Canonical(parts[1]);
      members.push_back({type, parts[2], WithSingleSpaces(parts[3])});
    }
  }
  return members;
}

/// Up to the brace that closes it; `begin` is behind the one that opens it.
std::string BodyAt(const std::string& source, std::size_t begin) {
  std::size_t end = begin;
  for (int depth = 1; end < source.size(); ++end) {
    depth += (source[end] == '{') - (source[end] == '}');
    if (depth == 0) break;
  }
  return source.substr(begin, end - begin);
}

/// "[2][3]" is 6; 0: not written in digits.
std::size_t ElementsIn(const std::string& extent) {
  std::size_t count = 1;
  static const std::regex kBrackets("\\[\\s*(\\w*)\\s*\\]");
  for (std::sregex_iterator at(extent.begin(), extent.end(), kBrackets), end; at != end; ++at) {
    const std::string number = (*at)[1];
    const bool is_number =
        !number.empty() && std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c) != 0; });
    count *= is_number ? std::stoul(number) : 0;
  }
  return count;
}

std::size_t RoundedUp(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

/// The files of the tree's own that a source includes, such as "tests/suites/common/values.h".
std::vector<fs::path> IncludesOf(const std::string& source) {
  static const std::string kBegin = "#include \"";
  std::vector<fs::path> found;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kBegin))
      found.emplace_back(line.substr(kBegin.size(), line.rfind('"') - kBegin.size()));
  }
  return found;
}

/// What is written for a suite: its file, what this includes of tests/suites and reference, and the .cc files
/// of these headers. Every suite of a chapter is linked with all .cc files of the folder; the others judge
/// other exercises and have structs of their own.
std::vector<fs::path> SourcesOfSuite(const fs::path& suite, const fs::path& root) {
  std::vector<fs::path> sources = {suite};
  const auto add = [&](const fs::path& source) {
    if (std::ranges::count(sources, source) == 0 && fs::exists(root / source)) sources.push_back(source);
  };
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const fs::path source = sources[i];
    if (source.extension() == ".h") add(fs::path(source).replace_extension(".cc"));
    for (const fs::path& each : IncludesOf(ReadFile(root / source).value_or(""))) {
      const std::string folder = each.begin()->string();
      if (folder == "tests" || folder == "reference") add(each);
    }
  }
  return sources;
}

/// "4 bytes, aligned to 4: unsigned char r, unsigned char g".
std::string Described(const DeclaredStruct& one) {
  std::vector<std::string> members;
  for (const StructMember& each : one.members) members.push_back(each.type + " " + each.name + each.extent);
  std::string words = one.alignment.empty() ? "" : "alignas(" + one.alignment + "), ";
  if (const std::optional<StructLayout> layout = LayoutOf(one))
    words = Counted(layout->bytes, "byte") + ", aligned to " + std::to_string(layout->alignment) + ": ";
  return words + Joined(members, ", ");
}

}  // namespace

std::optional<StructLayout> LayoutOf(const DeclaredStruct& one) {
  StructLayout layout;
  for (const StructMember& member : one.members) {
    const std::size_t size = SizeOf(member.type), count = ElementsIn(member.extent);
    if (size == 0 || count == 0) return std::nullopt;
    layout.alignment = std::max(layout.alignment, size);
    layout.bytes = RoundedUp(layout.bytes, size) + size * count;
  }
  if (!one.alignment.empty()) {
    if (!std::isdigit(static_cast<unsigned char>(one.alignment.front()))) return std::nullopt;
    layout.alignment = std::max<std::size_t>(layout.alignment, std::stoul(one.alignment));
  }
  layout.bytes = RoundedUp(layout.bytes, layout.alignment);
  return layout;
}

std::vector<DeclaredStruct> StructsIn(const std::string& source) {
  static const std::regex kHead(
      "struct\\s+(?:(?:alignas|__align__)\\s*\\(\\s*(\\w+)\\s*\\)\\s*)?([A-Za-z_]\\w*)\\s*");
  const std::string text = WithoutComments(source);
  std::vector<DeclaredStruct> found;
  // One head after another: std::regex takes long for a whole file.
  for (std::size_t at = text.find("struct"); at != std::string::npos; at = text.find("struct", at + 1)) {
    const std::size_t brace = text.find('{', at);
    if (brace == std::string::npos) break;
    const std::string head = text.substr(at, brace - at);
    std::smatch parts;
    if (head.find(';') != std::string::npos || !std::regex_match(head, parts, kHead)) continue;
    found.push_back({parts[2], parts[1], MembersOf(BodyAt(text, brace + 1))});
  }
  return found;
}

std::vector<std::string> StructDifferences(const Exercise& exercise, const Layout& layout) {
  const fs::path header = fs::path(exercise.starter).replace_extension(".h");
  const std::string included = "\"chapters/" + exercise.chapter + "/" + exercise.id + ".h\"";
  const fs::path suite = fs::path("tests/suites") / exercise.chapter / (exercise.id + "_suite.cc");
  if (!fs::exists(layout.root / suite)) return {};
  const std::vector<fs::path> sources = SourcesOfSuite(suite, layout.root);
  std::vector<std::string> differences;
  const std::string contract = ReadFile(header).value_or("");
  for (const DeclaredStruct& of_contract : StructsIn(contract)) {
    bool is_known = false;
    for (const fs::path& source : sources) {
      const std::string text = ReadFile(layout.root / source).value_or("");
      is_known |= text.find(included) != std::string::npos;
      if (text.find("struct") == std::string::npos || text.find(of_contract.name) == std::string::npos)
        continue;
      for (const DeclaredStruct& of_suite : StructsIn(text)) {
        if (of_suite.name != of_contract.name) continue;
        is_known = true;
        if (Described(of_suite) == Described(of_contract)) continue;
        differences.push_back("struct " + of_contract.name + " of the contract has " +
                              Described(of_contract) + "; that of " + source.string() + " has " +
                              Described(of_suite) + ". If it is meant to be the contract's, include " +
                              included + " there instead; if not, give it another name");
      }
    }
    // A struct that is passed or returned as it is has its size compared in each call.
    if (!is_known && std::regex_search(contract, std::regex("\\b" + of_contract.name + "\\s*\\*"))) {
      differences.push_back("the suite does not know struct " + of_contract.name +
                            " of the contract, so nothing compares its elements with it: include " +
                            included);
    }
  }
  return differences;
}

}  // namespace warplings
