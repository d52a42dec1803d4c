// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/moodle_worksheet.h"

#include <gtest/gtest.h>

#include "grader/course/time_zone.h"
#include "grader/messages/class.h"

namespace warplings {
namespace {

const std::string kHeader =
    "Identifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be changed\","
    "\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\r\n";

std::string Row(const std::string& identifier, const std::string& time, const std::string& graded = "-") {
  return identifier + ",Ada,ada@x.edu,Submitted for grading,,10.00,Yes,\"" + time + "\",\"" + graded +
         "\",\r\n";
}

TEST(ShownTime, IsReadInTheFormatsOfMoodlesLanguages) {
  for (const char* text :
       {"Tuesday, 18 November 2025, 11:58 PM", "Tuesday, November 18, 2025, 11:58\u202fPM",
        "Tuesday, 18 November 2025, 23:58", "18 Nov 2025, 11:58 pm", "Dienstag, 18. November 2025, 23:58",
        "mardi 18 novembre 2025, 23:58", "mardi 18 novembre 2025 à 23h58",
        "martes, 18 de noviembre de 2025, 23:58", "2025年 11月 18日(二) 23:58",
        "2025年11月18日 星期二 下午 11:58", "2025-11-18 23:58", "2025/11/18, 23:58:00", "18.11.2025, 23:58",
        "Tuesday, 18 November 2025, 11:58 p.m.", "tisdag, 18 november 2025, 23:58"}) {
    const auto time = ParseShownTime(text, "UTC");
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(ShowUtc(*time), "2025-11-18T23:58:00Z") << text;
  }
  EXPECT_EQ(ShowUtc(*ParseShownTime("Monday, 1 December 2025, 12:05 AM", "UTC")), "2025-12-01T00:05:00Z");
  EXPECT_EQ(ShowUtc(*ParseShownTime("Monday, 1 December 2025, 12:05 PM", "UTC")), "2025-12-01T12:05:00Z");
  EXPECT_EQ(ShowUtc(*ParseShownTime("torsdag 1. maj 2025, 00:00", "UTC")), "2025-05-01T00:00:00Z");
  EXPECT_EQ(ShowUtc(*ParseShownTime("lundi 1 août 2025, 00:00", "Europe/Berlin")), "2025-07-31T22:00:00Z");
}

TEST(ShownTime, AWeekdayThatIsAnotherDaysIsNoticed) {
  for (const char* text : {"Sunday, 10 October 2026, 11:58 PM", "Montag, 10. Oktober 2026, 23:58",
                           "lundi 10 octobre 2026, 23:58", "2026年10月10日 星期一 下午 11:58"})
    EXPECT_TRUE(HasOtherWeekday(text)) << text;
  for (const char* text :
       {"Saturday, 10 October 2026, 11:58 PM", "Samstag, 10. Oktober 2026, 23:58", "2026-10-10 23:58",
        "sabato 10 ottobre 2026, 23:58", "2026年10月10日 星期六 下午 11:58", "-", "Sunday"})
    EXPECT_FALSE(HasOtherWeekday(text)) << text;
}

TEST(ShownTime, ThatMayMeanSomethingElseIsRefused) {
  for (const char* text :
       {"", "-", "yesterday", "czwartek, 5 listopada 2026, 20:00", "04/11/2025, 23:58", "11-04-2025 23:58",
        "18 November 2025", "31 November 2025, 23:58", "18 November 2025, 25:00",
        "18 November 2025, 13:00 PM", "18 November 25, 23:58", "18 Brumaire 2025, 23:58"}) {
    EXPECT_FALSE(ParseShownTime(text, "UTC")) << text;
  }
}

TEST(MoodleWorksheet, GivesTheTimeOfEachParticipant) {
  const auto times = ParseMoodleWorksheet(
      "\xef\xbb\xbf" + kHeader + Row("Participant 77", "Tuesday, 18 November 2025, 11:58 PM") +
          Row("Participant 78", "-") +
          Row("Participant 79", "Wednesday, 19 November 2025, 12:00 AM", "Friday, 21 November 2025, 1:00 PM"),
      "sheet.csv", "UTC");
  ASSERT_TRUE(times);
  ASSERT_EQ(times->size(), 3U);
  EXPECT_EQ(ShowUtc(*times->at("77").handed_in_at), "2025-11-18T23:58:00Z");
  EXPECT_FALSE(times->at("78").handed_in_at);
  EXPECT_EQ(ShowUtc(*times->at("79").handed_in_at), "2025-11-19T00:00:00Z");
  EXPECT_EQ(times->at("78").name, "Ada");
  EXPECT_EQ(times->at("78").email, "ada@x.edu");
  EXPECT_EQ(times->at("78").id, "");
}

TEST(MoodleWorksheet, IsReadInOtherLanguages) {
  const std::string header =
      "ID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung;Bestwertung;Bewertung kann geändert werden;"
      "Zuletzt geändert (Abgabe);Zuletzt geändert (Bewertung);Feedback als Kommentar\n";
  const auto times = ParseMoodleWorksheet(
      header + "Teilnehmer/in77;Ada;a@x.edu;Abgegeben;;10,00;Ja;\"Dienstag, 18. November 2025, 23:58\";-;\n",
      "sheet.csv", "UTC");
  ASSERT_TRUE(times);
  EXPECT_EQ(ShowUtc(*times->at("77").handed_in_at), "2025-11-18T23:58:00Z");
  EXPECT_EQ(times->at("77").email, "a@x.edu");
}

/// As it is downloaded before anybody is graded: the column of grades has "-" only, as that of the grades'
/// times.
TEST(MoodleWorksheet, IsReadBeforeAnybodyIsGraded) {
  const std::string header =
      "Identifiant,Nom,Courriel,Statut,Note,Note maximale,La note peut être modifiée,"
      "Dernière modification (travail remis),Dernière modification (note),Feedback par commentaires\n";
  const auto times = ParseMoodleWorksheet(
      header + "Participant880100,Ada,a@x.edu,Remis,-,25.00,Oui,\"mercredi 7 octobre 2026, 20:00\",-,\n" +
          "Participant880101,Bob,b@x.edu,Rien,-,25.00,Oui,-,-,\n",
      "sheet.csv", "UTC");
  ASSERT_TRUE(times) << English(times.error().message);
  EXPECT_EQ(ShowUtc(*times->at("880100").handed_in_at), "2026-10-07T20:00:00Z");
  EXPECT_FALSE(times->at("880101").handed_in_at);
}

TEST(MoodleWorksheet, HasNoTimesWhereNobodyHasHandedInAnything) {
  const auto times = ParseMoodleWorksheet(
      "ID,Name,E-Mail-Adresse,Bewertung,Zuletzt geändert (Abgabe),Zuletzt geändert (Bewertung)\n"
      "Teilnehmer/in1,Ada,a@x.edu,-,-,-\n",
      "sheet.csv", "UTC");
  ASSERT_TRUE(times) << English(times.error().message);
  EXPECT_FALSE(times->at("1").handed_in_at);
}

TEST(MoodleWorksheet, QuotesADateOfAnUnknownLanguage) {
  const auto times = ParseMoodleWorksheet(
      "Tunniste,Nimi,Arvosana,Viimeksi muokattu (palautus),Viimeksi muokattu (arvosana)\n"
      "Osallistuja 7,Ada,-,\"keskiviikko 7. lokakuuta 2026, 20:00\",-\n",
      "sheet.csv", "UTC");
  ASSERT_FALSE(times);
  EXPECT_TRUE(say::date_not_understood.Made(times.error().message)) << English(times.error().message);
}

TEST(MoodleWorksheet, SaysWhichDateItDoesNotUnderstand) {
  const auto times = ParseMoodleWorksheet(
      kHeader + Row("Participant 77", "2025-11-18 23:58") + Row("Participant 78", "18/11/2025, 23:58"),
      "sheet.csv", "UTC");
  ASSERT_FALSE(times);
  EXPECT_TRUE(say::date_not_understood.Made(times.error().message));
  EXPECT_EQ(English(times.error().message),
            "sheet.csv:3: the date '18/11/2025, 23:58' in \"Last modified (submission)\" is not understood");
}

TEST(MoodleWorksheet, IsNoOtherFile) {
  for (const char* text : {"", "name,id\nAda,1\n", "First name,Last downloaded\nAda,2025-11-18 23:58\n"}) {
    const auto times = ParseMoodleWorksheet(text, "x.csv", "UTC");
    ASSERT_FALSE(times) << text;
    EXPECT_TRUE(say::no_times_in_worksheet.Made(times.error().message)) << text;
  }
}

}  // namespace
}  // namespace warplings
