// SPDX-License-Identifier: Apache-2.0
#include "grader/base/language.h"

#include <algorithm>
#include <cstdlib>

namespace warplings {
namespace {

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool IsNoLanguage(std::string_view locale) {
  const std::string_view name = locale.substr(0, locale.find('.'));
  return name.empty() || name == "C" || name == "POSIX";
}

/// Taiwan, Hong Kong and Macao write traditional characters, and so does who asks for the script.
bool IsTraditionalChinese(std::string_view name) {
  return name == "zh_TW" || name == "zh_HK" || name == "zh_MO" || name.starts_with("zh_Hant");
}

std::string& TheLanguage() {
  static std::string language(kEnglish);
  return language;
}

}  // namespace

const std::vector<std::string>& Languages() {
  static const std::vector<std::string> languages = {std::string(kEnglish), "zh_Hant"};
  return languages;
}

std::string LanguageOfLocale(std::string_view locale) {
  std::string name(locale.substr(0, locale.find_first_of(".@")));
  std::ranges::replace(name, '-', '_');
  if (IsTraditionalChinese(name)) return "zh_Hant";
  return std::string(kEnglish);
}

std::string LanguageOfEnvironment() {
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    if (locale.empty()) locale = Variable(name);
  }
  if (IsNoLanguage(locale)) return std::string(kEnglish);
  std::string preferred = Variable("LANGUAGE");
  while (!preferred.empty()) {
    const std::size_t colon = std::min(preferred.find(':'), preferred.size());
    const std::string first = preferred.substr(0, colon);
    const std::string language = LanguageOfLocale(first);
    if (language != kEnglish || first.starts_with("en")) return language;
    preferred.erase(0, colon + 1);
  }
  return LanguageOfLocale(locale);
}

void ChooseLanguage(std::string_view language) {
  TheLanguage() = language;
}

const std::string& ChosenLanguage() {
  return TheLanguage();
}

}  // namespace warplings
