// SPDX-License-Identifier: Apache-2.0
#include "grader/build/access_checks.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <set>
#include <string>

#include "grader/build/code_words.h"
#include "grader/build/element_macros.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"

namespace warplings {
namespace {

using Flow = CodeStatement::Kind;
using Tokens = std::vector<CodeToken>;

/// Behind the parenthesis that closes the one at `at`.
std::size_t BehindGroup(const Tokens& tokens, std::size_t at, std::size_t end) {
  int depth = 0;
  for (; at < end; ++at) {
    if (tokens[at].text == "(") ++depth;
    if (tokens[at].text == ")" && --depth == 0) return at + 1;
  }
  return end;
}

bool IsKernel(const Tokens& tokens, std::size_t body) {
  return IsDeclaredWith(tokens, body, {"__global__"});
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
/// thread leaves. Of several it is the only one that may do so, between two names, and it is written out.
void FindComparison(const Tokens& tokens, std::size_t begin, std::size_t end, bool leaves,
                    AccessCheck& check) {
  int comparisons = 0, letting = 0;
  std::size_t last = begin;
  const std::string lets_end = leaves ? ">" : "<=", should = leaves ? ">=" : "<";
  for (std::size_t at = begin; at < end; ++at) {
    if (!IsOneOf(tokens[at].text, {"<", "<=", ">", ">="})) continue;
    ++comparisons;
    if (tokens[at].text != lets_end) continue;
    ++letting;
    last = at;
  }
  if (letting != 1) return;
  check.compares = lets_end;
  check.should_compare = should;
  if (comparisons == 1) return;
  const auto is_edge = [&](std::size_t at) {
    return at < begin || at >= end || IsOneOf(tokens[at].text, {"&&", "||", "(", ")", "?", "="});
  };
  const bool are_names = last > begin && last + 1 < end && IsName(tokens[last - 1].text) &&
                         IsName(tokens[last + 1].text) && (last < begin + 2 || is_edge(last - 2)) &&
                         is_edge(last + 2);
  const std::string left = are_names ? tokens[last - 1].text + " " : "";
  const std::string right = are_names ? " " + tokens[last + 1].text : "";
  check.compares = are_names ? left + lets_end + right : "";
  check.should_compare = are_names ? left + should + right : "";
}

/// Whether the condition's only comparison that lets an index too many through is of the index's column with
/// the length of a row.
bool LetsNextRow(const Tokens& tokens, const AccessCondition& condition, TokenRange index) {
  const std::string lets_end = condition.leaves ? ">" : "<=";
  std::size_t at = condition.tokens.begin;
  while (at < condition.tokens.end && tokens[at].text != lets_end) ++at;
  if (at + 1 >= condition.tokens.end || at < condition.tokens.begin + 2) return false;
  const auto is_edge = [&](std::size_t i) { return IsOneOf(tokens[i].text, {"&&", "||", "(", ")"}); };
  const std::string &column = tokens[at - 1].text, &length = tokens[at + 1].text;
  if (!IsName(column) || !IsName(length) || !is_edge(at - 2) || !is_edge(at + 2)) return false;
  const std::optional<IndexSum> sum = ReadSum(tokens, index);
  if (!sum || sum->terms().size() != 2) return false;
  const auto has = [&](std::size_t factors, const std::string& name) {
    return std::ranges::any_of(sum->terms(), [&](const IndexTerm& term) {
      return term.times == 1 && term.factors.size() == factors && std::ranges::count(term.factors, name) == 1;
    });
  };
  return has(1, column) && has(2, length);
}

/// Whether an if whose condition ends at `behind` leaves at once: `if (…) return;`
bool Leaves(const Tokens& tokens, std::size_t behind) {
  if (behind < tokens.size() && tokens[behind].text == "{") ++behind;
  return behind < tokens.size() && IsOneOf(tokens[behind].text, {"return", "continue", "break"});
}

/// The last of some conditions, and where all of them stand.
struct FoundConditions {
  AccessCheck last;
  std::vector<AccessCondition> all;
};

void AddCondition(const Tokens& tokens, TokenRange condition, TokenRange guarded, FoundConditions& found) {
  const bool leaves = guarded.begin == guarded.end;
  found.last = {};
  found.last.kind = AccessCheck::Kind::kCondition;
  found.last.line = tokens[condition.end - 1].line;
  FindComparison(tokens, condition.begin, condition.end, leaves, found.last);
  found.all.push_back({condition, leaves, false, guarded});
}

bool CallsFunction(const Tokens& tokens, TokenRange part) {
  for (std::size_t at = part.begin; at + 1 < part.end; ++at) {
    if (IsName(tokens[at].text) && tokens[at + 1].text == "(") return true;
  }
  return false;
}

/// The statement under an if in which `begin` is.
TokenRange UnderBranch(const std::vector<CodeStatement>& statements, std::size_t branch, std::size_t begin) {
  for (const CodeStatement& each : statements) {
    if (each.parent == branch && !each.is_condition && each.begin <= begin && begin < each.end)
      return {each.begin, each.end};
  }
  return {begin, statements[branch].end};
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
    if (is_around && HasAny(tokens, {behind, begin}, {"else"})) {
      is_in_doubt = true;
    } else if (is_around || Leaves(tokens, behind)) {
      AddCondition(tokens, {each.begin, behind}, is_around ? UnderBranch(statements, i, begin) : TokenRange(),
                   found);
    }
  }
  return found;
}

/// The indices of the accesses that are meant, without brackets: of those to `array` if there are any, and of
/// these those in `line`; otherwise of those to the only array there is. None where an index has brackets
/// itself.
std::vector<TokenRange> IndicesOf(const Tokens& tokens, TokenRange accesses, std::string_view array,
                                  int line) {
  std::vector<TokenRange> all, named;
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
  const auto is_in_line = [&](const TokenRange& index) { return tokens[index.begin].line == line; };
  if (std::ranges::any_of(named, is_in_line))
    std::erase_if(named, [&](const TokenRange& index) { return !is_in_line(index); });
  if (!named.empty()) return named;
  return arrays.size() == 1 ? all : std::vector<TokenRange>();
}

/// The names in a part, "threadIdx.x" as one, and the numbers that are added: "+ 16".
std::set<std::string> NamesIn(const Tokens& tokens, TokenRange part) {
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

/// The parameters of the function with this body, between the parentheses.
TokenRange ParametersOf(const Tokens& tokens, std::size_t body) {
  std::size_t begin = body, end = body;
  for (int depth = 0; begin > 0; --begin) {
    const std::string& text = tokens[begin - 1].text;
    if (text == ")" && depth++ == 0) end = begin - 1;
    if (text == "(" && --depth == 0) break;
  }
  return {begin, end};
}

/// Compares what the conditions mention with what the indices are computed from. A flag mentions nothing, and
/// parameters are lengths.
void FindUnmentioned(const Tokens& tokens, const std::vector<TokenRange>& indices, std::size_t body,
                     FoundConditions& found) {
  std::set<std::string> mentioned;
  for (const auto& [condition, leaves, is_loop, guarded] : found.all) {
    if (!HasAny(tokens, {condition.begin, condition.end}, {"<", "<=", ">", ">=", "==", "!="})) return;
    mentioned.merge(NamesIn(tokens, condition));
  }
  const std::set<std::string> parameters = NamesIn(tokens, ParametersOf(tokens, body));
  for (const TokenRange& index : indices) {
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

/// Without parentheses around all of it.
TokenRange WithoutParentheses(const Tokens& tokens, TokenRange part) {
  while (part.begin + 1 < part.end && tokens[part.begin].text == "(" &&
         BehindGroup(tokens, part.begin, part.end) == part.end && tokens[part.end - 1].text == ")") {
    ++part.begin;
    --part.end;
  }
  return part;
}

/// What is between `joined`, outside of parentheses.
std::vector<TokenRange> PartsBetween(const Tokens& tokens, TokenRange whole, std::string_view joined) {
  std::vector<TokenRange> parts;
  std::size_t begin = whole.begin;
  int depth = 0;
  for (std::size_t at = whole.begin; at < whole.end; ++at) {
    if (IsOneOf(tokens[at].text, {"(", "["})) ++depth;
    if (IsOneOf(tokens[at].text, {")", "]"})) --depth;
    if (depth != 0 || tokens[at].text != joined) continue;
    parts.push_back({begin, at});
    begin = at + 1;
  }
  parts.push_back({begin, whole.end});
  return parts;
}

/// The names on the left of `row < n` or, if a thread leaves there, `row >= n`, where n is a parameter; none
/// if it is something else.
std::set<std::string> ComparedWithLength(const Tokens& tokens, TokenRange part, bool leaves,
                                         const std::set<std::string>& parameters) {
  part = WithoutParentheses(tokens, part);
  if (part.end < part.begin + 3 || !parameters.contains(tokens[part.end - 1].text)) return {};
  const std::string& compares = tokens[part.end - 2].text;
  if (!(leaves ? IsOneOf(compares, {">=", ">"}) : IsOneOf(compares, {"<", "<="}))) return {};
  const TokenRange left{part.begin, part.end - 2};
  if (HasAny(tokens, {left.begin, left.end}, {"<", "<=", ">", ">=", "==", "!=", "!", "&&", "||", "?"}))
    return {};
  return NamesIn(tokens, left);
}

/// With a space on both sides of each operator that joins.
std::string WrittenCondition(const Tokens& tokens, const std::vector<TokenRange>& parts, bool leaves) {
  std::string text;
  for (const TokenRange& part : parts)
    text += (text.empty() ? "" : leaves ? " && " : " || ") + TextOf(tokens, part.begin, part.end);
  return text;
}

/// The only condition that has its names, if it joins comparisons with lengths so that a thread goes on for
/// which one of them does not hold.
std::optional<JoinedComparisons> FindJoined(const Tokens& tokens, const std::vector<AccessCondition>& all,
                                            const std::set<std::string>& parameters) {
  for (const AccessCondition& condition : all) {
    TokenRange whole = condition.tokens;
    while (whole.begin < whole.end && IsOneOf(tokens[whole.begin].text, {"if", "constexpr", "="}))
      ++whole.begin;
    whole = WithoutParentheses(tokens, whole);
    const std::vector<TokenRange> parts = PartsBetween(tokens, whole, condition.leaves ? "&&" : "||");
    std::set<std::string> names;
    const bool are_lengths =
        parts.size() > 1 && std::ranges::all_of(parts, [&](TokenRange part) {
          std::set<std::string> own = ComparedWithLength(tokens, part, condition.leaves, parameters);
          const bool is_other = !own.empty() && std::ranges::none_of(own, [&](const std::string& name) {
            return names.contains(name);
          });
          names.merge(own);
          return is_other;
        });
    if (!are_lengths) continue;
    const bool is_only_one = std::ranges::none_of(all, [&](const AccessCondition& other) {
      if (other.tokens.begin == condition.tokens.begin) return false;
      const std::set<std::string> mentioned = NamesIn(tokens, other.tokens);
      return std::ranges::any_of(names, [&](const std::string& name) { return mentioned.contains(name); });
    });
    if (is_only_one)
      return JoinedComparisons{tokens[whole.end - 1].line, WrittenCondition(tokens, parts, condition.leaves),
                               condition.leaves};
  }
  return std::nullopt;
}

/// The condition of a for or while whose first token is at `at`.
TokenRange HeaderOf(const Tokens& tokens, std::size_t at) {
  const std::size_t open = at + 1, behind = BehindGroup(tokens, open, tokens.size());
  TokenRange condition{open + 1, behind - 1};
  if (tokens[at].text != "for") return condition;
  std::size_t begin = open + 1;
  while (begin < behind && tokens[begin].text != ";") ++begin;
  std::size_t end = begin + 1;
  while (end < behind && tokens[end].text != ";") ++end;
  return {std::min(begin + 1, behind), std::min(end, behind)};
}

/// The conditions without `if` and the parentheses, and the loops around the access with theirs.
void AddSurroundings(const Tokens& tokens, const std::vector<CodeStatement>& statements,
                     const std::vector<std::size_t>& around, const FoundConditions& found,
                     IndexedAccess& access) {
  for (const std::size_t each : around) {
    const CodeStatement& loop = statements[each];
    if (loop.kind != Flow::kLoop) continue;
    access.loops.push_back({loop.begin, loop.end});
    if (IsOneOf(tokens[loop.begin].text, {"for", "while"}))
      access.conditions.push_back({HeaderOf(tokens, loop.begin), false, true, {}});
  }
  for (AccessCondition condition : found.all) {
    TokenRange& range = condition.tokens;
    while (range.begin < range.end &&
           IsOneOf(tokens[range.begin].text, {"if", "constexpr", "=", "+=", "return"})) {
      ++range.begin;
    }
    access.conditions.push_back(condition);
  }
}

/// `for (int i = …` where the access is not in it.
std::vector<OtherScope> LoopsElsewhere(const Tokens& tokens, const std::vector<CodeStatement>& statements,
                                       const std::vector<std::size_t>& around) {
  std::vector<OtherScope> loops;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const CodeStatement& each = statements[i];
    if (each.kind != Flow::kLoop || std::ranges::count(around, i) > 0) continue;
    const std::string variable = VariableOfLoop(tokens, each.begin, each.end);
    const std::size_t first = each.begin + 2;
    const bool declares = first < each.end && (IsNumberType(tokens[first].text) ||
                                               IsOneOf(tokens[first].text, {"auto", "size_t", "const"}));
    if (declares && !variable.empty()) loops.push_back({variable, {each.begin, each.end}});
  }
  return loops;
}

/// Whether a launch is given a sum, such as a pointer past an array's first element.
bool HasLaunchWithSums(const Tokens& tokens) {
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    const bool is_behind =
        tokens[at - 1].text == ">>" && tokens[at].text == ">" && tokens[at + 1].text == "(";
    if (is_behind && HasAny(tokens, {at + 1, BehindGroup(tokens, at + 1, tokens.size())}, {"+", "-", "&"}))
      return true;
  }
  return false;
}

/// Of the indices of one line, the one that is compared the least.
std::optional<SumCheck> WorstOf(const Tokens& tokens, const std::vector<TokenRange>& indices,
                                IndexedAccess& access) {
  std::optional<SumCheck> worst;
  for (const TokenRange& index : indices) {
    access.index = index;
    const std::optional<SumCheck> check = CompareSums(tokens, access);
    if (!check) return std::nullopt;
    if (worst && worst->kind == check->kind) {
      for (const std::string& name : check->computed) {
        if (std::ranges::count(worst->computed, name) == 0) worst->computed.push_back(name);
      }
    }
    if (!worst || check->kind < worst->kind) worst = check;
  }
  return worst;
}

}  // namespace

std::set<std::string> ZeroInFirstThread(std::string_view source) {
  std::set<std::string> zero;
  if (source.size() > kLongestSource) return zero;
  const Tokens tokens = TokensOf(WithoutComments(source));
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != "=" || !IsName(tokens[at - 1].text)) continue;
    bool has_index = false, has_other = false;
    for (std::size_t i = at + 1; i < tokens.size() && !IsOneOf(tokens[i].text, {";", ","}); ++i) {
      const std::string& text = tokens[i].text;
      has_index |= IsOneOf(text, {"threadIdx", "blockIdx"});
      const bool is_known =
          BeginsAsConstant(text) || IsOneOf(text, {"threadIdx", "blockIdx", "blockDim", "x", "y", "z"});
      has_other |= (IsName(text) && !is_known) || IsOneOf(text, {"+=", "?", "~", "!"}) ||
                   (std::isdigit(static_cast<unsigned char>(text.front())) != 0 && tokens[i - 1].text == "+");
    }
    if (has_index && !has_other) zero.insert(tokens[at - 1].text);
  }
  return zero;
}

bool EveryThreadRuns(std::string_view source, int line) {
  if (source.size() > kLongestSource) return false;
  const Tokens tokens = TokensOf(WithoutComments(source));
  std::size_t body = tokens.size();
  int depth = 0;
  for (std::size_t at = 0; at < tokens.size() && tokens[at].line <= line; ++at) {
    const std::string& text = tokens[at].text;
    if (text == "{" && depth++ == 0) body = at;
    if (text == "}" && --depth == 0) body = tokens.size();
  }
  if (body == tokens.size() || !IsKernel(tokens, body)) return false;
  for (std::size_t at = body; at < tokens.size() && tokens[at].line <= line; ++at) {
    const std::string& text = tokens[at].text;
    if (IsOneOf(text, {"if", "while", "do", "switch", "?", "&&", "||", "min", "max", "return"})) return false;
    if (text != "for") continue;
    std::size_t sign = at;
    while (sign + 1 < tokens.size() && !IsOneOf(tokens[sign].text, {"=", ";"})) ++sign;
    if (tokens[sign].text != "=" ||
        std::isdigit(static_cast<unsigned char>(tokens[sign + 1].text.front())) == 0 ||
        !IsAt(tokens, sign + 2, ";"))
      return false;
  }
  return true;
}

std::optional<AccessCheck> CheckOfAccess(std::string_view source, int line, bool is_load,
                                         std::string_view array, const std::set<std::string>& zero) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensWithElements(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  const std::optional<std::size_t> found = AccessInLine(tokens, statements, line);
  if (!found) return std::nullopt;
  const CodeStatement& access = statements[*found];
  const std::size_t assigned = FindAssignment(tokens, access);
  TokenRange accesses = is_load ? TokenRange{assigned, access.end} : TokenRange{access.begin, assigned};
  bool is_in_doubt = false;
  FoundConditions conditions = ConditionsBefore(tokens, statements, *found, is_in_doubt);
  if (const std::size_t choice = FindToken(tokens, access, "?"); is_load && choice < access.end) {
    // What is loaded for the condition is not kept away by it.
    if (choice <= assigned || HasAny(tokens, {assigned, choice}, {"["})) return std::nullopt;
    AddCondition(tokens, {assigned, choice}, {choice, access.end}, conditions);
    accesses.begin = choice;
  }
  if (HasAny(tokens, {accesses.begin, accesses.end}, {"&&", "||", "min", "max", "%"})) return std::nullopt;
  const std::vector<std::size_t> around = Around(statements, *found);
  const std::size_t body = around.empty() ? *found : around.back();
  const std::vector<TokenRange> indices = IndicesOf(tokens, accesses, array, line);
  IndexedAccess indexed{.function = {statements[body].begin, statements[body].end},
                        .parameters = ParametersOf(tokens, statements[body].begin),
                        .statement = {access.begin, access.end},
                        .index = {},
                        .conditions = {},
                        .loops = {},
                        .others = LoopsElsewhere(tokens, statements, around),
                        .zero = zero};
  if (!conditions.all.empty()) {
    FindUnmentioned(tokens, indices, statements[body].begin, conditions);
    conditions.last.joined = FindJoined(tokens, conditions.all, NamesIn(tokens, indexed.parameters));
    conditions.last.lets_next_row = !conditions.last.compares.empty() && indices.size() == 1 &&
                                    LetsNextRow(tokens, conditions.all.back(), indices.front());
    if (!is_in_doubt && !around.empty()) {
      AddSurroundings(tokens, statements, around, conditions, indexed);
      conditions.last.sums = WorstOf(tokens, indices, indexed);
      const auto& sums = conditions.last.sums;
      // Then the pointer may be what is wrong.
      const bool may_point_inside = !IsKernel(tokens, statements[body].begin) || HasLaunchWithSums(tokens);
      if (sums && sums->kind == SumCheck::Kind::kChecked && may_point_inside) conditions.last.sums.reset();
      // What these conditions leave out need not be checked by one.
      if (!sums && std::ranges::any_of(indices, [&](const TokenRange& index) {
            indexed.index = index;
            return UsesOtherRanges(tokens, indexed);
          }))
        return std::nullopt;
    }
    return conditions.last;
  }
  if (is_in_doubt || around.empty() || !IsKernel(tokens, statements[around.back()].begin))
    return std::nullopt;
  for (const std::size_t each : around) {
    if (statements[each].kind == Flow::kLoop && MayLimit(tokens, statements[each], access))
      return std::nullopt;
  }
  AccessCheck unguarded;
  unguarded.sums = WorstOf(tokens, indices, indexed);
  return unguarded;
}

std::optional<ClampToLength> FindClampToLength(std::string_view source, int line) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensWithElements(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  const std::optional<std::size_t> access = AccessInLine(tokens, statements, line);
  const std::vector<std::size_t> around = access ? Around(statements, *access) : std::vector<std::size_t>();
  if (around.empty()) return std::nullopt;
  const std::set<std::string> parameters =
      NamesIn(tokens, ParametersOf(tokens, statements[around.back()].begin));
  std::optional<ClampToLength> found;
  int depth = 0;
  for (std::size_t at = statements[*access].begin; at < statements[*access].end; ++at) {
    depth += tokens[at].text == "[" ? 1 : tokens[at].text == "]" ? -1 : 0;
    if (depth == 0 || tokens[at].text != "min" || !IsAt(tokens, at + 1, "(")) continue;
    const std::size_t behind = BehindGroup(tokens, at + 1, statements[*access].end);
    // The last argument is one name.
    const std::string& length = tokens[behind - 2].text;
    if (!IsAt(tokens, behind - 3, ",") || !parameters.contains(length)) continue;
    if (found) return std::nullopt;
    found = ClampToLength{TextOf(tokens, at, behind), length};
  }
  return found;
}

bool HasNeighbours(std::string_view source, int line) {
  if (source.size() > kLongestSource) return false;
  const Tokens tokens = TokensOf(WithoutComments(source));
  std::map<std::string, std::set<std::string>> numbers;
  for (std::size_t at = 0; at + 3 < tokens.size(); ++at) {
    const std::string& index = tokens[at + 2].text;
    const bool is_numbered = tokens[at].line == line && IsName(tokens[at].text) &&
                             tokens[at + 1].text == "[" && tokens[at + 3].text == "]" &&
                             index.front() >= '0' && index.front() <= '9';
    if (is_numbered) numbers[tokens[at].text].insert(index);
  }
  return std::ranges::any_of(numbers, [](const auto& each) { return each.second.size() > 1; });
}

}  // namespace warplings
