// SPDX-License-Identifier: Apache-2.0
#include "grader/build/idioms.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>

#include "grader/base/text.h"
#include "grader/build/array_loops.h"
#include "grader/build/brackets.h"
#include "grader/build/condition_slips.h"
#include "grader/build/division_slips.h"
#include "grader/build/empty_bodies.h"
#include "grader/build/plain_code.h"
#include "grader/messages/build.h"

namespace warplings {
namespace {

/// The words of a text: names and numbers.
std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    if (IsWordCharacter(c) || (inside && c == '.')) {
      if (!inside) words.emplace_back();
      words.back() += c;
      inside = true;
    } else {
      inside = false;
    }
  }
  return words;
}

bool IsFloatLiteral(const std::string& word) {
  const bool number = std::isdigit(static_cast<unsigned char>(word.front())) != 0;
  const bool hexadecimal = word.starts_with("0x") || word.starts_with("0X");
  return number && !hexadecimal && word.find_first_of(".eEfF") != std::string::npos;
}

bool IsFloatWord(const std::string& word) {
  return word == "float" || word == "double" || IsFloatLiteral(word);
}

/// Macros with a float's literal or type in them.
void AddFloatMacros(std::string_view code, std::set<std::string>& names) {
  for (std::size_t at = code.find('#'); at != std::string_view::npos; at = code.find('#', at + 1)) {
    const std::vector<std::string> words = WordsOf(code.substr(at, code.substr(at).find('\n')));
    if (words.size() > 2 && words[0] == "define" && std::ranges::any_of(words, IsFloatWord)) {
      names.insert(words[1]);
    }
  }
}

/// The names that the source declares as float or double, or as an array of or a pointer to them.
std::set<std::string> FloatNames(std::string_view code) {
  std::set<std::string> names;
  AddFloatMacros(code, names);
  bool declares = false, expects_name = false;
  std::string word;
  for (const char c : code) {
    if (IsWordCharacter(c)) {
      word += c;
      continue;
    }
    if (IsFloatWord(word)) {
      declares = expects_name = true;
    } else if (IsOneOf(word,
                       {"int", "unsigned", "long", "short", "char", "bool", "size_t", "dim3", "auto"})) {
      declares = false;
    } else if (!word.empty() && declares && expects_name && !IsOneOf(word, {"const", "__restrict__"})) {
      names.insert(word);
      expects_name = false;
    }
    word.clear();
    if (c == ',') expects_name = true;
    if (c == ';' || c == '(' || c == ')' || c == '{' || c == '}') declares = false;
  }
  return names;
}

/// Of "(a / b) + 1": everything up to the parenthesis that closes the first; nothing if none does.
std::optional<std::string_view> Parenthesised(std::string_view text) {
  int depth = 0;
  constexpr std::size_t kLongest = 400;
  for (std::size_t i = 0; i < std::min(text.size(), kLongest); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0) return text.substr(1, i - 1);
  }
  return std::nullopt;
}

bool DividesWholeNumbers(const std::set<std::string>& float_names, std::string_view argument) {
  if (argument.find('/') == std::string_view::npos || argument.find('.') != std::string_view::npos) {
    return false;
  }
  return std::ranges::none_of(WordsOf(argument), [&](const std::string& word) {
    return IsFloatWord(word) || float_names.contains(word);
  });
}

std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  return line;
}

bool IsNameToken(const CodeToken& token) {
  return IsWordCharacter(token.text.front()) && std::isdigit(static_cast<unsigned char>(token.text[0])) == 0;
}

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// "grid", "dimGrid", "blocksPerGrid", "num_blocks": how many blocks there are.
bool NamesGrid(std::string_view name) {
  const std::string lower = InLowerCase(name);
  const bool has_blocks = Contains(lower, "blocks") && !Contains(lower, "blocksi");  // blockSize
  return Contains(lower, "grid") || (has_blocks && !Contains(lower, "thread"));
}

/// "block", "dimBlock", "BLOCK_SIZE", "threadsPerBlock": how many threads a block has.
bool NamesBlock(std::string_view name) {
  const std::string lower = InLowerCase(name);
  if (NamesGrid(name) || Contains(lower, "num") || Contains(lower, "count") || lower[0] == 'n') return false;
  return Contains(lower, "thread") || Contains(lower, "block");
}

/// Whether the source gives the name a value once, with one of these behind the name, and a quotient that
/// `is_quotient` recognises by the place of its first token stands in it.
bool IsQuotientOnce(const std::vector<CodeToken>& tokens, const std::string& name,
                    std::initializer_list<std::string_view> begins,
                    const std::function<bool(std::size_t)>& is_quotient) {
  std::size_t values = 0, quotients = 0;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != name || !IsOneOf(tokens[at + 1].text, begins)) continue;
    ++values;
    std::size_t i = at + 2;
    while (i < tokens.size() && tokens[i].text != ";" && !is_quotient(i)) ++i;
    if (i < tokens.size() && tokens[i].text != ";") ++quotients;
  }
  return values == 1 && quotients == 1;
}

/// Elements divided by `block`: `blocks = (n + piece - 1) / piece`.
bool IsRoundedUpBy(const std::vector<CodeToken>& tokens, const std::string& grid, const std::string& block) {
  return IsQuotientOnce(tokens, grid, {"=", "(", "{"}, [&](std::size_t at) {
    return tokens[at].text == "/" && IsAt(tokens, at + 1, block);
  });
}

/// `(n + piece - 1) / piece`, whatever the piece is.
bool IsRoundedUp(const std::vector<CodeToken>& tokens, const std::string& name) {
  return IsQuotientOnce(tokens, name, {"=", "{"}, [&](std::size_t at) {
    return tokens[at].text == "-" && IsAt(tokens, at + 1, "1") && IsAt(tokens, at + 2, ")") &&
           IsAt(tokens, at + 3, "/");
  });
}

/// By their names; or the second one has a grid's name, and is the number of pieces as long as the first; or
/// the first one has a block's name, and the second one, without such a name, is rounded up as only a number
/// of blocks is.
bool AreSwapped(const std::vector<CodeToken>& tokens, const std::string& first, const std::string& second) {
  if (NamesGrid(first)) return false;
  if (!NamesGrid(second)) return NamesBlock(first) && !NamesBlock(second) && IsRoundedUp(tokens, second);
  return NamesBlock(first) || IsRoundedUpBy(tokens, second, first);
}

std::optional<Slip> SwappedLaunchAt(const std::vector<CodeToken>& tokens, std::size_t at) {
  const auto text = [&](std::size_t i) -> const std::string& { return tokens[at + i].text; };
  if (at + 6 >= tokens.size() || text(0) != "<<" || text(1) != "<" || text(3) != ",") return std::nullopt;
  if (!IsWordCharacter(text(2).front()) || !IsNameToken(tokens[at + 4])) return std::nullopt;
  const bool ends = text(5) == "," || (text(5) == ">>" && text(6) == ">");
  if (!ends || !AreSwapped(tokens, text(2), text(4))) return std::nullopt;
  const int line = tokens[at].line;
  return Slip{line, say::grid_and_block_swapped(say::Line(line), text(4), text(2))};
}

/// From an opening `<<<` at `at`: the arguments of the launch, as [first token, end) each.
std::vector<std::pair<std::size_t, std::size_t>> LaunchArgumentsAt(const std::vector<CodeToken>& tokens,
                                                                   std::size_t at) {
  std::vector<std::pair<std::size_t, std::size_t>> arguments;
  std::size_t begin = at + 2;
  int depth = 0;
  for (std::size_t i = begin; i + 1 < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    if (IsOneOf(text, {";", "{", "}"})) return {};
    const bool ends = depth == 0 && text == ">>" && tokens[i + 1].text == ">";
    if (ends || (depth == 0 && text == ",")) {
      arguments.emplace_back(begin, i);
      begin = i + 1;
    }
    if (ends) return arguments;
    depth += IsOneOf(text, {"(", "["}) ? 1 : IsOneOf(text, {")", "]"}) ? -1 : 0;
  }
  return {};
}

/// `<<<blocks, piece * sizeof(int), piece>>>`
std::optional<Slip> SwappedBytesAt(const std::vector<CodeToken>& tokens, std::size_t at) {
  if (tokens[at].text != "<<" || !IsAt(tokens, at + 1, "<")) return std::nullopt;
  const auto arguments = LaunchArgumentsAt(tokens, at);
  if (arguments.size() < 3) return std::nullopt;
  const auto has = [&](std::size_t argument, std::initializer_list<std::string_view> words) {
    const auto [begin, end] = arguments[argument];
    return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                       tokens.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const CodeToken& each) { return IsOneOf(each.text, words); });
  };
  // `sizeof(a) / sizeof(a[0])` is a number of elements.
  if (!has(1, {"sizeof"}) || has(1, {"/"}) || has(2, {"sizeof"})) return std::nullopt;
  const auto text = [&](std::size_t i) { return TextOf(tokens, arguments[i].first, arguments[i].second); };
  if (text(2) == "0") return std::nullopt;
  const say::Line line(tokens[at].line);
  return Slip{tokens[at].line, say::threads_and_bytes_swapped(line, text(0), text(2), text(1))};
}

/// `dim3 grid = (a, b);`
std::optional<Slip> CommaOfDim3At(const std::vector<CodeToken>& tokens, std::size_t at) {
  const bool is_it = tokens[at].text == "dim3" && at + 3 < tokens.size() && IsNameToken(tokens[at + 1]) &&
                     tokens[at + 2].text == "=" && tokens[at + 3].text == "(";
  if (!is_it) return std::nullopt;
  if (!IsAt(tokens, BehindBracket(tokens, at + 3), ";")) return std::nullopt;
  const std::vector<TokenRange> parts = PartsOf(tokens, at + 3);
  if (parts.size() < 2) return std::nullopt;
  const std::string& name = tokens[at + 1].text;
  return Slip{tokens[at].line, say::comma_in_dim3(say::Line(tokens[at].line), name,
                                                  TextOf(tokens, parts.back().begin, parts.back().end))};
}

std::optional<Slip> UncalledBarrierAt(const std::vector<CodeToken>& tokens, std::size_t at) {
  if (at == 0 || at + 1 >= tokens.size() || tokens[at + 1].text != ";") return std::nullopt;
  const std::string& name = tokens[at].text;
  const bool begins = IsOneOf(tokens[at - 1].text, {";", "{", "}", ")", "else", "do", ":"});
  if (!begins || !IsOneOf(name, {"__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block"}))
    return std::nullopt;
  return Slip{tokens[at].line, say::barrier_without_call(say::Line(tokens[at].line), name)};
}

/// `extern __shared__ float* tile;`: no array, but a pointer that nobody sets.
std::optional<Slip> SharedPointerAt(const std::vector<CodeToken>& tokens, std::size_t at) {
  const bool is_extern = tokens[at].text == "__shared__" && at > 0 && tokens[at - 1].text == "extern";
  if (!is_extern) return std::nullopt;
  std::string type;
  for (std::size_t i = at + 1; i + 2 < tokens.size() && IsWordCharacter(tokens[i].text.front()); ++i) {
    type += (type.empty() ? "" : " ") + tokens[i].text;
    if (tokens[i + 1].text != "*" || !IsNameToken(tokens[i + 2])) continue;
    const std::string& name = tokens[i + 2].text;
    if (i + 3 >= tokens.size() || tokens[i + 3].text != ";") return std::nullopt;
    return Slip{tokens[at].line, say::shared_pointer(name, say::Line(tokens[at].line), type)};
  }
  return std::nullopt;
}

Slip DroppedIndex(const CommaSubscript& comma) {
  return {comma.line,
          say::comma_drops_index(say::Line(comma.line), WrittenSubscript(comma), WriteSubscript(comma))};
}

}  // namespace

std::optional<Slip> FindSlip(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::string code = WithoutComments(source);
  const std::vector<CodeToken> tokens = TokensOf(code);
  std::vector<Slip> found;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (auto slip = UncalledBarrierAt(tokens, at)) found.push_back(std::move(*slip));
    if (auto slip = SwappedLaunchAt(tokens, at)) found.push_back(std::move(*slip));
    if (auto slip = SwappedBytesAt(tokens, at)) found.push_back(std::move(*slip));
    if (auto slip = CommaOfDim3At(tokens, at)) found.push_back(std::move(*slip));
    if (auto slip = SharedPointerAt(tokens, at)) found.push_back(std::move(*slip));
  }
  std::ranges::move(FindConditionSlips(tokens), std::back_inserter(found));
  std::ranges::move(FindDivisionSlips(tokens, FloatNames(code)), std::back_inserter(found));
  if (auto slip = FindEmptyBody(tokens, code)) found.push_back(std::move(*slip));
  if (auto slip = FindLoopPastArray(tokens, code)) found.push_back(std::move(*slip));
  for (const CommaSubscript& comma : FindCommaSubscripts(tokens)) found.push_back(DroppedIndex(comma));
  const auto first = std::ranges::min_element(found, {}, &Slip::line);
  return first == found.end() ? std::nullopt : std::optional(*first);
}

std::vector<Diagnostic> FindRoundedQuotients(std::string_view source, const std::string& display_name) {
  constexpr std::size_t kMost = 8;
  if (source.size() > kLongestSource) return {};
  const std::string code = WithoutComments(source);
  const std::set<std::string> float_names = FloatNames(code);
  std::vector<Diagnostic> found;
  for (std::size_t at = code.find("ceil"); at != std::string::npos && found.size() < kMost;
       at = code.find("ceil", at + 1)) {
    if (at > 0 && IsWordCharacter(code[at - 1])) continue;
    std::size_t open = at + 4;
    if (open < code.size() && code[open] == 'f') ++open;
    open = code.find_first_not_of(" \t\n", open);
    if (open == std::string::npos || code[open] != '(') continue;
    const auto argument = Parenthesised(std::string_view(code).substr(open));
    if (!argument || !DividesWholeNumbers(float_names, *argument)) continue;
    Diagnostic each;
    each.severity = Severity::kWarning;
    each.where = {display_name, 1 + static_cast<int>(std::count(
                                        code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n'))};
    each.message = say::quotient_rounded_before_ceil(OneLine(*argument));
    if (found.empty() || found.back().where.line != each.where.line) found.push_back(std::move(each));
  }
  return found;
}

}  // namespace warplings
