// SPDX-License-Identifier: Apache-2.0
#include "grader/build/missing_guards.h"

#include <algorithm>
#include <vector>

#include "grader/build/access_checks.h"
#include "grader/build/allocation_sizes.h"
#include "grader/build/calls.h"
#include "grader/build/code_words.h"
#include "grader/build/host_tokens.h"
#include "grader/build/index_sums.h"
#include "grader/build/plain_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// What the only `name = ...` in a part of the source sets it to, where nothing else there changes it.
std::optional<TokenRange> OnlyValueOf(const Tokens& tokens, TokenRange part, const std::string& name) {
  std::optional<TokenRange> found;
  for (std::size_t at = part.begin; at + 1 < part.end; ++at) {
    if (tokens[at].text != name) continue;
    const std::string& next = tokens[at + 1].text;
    const bool is_stepped =
        IsOneOf(next, {"++", "--"}) || (at > 0 && IsOneOf(tokens[at - 1].text, {"++", "--"}));
    if (IsCompoundAssignment(next) || is_stepped) return std::nullopt;
    if (next != "=") continue;
    if (found) return std::nullopt;
    found = TokenRange{at + 2, EndOfValue(tokens, at + 2, part.end)};
  }
  return found;
}

bool IsThreadsNumber(const std::string& text) {
  return IsOneOf(
      text, {"threadIdx.x", "blockIdx.x * blockDim.x + threadIdx.x", "blockDim.x * blockIdx.x + threadIdx.x",
             "threadIdx.x + blockIdx.x * blockDim.x", "threadIdx.x + blockDim.x * blockIdx.x",
             "(blockIdx.x * blockDim.x) + threadIdx.x", "threadIdx.x + (blockIdx.x * blockDim.x)"});
}

/// The one name in all brackets behind `array` in that line.
std::string IndexOf(const Tokens& tokens, int line, const std::string& array) {
  std::string index;
  for (std::size_t at = 0; at + 3 < tokens.size(); ++at) {
    if (tokens[at].line != line || tokens[at].text != array || tokens[at + 1].text != "[") continue;
    const std::string& name = tokens[at + 2].text;
    if (!IsName(name) || tokens[at + 3].text != "]" || (!index.empty() && index != name)) return "";
    index = name;
  }
  return index;
}

/// "n" of `n * sizeof(float)`, and of `n * 4` for elements of 4 bytes; empty of anything else.
std::string FactorOf(const Tokens& tokens, TokenRange size, std::size_t element_bytes) {
  const auto is_element = [&](std::size_t begin, std::size_t end) {
    if (end == begin + 1) return tokens[begin].text == std::to_string(element_bytes);
    return begin < end && tokens[begin].text == "sizeof" && IsAt(tokens, begin + 1, "(") &&
           BehindBracket(tokens, begin + 1) == end;
  };
  if (size.end < size.begin + 3) return "";
  if (tokens[size.begin + 1].text == "*" && is_element(size.begin + 2, size.end))
    return tokens[size.begin].text;
  const std::size_t last = size.end - 1;
  return tokens[last - 1].text == "*" && is_element(size.begin, last - 1) ? tokens[last].text : "";
}

/// The elements that the allocation has room for, as the source calls their number.
std::string CountOf(const Tokens& tokens, const WrittenAllocation& allocation, std::size_t element_bytes) {
  const Tokens written = TokensOf(allocation.written);
  if (written.size() > 1) return FactorOf(written, {0, written.size()}, element_bytes);
  const auto value = OnlyValueOf(tokens, {0, tokens.size()}, allocation.written);
  return value ? FactorOf(tokens, *value, element_bytes) : "";
}

struct Kernel {
  std::vector<Parameter> parameters;
  TokenRange body;
};

/// The only kernel of that name.
std::optional<Kernel> OnlyKernel(const HostCode& code, const Tokens& tokens, const std::string& name) {
  std::optional<Kernel> found;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != name || tokens[at + 1].text != "(" || !code.IsOfDevice(at)) continue;
    const auto list = ParametersAt(tokens, at + 1);
    const std::size_t body = BehindBracket(tokens, at + 1);
    if (found || !list || !IsAt(tokens, body, "{")) return std::nullopt;
    found = Kernel{list->parameters, {body, BehindBracket(tokens, body)}};
  }
  return found;
}

}  // namespace

std::optional<MissingGuard> FindMissingGuard(std::string_view source, const Finding& finding,
                                             std::size_t number) {
  const bool is_past_end = finding.kind == FindingKind::kOutOfBounds && finding.object_bytes > 0 &&
                           finding.offset_bytes >= finding.object_bytes && number > 0;
  const bool is_load = finding.access == Access::kRead, is_store = finding.access == Access::kWrite;
  if (!is_past_end || (!is_load && !is_store) || source.size() > kLongestSource) return std::nullopt;
  const HostCode code(source);
  const Tokens tokens = TokensOf(WithoutComments(source));
  const auto launch = OnlyLaunchIn(code, finding.kernel);
  const auto open = launch ? ArgumentsOfLaunch(code, *launch) : std::nullopt;
  const auto allocation = FindAllocationOf(source, finding.kernel, number);
  if (!open || !allocation) return std::nullopt;
  std::string name = finding.kernel.substr(0, finding.kernel.find('<'));
  name = name.substr(name.rfind(':') + 1);  // All of it where it has none.
  const auto kernel = OnlyKernel(code, tokens, name);
  if (!kernel || number > kernel->parameters.size()) return std::nullopt;
  const std::string& array = kernel->parameters[number - 1].name;
  const auto check = CheckOfAccess(source, finding.where.line, is_load, array);
  if (!check || check->kind != AccessCheck::Kind::kNone) return std::nullopt;
  const std::string index = IndexOf(tokens, finding.where.line, array);
  const auto value = index.empty() ? std::nullopt : OnlyValueOf(tokens, kernel->body, index);
  if (!value || !IsThreadsNumber(TextOf(tokens, value->begin, value->end))) return std::nullopt;
  const std::string count = CountOf(tokens, *allocation, finding.access_bytes);
  const std::vector<TokenRange> passed = code.PartsOf(*open);
  for (std::size_t i = 0; i < std::min(passed.size(), kernel->parameters.size()); ++i) {
    const Parameter& parameter = kernel->parameters[i];
    const bool is_number =
        parameter.type.stars == 0 &&
        IsOneOf(parameter.type.base, {"int", "unsigned int", "long", "long long", "size_t"});
    if (is_number && passed[i].end == passed[i].begin + 1 && tokens[passed[i].begin].text == count)
      return MissingGuard{index, parameter.name};
  }
  return std::nullopt;
}

}  // namespace warplings
