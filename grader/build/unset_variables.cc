// SPDX-License-Identifier: Apache-2.0
#include "grader/build/unset_variables.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"
#include "grader/messages/build.h"

namespace warplings {
namespace {

using Flow = CodeStatement::Kind;
using Tokens = std::vector<CodeToken>;

struct Variable {
  std::string name, type;
  int line = 0;
  std::size_t dimensions = 0;
  std::optional<int> elements;     ///< Of an array of one dimension, where that is written as a number.
  std::size_t begin = 0, end = 0;  ///< Its scope, in tokens.
  std::size_t statement = 0;       ///< The block, or the loop, that it is declared in.
};

struct Use {
  enum class Kind { kRead, kUpdate, kSet, kSetOfOne };
  Kind kind = Kind::kRead;
  std::size_t at = 0;     ///< The token from which on it has happened.
  std::size_t place = 0;  ///< The variable's name.
  std::string operation;
  std::string subscript;

  bool Sets() const { return kind == Kind::kSet || kind == Kind::kSetOfOne; }
};

class UnsetFinder {
 public:
  UnsetFinder(std::string_view code, const std::string& display_name)
      : display_name_(display_name),
        tokens_(TokensOf(code)),
        statements_(StatementsOf(tokens_)),
        numbers_(NamedNumbers(code)),
        in_macros_(NamesInMacros(code)) {}

  std::vector<Diagnostic> Find() {
    constexpr std::size_t kMost = 8;
    for (std::size_t i = 0; i < statements_.size() && found_.size() < kMost; ++i) {
      if (statements_[i].kind == Flow::kSimple && !statements_[i].is_condition) LookAtDeclaration(i);
    }
    std::ranges::sort(found_, {}, [](const Diagnostic& each) { return each.where.line; });
    return std::move(found_);
  }

 private:
  const std::string& Text(std::size_t at) const {
    static const std::string none = " ";
    return at < tokens_.size() ? tokens_[at].text : none;
  }

  /// "float sum, other[4];": each variable without a value is looked at.
  void LookAtDeclaration(std::size_t statement) {
    std::size_t at = statements_[statement].begin;
    const std::size_t end = statements_[statement].end;
    std::string type;
    for (; at < end && (IsNumberType(Text(at)) || Text(at) == "volatile"); ++at)
      type += (type.empty() ? "" : " ") + Text(at);
    if (type.empty() || end == 0 || Text(end - 1) != ";") return;
    while (at < end) {
      Variable variable{Text(at), type, tokens_[at].line, 0, {}, 0, 0, 0};
      if (!IsName(variable.name)) return;  // A pointer, a function, a cast: another matter.
      ++at;
      for (; Text(at) == "["; ++variable.dimensions) {
        variable.elements = variable.dimensions == 0 ? NumberOf(at + 1) : std::nullopt;
        at = EndOfGroup(at);
      }
      const bool has_value = Text(at) != "," && Text(at) != ";";
      if (has_value) {
        while (at < end && Text(at) != "," && Text(at) != ";") {
          if (Text(at) == "<") return;  // The comma may be one between a template's arguments.
          const bool opens = IsOneOf(Text(at), {"(", "[", "{"});
          at = opens ? EndOfGroup(at) : at + 1;
        }
      }
      ++at;
      if (has_value) continue;
      variable.statement = statements_[statement].parent;
      variable.begin = at;
      variable.end = statements_[variable.statement].end;
      LookAt(variable);
    }
  }

  std::optional<int> NumberOf(std::size_t at) const {
    return Text(at + 1) == "]" ? ValueOf(Text(at)) : std::nullopt;
  }

  std::optional<int> ValueOf(const std::string& text) const {
    const auto named = numbers_.find(text);
    if (named != numbers_.end()) return named->second;
    int number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    return fault == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
  }

  /// Behind what closes the bracket at `at`.
  std::size_t EndOfGroup(std::size_t at) const {
    int depth = 0;
    for (; at < tokens_.size(); ++at) {
      if (IsOneOf(Text(at), {"(", "[", "{"})) ++depth;
      if (IsOneOf(Text(at), {")", "]", "}"})) --depth;
      if (depth == 0) return at + 1;
    }
    return at;
  }

  void LookAt(const Variable& variable) {
    if (in_macros_.contains(variable.name)) return;
    std::vector<Use> uses;
    for (std::size_t at = variable.begin; at < variable.end; ++at) {
      if (Text(at) == "goto") return;
      if (Text(at) != variable.name || IsOneOf(Text(at - 1), {".", "->", "::"})) continue;
      if (IsNumberType(Text(at - 1)) || Text(at - 1) == "auto") return;  // Another one of that name.
      if (const auto use = UseAt(at, variable)) uses.push_back(*use);
    }
    std::ranges::stable_sort(uses, {}, &Use::at);
    const auto read = std::ranges::find_if(uses, [](const Use& use) { return !use.Sets(); });
    if (read == uses.end()) return;
    if (read == uses.begin()) {
      const bool in_doubt = std::any_of(read, uses.end(), [&](const Use& set) {
        return set.Sets() && MayComeFirst(set.place, read->place, variable);
      });
      if (!in_doubt) Add(*read, MessageOf(variable, *read));
    } else if (const auto partly = std::ranges::find_if(
                   uses, [](const Use& use) { return use.kind != Use::Kind::kSetOfOne; });
               partly == read) {
      LookAtElements(variable, *read, {uses.begin(), read});
    }
  }

  /// An array of which only single elements, by their numbers, have a value, and that is read by a variable.
  void LookAtElements(const Variable& variable, const Use& read, const std::vector<Use>& sets) {
    std::set<std::string> different;
    for (const Use& set : sets) different.insert(set.subscript);
    const bool is_number =
        !read.subscript.empty() && std::isdigit(static_cast<unsigned char>(read.subscript.front())) != 0;
    if (!variable.elements || is_number || read.subscript.empty()) return;
    if (static_cast<int>(different.size()) >= *variable.elements) return;
    const bool is_one = different.size() == 1;
    const auto& row = ReadsAll(variable, read)
                          ? is_one ? say::loop_reads_unset_elements : say::loop_reads_many_unset_elements
                      : is_one ? say::one_element_is_set
                               : say::some_elements_are_set;
    Add(read, row(variable.name, *variable.elements, different.size()));
  }

  /// Whether the read is in a loop over all elements, which nothing leaves, and under no condition.
  bool ReadsAll(const Variable& variable, const Use& read) const {
    for (const std::size_t each : Around(read.place, variable)) {
      const CodeStatement& statement = statements_[each];
      if (each == variable.statement) break;
      if (statement.is_condition || statement.kind == Flow::kBranch) return false;
      if (statement.kind == Flow::kSimple && HasCondition(each)) return false;
      if (statement.kind != Flow::kLoop) continue;
      std::size_t at = statement.begin;
      if (Text(at) != "for" ||
          HasAny(tokens_, {statement.begin, statement.end}, {"break", "continue", "return", "goto"}))
        return false;
      at += 2;
      while (IsNumberType(Text(at))) ++at;
      const std::string& name = read.subscript;
      const bool is_over_elements =
          Text(at) == name && Text(at + 1) == "=" && Text(at + 2) == "0" && Text(at + 3) == ";" &&
          Text(at + 4) == name && Text(at + 5) == "<" && Text(at + 7) == ";" &&
          ((Text(at + 8) == "++" && Text(at + 9) == name) || (Text(at + 8) == name && Text(at + 9) == "++"));
      if (is_over_elements) return ValueOf(Text(at + 6)).value_or(0) >= *variable.elements;
    }
    return false;
  }

  /// What the code does with the variable there; nothing if it is neither read nor set.
  std::optional<Use> UseAt(std::size_t at, const Variable& variable) const {
    std::size_t next = at + 1, subscripts = 0;
    Use use;
    use.at = use.place = at;
    for (; Text(next) == "[" && subscripts < variable.dimensions; ++subscripts) {
      for (std::size_t i = next + 1; i + 1 < EndOfGroup(next); ++i) use.subscript += Text(i);
      next = EndOfGroup(next);
    }
    while (Text(next) == "." && IsName(Text(next + 1))) next += 2;
    const std::string& before = Text(at - 1);
    if (before == "sizeof" || (before == "(" && IsOneOf(Text(at - 2), {"sizeof", "decltype"})))
      return std::nullopt;
    if (before == ")" && Text(at - 2) == "void" && Text(at - 3) == "(") return std::nullopt;
    use.operation = Text(next);
    if (subscripts < variable.dimensions || IsPassedOn(at, next)) {
      use.kind = Use::Kind::kSet;
    } else if (IsCompoundAssignment(Text(next)) || IsOneOf(Text(next), {"++", "--"}) ||
               IsOneOf(before, {"++", "--"})) {
      use.kind = Use::Kind::kUpdate;
    } else if (Text(next) == "=") {
      SetBy(use, at, next, variable);
    }
    return use;
  }

  /// What is on the right is read first. There another element of an array need not be one without a value.
  void SetBy(Use& use, std::size_t at, std::size_t equals, const Variable& variable) const {
    const bool is_one = variable.dimensions == 1 && !use.subscript.empty() &&
                        std::isdigit(static_cast<unsigned char>(use.subscript.front())) != 0;
    use.kind = is_one ? Use::Kind::kSetOfOne : Use::Kind::kSet;
    std::size_t end = equals + 1;
    bool same_elements = true;
    while (end < variable.end && !IsOneOf(Text(end), {";", ",", ")", "}"})) {
      const std::size_t past = IsOneOf(Text(end), {"(", "[", "{"}) ? EndOfGroup(end) : end + 1;
      for (std::size_t i = end; i < past; ++i) {
        if (Text(i) != variable.name) continue;
        for (std::size_t k = 1; k < equals - at; ++k)
          same_elements = same_elements && Text(i + k) == Text(at + k);
      }
      end = past;
    }
    if (same_elements) use.at = end;
  }

  /// "float& total = is_first ? sum : other;"
  bool IsBound(std::size_t at) const {
    for (std::size_t i = at; i > 2 && !IsOneOf(Text(i), {";", "{", "}"}); --i) {
      if (Text(i) == "=" && IsName(Text(i - 1)) && IsOneOf(Text(i - 2), {"&", "&&"})) return true;
    }
    return false;
  }

  /// By its address, as a reference that a function may assign to, to a stream or to an asm statement.
  bool IsPassedOn(std::size_t at, std::size_t next) const {
    const std::string& before = Text(at - 1);
    if (before == "&") {
      const std::string& left = Text(at - 2);
      return !(IsWordCharacter(left.front()) || left == "]") || left == "return";  // (float4*)&sum[0]
    }
    if (IsBound(at) || before == ">>" || (before == "[" && Text(next) == "]" && !IsName(Text(at - 2))))
      return true;
    if (!IsOneOf(before, {"(", ",", "{"}) || !IsOneOf(Text(next), {")", ",", "}"})) return false;
    int depth = 0;
    for (std::size_t i = at - 1; i > 0; --i) {
      if (IsOneOf(Text(i), {")", "]", "}"})) ++depth;
      if (!IsOneOf(Text(i), {"(", "[", "{"}) || depth-- > 0) {
        if (Text(i) == ";" && depth <= 0) return false;
        continue;
      }
      const std::string& callee = Text(i - 1);
      if (Text(i) != "(") return true;
      return IsOneOf(callee, {">", "\"", "]", ")"}) || (IsName(callee) && !TakesValues(callee));
    }
    return true;
  }

  /// The innermost statement with that token.
  std::size_t StatementAt(std::size_t at, const Variable& variable) const {
    std::size_t innermost = variable.statement;
    for (std::size_t i = variable.statement; i < statements_.size(); ++i) {
      if (statements_[i].begin <= at && at < statements_[i].end) innermost = i;
      if (statements_[i].begin > at) break;
    }
    return innermost;
  }

  std::vector<std::size_t> Around(std::size_t at, const Variable& variable) const {
    std::vector<std::size_t> around = {StatementAt(at, variable)};
    while (around.back() != variable.statement && statements_[around.back()].parent != around.back())
      around.push_back(statements_[around.back()].parent);
    return around;
  }

  bool HasCondition(std::size_t statement) const {
    for (std::size_t i = statements_[statement].begin; i < statements_[statement].end; ++i) {
      if (IsOneOf(Text(i), {"?", "&&", "||", "{"})) return true;
    }
    return false;
  }

  /// Whether an assignment in a later line may come before the read, in an earlier round of a loop around
  /// both in which a condition, or a loop without a round, kept from the read.
  bool MayComeFirst(std::size_t set, std::size_t read, const Variable& variable) const {
    const std::vector<std::size_t> of_set = Around(set, variable), of_read = Around(read, variable);
    const auto common =
        std::ranges::find_if(of_read, [&](std::size_t each) { return std::ranges::count(of_set, each) > 0; });
    // What is not taken apart may be a loop behind a macro.
    if (common == of_read.end() || (statements_[*common].kind == Flow::kSimple && HasCondition(*common)))
      return true;
    const bool is_repeated = std::any_of(common, of_read.end(), [&](std::size_t each) {
      return each != variable.statement && statements_[each].kind == Flow::kLoop;
    });
    if (!is_repeated) return false;
    if (HasCondition(of_read.front()) && statements_[of_read.front()].kind == Flow::kSimple) return true;
    for (auto each = of_read.begin(); each != common; ++each) {
      if (IsConditional(statements_[*each].kind)) return true;
    }
    const bool splits = statements_[*common].kind == Flow::kBranch;
    return splits && !(common != of_read.begin() && statements_[*std::prev(common)].is_condition);
  }

  /// It may run not at all.
  static bool IsConditional(Flow kind) { return kind == Flow::kLoop || kind == Flow::kBranch; }

  static Message MessageOf(const Variable& variable, const Use& read) {
    if (variable.dimensions > 0) return say::array_read_unset(variable.name, variable.line);
    const bool is_sum = IsOneOf(read.operation, {"+=", "-=", "++", "--"}) &&
                        variable.type.find_first_of("1234") == std::string::npos;
    return is_sum ? say::sum_read_unset(variable.name, variable.line, variable.type)
                  : say::variable_read_unset(variable.name, variable.line);
  }

  void Add(const Use& read, Message message) {
    Diagnostic each;
    each.severity = Severity::kWarning;
    each.where = {display_name_, tokens_[read.place].line};
    each.message = std::move(message);
    found_.push_back(std::move(each));
  }

  const std::string& display_name_;
  const Tokens tokens_;
  const std::vector<CodeStatement> statements_;
  const std::map<std::string, int> numbers_;
  const std::set<std::string> in_macros_;
  std::vector<Diagnostic> found_;
};

constexpr std::string_view kOfCompiler = "is used before its value is set";

/// The compiler's `variable "sum" is used before its value is set` in our words; anything else as it is.
Message WithAdvice(const Message& of_compiler) {
  const std::string words = English(of_compiler);
  constexpr std::string_view kBegin = "variable ";
  if (!words.starts_with(kBegin) || !words.ends_with(kOfCompiler)) return of_compiler;
  const std::size_t end = words.size() - kOfCompiler.size() - 1;
  return say::variable_used_unset(words.substr(kBegin.size(), end - kBegin.size()));
}

}  // namespace

std::vector<Diagnostic> FindUnsetVariables(std::string_view source, const std::string& display_name) {
  if (source.size() > kLongestSource) return {};
  return UnsetFinder(WithoutComments(source), display_name).Find();
}

void AddUnsetVariables(std::string_view source, const std::string& display_name,
                       std::vector<Diagnostic>& diagnostics) {
  std::vector<Diagnostic> found = FindUnsetVariables(source, display_name);
  std::erase_if(diagnostics, [&](const Diagnostic& each) {
    return English(each.message).find(kOfCompiler) != std::string::npos &&
           std::ranges::any_of(found,
                               [&](const Diagnostic& ours) { return ours.where.line == each.where.line; });
  });
  for (Diagnostic& each : diagnostics) each.message = WithAdvice(each.message);
  found.insert(found.end(), std::make_move_iterator(diagnostics.begin()),
               std::make_move_iterator(diagnostics.end()));
  diagnostics = std::move(found);
}

}  // namespace warplings
