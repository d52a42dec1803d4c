// SPDX-License-Identifier: Apache-2.0
#include "grader/build/host_divisions.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/messages/host_code.h"
#include "grader/messages/product_facts.h"

namespace warplings {
namespace {

bool IsFloatType(std::string_view text) {
  return IsOneOf(text, {"float", "double"});
}

bool BeginsNumber(const std::string& text) {
  return std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

bool IsFloatNumber(const std::string& text) {
  const bool is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  return BeginsNumber(text) && !is_hexadecimal && text.find_first_of(".eEfF") != text.npos;
}

bool IsZero(const std::string& number) {
  return number.find_first_of("123456789") == number.npos;
}

/// By the usual spellings: kTile, TILE_WIDTH.
bool IsNamedAsConstant(const std::string& name) {
  const auto is_upper = [](unsigned char c) { return std::isupper(c) != 0; };
  if (name.size() > 1 && name[0] == 'k' && is_upper(static_cast<unsigned char>(name[1]))) return true;
  constexpr std::size_t kShortest = 4;  // N is as often a parameter.
  return name.size() >= kShortest && std::ranges::all_of(name, [&](unsigned char c) {
           return is_upper(c) || std::isdigit(c) != 0 || c == '_';
         });
}

/// What is looked at of a source: no student's has more operators, or more factors in one product.
constexpr std::size_t kMostOperators = 1000, kMostFactors = 100;

class Divisions {
 public:
  explicit Divisions(std::string_view code)
      : tokens_(TokensOf(code)), numbers_(NamedNumbers(code)), floats_(FloatNames()) {
    // A variable that begins with a number may lose it.
    for (std::size_t at = 1; at < tokens_.size(); ++at) {
      const bool is_variable = At(at - 1) == "int" && At(at + 1) == "=" && !IsConstant(at - 1);
      if (is_variable) numbers_.erase(At(at));
    }
  }

  std::vector<HostDivision> Find() const {
    std::vector<HostDivision> found;
    std::size_t operators = 0;
    for (std::size_t at = 1; at < tokens_.size(); ++at) {
      if (!IsBodyOfFunction(at)) continue;
      const std::size_t begin = at, end = Behind(at);
      at = end - 1;
      if (IsOfDevice(begin)) continue;
      for (std::size_t i = begin; i < end; ++i) {
        if (!IsDivision(i) || ++operators > kMostOperators) continue;
        if (MayCrash(i) && !IsComparedBefore(begin, i))
          found.push_back({tokens_[i].line, NameOfDivisor(i + 1)});
      }
    }
    return found;
  }

 private:
  const std::string& At(std::size_t at) const {
    static const std::string kNone = ";";
    return at < tokens_.size() ? tokens_[at].text : kNone;
  }
  /// One past the bracket that closes the one at `at`.
  std::size_t Behind(std::size_t at) const {
    int depth = 0;
    for (; at < tokens_.size(); ++at) {
      depth += IsOneOf(At(at), {"(", "[", "{"}) ? 1 : IsOneOf(At(at), {")", "]", "}"}) ? -1 : 0;
      if (depth == 0) return at + 1;
    }
    return at;
  }
  /// The bracket that the one at `at` closes.
  std::size_t Opening(std::size_t at) const {
    int depth = 0;
    for (;; --at) {
      depth += IsOneOf(At(at), {")", "]", "}"}) ? 1 : IsOneOf(At(at), {"(", "[", "{"}) ? -1 : 0;
      if (depth == 0 || at == 0) return at;
    }
  }

  bool IsConstant(std::size_t type) const {
    return type > 0 && IsOneOf(At(type - 1), {"const", "constexpr"});
  }

  std::set<std::string> FloatNames() const {
    std::set<std::string> names;
    for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
      if (IsFloatType(At(at)) && IsName(At(at + 1))) names.insert(At(at + 1));
    }
    return names;
  }

  /// `{` behind the parameters of a function.
  bool IsBodyOfFunction(std::size_t brace) const {
    if (At(brace) != "{") return false;
    std::size_t before = brace - 1;
    while (before > 0 && IsOneOf(At(before), {"const", "noexcept", "override"})) --before;
    return At(before) == ")" && Opening(before) > 0 && IsName(At(Opening(before) - 1));
  }

  /// Of the device only: what the declaration of the function with this body begins with.
  bool IsOfDevice(std::size_t body) const {
    bool of_device = false;
    for (std::size_t at = body; at-- > 0 && !IsOneOf(At(at), {";", "}", "{"});) {
      if (At(at) == "__host__") return false;
      of_device |= IsOneOf(At(at), {"__global__", "__device__"});
    }
    return of_device;
  }

  bool IsDivision(std::size_t at) const { return IsOneOf(At(at), {"/", "%", "/=", "%="}); }

  /// Of the division at `at`.
  bool MayCrash(std::size_t at) const {
    const std::string& divisor = At(at + 1);
    if (divisor == "sizeof" || (BeginsNumber(divisor) && !IsZero(divisor))) return false;
    const auto number = numbers_.find(divisor);
    if (number != numbers_.end() ? number->second != 0 : IsNamedAsConstant(divisor)) return false;
    return !IsFloat(BeginOfDividend(at), at) && !IsFloat(at + 1, EndOfDivisor(at + 1));
  }

  /// Whether code from `begin` on asks whether the divisor is 0 before it divides: `if (unit == 0) return
  /// 0;`.
  bool IsComparedBefore(std::size_t begin, std::size_t division) const {
    const std::size_t divisor = division + 1, length = EndOfDivisor(divisor) - divisor;
    if (!IsName(At(divisor))) return false;
    for (std::size_t at = begin; at + length < division; ++at) {
      std::size_t same = 0;
      while (same < length && At(at + same) == At(divisor + same)) ++same;
      if (same < length) continue;
      const bool is_compared = IsOneOf(At(at + length), {"==", "!=", "<", "<=", ">", ">="}) &&
                               IsOneOf(At(at + length + 1), {"0", "1"});
      if (is_compared || At(at - 1) == "!") return true;
    }
    return false;
  }

  bool IsFloat(std::size_t begin, std::size_t end) const {
    for (std::size_t at = begin; at < end; ++at) {
      if (IsFloatType(At(at)) || IsFloatNumber(At(at)) || floats_.contains(At(at))) return true;
    }
    return false;
  }

  /// Of the factors before the operator at `at`.
  std::size_t BeginOfDividend(std::size_t at) const {
    for (std::size_t factors = 0; at > 0 && factors < kMostFactors; ++factors) {
      const std::string& before = At(at - 1);
      if (IsOneOf(before, {")", "]"})) {
        at = Opening(at - 1);
      } else if (before == ">" && at > 3 && At(at - 3) == "<") {  // static_cast<double>
        at -= 3;
      } else if (IsName(before) ? before != "return"
                                : BeginsNumber(before) || IsOneOf(before, {".", "->", "::", "*", "/", "%"})) {
        --at;
      } else {
        break;
      }
    }
    return at;
  }

  /// Of one factor, with a cast in front of it, members and arguments.
  std::size_t EndOfDivisor(std::size_t at) const {
    while (At(at) == "(") {
      const std::size_t end = Behind(at);
      if (end != at + 3 || !IsNumberType(At(at + 1))) return end;
      at = end;  // A cast.
    }
    if (At(at + 1) == "<" && At(at + 3) == ">" && At(at + 4) == "(") return Behind(at + 4);
    ++at;
    for (;;) {
      if (IsOneOf(At(at), {".", "->", "::"})) {
        at += 2;
      } else if (IsOneOf(At(at), {"(", "["}) && at < tokens_.size()) {
        at = Behind(at);
      } else {
        return std::min(at, tokens_.size());
      }
    }
  }

  std::string NameOfDivisor(std::size_t at) const {
    if (!IsName(At(at))) return "";
    const std::size_t end = EndOfDivisor(at);
    std::string name;
    for (; at < end; ++at) {
      if (At(at) == "(") return name + "(...)";
      name += At(at);
    }
    return name;
  }

  std::vector<CodeToken> tokens_;
  std::map<std::string, int> numbers_;
  std::set<std::string> floats_;
};

/// "15, 27, 35".
Message ListLines(const std::vector<HostDivision>& places) {
  Message listed;
  int last = 0;
  for (const HostDivision& each : places) {
    if (each.line == last) continue;
    const Message line = say::one_position(each.line);
    listed = last == 0 ? line : Message(say::two_listed(listed, line));
    last = each.line;
  }
  return listed;
}

}  // namespace

std::vector<HostDivision> FindHostDivisions(std::string_view source) {
  if (source.size() > kLongestSource) return {};
  return Divisions(WithoutComments(source)).Find();
}

Message AdviceOnDivisionByZero(std::string_view source) {
  constexpr std::size_t kMostPlaces = 8;
  const std::vector<HostDivision> places = FindHostDivisions(source);
  if (places.empty() || places.size() > kMostPlaces) return say::look_for_division_by_zero();
  const HostDivision& first = places.front();
  if (places.size() == 1 && !first.divisor.empty())
    return say::division_by_zero_of(first.line, first.divisor);
  if (first.line == places.back().line) return say::division_by_zero_in(first.line);
  return say::division_by_zero_in_one_of(ListLines(places));
}

}  // namespace warplings
