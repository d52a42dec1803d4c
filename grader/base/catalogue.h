// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/base/message.h"
#include "grader/base/result.h"

namespace warplings {

/// The translations of the program's messages into one language, read from a PO file.
///
/// A Message (message.h) is looked up by its template, before its arguments are put in, as gettext does:
///
///     msgid "{1} {2} of {3} after it was freed"
///     msgstr "{3} 已釋放，卻仍{1}其中的 {2}"
///
/// Fixed texts ("expected") are looked up as they are. A text without an entry, or with an empty msgstr,
/// stays English.
class Catalogue {
 public:
  Catalogue() = default;

  /// Parses a PO file of comments, msgid and msgstr. Contexts and plural forms are not supported: they are
  /// errors, like everything else that the parser does not know. An error names the file (`name`) and the
  /// line.
  static Result<Catalogue> Parse(std::string_view po, const std::string& name);

  std::string Translate(std::string_view english) const;

  /// The translation of a message's template; null: there is none.
  const std::string* Template(const std::string& english) const;

  /// The message in this language, with thousands separators in amounts.
  std::string Words(const Message& message) const;

  // What WordsOf (message.h) asks of a language.
  static std::string Amount(std::int64_t number);
  std::string Phrase(const std::string& english, const std::vector<std::string>& texts) const;
  std::string Inner(const Message& message) const { return Words(message); }

  /// True if the text has an entry whose translation is not empty.
  bool Has(std::string_view english) const;

 private:
  /// Where the parser is.
  struct Place {
    const std::string& file;
    int line = 0;
    Error Fault(const Message& what) const;
  };
  Status Add(const std::string& english, const std::string& translated, const Place& place);
  template <class Value, class TextOf>
  std::string Filled(const std::string& english, const std::vector<Value>& values,
                     const TextOf& text_of) const;

  std::unordered_map<std::string, std::string> texts_;  ///< Templates and fixed texts.
};

/// Sets the catalogue of this process. main() calls it before any thread starts. Without one, everything is
/// English.
void UseCatalogue(Catalogue catalogue);

/// `english` in the language of this process; leading and trailing blanks are kept. For text that a person
/// reads, never for text that is stored or compared.
std::string Translated(std::string_view english);

/// The message in the language of this process, with thousands separators in amounts. For a person.
std::string Words(const Message& message);

}  // namespace warplings
