// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/complete.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplings {
namespace {

/// A table for the tests, with every kind of option.
struct Table {
  bool all = false;
  std::string file, device;
  std::vector<std::string> what;
  std::vector<Command> commands{
      {"check",
       "Check your solutions",
       {{"WHAT", &what, "Chapters or exercises"},
        {"--all", &all, "Go on"},
        {"--file", &file, "Another file", "F.cu"},
        {"--device", &device, "Which", "DEVICE"},
        {"--format", OneOf{{"text", "gcc", "sarif"}, [](std::size_t) {}}, ".starts with a dot", "FORMAT"}},
       "Example:\n  warplings check 1   one - two \\ three",
       [] { return 0; }},
      {"drill", "Ask", {{"CHAPTER", &file, "Which"}}, "", [] { return 0; }},
      {"run", "Run a program", {}, "", [] { return 0; }},
      {.name = "grade",
       .help = "A class",
       .options = {},
       .footer = "",
       .run = [] { return 0; },
       .is_of_other_program = true}};

  std::vector<std::string> Offer(const std::vector<std::string>& words) const {
    return Completions(commands, words, {"01_boundary_checks", "tiled_matmul", "tile_for_device"});
  }
};

using Names = std::vector<std::string>;

TEST(Completions, OffersVerbsOptionsValuesAndExercises) {
  const Table table;
  EXPECT_EQ(table.Offer({""}), (Names{"help", "check", "drill", "run", "grade", "--help", "--version"}));
  EXPECT_EQ(table.Offer({"c"}), (Names{"check"}));
  EXPECT_EQ(table.Offer({"help", "r"}), (Names{"run"}));
  EXPECT_EQ(table.Offer({"help", "k"}), (Names{"kernel"}));
  EXPECT_EQ(table.Offer({"check", "--f"}), (Names{"--file", "--format"}));
  EXPECT_EQ(table.Offer({"check", "--format", ""}), (Names{"text", "gcc", "sarif"}));
  EXPECT_EQ(table.Offer({"check", "--format", "s"}), (Names{"sarif"}));
  EXPECT_EQ(table.Offer({"check", "--device", "v"}), (Names{"virtual"}));
  EXPECT_EQ(table.Offer({"check", "--lang", ""}), (Names{"en", "zh_Hant"}));
  EXPECT_EQ(table.Offer({"check", "tile"}), (Names{"tiled_matmul", "tile_for_device"}));
  EXPECT_EQ(table.Offer({"drill", ""}), (Names{"01_boundary_checks"})) << "chapters only";
  // A flag has no value: what follows is an exercise again.
  EXPECT_EQ(table.Offer({"check", "--all", "0"}), (Names{"01_boundary_checks"}));
}

TEST(Completions, OffersNothingWhereAFileIsMeant) {
  const Table table;
  EXPECT_EQ(table.Offer({"check", "--file", ""}), Names{});
  EXPECT_EQ(table.Offer({"run", ""}), Names{});
  EXPECT_EQ(table.Offer({"unknown", ""}), Names{});
  EXPECT_EQ(table.Offer({"check", "nothing_like_it"}), Names{});
  EXPECT_FALSE(table.Offer({}).empty());
}

TEST(ManualPage, HasEveryVerbAndOptionAndNoLineThatRoffTakesForACommand) {
  const Table table;
  const std::string page = ManualPage(table.commands);
  for (const char* part :
       {"\\fB\\-\\-all\\fR\nGo on", "\\fB\\-\\-file\\fR \\fIF.cu\\fR", "\n\\&.starts with a dot\n",
        "one \\- two \\e three", "warplings help grade", ".TH WARPLINGS 1"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part << '\n' << page;
  }
  EXPECT_TRUE(std::ranges::all_of(page, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
}

}  // namespace
}  // namespace warplings
