// SPDX-License-Identifier: Apache-2.0
#include "grader/build/host_tokens.h"

#include <algorithm>

namespace warplings {

std::vector<std::string> ArgumentsOf(const HostCode& code, std::size_t at) {
  std::vector<std::string> arguments;
  for (const TokenRange& part : code.PartsOf(at + 1)) {
    std::string& argument = arguments.emplace_back();
    for (std::size_t i = part.begin; i < part.end; ++i) argument += code.At(i);
  }
  return arguments;
}

std::string FunctionAround(const HostCode& code, std::size_t at) {
  int depth = 0;
  while (at-- > 0 && !IsOneOf(code.At(at), {";", "{", "}"})) {
    depth += code.At(at) == "(" ? 1 : code.At(at) == ")" ? -1 : 0;
    if (depth > 0) return at > 0 ? code.At(at - 1) : "";
  }
  return "";
}

bool IsPlainName(const std::string& argument) {
  return IsName(argument) && std::ranges::all_of(argument, IsWordCharacter);
}

std::set<std::string> OnlyDeviceNames(const HostCode& code, std::string_view entry) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < code.size(); ++at) {
    for (const char* const function : {"cudaMalloc", "cudaMallocAsync"})
      names.insert(code.Allocated(at, function));
    if (!entry.empty() && code.At(at) == entry && code.At(at + 1) == "(")
      names.merge(code.PointersIn(at + 1));
  }
  for (std::size_t at = 0; at < code.size(); ++at) {
    names.erase(code.Allocated(at, "cudaMallocManaged"));
    const bool is_set = code.At(at + 1) == "=" && !IsOneOf(code.At(at + 2), {"nullptr", "NULL", "0"});
    if (is_set) names.erase(code.At(at));
  }
  names.erase("");
  return names;
}

int ElementBytes(const HostCode& code, const std::string& name) {
  int known = 0;
  for (std::size_t at = 1; at < code.size(); ++at) {
    const bool is_declared =
        code.At(at) == name && code.At(at - 1) == "*" && IsOneOf(code.At(at + 1), {",", ";", "=", ")"});
    if (!is_declared) continue;
    std::size_t begin = at;
    while (begin > 0 && !IsOneOf(code.At(begin - 1), {";", "{", "}", "(", ")"})) --begin;
    int bytes = 0;
    for (std::size_t i = begin; i < at && code.At(i) != "*"; ++i) {
      const std::string& word = code.At(i);
      if (IsOneOf(word, {"char", "bool", "int8_t", "uint8_t"})) bytes = 1;
      if (IsOneOf(word, {"short", "int16_t", "uint16_t", "__half"})) bytes = 2;
      if (IsOneOf(word, {"double", "long", "size_t", "int64_t", "uint64_t", "float2", "int2"})) bytes = 8;
      if (IsOneOf(word, {"float4", "int4", "double2"})) bytes = 16;
      if (IsOneOf(word, {"float", "int", "unsigned", "int32_t", "uint32_t"}) && bytes == 0) bytes = 4;
    }
    if (known != 0 && known != bytes) return 0;
    known = bytes;
  }
  return known;
}

std::optional<std::size_t> OnlyLaunchIn(const HostCode& code, std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  if (const std::size_t colons = kernel.rfind("::"); colons != kernel.npos) kernel.remove_prefix(colons + 2);
  std::optional<std::size_t> launch;
  for (std::size_t at = 0; at + 2 < code.size(); ++at) {
    if (code.At(at) != kernel) continue;
    std::size_t open = at + 1;
    const bool has_arguments = code.At(open) == "<";
    while (has_arguments && open < code.size() && !IsOneOf(code.At(open), {";", "<<"})) ++open;
    if (code.At(open) != "<<" || code.At(open + 1) != "<") continue;
    if (launch) return std::nullopt;
    launch = at;
  }
  return launch;
}

std::optional<std::size_t> ArgumentsOfLaunch(const HostCode& code, std::size_t launch) {
  for (std::size_t at = launch; at < code.size() && code.At(at) != ";"; ++at) {
    if (code.At(at) == ">>" && code.At(at + 1) == ">" && code.At(at + 2) == "(") return at + 2;
  }
  return std::nullopt;
}

std::optional<PassedName> PassedTo(const HostCode& code, std::string_view kernel, std::size_t number) {
  const auto launch = OnlyLaunchIn(code, kernel);
  const auto open = launch ? ArgumentsOfLaunch(code, *launch) : std::nullopt;
  if (!open || number == 0) return std::nullopt;
  const std::vector<std::string> arguments = ArgumentsOf(code, *open - 1);
  if (number > arguments.size() || !IsPlainName(arguments[number - 1])) return std::nullopt;
  return PassedName{arguments[number - 1], code.LineOf(*launch)};
}

}  // namespace warplings
