// SPDX-License-Identifier: Apache-2.0
#include "tests/handouts/equations.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

namespace warplings::handouts_test {
namespace {

/// A number as a page writes it, "1,312 bytes" or "12.8", and how far from it the exact value may lie.
struct Shown {
  double value = 0, slack = 0;
};

/// One side: numbers and the signs between them.
struct Side {
  std::vector<Shown> numbers;
  std::string signs;
};

/// Reads from a place in a text and says how far it got.
class Reader {
 public:
  Reader(const std::string& text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }

  bool Skip(const std::string& word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }

  std::optional<Shown> Number() {
    const std::size_t start = at_;
    std::string digits;
    std::size_t behind_point = 0;
    bool point = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (IsDigit(at_)) {
        digits += c;
        behind_point += point;
      } else if (c == ',' && !digits.empty() && !point && IsDigit(at_ + 3) && !IsDigit(at_ + 4)) {
        continue;
      } else if (c == '.' && !digits.empty() && !point && IsDigit(at_ + 1)) {
        digits += c;
        point = true;
      } else {
        break;
      }
    }
    if (digits.empty()) {
      at_ = start;
      return std::nullopt;
    }
    double unit = 1;
    if (Skip(" KB"))
      unit = 1024;
    else if (!Skip(" bytes") && !Skip(" 位元組"))
      Skip(" GB");
    const double slack = 0.5 * std::pow(10.0, -static_cast<double>(behind_point));
    return Shown{std::strtod(digits.c_str(), nullptr) * unit, slack * unit};
  }

  std::optional<Side> WholeSide() {
    Side side;
    const auto first = Number();
    if (!first) return std::nullopt;
    side.numbers.push_back(*first);
    for (;;) {
      const std::size_t before = at_;
      char sign = 0;
      for (const auto& [word, means] : kSigns) {
        if (Skip(word)) sign = means;
      }
      const auto next = sign != 0 ? Number() : std::nullopt;
      if (!next) {
        at_ = before;
        return side;
      }
      side.signs += sign;
      side.numbers.push_back(*next);
    }
  }

 private:
  static inline const std::vector<std::pair<std::string, char>> kSigns = {
      {" x ", '*'}, {" / ", '/'}, {" + ", '+'}, {" − ", '-'}};

  bool IsDigit(std::size_t at) const {
    return at < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at])) != 0;
  }

  const std::string& text_;
  std::size_t at_;
};

double ValueOf(const Side& side) {
  double sum = 0, term = side.numbers[0].value;
  for (std::size_t i = 0; i < side.signs.size(); ++i) {
    const double next = side.numbers[i + 1].value;
    switch (side.signs[i]) {
      case '*': term *= next; break;
      case '/': term /= next; break;
      case '+': sum += term, term = next; break;
      default: sum += term, term = -next;
    }
  }
  return sum + term;
}

/// A side that is a single number may have been rounded.
double SlackOf(const Side& side) {
  return side.signs.empty() ? side.numbers[0].slack : 0;
}

/// A side begins where no word or number runs on from before it, and no other sign: "row * 3 + 3" is none.
bool MayBegin(const std::string& text, std::size_t at) {
  if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) return false;
  if (at == 0) return true;
  const unsigned char before = static_cast<unsigned char>(text[at - 1]);
  if (std::isalnum(before) != 0 || std::string(".,[_*/+-").find(text[at - 1]) != std::string::npos)
    return false;
  if (at == 1 || before != ' ') return true;
  const std::string sign = text.substr(at - 2, 1);
  const bool is_times = sign == "x" && (at == 2 || text[at - 3] == ' ');
  return !is_times && std::string("*/+-%").find(sign) == std::string::npos;
}

}  // namespace

std::vector<Equation> EquationsIn(const std::string& text) {
  std::vector<Equation> found;
  for (std::size_t start = 0; start < text.size(); ++start) {
    if (!MayBegin(text, start)) continue;
    Reader reader(text, start);
    std::optional<Side> left = reader.WholeSide();
    while (left && reader.Skip(" = ")) {
      const std::optional<Side> right = reader.WholeSide();
      if (!right) break;
      if (!left->signs.empty() || !right->signs.empty()) {
        const double slack = std::max({SlackOf(*left), SlackOf(*right), 1e-9 * std::abs(ValueOf(*left))});
        found.push_back({text.substr(start, reader.at() - start),
                         std::abs(ValueOf(*left) - ValueOf(*right)) <= slack * (1 + 1e-9)});
      }
      left = right;
    }
    start = std::max(start, reader.at() - 1);
  }
  return found;
}

}  // namespace warplings::handouts_test
