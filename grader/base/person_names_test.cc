// SPDX-License-Identifier: Apache-2.0
#include "grader/base/person_names.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TEST(PersonNames, AreFoldedToLettersAndDigits) {
  EXPECT_EQ(FoldName("Lovelace, Ada"), "lovelaceada");
  EXPECT_EQ(FoldName("O'Neil-Żak 2"), "oneilżak2");
  EXPECT_EQ(FoldName("Ada\\u{00a0}Lovelace"), FoldName("Ada\u00A0Lovelace")) << "as Printable shows it";
  EXPECT_EQ(FoldName("a\\u{"), "au");
  EXPECT_EQ(FoldName("\\u{}\\u{110000000}"), "uu110000000");
}

TEST(PersonNames, MayBeginWithAnyWord) {
  EXPECT_EQ(NameForms("Ada Lovelace"), (std::set<std::string>{"adalovelace", "lovelaceada"}));
  EXPECT_EQ(NameForms("Lovelace, Ada"), NameForms("Ada Lovelace"));
  EXPECT_EQ(NameForms(" ,"), std::set<std::string>{});
}

TEST(PersonNames, TheGivenNameStandsBehindAComma) {
  EXPECT_EQ(FoldName(GivenNameFirst("Lovelace, Ada")), "adalovelace");
  EXPECT_EQ(GivenNameFirst("Ada Lovelace"), "Ada Lovelace");
}

}  // namespace
}  // namespace warplings
