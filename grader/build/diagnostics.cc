// SPDX-License-Identifier: Apache-2.0
#include "grader/build/diagnostics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "grader/base/text.h"
#include "grader/build/brackets.h"
#include "grader/build/definitions.h"
#include "grader/build/plain_code.h"
#include "grader/build/symbols.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings {

namespace {

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Takes a decimal number off the front of `text`.
bool TakeNumber(std::string_view& text, int& number) {
  auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool TakePrefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

struct Word {
  std::string_view text;
  Severity severity;
};
/// The words that compilers put before a message, longest first where one begins another.
constexpr std::array<Word, 9> kWords = {{{"catastrophic error", Severity::kError},
                                         {"internal error", Severity::kError},
                                         {"fatal error", Severity::kError},
                                         {"command-line error", Severity::kError},
                                         {"error", Severity::kError},
                                         {"Error", Severity::kError},
                                         {"fatal", Severity::kError},
                                         {"warning", Severity::kWarning},
                                         {"Warning", Severity::kWarning}}};

/// Takes `error: `, `warning #177-D: `, `fatal   : ` off the front; nothing if there is none.
std::optional<Severity> TakeSeverity(std::string_view& text) {
  for (const Word& word : kWords) {
    std::string_view rest = text;
    if (!TakePrefix(rest, word.text)) continue;
    std::size_t colon = rest.find(':');
    // Between word and colon stands at most an error number: " #177-D" or blanks.
    if (colon > 12) continue;  // Or there is none: npos is the largest number.
    if (!std::ranges::all_of(rest.substr(0, colon), [](char c) {
          return c == ' ' || c == '#' || c == '-' || c == 'D' || (c >= '0' && c <= '9');
        })) {
      continue;
    }
    text = Trim(rest.substr(colon + 1));
    return word.severity;
  }
  return std::nullopt;
}

/// `file(12): error: …`, as cudafe++ and cicc write it.
std::optional<Diagnostic> ParseFrontEnd(std::string_view line) {
  for (std::size_t open = line.find('('); open != std::string_view::npos; open = line.find('(', open + 1)) {
    std::string_view rest = line.substr(open + 1);
    Diagnostic found;
    if (!TakeNumber(rest, found.where.line) || !TakePrefix(rest, "): ")) continue;
    auto severity = TakeSeverity(rest);
    if (!severity) continue;
    found.severity = *severity;
    found.where.file = line.substr(0, open);
    found.message = std::string(rest);
    return found;
  }
  return std::nullopt;
}

/// `file:12:5: error: …` of g++, `file:12: Error: …` of the assembler.
std::optional<Diagnostic> ParseGnu(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    std::string_view rest = line.substr(colon + 1);
    Diagnostic found;
    if (!TakeNumber(rest, found.where.line) || !TakePrefix(rest, ":")) continue;
    if (TakeNumber(rest, found.column) && !TakePrefix(rest, ":")) continue;
    rest = Trim(rest);
    auto severity = TakeSeverity(rest);
    if (!severity) continue;
    found.severity = *severity;
    found.where.file = line.substr(0, colon);
    found.message = std::string(rest);
    return found;
  }
  return std::nullopt;
}

/// Messages without a place in the source: `ptxas error   : …`, `ptxas x.ptx, line 29; error   : …`,
/// `nvcc fatal   : …`, `At end of source: error: …`, `cc1plus: …`, `g++: fatal error: …`.
std::optional<Diagnostic> ParseTool(std::string_view line, const std::string& student_file,
                                    Demangler& demangle) {
  constexpr std::array<std::string_view, 7> kTools = {
      "ptxas ", "nvcc ", "At end of source: ", "cc1plus: ", "g++: ", "gcc: ", "nvlink "};
  for (std::string_view tool : kTools) {
    std::string_view rest = line;
    if (!TakePrefix(rest, tool)) continue;
    if (std::size_t semicolon = rest.find("; "); tool == "ptxas " && semicolon != std::string_view::npos) {
      if (rest.substr(0, semicolon).find(", line ") != std::string_view::npos) {
        rest.remove_prefix(semicolon + 2);
      }
    }
    auto severity = TakeSeverity(rest);
    if (!severity) continue;
    Diagnostic found;
    found.severity = *severity;
    bool end_of_source = tool.starts_with("At end");
    if (end_of_source) found.where.file = student_file;
    const Message words = DemangledText(rest, demangle);
    found.message =
        end_of_source ? say::at_end_of_file(words) : say::tool_says(std::string(Trim(tool)), words);
    return found;
  }
  return std::nullopt;
}

/// The student's line in `… at line 3 of /submission/x.cu`, which EDG writes under a message about a
/// template of a header; the innermost mention of the student's file is the one that counts.
std::optional<int> CausingLine(std::string_view line, const std::string& student_file) {
  constexpr std::string_view kKey = "\" at line ";
  std::size_t at = line.rfind(kKey);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + kKey.size());
  int number = 0;
  if (!TakeNumber(rest, number) || !TakePrefix(rest, " of ")) return std::nullopt;
  std::string_view file = Trim(rest);
  if (file.size() >= 2 && file.front() == '"') file = file.substr(1, file.size() - 2);
  return file == student_file ? std::optional(number) : std::nullopt;
}

bool IsSame(const Diagnostic& a, const Diagnostic& b) {
  return a.severity == b.severity && a.where == b.where && a.column == b.column && a.message == b.message;
}

/// In a message of ours around the compiler's, what the compiler said: the last argument, however deep.
Message& CompilersWords(Message& message) {
  return message.IsData() ? CompilersWords(message.arguments().back().inner.front()) : message;
}

/// The first character that is neither a blank nor of an attribute: cudafe++ quotes `__global__` as
/// `__attribute__((global))`, and points behind it.
std::size_t BeginOfCode(std::string_view quoted) {
  std::size_t at = quoted.find_first_not_of(' ');
  constexpr std::string_view kAttribute = "__attribute__((";
  while (at != std::string_view::npos && quoted.substr(at).starts_with(kAttribute)) {
    const std::size_t end = quoted.find("))", at);
    if (end == std::string_view::npos) return end;
    at = quoted.find_first_not_of(' ', end + 2);
  }
  return at;
}

/// The last token of the code above `line`; on line 0 if there is none.
CodeToken LastTokenAbove(int line, std::string_view source) {
  CodeToken last;
  for (CodeToken& token : TokensOf(WithoutComments(source))) {
    if (token.line >= line) break;
    last = std::move(token);
  }
  return last;
}

class Parser {
 public:
  Parser(const PathNames& names, std::string_view source)
      : names_(names), source_(source), student_file_(names.empty() ? "" : names[0].first) {}

  void Line(std::string_view line) {
    if (Start(line)) return;
    if (!open_) return;
    Diagnostic& last = found_.back();
    if (auto cause = CausingLine(line, student_file_); cause && last.where.file != student_file_) {
      last.message = say::in_header(last.where.file, last.where.line, last.message);
      last.where = {student_file_, *cause};
      last.column = 0;
    }
    // "            argument types are: (int, int)" completes the sentence above it.
    std::string_view text = Trim(line);
    if (line.starts_with("            ") &&
        (text.starts_with("argument types are:") || text.starts_with("operand types are:"))) {
      Message& words = CompilersWords(last.message);
      words = words.english() + "; " + std::string(text);
    }
    if (text == "^") PlaceSemicolon(line.find('^'));
    quoted_ = line;
    if (text.empty()) open_ = false;
  }

  std::vector<Diagnostic> Take() {
    std::vector<Diagnostic> kept;
    for (Diagnostic& each : found_) {
      if (each.severity == Severity::kWarning && IsOfSystem(each.where.file)) continue;
      each.where.file = RenamePaths(std::move(each.where.file), names_);
      Tidy(each.message);
      // Host and device pass report a mistake once each.
      bool known = std::ranges::any_of(kept, [&](const Diagnostic& k) { return IsSame(k, each); });
      if (!known) kept.push_back(std::move(each));
    }
    return kept;
  }

 private:
  /// More than anybody reads; keeps a flood of messages from taking quadratic time.
  static constexpr std::size_t kMaxDiagnostics = 200;
  /// A template's name can fill a screen and more.
  static constexpr std::size_t kMaxMessage = 400;

  /// A header of the toolkit or the C++ library, which the student can change nothing about. What compilers
  /// warn of there for a line of the student's has got that line as its place.
  bool IsOfSystem(const std::string& file) const {
    if (!file.starts_with('/')) return false;
    const std::string folder = student_file_.substr(0, student_file_.rfind('/') + 1);
    if (!folder.empty() && file.starts_with(folder)) return false;
    return std::ranges::none_of(names_, [&](const auto& name) { return file.starts_with(name.first); });
  }

  /// With the paths that the student knows, and cut where it would fill a screen.
  void Tidy(Message& message) const {
    for (Argument& argument : message.arguments()) {
      argument.text = RenamePaths(std::move(argument.text), names_);
      for (Message& inner : argument.inner) Tidy(inner);
    }
    if (message.IsData()) return;
    std::string words = RenamePaths(message.english(), names_);
    if (words.size() > kMaxMessage) words = std::string(FirstBytes(words, kMaxMessage)) + " …";
    message = std::move(words);
  }

  /// A semicolon that is missing before the first token of a line is missing from a line above. `caret` is
  /// the place of that token in the line that was quoted.
  void PlaceSemicolon(std::size_t caret) {
    Diagnostic& last = found_.back();
    if (last.where.file != student_file_ || last.message.IsData()) return;
    const std::string_view pointed = quoted_.substr(std::min(caret, quoted_.size()));
    if (caret != BeginOfCode(quoted_)) {
      // `{ f() }`
      if (last.message.english() == R"(expected a ";")" && pointed.starts_with('}'))
        last.message = say::semicolon_missing_before_brace(std::move(last.message));
      return;
    }
    if (pointed.starts_with('{')) return;  // A function within a function: its body is refused.
    const CodeToken before = LastTokenAbove(last.where.line, source_);
    // `return` without its semicolon takes what follows for its value.
    const bool is_after_return =
        before.text == "return" &&
        IsOneOf(last.message.english(), {"type name is not allowed", "expected an expression"});
    if (last.message.english() != R"(expected a ";")" && !is_after_return) return;
    if (before.line == 0) return;
    last.where.line = before.line;
    last.message = say::semicolon_missing(std::move(last.message));
  }

  /// A brace that the end of the file misses belongs to a line, which the source shows.
  void PlaceBrace(Diagnostic& found) const {
    if (!say::at_end_of_file.Made(found.message) ||
        CompilersWords(found.message).english() != R"(expected a "}")")
      return;
    const auto line = UnclosedBraceLine(source_);
    if (!line) return;
    found.where.line = *line;
    found.message = say::opening_brace_not_closed(CompilersWords(found.message));
  }

  /// What ptxas says of a kernel belongs to the line that defines it.
  void PlaceKernel(Diagnostic& found) const {
    if (!say::tool_says.Made(found.message)) return;
    constexpr std::string_view kKernel = "Entry function '";
    const std::string words = CompilersWords(found.message).english();
    if (!words.starts_with(kKernel)) return;
    const std::string_view kernel = std::string_view(words).substr(kKernel.size());
    const auto definition =
        DefinitionOf(TokensOf(WithoutComments(source_)), PlainName(kernel.substr(0, kernel.find('\''))));
    if (!definition || !definition->is_kernel) return;
    found.where = {student_file_, definition->line};
  }

  bool Start(std::string_view line) {
    if (line.empty() || line.front() == ' ' || found_.size() >= kMaxDiagnostics) return false;
    auto found = ParseFrontEnd(line);
    if (!found) found = ParseGnu(line);
    if (!found) found = ParseTool(line, student_file_, demangle_);
    if (!found) return false;
    PlaceBrace(*found);
    PlaceKernel(*found);
    found_.push_back(std::move(*found));
    open_ = true;
    return true;
  }

  const PathNames& names_;
  const std::string_view source_;
  const std::string student_file_;
  Demangler demangle_;
  std::vector<Diagnostic> found_;
  bool open_ = false;
  std::string_view quoted_;  ///< The line before: source text, where the compiler quotes it.
};

}  // namespace

std::vector<Diagnostic> ParseDiagnostics(std::string_view text, const PathNames& names,
                                         std::string_view source) {
  Parser parser(names, source);
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size());
    parser.Line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parser.Take();
}

std::string RenamePaths(std::string text, const PathNames& names) {
  for (const auto& [inside, outside] : names) {
    for (std::size_t at = text.find(inside); at != std::string::npos;
         at = text.find(inside, at + outside.size())) {
      text.replace(at, inside.size(), outside);
    }
  }
  return text;
}

Message DescribeDiagnostic(const Diagnostic& diagnostic) {
  if (diagnostic.where.line == 0) return diagnostic.message;
  return say::in_line(diagnostic.where.line, diagnostic.message);
}

}  // namespace warplings
