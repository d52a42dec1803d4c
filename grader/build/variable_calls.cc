// SPDX-License-Identifier: Apache-2.0
#include "grader/build/variable_calls.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "grader/build/host_tokens.h"
#include "grader/messages/findings.h"
#include "grader/messages/host_code.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;

/// What a finding says of such a call: its message without "was refused".
const Message* SentenceOf(const Finding& finding) {
  const Message* said = &finding.message;
  if (say::refused.Made(*said)) said = &said->arguments().at(1).inner.at(0);
  const bool is_it = say::variable_is_no_pointer.Made(*said) || say::variable_written_by_name.Made(*said) ||
                     say::variable_read_by_name.Made(*said);
  return is_it ? said : nullptr;
}

/// Without its namespace.
std::string NameIn(const Message& sentence) {
  const std::string& name = sentence.arguments().at(0).text;
  const std::size_t colons = name.rfind("::");
  return colons == name.npos ? name : name.substr(colons + 2);
}

/// Without a cast in front: `(void*)&F`.
TokenRange WithoutCast(const Tokens& tokens, TokenRange argument) {
  if (!IsAt(tokens, argument.begin, "(")) return argument;
  const std::size_t behind = BehindBracket(tokens, argument.begin);
  if (behind < argument.end && behind >= 2 && tokens[behind - 2].text == "*") argument.begin = behind;
  return argument;
}

/// A place in a variable: `F`, `&F`, `&F[i]`, `F + i`.
struct Place {
  std::string offset{};  ///< In elements, as it is written; empty: none.
  bool is_plain = true;  ///< False: an expression of another form, with the variable's name in it.
};
std::optional<Place> PlaceIn(const Tokens& tokens, TokenRange argument, const std::string& variable) {
  auto [begin, end] = WithoutCast(tokens, argument);
  const bool takes_address = IsAt(tokens, begin, "&");
  if (takes_address) ++begin;
  while (begin + 2 < end && IsAt(tokens, begin + 1, "::")) begin += 2;
  if (begin >= end || tokens[begin].text != variable) return std::nullopt;
  const std::size_t next = begin + 1;
  if (next == end) return Place{};
  const bool has_subscript = IsAt(tokens, next, "[") && BehindBracket(tokens, next) == end;
  if (has_subscript && takes_address) {
    const std::string index = TextOf(tokens, next + 1, end - 1);
    return Place{index == "0" ? "" : index};
  }
  if (IsAt(tokens, next, "+") && !takes_address) return Place{TextOf(tokens, next + 1, end)};
  return IsOneOf(tokens[next].text, {"[", "+", "-"}) ? std::optional(Place{"", false}) : std::nullopt;
}

/// A call with the variable as its first or second argument.
struct Call {
  int line = 0;
  std::vector<TokenRange> arguments;
  std::size_t number = 0;  ///< Of that argument, from 0.
  Place place;
};
std::optional<Call> FirstCall(const Tokens& tokens, const std::string& function, const std::string& variable,
                              int line) {
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != function || tokens[at + 1].text != "(") continue;
    if (line != 0 && tokens[at].line != line) continue;
    std::vector<TokenRange> arguments = PartsOf(tokens, at + 1);
    for (std::size_t number = 0; number < std::min<std::size_t>(2, arguments.size()); ++number) {
      if (number == 0 && function.starts_with("cudaMemcpyToSymbol")) continue;
      if (number == 1 && function.starts_with("cudaMemcpyFromSymbol")) continue;
      if (auto place = PlaceIn(tokens, arguments[number], variable))
        return Call{tokens[at].line, std::move(arguments), number, *std::move(place)};
    }
  }
  return std::nullopt;
}

/// The copy with the function for variables; empty if the source does not show it.
std::string WrittenCopy(const Tokens& tokens, const HostCode& code, const Call& call,
                        const std::string& function, const std::string& variable, std::string_view entry) {
  const bool is_async = function == "cudaMemcpyAsync";
  if ((function != "cudaMemcpy" && !is_async) || call.arguments.size() < 4 || !call.place.is_plain) return "";
  const auto text = [&](std::size_t number) {
    return TextOf(tokens, call.arguments[number].begin, call.arguments[number].end);
  };
  const std::size_t other = 1 - call.number;
  const TokenRange pointer = call.arguments[other];
  const std::set<std::string> variables = DeviceVariables(tokens);
  for (const std::string& each : variables)
    if (PlaceIn(tokens, pointer, each)) return "";
  const bool is_host_address = text(other).ends_with(".data()") || text(other).starts_with("&");
  const bool is_device = OnlyDeviceNames(code, entry).contains(text(other)) ||
                         (text(3) == "cudaMemcpyDeviceToDevice" && !is_host_address);
  const bool to_variable = call.number == 0;
  std::string written = to_variable ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
  if (is_async) written += "Async";
  written += to_variable ? "(" + variable + ", " + text(1) : "(" + text(0) + ", " + variable;
  written += ", " + text(2);
  const std::string& offset = call.place.offset;
  if (is_device || is_async || !offset.empty())
    written += ", " + (offset.empty() ? "0" : AsFactor(offset) + " * sizeof(" + variable + "[0])");
  if (is_device || is_async)
    written += std::string(", cudaMemcpy") + (is_device     ? "DeviceToDevice"
                                              : to_variable ? "HostToDevice"
                                                            : "DeviceToHost");
  if (is_async && call.arguments.size() > 4) written += ", " + text(4);
  return written + ")";
}

Tokens TokensOfSource(std::string_view source) {
  return source.size() <= kLongestSource ? TokensOf(WithoutComments(source)) : Tokens();
}

/// "cudaMemcpy" of a finding.
std::string FunctionOf(const Message& sentence) {
  return sentence.arguments().at(2).text;
}

}  // namespace

std::set<std::string> DeviceVariables(const Tokens& tokens) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (!IsOneOf(tokens[at].text, {"__constant__", "__device__"})) continue;
    std::set<std::string> found;
    bool is_managed = at > 0 && tokens[at - 1].text == "__managed__";
    std::size_t i = at + 1;
    bool in_value = false;
    for (; i + 1 < tokens.size() && !IsOneOf(tokens[i].text, {";", "(", "{"}); ++i) {
      if (tokens[i].text == "[") {
        i = BehindBracket(tokens, i) - 1;
        continue;
      }
      const std::string& next = tokens[i + 1].text;
      if (tokens[i].text == "=") in_value = true;
      if (tokens[i].text == "__managed__") is_managed = true;
      if (!in_value && IsName(tokens[i].text) && IsOneOf(next, {";", "[", "=", ",", "{"}))
        found.insert(tokens[i].text);
    }
    // A function has its parameters there.
    if ((!IsAt(tokens, i, "(") || in_value) && !is_managed) names.merge(found);
  }
  return names;
}

bool UsesVariableAsPointer(const Finding& finding) {
  return SentenceOf(finding) != nullptr;
}

std::optional<int> LineOfVariableCall(std::string_view source, const Finding& finding) {
  const Message& sentence = *SentenceOf(finding);
  const auto call = FirstCall(TokensOfSource(source), FunctionOf(sentence), NameIn(sentence), 0);
  return call ? std::optional(call->line) : std::nullopt;
}

Message RemedyOfVariableCall(std::string_view source, const Finding& finding, std::string_view entry) {
  const Message& sentence = *SentenceOf(finding);
  const std::string function = FunctionOf(sentence), variable = NameIn(sentence);
  if (function.starts_with("cudaMemset")) return say::take_variables_address(variable);
  const Tokens tokens = TokensOfSource(source);
  const auto call = FirstCall(tokens, function, variable, finding.where.line);
  if (!call) return say::take_variables_address(variable);
  const std::string written = WrittenCopy(tokens, HostCode(source), *call, function, variable, entry);
  if (!written.empty()) return say::write_this_call(written);
  if (!IsOneOf(function, {"cudaMemcpy", "cudaMemcpyAsync"})) return say::take_variables_address(variable);
  return call->number == 0 ? say::copy_to_variable(variable) : say::copy_from_variable(variable);
}

std::string SymbolByAddress(std::string_view source, const Finding& finding) {
  const Tokens tokens = TokensOfSource(source);
  const std::string& function = finding.message.arguments().at(0).text;
  const std::set<std::string> variables = DeviceVariables(tokens);
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].line != finding.where.line || tokens[at].text != function || tokens[at + 1].text != "(")
      continue;
    for (const auto& [begin, end] : PartsOf(tokens, at + 1)) {
      const bool is_address = begin + 2 == end && tokens[begin].text == "&";
      if (is_address && variables.contains(tokens[begin + 1].text)) return tokens[begin + 1].text;
    }
  }
  return "";
}

bool IsDeviceVariable(std::string_view source, const std::string& argument) {
  const Tokens written = TokensOf(argument);
  const std::set<std::string> variables = DeviceVariables(TokensOfSource(source));
  return std::ranges::any_of(variables, [&](const std::string& each) {
    return PlaceIn(written, {0, written.size()}, each).has_value();
  });
}

}  // namespace warplings
