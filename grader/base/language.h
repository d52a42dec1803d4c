// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplings {

// A language is called as its folder below handouts/text and its files chapter.LANGUAGE.toml and
// po/LANGUAGE.po are: "en", "zh_Hant". English is what everything was written in, and what stands where a
// translation is missing.

inline constexpr std::string_view kEnglish = "en";

/// All there are, English first.
const std::vector<std::string>& Languages();

/// The language in which somebody with this locale reads best: "zh_TW.UTF-8", "zh-HK" and "zh_Hant" are
/// "zh_Hant"; what we do not have, "C" and "" are "en".
std::string LanguageOfLocale(std::string_view locale);

/// What the environment asks for, as gettext reads it: the locale is the first of LC_ALL, LC_MESSAGES and
/// LANG that is not empty; where that names a language at all (it is not "C" or "POSIX"), LANGUAGE may list
/// others that are preferred ("zh_TW:en").
std::string LanguageOfEnvironment();

/// The language of this program's texts. A program's main() chooses it, before any thread starts; until then,
/// and in every test that does not ask for another, it is English.
void ChooseLanguage(std::string_view language);
const std::string& ChosenLanguage();

}  // namespace warplings
