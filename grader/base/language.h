// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplings {

// A language is named like its folder below handouts/text and its files chapter.LANGUAGE.toml and
// po/LANGUAGE.po: "en", "zh_Hant". English is the source language, and is shown wherever a translation is
// missing.

inline constexpr std::string_view kEnglish = "en";

/// All supported languages, English first.
const std::vector<std::string>& Languages();

/// The supported language that fits this locale best: "zh_TW.UTF-8", "zh-HK" and "zh_Hant" give "zh_Hant";
/// unsupported languages, "C" and "" give "en".
std::string LanguageOfLocale(std::string_view locale);

/// The language that the environment asks for, by gettext's rules: the locale is the first of LC_ALL,
/// LC_MESSAGES and LANG that is not empty. Unless it is "C" or "POSIX", LANGUAGE may list languages that are
/// preferred to it ("zh_TW:en").
std::string LanguageOfEnvironment();

/// The language of this process. main() sets it before any thread starts; until then, and in every test that
/// does not set another, it is English.
void ChooseLanguage(std::string_view language);
const std::string& ChosenLanguage();

}  // namespace warplings
