// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/moodle_worksheet.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "grader/base/csv.h"
#include "grader/base/replace.h"
#include "grader/base/text.h"
#include "grader/course/time_zone.h"
#include "grader/messages/class.h"

namespace warplings {
namespace {

/// Months in the languages that Moodle's teachers use most; English ones also shortened. Not Polish, Czech
/// and Croatian: "listopada" is November in the first two and October in the third.
constexpr std::string_view kMonths[12] = {
    " january jan januar januari janvier enero gennaio janeiro gener ",
    " february feb februar februari február février febrero febbraio fevereiro febrer ",
    " march mar märz mars marts marzo março maart març ",
    " april apr avril abril aprile ",
    " may mai maj mayo maggio maio mei maig ",
    " june jun juni juin junio giugno junho juny ",
    " july jul juli juillet julio luglio julho juliol ",
    " august aug augusti août agosto augustus agost ",
    " september sep sept septembre septiembre settembre setembro setembre ",
    " october oct oktober octobre octubre ottobre outubro ",
    " november nov novembre noviembre novembro ",
    " december dec dezember décembre diciembre dicembre dezembro desember desembre "};

/// Weekdays in the same languages, from Sunday.
constexpr std::string_view kWeekdays[7] = {
    " sunday sonntag dimanche domingo domenica zondag diumenge 星期日 ",
    " monday montag lundi lunes lunedì segunda maandag dilluns 星期一 ",
    " tuesday dienstag mardi martes martedì terça dinsdag dimarts 星期二 ",
    " wednesday mittwoch mercredi miércoles mercoledì quarta woensdag dimecres 星期三 ",
    " thursday donnerstag jeudi jueves giovedì quinta donderdag dijous 星期四 ",
    " friday freitag vendredi viernes venerdì sexta vrijdag divendres 星期五 ",
    " saturday samstag samedi sábado sabato zaterdag dissabte 星期六 "};

struct Token {
  std::string text;
  bool is_number = false;
  std::string gap{};  ///< What lies between it and the next one.
};

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

/// Numbers and words.
std::vector<Token> TokensOf(std::string_view shown) {
  std::string text = InLowerCase(shown);
  for (const std::string_view space : {"\u00a0", "\u202f"}) text = ReplaceAll(text, space, " ");
  text = ReplaceAll(ReplaceAll(text, "a.m.", "am"), "p.m.", "pm");
  text = ReplaceAll(ReplaceAll(text, "上午", " 上午 "), "下午", " 下午 ");
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < text.size();) {
    if (!IsDigit(text[i]) && !IsLetter(text[i])) {
      if (!tokens.empty()) tokens.back().gap += text[i];
      ++i;
      continue;
    }
    const bool is_number = IsDigit(text[i]);
    const std::size_t start = i;
    while (i < text.size() && (is_number ? IsDigit(text[i]) : IsLetter(text[i]))) ++i;
    tokens.push_back({text.substr(start, i - start), is_number});
  }
  return tokens;
}

unsigned NumberOf(const Token& token) {
  return token.text.size() > 4 ? 9999 : static_cast<unsigned>(std::atoi(token.text.c_str()));
}

/// Removes "11:58 pm", "23:58:01" or "23h58" from the tokens.
bool TakeTimeOfDay(std::vector<Token>& tokens, LocalTime& time) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is_number) continue;
    const bool colon = tokens[i].gap == ":" && tokens[i + 1].is_number;
    const bool letter = tokens[i].gap.empty() && tokens[i + 1].text == "h" && tokens[i + 1].gap.empty() &&
                        i + 2 < tokens.size() && tokens[i + 2].is_number;
    if (!colon && !letter) continue;
    time.hour = NumberOf(tokens[i]);
    std::size_t end = letter ? i + 2 : i + 1;
    time.minute = NumberOf(tokens[end]);
    if (tokens[end].gap == ":" && end + 1 < tokens.size() && tokens[end + 1].is_number) {
      time.second = NumberOf(tokens[++end]);
    }
    // English has the half of the day behind the time, Chinese in front.
    const std::string behind = end + 1 < tokens.size() ? tokens[end + 1].text : "";
    const std::string before = i > 0 ? tokens[i - 1].text : "";
    const bool afternoon = behind == "pm" || before == "下午";
    if (afternoon || behind == "am" || before == "上午") {
      if (time.hour < 1 || time.hour > 12) return false;
      time.hour = time.hour % 12 + (afternoon ? 12 : 0);
    }
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                 tokens.begin() + static_cast<std::ptrdiff_t>(end) + 1);
    return time.hour < 24 && time.minute < 60 && time.second < 60;
  }
  return false;
}

bool IsYear(const Token& token) {
  return token.text.size() == 4;
}

bool ReadDate(const std::vector<Token>& tokens, LocalTime& time) {
  std::vector<Token> numbers;
  std::vector<unsigned> months;
  for (const Token& token : tokens) {
    if (token.is_number) numbers.push_back(token);
    for (unsigned month = 0; month < 12 && !token.is_number; ++month) {
      if (kMonths[month].find(" " + token.text + " ") != std::string_view::npos) months.push_back(month + 1);
    }
  }
  if (months.size() == 1 && numbers.size() == 2 && IsYear(numbers[0]) != IsYear(numbers[1])) {
    const bool year_first = IsYear(numbers[0]);
    time.year = static_cast<int>(NumberOf(numbers[year_first ? 0 : 1]));
    time.month = months[0];
    time.day = NumberOf(numbers[year_first ? 1 : 0]);
    return true;
  }
  if (!months.empty() || numbers.size() != 3) return false;
  time.month = NumberOf(numbers[1]);
  if (IsYear(numbers[0])) {
    time.year = static_cast<int>(NumberOf(numbers[0]));
    time.day = NumberOf(numbers[2]);
    return true;
  }
  time.year = static_cast<int>(NumberOf(numbers[2]));
  time.day = NumberOf(numbers[0]);
  return IsYear(numbers[2]) && numbers[0].gap.starts_with('.') && numbers[1].gap.starts_with('.');
}

bool IsNoTime(const std::string& field) {
  return field.empty() || field == "-";
}

std::string FieldAt(const std::vector<std::string>& row, std::size_t column) {
  return column < row.size() ? CsvValue(row[column]) : "";
}

/// A year and a time of day, in whatever language the rest is.
bool IsLikeADate(const std::string& field) {
  std::vector<Token> tokens = TokensOf(field);
  LocalTime time;
  return TakeTimeOfDay(tokens, time) &&
         std::ranges::any_of(tokens, [](const Token& token) { return token.is_number && IsYear(token); });
}

struct ColumnOfDates {
  std::size_t column = 0;
  bool has_dates = false;  ///< Not only "-", as the column of grades has, too, before anybody is graded.
};

/// The columns in which something is, and all of it dates, or "-" for none.
std::vector<ColumnOfDates> ColumnsOfDates(const CsvTable& table) {
  std::vector<ColumnOfDates> found;
  for (std::size_t column = 1; column < table.rows.front().size(); ++column) {
    bool is_empty = true, is_other = false;
    ColumnOfDates each{column};
    for (std::size_t i = 1; i < table.rows.size(); ++i) {
      const std::string field = FieldAt(table.rows[i], column);
      is_empty = is_empty && field.empty();
      if (IsNoTime(field)) continue;
      each.has_dates = true;
      is_other = is_other || !IsLikeADate(field);
    }
    if (!is_empty && !is_other) found.push_back(each);
  }
  return found;
}

std::optional<std::size_t> ColumnOfTimes(const CsvTable& table) {
  const std::vector<std::string>& header = table.rows.front();
  const auto english = std::ranges::find(header, "Last modified (submission)");
  if (english != header.end()) return static_cast<std::size_t>(english - header.begin());
  const std::vector<ColumnOfDates> dates = ColumnsOfDates(table);
  if (dates.size() < 2) return std::nullopt;
  // The last one is that of the grade.
  const auto last = std::prev(dates.end());
  const auto first =
      std::find_if(dates.begin(), last, [](const ColumnOfDates& each) { return each.has_dates; });
  if (first != last) return first->column;
  // Nobody has handed anything in, and then nobody can be graded.
  return last->has_dates ? std::nullopt : std::optional(std::prev(last)->column);
}

std::optional<std::size_t> ColumnNamed(const CsvTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.rows.front(), name);
  if (found == table.rows.front().end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.rows.front().begin());
}

/// By its name, or because each field of it is an address.
std::optional<std::size_t> ColumnOfAddresses(const CsvTable& table) {
  if (const auto named = ColumnNamed(table, "Email address")) return named;
  for (std::size_t column = 1; column < table.rows.front().size(); ++column) {
    const auto is_address = [&](const auto& row) {
      const std::string field = FieldAt(row, column);
      return field.find('@') != field.npos && field.find(' ') == field.npos;
    };
    if (table.rows.size() > 1 && std::all_of(table.rows.begin() + 1, table.rows.end(), is_address))
      return column;
  }
  return std::nullopt;
}

/// "77" of "Participant 77", in any language.
std::string Participant(const std::string& identifier) {
  const std::size_t last = identifier.find_last_not_of("0123456789");
  return last == identifier.npos ? identifier : identifier.substr(last + 1);
}

}  // namespace

std::optional<std::int64_t> ParseShownTime(std::string_view text, const std::string& zone) {
  std::vector<Token> tokens = TokensOf(text);
  LocalTime time;
  if (!TakeTimeOfDay(tokens, time) || !ReadDate(tokens, time)) return std::nullopt;
  const auto date =
      std::chrono::year(time.year) / std::chrono::month(time.month) / std::chrono::day(time.day);
  return date.ok() && time.year >= 1970 ? ToUtc(time, zone) : std::nullopt;
}

bool HasOtherWeekday(std::string_view text) {
  std::vector<Token> tokens = TokensOf(text);
  LocalTime time;
  if (!TakeTimeOfDay(tokens, time) || !ReadDate(tokens, time)) return false;
  const auto date =
      std::chrono::year(time.year) / std::chrono::month(time.month) / std::chrono::day(time.day);
  if (!date.ok()) return false;
  const unsigned day = std::chrono::weekday(std::chrono::sys_days(date)).c_encoding();
  return std::ranges::any_of(tokens, [&](const Token& token) {
    const auto names = [&](std::string_view words) {
      return words.find(" " + token.text + " ") != std::string_view::npos;
    };
    return std::ranges::any_of(kWeekdays, names) && !names(kWeekdays[day]);
  });
}

Result<MoodleParticipants> ParseMoodleWorksheet(std::string_view text, const std::string& name,
                                                const std::string& zone) {
  const auto table = ParseCsv(text);
  if (!table)
    return UsageError(say::worksheet_unread(name, table.error().message), say::how_to_get_worksheet());
  const auto column = table->rows.empty() ? std::nullopt : ColumnOfTimes(*table);
  if (!column) {
    const std::string there = table->rows.empty() ? "" : Printable(Joined(table->rows.front(), ", "));
    return UsageError(say::no_times_in_worksheet(name, there), say::how_to_get_worksheet());
  }
  const auto names = ColumnNamed(*table, "Full name"), ids = ColumnNamed(*table, "ID number"),
             addresses = ColumnOfAddresses(*table);
  const auto field_of = [](const auto& row, std::optional<std::size_t> place) {
    return place ? FieldAt(row, *place) : "";
  };
  MoodleParticipants participants;
  for (std::size_t i = 1; i < table->rows.size(); ++i) {
    const std::vector<std::string>& row = table->rows[i];
    const std::string field = FieldAt(row, *column), participant = Participant(FieldAt(row, 0));
    if (participant.empty()) {
      if (IsNoTime(field)) continue;
      return UsageError(say::no_participant(name, table->lines[i], Printable(FieldAt(row, 0))),
                        say::how_to_get_worksheet());
    }
    MoodleParticipant& known = participants[participant];
    known = {ParseShownTime(field, zone), field_of(row, names), field_of(row, addresses),
             field_of(row, ids),          table->lines[i],      HasOtherWeekday(field) ? field : ""};
    if (!known.handed_in_at && !IsNoTime(field)) {
      return UsageError(say::date_not_understood(name, table->lines[i], Printable(field)),
                        say::dates_understood());
    }
  }
  return participants;
}

}  // namespace warplings
