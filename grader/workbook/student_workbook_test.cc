// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/student_workbook.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "grader/base/language.h"

namespace warplings {
namespace {

TEST(StudentWorkbook, AHandoutsPageIsInTheReadersLanguageWhereItWasBuiltInIt) {
  std::string scratch = (std::filesystem::temp_directory_path() / "warplings-test-XXXXXX").string();
  ASSERT_NE(mkdtemp(scratch.data()), nullptr);
  Layout layout;
  layout.build = scratch;
  const std::filesystem::path students = layout.build / "handouts" / "students";
  std::filesystem::create_directories(students / "zh_Hant");
  for (const char* page : {"01_first.html", "02_second.html", "zh_Hant/02_second.html"})
    std::ofstream(students / page) << "page";

  EXPECT_EQ(HandoutPageToRead(layout, "02_second.html"), students / "02_second.html");
  ChooseLanguage("zh_Hant");
  EXPECT_EQ(HandoutPageToRead(layout, "02_second.html"), students / "zh_Hant" / "02_second.html");
  EXPECT_EQ(HandoutPageToRead(layout, "01_first.html"), students / "01_first.html") << "only in English";
  EXPECT_EQ(PageToRead(students, "index.html", {"en", "zh_Hant"}), students / "zh_Hant" / "index.html");
  EXPECT_EQ(PageToRead(students, "index.html", {"en"}), students / "index.html");
  ChooseLanguage(kEnglish);
  EXPECT_EQ(PageToRead(students, "index.html", {"zh_Hant"}), students / "zh_Hant" / "index.html")
      << "built in no other language";
  std::filesystem::remove_all(layout.build);
}

}  // namespace
}  // namespace warplings
