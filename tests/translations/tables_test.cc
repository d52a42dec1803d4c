// SPDX-License-Identifier: Apache-2.0
// Makes a message of every row of every table, and shows it in each language.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "grader/base/catalogue.h"
#include "grader/base/message.h"
#include "grader/core/layout.h"

namespace warplings {
namespace {

/// An argument of each type, whose text can be found again. `place` counts from 1.
template <class Type>
Argument Sample(int place) {
  const std::string name = "<" + std::to_string(place) + ">";
  if constexpr (std::is_same_v<Type, Message>) {
    return AsArgument(Message("words", name, {}));
  } else if constexpr (std::is_same_v<Type, say::Count>) {
    return AsArgument(say::Count(700 + place, "byte"));
  } else if constexpr (std::is_same_v<Type, say::Decimal>) {
    return AsArgument(say::Decimal(700 + place, 1));
  } else if constexpr (std::is_same_v<Type, say::Thread>) {
    return AsArgument(say::Thread(700u + static_cast<unsigned>(place), 0, 0));
  } else if constexpr (std::is_same_v<Type, say::Range>) {
    return AsArgument(say::Range(700 + place, 900));
  } else if constexpr (std::is_constructible_v<Type, int>) {
    return AsArgument(Type(700 + place));
  } else {
    return AsArgument(Type(name));
  }
}

struct Row {
  std::string table;
  Message message;
};

template <class... Types>
Message SampleOf(const char* id, const char* english) {
  int place = 0;
  return Message(id, english, {Sample<Types>(++place)...});
}

#define MESSAGE(id, english, ...) rows.push_back({table, SampleOf<__VA_ARGS__>(#id, english)});

std::vector<Row> AllRows() {
  using namespace say;  // NOLINT: the tables name types as they do in it.
  std::vector<Row> rows;
  std::string table = "product";
#include "grader/base/messages.inc"
#include "grader/messages/build.inc"
#include "grader/messages/calls.inc"
#include "grader/messages/check_faults.inc"
#include "grader/messages/checking.inc"
#include "grader/messages/command_line.inc"
#include "grader/messages/device.inc"
#include "grader/messages/device_work.inc"
#include "grader/messages/findings.inc"
#include "grader/messages/grader_faults.inc"
#include "grader/messages/host_code.inc"
#include "grader/messages/joining.inc"
#include "grader/messages/judging.inc"
#include "grader/messages/product_facts.inc"
#include "grader/messages/refusals.inc"
#include "grader/messages/report.inc"
#include "grader/messages/sandbox.inc"
#include "grader/messages/timing.inc"
#include "grader/messages/workbook.inc"
  table = "English";  // For instructors, authors and maintainers.
#include "grader/messages/authoring.inc"
#include "grader/messages/class.inc"
#include "grader/messages/course.inc"
#include "grader/messages/programs.inc"
#include "grader/messages/ptx.inc"
#include "grader/messages/suite_runs.inc"
#include "grader/messages/teaching_commands.inc"
#include "grader/messages/toml.inc"
  table = "suites";
#include "tests/suites/01_boundary_checks/messages.inc"
#include "tests/suites/02_rectangular_matmul/messages.inc"
#include "tests/suites/03_dynamic_shared_memory/messages.inc"
#include "tests/suites/04_occupancy/messages.inc"
#include "tests/suites/05_bank_conflicts/messages.inc"
#include "tests/suites/06_coarsening/messages.inc"
#include "tests/suites/07_where_it_recurs/messages.inc"
#include "tests/suites/common/messages.inc"
#include "tests/suites/messages.inc"
  return rows;
}

#undef MESSAGE

/// "{1} x {2}" is the same in all languages.
bool SaysSomething(const std::string& english) {
  return std::regex_search(english, std::regex("[A-Za-z]{2}|[:,;.()?]"));
}

/// What each argument's text has to hold, whatever the language.
std::string KeyOf(const Argument& argument) {
  if (argument.kind == Argument::Kind::kMessage) return argument.inner.front().english();
  if (argument.kind == Argument::Kind::kThread || argument.number == 0)
    return argument.text.substr(0, argument.text.find(','));
  return std::to_string(argument.number);
}

void ExpectArgumentsIn(const std::string& shown, const Message& message) {
  for (const Argument& argument : message.arguments())
    EXPECT_NE(shown.find(KeyOf(argument)), std::string::npos) << message.id() << ": " << shown;
}

TEST(Tables, EveryIdStandsOnce) {
  std::set<std::string> ids;
  for (const Row& row : AllRows()) EXPECT_TRUE(ids.insert(row.message.id()).second) << row.message.id();
  EXPECT_GT(ids.size(), 300u);
}

TEST(Tables, EveryRowIsShownInEnglish) {
  for (const Row& row : AllRows()) {
    const std::string shown = Catalogue().Words(row.message);
    ExpectArgumentsIn(shown, row.message);
    EXPECT_EQ(shown, English(row.message));
  }
}

TEST(Tables, EveryRowIsShownInTraditionalChinese) {
  std::ifstream file(ThisLayout().root / "po" / "zh_Hant.po");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto catalogue = Catalogue::Parse(text, "zh_Hant.po");
  ASSERT_TRUE(catalogue) << catalogue.error().message;
  for (const Row& row : AllRows()) {
    const std::string* translated = catalogue->Template(row.message.english());
    // Somebody who writes an exercise need not know other languages; all that the product says to students is
    // there.
    if (translated == nullptr && (row.table != "product" || !SaysSomething(row.message.english()))) continue;
    ASSERT_NE(translated, nullptr) << row.message.id();
    ExpectArgumentsIn(catalogue->Words(row.message), row.message);
  }
}

}  // namespace
}  // namespace warplings
