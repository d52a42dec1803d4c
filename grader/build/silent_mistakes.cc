// SPDX-License-Identifier: Apache-2.0
#include "grader/build/silent_mistakes.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "grader/build/calls.h"
#include "grader/build/code_words.h"
#include "grader/build/host_tokens.h"
#include "grader/build/variable_calls.h"
#include "grader/messages/host_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// "1" to "126" as a number is written in everyday life. Who writes 0x7f, 127 or 255 thinks of bytes.
int SmallNumber(const std::string& text) {
  constexpr std::size_t kDigits = 3;
  constexpr int kAllBitsButOne = 127;
  const bool is_number = !text.empty() && text.size() <= kDigits && text.front() != '0' &&
                         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  const int number = is_number ? std::stoi(text) : 0;
  return number < kAllBitsButOne ? number : 0;
}

/// "0x01010101": what each element of that many bytes becomes.
std::string RepeatedByte(int value, int bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text = "0x";
  for (int i = 0; i < bytes; ++i) {
    text += kDigits[value / 16];
    text += kDigits[value % 16];
  }
  return text;
}

void AddByteFill(const HostCode& code, std::size_t at, std::vector<SilentMistake>& found) {
  const std::vector<std::string> arguments = ArgumentsOf(code, at);
  if (arguments.size() < 3 || !IsPlainName(arguments[0])) return;
  const int value = SmallNumber(arguments[1]), bytes = ElementBytes(code, arguments[0]);
  if (value == 0 || bytes < 2) return;
  found.push_back({code.LineOf(at),
                   say::memset_sets_bytes(code.At(at), value, arguments[0], RepeatedByte(value, bytes)),
                   say::set_elements_otherwise()});
}

/// The text between the brackets of the variable's only dimension: "25"; empty if it has none, or more.
std::string OnlyDimension(const Tokens& tokens, const std::string& variable) {
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != variable || tokens[at + 1].text != "[" || !IsNumberType(tokens[at - 1].text))
      continue;
    if (IsOneOf(tokens[at - 1].text, {"char", "bool", "int8_t", "uint8_t"})) return "";
    const std::size_t behind = BehindBracket(tokens, at + 1);
    return IsAt(tokens, behind, "[") ? "" : TextOf(tokens, at + 2, behind - 1);
  }
  return "";
}

void AddShortCopy(const HostCode& code, const Tokens& tokens, std::size_t at,
                  const std::set<std::string>& variables, std::vector<SilentMistake>& found) {
  const std::vector<std::string> arguments = ArgumentsOf(code, at);
  const bool is_to = code.At(at).starts_with("cudaMemcpyToSymbol");
  if (arguments.size() < 3) return;
  const std::string& variable = arguments[is_to ? 0 : 1];
  if (!variables.contains(variable)) return;
  const std::string dimension = OnlyDimension(tokens, variable);
  if (dimension.size() < 2 || TokensOf(dimension).size() != 1 || arguments[2] != dimension) return;
  found.push_back({code.LineOf(at), say::copies_as_many_bytes_as_elements(code.At(at), dimension, variable),
                   say::multiply_by_element_size(dimension, variable)});
}

/// Whether a variable of the host has this name in the function.
bool IsDeclaredIn(const Tokens& tokens, std::size_t function, std::size_t end, const std::string& name) {
  for (std::size_t at = function + 1; at < end; ++at) {
    if (tokens[at].text != name) continue;
    const std::string& before = tokens[at - 1].text;
    if (IsNumberType(before) || IsOneOf(before, {">", "auto"})) return true;
    // `const Parts& name`, and no `f(&name)`.
    if (IsOneOf(before, {"*", "&"}) && at >= 2 && IsName(tokens[at - 2].text)) return true;
  }
  return false;
}

void AddHostStore(const HostCode& code, const Tokens& tokens, std::size_t at,
                  std::vector<SilentMistake>& found) {
  if (at == 0 || IsOneOf(tokens[at - 1].text, {".", "->", "::", "&"})) return;
  const std::size_t behind = BehindSubscripts(tokens, at + 1);
  if (behind >= tokens.size()) return;
  const bool is_store = tokens[behind].text == "=" || IsCompoundAssignment(tokens[behind].text) ||
                        IsOneOf(tokens[behind].text, {"++", "--"});
  const auto function = is_store ? EnclosingFunction(tokens, at) : std::nullopt;
  const std::string& name = tokens[at].text;
  // Host code that is compiled for the device, too, may mean either.
  if (!function || code.IsOfDevice(*function) || IsDeclaredIn(tokens, *function, at, name)) return;
  if (std::ranges::any_of(found, [&](const SilentMistake& each) { return each.line == tokens[at].line; }))
    return;
  found.push_back({tokens[at].line, say::host_stores_to_variable(name), say::copy_to_variable(name)});
}

/// The source includes files of its own, or device code is linked from several: they may fill what it has.
bool HasOtherFiles(std::string_view source) {
  for (std::size_t at = 0; (at = source.find("#include", at)) != source.npos; ++at) {
    const std::size_t name = source.find_first_not_of(" \t", at + std::string_view("#include").size());
    if (name != source.npos && source[name] == '"') return true;
  }
  return source.find("extern") != source.npos;
}

/// A `__constant__` variable without a value, whose name only device code has behind its declaration.
void AddUnfilledConstants(std::string_view source, const HostCode& code, const Tokens& tokens,
                          std::vector<SilentMistake>& found) {
  if (HasOtherFiles(source)) return;
  for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
    if (tokens[at].text != "__constant__") continue;
    std::size_t name = at + 1;
    while (name + 1 < tokens.size() && IsName(tokens[name + 1].text)) ++name;
    const std::size_t behind = BehindSubscripts(tokens, name + 1);
    if (!IsAt(tokens, behind, ";") || !IsNumberType(tokens[name - 1].text)) continue;
    const std::string& constant = tokens[name].text;
    // In quotes it is given to cuModuleGetGlobal; a macro may hide its name.
    if (source.find('"' + constant + '"') != source.npos || source.find("##") != source.npos) continue;
    bool is_read = false, is_elsewhere = NamesInMacros(WithoutComments(source)).contains(constant);
    for (std::size_t use = 0; use < tokens.size() && !is_elsewhere; ++use) {
      if (use == name || tokens[use].text != constant) continue;
      const auto function = EnclosingFunction(tokens, use);
      const bool is_of_device = function && code.IsOfDevice(*function);
      (is_of_device ? is_read : is_elsewhere) = true;
    }
    if (is_read && !is_elsewhere)
      found.push_back({tokens[at].line, say::constant_is_not_filled(constant), say::fill_constant(constant)});
  }
}

/// 0: not known.
std::int64_t BytesOfType(const std::string& type) {
  if (IsOneOf(type, {"char", "bool", "int8_t", "uint8_t"})) return 1;
  if (IsOneOf(type, {"short", "int16_t", "uint16_t"})) return 2;
  if (IsOneOf(type, {"int", "unsigned", "float", "int32_t", "uint32_t"})) return 4;
  return IsOneOf(type, {"double", "size_t", "int64_t", "uint64_t", "float2", "int2"}) ? 8 : 0;
}

/// A number in decimal digits, at most a thousand million.
std::optional<int> WholeNumber(const std::string& text) {
  int number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  constexpr int kMost = 1'000'000'000;
  const bool is_number = fault == std::errc() && end == text.data() + text.size() && number <= kMost &&
                         (text == "0" || !text.starts_with('0'));
  return is_number ? std::optional(number) : std::nullopt;
}

/// Sums, products and quotients of numbers, of names of numbers and of sizes of types: "64 * sizeof(int)".
class Size {
 public:
  Size(const Tokens& tokens, std::size_t begin, std::size_t end, const std::map<std::string, int>& numbers)
      : tokens_(tokens), at_(begin), end_(end), numbers_(numbers) {}

  /// Nothing if there is anything else in it.
  std::optional<std::int64_t> Value() {
    const std::int64_t value = Sum();
    return is_known_ && at_ == end_ && value > 0 ? std::optional(value) : std::nullopt;
  }

 private:
  bool Is(std::string_view text) const { return at_ < end_ && tokens_[at_].text == text; }
  bool Take(std::string_view text) { return Is(text) && ++at_ > 0; }

  std::int64_t Sum() {
    std::int64_t sum = Product();
    while (is_known_ && Take("+")) sum += Product();
    return sum;
  }
  std::int64_t Product() {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    std::int64_t product = Factor();
    while (is_known_) {
      if (Take("/")) {
        const std::int64_t divisor = Factor();
        is_known_ &= divisor > 0;
        if (is_known_) product /= divisor;
        continue;
      }
      if (!Take("*")) break;
      const std::int64_t factor = Factor();
      is_known_ &= product < kMost && factor < kMost && (factor == 0 || product <= kMost / factor);
      if (is_known_) product *= factor;
    }
    return product;
  }
  std::int64_t Factor() {
    if (at_ >= end_) return Unknown();
    const std::string word = tokens_[at_++].text;
    if (word == "(") {
      const std::int64_t inner = Sum();
      return Take(")") ? inner : Unknown();
    }
    if (word == "sizeof") {
      if (!Take("(") || at_ >= end_) return Unknown();
      const std::int64_t bytes = BytesOfType(tokens_[at_++].text);
      return bytes > 0 && Take(")") ? bytes : Unknown();
    }
    if (const auto named = numbers_.find(word); named != numbers_.end()) return named->second;
    const auto number = WholeNumber(word);
    return number ? *number : Unknown();
  }
  std::int64_t Unknown() {
    is_known_ = false;
    return 0;
  }

  const Tokens& tokens_;
  std::size_t at_;
  const std::size_t end_;
  const std::map<std::string, int>& numbers_;
  bool is_known_ = true;
};

/// The braces of the function with that name and what is between them.
TokenRange BodyOf(const Tokens& tokens, std::size_t function) {
  const std::size_t body = BehindBracket(tokens, function + 1);
  return {body, IsAt(tokens, body, "{") ? BehindBracket(tokens, body) : body};
}

/// Whether each token belongs to that function, its parameters included, or to none.
std::vector<bool> SeenFrom(const Tokens& tokens, std::size_t function) {
  std::vector<bool> seen(tokens.size());
  int depth = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    depth -= IsOneOf(tokens[at].text, {"}", ")"}) ? 1 : 0;
    seen[at] = depth == 0;
    depth += IsOneOf(tokens[at].text, {"{", "("}) ? 1 : 0;
  }
  std::fill(seen.begin() + static_cast<std::ptrdiff_t>(function),
            seen.begin() + static_cast<std::ptrdiff_t>(BodyOf(tokens, function).end), true);
  return seen;
}

/// `#define N 64` and `const int n = 64;`: names that have one meaning in that function and around it.
std::map<std::string, int> FixedNumbers(const std::string& code, const Tokens& tokens, std::size_t function) {
  std::map<std::string, int> numbers;
  std::map<std::string, int> meanings;
  const bool has_choice = code.find("#if") != code.npos || code.find("#undef") != code.npos;
  std::istringstream lines(code);
  for (std::string line, directive, name, value, more; std::getline(lines, line);) {
    std::istringstream words(line);
    if (!(words >> directive >> name >> value) || directive != "#define" || has_choice) continue;
    ++meanings[name];
    if (const auto number = WholeNumber(value); number && !(words >> more)) numbers[name] = *number;
  }
  const std::vector<bool> seen = SeenFrom(tokens, function);
  for (std::size_t at = 1; at + 3 < tokens.size(); ++at) {
    const std::string& name = tokens[at].text;
    const std::string& before = tokens[at - 1].text;
    const std::string& next = tokens[at + 1].text;
    if (!IsName(name) || !seen[at]) continue;
    const bool is_set = next == "=" || IsCompoundAssignment(next) || IsOneOf(next, {"++", "--"}) ||
                        IsOneOf(before, {"++", "--", "&", ">>"});
    if (!is_set && !IsNumberType(before)) continue;
    ++meanings[name];
    if (before != "int" || next != "=" || !IsOneOf(tokens[at + 3].text, {";", ","})) continue;
    if (const auto number = WholeNumber(tokens[at + 2].text)) numbers[name] = *number;
  }
  std::erase_if(numbers, [&](const auto& each) { return meanings[each.first] != 1; });
  return numbers;
}

/// What gives an array of the host its memory.
struct HostArray {
  std::int64_t bytes = 0;
  int line = 0;
};
/// `std::vector<float> name(64);` before the token `copy`, in the body around it: its elements are used, and
/// its size is asked for, but nothing may change it.
std::optional<HostArray> VectorOf(const Tokens& tokens, const std::string& name, TokenRange body,
                                  std::size_t copy, const std::map<std::string, int>& numbers) {
  std::optional<HostArray> found;
  for (std::size_t at = body.begin; at + 2 < body.end; ++at) {
    if (tokens[at].text != name) continue;
    const std::string& before = tokens[at - 1].text;
    const std::string& next = tokens[at + 1].text;
    std::size_t type = at;
    while (type > 0 && !IsOneOf(tokens[type - 1].text, {";", "{", "}"})) --type;
    while (type < at && tokens[type].text != "vector") ++type;
    const bool is_declared = IsAt(tokens, type, "vector") && IsAt(tokens, type + 1, "<") &&
                             IsAt(tokens, type + 3, ">") && IsOneOf(before, {">", ","}) &&
                             IsOneOf(next, {"(", "{", ";", ",", "="});
    if (is_declared) {
      if (found || next != "(" || at > copy) return std::nullopt;
      const std::vector<TokenRange> parts = PartsOf(tokens, at + 1);
      if (parts.empty() || parts.size() > 2) return std::nullopt;
      const auto count = Size(tokens, parts[0].begin, parts[0].end, numbers).Value();
      const std::int64_t each = BytesOfType(tokens[type + 2].text);
      if (!count || each == 0) return std::nullopt;
      found = HostArray{*count * each, tokens[at].line};
      continue;
    }
    const bool is_method =
        next == "." && IsOneOf(tokens[at + 2].text, {"data", "size", "begin", "end", "cbegin", "cend", "at",
                                                     "front", "back", "empty"});
    const bool is_range = before == ":" && next == ")";
    if (!is_method && !is_range && next != "[") return std::nullopt;
  }
  return found;
}

/// Before the token `copy`, in the same function, and nowhere else.
std::optional<HostArray> ArrayOf(const Tokens& tokens, const std::string& name, std::size_t copy,
                                 const std::map<std::string, int>& numbers) {
  std::optional<HostArray> found;
  const auto function = EnclosingFunction(tokens, copy);
  if (!function) return std::nullopt;
  for (std::size_t at = 1; at + 2 < tokens.size(); ++at) {
    if (tokens[at].text != name) continue;
    const std::string& before = tokens[at - 1].text;
    const std::string& next = tokens[at + 1].text;
    if (at > 1 && IsOneOf(tokens[at - 2].text, {"long", "short"})) return std::nullopt;
    const bool is_array = IsNumberType(before) && next == "[";
    const bool is_set = next == "=";
    const bool is_changed = IsCompoundAssignment(next) || IsOneOf(next, {"++", "--"}) ||
                            IsOneOf(before, {"++", "--", "&"}) || (IsNumberType(before) && !is_array);
    if (is_changed || ((is_array || is_set) && found)) return std::nullopt;
    if (!is_array && !is_set) continue;
    if (at > copy || EnclosingFunction(tokens, at) != function) return std::nullopt;
    HostArray array{0, tokens[at].line};
    if (is_array) {
      const std::size_t behind = BehindBracket(tokens, at + 1);
      const auto count = Size(tokens, at + 2, behind - 1, numbers).Value();
      if (!count || IsAt(tokens, behind, "[")) return std::nullopt;
      array.bytes = *count * BytesOfType(before);
    } else {
      std::size_t i = at + 2;
      if (tokens[i].text == "(") i = BehindBracket(tokens, i);  // A cast.
      if (IsAt(tokens, i, "malloc") && IsAt(tokens, i + 1, "(")) {
        const std::size_t behind = BehindBracket(tokens, i + 1);
        array.bytes = Size(tokens, i + 2, behind - 1, numbers).Value().value_or(0);
      } else if (IsAt(tokens, i, "new") && i + 2 < tokens.size() && IsAt(tokens, i + 2, "[")) {
        const std::size_t behind = BehindBracket(tokens, i + 2);
        array.bytes =
            Size(tokens, i + 3, behind - 1, numbers).Value().value_or(0) * BytesOfType(tokens[i + 1].text);
      }
    }
    if (array.bytes == 0) return std::nullopt;
    found = array;
  }
  return found;
}

}  // namespace

namespace {

/// "output" of `output`, `(void*)output` and `const_cast<float*>(output)`; empty of anything else.
std::string NameBehindCast(const Tokens& tokens, TokenRange argument) {
  std::size_t at = argument.begin, end = argument.end;
  if (IsAt(tokens, at, "(") && end > at + 1) at = BehindBracket(tokens, at);
  if (at < end && IsOneOf(tokens[at].text, {"const_cast", "static_cast", "reinterpret_cast"})) {
    while (at < end && tokens[at].text != "(") ++at;
    ++at;
    --end;
  }
  return at + 1 == end && IsPlainName(tokens[at].text) ? tokens[at].text : "";
}

/// What each byte becomes: of `1`, `-1`, `0xff` and `'0'`.
std::optional<int> ByteOf(const std::string& written) {
  constexpr int kByte = 0xff;
  if (written.size() == 3 && written.front() == '\'' && written.back() == '\'') return written[1] & kByte;
  std::string_view digits = written;
  const bool is_negative = digits.starts_with("-");
  if (is_negative) digits.remove_prefix(1);
  const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  if (is_hexadecimal) digits.remove_prefix(2);
  if (!is_hexadecimal && digits.size() > 1 && digits.front() == '0') return std::nullopt;
  int number = 0;
  constexpr int kTen = 10, kSixteen = 16;
  const auto [end, fault] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, is_hexadecimal ? kSixteen : kTen);
  if (fault != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return (is_negative ? -number : number) & kByte;
}

/// The second argument of the line's only memset where it is a character, which is no token.
std::string CharacterIn(std::string_view source, std::string_view code, int line) {
  std::size_t begin = 0;
  for (int i = 1; i < line && begin != code.npos; ++i) begin = code.find('\n', begin) + 1;
  const std::size_t call = code.find("cudaMemset", begin);
  const std::size_t comma = call == code.npos ? call : code.find(',', call);
  const std::size_t end = comma == code.npos ? comma : code.find(',', comma + 1);
  const std::size_t line_end = code.find('\n', begin);
  if (end == code.npos || end > line_end || code.find("cudaMemset", call + 1) < line_end) return "";
  std::string written(source.substr(comma + 1, end - comma - 1));
  std::erase_if(written, [](unsigned char c) { return std::isspace(c) != 0; });
  return written;
}

/// Whether some `type* name` makes it a pointer to whole numbers.
bool PointsToIntegers(const Tokens& tokens, const std::string& name) {
  for (std::size_t at = 2; at < tokens.size(); ++at) {
    if (tokens[at].text == name && tokens[at - 1].text == "*" &&
        IsOneOf(tokens[at - 2].text, {"int", "unsigned", "int32_t", "uint32_t"}))
      return true;
  }
  return false;
}

}  // namespace

std::vector<HostWrite> FindHostWrites(std::string_view source) {
  if (source.size() > kLongestSource) return {};
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  const HostCode host(source);
  std::vector<HostWrite> found;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const bool is_fill = IsOneOf(tokens[at].text, {"cudaMemset", "cudaMemsetAsync"});
    const bool is_copy = IsOneOf(tokens[at].text, {"cudaMemcpy", "cudaMemcpyAsync"});
    if ((!is_fill && !is_copy) || tokens[at + 1].text != "(") continue;
    const std::vector<TokenRange> parts = PartsOf(tokens, at + 1);
    if (parts.size() < 3) continue;
    HostWrite write;
    write.line = tokens[at].line;
    write.function = tokens[at].text;
    write.array = NameBehindCast(tokens, parts[0]);
    if (write.array.empty()) continue;
    if (is_fill) {
      for (std::size_t i = parts[1].begin; i < parts[1].end; ++i) write.value += tokens[i].text;
      if (write.value.empty() || write.value.front() == '\'')
        write.value = CharacterIn(source, code, write.line);
      write.byte = ByteOf(write.value);
    }
    if (parts[2].end == parts[2].begin + 1) write.bytes = WholeNumber(tokens[parts[2].begin].text);
    write.element_bytes = ElementBytes(host, write.array);
    write.is_of_integers = PointsToIntegers(tokens, write.array);
    found.push_back(std::move(write));
  }
  return found;
}

namespace {

/// "h" of `h`, `h.data()`, `&h[0]` and of these behind a cast; "" of anything else.
std::string ArrayAtStart(const Tokens& tokens, TokenRange argument) {
  std::size_t at = argument.begin;
  if (IsAt(tokens, at, "(")) at = BehindBracket(tokens, at);
  const std::size_t count = argument.end - std::min(at, argument.end);
  const auto is = [&](std::size_t i, std::string_view text) { return IsAt(tokens, at + i, text); };
  if (count == 1 && IsPlainName(tokens[at].text)) return tokens[at].text;
  if (count == 5 && is(1, ".") && is(2, "data") && is(3, "(") && is(4, ")")) return tokens[at].text;
  if (count == 5 && is(0, "&") && is(2, "[") && is(3, "0") && is(4, "]")) return tokens[at + 1].text;
  return "";
}

/// The bytes of an element of `std::vector<float> other(n), name(n)`; 0: not known.
int ElementBytesOfVector(const Tokens& tokens, const std::string& name) {
  constexpr std::pair<std::string_view, int> kTypes[] = {{"float", 4}, {"int", 4}, {"double", 8}};
  int bytes = 0;
  for (std::size_t at = 4; at + 1 < tokens.size(); ++at) {
    const bool is_declarator = tokens[at].text == name && IsOneOf(tokens[at - 1].text, {">", ","}) &&
                               IsOneOf(tokens[at + 1].text, {"(", "{", "=", ",", ";"});
    if (!is_declarator) continue;
    int depth = 0;
    std::size_t begin = at;
    for (; begin > 0 && !IsOneOf(tokens[begin - 1].text, {";", "{", "}"}); --begin)
      depth += tokens[begin - 1].text == "(" ? 1 : tokens[begin - 1].text == ")" ? -1 : 0;
    while (IsOneOf(tokens[begin].text, {"const", "std", "::"})) ++begin;
    if (depth != 0 || tokens[begin].text != "vector" || !IsAt(tokens, begin + 3, ">")) continue;
    const auto type =
        std::ranges::find(kTypes, tokens[begin + 2].text, &std::pair<std::string_view, int>::first);
    if (type == std::end(kTypes) || (bytes != 0 && bytes != type->second)) return 0;
    bytes = type->second;
  }
  return bytes;
}

}  // namespace

std::optional<HostSide> OnlyHostSide(std::string_view source, std::string_view function, bool is_read) {
  if (source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOf(WithoutComments(source));
  std::optional<HostSide> found;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != function || tokens[at + 1].text != "(") continue;
    const std::vector<TokenRange> parts = PartsOf(tokens, at + 1);
    // cudaMemcpy(target, source, bytes, direction); with one argument more if asynchronous.
    constexpr std::size_t kDirection = 3;
    if (parts.size() <= kDirection) return std::nullopt;
    const std::string direction = TextOf(tokens, parts[kDirection].begin, parts[kDirection].end);
    if (direction == (is_read ? "cudaMemcpyDeviceToHost" : "cudaMemcpyHostToDevice")) continue;
    if (found || direction != (is_read ? "cudaMemcpyHostToDevice" : "cudaMemcpyDeviceToHost"))
      return std::nullopt;
    found = HostSide{tokens[at].line, ArrayAtStart(tokens, parts[is_read ? 1 : 0])};
  }
  if (!found || found->array.empty()) return found;
  const int of_pointer = ElementBytes(HostCode(source), found->array);
  const int of_vector = ElementBytesOfVector(tokens, found->array);
  if (of_pointer == 0 || of_vector == 0) found->element_bytes = of_pointer + of_vector;
  return found;
}

std::optional<HostOverflow> FindHostOverflow(std::string_view source) {
  if (source.size() > kLongestSource) return std::nullopt;
  const std::string code = WithoutComments(source);
  const Tokens tokens = TokensOf(code);
  if (std::ranges::find(tokens, "swap", &CodeToken::text) != tokens.end()) return std::nullopt;
  std::map<std::size_t, std::map<std::string, int>> numbers_of;  // By function, which may have many copies.
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (!IsOneOf(tokens[at].text, {"cudaMemcpy", "cudaMemcpyAsync"}) || tokens[at + 1].text != "(") continue;
    const std::vector<TokenRange> parts = PartsOf(tokens, at + 1);
    const auto function = EnclosingFunction(tokens, at);
    if (parts.size() < 4 || !function) continue;
    const std::string direction = TextOf(tokens, parts[3].begin, parts[3].end);
    const bool is_read = direction == "cudaMemcpyHostToDevice";
    if (!is_read && direction != "cudaMemcpyDeviceToHost") continue;
    const std::string name = ArrayAtStart(tokens, parts[is_read ? 1 : 0]);
    if (name.empty()) continue;
    const auto [known, is_new] = numbers_of.try_emplace(*function);
    if (is_new) known->second = FixedNumbers(code, tokens, *function);
    const std::map<std::string, int>& numbers = known->second;
    const auto copied = Size(tokens, parts[2].begin, parts[2].end, numbers).Value();
    if (!copied) continue;
    auto array = ArrayOf(tokens, name, at, numbers);
    if (!array) array = VectorOf(tokens, name, BodyOf(tokens, *function), at, numbers);
    if (array && array->bytes < *copied)
      return HostOverflow{tokens[at].line, tokens[at].text, name,   array->line,
                          *copied,         array->bytes,    is_read};
  }
  return std::nullopt;
}

std::vector<SilentMistake> FindSilentMistakes(std::string_view source) {
  if (source.size() > kLongestSource) return {};
  const Tokens tokens = TokensOf(WithoutComments(source));
  const HostCode code(source);
  const std::set<std::string> variables = DeviceVariables(tokens);
  std::vector<SilentMistake> found;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const std::string& text = tokens[at].text;
    const bool is_call = tokens[at + 1].text == "(";
    if (is_call && IsOneOf(text, {"cudaMemset", "cudaMemsetAsync"})) AddByteFill(code, at, found);
    if (is_call && IsOneOf(text, {"cudaMemcpyToSymbol", "cudaMemcpyFromSymbol"}))
      AddShortCopy(code, tokens, at, variables, found);
    if (variables.contains(text)) AddHostStore(code, tokens, at, found);
  }
  AddUnfilledConstants(source, code, tokens, found);
  if (const auto overflow = FindHostOverflow(source)) {
    const auto& [line, function, array, array_line, copied, bytes, is_read] = *overflow;
    const auto& what = is_read ? say::copies_past_end_of_host_array : say::copies_past_host_array;
    found.push_back({line, what(function, say::Count(copied, "byte"), array, bytes),
                     say::host_array_is_declared_in(array, say::Line(array_line))});
  }
  return found;
}

}  // namespace warplings
