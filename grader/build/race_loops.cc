// SPDX-License-Identifier: Apache-2.0
#include "grader/build/race_loops.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/build/code_loops.h"
#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/build/statements.h"
#include "grader/messages/findings.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

bool WaitsBetween(const Tokens& tokens, std::size_t begin, std::size_t end) {
  for (std::size_t at = begin; at < end; ++at) {
    if (tokens[at].text.starts_with("__syncthreads") || tokens[at].text == "sync") return true;
  }
  return false;
}

std::size_t FirstOfLine(const Tokens& tokens, int line) {
  const auto found = std::ranges::find(tokens, line, &CodeToken::line);
  return static_cast<std::size_t>(found - tokens.begin());
}

/// A function, or a lambda that has a name.
struct NamedBody {
  std::string name;
  std::size_t begin = 0, end = 0;  ///< Its braces.
};

/// The name of the function or lambda whose body begins at that brace; empty if it is no such body.
std::string NameOfBody(const Tokens& tokens, std::size_t brace) {
  if (brace == 0 || tokens[brace - 1].text != ")") return "";
  int depth = 0;
  std::size_t at = brace - 1;
  for (; at > 0; --at) {
    if (tokens[at].text == ")") ++depth;
    if (tokens[at].text == "(" && --depth == 0) break;
  }
  if (at < 2) return "";
  const std::string& before = tokens[at - 1].text;
  if (IsName(before)) return IsOneOf(before, {"for", "while", "if", "switch", "constexpr"}) ? "" : before;
  if (before != "]") return "";
  for (--at; at > 2 && tokens[at].text != "["; --at) continue;
  return tokens[at - 1].text == "=" && IsName(tokens[at - 2].text) ? tokens[at - 2].text : "";
}

std::size_t ClosingBrace(const Tokens& tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at].text == "{") ++depth;
    if (tokens[at].text == "}" && --depth == 0) break;
  }
  return at;
}

/// The innermost one around that token; empty: there is none.
NamedBody NamedBodyAround(const Tokens& tokens, std::size_t token) {
  NamedBody innermost;
  for (std::size_t at = 0; at < token && at < tokens.size(); ++at) {
    if (tokens[at].text != "{") continue;
    std::string name = NameOfBody(tokens, at);
    if (name.empty()) continue;
    const std::size_t end = ClosingBrace(tokens, at);
    if (token < end) innermost = {std::move(name), at, end};
  }
  return innermost;
}

/// Where the store is made, seen from the function that reads: the store itself, or each call of what stores.
std::vector<std::size_t> PlacesOf(const Tokens& tokens, std::size_t store, std::size_t read) {
  const NamedBody body = NamedBodyAround(tokens, store);
  if (body.name.empty() || (body.begin < read && read < body.end)) return {store};
  std::vector<std::size_t> calls;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const bool is_inside = body.begin < at && at < body.end;
    if (tokens[at].text == body.name && tokens[at + 1].text == "(" && !is_inside) calls.push_back(at);
  }
  return calls;
}

}  // namespace

std::optional<SourceLoop> LoopOfNextPass(std::string_view source, int store_line, int read_line) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::size_t store = FirstOfLine(tokens, store_line), read = FirstOfLine(tokens, read_line);
  if (store == tokens.size() || read == tokens.size()) return std::nullopt;
  const std::vector<CodeLoop> loops = LoopsOf(tokens);
  std::optional<SourceLoop> only;
  for (const std::size_t place : PlacesOf(tokens, store, read)) {
    std::optional<SourceLoop> innermost;
    for (const CodeLoop& loop : loops) {
      if (!loop.Has(place) || !loop.Has(read)) continue;
      if (WaitsBetween(tokens, read, loop.end) || WaitsBetween(tokens, loop.begin, place)) continue;
      innermost = SourceLoop{tokens[loop.begin].line, loop.variable};
    }
    if (innermost && only && !(*only == *innermost)) return std::nullopt;
    if (innermost) only = innermost;
  }
  return only;
}

bool AddsInAllThreads(std::string_view source, int line) {
  if (source.size() > kLongestSource) return false;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  std::optional<std::size_t> adding;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const CodeStatement& each = statements[i];
    if (each.kind != CodeStatement::Kind::kSimple || tokens[each.begin].line != line) continue;
    if (each.is_condition || adding) return false;
    adding = i;
  }
  if (!adding) return false;
  const CodeStatement& statement = statements[*adding];
  std::vector<std::string> arrays;
  bool adds = false;
  int depth = 0;
  for (std::size_t at = statement.begin; at < statement.end; ++at) {
    const std::string& text = tokens[at].text;
    if (IsOneOf(text, {"?", "&&", "||"})) return false;
    depth += text == "[" ? 1 : text == "]" ? -1 : 0;
    if (text == "[" && at > 0) arrays.push_back(tokens[at - 1].text);
    adds |= depth == 0 && IsOneOf(text, {"+=", "+"}) && !arrays.empty();
  }
  const bool is_of_one_array =
      arrays.size() > 1 && std::ranges::count(arrays, arrays.front()) == std::ssize(arrays);
  if (!adds || !is_of_one_array) return false;
  bool is_in_loop = false;
  const std::vector<std::size_t> around = Around(statements, *adding);
  for (const std::size_t each : around) {
    if (statements[each].kind == CodeStatement::Kind::kBranch) return false;
    is_in_loop |= statements[each].kind == CodeStatement::Kind::kLoop;
  }
  // What comes before it and leaves keeps threads away, too.
  const std::size_t body = statements[around.back()].begin;
  for (std::size_t at = body; at < statement.begin; ++at) {
    if (IsOneOf(tokens[at].text, {"return", "break", "continue"})) return false;
  }
  return is_in_loop && IsDeclaredWith(tokens, body, {"__global__"});
}

namespace {

/// Whether `t + s` is the later index of `t`: the same tokens, with something added.
bool AddsToIndex(const Tokens& tokens, std::size_t own, std::size_t own_end, std::size_t read,
                 std::size_t read_end) {
  const std::string index = TextOf(tokens, own, own_end), other = TextOf(tokens, read, read_end);
  return other.starts_with(index + " + ") || other.ends_with(" + " + index);
}

/// `a[i] += a[j]` or `a[i] = a[i] + a[j]`, where j is i and something more.
bool AddsALaterElement(const Tokens& tokens, const CodeStatement& statement) {
  struct Element {
    std::string array;
    std::size_t begin = 0, end = 0;
  };
  std::vector<Element> elements;
  bool adds = false;
  int depth = 0;
  for (std::size_t at = statement.begin; at < statement.end; ++at) {
    const std::string& text = tokens[at].text;
    if (text == "[" && at > 0) {
      const std::size_t end = BehindBracket(tokens, at);
      if (depth == 0) elements.push_back({tokens[at - 1].text, at + 1, end - 1});
    }
    depth += text == "[" ? 1 : text == "]" ? -1 : 0;
    adds |= depth == 0 && IsOneOf(text, {"+=", "+"}) && !elements.empty();
  }
  if (!adds || elements.size() < 2 || elements.size() > 3) return false;
  const Element &own = elements.front(), &read = elements.back();
  return own.array == read.array && AddsToIndex(tokens, own.begin, own.end, read.begin, read.end);
}

}  // namespace

std::optional<int> FindStepWithoutBarrier(std::string_view source, int line) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  std::optional<std::size_t> adding;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const CodeStatement& each = statements[i];
    const bool is_simple = each.kind == CodeStatement::Kind::kSimple && !each.is_condition;
    if (is_simple && tokens[each.begin].line == line && AddsALaterElement(tokens, each)) adding = i;
  }
  if (!adding) return std::nullopt;
  bool has_condition = false;
  for (const std::size_t each : Around(statements, *adding)) {
    const CodeStatement& around = statements[each];
    if (around.kind == CodeStatement::Kind::kBranch) {
      const std::size_t end = BehindBracket(tokens, around.begin + 1);
      // `t >= s` and `t + s < n` let threads add whose elements others read in the same step.
      for (std::size_t at = around.begin; at < end; ++at) {
        if (IsOneOf(tokens[at].text, {">=", "+", "||"})) return std::nullopt;
      }
      has_condition = true;
    }
    if (around.kind != CodeStatement::Kind::kLoop) continue;
    if (!has_condition || WaitsBetween(tokens, around.begin, around.end)) return std::nullopt;
    return tokens[around.begin].line;
  }
  return std::nullopt;
}

namespace {

constexpr int kLanes = 32;

/// "32", or a name of that number or a smaller one.
bool IsAtMostAWarp(const std::string& text, const std::map<std::string, int>& named) {
  if (text == "warpSize") return true;
  const auto known = named.find(text);
  if (known != named.end()) return known->second <= kLanes;
  const bool is_number = !text.empty() && text.size() <= 2 &&
                         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return is_number && std::stoi(text) <= kLanes;
}

/// A launch as it is written: its grid and its block, each empty if it is more than one word.
struct GridAndBlock {
  std::string grid, block;
};

/// Those of the kernel; none if one of them is of another form than `kernel<<<grid, block`.
std::vector<GridAndBlock> LaunchesOf(const Tokens& tokens, std::string_view kernel) {
  std::vector<GridAndBlock> launches;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != kernel || IsAt(tokens, at + 1, "(")) continue;
    if (!IsAt(tokens, at + 1, "<<") || !IsAt(tokens, at + 2, "<")) return {};
    std::size_t comma = at + 3;
    while (comma < tokens.size() && !IsOneOf(tokens[comma].text, {",", ";"}))
      comma = tokens[comma].text == "(" ? BehindBracket(tokens, comma) : comma + 1;
    if (!IsAt(tokens, comma, ",") || comma + 2 >= tokens.size()) return {};
    const bool is_one_word = IsOneOf(tokens[comma + 2].text, {",", ">>"});
    launches.push_back(
        {comma == at + 4 ? tokens[at + 3].text : "", is_one_word ? tokens[comma + 1].text : ""});
  }
  return launches;
}

/// Whether `name` is threadIdx.x, and nothing else.
bool IsThreadOfBlock(const Tokens& tokens, const std::string& name) {
  std::size_t values = 0;
  for (std::size_t at = 0; at + 5 < tokens.size(); ++at) {
    if (tokens[at].text != name || tokens[at + 1].text != "=") continue;
    if (tokens[at + 2].text != "threadIdx" || tokens[at + 4].text != "x") return false;
    if (!IsOneOf(tokens[at + 5].text, {";", ","})) return false;
    ++values;
  }
  return values == 1;
}

}  // namespace

bool RunsInOneWarp(std::string_view source, int line, std::string_view kernel) {
  if (source.size() > kLongestSource) return false;
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  const std::map<std::string, int> named = NamedNumbers(code);
  const std::vector<GridAndBlock> launches = LaunchesOf(tokens, kernel);
  const auto is_small = [&](const GridAndBlock& each) { return IsAtMostAWarp(each.block, named); };
  if (!launches.empty() && std::ranges::all_of(launches, is_small)) return true;
  const std::size_t first = FirstOfLine(tokens, line);
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  const auto statement = StatementWith(statements, first);
  if (!statement) return false;
  std::vector<std::size_t> around = Around(statements, *statement);
  around.push_back(*statement);
  return std::ranges::any_of(around, [&](std::size_t each) {
    const CodeStatement& branch = statements[each];
    if (branch.kind != CodeStatement::Kind::kBranch || tokens[branch.begin].text != "if") return false;
    const std::size_t end = BehindBracket(tokens, branch.begin + 1);
    if (HasAny(tokens, {branch.begin, end}, {"||", "!"})) return false;
    if (HasAny(tokens, {end, branch.end}, {"else"})) return false;
    for (std::size_t at = branch.begin + 3; at + 1 < end; ++at) {
      if (tokens[at].text != "<" || !IsAtMostAWarp(tokens[at + 1].text, named)) continue;
      if (!IsOneOf(tokens[at + 2].text, {")", "&&"})) continue;
      const bool is_written = tokens[at - 1].text == "x" && tokens[at - 3].text == "threadIdx" &&
                              IsOneOf(tokens[at - 4].text, {"(", "&&"});
      const bool is_name =
          IsOneOf(tokens[at - 2].text, {"(", "&&"}) && IsThreadOfBlock(tokens, tokens[at - 1].text);
      if (is_written || is_name) return true;
    }
    return false;
  });
}

bool HasOneBlock(std::string_view source, std::string_view kernel) {
  if (source.size() > kLongestSource) return false;
  const std::vector<GridAndBlock> launches = LaunchesOf(TokensOf(WithoutComments(source)), kernel);
  return !launches.empty() &&
         std::ranges::all_of(launches, [](const GridAndBlock& each) { return each.grid == "1"; });
}

namespace {

/// What of a race between two passes of a loop the source shows.
Message PassesOfRace(const Finding& finding, std::string_view source) {
  const bool reads = finding.access == Access::kRead, other_reads = finding.other_access == Access::kRead;
  if (reads == other_reads) return {};
  const int here = finding.where.line, there = finding.other->line;
  const int store = reads ? there : here, read = reads ? here : there;
  const Message none;
  if (store == read) {
    return FindStepWithoutBarrier(source, store) ? say::race_before_next_write(none, none, none, none)
                                                 : Message();
  }
  const Tokens tokens = TokensOf(WithoutComments(source));
  const auto [first, last] = std::minmax(store, read);
  const bool waits = WaitsBetween(tokens, FirstOfLine(tokens, first), FirstOfLine(tokens, last));
  if (!waits || !LoopOfNextPass(source, first, last)) return {};
  return store < read ? say::race_before_next_write(none, none, none, none)
                      : say::race_before_next_read(none, none, none, none);
}

}  // namespace

void NamePassesOfRace(Finding& finding, std::string_view source) {
  const bool is_of_block =
      say::race_in_block.Made(finding.message) || say::race_in_warp.Made(finding.message);
  const bool has_lines = finding.where.line != 0 && finding.other && finding.other->line != 0;
  if (finding.kind != FindingKind::kRace || !is_of_block || !has_lines || !finding.other_access ||
      finding.space != MemorySpace::kShared || source.size() > kLongestSource)
    return;
  Message passes = PassesOfRace(finding, source);
  if (passes.empty()) return;
  passes.arguments() = finding.message.arguments();
  // All warps need the barrier, also where the two threads that were seen are of one.
  Message& other = passes.arguments().at(2).inner.at(0);
  if (say::another_thread_of_warp.Made(other)) {
    other = say::another_thread();
  } else if (say::other_thread_of_warp.Made(other)) {
    const std::vector<Argument> index = other.arguments();
    other = say::other_thread({0, 0, 0});
    other.arguments() = index;
  }
  finding.message = std::move(passes);
}

}  // namespace warplings
