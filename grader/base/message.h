// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplings {

// What the program has to say travels as data: an id, the English template of its sentence, and typed
// arguments. Words are put together where somebody reads them (English() below, Words() in catalogue.h), so
// that no code has to read a sentence to learn what it means, and a translator sees templates.
//
//     MESSAGE(use_after_free, "{1} {2} of {3} after it was freed", Message, Count, Name)   a row of a table
//     finding.message = say::use_after_free(verb, say::Count(4, "byte"), finding.object);
//
// The tables are grader/messages/*.inc and those beside the suites; each says what it is about.

class Message;

/// One value in a message. Which of the members are used depends on the kind.
struct Argument {
  enum class Kind : std::uint8_t {
    kText,     ///< `text` as it is: another program's words, a value that is formatted already.
    kName,     ///< `text`: a name in code, an array, an element, a file.
    kNumber,   ///< `number`: an amount.
    kIndex,    ///< `number`: a position or an identifier, which has no thousands separators.
    kCount,    ///< `number` things called `text` ("byte").
    kLine,     ///< `number`: a line of the submission; 0: none is known.
    kThread,   ///< `text`: "(3, 0)", or "(3, 0, 1)"; a block likewise.
    kTest,     ///< `text`: the name of a test of the suite; `inner`: its title, once that is known.
    kRange,    ///< `number` to `last`, both included.
    kMessage,  ///< `inner`: a message within the message.
  };
  Kind kind = Kind::kText;
  std::string text;
  std::int64_t number = 0, last = 0;
  std::vector<Message> inner;  ///< One, or none.

  friend bool operator==(const Argument& a, const Argument& b);
};

class Message {
 public:
  Message() = default;
  /// Words that have no row: a compiler's, a student's, those of a result that another version stored.
  Message(std::string verbatim) : english_(std::move(verbatim)) {}
  Message(const char* verbatim) : english_(verbatim) {}
  Message(std::string id, std::string english, std::vector<Argument> arguments)
      : id_(std::move(id)), english_(std::move(english)), arguments_(std::move(arguments)) {}

  bool empty() const { return english_.empty(); }
  /// False if it is words only.
  bool IsData() const { return !id_.empty(); }
  bool Is(std::string_view id) const { return id_ == id; }
  /// Whether this message, or the first within one of its arguments, and so on, has the id.
  bool Mentions(std::string_view id) const;

  const std::string& id() const { return id_; }
  /// The template, with {1} for the first argument; of words only, the words.
  const std::string& english() const { return english_; }
  const std::vector<Argument>& arguments() const { return arguments_; }
  std::vector<Argument>& arguments() { return arguments_; }

  friend bool operator==(const Message&, const Message&) = default;

  template <class Archive>
  void Fields(Archive& archive) {
    archive(id_, english_, arguments_);
  }

 private:
  std::string id_, english_;
  std::vector<Argument> arguments_;
};

inline bool operator==(const Argument& a, const Argument& b) {
  return a.kind == b.kind && a.text == b.text && a.number == b.number && a.last == b.last &&
         a.inner == b.inner;
}

/// How deep messages may stand in each other in what is received.
inline constexpr int kDeepestMessage = 24;

template <class Archive>
void WireFields(Archive& archive, Argument& argument) {
  static thread_local int depth = 0;
  archive(argument.kind, argument.text, argument.number, argument.last);
  if constexpr (requires { archive.Fail(); }) {
    if (depth == kDeepestMessage) return archive.Fail();
  }
  ++depth;
  archive(argument.inner);
  --depth;
}

/// The message in English, with plain numbers ("4096"): what JSON and the gradebook hold beside the data.
std::string English(const Message& message);

std::vector<std::string> English(const std::vector<Message>& messages);

/// English, where a test of ours says what it met.
std::ostream& operator<<(std::ostream& out, const Message& message);

/// The names of all tests that the message mentions, those of inner messages as well, in order.
std::vector<std::string> TestsIn(const Message& message);

/// Whether `whole` is `part`, or has it among its arguments, at any depth.
bool Contains(const Message& whole, const Message& part);

// --- The types of arguments, as a row of a table lists them; rows stand in this namespace, too. -----------

namespace say {

using warplings::Message;

struct Text {
  std::string text;
  Text(std::string value) : text(std::move(value)) {}
  Text(const char* value) : text(value) {}
  explicit operator Argument() const { return {Argument::Kind::kText, text, 0, 0, {}}; }
};

struct Name {
  std::string text;
  Name(std::string value) : text(std::move(value)) {}
  Name(const char* value) : text(value) {}
  explicit operator Argument() const { return {Argument::Kind::kName, text, 0, 0, {}}; }
};

struct Number {
  std::int64_t number;
  template <std::integral Integer>
  Number(Integer value) : number(static_cast<std::int64_t>(value)) {}
  explicit operator Argument() const { return {Argument::Kind::kNumber, {}, number, 0, {}}; }
};

struct Index {
  std::int64_t number;
  template <std::integral Integer>
  Index(Integer value) : number(static_cast<std::int64_t>(value)) {}
  explicit operator Argument() const { return {Argument::Kind::kIndex, {}, number, 0, {}}; }
};

/// A number with a fixed count of digits behind the point: Decimal(12.84, 1) is "12.8".
struct Decimal {
  std::string text;
  Decimal(double value, int digits);
  explicit operator Argument() const { return {Argument::Kind::kText, text, 0, 0, {}}; }
};

/// "1 byte", "4 bytes": the noun is an English singular whose plural ends in s.
struct Count {
  std::int64_t number;
  std::string noun;
  template <std::integral Integer>
  Count(Integer value, std::string of) : number(static_cast<std::int64_t>(value)), noun(std::move(of)) {}
  explicit operator Argument() const { return {Argument::Kind::kCount, noun, number, 0, {}}; }
};

/// "line 26"; "the line" if none is known.
struct Line {
  int line;
  Line(int number) : line(number) {}
  explicit operator Argument() const { return {Argument::Kind::kLine, {}, line, 0, {}}; }
};

/// An index of a thread or a block: "(3, 0)", or "(3, 0, 1)" where there is a third dimension to speak of.
struct Thread {
  std::string text;
  Thread(std::uint32_t x, std::uint32_t y, std::uint32_t z)
      : text("(" + std::to_string(x) + ", " + std::to_string(y) + (z == 0 ? "" : ", " + std::to_string(z)) +
             ")") {}
  /// As another message has it.
  explicit Thread(std::string index) : text(std::move(index)) {}
  explicit operator Argument() const { return {Argument::Kind::kThread, text, 0, 0, {}}; }
};

/// A test, by GoogleTest's name or the part behind its dot.
struct TestName {
  std::string text;
  TestName(std::string name) : text(std::move(name)) {}
  explicit operator Argument() const { return {Argument::Kind::kTest, text, 0, 0, {}}; }
};

/// "3 to 7"; of two numbers, "3 and 4".
struct Range {
  std::int64_t first, last;
  template <std::integral A, std::integral B>
  Range(A from, B to) : first(static_cast<std::int64_t>(from)), last(static_cast<std::int64_t>(to)) {}
  explicit operator Argument() const { return {Argument::Kind::kRange, {}, first, last, {}}; }
};

}  // namespace say

inline Argument AsArgument(const Message& message) {
  return {Argument::Kind::kMessage, {}, 0, 0, {message}};
}
template <class Type>
Argument AsArgument(const Type& value) {
  return static_cast<Argument>(value);
}

// --- Rows. -----------------------------------------------------------------------------------------------

/// How many different placeholders {1}, {2}, … a template has, all of which have to stand in it; -1: it is no
/// template.
constexpr int PlaceholdersIn(std::string_view english) {
  bool seen[10] = {};
  int most = 0;
  for (std::size_t at = 0; at < english.size(); ++at) {
    if (english[at] == '}') return -1;
    if (english[at] != '{') continue;
    if (at + 2 >= english.size() || english[at + 1] < '1' || english[at + 1] > '9' || english[at + 2] != '}')
      return -1;
    const int number = english[at + 1] - '0';
    seen[number] = true;
    if (number > most) most = number;
    at += 2;
  }
  for (int number = 1; number <= most; ++number) {
    if (!seen[number]) return -1;
  }
  return most;
}

/// What stands behind every template: nothing, unless the environment has WARPLINGS_MARK_TEMPLATES. The test
/// answers_marked sets it: whatever the templates say, verdicts, points and advice have to stay the same.
std::string_view TemplateMark();

/// A row of a table: called with its arguments, it makes the message. A template that does not fit the types
/// beside it does not compile.
template <class... Types>
struct MessageRow {
  const char* id;
  const char* english;

  consteval MessageRow(const char* row_id, const char* row_english) : id(row_id), english(row_english) {
    if (PlaceholdersIn(row_english) != static_cast<int>(sizeof...(Types)))
      throw "the template's placeholders are not {1} to {number of types}";
  }

  Message operator()(const Types&... arguments) const {
    return {id, std::string(english).append(TemplateMark()), {AsArgument(arguments)...}};
  }

  bool Made(const Message& message) const { return message.Is(id); }
};

/// `text`, a template or its translation, with each placeholder replaced by what `text_of` makes of its
/// value.
template <class Value, class TextOf>
std::string FillTemplate(std::string_view text, const std::vector<Value>& values, const TextOf& text_of) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_placeholder = text[at] == '{' && at + 2 < text.size() && text[at + 1] >= '1' &&
                                text[at + 1] <= '9' && text[at + 2] == '}';
    const auto number = is_placeholder ? static_cast<std::size_t>(text[at + 1] - '1') : values.size();
    if (number >= values.size()) {
      out += text[at];
      continue;
    }
    out += text_of(values[number]);
    at += 2;
  }
  return out;
}

/// One argument in words. `words` says what differs from language to language:
///     std::string Amount(std::int64_t number)         the digits of an amount
///     std::string Phrase(english, texts)              a template, with these texts in its placeholders
///     std::string Inner(const Message& message)       a message within the message
template <class Language>
std::string WordsOf(const Argument& argument, const Language& words) {
  switch (argument.kind) {
    case Argument::Kind::kText:
    case Argument::Kind::kName:
    case Argument::Kind::kThread: return argument.text;
    case Argument::Kind::kTest:
      return argument.inner.empty() ? argument.text : '"' + words.Inner(argument.inner.front()) + '"';
    case Argument::Kind::kNumber: return words.Amount(argument.number);
    case Argument::Kind::kIndex: return std::to_string(argument.number);
    case Argument::Kind::kCount:
      return words.Phrase("{1} " + argument.text + (argument.number == 1 ? "" : "s"),
                          {words.Amount(argument.number)});
    case Argument::Kind::kLine:
      if (argument.number == 0) return words.Phrase("the line", {});
      return words.Phrase("line {1}", {std::to_string(argument.number)});
    case Argument::Kind::kRange:
      return words.Phrase(argument.last == argument.number + 1 ? "{1} and {2}" : "{1} to {2}",
                          {words.Amount(argument.number), words.Amount(argument.last)});
    case Argument::Kind::kMessage: return argument.inner.empty() ? "" : words.Inner(argument.inner.front());
  }
  return "";
}

}  // namespace warplings
