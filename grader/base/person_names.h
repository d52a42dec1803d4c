// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

/// How the same person's name is written by rosters, LMSs and instructors.
namespace warplings {

/// Reduces a name to its letters and digits (of any script) in lower case, so that "Lovelace, Ada" and
/// "lovelaceada" are equal. A letter and its accent may be one character or two (Unicode's NFC and NFD). A
/// character that Printable has escaped is the same as itself.
std::string FoldName(std::string_view name);

/// The name's words, folded and run together, in every order that puts the last ones first: Canvas writes
/// "lovelaceada" for Ada Lovelace, and a roster "Lovelace, Ada".
std::set<std::string> NameForms(const std::string& name);

/// FoldName of a name as somebody wrote it, and in Chinese, Japanese and Korean letters NameForms too: a
/// roster may write surname and given name without a blank ("李小明"), so that only what was written ("小明
/// 李") shows the words.
std::set<std::string> WrittenForms(const std::string& written);

/// A folded name without its accents, as systems write it that know only English letters: "renee" of "Renée";
/// "muller" and "mueller" of "Müller".
std::set<std::string> PlainNames(std::string_view name);

/// What a list of names is sorted by: their letters without accents, word by word, so that "Łukasz" comes
/// before "Max", and "Max Müller" before "Max Müller (2)".
std::string NameSortKey(const std::string& name);

/// How well a name that was written somewhere fits somebody's name.
enum class NameFit {
  kNone,
  kWithoutAccents,  ///< Only if accents are dropped: it may be another person.
  kExact,           ///< One of NameForms is one of WrittenForms.
};
NameFit CompareNames(std::string_view written, const std::string& name);

/// " Ada Lovelace" of "Lovelace, Ada"; a name without a comma as it is.
std::string GivenNameFirst(const std::string& name);

}  // namespace warplings
