// SPDX-License-Identifier: Apache-2.0
#include "grader/build/type_mistakes.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "grader/build/calls.h"
#include "grader/build/code_words.h"
#include "grader/build/definitions.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"

namespace warplings {
namespace {

using Code = std::vector<CodeToken>;

/// The two types in `argument of type "A" is incompatible with parameter of type "B"` and the like.
struct TypesOfError {
  PlainType given, wanted;
  bool is_vector = false;  ///< The first is a std::vector.
};

std::string_view TakeQuoted(std::string_view& words) {
  const std::size_t open = words.find('"');
  if (open == words.npos) return {};
  words.remove_prefix(open + 1);
  const std::size_t close = std::min(words.find('"'), words.size());
  const std::string_view quoted = words.substr(0, close);
  words.remove_prefix(std::min(close + 1, words.size()));
  return quoted;
}

/// `(aka "unsigned long")` names a type once more.
void SkipAlias(std::string_view& words) {
  if (!words.starts_with(" (aka ")) return;
  const std::size_t close = words.find(')');
  words.remove_prefix(close == words.npos ? words.size() : close + 1);
}

std::optional<TypesOfError> TypesIn(std::string_view words) {
  const std::string_view given = TakeQuoted(words);
  SkipAlias(words);
  const std::string_view wanted = TakeQuoted(words);
  if (given.empty() || wanted.empty()) return std::nullopt;
  return TypesOfError{TypeOf(given), TypeOf(wanted), given.starts_with("std::vector<")};
}

/// An argument that does not fit its parameter.
struct Misfit {
  const WrittenCall* call = nullptr;
  const Parameter* parameter = nullptr;
  std::size_t begin = 0, end = 0;  ///< Its tokens.
};

/// Whether the argument may have that type. What is no plain name may have any.
bool MayHaveType(const Code& tokens, const Misfit& argument, const TypesOfError& types) {
  const bool is_name = argument.end == argument.begin + 1;
  const auto declared =
      is_name ? DeclaredType(tokens, tokens[argument.begin].text, argument.begin) : std::nullopt;
  if (types.is_vector) return is_name && IsName(tokens[argument.begin].text) && !declared;
  return !declared || declared->base.empty() ||
         (declared->stars == types.given.stars && declared->base == types.given.base);
}

/// The first argument in the line's calls whose parameter has the wanted type: the compiler names it first.
std::optional<Misfit> MisfitIn(const Code& tokens, const std::vector<WrittenCall>& calls,
                               const TypesOfError& types) {
  for (const WrittenCall& call : calls) {
    for (std::size_t i = 0; i < std::min(call.arguments.size(), call.takes.parameters.size()); ++i) {
      const Misfit one{&call, &call.takes.parameters[i], call.arguments[i].first, call.arguments[i].second};
      // CUDA's functions have theirs in no file of ours.
      const bool is_it =
          one.parameter->type == types.wanted || (types.is_vector && one.parameter->type.base.empty());
      if (is_it && MayHaveType(tokens, one, types)) return one;
    }
  }
  return std::nullopt;
}

/// `d` of `*d` and of `d[0]`; empty of anything else.
std::string ArrayOfElement(const Code& tokens, const Misfit& argument) {
  if (tokens[argument.begin].text == "*" && argument.end == argument.begin + 2)
    return tokens[argument.begin + 1].text;
  const bool is_element = IsName(tokens[argument.begin].text) && IsAt(tokens, argument.begin + 1, "[") &&
                          BehindSubscripts(tokens, argument.begin + 1) == argument.end;
  return is_element ? tokens[argument.begin].text : "";
}

/// `sum` of `*sum`, `sums + i` of `*(sums + i)`; empty of anything else.
std::string WithoutStar(const Code& tokens, const Misfit& argument) {
  std::size_t begin = argument.begin + 1, end = argument.end;
  if (tokens[argument.begin].text != "*" || begin >= end) return "";
  if (tokens[begin].text == "(" && BehindParentheses(tokens, begin) == end) ++begin, --end;
  const bool is_whole = begin > argument.begin + 1 || (end == begin + 1 && IsName(tokens[begin].text));
  return is_whole ? TextOf(tokens, begin, end) : "";
}

/// "&d", "*d", "M + 1"
std::string TextOfArgument(const Code& tokens, const Misfit& argument) {
  const bool is_unary =
      argument.end == argument.begin + 2 && IsOneOf(tokens[argument.begin].text, {"&", "*"});
  if (is_unary) return tokens[argument.begin].text + tokens[argument.begin + 1].text;
  return TextOf(tokens, argument.begin, argument.end);
}

KnownMistake OfArgument(const Code& tokens, const Misfit& argument, const TypesOfError& types, int line) {
  const std::string text = TextOfArgument(tokens, argument);
  const std::string &function = argument.call->name, &parameter = argument.parameter->name;
  const PlainType &given = types.given, &wanted = types.wanted;
  const bool is_same = given.base == wanted.base;
  const auto here = [&](Message reason, Message next_step) {
    return KnownMistake{say::in_line(line, std::move(reason)), std::move(next_step)};
  };
  if (types.is_vector) {
    if (!argument.call->is_launch)
      return here(say::vector_for_pointer(text, function), say::write_data_of_vector(text));
    return here(say::vector_for_kernel(text, function), say::copy_vector_to_device(text));
  }
  if (is_same && given.stars == wanted.stars && given.is_const && !wanted.is_const)
    return here(say::const_for_parameter(text, parameter, function),
                say::pass_output_or_declare_const(parameter, function, WrittenType(given) + " " + parameter));
  if (is_same && given.stars == wanted.stars + 1 && text.starts_with('&'))
    return here(say::address_of_pointer(text, text.substr(1), function, WrittenType(wanted)),
                say::write_without_address(text.substr(1), text));
  if (const std::string array = ArrayOfElement(tokens, argument);
      is_same && given.stars == 0 && wanted.stars == 1 && !array.empty())
    return here(say::element_for_pointer(text, function, parameter), say::pass_array(array));
  if (is_same && given.stars == 1 && wanted.stars == 2)
    return here(say::array_for_rows(text, function, parameter, WrittenType(wanted)),
                say::declare_one_pointer(WrittenType({wanted.base, 1, wanted.is_const}) + " " + parameter,
                                         parameter));
  return here(say::argument_of_other_type(text, WrittenType(given), parameter, function, WrittenType(wanted)),
              given.stars > 0 && given.stars == wanted.stars
                  ? say::declare_with_one_type(text, parameter)
                  : say::write_arguments(argument.call->takes.Names()));
}

/// `cudaGetDeviceCount(count)`: CUDA's functions store there what they return.
std::optional<KnownMistake> WithoutAddress(const Code& tokens, const std::vector<WrittenCall>& calls,
                                           const TypesOfError& types, int line) {
  if (types.given.base != types.wanted.base || types.wanted.stars != types.given.stars + 1)
    return std::nullopt;
  for (const WrittenCall& call : calls) {
    if (call.is_launch) continue;
    for (std::size_t i = 0; i < std::min(call.arguments.size(), call.takes.parameters.size()); ++i) {
      const auto [begin, end] = call.arguments[i];
      const Parameter& parameter = call.takes.parameters[i];
      const bool is_name = end == begin + 1 && IsName(tokens[begin].text);
      if (!is_name || !parameter.name.starts_with('&') ||
          !MayHaveType(tokens, {&call, &parameter, begin, end}, types))
        continue;
      const std::string& name = tokens[begin].text;
      return KnownMistake{say::in_line(line, say::result_without_address(call.name, name)),
                          say::write_address_of(name)};
    }
  }
  return std::nullopt;
}

/// `atomicInc(&count[i], 1)` of ints.
std::optional<KnownMistake> CountsSigned(const Code& tokens, const std::vector<WrittenCall>& calls,
                                         const TypesOfError& types, int line) {
  if (types.given.stars != 1 || types.wanted != PlainType{"unsigned int", 1, false}) return std::nullopt;
  const auto is_count = [](const WrittenCall& call) {
    return IsOneOf(call.name, {"atomicInc", "atomicDec"}) && !call.arguments.empty();
  };
  const auto call = std::ranges::find_if(calls, is_count);
  if (call == calls.end()) return std::nullopt;
  const auto [begin, end] = call->arguments.front();
  const std::string text = TextOf(tokens, begin, end);
  return KnownMistake{
      say::in_line(line, say::atomic_of_unsigned(call->name, WrittenType({types.given.base, 0, false}))),
      say::write_atomic_add(text, call->name == "atomicInc" ? "1" : "-1", call->name)};
}

/// `cudaMalloc(d, bytes)`, `atomicAdd(P[0], x)`: templates, of which the compiler names the arguments' types.
std::optional<KnownMistake> OfOverload(const std::vector<WrittenCall>& calls, const Code& tokens, int line,
                                       std::string_view words) {
  constexpr std::string_view kTypes = "argument types are: (";
  const std::string name(TakeQuoted(words));
  const std::size_t types = words.find(kTypes);
  if (types == words.npos) return std::nullopt;
  words.remove_prefix(types + kTypes.size());
  const PlainType first = TypeOf(words.substr(0, words.find_first_of(",)")));
  const auto call = std::ranges::find(calls, name, &WrittenCall::name);
  if (call == calls.end() || call->arguments.empty()) return std::nullopt;
  const Misfit argument{&*call, &call->takes.parameters.front(), call->arguments.front().first,
                        call->arguments.front().second};
  const std::string text = TextOfArgument(tokens, argument);
  const auto here = [&](Message reason, Message next_step) {
    return KnownMistake{say::in_line(line, std::move(reason)), std::move(next_step)};
  };
  if (name == "cudaMalloc" && first.stars == 1 && argument.end == argument.begin + 1)
    return here(say::malloc_without_address(text), say::write_address_of(text));
  if (name == "cudaEventCreate" && first.stars == 0 && argument.end == argument.begin + 1)
    return here(say::result_without_address(name, text), say::write_address_of(text));
  if (!name.starts_with("atomic")) return std::nullopt;
  if (first.stars == 0) {
    const std::string address = WithoutStar(tokens, argument);
    return here(say::atomic_of_value(name, text),
                address.empty() ? say::write_address_of(text) : say::write_in_place_of(address, text));
  }
  if (first.stars == 1 && first.is_const) {
    const std::size_t at = argument.begin + (tokens[argument.begin].text == "&" ? 1 : 0);
    if (!IsName(tokens[at].text)) return std::nullopt;
    return here(say::elements_are_const(tokens[at].text), say::store_to_output(tokens[at].text));
  }
  return std::nullopt;
}

/// The = of a declaration or an assignment in the line, behind the name at `name`.
struct Setting {
  std::string name;
  std::size_t equals = 0, end = 0;
};

std::optional<Setting> SettingIn(const Code& tokens, int line, const PlainType& wanted) {
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (tokens[i].line != line || tokens[i].text != "=" || !IsName(tokens[i - 1].text)) continue;
    const auto declared = DeclaredType(tokens, tokens[i - 1].text, i);
    if (declared && (declared->stars != wanted.stars || declared->base != wanted.base)) continue;
    Setting found{tokens[i - 1].text, i, i + 1};
    while (found.end < tokens.size() && tokens[found.end].text != ";") ++found.end;
    return found;
  }
  return std::nullopt;
}

/// `*A`, and not `2 * A`.
bool IsDereferenced(const Code& tokens, std::size_t at) {
  if (at == 0 || tokens[at - 1].text != "*") return false;
  if (at < 2 || tokens[at - 2].text == "return") return true;
  return !IsWordCharacter(tokens[at - 2].text.front()) && !IsOneOf(tokens[at - 2].text, {")", "]"});
}

/// A name between the two tokens that is an array of that type, whole: without a subscript or a part.
std::string WholeArrayIn(const Code& tokens, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < std::min(end, tokens.size()); ++i) {
    if (!IsName(tokens[i].text) || IsDereferenced(tokens, i) ||
        (i > 0 && IsOneOf(tokens[i - 1].text, {".", "->"})))
      continue;
    if (i + 1 < tokens.size() && IsOneOf(tokens[i + 1].text, {"[", "(", ".", "->"})) continue;
    const auto declared = DeclaredType(tokens, tokens[i].text, i);
    if (declared && declared->stars == 1) return tokens[i].text;
  }
  return "";
}

/// The first name of a function in [begin, end) that begins so.
std::string CallAmong(const Code& tokens, std::size_t begin, std::size_t end, std::string_view prefix) {
  for (std::size_t i = begin; i < std::min(end, tokens.size()); ++i) {
    if (tokens[i].text.starts_with(prefix) && IsAt(tokens, i + 1, "(")) return tokens[i].text;
  }
  return "";
}

std::optional<KnownMistake> OfValue(const Code& tokens, const TypesOfError& types, int line) {
  const PlainType &given = types.given, &wanted = types.wanted;
  const auto setting = SettingIn(tokens, line, wanted);
  if (!setting) return std::nullopt;
  const auto here = [&](Message reason, Message next_step) {
    return KnownMistake{say::in_line(line, std::move(reason)), std::move(next_step)};
  };
  const std::size_t begin = setting->equals + 1, end = setting->end;
  if (given.base == "cudaError_t" || given.base == "cudaError") {
    const std::string call = CallAmong(tokens, begin, end, "cuda");
    if (call.empty()) return std::nullopt;
    return here(say::returns_error_code(call), call == "cudaMalloc"
                                                   ? say::pass_address_to_malloc(setting->name)
                                                   : say::keep_error_code(call));
  }
  if (given.base == "void" && given.stars == 1 && wanted.stars == 1) {
    std::string call = CallAmong(tokens, begin, end, "malloc");
    if (call.empty()) call = CallAmong(tokens, begin, end, "calloc");
    if (call.empty()) return std::nullopt;
    return here(say::malloc_without_cast(call, WrittenType(wanted)),
                say::write_cast(WrittenType(wanted), call));
  }
  if (given.base == "void" && given.stars == 0) {
    const bool is_launch = std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                                       tokens.begin() + static_cast<std::ptrdiff_t>(end),
                                       [](const CodeToken& each) { return each.text == "<<"; });
    if (!is_launch) return std::nullopt;
    return here(say::kernel_returns_value(), say::copy_result_of_kernel());
  }
  if (given.base != wanted.base) return std::nullopt;
  if (given.stars == wanted.stars && given.stars > 0 && given.is_const && !wanted.is_const)
    return here(say::pointer_drops_const(setting->name),
                say::declare_pointer_const(setting->name, WrittenType(given)));
  if (given.stars == 0 && wanted.stars == 1)
    return here(say::value_for_array(setting->name), say::write_index_before_assignment(setting->name));
  if (given.stars == 1 && wanted.stars == 0) {
    const std::string array = WholeArrayIn(tokens, begin, end);
    if (array.empty()) return std::nullopt;
    return here(say::array_for_value(array), say::write_index_of(array));
  }
  return std::nullopt;
}

/// `A + B` of two arrays, `x % 3` and `P[x]` of a float x.
std::optional<KnownMistake> OfOperand(const Code& tokens, int line, std::string_view words) {
  const bool is_arithmetic = words == "expression must have arithmetic or unscoped enum type";
  if (!is_arithmetic && words != "expression must have integral or unscoped enum type") return std::nullopt;
  const auto here = [&](Message reason, Message next_step) {
    return KnownMistake{say::in_line(line, std::move(reason)), std::move(next_step)};
  };
  const auto is_float = [&](std::size_t at) {
    if (!IsName(tokens[at].text)) return false;
    const auto declared = DeclaredType(tokens, tokens[at].text, at);
    return declared && declared->stars == 0 && IsOneOf(declared->base, {"float", "double"});
  };
  for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].line != line) continue;
    const std::string& text = tokens[i].text;
    if (IsOneOf(text, {"+", "-", "*", "/"})) {
      const std::string left = WholeArrayIn(tokens, i - 1, i), right = WholeArrayIn(tokens, i + 1, i + 2);
      // A pointer and a number have a sum.
      const bool has_sum = IsOneOf(text, {"+", "-"}) && (left.empty() || right.empty());
      const std::string& array = left.empty() ? right : left;
      if (!array.empty() && !has_sum) return here(say::array_for_value(array), say::write_index_of(array));
    }
    if (is_arithmetic) continue;
    if (text == "%") return here(say::remainder_of_floats(), say::write_fmodf());
    if (text == "[" && tokens[i + 1].line == line && is_float(i + 1) && IsAt(tokens, i + 2, "]"))
      return here(say::index_is_float(tokens[i + 1].text), say::declare_index_whole(tokens[i + 1].text));
  }
  return std::nullopt;
}

/// `return P[n];` in a kernel.
std::optional<KnownMistake> OfReturn(const Code& tokens, int line, std::string_view words) {
  if (words != "return value type does not match the function type") return std::nullopt;
  const auto at = std::ranges::find_if(
      tokens, [&](const CodeToken& each) { return each.line == line && each.text == "return"; });
  if (at == tokens.end()) return std::nullopt;
  const auto function = EnclosingFunction(tokens, static_cast<std::size_t>(at - tokens.begin()));
  const auto definition = function ? DefinitionOf(tokens, tokens[*function].text) : std::nullopt;
  if (!definition || !definition->returns_void) return std::nullopt;
  if (definition->is_kernel)
    return KnownMistake{say::in_line(line, say::kernel_returns_value()), say::store_and_return()};
  return KnownMistake{say::in_line(line, say::void_function_returns_value(tokens[*function].text)),
                      say::write_type_for_void(tokens[*function].text)};
}

}  // namespace

std::optional<KnownMistake> FindTypeMistake(const Code& tokens, int line, std::string_view words) {
  if (words.starts_with("no instance of overloaded function \""))
    return OfOverload(CallsIn(tokens, line), tokens, line, words);
  if (words.starts_with("argument of type \"") ||
      words.starts_with("no suitable conversion function from \"")) {
    const std::vector<WrittenCall> calls = CallsIn(tokens, line);
    const auto types = TypesIn(words);
    if (types) {
      if (auto mistake = WithoutAddress(tokens, calls, *types, line)) return mistake;
      if (auto mistake = CountsSigned(tokens, calls, *types, line)) return mistake;
    }
    const auto misfit = types ? MisfitIn(tokens, calls, *types) : std::nullopt;
    return misfit ? std::optional(OfArgument(tokens, *misfit, *types, line)) : std::nullopt;
  }
  if (words.starts_with("a value of type \"")) {
    const auto types = TypesIn(words);
    return types ? OfValue(tokens, *types, line) : std::nullopt;
  }
  if (auto mistake = OfReturn(tokens, line, words)) return mistake;
  return OfOperand(tokens, line, words);
}

}  // namespace warplings
