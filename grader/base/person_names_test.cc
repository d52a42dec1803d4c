// SPDX-License-Identifier: Apache-2.0
#include "grader/base/person_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace warplings {
namespace {

TEST(PersonNames, AreFoldedToLettersAndDigits) {
  EXPECT_EQ(FoldName("Lovelace, Ada"), "lovelaceada");
  EXPECT_EQ(FoldName("O'Neil-Żak 2"), "oneilz\u0307ak2");
  EXPECT_EQ(FoldName("O\u2019Neil\u2010Kim"), "oneilkim");
  EXPECT_EQ(FoldName("Ada\\u{00a0}Lovelace"), FoldName("Ada\u00A0Lovelace")) << "as Printable shows it";
  EXPECT_EQ(FoldName("a\\u{"), "au");
  EXPECT_EQ(FoldName("\\u{}\\u{110000000}"), "uu110000000");
}

TEST(PersonNames, ALetterAndItsAccentMayBeTwoCharacters) {
  EXPECT_EQ(FoldName("Rene\u0301e"), FoldName("Renée"));
  EXPECT_NE(FoldName("Renée"), FoldName("Renee"));
  // Two accents in either order, in one character, in two and in three.
  EXPECT_EQ(FoldName("Tu\u0323\u031B"), FoldName("Tự"));
  EXPECT_EQ(FoldName("Nguyê\u0303n"), FoldName("Nguyễn"));
  EXPECT_EQ(FoldName("가각"), FoldName("\u1100\u1161\u1100\u1161\u11A8"));
  EXPECT_EQ(FoldName("か\u3099"), FoldName("が"));
  EXPECT_EQ(FoldName("И\u0306"), FoldName("Й"));
}

TEST(PersonNames, AreWrittenWithoutAccents) {
  EXPECT_EQ(CompareNames("Renee Dupont", "Renée Dupont"), NameFit::kWithoutAccents);
  EXPECT_EQ(CompareNames("dupontrenee", "Rene\u0301e Dupont"), NameFit::kWithoutAccents);
  EXPECT_EQ(CompareNames("Dupont, Rene\u0301e", "Renée Dupont"), NameFit::kExact);
  EXPECT_EQ(CompareNames("Renèe Dupont", "Renée Dupont"), NameFit::kWithoutAccents);
  for (const char* written : {"Muller", "Mueller"}) {
    EXPECT_EQ(CompareNames(written, "Müller"), NameFit::kWithoutAccents);
    EXPECT_EQ(CompareNames("Müller", written), NameFit::kWithoutAccents);
  }
  EXPECT_EQ(CompareNames("Muller", "Mueller"), NameFit::kNone);
  EXPECT_EQ(CompareNames("Zak Lukasz", "Łukasz Żak"), NameFit::kWithoutAccents);
  EXPECT_EQ(CompareNames("Soeren Groesse", "Søren Größe"), NameFit::kWithoutAccents);
  EXPECT_EQ(CompareNames("かき", "がき"), NameFit::kNone) << "another word, not an accent";
  EXPECT_EQ(CompareNames("", "é"), NameFit::kNone);
  EXPECT_EQ(CompareNames("=", ""), NameFit::kNone);
}

TEST(PersonNames, AreSortedByTheirLettersWithoutAccents) {
  const std::vector<std::string> sorted = {"Ada Lovelace",  "Łukasz Nowak", "Max Müller", "Max Müller (2)",
                                           "Maxima Arnold", "Øystein Berg", "Zoë O'Hara", "王小明"};
  std::vector<std::string> names(sorted.rbegin(), sorted.rend());
  std::ranges::sort(names, {}, NameSortKey);
  EXPECT_EQ(names, sorted);
  EXPECT_NE(NameSortKey("Zoe"), NameSortKey("Zoë")) << "one of them always comes first";
}

TEST(PersonNames, MayBeginWithAnyWord) {
  EXPECT_EQ(NameForms("Ada Lovelace"), (std::set<std::string>{"adalovelace", "lovelaceada"}));
  EXPECT_EQ(NameForms("Lovelace, Ada"), NameForms("Ada Lovelace"));
  EXPECT_EQ(NameForms(" ,"), std::set<std::string>{});
}

TEST(PersonNames, SurnameAndGivenNameMayBeOneWord) {
  EXPECT_EQ(CompareNames("小明 李", "李小明"), NameFit::kExact);
  EXPECT_EQ(CompareNames("李小明", "小明 李"), NameFit::kExact);
  EXPECT_EQ(CompareNames("小明, 李", "李小明"), NameFit::kExact);
  EXPECT_EQ(CompareNames("민수 김", "김민수"), NameFit::kExact);
  EXPECT_EQ(CompareNames("小明 李", "王小明"), NameFit::kNone);
  EXPECT_EQ(CompareNames("小明 李 2", "李小明2"), NameFit::kNone);
  EXPECT_EQ(CompareNames("An Li", "Lian"), NameFit::kNone) << "letters that have blanks between names";
}

TEST(PersonNames, TheGivenNameStandsBehindAComma) {
  EXPECT_EQ(FoldName(GivenNameFirst("Lovelace, Ada")), "adalovelace");
  EXPECT_EQ(GivenNameFirst("Ada Lovelace"), "Ada Lovelace");
}

}  // namespace
}  // namespace warplings
