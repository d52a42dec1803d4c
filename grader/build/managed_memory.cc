// SPDX-License-Identifier: Apache-2.0
#include "grader/build/managed_memory.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "grader/build/host_tokens.h"

namespace warplings {
namespace {

/// Tokens from `begin` to `end`.
struct ArrayPart {
  std::size_t begin = 0, end = 0;
};

/// The lists of arguments of all launches.
std::vector<ArrayPart> LaunchArguments(const HostCode& code) {
  std::vector<ArrayPart> lists;
  for (std::size_t at = 0; at + 1 < code.size(); ++at) {
    if (code.At(at) != "<<" || code.At(at + 1) != "<") continue;
    if (const auto open = ArgumentsOfLaunch(code, at)) lists.push_back({*open, code.Behind(*open)});
  }
  return lists;
}

/// The functions of the device, from their names on.
std::vector<ArrayPart> DeviceFunctions(const HostCode& code) {
  std::vector<ArrayPart> functions;
  for (std::size_t at = 1; at < code.size(); ++at) {
    if (code.At(at) != "(" || !IsName(code.At(at - 1)) || !code.IsOfDevice(at - 1)) continue;
    const std::size_t end = code.Behind(at);
    if (!IsOneOf(code.At(end), {"{", ";"})) continue;
    functions.push_back({at - 1, code.At(end) == "{" ? code.Behind(end) : end});
    at = functions.back().end - 1;
  }
  return functions;
}

bool IsIn(const std::vector<ArrayPart>& parts, std::size_t at) {
  return std::ranges::any_of(parts, [&](const ArrayPart& each) { return each.begin < at && at < each.end; });
}

/// Whether the element whose pointer is at `at` is only read.
bool IsReadElement(const HostCode& code, std::size_t at) {
  const std::string &before = at > 0 ? code.At(at - 1) : code.At(code.size()),
                    &after = code.At(code.Behind(at + 1));
  if (IsOneOf(after, {"=", "++", "--", ".", "->", "["}) || IsCompoundAssignment(after)) return false;
  if (IsOneOf(before, {"&", "++", "--", ">>"})) return false;
  // `2 * c[i]`, not `*c[i]`.
  const bool is_product = at > 1 && (IsName(code.At(at - 2)) || IsOneOf(code.At(at - 2), {")", "]"}) ||
                                     std::isdigit(static_cast<unsigned char>(code.At(at - 2)[0])));
  if (before == "*" && !is_product) return false;
  if (!IsOneOf(before, {"(", ","}) || !IsOneOf(after, {",", ")"})) return true;
  // A function may take its argument by reference.
  const std::string function = FunctionAround(code, at);
  return TakesValues(function) || IsOneOf(function, {"printf", "fprintf", "assert", ">"});
}

/// Whether the pointer at `at` is declared, allocated, freed, or passed to a call that stores nothing.
bool IsHarmless(const HostCode& code, std::size_t at) {
  const std::string &before = code.At(at - 1), &after = code.At(at + 1);
  if (before == "*" && !code.IsBetweenParentheses(at)) {
    const bool is_null = after == "=" && IsOneOf(code.At(at + 2), {"nullptr", "NULL", "0"});
    const bool is_declared = IsName(code.At(at - 2)) || code.At(at - 2) == ",";
    return is_declared && (is_null || IsOneOf(after, {",", ";"}));
  }
  const std::string function = FunctionAround(code, at);
  if (before == "&") {
    // `cudaMallocManaged((void**)&p, ...)`, too.
    return function == "cudaMallocManaged" && IsOneOf(code.At(at - 2), {"(", ")"});
  }
  return before == "(" &&
         IsOneOf(function, {"cudaFree", "cudaMemPrefetchAsync", "cudaMemAdvise", "cudaStreamAttachMemAsync"});
}

/// What `p[999]` reads at least, counted from 0; nothing if the index is no number.
std::optional<std::int64_t> ElementsRead(const HostCode& code, std::size_t at) {
  const std::string& index = code.At(at + 2);
  const bool is_number = code.At(at + 3) == "]" && !index.empty() && index.size() < 10 &&
                         std::ranges::all_of(index, [](unsigned char c) { return std::isdigit(c) != 0; });
  if (!is_number) return std::nullopt;
  return std::stoll(index) + 1;
}

/// How many elements host code reads, if it reads some and stores none.
struct Reads {
  std::optional<std::int64_t> elements;  ///< As ManagedArray::read_elements.
};
std::optional<Reads> OnlyReads(const HostCode& code, const std::string& pointer) {
  const std::vector<ArrayPart> launches = LaunchArguments(code), of_device = DeviceFunctions(code);
  Reads reads{0};
  bool is_read = false, is_allocated = false;
  for (std::size_t at = 1; at < code.size(); ++at) {
    is_allocated = is_allocated || code.Allocated(at, "cudaMallocManaged") == pointer;
    if (code.At(at) != pointer || IsOneOf(code.At(at - 1), {".", "->", "::"}) || IsIn(of_device, at))
      continue;
    const bool is_given = IsIn(launches, at) && IsOneOf(code.At(at - 1), {"(", ","}) &&
                          IsOneOf(code.At(at + 1), {",", ")", "+"});
    if (is_given) continue;
    const bool is_element = code.At(at + 1) == "[";
    if (is_element ? !IsReadElement(code, at) : !IsHarmless(code, at)) return std::nullopt;
    is_read = is_read || is_element;
    const auto elements = is_element ? ElementsRead(code, at) : reads.elements;
    reads.elements =
        elements && reads.elements ? std::optional(std::max(*elements, *reads.elements)) : std::nullopt;
  }
  if (!is_read || !is_allocated) return std::nullopt;
  return reads;
}

}  // namespace

std::optional<ManagedArray> ArrayThatHostOnlyReads(std::string_view source, std::string_view kernel,
                                                   std::size_t argument) {
  const HostCode code(source);
  const auto passed = PassedTo(code, kernel, argument);
  if (!passed) return std::nullopt;
  const std::string& pointer = passed->name;
  const auto reads = NamesInMacros(source).contains(pointer) ? std::nullopt : OnlyReads(code, pointer);
  if (!reads) return std::nullopt;
  return ManagedArray{pointer, ElementBytes(code, pointer), passed->line, reads->elements};
}

}  // namespace warplings
