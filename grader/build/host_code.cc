// SPDX-License-Identifier: Apache-2.0
#include "grader/build/host_code.h"

#include <cstddef>
#include <set>
#include <vector>

#include "grader/build/code_words.h"
#include "grader/build/plain_code.h"
#include "grader/messages/findings.h"

namespace warplings {
namespace {

class HostCode {
 public:
  explicit HostCode(std::string_view source) {
    if (source.size() <= kLongestSource) tokens_ = TokensOf(WithoutComments(source));
  }

  std::size_t size() const { return tokens_.size(); }
  int LineOf(std::size_t at) const { return tokens_[at].line; }
  const std::string& At(std::size_t at) const {
    static const std::string kNone;
    return at < tokens_.size() ? tokens_[at].text : kNone;
  }
  /// One past the bracket that closes the one at `at`.
  std::size_t Behind(std::size_t at) const {
    int depth = 0;
    for (; at < size(); ++at) {
      depth += IsOneOf(At(at), {"(", "[", "{"}) ? 1 : IsOneOf(At(at), {")", "]", "}"}) ? -1 : 0;
      if (depth == 0) return at + 1;
    }
    return at;
  }
  /// Whether the function whose name is at `name` is one of the device: what its declaration begins with.
  bool IsOfDevice(std::size_t name) const {
    for (std::size_t at = name; at-- > 0 && !IsOneOf(At(at), {";", "}", "{"});) {
      if (IsOneOf(At(at), {"__global__", "__device__"})) return true;
    }
    return false;
  }
  /// The parameters that are pointers, between the parentheses from `open` on.
  std::set<std::string> PointersIn(std::size_t open) const {
    std::set<std::string> names;
    const std::size_t end = Behind(open);
    bool is_pointer = false;
    for (std::size_t at = open + 1; at < end; ++at) {
      if (At(at) == "*") is_pointer = true;
      if (is_pointer && IsOneOf(At(at), {",", ")"})) names.insert(At(at - 1));
      if (At(at) == ",") is_pointer = false;
    }
    return names;
  }
  /// "p" of `cudaMalloc(&p,` and of `cudaMalloc((void**)&p,`; empty if the call at `at` is of another
  /// function.
  std::string Allocated(std::size_t at, std::string_view function = "cudaMalloc") const {
    if (At(at) != function || At(at + 1) != "(") return "";
    for (std::size_t i = at + 2; i < size() && !IsOneOf(At(i), {",", ";"}); ++i) {
      if (At(i) == "&" && IsName(At(i + 1)) && IsOneOf(At(i + 2), {",", ")"})) return At(i + 1);
    }
    return "";
  }
  /// Whether the name at `at` is followed to what it points to: `p[i]`, `*p = x`; but `&p[i]` is an address.
  bool IsFollowed(std::size_t at) const {
    if (At(at + 1) == "[") return !IsOneOf(At(at - 1), {"&", ".", "->", "*"});
    const bool begins = IsOneOf(At(at - 2), {";", "{", "}"});
    return begins && At(at - 1) == "*" && IsOneOf(At(at + 1), {"=", "+=", "-="});
  }

 private:
  std::vector<CodeToken> tokens_;
};

/// In the body from `begin` on.
std::optional<HostUse> HostUseIn(const HostCode& code, std::size_t begin, std::set<std::string> pointers) {
  const std::size_t end = code.Behind(begin);
  for (std::size_t at = begin + 1; at < end; ++at) {
    if (code.At(at) == "sizeof") at = code.Behind(at + 1);
    // A pointer or an array of its own, with the same name.
    const bool is_declared = IsOneOf(code.At(at - 1), {"float", "int", "double", "vector"});
    if (is_declared) pointers.erase(code.At(at));
    if (const std::string name = code.Allocated(at); !name.empty()) pointers.insert(name);
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

/// Of the only copy that its direction makes impossible.
std::optional<int> OnlyWrongDirection(std::string_view source, std::string_view entry) {
  const HostCode code(source);
  const std::set<std::string> device = DeviceNames(code, entry);
  return OnlyCopy(code, [&](std::size_t at) { return IsImpossible(code, at, device); });
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

/// Of the only launch of the kernel "space::k<16>": `k<<<...>>>(...)`.
std::optional<int> OnlyLaunchOf(std::string_view source, std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  if (const std::size_t colons = kernel.rfind("::"); colons != kernel.npos) kernel.remove_prefix(colons + 2);
  const HostCode code(source);
  std::optional<int> line;
  for (std::size_t at = 0; at + 2 < code.size(); ++at) {
    if (code.At(at) != kernel) continue;
    std::size_t open = at + 1;
    const bool has_arguments = code.At(open) == "<";
    while (has_arguments && open < code.size() && !IsOneOf(code.At(open), {";", "<<"})) ++open;
    if (code.At(open) != "<<" || code.At(open + 1) != "<") continue;
    if (line) return std::nullopt;
    line = code.LineOf(at);
  }
  return line;
}

}  // namespace

std::optional<int> LineOfRefused(std::string_view source, const Finding& finding, std::string_view entry) {
  const bool is_of_launch =
      finding.kind == FindingKind::kInvalidLaunch || finding.kind == FindingKind::kMissingWait;
  if (is_of_launch && !finding.kernel.empty()) return OnlyLaunchOf(source, finding.kernel);
  if (finding.kind != FindingKind::kInvalidCall || !say::refused.Made(finding.message)) return std::nullopt;
  // "cudaMemcpy to the device".
  const std::string& call = finding.message.arguments().at(0).text;
  if (const auto line = OnlyCallOf(source, call.substr(0, call.find(' ')))) return line;
  const bool is_direction = finding.message.arguments().at(1).inner.at(0) == say::wrong_direction();
  if (is_direction) return OnlyWrongDirection(source, entry);
  if (call == "cudaMemcpy to the host") return OnlyInDirection(source, "cudaMemcpyDeviceToHost");
  if (call == "cudaMemcpy to the device") return OnlyInDirection(source, "cudaMemcpyHostToDevice");
  return std::nullopt;
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

}  // namespace warplings
