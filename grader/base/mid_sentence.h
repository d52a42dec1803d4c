// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"

namespace warplings {

/// Whether a comma stands before the argument in the English template, as in "With {1}, {2}": a sentence has
/// begun there.
bool StandsMidSentence(std::string_view english, std::size_t argument);

/// The English words of a message, a sentence of its own, as they stand within another sentence: "Each sum"
/// becomes "each sum". A name stays as it is, because only a template's own first word is changed.
std::string MidSentence(const Message& message, std::string words);

/// What stands in the placeholders of an English template; `words_of` gives an argument's words.
template <class WordsOfArgument>
std::vector<std::string> TextsInEnglish(const Message& message, const WordsOfArgument& words_of) {
  std::vector<std::string> texts;
  for (const Argument& argument : message.arguments()) {
    std::string words = words_of(argument);
    const bool is_sentence = argument.kind == Argument::Kind::kMessage && !argument.inner.empty();
    if (is_sentence && StandsMidSentence(message.english(), texts.size()))
      words = MidSentence(argument.inner.front(), std::move(words));
    texts.push_back(std::move(words));
  }
  return texts;
}

}  // namespace warplings
