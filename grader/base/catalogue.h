// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/base/result.h"

namespace warplings {

/// What the program says, in another language: the texts of a PO file.
///
/// Results are made, stored and sent in English, so that a program that reads them and a class graded by two
/// people see the same words; they are translated where they are shown. A text that holds names and numbers
/// is found by its pattern, in which a placeholder stands for each of them:
///
///     msgid "{1:t} {2:t} of {3} after it was freed"
///     msgstr "{3} 已釋放，卻仍{1}其中的 {2}"
///
/// {1} stands for any text, {1:n} for a number, and {1:t} for a text that is looked up in turn ("4 bytes").
/// Of several patterns that fit, the one with the most words of its own is taken. A text without an entry, or
/// with an empty msgstr, stays English.
class Catalogue {
 public:
  Catalogue() = default;

  /// Of a PO file: comments, msgid, msgstr. Contexts and plural forms are not used here, and are errors like
  /// all else that is not understood, with the file's name and line.
  static Result<Catalogue> Parse(std::string_view po, const std::string& name);

  std::string Translate(std::string_view english) const;

  /// Whether the text is there, with a translation.
  bool Has(std::string_view english) const;

 private:
  /// A piece of text, or a placeholder where `number` is not 0.
  struct Part {
    std::string text;
    int number = 0;
    char kind = 'a';  ///< 'a': any text; 'n': a number; 't': looked up in turn.
  };
  struct Pattern {
    std::vector<Part> english, translated;
    std::size_t letters = 0;  ///< Of its own, without what placeholders stand for.
  };

  static Result<std::vector<Part>> Split(const std::string& text, const std::string& place);
  static bool Fits(const std::vector<Part>& parts, std::size_t at, std::string_view text,
                   std::vector<std::string_view>& values);
  Status Add(const std::string& english, const std::string& translated, const std::string& place);
  const Pattern* Find(std::string_view english, std::vector<std::string_view>& values) const;
  std::string Translate(std::string_view english, int depth) const;

  std::unordered_map<std::string, std::string> texts_;  ///< Those without placeholders.
  std::vector<Pattern> patterns_;                       ///< The most letters first.
};

/// The catalogue of this program; a program's main() sets it, before any thread starts. Without one all is
/// English.
void UseCatalogue(Catalogue catalogue);

/// `english` in the language of this program, with the blanks around it. For text that is shown to a person,
/// never for what is stored or compared.
std::string Translated(std::string_view english);

}  // namespace warplings
