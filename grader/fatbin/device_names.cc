// SPDX-License-Identifier: Apache-2.0
#include "grader/fatbin/device_names.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>

namespace warplings::fatbin {
namespace {

constexpr std::size_t kLongestName = 1024;

/// "_Z6kernel…" with nothing but a plain name in front of the parameters, however many those are.
std::string PlainName(std::string_view mangled) {
  std::size_t at = 2;
  std::size_t length = 0;
  for (; at < mangled.size() && mangled[at] >= '0' && mangled[at] <= '9' && length <= kLongestName; ++at) {
    length = length * 10 + static_cast<std::size_t>(mangled[at] - '0');
  }
  const bool fits = length > 0 && length <= kLongestName && length <= mangled.size() - at;
  const bool is_template = fits && at + length < mangled.size() && mangled[at + length] == 'I';
  return std::string(fits && !is_template ? mangled.substr(at, length) : mangled);
}

bool Opens(char c) {
  return c == '(' || c == '<' || c == '{' || c == '[';
}
bool Closes(char c) {
  return c == ')' || c == '>' || c == '}' || c == ']';
}

/// Position behind the bracket that closes the one at `open`; operators' names are none.
std::size_t BehindBracket(std::string_view name, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < name.size(); ++i) {
    if (Opens(name[i])) ++depth;
    if (Closes(name[i]) && --depth == 0) return i + 1;
  }
  return name.size();
}

/// Length of the name of an operator that begins at `text`, "operator" included; 0 where there is none.
std::size_t OperatorLength(std::string_view text) {
  constexpr std::string_view kWord = "operator";
  // Longest first, so that "<<=" is not taken for "<".
  constexpr std::string_view kSymbols[] = {
      "()", "[]", "<=>", "->*", "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "==", "!=",
      "+=", "-=", "*=",  "/=",  "%=",  "&=",  "|=", "^=", "&&", "||", "++", "--", "<",
      ">",  "=",  "!",   "+",   "-",   "*",   "/",  "%",  "&",  "|",  "^",  "~",  ","};
  if (!text.starts_with(kWord)) return 0;
  const std::string_view rest = text.substr(kWord.size());
  for (std::string_view symbol : kSymbols) {
    if (rest.starts_with(symbol)) return kWord.size() + symbol.size();
  }
  if (!rest.starts_with(' ')) return 0;
  return std::min(text.find('('), text.size());  // "operator new", "operator bool".
}

void EraseAll(std::string& text, std::string_view begin, std::string_view end) {
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at)) {
    const std::size_t stop = text.find(end, at + begin.size());
    if (stop == text.npos) return;
    text.erase(at, stop + end.size() - at);
  }
}

/// Scopes that no author wrote: nvcc puts what has internal linkage into a namespace of the file.
void EraseUnwrittenScopes(std::string& name) {
  EraseAll(name, "(anonymous namespace)", "::");
  EraseAll(name, "_INTERNAL_", "::");
}

/// Takes a demangled name apart at its top level: cuts at the parameters, or, where a local entity
/// follows them ("f(int)::x"), starts anew behind them; a blank ends a return type.
std::string Shorten(std::string_view name) {
  std::string out;
  std::size_t i = 0;
  while (i < name.size()) {
    const bool at_start = out.empty() || out.ends_with(':');
    if (const std::size_t length = at_start ? OperatorLength(name.substr(i)) : 0; length > 0) {
      out += name.substr(i, length);
      i += length;
      if (name.substr(i).starts_with(" <")) ++i;  // "operator< <int>"
    } else if (name[i] == '(') {
      i = BehindBracket(name, i);
      const std::string_view rest = name.substr(i);
      const std::size_t local = rest.starts_with(" const::") ? 8 : rest.starts_with("::") ? 2 : 0;
      if (local == 0) break;
      out.clear();
      i += local;
    } else if (Opens(name[i])) {
      const std::size_t end = BehindBracket(name, i);
      out += name.substr(i, end - i);
      i = end;
    } else if (name[i] == ' ') {
      out.clear();
      ++i;
    } else {
      out += name[i++];
    }
  }
  return out;
}

/// What nvcc -rdc=true calls "x" of one file: "__nv_static_19__1d2f_4_a_cu_kernel_x", with the length of what
/// stands for the file.
std::string_view WithoutFile(std::string_view name) {
  constexpr std::string_view kStatic = "__nv_static_";
  if (!name.starts_with(kStatic)) return name;
  std::string_view rest = name.substr(kStatic.size());
  std::size_t length = 0;
  const auto [end, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  // A '_' on either side of the file.
  if (fault != std::errc() || length >= rest.size() || rest.size() - length <= 2) return name;
  return rest.substr(length + 2);
}

std::string FullName(std::string_view mangled, Demangler& demangle) {
  mangled = WithoutFile(mangled);
  // Our linker numbers what several files call the same: "$str@2".
  mangled = mangled.substr(0, mangled.find('@', 1));
  if (!mangled.starts_with("_Z")) return std::string(mangled);
  std::string whole = demangle(mangled);
  // nvcc numbers functions of the same name apart: "…$162".
  if (whole.empty()) whole = demangle(mangled.substr(0, mangled.rfind('$')));
  if (whole.empty()) return PlainName(mangled);
  EraseUnwrittenScopes(whole);
  std::string name = Shorten(whole);
  return name.empty() ? std::string(mangled) : name;
}

/// A name stands in each record of a launch and in each finding, and templates make names of any length. Long
/// ones keep their beginning, and a number that tells those with the same beginning apart.
std::string Bounded(std::string name) {
  constexpr std::size_t kLongest = 512;
  if (name.size() <= kLongest) return name;
  std::uint32_t hash = 2166136261;  // FNV-1a
  for (const unsigned char c : name) hash = (hash ^ c) * 16777619;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
    --end;  // whole characters of UTF-8
  char number[16];
  std::snprintf(number, sizeof number, "…#%08x", hash);
  return name.substr(0, end) + number;
}

}  // namespace

std::string DemangledName(std::string_view mangled) {
  Demangler demangle;
  return DemangledName(mangled, demangle);
}

std::string DemangledName(std::string_view mangled, Demangler& demangle) {
  return Bounded(FullName(mangled, demangle));
}

}  // namespace warplings::fatbin
