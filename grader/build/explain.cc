// SPDX-License-Identifier: Apache-2.0
#include "grader/build/explain.h"

#include <algorithm>
#include <csignal>
#include <initializer_list>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "grader/base/text.h"
#include "grader/build/known_mistakes.h"
#include "grader/build/plain_code.h"
#include "grader/build/symbol_places.h"
#include "grader/build/symbols.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings {

namespace {

using Kind = sandbox::ProgramEnd::Kind;

/// Truncates a name so that a sentence can hold it: the author of a submission chooses its names.
Message Shown(const std::string& text) {
  constexpr std::size_t kShown = 200;
  if (text.size() <= kShown) return say::shown_whole(text);
  return say::shown_in_brief(std::string(FirstBytes(text, kShown)), text.size());
}

/// "a, b and c"; of more than four "a, b, c, d and 3 more". There is at least one name.
Message JoinNames(const std::vector<Message>& names) {
  const auto name = [&](std::size_t i) { return names.at(i); };
  switch (names.size()) {
    case 1: return name(0);
    case 2: return say::two_names(name(0), name(1));
    case 3: return say::three_names(name(0), name(1), name(2));
    case 4: return say::four_names(name(0), name(1), name(2), name(3));
    default: return say::four_names_and_more(name(0), name(1), name(2), name(3), names.size() - 4);
  }
}

Message JoinNames(const std::vector<std::string>& names) {
  std::vector<Message> shown;
  for (const std::string& name : names) shown.push_back(Shown(name));
  return JoinNames(shown);
}

/// The first name whose line is known, and the names with it in front.
struct PlacedNames {
  int line = 0;  ///< Of the first; 0: no line is known.
  Message names;
};

/// "system", "fork and system (line 9)": lines of others than the first.
PlacedNames PlaceNames(std::vector<std::string> names, const SymbolPlaces& places) {
  constexpr std::size_t kMostPlaced = 16;  // Of names that their author may have made by the thousand.
  std::vector<std::pair<std::string, int>> placed, others;
  for (std::string& name : names) {
    const bool is_looked_for = placed.size() + others.size() < kMostPlaced;
    const int line = is_looked_for ? places.LineOfUse(name) : 0;
    (line > 0 ? placed : others).emplace_back(std::move(name), line);
  }
  const int first = placed.empty() ? 0 : placed.front().second;
  std::ranges::move(others, std::back_inserter(placed));
  std::vector<Message> shown;
  for (const auto& [name, line] : placed) {
    const bool is_elsewhere = line > 0 && line != first;
    shown.push_back(is_elsewhere ? Message(say::name_in_line(Shown(name), line)) : Shown(name));
  }
  return {first, JoinNames(shown)};
}

Message Expected(const Exercise& exercise) {
  return say::define_exactly(exercise.declaration);
}

/// The mangled name that the stub of the contract refers to.
std::optional<std::string> ExpectedSymbol(const std::string& symbols_of_entry, const std::string& entry) {
  Demangler demangle;
  for (const Symbol& symbol : ParseNm(symbols_of_entry)) {
    if (symbol.undefined() && BaseName(Demangled(symbol.name, demangle)) == entry) return symbol.name;
  }
  return std::nullopt;
}

std::optional<BuildFault> FindEntryFault(const std::vector<Symbol>& symbols, const std::string& expected,
                                         const SymbolPlaces& places, const Exercise& exercise) {
  std::vector<std::string> others;
  Demangler demangle;
  for (const Symbol& symbol : symbols) {
    if (symbol.undefined()) continue;
    if (symbol.name == expected && symbol.global()) return std::nullopt;
    // Not ".cold" pieces, nor a kernel's host stub: the functions that a person wrote.
    std::string text = Demangled(symbol.name, demangle);
    if (BaseName(text) != exercise.entry) continue;
    if (!symbol.global()) {
      others.push_back("static " + text);
    } else if (!symbol.name.starts_with("_Z")) {
      others.push_back("extern \"C\" " + text);
    } else {
      others.push_back(text);
    }
  }
  if (others.empty()) {
    return BuildFault{Verdict::kMissingEntry, say::entry_not_defined(exercise.entry), Expected(exercise)};
  }
  Message reason = say::entry_defined_differently(exercise.entry, JoinNames(others));
  if (const int line = places.LineOfDefinition(exercise.entry); line > 0) reason = say::in_line(line, reason);
  return BuildFault{Verdict::kMissingEntry, std::move(reason), Expected(exercise)};
}

/// ld writes: … undefined reference to `_Z6helperi'. Its quotes are ` and ', in other locales “ and ”;
/// the sandbox has none but C.
std::vector<std::string> NamesAfter(const std::string& text, const std::string& key) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + key.size())) {
    std::size_t start = at + key.size(), line_end = std::min(text.find('\n', start), text.size());
    std::size_t end = text.substr(start, line_end - start).rfind('\'');
    std::size_t semicolon = text.find("';", start);
    if (semicolon < line_end) end = semicolon - start;
    if (end == std::string::npos) continue;
    std::string name = text.substr(start, end);
    if (seen.insert(name).second) names.push_back(std::move(name));
  }
  return names;
}

Message FirstLine(const std::string& text) {
  return Shown(text.substr(0, text.find('\n')));
}

std::vector<std::string> Demangled(const std::vector<std::string>& names) {
  Demangler demangle;
  std::vector<std::string> texts;
  for (const std::string& name : names) texts.push_back(Demangled(name, demangle));
  return texts;
}

bool MentionsAny(const std::string& text, std::initializer_list<const char*> phrases) {
  return std::ranges::any_of(phrases,
                             [&](const char* phrase) { return text.find(phrase) != std::string::npos; });
}

/// Whether the entry function is declared in another way than the contract does.
bool ContradictsContract(const std::vector<Diagnostic>& diagnostics, std::string_view source,
                         const Exercise& exercise) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  return std::ranges::any_of(diagnostics, [&](const Diagnostic& each) {
    if (each.severity != Severity::kError || !MentionsAny(English(each.message), {"cannot overload"})) {
      return false;
    }
    return std::ranges::any_of(tokens, [&](const CodeToken& token) {
      return token.line == each.where.line && token.text == exercise.entry;
    });
  });
}

/// One of nvcc's programs ran into a limit of the sandbox: said in the words of the program that waited for
/// it, "… signal terminated program cc1plus" (g++), "'cicc' died due to signal 24" (nvcc).
std::optional<BuildFault> FindLimit(const std::string& text) {
  if (MentionsAny(text, {"CPU time limit exceeded", "due to signal 24"})) {
    return BuildFault{Verdict::kTimeLimit, say::compiler_too_slow(), say::look_for_growth_without_end()};
  }
  if (MentionsAny(text, {"out of memory", "virtual memory exhausted", "bad_alloc", "Cannot allocate memory",
                         "memory exhausted", "cc1plus: out of", "File size limit exceeded",
                         "due to signal 25", "No space left on device",
                         // The kernel ends what a machine has no memory for by SIGKILL.
                         "Killed signal terminated program", "due to signal 9 "})) {
    return BuildFault{Verdict::kMemoryLimit, say::compiler_out_of_memory(), say::look_for_huge_arrays()};
  }
  return std::nullopt;
}

}  // namespace

std::optional<BuildFault> FindSymbolFault(const CompileOutput& output, std::string_view source,
                                          const Exercise& exercise) {
  std::vector<Symbol> symbols = ParseNm(output.symbols_of_source);
  const SymbolPlaces places(source);
  for (const Symbol& symbol : symbols) {
    if (symbol.name == "main" && symbol.global()) {
      const int line = places.LineOfDefinition("main");
      return BuildFault{Verdict::kCompileError,
                        line > 0 ? say::in_line(line, say::main_here(exercise.entry))
                                 : say::file_defines_main(exercise.entry),
                        say::remove_main()};
    }
  }
  if (auto expected = ExpectedSymbol(output.symbols_of_entry, exercise.entry)) {
    if (auto fault = FindEntryFault(symbols, *expected, places, exercise)) return fault;
  }
  // Behind what was read there may be names that are forbidden.
  if (output.symbols_are_cut) {
    return BuildFault{Verdict::kCompileError, say::file_has_too_many_names(),
                      say::look_for_thousands_of_names()};
  }
  // What the link could not find either is not forbidden but missing, and is said differently.
  const std::vector<std::string> names = NamesAfter(output.linker_output, "undefined reference to `");
  const std::set<std::string> missing(names.begin(), names.end());
  std::vector<std::string> forbidden;
  Demangler demangle;
  for (const Symbol& symbol : symbols) {
    if (!symbol.undefined() || IsAllowedSymbol(symbol.name, demangle)) continue;
    if (!missing.contains(symbol.name)) forbidden.push_back(Demangled(symbol.name, demangle));
  }
  if (forbidden.empty() && missing.empty()) return std::nullopt;
  // CUB alone refers to dlopen and getenv, which its user has never heard of.
  if (auto library = FindKernelLibrary(source)) {
    return BuildFault{Verdict::kForbiddenSymbol, std::move(library->reason), std::move(library->next_step)};
  }
  if (forbidden.empty()) return std::nullopt;
  // The plain names of C say most; what they drag in of C++ comes after.
  std::ranges::stable_partition(forbidden,
                                [](const std::string& name) { return name.find(':') == name.npos; });
  const PlacedNames placed = PlaceNames(std::move(forbidden), places);
  return BuildFault{Verdict::kForbiddenSymbol,
                    placed.line > 0 ? say::in_line(placed.line, say::may_not_use(placed.names))
                                    : say::file_uses_forbidden(placed.names),
                    say::use_what_exercises_need()};
}

std::string FindMissingOfOurs(const CompileOutput& probe) {
  std::set<std::string> wanted;  // The probe has no entry function.
  for (const Symbol& symbol : ParseNm(probe.symbols_of_entry)) {
    if (symbol.undefined()) wanted.insert(symbol.name);
  }
  for (const std::string& name : NamesAfter(probe.linker_output, "undefined reference to `")) {
    if (!wanted.contains(name)) return name;
  }
  return {};
}

BuildFault ExplainLinkFailure(const std::string& linker_output, std::string_view source) {
  if (auto index = FindIndexInHostCode(linker_output))
    return {Verdict::kCompileError, std::move(index->reason), std::move(index->next_step)};
  std::vector<std::string> missing = NamesAfter(linker_output, "undefined reference to `");
  std::vector<std::string> runtime;
  std::ranges::copy_if(missing, std::back_inserter(runtime), [](const std::string& name) {
    return name.starts_with("cuda") || name.starts_with("__cuda");
  });
  const SymbolPlaces places(source);
  if (!runtime.empty()) {
    const PlacedNames placed = PlaceNames(std::move(runtime), places);
    return {Verdict::kCompileError,
            placed.line > 0 ? say::in_line(placed.line, say::call_not_in_runtime(placed.names))
                            : say::runtime_lacks(placed.names),
            say::solve_without_it()};
  }
  if (!missing.empty()) {
    const PlacedNames placed = PlaceNames(Demangled(missing), places);
    return {Verdict::kCompileError,
            placed.line > 0 ? say::in_line(placed.line, say::used_but_nowhere(placed.names))
                            : say::defined_nowhere(placed.names),
            say::write_body_or_remove_use()};
  }
  std::vector<std::string> twice = NamesAfter(linker_output, "multiple definition of `");
  if (!twice.empty()) {
    Message reason = say::defined_twice(JoinNames(Demangled(twice)));
    Demangler demangle;
    if (const int line = places.LineOfDefinition(BaseName(Demangled(twice.front(), demangle))); line > 0)
      reason = say::in_line(line, say::second_definition(JoinNames(Demangled(twice))));
    return {Verdict::kCompileError, std::move(reason), say::give_another_name()};
  }
  if (auto limit = FindLimit(linker_output)) return *limit;
  return {Verdict::kCompileError, say::linker_failed(FirstLine(linker_output)), say::look_for_gigabytes()};
}

BuildFault ExplainCompileFailure(const CompileOutput& output, const std::vector<Diagnostic>& diagnostics,
                                 std::string_view source, const Exercise& exercise) {
  bool linking = output.failed_in == CompileOutput::Stage::kLink;
  switch (output.end.kind) {
    case Kind::kTimeLimit:
      return {Verdict::kTimeLimit, linking ? say::linker_too_slow() : say::compiler_too_slow(),
              say::look_for_growth_without_end()};
    case Kind::kTotalTime:
      return {Verdict::kTimeLimit, say::compilation_too_slow(sandbox::kCompilationTime.count()),
              say::look_for_growth_without_end()};
    case Kind::kOutputLimit:
      return {Verdict::kCompileError, say::compiler_printed_too_much(),
              diagnostics.empty() ? Message() : say::mend_the_first(DescribeDiagnostic(diagnostics.front()))};
    case Kind::kSignalled:
      if (output.end.code != SIGKILL) break;
      return {Verdict::kMemoryLimit, say::compiler_killed_for_memory(), say::look_for_huge_arrays()};
    default: break;
  }
  auto first = std::ranges::find(diagnostics, Severity::kError, &Diagnostic::severity);
  if (auto limit = FindLimit(output.compiler_output)) return *limit;
  if (first == diagnostics.end()) {
    return {Verdict::kCompileError, say::compiler_failed(FirstLine(output.compiler_output)),
            say::take_back_last_change()};
  }
  if (auto mistake = RecogniseMistake(diagnostics, source)) {
    return {Verdict::kCompileError, std::move(mistake->reason), std::move(mistake->next_step)};
  }
  return {Verdict::kCompileError, DescribeDiagnostic(*first),
          ContradictsContract(diagnostics, source, exercise) ? Expected(exercise) : Message()};
}

}  // namespace warplings
