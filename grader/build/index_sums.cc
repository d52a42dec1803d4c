// SPDX-License-Identifier: Apache-2.0
#include "grader/build/index_sums.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "grader/build/code_words.h"

namespace warplings {
namespace {

/// No student's index has more, and a hostile source must not make products of sums without end.
constexpr std::size_t kMostTerms = 32;

/// False where the number becomes larger than any index.
bool Multiply(IndexTerm& term, std::int64_t times) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 40;
  return !__builtin_mul_overflow(term.times, times, &term.times) && term.times <= kLargest &&
         term.times >= -kLargest;
}

/// +, - and * of names and numbers, as C++ ranks them.
class SumReader {
 public:
  SumReader(const std::vector<CodeToken>& tokens, TokenRange range)
      : tokens_(tokens), at_(range.begin), end_(std::min(range.end, tokens.size())) {}

  std::optional<IndexSum> Read() {
    std::optional<IndexSum> sum = Sum();
    return at_ == end_ ? sum : std::nullopt;
  }

 private:
  bool Is(std::string_view text) const { return at_ < end_ && tokens_[at_].text == text; }

  std::optional<IndexSum> Sum() {
    constexpr int kDeepest = 20;
    if (++depth_ > kDeepest) return std::nullopt;
    IndexSum sum;
    for (bool is_first = true; is_first || Is("+") || Is("-"); is_first = false) {
      const bool is_less = Is("-");
      if (is_less || Is("+")) ++at_;
      std::optional<IndexSum> product = Product();
      if (!product || sum.terms().size() + product->terms().size() > kMostTerms) return std::nullopt;
      for (IndexTerm term : product->terms()) {
        if (is_less) term.times = -term.times;
        sum.Add(term);
      }
    }
    --depth_;
    return sum;
  }

  std::optional<IndexSum> Product() {
    std::optional<IndexSum> product = Factor();
    while (product && Is("*")) {
      ++at_;
      const std::optional<IndexSum> factor = Factor();
      product = factor ? Multiplied(*product, *factor) : std::nullopt;
    }
    return product;
  }

  static std::optional<IndexSum> Multiplied(const IndexSum& one, const IndexSum& other) {
    if (one.terms().size() * other.terms().size() > kMostTerms) return std::nullopt;
    IndexSum product;
    for (const IndexTerm& left : one.terms()) {
      for (const IndexTerm& right : other.terms()) {
        IndexTerm term = left;
        if (!Multiply(term, right.times)) return std::nullopt;
        term.factors.insert(term.factors.end(), right.factors.begin(), right.factors.end());
        product.Add(term);
      }
    }
    return product;
  }

  std::optional<IndexSum> Factor() {
    SkipCast();
    if (at_ >= end_) return std::nullopt;
    if (Is("(")) {
      ++at_;
      std::optional<IndexSum> inner = Sum();
      if (!Is(")")) return std::nullopt;
      ++at_;
      return inner;
    }
    IndexSum sum;
    const std::string& text = tokens_[at_].text;
    if (!IsName(text)) {
      const std::optional<std::int64_t> number = NumberOf(text);
      if (!number) return std::nullopt;
      ++at_;
      sum.Add({*number, {}});
      return sum;
    }
    std::string name = text;
    for (++at_; Is(".") && at_ + 1 < end_; at_ += 2) name += "." + tokens_[at_ + 1].text;
    if (Is("(") || Is("[") || Is("<") || Is("->") || Is("::")) return std::nullopt;
    sum.Add({1, {name}});
    return sum;
  }

  /// `(size_t)` before a factor.
  void SkipCast() {
    if (at_ + 2 < end_ && Is("(") && IsNumberType(tokens_[at_ + 1].text) && tokens_[at_ + 2].text == ")")
      at_ += 3;
  }

  /// "16", "16u".
  static std::optional<std::int64_t> NumberOf(std::string text) {
    while (!text.empty() && IsOneOf(text.substr(text.size() - 1), {"u", "U", "l", "L"})) text.pop_back();
    std::int64_t number = 0;
    constexpr std::int64_t kLargest = 1 << 30;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = fault == std::errc() && end == text.data() + text.size();
    return is_number && number <= kLargest ? std::optional(number) : std::nullopt;
  }

  const std::vector<CodeToken>& tokens_;
  std::size_t at_, end_;
  int depth_ = 0;
};

std::vector<std::string> Sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

/// Whether the token at `at` assigns to the name before it.
bool AssignsAt(const std::vector<CodeToken>& tokens, std::size_t at) {
  const bool assigns = tokens[at].text == "=" || IsCompoundAssignment(tokens[at].text);
  return assigns && at > 0 && IsName(tokens[at - 1].text);
}

/// Whether ++ or -- is beside the name at `at`.
bool StepsAt(const std::vector<CodeToken>& tokens, std::size_t at) {
  const auto is_step = [&](std::size_t i) {
    return i < tokens.size() && IsOneOf(tokens[i].text, {"++", "--"});
  };
  return is_step(at + 1) || (at > 0 && is_step(at - 1));
}

/// The term with the first of its factors that is defined as a sum replaced; the term itself if none is.
IndexSum Replaced(const IndexTerm& term, const std::vector<CodeToken>& tokens,
                  const CodeDefinitions& definitions) {
  IndexSum same;
  same.Add(term);
  for (std::size_t i = 0; i < term.factors.size(); ++i) {
    const auto definition = definitions.find(term.factors[i]);
    if (definition == definitions.end()) continue;
    const std::optional<IndexSum> value = ReadSum(tokens, definition->second.value);
    if (!value) continue;
    IndexSum replaced;
    for (const IndexTerm& part : value->terms()) {
      IndexTerm product = term;
      if (!Multiply(product, part.times)) return same;
      product.factors.erase(product.factors.begin() + static_cast<std::ptrdiff_t>(i));
      product.factors.insert(product.factors.end(), part.factors.begin(), part.factors.end());
      replaced.Add(product);
    }
    return replaced;
  }
  return same;
}

void AddNamesBehind(const std::vector<CodeToken>& tokens, TokenRange range,
                    const CodeDefinitions& definitions, std::set<std::string>& names) {
  for (std::size_t at = range.begin; at < range.end; ++at) {
    std::string name = tokens[at].text;
    if (!IsName(name) || IsNumberType(name)) continue;
    while (at + 2 < range.end && tokens[at + 1].text == ".") {
      name += "." + tokens[at + 2].text;
      at += 2;
    }
    if (!names.insert(name).second) continue;
    const auto definition = definitions.find(name);
    if (definition != definitions.end()) AddNamesBehind(tokens, definition->second.value, definitions, names);
  }
}

}  // namespace

std::size_t EndOfValue(const std::vector<CodeToken>& tokens, std::size_t at, std::size_t end) {
  for (int depth = 0; at < end; ++at) {
    const std::string& text = tokens[at].text;
    if (IsOneOf(text, {"(", "[", "{"})) ++depth;
    if (IsOneOf(text, {")", "]", "}"}) && --depth < 0) return at;
    if (depth == 0 && IsOneOf(text, {",", ";"})) return at;
  }
  return end;
}

CodeDefinitions DefinitionsIn(const std::vector<CodeToken>& tokens, TokenRange function,
                              const std::vector<OtherScope>& others) {
  const auto is_other = [&](const std::string& name, std::size_t at) {
    return std::ranges::any_of(others, [&](const OtherScope& each) {
      return each.name == name && each.tokens.begin <= at && at < each.tokens.end;
    });
  };
  CodeDefinitions definitions;
  std::map<std::string, int> changes;
  for (std::size_t at = function.begin; at < function.end; ++at) {
    if (IsName(tokens[at].text) && StepsAt(tokens, at) && !is_other(tokens[at].text, at))
      ++changes[tokens[at].text];
    if (!AssignsAt(tokens, at) || is_other(tokens[at - 1].text, at)) continue;
    const std::string& name = tokens[at - 1].text;
    changes[name] += tokens[at].text == "=" ? 1 : 2;
    definitions[name] = {{at + 1, EndOfValue(tokens, at + 1, function.end)}, tokens[at - 1].line};
  }
  std::erase_if(definitions, [&](const auto& each) { return changes[each.first] != 1; });
  return definitions;
}

bool Changes(const std::vector<CodeToken>& tokens, TokenRange range, const std::string& name) {
  for (std::size_t at = range.begin; at < range.end; ++at) {
    if (tokens[at].text == name && StepsAt(tokens, at)) return true;
    if (AssignsAt(tokens, at) && tokens[at - 1].text == name) return true;
  }
  return false;
}

void IndexSum::Add(const IndexTerm& term) {
  const auto same = std::ranges::find_if(
      terms_, [&](const IndexTerm& each) { return Sorted(each.factors) == Sorted(term.factors); });
  if (same == terms_.end()) {
    if (term.times != 0) terms_.push_back(term);
    return;
  }
  same->times += term.times;
  if (same->times == 0) terms_.erase(same);
}

void IndexSum::Subtract(const IndexSum& other) {
  for (IndexTerm term : other.terms()) {
    term.times = -term.times;
    Add(term);
  }
}

std::set<std::string> IndexSum::Names() const {
  std::set<std::string> names;
  for (const IndexTerm& term : terms_) names.insert(term.factors.begin(), term.factors.end());
  return names;
}

std::optional<IndexSum> ReadSum(const std::vector<CodeToken>& tokens, TokenRange range) {
  return SumReader(tokens, range).Read();
}

IndexSum Expanded(const IndexSum& sum, const std::vector<CodeToken>& tokens,
                  const CodeDefinitions& definitions) {
  IndexSum expanded = sum;
  constexpr int kMostSteps = 16;
  for (int step = 0; step < kMostSteps; ++step) {
    IndexSum next;
    for (const IndexTerm& term : expanded.terms()) {
      const IndexSum replaced = Replaced(term, tokens, definitions);
      for (const IndexTerm& each : replaced.terms()) next.Add(each);
    }
    if (next.terms().size() > kMostTerms) break;
    expanded = std::move(next);
  }
  return expanded;
}

std::string Written(const IndexSum& sum) {
  std::string text;
  for (const IndexTerm& term : sum.terms()) {
    const std::int64_t size = term.times < 0 ? -term.times : term.times;
    if (!text.empty()) {
      text += term.times < 0 ? " - " : " + ";
    } else if (term.times < 0) {
      text += "-";
    }
    std::string product = size != 1 || term.factors.empty() ? std::to_string(size) : "";
    for (const std::string& factor : term.factors) product += (product.empty() ? "" : " * ") + factor;
    text += product;
  }
  return text.empty() ? "0" : text;
}

std::set<std::string> NamesBehind(const std::vector<CodeToken>& tokens, TokenRange range,
                                  const CodeDefinitions& definitions) {
  std::set<std::string> names;
  AddNamesBehind(tokens, range, definitions, names);
  return names;
}

}  // namespace warplings
