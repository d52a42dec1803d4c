// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/scanner.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>
#include <limits>

#include "grader/messages/ptx.h"

namespace warplings::ptx {
namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsIdentifierStart(char c) {
  return IsLetter(c) || c == '%' || c == '$' || c == '_';
}
bool IsIdentifierPart(char c) {
  return IsLetter(c) || IsDigit(c) || c == '$' || c == '_';
}
bool IsDirectivePart(char c) {
  return IsLetter(c) || IsDigit(c) || c == '_';
}
bool IsOpcodePart(char c) {
  return IsDirectivePart(c) || c == '.';
}

unsigned DigitValue(char c) {
  if (IsDigit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return 255;
}

}  // namespace

std::string Quoted(std::string_view text) {
  constexpr std::size_t kLongest = 120;
  std::string out = "'";
  for (char c : text.substr(0, kLongest)) {
    if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += escaped;
    }
  }
  return out + (text.size() > kLongest ? "…'" : "'");
}

void Scanner::Fail(Message message, Message next_step) {
  throw ParseFailure{line(), std::move(message), std::move(next_step)};
}

void Scanner::FailExpected(std::string_view what) {
  if (AtEnd()) Fail(say::ptx_ends_before(std::string(what)));
  std::size_t end = position_ + 1;
  if (IsIdentifierPart(text_[position_]) || text_[position_] == '%' || text_[position_] == '.') {
    while (end < text_.size() && IsOpcodePart(text_[end])) ++end;
  }
  Fail(say::ptx_expected(std::string(what), Quoted(text_.substr(position_, end - position_))));
}

void Scanner::SkipComment() {
  if (text_[position_ + 1] == '/') {
    position_ = std::min(text_.find('\n', position_), text_.size());
    return;
  }
  const std::size_t end = text_.find("*/", position_ + 2);
  if (end == std::string_view::npos) {
    throw ParseFailure{line_, say::comment_not_closed(), {}};
  }
  for (; position_ < end + 2; ++position_) line_ += text_[position_] == '\n';
}

void Scanner::SkipBlanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
      ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == '/' && position_ + 1 < text_.size() &&
               (text_[position_ + 1] == '/' || text_[position_ + 1] == '*')) {
      SkipComment();
    } else {
      return;
    }
  }
}

char Scanner::Peek() {
  SkipBlanks();
  return PeekHere();
}

bool Scanner::AtEnd() {
  SkipBlanks();
  return position_ >= text_.size();
}

int Scanner::line() {
  SkipBlanks();
  return line_;
}

bool Scanner::TryTake(char c) {
  if (AtEnd() || text_[position_] != c) return false;
  ++position_;
  return true;
}

void Scanner::Expect(char c, std::string_view where) {
  if (!TryTake(c)) FailExpected(std::string("'") + c + "' " + std::string(where));
}

bool Scanner::TryTake(std::string_view word) {
  SkipBlanks();
  const std::string_view rest = text_.substr(position_);
  if (!rest.starts_with(word)) return false;
  if (rest.size() > word.size() && IsIdentifierPart(rest[word.size()])) return false;
  position_ += word.size();
  return true;
}

std::string_view Scanner::TakeWhile(bool (*accept)(char)) {
  const std::size_t start = position_;
  while (position_ < text_.size() && accept(text_[position_])) ++position_;
  return text_.substr(start, position_ - start);
}

bool Scanner::AtIdentifier() {
  return IsIdentifierStart(Peek());
}

std::string_view Scanner::TakeIdentifier(std::string_view what) {
  if (!AtIdentifier()) FailExpected(what);
  const std::size_t start = position_++;
  TakeWhile(IsIdentifierPart);
  return text_.substr(start, position_ - start);
}

std::string_view Scanner::TakeDottedIdentifier(std::string_view what) {
  const std::string_view name = TakeIdentifier(what);
  if (PeekHere() != '.') return name;
  const std::size_t start = position_ - name.size();
  ++position_;
  TakeWhile(IsDirectivePart);
  return text_.substr(start, position_ - start);
}

std::string_view Scanner::PeekDirective() {
  if (Peek() != '.') return {};
  std::size_t end = position_ + 1;
  while (end < text_.size() && IsDirectivePart(text_[end])) ++end;
  return text_.substr(position_ + 1, end - position_ - 1);
}

std::string_view Scanner::TakeDirective(std::string_view where) {
  const std::string_view name = PeekDirective();
  if (name.empty()) FailExpected(where);
  position_ += 1 + name.size();
  return name;
}

bool Scanner::TryTakeDirective(std::string_view name) {
  if (PeekDirective() != name) return false;
  position_ += 1 + name.size();
  return true;
}

std::string_view Scanner::TakeOpcode() {
  if (!IsLetter(Peek())) FailExpected("an instruction");
  const std::size_t start = position_;
  while (position_ < text_.size()) {
    if (IsOpcodePart(text_[position_])) {
      ++position_;
    } else if (text_.substr(position_).starts_with("::")) {
      position_ += 2;
    } else {
      break;
    }
  }
  return text_.substr(start, position_ - start);
}

std::string Scanner::TakeString(std::string_view what) {
  if (Peek() != '"') FailExpected(what);
  std::string out;
  for (++position_; position_ < text_.size() && text_[position_] != '"'; ++position_) {
    if (text_[position_] == '\n') break;
    if (text_[position_] == '\\' && position_ + 1 < text_.size() && text_[position_ + 1] != '\n') ++position_;
    out += text_[position_];
  }
  if (PeekHere() != '"') Fail(say::string_not_closed());
  ++position_;
  return out;
}

bool Scanner::AtNumber() {
  const char c = Peek();
  return IsDigit(c) || c == '-' || c == '+' || c == '~';
}

std::uint64_t Scanner::TakeDigits(unsigned base) {
  std::uint64_t value = 0;
  bool any = false;
  for (; position_ < text_.size(); ++position_, any = true) {
    const unsigned digit = DigitValue(text_[position_]);
    if (digit >= base) break;
    if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / base) {
      Fail(say::integer_too_large());
    }
    value = value * base + digit;
  }
  if (!any) Fail(say::digit_expected());
  return value;
}

Number Scanner::TakeBitsOfFloat(bool is_double) {
  const std::size_t digits = is_double ? 16 : 8;
  const std::size_t start = position_;
  const std::uint64_t bits = TakeDigits(16);
  if (position_ - start != digits) {
    Fail(is_double ? say::double_needs_16_digits() : say::float_needs_8_digits());
  }
  return {.is_float = true, .is_double = is_double, .bits = bits};
}

Number Scanner::TakeDecimalFloat(std::size_t start) {
  double value = 0;
  const char* end = text_.data() + text_.size();
  const auto [stop, error] = std::from_chars(text_.data() + start, end, value);
  if (error != std::errc()) Fail(say::malformed_float());
  position_ = static_cast<std::size_t>(stop - text_.data());
  return {.is_float = true, .is_double = true, .bits = std::bit_cast<std::uint64_t>(value)};
}

Number Scanner::TakeUnsignedNumber() {
  if (!IsDigit(Peek())) FailExpected("a constant");
  const std::size_t start = position_;
  const char second = position_ + 1 < text_.size() ? text_[position_ + 1] : '\0';
  Number number;
  if (text_[start] == '0' && (second == 'f' || second == 'F' || second == 'd' || second == 'D')) {
    position_ += 2;
    number = TakeBitsOfFloat(second == 'd' || second == 'D');
  } else if (text_[start] == '0' && (second == 'x' || second == 'X')) {
    position_ += 2;
    number.bits = TakeDigits(16);
  } else if (text_[start] == '0' && (second == 'b' || second == 'B')) {
    position_ += 2;
    number.bits = TakeDigits(2);
  } else {
    TakeWhile(IsDigit);
    const char after = PeekHere();
    if (after == '.' || after == 'e' || after == 'E') return TakeDecimalFloat(start);
    const bool octal = text_[start] == '0' && position_ - start > 1;
    position_ = start;
    number.bits = TakeDigits(octal ? 8 : 10);
  }
  if (!number.is_float && PeekHere() == 'U') ++position_;
  if (IsIdentifierPart(PeekHere())) FailExpected("the end of a constant");
  return number;
}

Number Scanner::TakeNumber() {
  if (TryTake('~')) {
    Number number = TakeUnsignedNumber();
    if (number.is_float) Fail(say::complement_of_float());
    number.bits = ~number.bits;
    return number;
  }
  const bool minus = TryTake('-');
  if (!minus) TryTake('+');
  Number number = TakeUnsignedNumber();
  if (!minus) return number;
  if (number.is_float) {
    number.bits ^= number.is_double ? std::uint64_t{1} << 63 : std::uint64_t{1} << 31;
  } else {
    if (number.bits > std::uint64_t{1} << 63) Fail(say::negative_too_large());
    number.bits = -number.bits;
    number.negative = number.bits != 0;
  }
  return number;
}

std::int64_t Scanner::TakeSigned(std::string_view what) {
  if (!AtNumber()) FailExpected(what);
  const Number number = TakeNumber();
  if (number.is_float) Fail(say::ptx_expected_no_float(std::string(what)));
  return static_cast<std::int64_t>(number.bits);
}

std::uint64_t Scanner::TakeUnsigned(std::string_view what, std::uint64_t limit) {
  if (!IsDigit(Peek())) FailExpected(what);
  const Number number = TakeNumber();
  if (number.is_float) Fail(say::ptx_expected_no_float(std::string(what)));
  if (number.bits > limit) {
    Fail(say::ptx_number_too_large(std::string(what), std::to_string(number.bits), std::to_string(limit)));
  }
  return number.bits;
}

std::uint64_t Scanner::TakeDecimal(std::string_view what, std::uint64_t limit) {
  if (!IsDigit(Peek())) FailExpected(what);
  const std::uint64_t value = TakeDigits(10);
  if (value > limit) Fail(say::ptx_number_above(std::string(what), std::to_string(limit)));
  return value;
}

void Scanner::SkipBraces() {
  const int opened = line_;
  for (std::size_t depth = 1; depth > 0;) {
    if (AtEnd()) throw ParseFailure{opened, say::brace_not_closed("'{'"), {}};
    const char c = text_[position_++];
    if (c == '{') ++depth;
    if (c == '}') --depth;
  }
}

}  // namespace warplings::ptx
