// SPDX-License-Identifier: Apache-2.0
#include "grader/base/language.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>
#include <optional>

namespace warplings {
namespace {

TEST(LanguageTest, TheLocaleChooses) {
  for (const char* locale : {"zh_TW", "zh_TW.UTF-8", "zh_HK.big5hkscs", "zh_MO", "zh_Hant", "zh-Hant-TW",
                             "zh_Hant_HK.UTF-8@x", "zh-TW"}) {
    EXPECT_EQ(LanguageOfLocale(locale), "zh_Hant") << locale;
  }
  for (const char* locale : {"", "C", "C.UTF-8", "POSIX", "en_US.UTF-8", "de_DE", "zh_CN.UTF-8", "zh_SG",
                             "zh", "TW", "zh_TWX", "../zh_Hant"}) {
    EXPECT_EQ(LanguageOfLocale(locale), "en") << locale;
  }
}

/// The four variables as given, and restored afterwards.
class Environment {
 public:
  explicit Environment(const std::map<std::string, std::string>& variables) {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"}) {
      if (const char* value = ::getenv(name)) former_[name] = value;
      ::unsetenv(name);
      if (variables.contains(name)) ::setenv(name, variables.at(name).c_str(), 1);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"}) {
      ::unsetenv(name);
      if (former_.contains(name)) ::setenv(name, former_.at(name).c_str(), 1);
    }
  }

 private:
  std::map<std::string, std::string> former_;
};

std::string With(const std::map<std::string, std::string>& variables) {
  const Environment environment(variables);
  return LanguageOfEnvironment();
}

TEST(LanguageTest, TheEnvironmentIsReadAsGettextReadsIt) {
  EXPECT_EQ(With({}), "en");
  EXPECT_EQ(With({{"LANG", "zh_TW.UTF-8"}}), "zh_Hant");
  EXPECT_EQ(With({{"LANG", "zh_TW.UTF-8"}, {"LC_MESSAGES", "en_GB.UTF-8"}}), "en");
  EXPECT_EQ(With({{"LANG", "en_GB"}, {"LC_MESSAGES", "zh_HK"}}), "zh_Hant");
  EXPECT_EQ(With({{"LC_ALL", "C.UTF-8"}, {"LC_MESSAGES", "zh_HK"}, {"LANG", "zh_TW"}}), "en");
  EXPECT_EQ(With({{"LC_ALL", ""}, {"LANG", "zh_TW"}}), "zh_Hant") << "an empty variable is none";
}

TEST(LanguageTest, LanguageListsWhatIsPreferred) {
  EXPECT_EQ(With({{"LANG", "en_US.UTF-8"}, {"LANGUAGE", "zh_TW:en"}}), "zh_Hant");
  EXPECT_EQ(With({{"LANG", "zh_TW.UTF-8"}, {"LANGUAGE", "en"}}), "en");
  EXPECT_EQ(With({{"LANG", "de_DE"}, {"LANGUAGE", "de:zh_Hant"}}), "zh_Hant") << "the first that we have";
  EXPECT_EQ(With({{"LANG", "zh_TW"}, {"LANGUAGE", "de:fr"}}), "zh_Hant") << "none of the list: the locale";
  EXPECT_EQ(With({{"LANG", "C"}, {"LANGUAGE", "zh_TW"}}), "en") << "C asks for no language";
  EXPECT_EQ(With({{"LANGUAGE", "zh_TW"}}), "en");
}

}  // namespace
}  // namespace warplings
