// SPDX-License-Identifier: Apache-2.0
#include "grader/build/array_loops.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>

#include "grader/build/code_words.h"
#include "grader/build/index_sums.h"
#include "grader/build/statements.h"
#include "grader/messages/build.h"

namespace warplings {
namespace {

using Flow = CodeStatement::Kind;
using Tokens = std::vector<CodeToken>;

/// `for (int c = 0; c <= N; ++c)`
struct CountingLoop {
  std::string variable, bound;
  bool includes_bound = false;
  TokenRange limit;
  TokenRange body;
  int line = 0;
};

class LoopFinder {
 public:
  LoopFinder(const Tokens& tokens, const std::string& code)
      : tokens_(tokens), statements_(StatementsOf(tokens)), numbers_(NumbersNamedOnce(code)) {}

  std::optional<Slip> Find() const {
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      const auto loop = statements_[i].kind == Flow::kLoop ? LoopAt(statements_[i]) : std::nullopt;
      if (!loop) continue;
      for (std::size_t at = loop->body.begin; at < loop->body.end; ++at) {
        if (auto slip = SlipAt(i, *loop, at)) return slip;
      }
    }
    return std::nullopt;
  }

 private:
  const std::string& Text(std::size_t at) const {
    static const std::string none = " ";
    return at < tokens_.size() ? tokens_[at].text : none;
  }

  /// Names that mean one number in all of the source.
  static std::map<std::string, int> NumbersNamedOnce(const std::string& code) {
    std::map<std::string, int> numbers = NamedNumbers(code);
    // Variables whose first value is a number, and macros of more than a number.
    std::erase_if(numbers, [](const auto& each) { return !BeginsAsConstant(each.first); });
    std::erase_if(numbers, [&](const auto& each) {
      int definitions = 0;
      for (const std::string before : {"define ", "int "}) {
        const std::string text = before + each.first;
        for (std::size_t at = code.find(text); at != code.npos; at = code.find(text, at + 1)) {
          const std::size_t end = at + text.size();
          if (end == code.size() || !IsWordCharacter(code[end])) ++definitions;
        }
      }
      return definitions != 1;
    });
    return numbers;
  }

  std::optional<std::int64_t> FactorOf(const std::string& word) const {
    if (const auto named = numbers_.find(word); named != numbers_.end()) return named->second;
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool is_number = fault == std::errc() && end == word.data() + word.size();
    constexpr std::int64_t kLargest = 1 << 20;
    return is_number && number <= kLargest ? std::optional(number) : std::nullopt;
  }

  /// A sum of products of numbers and their names: "2 * N - 1".
  std::optional<std::int64_t> ValueOf(TokenRange range) const {
    if ((range.end - range.begin) % 2 == 0 || range.end > range.begin + 5) return std::nullopt;
    std::int64_t sum = 0, product = 1;
    for (std::size_t at = range.begin; at < range.end; at += 2) {
      const auto factor = FactorOf(Text(at));
      const std::string& sign = at > range.begin ? Text(at - 1) : "*";
      if (!factor || !IsOneOf(sign, {"*", "+", "-"})) return std::nullopt;
      if (sign != "*") {
        sum += product;
        product = sign == "-" ? -1 : 1;
      }
      product *= *factor;
    }
    return sum + product;
  }

  std::string WrittenOf(TokenRange range) const { return TextOf(tokens_, range.begin, range.end); }

  /// Names of constants and numbers alone, so that the words mean the same in array and loop.
  bool IsConstant(TokenRange range) const {
    for (std::size_t at = range.begin; at < range.end; ++at) {
      const bool is_number = FactorOf(Text(at)).has_value();
      if (!is_number && !BeginsAsConstant(Text(at)) && !IsOneOf(Text(at), {"+", "*", "-"})) return false;
    }
    return range.begin < range.end;
  }

  /// Upwards, one after the other, and nothing leaves the loop early.
  std::optional<CountingLoop> LoopAt(const CodeStatement& statement) const {
    std::size_t at = statement.begin;
    if (Text(at) != "for" || Text(at + 1) != "(") return std::nullopt;
    const std::size_t behind = BehindBracket(tokens_, at + 1);
    CountingLoop loop;
    loop.variable = VariableOfLoop(tokens_, statement.begin, statement.end);
    loop.line = tokens_[at].line;
    if (loop.variable.empty()) return std::nullopt;
    at += 2;
    while (at < behind && (IsNumberType(Text(at)) || IsOneOf(Text(at), {"auto", "size_t"}))) ++at;
    if (Text(at) != loop.variable || Text(at + 1) != "=" || !FactorOf(Text(at + 2)) || Text(at + 3) != ";")
      return std::nullopt;
    at += 4;
    if (Text(at) != loop.variable || !IsOneOf(Text(at + 1), {"<", "<="})) return std::nullopt;
    loop.includes_bound = Text(at + 1) == "<=";
    std::size_t end = at + 2;
    while (end < behind && Text(end) != ";") ++end;
    loop.limit = {at + 2, end};
    const bool counts = end + 4 == behind && ((Text(end + 1) == "++" && Text(end + 2) == loop.variable) ||
                                              (Text(end + 2) == "++" && Text(end + 1) == loop.variable));
    if (!counts || !IsConstant(loop.limit)) return std::nullopt;
    loop.body = {behind, statement.end};
    const bool is_plain =
        !HasAny(tokens_, loop.body, {"break", "continue", "return", "goto", "switch", "else", "do", "while"});
    return is_plain && !ChangesName(loop.body, loop.variable) ? std::optional(loop) : std::nullopt;
  }

  /// Also a declaration of another variable of that name.
  bool ChangesName(TokenRange range, const std::string& name) const {
    if (Changes(tokens_, range, name)) return true;
    for (std::size_t at = range.begin; at < range.end; ++at) {
      if (Text(at) == name && (IsOneOf(Text(at - 1), {"&", "auto"}) || IsNumberType(Text(at - 1))))
        return true;
    }
    return false;
  }

  /// The size of the only array of that name, which is declared in a block around the loop.
  std::optional<TokenRange> SizeOf(const std::string& name, std::size_t loop) const {
    std::optional<TokenRange> size;
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      const CodeStatement& each = statements_[i];
      if (each.kind != Flow::kSimple || each.is_condition) continue;
      std::size_t at = each.begin;
      while (at < each.end && (IsNumberType(Text(at)) || Text(at) == "const")) ++at;
      if (at == each.begin) continue;
      int depth = 0;
      for (; at + 1 < each.end; ++at) {
        depth += IsOneOf(Text(at), {"(", "[", "{"}) ? 1 : IsOneOf(Text(at), {")", "]", "}"}) ? -1 : 0;
        const bool declares = depth == 0 && (IsNumberType(Text(at - 1)) || Text(at - 1) == ",");
        if (Text(at) != name || Text(at + 1) != "[" || !declares) continue;
        const std::size_t behind = BehindBracket(tokens_, at + 1);
        const std::vector<std::size_t> around = Around(statements_, loop);
        if (size || Text(behind) == "[" || std::ranges::count(around, each.parent) == 0 ||
            each.begin > statements_[loop].begin)
          return std::nullopt;
        size = {at + 2, behind - 1};
        break;
      }
    }
    return size && IsDeclaredElsewhere(name) ? std::nullopt : size;
  }

  /// As a parameter, a pointer, or in shared memory.
  bool IsDeclaredElsewhere(const std::string& name) const {
    bool is_other = false;
    int declarations = 0;
    for (std::size_t at = 1; at < tokens_.size(); ++at) {
      if (Text(at) != name) continue;
      is_other |= IsOneOf(Text(at - 1), {"*", "&"}) && at > 1 && IsNumberType(Text(at - 2));
      declarations += IsNumberType(Text(at - 1)) ? 1 : 0;
    }
    return is_other || declarations > 1;
  }

  /// The names that follow from the loop's variable in its body.
  std::set<std::string> Following(const CountingLoop& loop) const {
    std::set<std::string> names = {loop.variable};
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (std::size_t at = loop.body.begin; at + 1 < loop.body.end; ++at) {
        const bool sets = Text(at + 1) == "=" || IsCompoundAssignment(Text(at + 1)) ||
                          (IsNumberType(Text(at - 1)) && IsOneOf(Text(at + 1), {"(", "{"}));
        if (!sets || !IsName(Text(at)) || names.contains(Text(at))) continue;
        for (std::size_t i = at + 2; i < loop.body.end && Text(i) != ";"; ++i) {
          if (names.contains(Text(i))) is_new |= names.insert(Text(at)).second;
        }
      }
    }
    return names;
  }

  /// Whether a condition lets the last round through, as far as it is about the loop's variable: it compares
  /// what follows from it with a length alone, which says nothing of the array.
  bool MayLetThrough(TokenRange condition, const std::set<std::string>& following,
                     const std::string& variable) const {
    if (HasAny(tokens_, condition, {"||", "?", "!", "=="}) || HasAny(tokens_, condition, {variable}))
      return false;
    for (std::size_t at = condition.begin; at < condition.end; ++at) {
      if (!following.contains(Text(at))) continue;
      const std::string& limit = Text(at + 2);
      const bool is_alone =
          IsOneOf(Text(at - 1), {"(", "&&"}) && Text(at + 1) == "<" && IsOneOf(Text(at + 3), {")", "&&"});
      if (!is_alone || !IsName(limit) || !IsLength(limit)) return false;
    }
    return true;
  }

  /// A parameter of whole numbers, which nothing changes: `int width` before a comma or parenthesis.
  bool IsLength(const std::string& name) const {
    bool is_parameter = false;
    for (std::size_t at = 1; at + 1 < tokens_.size(); ++at) {
      if (Text(at) != name) continue;
      const bool is_declared = IsNumberType(Text(at - 1));
      if (is_declared && !IsOneOf(Text(at + 1), {",", ")"})) return false;
      is_parameter |= is_declared;
    }
    return is_parameter && !Changes(tokens_, {0, tokens_.size()}, name);
  }

  /// Whether the last round comes to the access at `at`.
  bool Reaches(std::size_t loop_statement, const CountingLoop& loop, std::size_t at) const {
    const std::set<std::string> following = Following(loop);
    for (std::size_t i = loop_statement + 1; i < statements_.size(); ++i) {
      const CodeStatement& each = statements_[i];
      if (each.begin > at) break;
      if (each.end <= at) continue;
      if (each.is_condition) return false;
      if (each.kind == Flow::kSimple && HasAny(tokens_, {each.begin, each.end}, {"?", "&&", "||"}))
        return false;
      if (each.kind != Flow::kLoop && each.kind != Flow::kBranch) continue;
      if (Text(each.begin + 1) != "(") return false;
      const TokenRange header{each.begin, BehindBracket(tokens_, each.begin + 1)};
      if (at < header.end) return false;
      if (each.kind == Flow::kLoop && std::ranges::any_of(following, [&](const std::string& name) {
            return HasAny(tokens_, header, {name});
          }))
        return false;
      if (each.kind == Flow::kBranch && !MayLetThrough(header, following, loop.variable)) return false;
    }
    return true;
  }

  std::optional<Slip> SlipAt(std::size_t statement, const CountingLoop& loop, std::size_t at) const {
    const std::string& name = Text(at);
    if (!IsName(name) || Text(at + 1) != "[" || Text(at + 2) != loop.variable || Text(at + 3) != "]")
      return std::nullopt;
    if (IsOneOf(Text(at - 1), {".", "->", "&"})) return std::nullopt;
    const auto size = SizeOf(name, statement);
    if (!size || !IsConstant(*size)) return std::nullopt;
    const auto elements = ValueOf(*size), bound = ValueOf(loop.limit);
    const std::string has = WrittenOf(*size), limit = WrittenOf(loop.limit);
    std::string last, runs_to;
    if (elements && bound) {
      const std::int64_t most = loop.includes_bound ? *bound : *bound - 1;
      if (most < *elements || *elements < 2) return std::nullopt;
      last = std::to_string(*elements - 1);
      runs_to = std::to_string(most);
    } else if (has == limit && loop.includes_bound) {
      last = has + " - 1";
      runs_to = has;
    } else {
      return std::nullopt;
    }
    if (!Reaches(statement, loop, at)) return std::nullopt;
    const say::Line line(loop.line), access(tokens_[at].line);
    const std::string count = elements ? std::to_string(*elements) : has;
    if (elements && has != limit && HasAny(tokens_, *size, {"+", "-"}))
      return Slip{loop.line, say::loop_past_small_array(loop.variable, line, name, count, last, runs_to)};
    // One too many by <= is the loop's fault; any other number may be the array's, or the index's.
    if (loop.includes_bound && (has == limit || (elements && bound && *bound == *elements)))
      return Slip{loop.line, say::loop_past_array(loop.variable, line, name, count, last, runs_to, has)};
    const std::string fitting = FittingIndex(loop, at, elements, has);
    const Message what =
        fitting.empty()
            ? say::array_index_or_loop(loop.variable, access, name, count, last, runs_to, line)
            : say::index_past_array(loop.variable, access, name, count, last, runs_to, line, fitting);
    return Slip{tokens_[at].line, what};
  }

  /// The variable of the only other loop around the access that runs over just the array's elements.
  std::string FittingIndex(const CountingLoop& loop, std::size_t at, std::optional<std::int64_t> elements,
                           const std::string& has) const {
    std::string fitting;
    for (const CodeStatement& each : statements_) {
      if (each.kind != Flow::kLoop || at < each.begin || at >= each.end) continue;
      const auto other = LoopAt(each);
      if (!other || other->includes_bound || other->variable == loop.variable) continue;
      const auto bound = ValueOf(other->limit);
      const bool fits = WrittenOf(other->limit) == has || (elements && bound && *bound == *elements);
      if (!fits) continue;
      if (!fitting.empty()) return "";
      fitting = other->variable;
    }
    return fitting;
  }

  const Tokens& tokens_;
  const std::vector<CodeStatement> statements_;
  const std::map<std::string, int> numbers_;
};

}  // namespace

std::optional<Slip> FindLoopPastArray(const std::vector<CodeToken>& tokens, const std::string& code) {
  // Of code that is there twice, in #if and #else, only one is compiled.
  if (code.find("#if") != code.npos || code.find("#else") != code.npos) return std::nullopt;
  return LoopFinder(tokens, code).Find();
}

}  // namespace warplings
