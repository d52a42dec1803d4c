// SPDX-License-Identifier: Apache-2.0
#include "grader/build/source_places.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"

namespace warplings {
namespace {

using Flow = CodeStatement::Kind;
using Tokens = std::vector<CodeToken>;

std::optional<std::int64_t> ValueOf(const std::string& word, const std::map<std::string, int>& numbers) {
  if (const auto named = numbers.find(word); named != numbers.end()) return named->second;
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
  const bool is_number = fault == std::errc() && end == word.data() + word.size();
  return is_number ? std::optional(number) : std::nullopt;
}

/// Of `[TILE + 1]`, whose first token is at `at`: 17; moves `at` behind the bracket. Products come first, as
/// in C++; nothing if there is more to it.
std::optional<std::int64_t> ExtentAt(const Tokens& tokens, std::size_t& at,
                                     const std::map<std::string, int>& numbers) {
  std::int64_t sum = 0, product = 1, sign = 1;
  for (++at; at + 1 < tokens.size(); at += 2) {
    const auto value = ValueOf(tokens[at].text, numbers);
    constexpr std::int64_t kLargest = 1 << 20;
    if (!value || *value < 0 || *value > kLargest || product > kLargest) return std::nullopt;
    product *= *value;
    const std::string& next = tokens[at + 1].text;
    if (next == "*") continue;
    sum += sign * product;
    product = 1;
    sign = next == "-" ? -1 : 1;
    if (next == "]") {
      at += 2;
      return sum > 0 ? std::optional(sum) : std::nullopt;
    }
    if (next != "+" && next != "-") return std::nullopt;
  }
  return std::nullopt;
}

bool IsSmallNumberType(const std::string& text) {
  return IsOneOf(text, {"float", "int", "unsigned", "short", "char", "bool", "signed", "uint32_t", "int32_t",
                        "uint16_t", "int16_t", "uint8_t", "int8_t", "__half", "half"});
}

/// The innermost statement with a token of that line; nothing if no statement has one.
std::optional<std::size_t> StatementInLine(const Tokens& tokens, const std::vector<CodeStatement>& statements,
                                           int line) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    for (std::size_t at = statements[i].begin; at < statements[i].end; ++at) {
      const bool is_call = tokens[at].text.starts_with("__syncthreads") || tokens[at].text == "sync";
      if (tokens[at].line != line || !is_call) continue;
      found = i;
      break;
    }
  }
  return found;
}

/// The statements around that one, from the innermost to its function's body.
std::vector<std::size_t> Around(const std::vector<CodeStatement>& statements, std::size_t statement) {
  std::vector<std::size_t> around;
  while (statements[statement].parent != statement) {
    statement = statements[statement].parent;
    around.push_back(statement);
  }
  return around;
}

bool HasLine(const Tokens& tokens, const CodeStatement& statement, int line) {
  return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(statement.begin),
                     tokens.begin() + static_cast<std::ptrdiff_t>(statement.end),
                     [line](const CodeToken& token) { return token.line == line; });
}

/// Behind the parenthesis that closes the one at `at`.
std::size_t BehindGroup(const Tokens& tokens, std::size_t at, std::size_t end) {
  int depth = 0;
  for (; at < end; ++at) {
    if (tokens[at].text == "(") ++depth;
    if (tokens[at].text == ")" && --depth == 0) return at + 1;
  }
  return end;
}

/// "phase" of `for (int phase = 0; …`, whose for is at `at`.
std::string VariableOfLoop(const Tokens& tokens, std::size_t at, std::size_t end) {
  if (tokens[at].text != "for") return "";
  for (std::size_t i = at + 2; i + 1 < end && IsName(tokens[i].text); ++i) {
    if (tokens[i + 1].text == "=") return tokens[i].text;
  }
  return "";
}

/// Whether the function with this body is a kernel: `__global__` stands before its parameters.
bool IsKernel(const Tokens& tokens, std::size_t body) {
  for (std::size_t at = body; at > 0 && !IsOneOf(tokens[at - 1].text, {";", "}"}); --at) {
    if (tokens[at - 1].text == "__global__") return true;
  }
  return false;
}

bool HasAny(const Tokens& tokens, std::size_t begin, std::size_t end,
            std::initializer_list<std::string_view> texts) {
  for (std::size_t at = begin; at < end; ++at) {
    if (IsOneOf(tokens[at].text, texts)) return true;
  }
  return false;
}

/// Its place in the statement; the statement's end if it is not there.
std::size_t FindToken(const Tokens& tokens, const CodeStatement& statement, std::string_view text) {
  std::size_t at = statement.begin;
  while (at < statement.end && tokens[at].text != text) ++at;
  return at;
}

/// The place of the statement's first assignment; its beginning if it has none.
std::size_t FindAssignment(const Tokens& tokens, const CodeStatement& statement) {
  for (std::size_t at = statement.begin; at < statement.end; ++at) {
    if (tokens[at].text == "=" || IsCompoundAssignment(tokens[at].text)) return at;
  }
  return statement.begin;
}

/// The only statement with an element, `p[i]`, in that line.
std::optional<std::size_t> AccessInLine(const Tokens& tokens, const std::vector<CodeStatement>& statements,
                                        int line) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const CodeStatement& each = statements[i];
    const auto is_element = [&](std::size_t at) { return tokens[at].text == "[" && tokens[at].line == line; };
    std::size_t at = each.begin;
    while (at < each.end && !is_element(at)) ++at;
    if (each.kind != Flow::kSimple || at == each.end) continue;
    if (found || each.is_condition) return std::nullopt;
    found = i;
  }
  return found;
}

/// Whether a loop's condition may be what limits an access in it: a while, or a for whose variable the access
/// uses.
bool MayLimit(const Tokens& tokens, const CodeStatement& loop, const CodeStatement& access) {
  const std::string variable = VariableOfLoop(tokens, loop.begin, loop.end);
  return variable.empty() || FindToken(tokens, access, variable) < access.end;
}

/// The comparison among these tokens that lets one index too many through; `leaves`: where they are true, a
/// thread leaves.
void FindComparison(const Tokens& tokens, std::size_t begin, std::size_t end, bool leaves,
                    AccessCheck& check) {
  int comparisons = 0;
  for (std::size_t at = begin; at < end; ++at) {
    if (!IsOneOf(tokens[at].text, {"<", "<=", ">", ">="})) continue;
    ++comparisons;
    check.compares = tokens[at].text;
  }
  const std::string_view lets_end = leaves ? ">" : "<=";
  if (comparisons == 1 && check.compares == lets_end) {
    check.should_compare = leaves ? ">=" : "<";
  } else {
    check.compares.clear();
  }
}

/// Whether an if whose condition ends at `behind` leaves at once: `if (…) return;`
bool Leaves(const Tokens& tokens, std::size_t behind) {
  if (behind < tokens.size() && tokens[behind].text == "{") ++behind;
  return behind < tokens.size() && IsOneOf(tokens[behind].text, {"return", "continue", "break"});
}

/// Some tokens, one behind the other.
struct Part {
  std::size_t begin = 0, end = 0;
};

/// The last of some conditions, and where all of them stand.
struct FoundConditions {
  AccessCheck last;
  std::vector<Part> all;
};

void AddCondition(const Tokens& tokens, Part condition, bool leaves, FoundConditions& found) {
  found.last = {};
  found.last.kind = AccessCheck::Kind::kCondition;
  found.last.line = tokens[condition.end - 1].line;
  FindComparison(tokens, condition.begin, condition.end, leaves, found.last);
  found.all.push_back(condition);
}

bool CallsFunction(const Tokens& tokens, Part part) {
  for (std::size_t at = part.begin; at + 1 < part.end; ++at) {
    if (IsName(tokens[at].text) && tokens[at + 1].text == "(") return true;
  }
  return false;
}

/// The conditions in front of a statement: of each if around it, and of each one there that leaves.
/// `is_in_doubt` where the statement is behind an else.
FoundConditions ConditionsBefore(const Tokens& tokens, const std::vector<CodeStatement>& statements,
                                 std::size_t statement, bool& is_in_doubt) {
  FoundConditions found;
  const std::size_t begin = statements[statement].begin;
  const std::vector<std::size_t> around = Around(statements, statement);
  for (std::size_t i = 0; i < statements.size() && statements[i].begin < begin; ++i) {
    const CodeStatement& each = statements[i];
    const bool is_if = each.kind == Flow::kBranch && tokens[each.begin].text == "if";
    if (!is_if || std::ranges::count(around, each.parent) == 0) continue;
    const bool is_around = std::ranges::count(around, i) > 0;
    const std::size_t behind = BehindGroup(tokens, each.begin, each.end);
    if (is_around && HasAny(tokens, behind, begin, {"else"})) {
      is_in_doubt = true;
    } else if (is_around || Leaves(tokens, behind)) {
      AddCondition(tokens, {each.begin, behind}, !is_around, found);
    }
  }
  return found;
}

/// The indices of the accesses that are meant, without brackets: of those to `array` if there are any,
/// otherwise of those to the only array there is; none where an index has brackets itself.
std::vector<Part> IndicesOf(const Tokens& tokens, Part accesses, std::string_view array) {
  std::vector<Part> all, named;
  std::set<std::string> arrays;
  for (std::size_t at = accesses.begin; at < accesses.end; ++at) {
    if (tokens[at].text != "[" || at == 0) continue;
    std::size_t end = at + 1;
    while (end < accesses.end && !IsOneOf(tokens[end].text, {"[", "]"})) ++end;
    if (end == accesses.end || tokens[end].text == "[") return {};
    all.push_back({at + 1, end});
    if (tokens[at - 1].text == array) named.push_back(all.back());
    arrays.insert(tokens[at - 1].text);
  }
  if (!named.empty()) return named;
  return arrays.size() == 1 ? all : std::vector<Part>();
}

/// The names in a part, "threadIdx.x" as one, and the numbers that are added: "+ 16".
std::set<std::string> NamesIn(const Tokens& tokens, Part part) {
  std::set<std::string> names;
  for (std::size_t at = part.begin; at < part.end; ++at) {
    std::string name = tokens[at].text;
    if (IsNumberType(name) || name == "size_t") continue;
    const bool is_number = std::isdigit(static_cast<unsigned char>(name.front())) != 0;
    if (is_number && at > part.begin && tokens[at - 1].text == "+") names.insert("+ " + name);
    if (!IsName(name)) continue;
    while (at + 2 < part.end && tokens[at + 1].text == ".") {
      name += "." + tokens[at + 2].text;
      at += 2;
    }
    names.insert(name);
  }
  return names;
}

/// The names in the parameters of the function with this body.
std::set<std::string> ParametersOf(const Tokens& tokens, std::size_t body) {
  std::size_t begin = body;
  for (int depth = 0; begin > 0; --begin) {
    const std::string& text = tokens[begin - 1].text;
    if (text == ")") ++depth;
    if (text == "(" && --depth == 0) break;
  }
  return NamesIn(tokens, {begin, body});
}

/// Compares what the conditions mention with what the indices are computed from. A flag mentions nothing, and
/// parameters are lengths.
void FindUnmentioned(const Tokens& tokens, const std::vector<Part>& indices, std::size_t body,
                     FoundConditions& found) {
  std::set<std::string> mentioned;
  for (const Part& condition : found.all) {
    if (!HasAny(tokens, condition.begin, condition.end, {"<", "<=", ">", ">=", "==", "!="})) return;
    mentioned.merge(NamesIn(tokens, condition));
  }
  const std::set<std::string> parameters = ParametersOf(tokens, body);
  for (const Part& index : indices) {
    // A function's value is not known by its name.
    if (CallsFunction(tokens, index)) return;
    for (const std::string& name : NamesIn(tokens, index)) {
      if (mentioned.contains(name)) {
        found.last.mentions_any = true;
      } else if (!parameters.contains(name) && std::ranges::count(found.last.unmentioned, name) == 0) {
        found.last.unmentioned.push_back(name);
      }
    }
  }
}

}  // namespace

std::map<std::string, std::vector<std::int64_t>> SharedExtents(std::string_view source) {
  std::map<std::string, std::vector<std::int64_t>> extents;
  if (source.size() > kLongestSource) return extents;
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  const std::map<std::string, int> numbers = NamedNumbers(code);
  std::set<std::string> in_doubt;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text != "__shared__") continue;
    ++at;
    bool has_type = false;
    for (; at < tokens.size() && (IsSmallNumberType(tokens[at].text) || tokens[at].text == "volatile"); ++at)
      has_type = true;
    while (has_type && at + 1 < tokens.size() && IsName(tokens[at].text)) {
      const std::string name = tokens[at].text;
      std::vector<std::int64_t> sizes;
      ++at;
      while (at < tokens.size() && tokens[at].text == "[") {
        const auto size = ExtentAt(tokens, at, numbers);
        if (!size) break;
        sizes.push_back(*size);
      }
      const bool is_whole = at < tokens.size() && IsOneOf(tokens[at].text, {",", ";"});
      const auto [known, is_new] = extents.try_emplace(name, sizes);
      if (!is_whole || (!is_new && known->second != sizes)) in_doubt.insert(name);
      if (!is_whole || tokens[at].text == ";") break;
      ++at;
    }
  }
  std::erase_if(extents,
                [&](const auto& each) { return each.second.size() < 2 || in_doubt.contains(each.first); });
  return extents;
}

std::optional<std::string> Subscripts(std::int64_t element, const std::vector<std::int64_t>& extents) {
  std::int64_t rest = element;
  std::string text;
  for (auto extent = extents.rbegin(); extent != extents.rend(); ++extent) {
    text = "[" + std::to_string(rest % *extent) + "]" + text;
    rest /= *extent;
  }
  return element >= 0 && rest == 0 ? std::optional(text) : std::nullopt;
}

std::optional<MissedBarrier> WhyMissed(std::string_view source, int barrier_line) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  const auto barrier = StatementInLine(tokens, statements, barrier_line);
  if (!barrier) return std::nullopt;
  std::vector<MissedBarrier> reasons;
  std::size_t body = *barrier;
  while (statements[body].parent != body) {
    body = statements[body].parent;
    if (statements[body].kind == Flow::kBranch)
      reasons.push_back({MissedBarrier::Why::kCondition, tokens[statements[body].begin].line});
  }
  for (std::size_t at = statements[body].begin; at < statements[*barrier].begin; ++at) {
    if (tokens[at].text == "return") reasons.push_back({MissedBarrier::Why::kReturn, tokens[at].line});
  }
  return reasons.size() == 1 ? std::optional(reasons.front()) : std::nullopt;
}

std::optional<SourceLoop> LoopAround(std::string_view source, int first, int second) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  std::optional<SourceLoop> innermost;
  for (const CodeStatement& each : statements) {
    // A loop stands behind those around it.
    if (each.kind != Flow::kLoop || !HasLine(tokens, each, first) || !HasLine(tokens, each, second)) continue;
    innermost = SourceLoop{tokens[each.begin].line, VariableOfLoop(tokens, each.begin, each.end)};
  }
  return innermost;
}

std::set<std::string> ZeroInFirstThread(std::string_view source) {
  std::set<std::string> zero;
  if (source.size() > kLongestSource) return zero;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const auto is_capital = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != "=" || !IsName(tokens[at - 1].text)) continue;
    bool has_index = false, has_other = false;
    for (std::size_t i = at + 1; i < tokens.size() && !IsOneOf(tokens[i].text, {";", ","}); ++i) {
      const std::string& text = tokens[i].text;
      has_index |= IsOneOf(text, {"threadIdx", "blockIdx"});
      const bool is_constant =
          is_capital(text.front()) || (text.size() > 1 && text[0] == 'k' && is_capital(text[1]));
      const bool is_known =
          is_constant || IsOneOf(text, {"threadIdx", "blockIdx", "blockDim", "x", "y", "z"});
      has_other |= (IsName(text) && !is_known) || IsOneOf(text, {"+=", "?", "~", "!"}) ||
                   (std::isdigit(static_cast<unsigned char>(text.front())) != 0 && tokens[i - 1].text == "+");
    }
    if (has_index && !has_other) zero.insert(tokens[at - 1].text);
  }
  return zero;
}

std::optional<AccessCheck> CheckOfAccess(std::string_view source, int line, bool is_load,
                                         std::string_view array) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  const std::optional<std::size_t> found = AccessInLine(tokens, statements, line);
  if (!found) return std::nullopt;
  const CodeStatement& access = statements[*found];
  const std::size_t assigned = FindAssignment(tokens, access);
  Part accesses = is_load ? Part{assigned, access.end} : Part{access.begin, assigned};
  bool is_in_doubt = false;
  FoundConditions conditions = ConditionsBefore(tokens, statements, *found, is_in_doubt);
  if (const std::size_t choice = FindToken(tokens, access, "?"); is_load && choice < access.end) {
    // What is loaded for the condition is not kept away by it.
    if (choice <= assigned || HasAny(tokens, assigned, choice, {"["})) return std::nullopt;
    AddCondition(tokens, {assigned, choice}, false, conditions);
    accesses.begin = choice;
  }
  if (HasAny(tokens, accesses.begin, accesses.end, {"&&", "||", "min", "max", "%"})) return std::nullopt;
  const std::vector<std::size_t> around = Around(statements, *found);
  if (!conditions.all.empty()) {
    const std::size_t body = around.empty() ? *found : around.back();
    FindUnmentioned(tokens, IndicesOf(tokens, accesses, array), statements[body].begin, conditions);
    return conditions.last;
  }
  if (is_in_doubt || around.empty() || !IsKernel(tokens, statements[around.back()].begin))
    return std::nullopt;
  for (const std::size_t each : around) {
    if (statements[each].kind == Flow::kLoop && MayLimit(tokens, statements[each], access))
      return std::nullopt;
  }
  return AccessCheck{};
}

}  // namespace warplings
