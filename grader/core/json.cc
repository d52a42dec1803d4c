// SPDX-License-Identifier: Apache-2.0
#include "grader/core/json.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "grader/base/characters.h"
#include "grader/base/reflect.h"
#include "grader/core/exercise_result.h"

namespace warplings {
namespace {

using nlohmann::json;

/// Members that are not in JSON.
template <class S>
constexpr std::array<std::string_view, 0> kLeftOut{};
template <>
constexpr std::array<std::string_view, 4> kLeftOut<LaunchRecord>{"stream", "longest_warp", "has_block_order",
                                                                 "arrays"};
template <>
constexpr std::array<std::string_view, 1> kLeftOut<TestResult>{"explained_step"};
template <>
constexpr std::array<std::string_view, 1> kLeftOut<LineCounts>{"calls"};
template <>
constexpr std::array<std::string_view, 2> kLeftOut<ExerciseResult>{"source", "shown_counts"};

template <class S>
constexpr bool kAllAreMembers = std::ranges::all_of(kLeftOut<S>, [](std::string_view name) {
  return std::ranges::find(reflect::kMemberNames<S>, name) != reflect::kMemberNames<S>.end();
});

template <class S>
bool IsLeftOut(std::string_view key) {
  static_assert(kAllAreMembers<S>);
  return std::ranges::find(kLeftOut<S>, key) != kLeftOut<S>.end();
}

// --- Messages: the English text under the member's name, the data beside it. ------------------------

std::string DataKey(const char* key) {
  return std::string(key) + "_data";
}

json ToData(const Message& message);

json ToData(const Argument& argument) {
  const std::string kind(reflect::NameOf(argument.kind));
  switch (argument.kind) {
    case Argument::Kind::kText:
    case Argument::Kind::kName:
    case Argument::Kind::kThread: return {{kind, argument.text}};
    case Argument::Kind::kTest: {
      json test = {{kind, argument.text}};
      if (!argument.inner.empty()) test["title"] = ToData(argument.inner.front());
      return test;
    }
    case Argument::Kind::kNumber:
    case Argument::Kind::kIndex:
    case Argument::Kind::kLine: return {{kind, argument.number}};
    case Argument::Kind::kCount: return {{kind, argument.number}, {"of", argument.text}};
    case Argument::Kind::kRange: return {{kind, {argument.number, argument.last}}};
    case Argument::Kind::kMessage: return {{kind, ToData(argument.inner.at(0))}};
  }
  return nullptr;
}

/// Of words only: null.
json ToData(const Message& message) {
  if (!message.IsData()) return message.empty() ? json(nullptr) : json({{"words", message.english()}});
  json arguments = json::array();
  for (const Argument& each : message.arguments()) arguments.push_back(ToData(each));
  return {{"id", message.id()}, {"template", message.english()}, {"arguments", std::move(arguments)}};
}

Message MessageOf(const json& data, int depth);

Argument ArgumentOf(const json& data, int depth) {
  for (std::size_t i = 0; i < reflect::kEnumeratorCount<Argument::Kind>; ++i) {
    Argument argument{static_cast<Argument::Kind>(i), {}, 0, 0, {}};
    const auto found = data.find(std::string(reflect::NameOf(argument.kind)));
    if (found == data.end()) continue;
    switch (argument.kind) {
      case Argument::Kind::kText:
      case Argument::Kind::kName:
      case Argument::Kind::kThread: argument.text = found->get<std::string>(); break;
      case Argument::Kind::kTest:
        argument.text = found->get<std::string>();
        if (const auto title = data.find("title"); title != data.end())
          argument.inner.push_back(MessageOf(*title, depth + 1));
        break;
      case Argument::Kind::kCount: argument.text = data.at("of").get<std::string>(); [[fallthrough]];
      case Argument::Kind::kNumber:
      case Argument::Kind::kIndex:
      case Argument::Kind::kLine: argument.number = found->get<std::int64_t>(); break;
      case Argument::Kind::kRange:
        argument.number = found->at(0).get<std::int64_t>();
        argument.last = found->at(1).get<std::int64_t>();
        break;
      case Argument::Kind::kMessage: argument.inner.push_back(MessageOf(*found, depth + 1)); break;
    }
    return argument;
  }
  throw std::runtime_error("an argument of no known kind");
}

Message MessageOf(const json& data, int depth) {
  if (depth > kDeepestMessage) throw std::runtime_error("messages within messages without end");
  if (data.is_null()) return {};
  if (const auto words = data.find("words"); words != data.end()) return words->get<std::string>();
  std::vector<Argument> arguments;
  for (const json& each : data.at("arguments")) arguments.push_back(ArgumentOf(each, depth));
  return {data.at("id").get<std::string>(), data.at("template").get<std::string>(), std::move(arguments)};
}

// --- Writing. ------------------------------------------------------------------------------------

template <class S>
void WriteMembers(json& out, const S& object);

template <class T>
void Write(json& out, const T& value) {
  if constexpr (std::is_enum_v<T>) {
    out = reflect::NameOf(value);
  } else if constexpr (std::is_aggregate_v<T>) {
    WriteMembers(out, value);
  } else {
    out = value;
  }
}

template <class T>
void Write(json& out, const std::vector<T>& list) {
  out = json::array();
  for (const T& each : list) Write(out.emplace_back(), each);
}

template <class T>
void WriteMember(json& out, const char* key, const T& member) {
  Write(out[key], member);
}

void WriteMember(json& out, const char* key, const Message& message) {
  out[key] = English(message);
  if (message.IsData()) out[DataKey(key)] = ToData(message);
}

void WriteMember(json& out, const char* key, const std::vector<Message>& messages) {
  json& texts = out[key] = json::array();
  json& data = out[DataKey(key)] = json::array();
  for (const Message& each : messages) {
    texts.push_back(English(each));
    data.push_back(ToData(each));
  }
}

template <class T>
void WriteMember(json& out, const char* key, const std::optional<T>& member) {
  if (member) WriteMember(out, key, *member);
}

template <class S>
void WriteMembers(json& out, const S& object) {
  out = json::object();
  reflect::ApplyToMembers(object, [&out](const auto&... members) {
    const char* const* key = reflect::kMemberNames<S>.data();
    ((IsLeftOut<S>(*key) ? void() : WriteMember(out, *key, members), ++key), ...);
  });
}

// --- Reading. Each Read throws std::runtime_error with the reason, without the key. --------------

template <class S>
void ReadMembers(const json& in, S& value);

void Read(const json& in, std::string& value) {
  if (!in.is_string()) throw std::runtime_error("must be a string");
  value = in.get<std::string>();
}

void Read(const json& in, bool& value) {
  if (!in.is_boolean()) throw std::runtime_error("must be true or false");
  value = in.get<bool>();
}

void Read(const json& in, double& value) {
  if (!in.is_number()) throw std::runtime_error("must be a number");
  value = in.get<double>();
}

/// nlohmann's get<> wraps a number that does not fit; here it is an error.
template <std::integral Integer>
void Read(const json& in, Integer& value) {
  if (!in.is_number_integer()) throw std::runtime_error("must be a whole number");
  const bool fits = in.is_number_unsigned() ? std::in_range<Integer>(in.get<std::uint64_t>())
                                            : std::in_range<Integer>(in.get<std::int64_t>());
  if (!fits) throw std::runtime_error("is out of range");
  value = in.get<Integer>();
}

template <class Enum>
requires std::is_enum_v<Enum>
void Read(const json& in, Enum& value) {
  std::string name;
  Read(in, name);
  const auto& names = reflect::kEnumeratorNames<Enum>;
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw std::runtime_error("has no value '" + name + "'");
  value = static_cast<Enum>(found - names.begin());
}

template <class S>
requires std::is_aggregate_v<S>
void Read(const json& in, S& object) {
  ReadMembers(in, object);
}

template <class T>
void Read(const json& in, std::vector<T>& list) {
  if (!in.is_array()) throw std::runtime_error("must be a list");
  list.clear();
  for (const json& element : in) Read(element, list.emplace_back());
}

template <class T>
void ReadMember(const json& in, const char* key, T& member) {
  const auto found = in.find(key);
  if (found == in.end()) throw std::runtime_error("is missing");
  Read(*found, member);
}

/// Results of versions that stored words only have no data beside them.
void ReadMember(const json& in, const char* key, Message& message) {
  std::string words;
  ReadMember(in, key, words);
  const auto data = in.find(DataKey(key));
  message = data == in.end() ? Message(std::move(words)) : MessageOf(*data, 0);
}

void ReadMember(const json& in, const char* key, std::vector<Message>& messages) {
  std::vector<std::string> words;
  ReadMember(in, key, words);
  const auto data = in.find(DataKey(key));
  messages.clear();
  for (std::size_t i = 0; i < words.size(); ++i)
    messages.push_back(data == in.end() ? Message(std::move(words[i])) : MessageOf(data->at(i), 0));
}

template <class T>
void ReadMember(const json& in, const char* key, std::optional<T>& member) {
  member.reset();
  if (in.contains(key)) ReadMember(in, key, member.emplace());
}

template <class S>
void ReadMembers(const json& in, S& object) {
  if (!in.is_object()) throw std::runtime_error("must be an object");
  const char* const* key = reflect::kMemberNames<S>.data();
  try {
    reflect::ApplyToMembers(object, [&](auto&... members) {
      ((IsLeftOut<S>(*key) ? void() : ReadMember(in, *key, members), ++key), ...);
    });
  } catch (const std::exception& fault) {
    throw std::runtime_error(std::string(*key) + ": " + fault.what());
  }
}

}  // namespace

json MessageToJson(const Message& message) {
  return ToData(message);
}

Message MessageFromJson(const json& in) {
  return MessageOf(in, 0);
}

template <class T>
Result<T> FromJson(std::string_view text) {
  try {
    T value{};
    json::parse(text.begin(), text.end()).get_to(value);
    return value;
  } catch (const std::exception& fault) {
    return GraderError(std::string("not the JSON that was expected: ") + fault.what());
  }
}

template Result<json> FromJson(std::string_view);

#define WARPLINGS_JSON(Type)                    \
  void to_json(json& out, const Type& value) {  \
    WriteMembers(out, value);                   \
  }                                             \
  void from_json(const json& in, Type& value) { \
    ReadMembers(in, value);                     \
  }                                             \
  template Result<Type> FromJson(std::string_view);
WARPLINGS_JSON_TYPES(WARPLINGS_JSON)
#undef WARPLINGS_JSON

void to_json(json& out, const InstructionCounts& value) {
  out = {{"opcode", value.opcode}, {"where", value.where}, {"counts", json::object()}};
  reflect::ForEachMember(value.counts, [&](const char* name, std::uint64_t count) {
    if (count != 0) out["counts"][name] = count;
  });
}
void to_json(json& out, const KernelProfile& value) {
  out = value.sum;
  out["device"] = value.device;
  out["launches"] = value.launches;
  out["instructions"] = value.instructions;
}

/// As JSON has it: in UTF-16, "\u202e".
static void AppendEscape(std::string& out, char32_t code) {
  char text[16];
  const auto number = static_cast<unsigned>(code);
  if (number < 0x10000) {
    std::snprintf(text, sizeof text, "\\u%04x", number);
  } else {
    const unsigned above = number - 0x10000;
    std::snprintf(text, sizeof text, "\\u%04x\\u%04x", 0xD800 + (above >> 10), 0xDC00 + (above & 0x3FF));
  }
  out += text;
}

std::string DumpJson(const json& value, int indent) {
  const std::string text = value.dump(indent, ' ', false, json::error_handler_t::replace);
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const Character next = FirstCharacter(rest);
    // Such characters stand in strings only. A person who reads the file sees them, and a program reads the
    // same.
    if ((next.code >= 0x7F && next.code < 0xA0) || IsUnseen(next.code) || IsJoiner(next.code) ||
        IsOddSpace(next.code)) {
      AppendEscape(out, next.code);
    } else {
      out += rest.substr(0, next.bytes);
    }
    rest.remove_prefix(next.bytes);
  }
  return out;
}

}  // namespace warplings
