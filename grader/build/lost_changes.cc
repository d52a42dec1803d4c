// SPDX-License-Identifier: Apache-2.0
#include "grader/build/lost_changes.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

bool IsStepByOne(std::string_view text) {
  return text == "++" || text == "--";
}

/// `y[i]` or `y[i][j]`.
struct ChangedElement {
  std::size_t begin = 0, end = 0;
  std::string name, text;
};

/// The element that begins at `begin`; without an end if none does.
ChangedElement ChangedElementAt(const Tokens& tokens, std::size_t begin) {
  ChangedElement element;
  if (!IsName(tokens[begin].text) || !IsAt(tokens, begin + 1, "[")) return element;
  std::size_t end = begin + 1;
  while (IsAt(tokens, end, "[")) {
    int depth = 0;
    do {
      if (end == tokens.size()) return element;
      depth += tokens[end].text == "[" ? 1 : tokens[end].text == "]" ? -1 : 0;
      ++end;
    } while (depth > 0);
  }
  element = {begin, end, tokens[begin].text, TextOf(tokens, begin, end)};
  return element;
}

}  // namespace

bool ChangesWhatItLoads(std::string_view source, int line) {
  if (line <= 0 || source.size() > kLongestSource) return false;
  Tokens tokens = TokensOf(WithoutComments(source));
  std::erase_if(tokens, [&](const CodeToken& each) { return each.line != line; });
  std::vector<ChangedElement> elements;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (ChangedElement element = ChangedElementAt(tokens, at); element.end > 0)
      elements.push_back(std::move(element));
  }
  const ChangedElement* changed = nullptr;
  bool is_assigned = false;
  for (const ChangedElement& each : elements) {
    const bool is_step = IsStepByOne(each.begin > 0 ? tokens[each.begin - 1].text : "") ||
                         (each.end < tokens.size() && IsStepByOne(tokens[each.end].text));
    const bool is_compound = each.end < tokens.size() && IsCompoundAssignment(tokens[each.end].text);
    const bool is_assignment = IsAt(tokens, each.end, "=");
    if (!is_step && !is_compound && !is_assignment) continue;
    if (changed != nullptr) return false;
    changed = &each;
    is_assigned = is_assignment;
  }
  if (changed == nullptr) return false;
  std::size_t same = 0;
  for (const ChangedElement& each : elements) {
    if (each.name != changed->name) continue;
    if (each.text != changed->text) return false;
    ++same;
  }
  return !is_assigned || same > 1;
}

bool ChangesInPlace(std::string_view line, std::string_view object) {
  if (line.size() > kLongestSource) return false;
  if (ChangesWhatItLoads(line, 1)) return true;
  const Tokens tokens = TokensOf(WithoutComments(line));
  const bool has_object =
      std::ranges::any_of(tokens, [&](const CodeToken& each) { return each.text == object; });
  // `y[i]`, `p->x`, `*p`, or the object. A line that names the object changes that, and no other array.
  const auto is_place = [&](std::size_t first, std::size_t last) {
    const bool is_plain = first == last;
    if (is_plain && tokens[first].text != object)
      return first > 0 &&
             (IsOneOf(tokens[first - 1].text, {".", "->"}) ||
              (tokens[first - 1].text == "*" &&
               (first == 1 || IsOneOf(tokens[first - 2].text, {";", "{", "}", "(", ")", "else"}))));
    return !has_object || tokens[first].text == object;
  };
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!IsStepByOne(tokens[at].text) && !IsCompoundAssignment(tokens[at].text)) continue;
    std::size_t last = at;
    if (at > 0 && (IsName(tokens[at - 1].text) || IsOneOf(tokens[at - 1].text, {"]", ")"}))) {
      last = at - 1;
      if (tokens[last].text == ")" && last > 0) --last;
      std::size_t first = last;
      for (int depth = 0; first > 0; --first) {
        depth += tokens[first].text == "]" ? 1 : tokens[first].text == "[" ? -1 : 0;
        if (depth == 0 && IsName(tokens[first].text)) break;
      }
      if (is_place(first, last)) return true;
    } else if (IsStepByOne(tokens[at].text) && at + 1 < tokens.size() && IsName(tokens[at + 1].text)) {
      if (is_place(at + 1, BehindSubscripts(tokens, at + 2) - 1)) return true;
    }
  }
  return false;
}

bool ReadsNeighbour(std::string_view line, std::string_view array) {
  if (line.size() > kLongestSource) return false;
  const Tokens tokens = TokensOf(WithoutComments(line));
  const auto is_element = [&](std::size_t at) {
    return tokens[at].text == array && IsAt(tokens, at + 1, "[");
  };
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (!is_element(at)) continue;
    const std::size_t behind = BehindSubscripts(tokens, at + 1);
    if (!IsAt(tokens, behind, "=") && !(behind < tokens.size() && IsCompoundAssignment(tokens[behind].text)))
      continue;
    const auto index = tokens.begin() + static_cast<std::ptrdiff_t>(at + 2);
    const auto index_end = tokens.begin() + static_cast<std::ptrdiff_t>(behind - 1);
    const bool has_name =
        std::any_of(index, index_end, [](const CodeToken& each) { return IsName(each.text); });
    if (!has_name) continue;  // All threads change that one.
    for (std::size_t other = behind; other + 1 < tokens.size() && tokens[other].text != ";"; ++other) {
      if (!is_element(other)) continue;
      const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(other + 2);
      const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(BehindSubscripts(tokens, other + 1) - 1);
      const auto same = [](const CodeToken& a, const CodeToken& b) { return a.text == b.text; };
      if (end - begin > index_end - index && std::search(begin, end, index, index_end, same) != end)
        return true;
    }
    return false;
  }
  return false;
}

namespace {

Tokens TokensOfLine(Tokens tokens, int line) {
  std::erase_if(tokens, [&](const CodeToken& each) { return each.line != line; });
  return tokens;
}

/// Where the token at `at` is the array, or one element of it: as one writes it, and one past its end.
ChangedElement PlaceAt(const Tokens& tokens, std::size_t at) {
  const std::size_t end = BehindSubscripts(tokens, at + 1);
  return {at, end, tokens[at].text, TextOf(tokens, at, end)};
}

std::vector<ChangedElement> PlacesOf(const Tokens& tokens, std::string_view array) {
  std::vector<ChangedElement> places;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].text == array) places.push_back(PlaceAt(tokens, at));
  }
  return places;
}

/// `threadIdx.x`, `blockIdx.x * blockDim.x + threadIdx.x`.
bool IsNumberOfThread(const Tokens& tokens, std::size_t begin, std::size_t end) {
  bool has_thread = false;
  for (std::size_t at = begin; at < end; ++at) {
    const std::string& text = tokens[at].text;
    has_thread |= text == "threadIdx";
    if (!IsOneOf(text, {"threadIdx", "blockIdx", "blockDim", ".", "x", "*", "+"})) return false;
  }
  return has_thread;
}

/// Whether the name gets one value in the source, the number of a thread, and nothing changes it.
bool IsNumberOfThread(const Tokens& tokens, const std::string& name) {
  std::size_t values = 0;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != name) continue;
    const std::string& next = tokens[at + 1].text;
    if (IsCompoundAssignment(next) || IsStepByOne(next) || (at > 0 && IsStepByOne(tokens[at - 1].text)))
      return false;
    if (next != "=") continue;
    std::size_t end = at + 2;
    while (end < tokens.size() && !IsOneOf(tokens[end].text, {";", ","})) ++end;
    if (!IsNumberOfThread(tokens, at + 2, end)) return false;
    ++values;
  }
  return values > 0;
}

}  // namespace

std::optional<std::string> OneElementAddedTo(std::string_view source, int line, std::string_view array) {
  if (line <= 0 || source.size() > kLongestSource) return std::nullopt;
  const Tokens tokens = TokensOfLine(TokensOf(WithoutComments(source)), line);
  const std::vector<ChangedElement> places = PlacesOf(tokens, array);
  if (places.empty() || places.size() > 2) return std::nullopt;
  const ChangedElement& added = places.front();
  for (std::size_t at = added.begin + 1; at < added.end; ++at) {
    const std::string& text = tokens[at].text;
    if (IsName(text) && !BeginsAsConstant(text)) return std::nullopt;  // Threads may differ in it.
  }
  const bool is_step =
      (added.begin > 0 && tokens[added.begin - 1].text == "++") || IsAt(tokens, added.end, "++");
  if (places.size() == 1)
    return is_step || IsAt(tokens, added.end, "+=") ? std::optional(added.text) : std::nullopt;
  // `x = x + y` and `x = y + x`
  const ChangedElement& loaded = places.back();
  const bool is_sum = IsAt(tokens, added.end, "=") && loaded.text == added.text &&
                      ((loaded.begin == added.end + 1 && IsAt(tokens, loaded.end, "+")) ||
                       (tokens[loaded.begin - 1].text == "+" && IsAt(tokens, loaded.end, ";")));
  return is_sum ? std::optional(added.text) : std::nullopt;
}

bool HasOwnElement(std::string_view source, int line, std::string_view array) {
  if (line <= 0 || source.size() > kLongestSource) return false;
  const Tokens all = TokensOf(WithoutComments(source));
  const Tokens tokens = TokensOfLine(all, line);
  return std::ranges::any_of(PlacesOf(tokens, array), [&](const ChangedElement& each) {
    if (each.end < each.begin + 4) return false;
    const std::size_t begin = each.begin + 2, end = each.end - 1;
    return IsNumberOfThread(tokens, begin, end) ||
           (end == begin + 1 && IsName(tokens[begin].text) && IsNumberOfThread(all, tokens[begin].text));
  });
}

bool HasSeveralElements(std::string_view line, std::string_view array) {
  if (line.size() > kLongestSource) return false;
  const std::vector<ChangedElement> places = PlacesOf(TokensOf(WithoutComments(line)), array);
  return std::ranges::any_of(places,
                             [&](const ChangedElement& each) { return each.text != places.front().text; });
}

}  // namespace warplings
