// SPDX-License-Identifier: Apache-2.0
#include "grader/base/symbol_demangler.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace warplings {
namespace {

constexpr std::size_t kLongestName = 1024;
/// Each back reference (S_, S0_, T_ …) may repeat all that stands before it, so that n of them can make
/// text of about 3^(n/3) times the name: at 24 some megabytes, and any more would be the sender's choice.
constexpr std::ptrdiff_t kMaxReferences = 24;
/// Of the text. Nobody reads more, and whoever compares names needs no more.
constexpr std::size_t kLongestText = 16'384;

bool IsModest(std::string_view mangled) {
  std::ptrdiff_t references = 0;
  for (std::size_t i = 0; i + 1 < mangled.size(); ++i) {
    if (mangled[i] != 'S' && mangled[i] != 'T') continue;
    const std::size_t end = mangled.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", i + 1);
    if (end != mangled.npos && mangled[end] == '_') ++references;
  }
  return mangled.size() <= kLongestName && references <= kMaxReferences;
}

}  // namespace

std::string Demangler::operator()(std::string_view mangled) {
  if (!mangled.starts_with("_Z") || !IsModest(mangled) || left_ == 0) return {};
  int status = 0;
  std::size_t room = 0;
  const std::unique_ptr<char, void (*)(void*)> whole(
      abi::__cxa_demangle(std::string(mangled).c_str(), nullptr, &room, &status), std::free);
  if (status != 0 || whole == nullptr) return {};
  std::string text = whole.get();
  left_ -= std::min(left_, text.size());
  return text.size() <= kLongestText ? text : std::string();
}

}  // namespace warplings
