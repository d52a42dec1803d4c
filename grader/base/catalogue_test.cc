// SPDX-License-Identifier: Apache-2.0
#include "grader/base/catalogue.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

constexpr const char* kHead = "msgid \"\"\nmsgstr \"Language: zh_Hant\\n\"\n";

Catalogue Of(const std::string& entries) {
  auto catalogue = Catalogue::Parse(kHead + entries, "x.po");
  EXPECT_TRUE(catalogue.ok()) << catalogue.error().message;
  return catalogue.ok() ? *catalogue : Catalogue();
}

TEST(CatalogueTest, TranslatesWholeTexts) {
  const Catalogue catalogue =
      Of("\n# a comment\nmsgid \"Speed\"\nmsgstr \"速度\"\n\nmsgid \"\"\n\"two \"\n"
         "\"\\\"lines\\\"\\n\"\nmsgstr \"兩\"\n\"「行」\\n\"\n\nmsgid \"empty\"\nmsgstr \"\"\n");
  EXPECT_EQ(catalogue.Translate("Speed"), "速度");
  EXPECT_EQ(catalogue.Translate("two \"lines\"\n"), "兩「行」\n");
  EXPECT_EQ(catalogue.Translate("empty"), "empty");
  EXPECT_EQ(catalogue.Translate("Speeds"), "Speeds");
  EXPECT_EQ(catalogue.Translate(""), "") << "the head is no text";
  EXPECT_TRUE(catalogue.Has("Speed"));
  EXPECT_FALSE(catalogue.Has("empty"));
  EXPECT_FALSE(catalogue.Has("Speeds"));
}

/// As gettext does: what a number or a name has been put into is no template any more.
TEST(CatalogueTest, ATextIsFoundByItsTemplateAlone) {
  const Catalogue catalogue = Of("msgid \"{1} of {2} passed\"\nmsgstr \"{2} 之中 {1} 通過\"\n");
  const auto number = [](std::int64_t value) { return Argument{Argument::Kind::kNumber, {}, value, 0, {}}; };
  EXPECT_EQ(catalogue.Words(Message("passed", "{1} of {2} passed", {number(3), number(4000)})),
            "4,000 之中 3 通過");
  EXPECT_EQ(catalogue.Words(Message("3 of 4 passed")), "3 of 4 passed");
  EXPECT_EQ(catalogue.Translate("3 of 4 passed"), "3 of 4 passed");
}

TEST(CatalogueTest, ASentenceHasOneLanguage) {
  const Catalogue catalogue =
      Of("msgid \"{1} student\"\nmsgstr \"{1} 位學生\"\n\nmsgid \"{1} students\"\nmsgstr \"{1} 位學生\"\n"
         "\nmsgid \"for {1}\"\nmsgstr \"給 {1}\"\n");
  const Argument students{Argument::Kind::kCount, "student", 12, 0, {}};
  EXPECT_EQ(catalogue.Words(Message("for", "for {1}", {students})), "給 12 位學生");
  EXPECT_EQ(catalogue.Words(Message("frame", "{1}: {2}", {students, students})), "12 位學生: 12 位學生");
  const Message many("counted", "counted: {1}", {Argument{Argument::Kind::kNumber, "", 4126, 0, {}}});
  EXPECT_EQ(catalogue.Words(many), "counted: 4,126") << "grouped as in any language";
  const Message english("graded", "{1} are graded", {students});
  EXPECT_EQ(catalogue.Words(english), "12 students are graded");
  EXPECT_EQ(catalogue.Words(Message("nested", "{1}; remarks on {2}", {AsArgument(english), students})),
            "12 students are graded; remarks on 12 students");
}

TEST(CatalogueTest, ABlankBesideAPlaceholderIsForLatinValuesOnly) {
  const Catalogue catalogue =
      Of("msgid \"reads\"\nmsgstr \"讀取\"\n\nmsgid \"{1} of {2} twice\"\nmsgstr \"把 {2} 的 {1} 兩次\"\n"
         "\nmsgid \"see {1}\"\nmsgstr \"看 {1} （這裡）\"\n");
  const auto twice = [&](const Argument& what, const Argument& of) {
    return catalogue.Words(Message("twice", "{1} of {2} twice", {what, of}));
  };
  const Argument reads = AsArgument(Message("reads", "reads", {}));
  const Argument m{Argument::Kind::kName, "M", 0, 0, {}};
  EXPECT_EQ(twice(reads, m), "把 M 的讀取兩次");
  EXPECT_EQ(twice(m, reads), "把讀取的 M 兩次");
  EXPECT_EQ(catalogue.Words(Message("see", "see {1}", {m})), "看 M（這裡）");
}

TEST(CatalogueTest, AFaultNamesFileAndLine) {
  for (const auto& [po, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"msgid \"a\"\n", "x.po:1: a msgstr is missing"},
           {"msgid \"a\"\nmsgid \"b\"\nmsgstr \"c\"\n", "x.po:2: a msgstr is missing"},
           {"msgstr \"a\"\n", "x.po:1: a msgid is missing"},
           {"msgid \"a\nmsgstr \"b\"\n", "x.po:1: msgid, "},
           {"msgid \"a\\q\"\nmsgstr \"b\"\n", "x.po:1: msgid, "},
           {"\nmsgctxt \"a\"\n", "x.po:2: msgid, "},
           {"msgid \"a\"\nmsgid_plural \"b\"\n", "x.po:2: msgid, "},
           {"msgid \"a {x}\"\nmsgstr \"b\"\n", "x.po:2: {x} is not a placeholder"},
           {"msgid \"a {1\"\nmsgstr \"b\"\n", "x.po:2: { is not a placeholder"},
           {"msgid \"a {1:n}\"\nmsgstr \"b\"\n", "x.po:2: {1:n} is not a placeholder"},
           {"msgid \"a {1}\"\nmsgstr \"b {2}\"\n", "x.po:2: the translation has a placeholder"},
           {"msgid \"a\"\nmsgstr \"b\"\nmsgid \"a\"\nmsgstr \"c\"\n", "x.po:4: this msgid appears twice: a"},
       }) {
    const auto catalogue = Catalogue::Parse(po, "x.po");
    ASSERT_FALSE(catalogue.ok()) << po;
    EXPECT_EQ(English(catalogue.error().message).substr(0, std::string(message).size()), message);
  }
}

TEST(CatalogueTest, WithoutOneAllIsEnglish) {
  EXPECT_EQ(Translated("Speed"), "Speed");
  UseCatalogue(Of("msgid \"Speed\"\nmsgstr \"速度\"\n"));
  EXPECT_EQ(Translated("Speed"), "速度");
  EXPECT_EQ(Translated("  Speed "), "  速度 ");
  EXPECT_EQ(Translated("  "), "  ");
  UseCatalogue({});
  EXPECT_EQ(Translated("Speed"), "Speed");
}

}  // namespace
}  // namespace warplings
