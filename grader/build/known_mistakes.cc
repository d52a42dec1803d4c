// SPDX-License-Identifier: Apache-2.0
#include "grader/build/known_mistakes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>
#include <sstream>
#include <utility>

#include "grader/base/spelling.h"
#include "grader/build/array_mistakes.h"
#include "grader/build/brackets.h"
#include "grader/build/call_mistakes.h"
#include "grader/build/code_words.h"
#include "grader/build/declaration_mistakes.h"
#include "grader/build/definitions.h"
#include "grader/build/expression_mistakes.h"
#include "grader/build/launch_mistakes.h"
#include "grader/build/name_mistakes.h"
#include "grader/build/nvcc_dry_run.h"
#include "grader/build/plain_code.h"
#include "grader/build/store_mistakes.h"
#include "grader/build/type_mistakes.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings {
namespace {

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The text from `before` to the next quote.
std::optional<std::string_view> QuotedAfter(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + before.size());
  return text.substr(0, text.find('"'));
}

using Tokens = std::vector<CodeToken>;

/// The names in front of `<<<` in this line, without their template arguments.
std::vector<std::string> LaunchedNames(const Tokens& tokens, int line) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line || tokens[i].text != "<<" || tokens[i + 1].text != "<") continue;
    std::size_t name = i - 1;
    for (int depth = 0; name > 0; --name) {
      depth += tokens[name].text == ">" ? 1 : tokens[name].text == "<" ? -1 : 0;
      if (depth == 0 && IsName(tokens[name].text)) break;
    }
    if (IsName(tokens[name].text)) names.push_back(tokens[name].text);
  }
  return names;
}

/// The array that a declaration in this line gives a size: the name before the first bracket.
std::optional<std::string> ArrayDeclared(const Tokens& tokens, int line, bool is_shared) {
  bool shared = false;
  for (std::size_t i = 2; i < tokens.size(); ++i) {
    if (tokens[i - 2].line != line || tokens[i].line != line) continue;
    shared = shared || tokens[i - 2].text == "__shared__";
    if (tokens[i].text != "[") continue;
    const bool is_declaration = IsName(tokens[i - 1].text) && IsName(tokens[i - 2].text);
    if (!is_declaration || shared != is_shared) return std::nullopt;
    return tokens[i - 1].text;
  }
  return std::nullopt;
}

bool LineHas(const Tokens& tokens, int line, std::string_view word) {
  return std::ranges::any_of(
      tokens, [&](const CodeToken& token) { return token.line == line && token.text == word; });
}

/// One error of the compiler, and the code that it is about.
struct Case {
  const std::vector<Diagnostic>& diagnostics;
  std::string words;  ///< Of the first error.
  int line = 0;       ///< Of it; 0: none.
  std::string code;   ///< The source without comments.
  Tokens tokens;

  KnownMistake Here(Message what, Message next_step) const {
    return {line > 0 ? say::in_line(line, std::move(what)) : std::move(what), std::move(next_step)};
  }
};

/// A line such as "<<<<<<< HEAD" at the error or above it: below, the compiler may complain of anything.
std::optional<KnownMistake> MergeConflict(const Case& at) {
  int line = 1;
  for (std::size_t start = 0; start < at.code.size() && (at.line == 0 || line <= at.line); ++line) {
    const std::size_t end = std::min(at.code.find('\n', start), at.code.size());
    const std::string_view text = std::string_view(at.code).substr(start, end - start);
    const bool is_middle = text.starts_with("=======") && text.find_first_not_of("= \r") == text.npos;
    if (is_middle || text.starts_with("<<<<<<<") || text.starts_with(">>>>>>>"))
      return KnownMistake{say::in_line(line, say::merge_conflict_left()), say::resolve_merge_conflict()};
    start = end + 1;
  }
  return std::nullopt;
}

std::optional<KnownMistake> MissingSemicolon(const Case& at) {
  const auto first = std::ranges::find(at.diagnostics, Severity::kError, &Diagnostic::severity);
  if (say::semicolon_missing_before_brace.Made(first->message))
    return KnownMistake{say::in_line(at.line, first->message),
                        say::add_semicolon_before_brace(say::Line(at.line))};
  if (!say::semicolon_missing.Made(first->message)) return std::nullopt;
  return KnownMistake{say::in_line(at.line, first->message), say::add_semicolon(say::Line(at.line))};
}

/// Any error may come before that: the function below then stands within the open block.
std::optional<KnownMistake> MissingBrace(const Case& at) {
  for (const Diagnostic& each : at.diagnostics) {
    if (!say::opening_brace_not_closed.Made(each.message)) continue;
    const bool is_consequence =
        at.line >= each.where.line && (at.words.starts_with("expected a") || Has(at.words, "not allowed"));
    if (at.line != each.where.line && !is_consequence) return std::nullopt;
    return KnownMistake{say::in_line(each.where.line, each.message),
                        say::close_brace(say::Line(each.where.line))};
  }
  return std::nullopt;
}

/// What is declared above the brace is unknown below it, and so that is what the compiler may say first.
std::optional<KnownMistake> BraceTooMany(const Case& at) {
  const auto surplus = FindSurplusBrace(at.code);
  if (!surplus || at.line < surplus->suspect) return std::nullopt;
  const bool is_noticed = std::ranges::any_of(at.diagnostics, [&](const Diagnostic& each) {
    return each.where.line == surplus->line && Has(English(each.message), "expected a declaration");
  });
  if (!is_noticed) return std::nullopt;
  const say::Line line(surplus->suspect);
  return KnownMistake{say::in_line(line, say::closing_brace_too_many()), say::remove_closing_brace(line)};
}

/// `#define TILE_WIDTH 16;`
std::optional<KnownMistake> MacroWithSemicolon(const Case& at) {
  for (const NumberMacro& macro : NumbersWithSemicolon(at.code)) {
    if (!LineHas(at.tokens, at.line, macro.name)) continue;
    const say::Line line(macro.line);
    return KnownMistake{say::in_line(line, say::macro_ends_with_semicolon(macro.name, say::Line(at.line))),
                        say::remove_semicolon_of_macro(line)};
  }
  return std::nullopt;
}

/// `#define TILE_WIDTH = 16`
std::optional<KnownMistake> MacroWithEquals(const Case& at) {
  std::istringstream lines(at.code);
  int number = 0;
  for (std::string text; std::getline(lines, text);) {
    ++number;
    std::istringstream words(text);
    std::string directive, name, equals, value;
    words >> directive >> name >> equals;
    std::getline(words >> std::ws, value);
    if (directive != "#define" || equals != "=" || !LineHas(at.tokens, at.line, name)) continue;
    const std::string right = "#define " + name + " " + value;
    return KnownMistake{say::in_line(number, say::macro_begins_with_equals(name, say::Line(at.line))),
                        say::write_macro(right)};
  }
  return std::nullopt;
}

std::optional<KnownMistake> WrongExpression(const Case& at) {
  return FindExpressionMistake(at.tokens, at.line, at.words);
}

std::optional<KnownMistake> WrongLaunch(const Case& at) {
  return FindLaunchMistake(at.tokens, at.line, at.words);
}

KnownMistake InSubscript(const CommaSubscript& comma) {
  return {say::in_line(comma.line, say::comma_in_subscript(WrittenSubscript(comma))), WriteSubscript(comma)};
}

std::optional<KnownMistake> CommaInSubscript(const Case& at) {
  const auto commas = FindCommaSubscripts(at.tokens);
  const auto here = std::ranges::find(commas, at.line, &CommaSubscript::line);
  if (here != commas.end()) return InSubscript(*here);
  // An array that was declared so: its uses have too many subscripts.
  if (!Has(at.words, "must have pointer-to-object type")) return std::nullopt;
  for (const CommaSubscript& each : commas) {
    if (LineHas(at.tokens, at.line, each.array)) return InSubscript(each);
  }
  return std::nullopt;
}

std::optional<KnownMistake> MissingParenthesis(const Case& at) {
  for (const Diagnostic& each : at.diagnostics) {
    if (each.severity != Severity::kError || each.where.line != at.line) continue;
    const std::string words = English(each.message);
    if (words != "expected a \")\"" && words != "expected a \"]\"") continue;
    const auto open = FindOpenBracket(at.tokens, at.line);
    if (!open) return std::nullopt;
    return KnownMistake{
        say::in_line(open->line, say::bracket_not_closed(open->bracket, open->after, open->before)),
        say::count_brackets(open->bracket, open->bracket == "(" ? ")" : "]", say::Line(open->line))};
  }
  return std::nullopt;
}

std::optional<KnownMistake> ConditionWithoutParentheses(const Case& at) {
  if (at.words != "expected a \"(\"") return std::nullopt;
  for (std::size_t i = 0; i + 1 < at.tokens.size(); ++i) {
    const CodeToken& token = at.tokens[i];
    if (token.line != at.line || !IsOneOf(token.text, {"if", "while", "for", "switch"})) continue;
    if (IsOneOf(at.tokens[i + 1].text, {"(", "constexpr"})) continue;
    return at.Here(say::needs_parentheses(token.text), say::write_parentheses(token.text));
  }
  return std::nullopt;
}

std::optional<KnownMistake> WrongName(const Case& at) {
  return FindNameMistake(at.tokens, at.line, at.words);
}

std::optional<KnownMistake> UndeclaredName(const Case& at) {
  return FindUndeclaredName(at.tokens, at.line, at.words);
}

std::optional<KnownMistake> WrongType(const Case& at) {
  return FindTypeMistake(at.tokens, at.line, at.words);
}

std::optional<KnownMistake> WrongDeclaration(const Case& at) {
  return FindDeclarationMistake(at.tokens, at.line, at.words);
}

/// Behind a quote that is not closed the compiler misses brackets, too.
std::optional<KnownMistake> MissingQuote(const Case& at) {
  if (at.words != "missing closing quote") return std::nullopt;
  return at.Here(say::text_not_closed(), say::close_quote());
}

/// `std::min({a, b, c})`, and `std::max(1, 2u)`.
std::optional<KnownMistake> ExtremeOf(const Case& at) {
  const auto function = QuotedAfter(at.words, "no instance of overloaded function \"");
  if (!function || !IsOneOf(*function, {"std::min", "std::max", "min", "max"})) return std::nullopt;
  const auto name = std::string(*function);
  const std::size_t types = at.words.find("argument types are: (");
  if (types == std::string::npos) return std::nullopt;
  std::string_view given = std::string_view(at.words).substr(at.words.find('(', types) + 1);
  given = given.substr(0, given.rfind(')'));
  if (given == "{...}") {
    if (Has(at.code, "<algorithm>"))
      return at.Here(say::list_of_several_types(name), say::write_one_type(name));
    return at.Here(say::list_needs_header(name), say::include_header("<algorithm>"));
  }
  const std::size_t comma = given.find(", ");
  if (comma == std::string_view::npos || Has(given.substr(comma + 2), ", ")) return std::nullopt;
  return at.Here(say::extreme_of_two_types(name, std::string(given.substr(0, comma)),
                                           std::string(given.substr(comma + 2))),
                 say::write_one_type(name));
}

std::optional<KnownMistake> WrongArray(const Case& at) {
  return FindArrayMistake(at.tokens, at.line, at.words);
}

std::optional<KnownMistake> ArrayWithoutSize(const Case& at) {
  if (!at.words.starts_with("incomplete type \"") || !at.words.ends_with("[]\" is not allowed")) {
    return std::nullopt;
  }
  const auto name = ArrayDeclared(at.tokens, at.line, true);
  if (!name || LineHas(at.tokens, at.line, "extern")) return std::nullopt;
  return at.Here(say::shared_array_without_size(*name), say::use_dynamic_shared_memory(*name));
}

std::optional<KnownMistake> ArrayOfRunTimeSize(const Case& at) {
  // The second is what other host compilers, and arrays that are not in shared memory, get.
  const bool is_static = Has(at.words, "variable length array cannot have static storage duration");
  if (!is_static && !Has(at.words, "expression must have a constant value")) return std::nullopt;
  if (const auto name = ArrayDeclared(at.tokens, at.line, true)) {
    return at.Here(say::shared_array_of_run_time_size(*name), say::use_dynamic_shared_memory(*name));
  }
  if (const auto name = ArrayDeclared(at.tokens, at.line, false); name && !is_static) {
    return at.Here(say::local_array_of_run_time_size(*name), say::give_constant_size());
  }
  return std::nullopt;
}

KnownMistake LaunchOfHostFunction(const Case& at, int line) {
  std::string launched;
  for (const std::string& name : LaunchedNames(at.tokens, line)) {
    const auto definition = DefinitionOf(at.tokens, name);
    if (definition && definition->is_kernel) continue;
    if (definition && definition->returns_void) {
      return {say::in_line(definition->line, say::kernel_without_global(name, say::Line(line))),
              say::write_global_before_void()};
    }
    launched = name;
    break;
  }
  return {say::in_line(line,
                       launched.empty() ? say::launches_no_kernel() : say::launches_host_function(launched)),
          say::launch_only_kernels()};
}

/// A function without __global__ that is launched, or that does what only device code can.
std::optional<KnownMistake> HostFunctionAsKernel(const Case& at) {
  constexpr std::string_view kLaunch = "a host function call cannot be configured";
  const auto caller = QuotedAfter(at.words, "from a __host__ function(\"");
  const bool calls_device = caller && Has(at.words, "calling a __device__ function");
  const bool has_shared = Has(at.words, "is not allowed inside a host function body");
  if (!Has(at.words, kLaunch) && !calls_device && !has_shared) return std::nullopt;
  // Of a kernel without __global__ the body is reported first, and then its launch, which says more.
  for (const Diagnostic& each : at.diagnostics) {
    if (each.severity == Severity::kError && Has(English(each.message), kLaunch)) {
      return LaunchOfHostFunction(at, each.where.line);
    }
  }
  for (const Diagnostic& each : at.diagnostics) {
    if (Has(English(each.message), "a __device__ function call cannot be configured")) {
      const auto names = LaunchedNames(at.tokens, each.where.line);
      if (names.empty()) return std::nullopt;
      return KnownMistake{say::in_line(each.where.line, say::launches_device_function(names.front())),
                          say::write_global_for_device(names.front())};
    }
  }
  if (has_shared) return at.Here(say::shared_memory_in_host_function(), say::mark_function_for_device());
  return at.Here(say::host_function_calls_device(PlainName(*caller)), say::mark_function_for_device());
}

std::optional<KnownMistake> LaunchOfNothing(const Case& at) {
  const std::vector<std::string> names = LaunchedNames(at.tokens, at.line);
  if (Has(at.words, "must have (pointer-to-) function type") && !names.empty()) {
    return at.Here(say::launches_no_kernel(), say::launch_only_kernels());
  }
  const auto unknown = QuotedAfter(at.words, "identifier \"");
  if (unknown && at.words.ends_with("\" is undefined") && std::ranges::find(names, *unknown) != names.end()) {
    return at.Here(say::kernel_not_declared(std::string(*unknown)), say::check_kernels_name());
  }
  return std::nullopt;
}

/// Names of CUDA that are easily misspelled.
const std::vector<std::string>& CudaNames() {
  static const std::vector<std::string> names = {"__syncthreads",
                                                 "__syncwarp",
                                                 "threadIdx",
                                                 "blockIdx",
                                                 "blockDim",
                                                 "gridDim",
                                                 "warpSize",
                                                 "cudaMalloc",
                                                 "cudaFree",
                                                 "cudaMemcpy",
                                                 "cudaMemset",
                                                 "cudaMemcpyAsync",
                                                 "cudaMemsetAsync",
                                                 "cudaMallocManaged",
                                                 "cudaMallocHost",
                                                 "cudaFreeHost",
                                                 "cudaGetLastError",
                                                 "cudaGetErrorString",
                                                 "cudaSuccess",
                                                 "cudaDeviceSynchronize",
                                                 "cudaError_t",
                                                 "cudaStream_t",
                                                 "cudaDeviceProp",
                                                 "cudaGetDeviceProperties",
                                                 "cudaStreamCreate",
                                                 "cudaStreamDestroy",
                                                 "cudaGetDevice",
                                                 "cudaMemcpyHostToDevice",
                                                 "cudaStreamSynchronize",
                                                 "cudaFuncSetAttribute",
                                                 "cudaMemcpyDeviceToHost",
                                                 "cudaMemcpyDeviceToDevice",
                                                 "atomicAdd",
                                                 "atomicSub",
                                                 "atomicMax",
                                                 "atomicMin",
                                                 "atomicExch",
                                                 "atomicCAS",
                                                 "__shfl_sync",
                                                 "__shfl_up_sync",
                                                 "__shfl_down_sync",
                                                 "__shfl_xor_sync",
                                                 "__ballot_sync",
                                                 "__popc",
                                                 "__global__",
                                                 "__device__",
                                                 "__shared__",
                                                 "__constant__",
                                                 "cudaOccupancyMaxActiveBlocksPerMultiprocessor"};
  return names;
}

/// Without capital letters and underscores.
std::string LettersOf(const std::string& name) {
  std::string letters;
  for (const unsigned char c : name) {
    if (c != '_') letters += static_cast<char>(std::tolower(c));
  }
  return letters;
}

Message WriteName(const std::string& meant, const std::string& written) {
  return LettersOf(meant) == LettersOf(written) ? say::write_cuda_name(meant) : say::write_name(meant);
}

std::optional<KnownMistake> MisspelledCudaName(const Case& at) {
  const auto unknown = QuotedAfter(at.words, "identifier \"");
  if (!unknown || !at.words.ends_with("\" is undefined")) return std::nullopt;
  const std::string name(*unknown);
  const std::string meant = ClosestCandidate(name, CudaNames());
  // ClosestCandidate completes what was begun: `grid` is more likely a variable that is missing than gridDim.
  constexpr std::size_t kMostLettersMissing = 2;
  if (meant.empty() || meant.size() > name.size() + kMostLettersMissing) return std::nullopt;
  return at.Here(say::name_is_not_declared(name), WriteName(meant, name));
}

/// The names that the file uses in other lines, and those of its macros.
std::vector<std::string> NamesElsewhere(const Case& at) {
  std::set<std::string> names;
  for (const CodeToken& token : at.tokens) {
    if (token.line != at.line && IsName(token.text)) names.insert(token.text);
  }
  std::istringstream lines(at.code);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string directive, name;
    words >> directive >> name;
    if (directive == "#define") names.insert(name.substr(0, name.find('(')));
  }
  return {names.begin(), names.end()};
}

/// Two names of one length with other letters, tileM and tileN, are more likely two variables.
bool HaveSameLetters(std::string one, std::string other) {
  for (std::string* name : {&one, &other}) {
    std::ranges::transform(*name, name->begin(), [](unsigned char c) { return std::tolower(c); });
    std::ranges::sort(*name);
  }
  return one == other;
}

/// TILE_WIDHT, where the file has a TILE_WIDTH.
std::optional<KnownMistake> MisspelledOwnName(const Case& at) {
  const auto unknown = QuotedAfter(at.words, "identifier \"");
  if (!unknown || !at.words.ends_with("\" is undefined")) return std::nullopt;
  const std::string name(*unknown);
  std::vector<std::string> names = NamesElsewhere(at);
  std::erase_if(names, [&](const std::string& each) {
    constexpr std::size_t kShort = 4;
    if (each == name || each.size() > name.size() + 1 || name.size() > each.size() + 1) return true;
    return (each.size() == name.size() || name.size() < kShort) && !HaveSameLetters(each, name);
  });
  const std::string meant = ClosestCandidate(name, names);
  if (meant.empty()) return std::nullopt;
  return at.Here(say::name_is_not_declared(name), WriteName(meant, name));
}

/// `floot sum = 0;`, `__global__ void k(floot* p)`: an unknown name where a type is to be.
std::optional<KnownMistake> MisspelledType(const Case& at) {
  static const std::vector<std::string> types = {"float", "double", "int",    "unsigned", "char", "short",
                                                 "long",  "bool",   "size_t", "void",     "auto", "const",
                                                 "dim3",  "half",   "float4", "signed"};
  for (const Diagnostic& each : at.diagnostics) {
    if (each.severity != Severity::kError || each.where.line != at.line) continue;
    const std::string words = English(each.message);
    const auto unknown = QuotedAfter(words, "identifier \"");
    if (!unknown || !words.ends_with("\" is undefined")) continue;
    for (std::size_t i = 0; i + 1 < at.tokens.size(); ++i) {
      if (at.tokens[i].line != at.line || at.tokens[i].text != *unknown) continue;
      std::size_t next = i + 1;
      while (next < at.tokens.size() && IsOneOf(at.tokens[next].text, {"*", "&", "const", "__restrict__"}))
        ++next;
      // `flot * x`, a product, has an operand before it, or an operator.
      const bool begins =
          i == 0 || IsOneOf(at.tokens[i - 1].text,
                            {";", "{", "}", "(", ",", "const", "constexpr", "static", "__shared__",
                             "unsigned", "__device__", "__global__", "extern", ">"});
      if (!begins || next >= at.tokens.size() || !IsName(at.tokens[next].text)) continue;
      const std::string meant = ClosestCandidate(*unknown, types);
      if (meant.empty() || meant == *unknown) return std::nullopt;
      const std::string name(*unknown);
      return at.Here(say::name_is_not_declared(name), WriteName(meant, name));
    }
  }
  return std::nullopt;
}

/// `__globl__ void kernel() {`, where a declaration begins. In other places the compiler calls the word an
/// undefined identifier.
std::optional<KnownMistake> MisspelledSpecifier(const Case& at) {
  static const std::vector<std::string> specifiers = {"__global__", "__device__",   "__host__",
                                                      "__shared__", "__constant__", "__managed__"};
  if (at.words != "this declaration has no storage class or type specifier") return std::nullopt;
  for (std::size_t i = 0; i + 1 < at.tokens.size(); ++i) {
    const std::string& name = at.tokens[i].text;
    if (at.tokens[i].line != at.line || !IsName(name) || !IsName(at.tokens[i + 1].text)) continue;
    const bool begins = i == 0 || IsOneOf(at.tokens[i - 1].text, {";", "}", "{", ">", "static", "inline"});
    const auto same = std::ranges::find(specifiers, LettersOf(name), LettersOf);
    const std::string meant = same != specifiers.end() ? *same
                              : name.starts_with('_')  ? ClosestCandidate(name, specifiers)
                                                       : "";
    if (!begins || meant.empty() || meant == name) continue;
    return at.Here(say::name_is_not_declared(name), WriteName(meant, name));
  }
  return std::nullopt;
}

std::optional<KnownMistake> WrongStore(const Case& at) {
  return FindStoreMistake(at.tokens, at.line, at.words);
}

std::optional<KnownMistake> WrongCall(const Case& at) {
  return FindCallMistake(at.tokens, at.line, at.words);
}

std::optional<KnownMistake> KernelAsFunction(const Case& at) {
  if (Has(at.words, "a __global__ function call must be configured")) {
    return at.Here(say::kernel_called_without_launch(), say::launch_with_grid_and_block());
  }
  if (Has(at.words, "a __global__ function must have a void return type")) {
    return at.Here(say::kernel_returns_value(), say::store_result_in_array());
  }
  return std::nullopt;
}

std::optional<KnownMistake> DeviceLambda(const Case& at) {
  if (!Has(at.words, "annotation on lambda requires --extended-lambda")) return std::nullopt;
  return at.Here(say::device_lambda_needs_option(), say::write_function_object());
}

Message AdviceOnHostFunction(const std::string& name) {
  if (name.starts_with("cudaDeviceSynchronize")) return say::kernel_waits_with_barrier(name);
  if (name.starts_with("cuda")) return say::call_belongs_to_host(name);
  if (IsOneOf(name, {"ceil", "floor"})) return say::host_rounds_whole_numbers(name);
  if (IsOneOf(name, {"max", "min", "abs"})) return say::device_has_its_own(name);
  if (IsOneOf(name, {"pow", "sqrt", "round", "trunc", "log2", "log", "exp", "fabs", "fmax", "fmin"})) {
    return say::device_takes_floats(name);
  }
  return say::kernel_calls_device_functions(name);
}

/// "std::cout", in a line that writes to a stream.
std::string StreamOf(const Case& at) {
  return LineHas(at.tokens, at.line, "cerr") ? "std::cerr" : "std::cout";
}

struct ExternDeclaration {
  std::string type;
  int line = 0;
};

/// `extern int tile[];`, which is a variable of the host.
std::optional<ExternDeclaration> ExternArray(const Tokens& tokens, const std::string& name) {
  for (std::size_t i = 0; i + 4 < tokens.size(); ++i) {
    if (tokens[i].text == "extern" && IsName(tokens[i + 1].text) && tokens[i + 2].text == name &&
        tokens[i + 3].text == "[")
      return ExternDeclaration{tokens[i + 1].text, tokens[i].line};
  }
  return std::nullopt;
}

std::optional<KnownMistake> HostThingInKernel(const Case& at) {
  if (const auto function = QuotedAfter(at.words, "__host__ function(\"");
      function && Has(at.words, "is not allowed") && Has(at.words, "calling a ")) {
    const std::string name = PlainName(*function);
    if (function->starts_with("std::vector<"))
      return at.Here(say::device_reads_host_variable("std::vector"), say::pass_pointer_for_vector());
    if (function->starts_with("std::basic_ostream<"))
      return at.Here(say::device_reads_host_variable(StreamOf(at)), say::print_with_printf());
    return at.Here(say::device_calls_host_function(name), AdviceOnHostFunction(name));
  }
  if (const auto name = QuotedAfter(at.words, "identifier \"");
      name && Has(at.words, "is undefined in device code")) {
    if (const auto declared = ExternArray(at.tokens, std::string(*name)))
      return KnownMistake{say::in_line(declared->line, say::extern_array_not_shared(std::string(*name))),
                          say::write_extern_shared(declared->type, std::string(*name))};
    return at.Here(say::device_reads_host_variable(std::string(*name)), say::kernel_sees_no_host_variables());
  }
  return std::nullopt;
}

/// Of the standard library, the names that C++20 added and that people use.
constexpr std::string_view kNewNames[] = {"span",
                                          "popcount",
                                          "has_single_bit",
                                          "bit_ceil",
                                          "bit_floor",
                                          "bit_width",
                                          "bit_cast",
                                          "countl_zero",
                                          "countr_zero",
                                          "countl_one",
                                          "countr_one",
                                          "rotl",
                                          "rotr",
                                          "endian",
                                          "integral",
                                          "floating_point",
                                          "same_as",
                                          "convertible_to",
                                          "invocable",
                                          "midpoint",
                                          "lerp",
                                          "ssize",
                                          "erase",
                                          "erase_if",
                                          "jthread",
                                          "barrier",
                                          "latch",
                                          "format",
                                          "ranges",
                                          "views",
                                          "numbers",
                                          "to_array",
                                          "remove_cvref_t",
                                          "remove_cvref",
                                          "atomic_ref",
                                          "identity",
                                          "shift_left",
                                          "shift_right",
                                          "source_location",
                                          "cmp_less",
                                          "cmp_greater",
                                          "type_identity_t",
                                          "counting_semaphore",
                                          "signed_integral",
                                          "unsigned_integral",
                                          "is_constant_evaluated"};
constexpr std::string_view kNewKeywords[] = {"concept",  "requires",  "consteval", "constinit",
                                             "co_await", "co_return", "co_yield",  "char8_t"};
constexpr std::string_view kNewHeaders[] = {"format", "print",  "expected", "generator", "mdspan",  "span",
                                            "bit",    "ranges", "concepts", "numbers",   "barrier", "latch"};

template <std::size_t n>
bool IsIn(const std::string_view (&names)[n], std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

/// The word of C++20 that an error in that line is about.
std::optional<std::string> NewerWord(const Case& at, const std::string& words) {
  if (const auto name = QuotedAfter(words, "namespace \"std\" has no member \"");
      name && IsIn(kNewNames, *name)) {
    return "std::" + std::string(*name);
  }
  if (const auto name = QuotedAfter(words, "has no member \"");
      name && words.starts_with("class \"std::") &&
      IsOneOf(*name, {"contains", "starts_with", "ends_with"})) {
    return std::string(*name);
  }
  if (const std::size_t end = words.find(": No such file"); end != std::string::npos) {
    const std::string header = words.substr(0, end);
    if (IsIn(kNewHeaders, header)) return '<' + header + '>';
  }
  const bool is_declaration = Has(words, "has no storage class or type specifier") ||
                              Has(words, "is undefined") || Has(words, "expected a \";\"");
  for (const CodeToken& token : at.tokens) {
    if (token.line == at.line && is_declaration && IsIn(kNewKeywords, token.text)) return token.text;
  }
  if (Has(words, "an operator name must be declared as a function") && LineHas(at.tokens, at.line, "<=") &&
      LineHas(at.tokens, at.line, "operator")) {
    return "operator<=>";
  }
  if (Has(words, "name followed by \"::\" must be a class or namespace name")) {
    for (const char* name : {"ranges", "views", "numbers"}) {
      if (LineHas(at.tokens, at.line, name)) return std::string("std::") + name;
    }
  }
  return std::nullopt;
}

std::optional<KnownMistake> NewerStandard(const Case& at) {
  // A name that the library lacks may come second: `std::span<float> s` is first an incomplete type.
  for (const Diagnostic& each : at.diagnostics) {
    if (each.severity != Severity::kError || each.where.line != at.line) continue;
    const auto word = NewerWord(at, English(each.message));
    if (!word) continue;
    return at.Here(say::needs_newer_standard(*word, kStandardsName),
                   say::write_in_standard(kStandardsName, *word));
  }
  return std::nullopt;
}

/// `cub` of `cub/cub.cuh`, of a library with kernels of its own.
std::optional<std::string> KernelLibrary(std::string_view header) {
  const std::string name{header.substr(0, header.find_first_of("/._"))};
  if (name == "cub") return "CUB";
  if (name == "thrust") return "Thrust";
  if (name == "cutlass" || name == "cute") return "CUTLASS";
  if (name == "cublas" || name == "cublasLt" || name == "cublasXt") return "cuBLAS";
  return std::nullopt;
}

KnownMistake UsesLibrary(int line, const std::string& library) {
  return {say::in_line(line, say::uses_kernel_library(library)), say::write_own_kernel(library)};
}

std::optional<KnownMistake> MissingLibrary(const Case& at) {
  const std::size_t end = at.words.find(": No such file");
  if (end == std::string::npos) return std::nullopt;
  const auto library = KernelLibrary(std::string_view(at.words).substr(0, end));
  if (!library) return std::nullopt;
  return UsesLibrary(at.line, *library);
}

std::optional<KnownMistake> MissingHeader(const Case& at) {
  const std::size_t end = at.words.find(": No such file");
  if (end == std::string::npos || end == 0) return std::nullopt;
  const std::string header = at.words.substr(0, end);
  static const std::vector<std::string> known = {
      "algorithm",      "cassert",     "cfloat",         "chrono",
      "climits",        "cmath",       "cstddef",        "cstdint",
      "cstdio",         "cstdlib",     "cstring",        "fstream",
      "iomanip",        "iostream",    "memory",         "numeric",
      "random",         "stdexcept",   "string",         "utility",
      "vector",         "cuda_fp16.h", "cuda_runtime.h", "math.h",
      "stdio.h",        "stdlib.h",    "string.h",       "cooperative_groups.h",
      "curand_kernel.h"};
  const std::string meant = ClosestCandidate(header, known);
  if (!meant.empty() && meant != header)
    return at.Here(say::header_not_found(header), WriteName(meant, header));
  return at.Here(say::header_not_found(header), say::check_headers_name());
}

/// Members that cudaDeviceProp had up to CUDA 12, and where their values are now.
constexpr std::pair<std::string_view, const char*> kRemovedProperties[] = {
    {"clockRate", "cudaDevAttrClockRate"},
    {"memoryClockRate", "cudaDevAttrMemoryClockRate"},
    {"deviceOverlap", "cudaDevAttrGpuOverlap"},
    {"computeMode", "cudaDevAttrComputeMode"},
    {"kernelExecTimeoutEnabled", "cudaDevAttrKernelExecTimeout"},
    {"singleToDoublePrecisionPerfRatio", "cudaDevAttrSingleToDoublePrecisionPerfRatio"}};

std::optional<KnownMistake> UnknownProperty(const Case& at) {
  const auto name = QuotedAfter(at.words, "\"cudaDeviceProp\" has no member \"");
  if (!name) return std::nullopt;
  for (const auto& [property, attribute] : kRemovedProperties) {
    if (property == *name)
      return at.Here(say::property_removed(std::string(*name)), say::ask_for_attribute(attribute));
  }
  static const std::vector<std::string> properties = {"name",
                                                      "totalGlobalMem",
                                                      "sharedMemPerBlock",
                                                      "regsPerBlock",
                                                      "warpSize",
                                                      "maxThreadsPerBlock",
                                                      "maxThreadsDim",
                                                      "maxGridSize",
                                                      "totalConstMem",
                                                      "major",
                                                      "minor",
                                                      "multiProcessorCount",
                                                      "concurrentKernels",
                                                      "asyncEngineCount",
                                                      "memoryBusWidth",
                                                      "l2CacheSize",
                                                      "maxThreadsPerMultiProcessor",
                                                      "sharedMemPerMultiprocessor",
                                                      "regsPerMultiprocessor",
                                                      "managedMemory",
                                                      "cooperativeLaunch",
                                                      "sharedMemPerBlockOptin",
                                                      "maxBlocksPerMultiProcessor",
                                                      "reservedSharedMemPerBlock"};
  const std::string meant = ClosestCandidate(std::string(*name), properties);
  if (meant.empty()) return std::nullopt;
  return at.Here(say::no_such_property(std::string(*name)), WriteName(meant, std::string(*name)));
}

/// nvcc only warns, unless it is told otherwise (nvcc_dry_run.cc).
std::optional<KnownMistake> MissingReturn(const Case& at) {
  if (!at.words.starts_with("missing return statement at end of non-void function")) return std::nullopt;
  const auto quoted = QuotedAfter(at.words, "function \"");
  if (!quoted) return std::nullopt;
  const std::string name(quoted->substr(0, quoted->find_first_of("(<")));
  return at.Here(say::function_ends_without_value(name), say::return_at_the_end(name));
}

}  // namespace

std::optional<KnownMistake> RecogniseMistake(const std::vector<Diagnostic>& diagnostics,
                                             std::string_view source) {
  const auto first = std::ranges::find(diagnostics, Severity::kError, &Diagnostic::severity);
  if (first == diagnostics.end()) return std::nullopt;
  const std::string code = WithoutComments(source);
  const Case at{.diagnostics = diagnostics,
                .words = English(first->message),
                .line = first->where.line,
                .code = code,
                .tokens = TokensOf(code)};
  for (auto* recognise : {MergeConflict,
                          NewerStandard,
                          MissingQuote,
                          MissingBrace,
                          BraceTooMany,
                          MacroWithSemicolon,
                          MacroWithEquals,
                          WrongLaunch,
                          CommaInSubscript,
                          MissingParenthesis,
                          ConditionWithoutParentheses,
                          WrongExpression,
                          MissingSemicolon,
                          MisspelledSpecifier,
                          WrongDeclaration,
                          ArrayOfRunTimeSize,
                          ArrayWithoutSize,
                          WrongArray,
                          LaunchOfNothing,
                          WrongName,
                          MisspelledType,
                          WrongStore,
                          WrongCall,
                          ExtremeOf,
                          WrongType,
                          HostFunctionAsKernel,
                          MisspelledCudaName,
                          MisspelledOwnName,
                          UndeclaredName,
                          KernelAsFunction,
                          DeviceLambda,
                          HostThingInKernel,
                          MissingLibrary,
                          MissingHeader,
                          UnknownProperty,
                          MissingReturn}) {
    if (auto mistake = recognise(at)) return mistake;
  }
  return std::nullopt;
}

std::vector<KnownMistake> RecogniseMistakes(const std::vector<Diagnostic>& diagnostics,
                                            std::string_view source, std::string_view file) {
  constexpr std::size_t kMost = 3;
  std::vector<KnownMistake> mistakes;
  bool is_first = true;
  for (auto error = diagnostics.begin(); error != diagnostics.end() && mistakes.size() < kMost; ++error) {
    if (error->severity != Severity::kError) continue;
    const std::string words = English(error->message);
    const bool is_of_name = QuotedAfter(words, "identifier \"").has_value() ||
                            words.starts_with("namespace \"std\" has no member \"");
    const bool is_independent = std::exchange(is_first, false) || is_of_name;
    // Of a host function that device code calls, the compiler says a second time that it is unknown there.
    const bool is_repeated = Has(English(error->message), "is undefined in device code") &&
                             std::any_of(diagnostics.begin(), error, [&](const Diagnostic& each) {
                               return each.severity == Severity::kError && each.where == error->where &&
                                      Has(English(each.message), "calling a ");
                             });
    if (is_repeated) continue;
    // In a header, a line's number is not one of this file.
    if (!is_independent || (error->where.line > 0 && error->where.file != file)) continue;
    auto mistake = RecogniseMistake({error, diagnostics.end()}, source);
    if (!mistake) continue;
    const bool is_known = std::ranges::any_of(
        mistakes, [&](const KnownMistake& each) { return each.reason == mistake->reason; });
    if (!is_known) mistakes.push_back(std::move(*mistake));
    // Names may be unknown because a brace ends their block too early, or too late.
    if (FindSurplusBrace(WithoutComments(source)) || UnclosedBraceLine(source)) break;
  }
  return mistakes;
}

std::optional<KnownMistake> FindIndexInHostCode(std::string_view output) {
  constexpr std::string_view kVariable = "undefined reference to `__device_builtin_variable_";
  const std::size_t at = output.find(kVariable);
  if (at == std::string_view::npos) return std::nullopt;
  output.remove_prefix(at + kVariable.size());
  const std::string name(output.substr(0, output.find('\'')));
  return KnownMistake{say::index_in_host_code(name), say::mark_function_with_index()};
}

std::optional<KnownMistake> FindLaunchFromKernel(const std::vector<Diagnostic>& diagnostics,
                                                 std::string_view output) {
  for (const Diagnostic& each : diagnostics) {
    const std::string words = English(each.message);
    if (each.severity == Severity::kError && Has(words, "requires separate compilation mode"))
      return KnownMistake{say::in_line(each.where.line, say::kernel_launches_kernel()),
                          say::link_device_runtime()};
  }
  if (!Has(output, "Undefined reference to '__cudaCDP2")) return std::nullopt;
  return KnownMistake{say::kernel_launches_kernel(), say::link_device_runtime()};
}

std::optional<KnownMistake> FindKernelLibrary(std::string_view source) {
  // Strings are blank in code without comments, and "cub/cub.cuh" is one.
  const std::string code = WithoutComments(source);
  int line = 0;
  for (std::size_t start = 0; start < code.size();) {
    const std::size_t end = std::min(code.find('\n', start), code.size());
    ++line;
    std::string_view words = std::string_view(code).substr(start, end - start);
    words.remove_prefix(std::min(words.find_first_not_of(" \t#"), words.size()));
    const bool is_include =
        Has(std::string_view(code).substr(start, end - start), "#") && words.starts_with("include");
    const std::string_view written = source.substr(start, end - start);
    start = end + 1;
    const std::size_t quote = written.find_first_of("<\"");
    if (!is_include || quote == std::string_view::npos) continue;
    if (const auto library = KernelLibrary(written.substr(quote + 1))) return UsesLibrary(line, *library);
  }
  return std::nullopt;
}

}  // namespace warplings
