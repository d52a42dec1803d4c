// SPDX-License-Identifier: Apache-2.0
#include "grader/build/allocation_sizes.h"

#include <vector>

#include "grader/build/host_tokens.h"

namespace warplings {
namespace {

/// "h" of `sizeof(h)` and `sizeof h`, if that is all.
std::string MeasuredIn(const std::vector<CodeToken>& tokens, std::size_t begin, std::size_t end) {
  if (begin + 2 > end || tokens[begin].text != "sizeof") return "";
  if (end == begin + 2) return tokens[begin + 1].text;
  return end == begin + 4 && tokens[begin + 1].text == "(" ? tokens[begin + 2].text : "";
}

/// What the name is declared as: a std::vector with elements of a type of one word, or a pointer.
void NoteDeclaration(const HostCode& code, WrittenAllocation& allocation) {
  for (std::size_t at = 2; at < code.size(); ++at) {
    if (code.At(at) != allocation.measured) continue;
    if (code.At(at - 1) == "*" && IsOneOf(code.At(at + 1), {";", ",", "=", ")"}))
      allocation.size = WrittenAllocation::Size::kOfPointer;
    const bool is_vector = at >= 4 && code.At(at - 1) == ">" && code.At(at - 4) == "vector";
    if (!is_vector) continue;
    allocation.size = WrittenAllocation::Size::kOfVector;
    allocation.element_type = code.At(at - 2);
  }
}

}  // namespace

std::optional<WrittenAllocation> FindAllocationOf(std::string_view source, std::string_view kernel,
                                                  std::size_t number) {
  const HostCode code(source);
  const auto passed = PassedTo(code, kernel, number);
  if (!passed) return std::nullopt;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  std::optional<WrittenAllocation> found;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code.Allocated(at) != passed->name) continue;
    const std::size_t end = code.Behind(at + 1) - 1;
    std::size_t begin = at + 2;
    while (begin < end && tokens[begin].text != ",") ++begin;
    if (found || begin++ == end) return std::nullopt;
    found = WrittenAllocation{
        .line = code.LineOf(at), .pointer = passed->name, .written = TextOf(tokens, begin, end)};
    found->measured = MeasuredIn(tokens, begin, end);
    if (!found->measured.empty()) NoteDeclaration(code, *found);
  }
  return found;
}

}  // namespace warplings
