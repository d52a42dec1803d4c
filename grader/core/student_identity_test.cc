// SPDX-License-Identifier: Apache-2.0
#include "grader/core/student_identity.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

using Found = std::vector<std::optional<std::size_t>>;

KnownStudent Known(const std::string& name, const std::string& id = "", const std::string& login = "") {
  return {name, "", {.id = id, .login = login, .email = "", .section = ""}};
}

StudentGrades Graded(const std::string& name, const std::string& login) {
  StudentGrades student;
  student.name = name;
  student.roster.login = login;
  return student;
}

TEST(StudentIdentity, TheKeyIsTheStrongestFieldOfTheRoster) {
  EXPECT_EQ(StudentKey("Ada", {.id = "7", .login = "ada", .email = "a@b", .section = ""}), "id 7");
  EXPECT_EQ(StudentKey("Ada", {.id = "", .login = "ada", .email = "a@b", .section = ""}), "login ada");
  EXPECT_EQ(StudentKey("Ada", {.id = "", .login = "", .email = "a@b", .section = ""}), "email a@b");
  EXPECT_EQ(StudentKey("Ada", {}), "name Ada");
}

TEST(StudentIdentity, OnlyANumberInBracketsIsNotPartOfTheName) {
  EXPECT_EQ(NameWithoutNumber("Max Müller (12)"), "Max Müller");
  for (const char* name : {"Max Müller", "Max (the second)", "Max ()", " (2)", "Max (2", "Max(2)"}) {
    EXPECT_EQ(NameWithoutNumber(name), name);
  }
}

TEST(StudentIdentity, OnlyASharedNameHasTheLoginBehindIt) {
  ClassGrades grades;
  grades.students = {Graded("Ada", "ada"), Graded("Max", "max1"), Graded("Max (2)", "max2")};
  EXPECT_EQ(DistinctName(grades, grades.students[0]), "Ada");
  EXPECT_EQ(DistinctName(grades, grades.students[1]), "Max <max1>");
  EXPECT_EQ(DistinctName(grades, grades.students[2]), "Max (2) <max2>");
  // As an entry of the trail names them, also who has left.
  EXPECT_EQ(DistinctName(grades, "Max (3)", "login max1"), "Max (3) <max1>");
  EXPECT_EQ(DistinctName(grades, "Ada", "login ada"), "Ada");
  EXPECT_EQ(DistinctName(grades, "Max", "id 103"), "Max <103>");
  EXPECT_EQ(DistinctName(grades, "Max", "name Max"), "Max");
  EXPECT_EQ(DistinctName(grades, "", ""), "");
}

TEST(StudentIdentity, NamesThatChangeHandsMislead) {
  const std::vector<KnownStudent> before = {Known("Max"), Known("Max (2)", "103"), Known("Max (3)", "104")};
  EXPECT_EQ(FindAgain(before, {Known("Max", "103"), Known("Max (2)", "104")}), (Found{{}, 0, 1}));
  EXPECT_EQ(FindAgain({Known("Max", "1"), Known("Max (2)", "2")}, {Known("Max", "2"), Known("Max (2)", "1")}),
            (Found{1, 0}));
}

TEST(StudentIdentity, ARosterThatGainsAFieldLosesNobody) {
  EXPECT_EQ(FindAgain({Known("Ada", "", "ada")}, {Known("Ada L.", "7", "Ada")}), (Found{0}));
  EXPECT_EQ(FindAgain({Known("Ada")}, {Known("Bob", "8"), Known("Ada", "7")}), (Found{1}));
  EXPECT_EQ(FindAgain({Known("Ada", "6")}, {Known("Ada", "7")}), (Found{std::nullopt}));
  // One of two may be meant by the bare name.
  EXPECT_EQ(FindAgain({Known("Max")}, {Known("Max", "7"), Known("Max (2)", "8")}), (Found{std::nullopt}));
}

TEST(StudentIdentity, WhoIsNobodysIsFoundByTheEntry) {
  const KnownStudent was{"Max", "max.zip", {}}, is{"Max (3)", "max.zip", {}};
  EXPECT_EQ(FindAgain({was}, {Known("Max", "7"), Known("Max (2)", "8"), is}), (Found{2}));
}

}  // namespace
}  // namespace warplings
