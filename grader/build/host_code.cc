// SPDX-License-Identifier: Apache-2.0
#include "grader/build/host_code.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "grader/build/calls.h"
#include "grader/build/code_words.h"
#include "grader/build/host_tokens.h"
#include "grader/build/plain_code.h"
#include "grader/build/variable_calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/host_code.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

/// The call at `at` of a function of the host, or the delete, that gets a pointer to device memory.
std::optional<HostUse> HostCallWith(const HostCode& code, std::size_t at,
                                    const std::set<std::string>& pointers, const std::set<std::string>& own) {
  if (code.At(at) == "delete") {
    const bool is_of_array = code.At(at + 1) == "[";
    const std::string& pointer = code.At(is_of_array ? at + 3 : at + 1);
    if (!own.contains(pointer)) return std::nullopt;
    return HostUse{code.LineOf(at), pointer, is_of_array ? "delete[]" : "delete", "cudaFree"};
  }
  if (!IsOneOf(code.At(at), {"free", "memset", "memcpy"}) || code.At(at + 1) != "(") return std::nullopt;
  const bool is_free = code.At(at) == "free";
  const std::size_t end = code.Behind(at + 1);
  for (std::size_t i = at + 2; i < end; ++i) {
    const bool is_argument = IsOneOf(code.At(i - 1), {"(", ","}) && IsOneOf(code.At(i + 1), {")", ","});
    if (!is_argument || !(is_free ? own : pointers).contains(code.At(i))) continue;
    const char* const fitting = is_free ? "cudaFree" : code.At(at) == "memset" ? "cudaMemset" : "cudaMemcpy";
    return HostUse{code.LineOf(at), code.At(i), code.At(at) + "()", fitting};
  }
  return std::nullopt;
}

/// In the body from `begin` on.
std::optional<HostUse> HostUseIn(const HostCode& code, std::size_t begin, std::set<std::string> pointers) {
  const std::size_t end = code.Behind(begin);
  std::set<std::string> own;  // What the function has allocated.
  for (std::size_t at = begin + 1; at < end; ++at) {
    if (auto call = HostCallWith(code, at, pointers, own)) return call;
    if (code.At(at) == "sizeof") at = code.Behind(at + 1);
    // A pointer or an array of its own, with the same name.
    const bool is_declared = IsOneOf(code.At(at - 1), {"float", "int", "double", "vector"});
    if (is_declared) pointers.erase(code.At(at));
    if (code.At(at + 1) == "=") own.erase(code.At(at));
    if (const std::string name = code.Allocated(at); !name.empty()) {
      pointers.insert(name);
      own.insert(name);
    }
    if (pointers.contains(code.At(at)) && code.IsFollowed(at)) return HostUse{code.LineOf(at), code.At(at)};
  }
  return std::nullopt;
}

/// What is in device memory wherever it stands.
std::set<std::string> DeviceNames(const HostCode& code, std::string_view entry) {
  std::set<std::string> names;
  for (std::size_t at = 0; at < code.size(); ++at) {
    for (const char* const function : {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync"})
      names.insert(code.Allocated(at, function));
    if (code.At(at) == entry && code.At(at + 1) == "(") names.merge(code.PointersIn(at + 1));
  }
  return names;
}

bool IsCopyCall(const std::string& name) {
  return IsOneOf(name, {"cudaMemcpy", "cudaMemcpyAsync"});
}

/// Whether an argument is an address in host memory: of a variable, or of a container's elements.
bool IsHostAddress(const std::string& argument) {
  if (argument.ends_with(".data()")) return IsPlainName(argument.substr(0, argument.size() - 7));
  return argument.starts_with("&") && IsPlainName(argument.substr(1));
}

/// Whether the text of a copy shows where it goes.
bool ShowsDirection(const std::vector<std::string>& arguments) {
  const auto is_known = [](const std::string& each) { return IsPlainName(each) || IsHostAddress(each); };
  return arguments.size() == 4 && is_known(arguments[0]) && is_known(arguments[1]) &&
         IsOneOf(arguments[3], {"cudaMemcpyDeviceToDevice", "cudaMemcpyDeviceToHost",
                                "cudaMemcpyHostToDevice", "cudaMemcpyHostToHost"});
}

/// The direction that fits a copy's pointers, if its own does not, and of which memory both are.
Message FittingDirection(const std::vector<std::string>& arguments, const std::set<std::string>& device) {
  const std::string &target = arguments[0], &source = arguments[1], &kind = arguments[3];
  const bool to = device.contains(target), from = device.contains(source);
  const std::string fitting = from ? (to ? "cudaMemcpyDeviceToDevice" : "cudaMemcpyDeviceToHost")
                                   : (to ? "cudaMemcpyHostToDevice" : "cudaMemcpyHostToHost");
  if (kind == fitting || (!to && !from)) return {};
  const auto memory = [](bool of_device) { return of_device ? say::device_memory() : say::host_memory(); };
  // The word is what its writer means as often as the order of the pointers is.
  if (to && !from && kind == "cudaMemcpyDeviceToHost")
    return say::direction_or_order_that_fits(say::from_device_to_host(), target, memory(to), source,
                                             memory(from), fitting);
  if (from && !to && kind == "cudaMemcpyHostToDevice")
    return say::direction_or_order_that_fits(say::from_host_to_device(), target, memory(to), source,
                                             memory(from), fitting);
  return say::direction_that_fits(target, memory(to), source, memory(from), fitting);
}

/// The free that cannot be done: the second one of a pointer that is set nowhere in between, or the only one
/// of what cudaMalloc never got.
struct WrongFree {
  int line = 0, earlier = 0;
  std::string pointer;
};
std::optional<WrongFree> OnlyWrongFree(const HostCode& code, std::string_view entry) {
  const std::set<std::string> device = DeviceNames(code, entry);
  std::map<std::string, int> freed;
  std::optional<WrongFree> found;
  for (std::size_t at = 0; at < code.size(); ++at) {
    for (const char* const function : {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync"})
      freed.erase(code.Allocated(at, function));
    if (IsName(code.At(at)) && code.At(at + 1) == "=") freed.erase(code.At(at));
    if (code.At(at) != "cudaFree" || code.At(at + 1) != "(") continue;
    const std::string& pointer = code.At(at + 2);
    if (!IsName(pointer) || code.At(at + 3) != ")") return std::nullopt;
    const auto [earlier, is_first] = freed.try_emplace(pointer, code.LineOf(at));
    if (is_first && device.contains(pointer)) continue;
    if (found) return std::nullopt;
    found = WrongFree{code.LineOf(at), is_first ? 0 : earlier->second, pointer};
  }
  return found;
}

/// Whether the copy at `at` cannot be made; nothing if its text does not say where its pointers lead.
std::optional<bool> IsImpossible(const HostCode& code, std::size_t at, const std::set<std::string>& device) {
  const std::size_t end = code.Behind(at + 1);
  const std::string &target = code.At(at + 2), &kind = code.At(end - 2);
  std::size_t second = at + 3;
  if (code.At(second) != "," || !IsName(target)) return std::nullopt;
  ++second;
  const std::string& source = code.At(second);
  if (!IsName(source) || code.At(second + 1) != ",") return std::nullopt;
  const bool to_device = IsOneOf(kind, {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToDevice"});
  const bool from_device = IsOneOf(kind, {"cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"});
  if (!to_device && !from_device) return std::nullopt;
  return (to_device && !device.contains(target)) || (from_device && !device.contains(source));
}

/// Of the only copy that `is_meant(place)` says is meant; it says nothing of one whose text does not show it,
/// and then none is known.
template <class IsMeant>
std::optional<int> OnlyCopy(const HostCode& code, const IsMeant& is_meant) {
  std::optional<int> line;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (!code.At(at).starts_with("cudaMemcpy") || code.At(at + 1) != "(") continue;
    const std::optional<bool> meant = code.At(at) == "cudaMemcpy" ? is_meant(at) : std::nullopt;
    if (!meant || (*meant && line)) return std::nullopt;
    if (*meant) line = code.LineOf(at);
  }
  return line;
}

/// Whether a copy gets the name of a `__constant__` or `__device__` variable.
bool NamesVariable(std::string_view source, const std::vector<std::string>& arguments) {
  return std::ranges::any_of(arguments,
                             [&](const std::string& each) { return IsDeviceVariable(source, each); });
}

/// Of the only copy that its direction makes impossible.
std::optional<int> OnlyWrongDirection(std::string_view source, std::string_view entry) {
  const HostCode code(source);
  const std::set<std::string> device = DeviceNames(code, entry);
  return OnlyCopy(code, [&](std::size_t at) -> std::optional<bool> {
    // No direction makes that one right.
    if (NamesVariable(source, ArgumentsOf(code, at))) return false;
    return IsImpossible(code, at, device);
  });
}

/// Of the only copy in one direction, if the text shows the direction of all.
std::optional<int> OnlyInDirection(std::string_view source, std::string_view direction) {
  const HostCode code(source);
  return OnlyCopy(code, [&](std::size_t at) -> std::optional<bool> {
    const std::string& kind = code.At(code.Behind(at + 1) - 2);
    if (!IsOneOf(kind, {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice",
                        "cudaMemcpyHostToHost"}))
      return std::nullopt;
    return kind == direction;
  });
}

/// Of the only call of a function with this name, or with one that begins so.
std::optional<int> OnlyCallOf(std::string_view source, std::string_view function) {
  const HostCode code(source);
  std::optional<int> line;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (!code.At(at).starts_with(function)) continue;
    const bool is_call = code.At(at + 1) == "(";
    // A second one, or a pointer to the function.
    if (is_call ? line.has_value() : code.At(at) == function) return std::nullopt;
    if (is_call) line = code.LineOf(at);
  }
  return line;
}

/// The body of the function that the token at `at` is in.
struct Body {
  std::size_t begin = 0, end = 0;

  bool Has(std::size_t at) const { return begin < at && at < end; }
};
Body BodyAround(const HostCode& code, std::size_t at) {
  for (std::size_t i = 1; i < at; ++i) {
    if (code.At(i) != "(" || !IsName(code.At(i - 1))) continue;
    const std::size_t begin = code.Behind(i);
    if (code.At(begin) != "{") continue;
    const Body body{begin, code.Behind(begin)};
    if (body.Has(at)) return body;
    i = body.end - 1;
  }
  return {};
}

enum class CopyDirection { kToHost, kFromHost };

/// Whether the copy at `at` may have this direction: its text excludes no direction but by a word.
bool MayGo(const HostCode& code, std::size_t at, CopyDirection direction) {
  const bool to_host = direction == CopyDirection::kToHost;
  if (code.At(at).starts_with(to_host ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol")) return false;
  const char* const opposite = to_host ? "cudaMemcpyHostToDevice" : "cudaMemcpyDeviceToHost";
  return std::ranges::none_of(ArgumentsOf(code, at), [&](const std::string& each) {
    return each == opposite || IsOneOf(each, {"cudaMemcpyDeviceToDevice", "cudaMemcpyHostToHost"});
  });
}

/// The only copy that may have this direction, of those that `is_meant(place)` says.
template <class IsMeant>
std::optional<HostCopy> OnlyCopyIn(const HostCode& code, CopyDirection direction, const IsMeant& is_meant) {
  std::optional<HostCopy> found;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (!code.At(at).starts_with("cudaMemcpy") || code.At(at + 1) != "(") continue;
    if (!MayGo(code, at, direction) || !is_meant(at)) continue;
    if (found) return std::nullopt;
    found = HostCopy{.line = code.LineOf(at)};
    const std::vector<std::string> arguments = ArgumentsOf(code, at);
    const std::size_t of_device = direction == CopyDirection::kToHost ? 1 : 0;
    if (!IsCopyCall(code.At(at)) || arguments.size() < 4 || !IsPlainName(arguments[of_device])) continue;
    found->pointer = arguments[of_device];
    found->element_bytes = ElementBytes(code, found->pointer);
  }
  return found;
}

/// To the host: before the launch. From it: after the launch.
std::optional<HostCopy> OnlyCopyBesideLaunch(const HostCode& code, std::string_view kernel,
                                             CopyDirection direction) {
  const auto launch = OnlyLaunchIn(code, kernel);
  if (!launch) return std::nullopt;
  const Body body = BodyAround(code, *launch);
  const bool is_before = direction == CopyDirection::kToHost;
  auto found = OnlyCopyIn(code, direction, [&](std::size_t at) {
    return body.Has(at) && (is_before ? at < *launch : at > *launch);
  });
  if (found) found->launch = code.LineOf(*launch);
  return found;
}

/// A copy whose pointers the source shows, and whose direction is another one.
struct Misdirected {
  int line = 0;
  Message why;
};
/// The only one that its direction makes impossible, or the only one that is done all the same.
std::optional<Misdirected> OnlyMisdirected(std::string_view source, std::string_view entry, bool impossible) {
  const HostCode code(source);
  const std::set<std::string> device = OnlyDeviceNames(code, entry);
  std::optional<Misdirected> found;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (!code.At(at).starts_with("cudaMemcpy") || code.At(at + 1) != "(") continue;
    const std::vector<std::string> arguments = ArgumentsOf(code, at);
    if (NamesVariable(source, arguments)) continue;  // No direction makes that one right.
    if (code.At(at) != "cudaMemcpy" || !ShowsDirection(arguments)) return std::nullopt;
    const Message why = FittingDirection(arguments, device);
    if (why.empty()) continue;
    const std::string& kind = arguments[3];
    const bool is_impossible = (!device.contains(arguments[0]) &&
                                IsOneOf(kind, {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToDevice"})) ||
                               (!device.contains(arguments[1]) &&
                                IsOneOf(kind, {"cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"}));
    if (is_impossible != impossible) continue;
    if (found) return std::nullopt;
    found = Misdirected{code.LineOf(at), why};
  }
  return found;
}

/// A copy or a memset of memory that a line above it, in the same block or around it, has freed.
struct UseOfFreed {
  int line = 0, freed = 0;
  std::string pointer;
};
std::optional<UseOfFreed> OnlyUseOfFreed(const HostCode& code) {
  struct Freed {
    int line = 0, depth = 0;
  };
  std::map<std::string, Freed> freed;
  std::optional<UseOfFreed> found;
  int depth = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    depth += code.At(at) == "{" ? 1 : code.At(at) == "}" ? -1 : 0;
    // What a branch frees may be alive where the branch is not taken.
    std::erase_if(freed, [&](const auto& each) { return each.second.depth > depth; });
    for (const char* const function : {"cudaMalloc", "cudaMallocManaged", "cudaMallocAsync"})
      freed.erase(code.Allocated(at, function));
    if (IsName(code.At(at)) && code.At(at + 1) == "=") freed.erase(code.At(at));
    if (code.At(at + 1) != "(") continue;
    // `if (done) cudaFree(p);` is a branch without braces.
    const bool is_conditional = at > 0 && IsOneOf(code.At(at - 1), {")", "else", "?", ":", "&&", "||"});
    if (code.At(at) == "cudaFree" && IsName(code.At(at + 2)) && code.At(at + 3) == ")" && !is_conditional)
      freed.try_emplace(code.At(at + 2), Freed{code.LineOf(at), depth});
    if (!code.At(at).starts_with("cudaMemcpy") && !code.At(at).starts_with("cudaMemset")) continue;
    const std::size_t end = code.Behind(at + 1);
    const auto used = [&](std::size_t i) { return freed.contains(code.At(i)); };
    std::size_t i = at + 2;
    while (i < end && !used(i)) ++i;
    if (i == end) continue;
    if (found) return std::nullopt;
    found = UseOfFreed{code.LineOf(at), freed.at(code.At(i)).line, code.At(i)};
  }
  return found;
}

/// Of the only asynchronous copy to the host, if the text shows the direction of all.
std::optional<int> OnlyAsyncCopyToHost(std::string_view source) {
  const HostCode code(source);
  std::optional<int> line;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code.At(at) != "cudaMemcpyAsync" || code.At(at + 1) != "(") continue;
    const std::vector<std::string> arguments = ArgumentsOf(code, at);
    const std::string kind = arguments.size() > 3 ? arguments[3] : "";
    const bool is_elsewhere =
        IsOneOf(kind, {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToDevice", "cudaMemcpyHostToHost"});
    if (is_elsewhere) continue;
    if (kind != "cudaMemcpyDeviceToHost" || line) return std::nullopt;
    line = code.LineOf(at);
  }
  return line;
}

/// "coef" of `cudaMemcpyToSymbol("coef", …)` in the finding's line; empty if no name in quotes is there.
std::string QuotedSymbol(std::string_view source, const Finding& finding) {
  for (int line = 1; line < finding.where.line && !source.empty(); ++line)
    source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
  source = source.substr(0, source.find('\n'));
  const std::string& call = finding.message.arguments().at(0).text;
  const std::size_t begin = source.find(call.substr(0, call.find(' ')));
  if (begin == source.npos) return "";
  const std::size_t open = source.find('"', begin), close = source.find('"', open + 1);
  if (open == source.npos || close == source.npos || open > source.find(')', begin)) return "";
  const std::string name(source.substr(open + 1, close - open - 1));
  return !name.empty() && std::ranges::all_of(name, IsWordCharacter) ? name : "";
}

/// Of a race between streams: where its later operation is, a copy between host and device.
std::optional<int> LineOfRacingCopy(std::string_view source, const Finding& race) {
  const std::vector<Argument>& said = race.message.arguments();
  if (said.empty() || said[0].inner.empty()) return std::nullopt;
  const bool to_host = said[0].inner[0] == say::copy_from_device();
  if (!to_host && said[0].inner[0] != say::copy_to_device()) return std::nullopt;
  const auto copy = OnlyCopyIn(HostCode(source), to_host ? CopyDirection::kToHost : CopyDirection::kFromHost,
                               [](std::size_t) { return true; });
  return copy ? std::optional(copy->line) : std::nullopt;
}

/// Where the body of the function `entry` begins, and its pointers; nothing if it is not in the source.
struct EntryBody {
  std::size_t begin = 0, end = 0;
  std::set<std::string> pointers;
};
std::optional<EntryBody> BodyOf(const HostCode& code, std::string_view entry) {
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code.At(at) != entry || code.At(at + 1) != "(") continue;
    const std::size_t begin = code.Behind(at + 1);
    if (code.At(begin) == "{") return EntryBody{begin, code.Behind(begin), code.PointersIn(at + 1)};
  }
  return std::nullopt;
}

/// The last launch in a body: where it is, and the arguments of all.
struct Launches {
  std::size_t last = 0;
  std::set<std::string> arguments;
};
std::optional<Launches> LaunchesIn(const HostCode& code, const EntryBody& body) {
  std::optional<Launches> found;
  for (std::size_t at = body.begin; at < body.end; ++at) {
    // Other ways of launching hide which kernel gets what.
    if (code.At(at).starts_with("cudaLaunch") || code.At(at).starts_with("cudaGraph")) return std::nullopt;
    if (code.At(at) != "<<" || code.At(at + 1) != "<") continue;
    if (!found) found.emplace();
    found->last = at;
    while (at < body.end && code.At(at) != ";") found->arguments.insert(code.At(at++));
  }
  return found;
}

/// Whether the statement that the name at `at` is in runs whenever the launch has run: no condition and no
/// loop comes before it, and no `return` between the two.
bool AlwaysFollows(const HostCode& code, std::size_t begin, std::size_t launch, std::size_t at) {
  int depth = 0;
  for (std::size_t i = begin + 1; i < at; ++i) depth += code.At(i) == "{" ? 1 : code.At(i) == "}" ? -1 : 0;
  if (depth != 0) return false;
  for (std::size_t i = launch; i < at; ++i) {
    if (IsOneOf(code.At(i), {"return", "goto", "throw"})) return false;
  }
  for (std::size_t i = at; i-- > begin && !IsOneOf(code.At(i), {";", "{", "}"});) {
    if (IsOneOf(code.At(i), {"if", "else", "for", "while", "do", "?", "&&", "||", "[", "case"})) return false;
  }
  return true;
}

/// The first call after the last launch in the function `entry` that `target_of(name, arguments, body,
/// launches)` says is late: it returns what the call fills, or nothing.
template <class TargetOf>
std::optional<LateCall> FindLate(const HostCode& code, std::string_view entry, const TargetOf& target_of) {
  const auto body = BodyOf(code, entry);
  const auto launches = body ? LaunchesIn(code, *body) : std::nullopt;
  if (!launches) return std::nullopt;
  for (std::size_t at = launches->last; at < body->end; ++at) {
    if (!code.At(at).starts_with("cudaMem") || code.At(at + 1) != "(") continue;
    const std::string target = target_of(code.At(at), ArgumentsOf(code, at), *body, *launches);
    if (target.empty() || !AlwaysFollows(code, body->begin, launches->last, at)) continue;
    return LateCall{code.LineOf(at), code.LineOf(launches->last), code.At(at), target};
  }
  return std::nullopt;
}

/// Whether a function of the device names it.
bool IsUsedOnDevice(const HostCode& code, const std::string& name) {
  for (std::size_t at = 1; at < code.size(); ++at) {
    if (code.At(at) != "(" || !IsName(code.At(at - 1)) || !code.IsOfDevice(at - 1)) continue;
    const std::size_t body = code.Behind(at);
    if (code.At(body) != "{") continue;
    for (std::size_t i = body; i < code.Behind(body); ++i) {
      if (code.At(i) == name) return true;
    }
  }
  return false;
}

bool IsSet(const HostCode& code, const std::string& name) {
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code.At(at) == name && IsOneOf(code.At(at + 1), {"=", "+=", "-=", "++", "--"})) return true;
  }
  return false;
}

/// A cudaMalloc that gets a pointer in the place of its address, `(void**)d`.
struct WrongMalloc {
  int line = 0;
  std::string pointer;
};
std::optional<WrongMalloc> OnlyMallocWithoutAddress(const HostCode& code) {
  std::optional<WrongMalloc> found;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code.At(at) != "cudaMalloc" || code.At(at + 1) != "(") continue;
    std::string pointer = ArgumentsOf(code, at).front();
    if (pointer.starts_with("(") && !pointer.ends_with(")")) pointer.erase(0, pointer.find(')') + 1);
    if (!IsPlainName(pointer)) continue;
    if (found) return std::nullopt;
    found = WrongMalloc{code.LineOf(at), pointer};
  }
  return found;
}

/// Whether the name at `at` is an argument of a function of the program's own, which may set it.
bool IsGivenAway(const HostCode& code, std::size_t at) {
  if (IsOneOf(code.At(at - 1), {"*", "__restrict__"}))
    return false;  // A parameter, or only what it points to.
  const std::string caller = FunctionAround(code, at);
  return IsName(caller) && !caller.starts_with("cuda") &&
         !IsOneOf(caller, {"if", "while", "sizeof", "printf", "free", "return"});
}

/// The pointers that are declared without a value, or as null, and that nothing sets.
std::set<std::string> PointersNeverSet(const HostCode& code) {
  const auto is_null = [&](std::size_t at) { return IsOneOf(code.At(at), {"nullptr", "NULL", "0"}); };
  std::set<std::string> names;
  for (std::size_t at = 1; at < code.size(); ++at) {
    if (code.At(at - 1) != "*" || !IsName(code.At(at))) continue;
    const bool is_without_value = IsOneOf(code.At(at + 1), {";", ","}) && !code.IsBetweenParentheses(at);
    if (is_without_value || (code.At(at + 1) == "=" && is_null(at + 2))) names.insert(code.At(at));
  }
  for (std::size_t at = 1; at < code.size(); ++at) {
    const bool is_set = code.At(at + 1) == "=" && !is_null(at + 2);
    if (is_set || code.At(at - 1) == "&" || IsOneOf(code.At(at - 1), {".", "->"}) || IsGivenAway(code, at))
      names.erase(code.At(at));
  }
  return names;
}

/// The first call of this function with such a pointer in front of its size.
struct NullCall {
  int line = 0;
  std::string pointer;
};
std::optional<NullCall> FirstCallWithNull(std::string_view source, std::string_view function) {
  const HostCode code(source);
  const std::set<std::string> pointers = PointersNeverSet(code);
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code.At(at) != function || code.At(at + 1) != "(") continue;
    const std::vector<std::string> arguments = ArgumentsOf(code, at);
    for (std::size_t i = 0; i < std::min<std::size_t>(2, arguments.size()); ++i)
      if (pointers.contains(arguments[i])) return NullCall{code.LineOf(at), arguments[i]};
  }
  return std::nullopt;
}

/// Whether the name at `at` is a pointer that a function's body declares without a value.
bool IsDeclaredUnset(const HostCode& code, std::size_t at) {
  if (code.At(at - 1) != "*" || !IsName(code.At(at)) || !IsOneOf(code.At(at + 1), {";", ","})) return false;
  std::size_t first = at;
  while (first > 0 && !IsOneOf(code.At(first - 1), {";", "{", "}"})) {
    --first;
    // `static` begins as null; the rest is no declaration, or one of which a part has a value.
    const std::string& word = code.At(first);
    if (IsOneOf(word, {"static", "extern", "thread_local", "return", "delete", "throw", "typedef", "using"}))
      return false;
    if (!IsName(word) && !IsOneOf(word, {"*", ",", "::", "<", ">"})) return false;
  }
  if (first == 0 || !IsName(code.At(first))) return false;
  // The bracket around it belongs to a function or to one of its blocks, and not to a class.
  std::size_t depth = 0;
  for (std::size_t open = first; open-- > 0;) {
    if (code.At(open) == "}") ++depth;
    if (code.At(open) != "{") continue;
    if (depth == 0) return open > 0 && IsOneOf(code.At(open - 1), {")", "else", "do", "try", "noexcept"});
    --depth;
  }
  return false;
}

/// Whether functions of this name are all defined here, and take no reference.
bool TakesOnlyValues(const HostCode& code, const std::string& function) {
  bool is_defined = false;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code.At(at) != function || code.At(at + 1) != "(" || code.At(at - 1) == "define") continue;
    const std::size_t end = code.Behind(at + 1);
    if (code.At(end) != "{") continue;
    for (std::size_t i = at + 2; i < end; ++i) {
      if (IsOneOf(code.At(i), {"&", "&&", "auto"})) return false;
    }
    is_defined = true;
  }
  return is_defined;
}

/// The places in which a pointer of that name may get a value.
std::vector<std::size_t> PlacesThatSet(const HostCode& code, const std::string& name) {
  std::vector<std::size_t> places;
  for (std::size_t at = 1; at < code.size(); ++at) {
    if (code.At(at) != name || code.At(at + 1) == "[") continue;
    const std::string &before = code.At(at - 1), &behind = code.At(at + 1);
    const bool is_given_away = IsGivenAway(code, at) && !TakesOnlyValues(code, FunctionAround(code, at));
    if (IsOneOf(behind, {"=", "(", "{", "+=", "-=", "++", "--", ">>"}) ||
        IsOneOf(before, {"&", ".", "->", "++", "--", "[", ">>"}) || before == "=" || is_given_away)
      places.push_back(at);
  }
  return places;
}

bool IsSetSomewhere(const HostCode& code, const std::string& name) {
  return !PlacesThatSet(code, name).empty();
}

bool IsSetByMallocAlone(const HostCode& code, const std::string& name) {
  const std::vector<std::size_t> places = PlacesThatSet(code, name);
  return !places.empty() && std::ranges::all_of(places, [&](std::size_t at) {
    return code.At(at - 1) == "&" && FunctionAround(code, at).starts_with("cudaMalloc");
  });
}

/// Whether the name at `at` is by itself an argument of a launch, or one of a call that has to be in device
/// memory.
bool IsPassedToDevice(const HostCode& code, std::size_t at) {
  if (!IsOneOf(code.At(at - 1), {"(", ","}) || !IsOneOf(code.At(at + 1), {")", ","})) return false;
  const std::string around = FunctionAround(code, at);
  const bool is_first = code.At(at - 1) == "(";
  if (around.ends_with(">")) return true;
  if (IsOneOf(around, {"cudaFree", "cudaMemset", "cudaMemsetAsync"})) return is_first;
  if (!IsCopyCall(around)) return false;
  std::size_t end = at;
  while (end < code.size() && !IsOneOf(code.At(end), {";", "{", "}"})) ++end;
  const auto has = [&](const char* kind) {
    for (std::size_t i = at; i < end; ++i) {
      if (code.At(i) == kind) return true;
    }
    return false;
  };
  return has("cudaMemcpyDeviceToDevice") ||
         has(is_first ? "cudaMemcpyHostToDevice" : "cudaMemcpyDeviceToHost");
}

bool IsOfNullPointer(const Finding& refused) {
  return refused.message.arguments().at(1).inner.at(0) == say::null_pointer_passed();
}

bool IsMallocOfNull(const Finding& refused) {
  return refused.message.arguments().at(0).text == "cudaMalloc" &&
         refused.message.arguments().at(1).inner.at(0) == say::null_pointer_passed();
}

bool IsOfLostMemory(const Finding& refused) {
  return refused.message.arguments().at(1).inner.at(0) == say::not_live_memory();
}

/// `cudaMemset(&output, …)`: the pointer in that line's call whose own address is passed; empty if none is.
std::string PointerByAddress(std::string_view source, const HostCode& code, const Finding& refused) {
  const std::string& name = refused.message.arguments().at(0).text;
  const std::string call = name.substr(0, name.find(' '));
  for (std::size_t at = 0; at < code.size(); ++at) {
    const bool is_it = code.LineOf(at) == refused.where.line && code.At(at).starts_with(call);
    if (!is_it || code.At(at + 1) != "(") continue;
    for (std::string argument : ArgumentsOf(code, at)) {
      std::erase(argument, ' ');
      if (!argument.starts_with('&') || !IsPlainName(argument.substr(1))) continue;
      const std::string pointer = argument.substr(1);
      const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
      const auto behind = std::ranges::find_if(
          tokens, [&](const CodeToken& token) { return token.line > refused.where.line; });
      const auto type = DeclaredType(tokens, pointer, static_cast<std::size_t>(behind - tokens.begin()));
      if (type && type->stars > 0) return pointer;
    }
  }
  return "";
}

}  // namespace

std::optional<UnsetPointer> FindUnsetPointer(std::string_view source) {
  const HostCode code(source);
  for (std::size_t at = 1; at < code.size(); ++at) {
    if (!IsDeclaredUnset(code, at) || IsSetSomewhere(code, code.At(at))) continue;
    for (std::size_t use = at + 1, depth = 1; use < code.size() && depth > 0; ++use) {
      depth += code.At(use) == "{" ? 1 : code.At(use) == "}" ? -1 : 0;
      if (code.At(use) == code.At(at) && IsPassedToDevice(code, use))
        return UnsetPointer{code.At(at), code.LineOf(at), code.LineOf(use)};
    }
  }
  return std::nullopt;
}

std::string PointerWithoutValue(std::string_view source, const Finding& refused) {
  if (!say::refused.Made(refused.message) || refused.where.line == 0) return "";
  const std::string& name = refused.message.arguments().at(0).text;
  const std::string call = name.substr(0, name.find(' '));
  const Message& reason = refused.message.arguments().at(1).inner.at(0);
  const bool is_of_the_caller = reason == say::callers_memory() || say::unset_pointer.Made(reason);
  const HostCode code(source);
  for (std::size_t at = 1; at < code.size(); ++at) {
    if (!IsDeclaredUnset(code, at)) continue;
    // No cudaMalloc returns memory of the caller.
    const bool is_unset =
        !IsSetSomewhere(code, code.At(at)) || (is_of_the_caller && IsSetByMallocAlone(code, code.At(at)));
    if (!is_unset) continue;
    for (std::size_t use = at + 1, depth = 1; use < code.size() && depth > 0; ++use) {
      depth += code.At(use) == "{" ? 1 : code.At(use) == "}" ? -1 : 0;
      if (code.At(use) == code.At(at) && code.LineOf(use) == refused.where.line &&
          FunctionAround(code, use) == call && IsPassedToDevice(code, use))
        return code.At(at);
    }
  }
  return "";
}

Message WhyRefused(std::string_view source, const Finding& finding, std::string_view entry) {
  if (finding.kind != FindingKind::kInvalidCall) return {};
  if (UsesVariableAsPointer(finding)) return RemedyOfVariableCall(source, finding, entry);
  if (!say::refused.Made(finding.message)) return {};
  const HostCode code(source);
  if (IsMallocOfNull(finding)) {
    const auto wrong = OnlyMallocWithoutAddress(code);
    return say::malloc_wants_address(wrong ? wrong->pointer : "pointer");
  }
  if (IsOfNullPointer(finding)) {
    const auto call = FirstCallWithNull(source, finding.message.arguments().at(0).text);
    if (call && call->line == finding.where.line) return say::pointer_is_never_set(call->pointer);
  }
  if (const std::string pointer = PointerWithoutValue(source, finding); !pointer.empty()) {
    return IsSetByMallocAlone(code, pointer) ? say::pointer_is_not_set_yet(pointer)
                                             : say::pointer_has_no_value(pointer);
  }
  if (finding.message.arguments().at(1).inner.at(0) == say::wrong_direction()) {
    const auto copy = OnlyMisdirected(source, entry, true);
    return copy && copy->line == finding.where.line ? copy->why : Message();
  }
  if (finding.message.arguments().at(1).inner.at(0) == say::unknown_symbol()) {
    const std::string quoted = QuotedSymbol(source, finding);
    if (!quoted.empty()) return say::symbol_in_quotes(quoted);
    const std::string variable = SymbolByAddress(source, finding);
    return variable.empty() ? Message() : say::symbol_by_address(variable);
  }
  if (IsOfLostMemory(finding)) {
    const std::string pointer = PointerByAddress(source, code, finding);
    if (!pointer.empty()) return say::address_of_host_variable(pointer);
    const auto use = OnlyUseOfFreed(code);
    if (use && use->line == finding.where.line)
      return say::is_freed_before(use->pointer, say::Line(use->freed));
  }
  if (finding.message.arguments().at(0).text != "cudaFree") return {};
  if (finding.message.arguments().at(1).inner.at(0) == say::callers_memory()) {
    const auto free = OnlyWrongFree(code, "");
    const bool is_it = free && free->line == finding.where.line && free->earlier == 0;
    return is_it ? say::is_of_the_caller(free->pointer) : say::memory_is_of_the_caller();
  }
  const auto free = OnlyWrongFree(code, "");
  if (!free || free->line != finding.where.line) return {};
  return free->earlier != 0 ? say::is_already_freed(free->pointer, say::Line(free->earlier))
                            : say::is_not_of_cuda_malloc(free->pointer);
}

Message WhyTooLarge(std::string_view source, const Finding& finding) {
  if (!say::refused.Made(finding.message) || finding.where.line == 0) return {};
  const Message& reason = finding.message.arguments().at(1).inner.at(0);
  if (!say::larger_than_allocation.Made(reason)) return {};
  const std::int64_t wanted = reason.arguments().at(0).number, there = reason.arguments().at(1).number;
  const std::string& name = finding.message.arguments().at(0).text;
  const std::string call = name.substr(0, name.find(' '));
  const HostCode code(source);
  for (std::size_t at = 0; at < code.size(); ++at) {
    const bool is_it = code.LineOf(at) == finding.where.line && code.At(at).starts_with(call);
    if (!is_it || code.At(at + 1) != "(") continue;
    const std::vector<std::string> arguments = ArgumentsOf(code, at);
    const bool fills = call == "cudaMemset" && arguments.size() >= 3;
    const bool copies = call == "cudaMemcpy" && arguments.size() >= 4;
    if (!fills && !copies) return {};
    // Which of a copy's two is too small, its direction says.
    const bool to_device = fills || arguments[3] == "cudaMemcpyHostToDevice";
    if (!to_device && arguments[3] != "cudaMemcpyDeviceToHost") return {};
    const std::string& pointer = arguments[to_device ? 0 : 1];
    if (!IsPlainName(pointer)) return {};
    const auto& row = fills ? say::sets_too_many_bytes : say::copies_too_many_bytes;
    return row(code.At(at), say::Line(finding.where.line), say::Count(wanted, "byte"), pointer, there);
  }
  return {};
}

std::optional<LateCall> FindOverwrittenResults(std::string_view source, std::string_view entry) {
  const HostCode code(source);
  return FindLate(code, entry,
                  [&](const std::string& call, const std::vector<std::string>& arguments,
                      const EntryBody& body, const Launches& launches) -> std::string {
                    const bool fills = IsOneOf(call, {"cudaMemset", "cudaMemsetAsync"});
                    if ((!fills && !IsCopyCall(call)) || arguments.size() < 3) return "";
                    const std::string& target = arguments[0];
                    // What else a copy brings may be the result.
                    const bool is_of_input = fills || body.pointers.contains(arguments[1]);
                    const bool is_result = is_of_input && body.pointers.contains(target) &&
                                           launches.arguments.contains(target) && !IsSet(code, target);
                    return is_result ? target : "";
                  });
}

std::optional<LateCall> FindLateSymbol(std::string_view source, std::string_view entry) {
  const HostCode code(source);
  return FindLate(code, entry,
                  [&](const std::string& call, const std::vector<std::string>& arguments, const EntryBody&,
                      const Launches& launches) -> std::string {
                    if (!call.starts_with("cudaMemcpyToSymbol")) return "";
                    const std::string& symbol = arguments[0];
                    if (!IsPlainName(symbol) || !IsUsedOnDevice(code, symbol)) return "";
                    for (std::size_t at = 0; at < launches.last; ++at) {
                      if (!code.At(at).starts_with("cuda") || code.At(at + 1) != "(") continue;
                      const std::vector<std::string> before = ArgumentsOf(code, at);
                      if (std::ranges::any_of(before, [&](const std::string& each) {
                            return each == symbol || each == "&" + symbol;
                          }))
                        return "";
                    }
                    return symbol;
                  });
}

std::optional<OutputCopy> FindOutputCopy(std::string_view source, std::string_view entry,
                                         const std::string& output) {
  const HostCode code(source);
  const auto body = BodyOf(code, entry);
  const auto launches = body ? LaunchesIn(code, *body) : std::nullopt;
  if (!launches || !body->pointers.contains(output) || IsSet(code, output)) return std::nullopt;
  std::optional<OutputCopy> found;
  std::set<std::string> own;
  for (std::size_t at = body->begin; at < body->end; ++at) {
    own.insert(code.Allocated(at));
    if (!code.At(at).starts_with("cudaMemcpy") || code.At(at + 1) != "(") continue;
    const std::vector<std::string> arguments = ArgumentsOf(code, at);
    if (arguments.size() < 3 || arguments[0] != output) continue;
    if (found || at < launches->last || !IsCopyCall(code.At(at))) return std::nullopt;
    const std::string& from = arguments[1];
    found = OutputCopy{code.LineOf(at), code.At(at), "", launches->arguments.contains(output)};
    if (!from.empty() && own.contains(from) && launches->arguments.contains(from)) found->from = from;
  }
  return found && (found->is_used || !found->from.empty()) ? found : std::nullopt;
}

std::optional<int> OnlyLaunchOf(std::string_view source, std::string_view kernel) {
  const HostCode code(source);
  const auto launch = OnlyLaunchIn(code, kernel);
  return launch ? std::optional(code.LineOf(*launch)) : std::nullopt;
}

std::vector<LibraryCall> CallsOfAlgorithms(std::string_view source) {
  std::vector<LibraryCall> calls;
  const HostCode code(source);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const bool is_cub = code.At(i) == "cub";
    if (!is_cub && code.At(i) != "thrust") continue;
    const int line = code.LineOf(i);
    std::string name = code.At(i), last;
    while (i + 2 < code.size() && code.At(i + 1) == "::" && IsName(code.At(i + 2))) {
      last = code.At(i + 2);
      name += "::" + last;
      i += 2;
    }
    // What makes an iterator, a pointer or a function object is no algorithm; CUB's are members of Device….
    const bool is_helper = last.starts_with("make_") || last.ends_with("_cast") ||
                           last.ends_with("_vector") || last.ends_with("_iterator") || last == "device" ||
                           last == "host" || (is_cub && !name.starts_with("cub::Device"));
    if (i + 1 < code.size() && code.At(i + 1) == "(" && !last.empty() && !is_helper)
      calls.push_back({name, line});
  }
  return calls;
}

std::optional<HostCopy> OnlyCopyToHost(std::string_view source) {
  return OnlyCopyIn(HostCode(source), CopyDirection::kToHost, [](std::size_t) { return true; });
}

std::optional<HostCopy> OnlyCopyOfElements(std::string_view source) {
  const HostCode code(source);
  std::set<std::string> sizes;  // Names that are set to something with a sizeof.
  for (std::size_t at = 1; at < code.size(); ++at) {
    if (code.At(at) != "=") continue;
    for (std::size_t i = at + 1; i < code.size() && code.At(i) != ";"; ++i) {
      if (code.At(i) == "sizeof") sizes.insert(code.At(at - 1));
    }
  }
  return OnlyCopyIn(code, CopyDirection::kToHost, [&](std::size_t at) {
    const std::vector<std::string> arguments = ArgumentsOf(code, at);
    if (!IsCopyCall(code.At(at)) || arguments.size() < 4) return false;
    const std::vector<CodeToken> size = TokensOf(arguments[2]);
    return std::ranges::none_of(
        size, [&](const CodeToken& each) { return each.text == "sizeof" || sizes.contains(each.text); });
  });
}

std::optional<HostCopy> OnlyCopyAfterLaunch(std::string_view source, std::string_view kernel) {
  return OnlyCopyBesideLaunch(HostCode(source), kernel, CopyDirection::kFromHost);
}

std::optional<HostCopy> OnlyCopyBeforeLaunch(std::string_view source, std::string_view kernel) {
  return OnlyCopyBesideLaunch(HostCode(source), kernel, CopyDirection::kToHost);
}

std::vector<UnfreedPointer> FindUnfreed(std::string_view source) {
  const HostCode code(source);
  std::map<std::string, int> lines;
  std::set<std::string> freed;
  std::vector<std::string> in_order;
  for (std::size_t at = 0; at < code.size(); ++at) {
    for (const char* const function : {"cudaMalloc", "cudaMallocManaged"}) {
      if (code.At(at) != function) continue;
      const std::string pointer = code.Allocated(at, function);
      // Two allocations of one name may be two functions' variables, and another name may be one for the
      // same.
      if (pointer.empty() || !lines.emplace(pointer, code.LineOf(at)).second) return {};
      in_order.push_back(pointer);
    }
    if (code.At(at) != "cudaFree") continue;
    // Who passes the function itself, as to a smart pointer, may free anything.
    if (code.At(at + 1) != "(" || !IsName(code.At(at + 2)) || code.At(at + 3) != ")") return {};
    freed.insert(code.At(at + 2));
  }
  for (const std::string& pointer : freed) {
    if (lines.erase(pointer) == 0) return {};
  }
  std::vector<UnfreedPointer> found;
  for (const std::string& pointer : in_order) {
    if (const auto line = lines.find(pointer); line != lines.end()) found.push_back({pointer, line->second});
  }
  return found;
}

std::optional<int> LineOfRefused(std::string_view source, const Finding& finding, std::string_view entry) {
  if (finding.kind == FindingKind::kLeak) {
    const std::vector<UnfreedPointer> unfreed = FindUnfreed(source);
    const bool is_it = say::leak_of_one.Made(finding.message) && unfreed.size() == 1;
    return is_it ? std::optional(unfreed.front().line) : std::nullopt;
  }
  if (say::time_before_event.Made(finding.message)) return OnlyCallOf(source, "cudaEventElapsedTime");
  if (finding.kind == FindingKind::kMissingWait && finding.kernel.empty()) return OnlyAsyncCopyToHost(source);
  const bool is_of_launch =
      finding.kind == FindingKind::kInvalidLaunch || finding.kind == FindingKind::kMissingWait;
  if (is_of_launch && !finding.kernel.empty()) return OnlyLaunchOf(source, finding.kernel);
  if (finding.kind == FindingKind::kRaceBetweenStreams && finding.kernel.empty())
    return LineOfRacingCopy(source, finding);
  if (finding.kind != FindingKind::kInvalidCall) return std::nullopt;
  if (UsesVariableAsPointer(finding)) return LineOfVariableCall(source, finding);
  if (say::other_direction_of_variable.Made(finding.message))
    return OnlyCallOf(source, finding.message.arguments().at(0).text);
  if (say::other_direction.Made(finding.message) || say::other_direction_in_device.Made(finding.message)) {
    if (const auto line = OnlyCallOf(source, finding.message.arguments().at(0).text)) return line;
    const auto copy = OnlyMisdirected(source, entry, false);
    return copy ? std::optional(copy->line) : std::nullopt;
  }
  if (!say::refused.Made(finding.message)) return std::nullopt;
  if (IsMallocOfNull(finding)) {
    if (const auto wrong = OnlyMallocWithoutAddress(HostCode(source))) return wrong->line;
  }
  // "cudaMemcpy to the device".
  const std::string& call = finding.message.arguments().at(0).text;
  if (const auto line = OnlyCallOf(source, call.substr(0, call.find(' ')))) return line;
  if (IsOfNullPointer(finding)) {
    if (const auto with_null = FirstCallWithNull(source, call)) return with_null->line;
  }
  const bool is_direction = finding.message.arguments().at(1).inner.at(0) == say::wrong_direction();
  if (is_direction) {
    if (const auto line = OnlyWrongDirection(source, entry)) return line;
    const auto copy = OnlyMisdirected(source, entry, true);
    return copy ? std::optional(copy->line) : std::nullopt;
  }
  const bool uses_memory = call.starts_with("cudaMemcpy") || call.starts_with("cudaMemset");
  if (uses_memory && IsOfLostMemory(finding)) {
    if (const auto use = OnlyUseOfFreed(HostCode(source))) return use->line;
  }
  if (call == "cudaFree") {
    const auto free = OnlyWrongFree(HostCode(source), entry);
    return free ? std::optional(free->line) : std::nullopt;
  }
  if (call == "cudaMemcpy to the host") return OnlyInDirection(source, "cudaMemcpyDeviceToHost");
  if (call == "cudaMemcpy to the device") return OnlyInDirection(source, "cudaMemcpyHostToDevice");
  return std::nullopt;
}

std::vector<int> LinesOfCalls(std::string_view source, std::string_view function) {
  const HostCode code(source);
  std::vector<int> lines;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const bool is_it = code.At(at) == function && code.At(at + 1) == "(";
    if (is_it && (lines.empty() || lines.back() != code.LineOf(at))) lines.push_back(code.LineOf(at));
  }
  return lines;
}

std::optional<HostUse> FindHostUse(std::string_view source, std::string_view entry) {
  const HostCode code(source);
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code.At(at) != "(" || at == 0 || !IsName(code.At(at - 1))) continue;
    const std::size_t body = code.Behind(at);
    if (code.At(body) != "{") continue;
    const bool is_entry = code.At(at - 1) == entry;
    if (!code.IsOfDevice(at - 1)) {
      if (auto use = HostUseIn(code, body, is_entry ? code.PointersIn(at) : std::set<std::string>{}))
        return use;
    }
    at = code.Behind(body) - 1;
  }
  return std::nullopt;
}

std::optional<HostUse> FindFreeOfDeviceMemory(std::string_view source) {
  const HostCode code(source);
  std::set<std::string> of_host;
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code.At(at) != "=" || at == 0) continue;
    for (std::size_t i = at + 1; i < code.size() && code.At(i) != ";"; ++i) {
      if (IsOneOf(code.At(i), {"malloc", "calloc", "realloc", "aligned_alloc", "strdup", "new"}))
        of_host.insert(code.At(at - 1));
    }
  }
  std::vector<HostUse> calls;
  for (std::size_t at = 0; at < code.size(); ++at) {
    HostUse call{.line = code.LineOf(at), .pointer = "", .function = "", .fitting = "cudaFree"};
    if (code.At(at) == "free" && code.At(at + 1) == "(" && !IsOneOf(code.At(at - 1), {".", "->"})) {
      const std::vector<std::string> arguments = ArgumentsOf(code, at);
      if (arguments.size() != 1) continue;
      call.pointer = arguments.front();
      call.function = "free()";
      if (of_host.contains(code.At(code.Behind(at + 1) - 2))) continue;
    } else if (code.At(at) == "delete") {
      const bool is_of_array = code.At(at + 1) == "[";
      std::size_t end = at + (is_of_array ? 3 : 1);
      for (; end < code.size() && code.At(end) != ";"; ++end) call.pointer += code.At(end);
      call.function = is_of_array ? "delete[]" : "delete";
      if (of_host.contains(code.At(end - 1))) continue;
    }
    if (!call.function.empty()) calls.push_back(std::move(call));
  }
  return calls.size() == 1 ? std::optional(calls.front()) : std::nullopt;
}

Message DescribeHostUse(const HostUse& use) {
  const say::Line line(use.line);
  return use.function.empty()
             ? say::device_memory_on_host_in(line, use.pointer)
             : say::device_memory_in_host_function(use.function, line, use.pointer, use.fitting);
}

}  // namespace warplings
