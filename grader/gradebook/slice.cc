// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/slice.h"

#include <charconv>
#include <system_error>

#include "grader/base/messages.h"
#include "grader/messages/class.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// The column `result` is ResultKey::Name() of the other columns and the settings.
constexpr const char* kTextTable = R"(
CREATE TABLE texts(
  position INTEGER PRIMARY KEY, result TEXT NOT NULL, chapter TEXT NOT NULL, exercise TEXT NOT NULL,
  submission_hash TEXT NOT NULL, suite_version TEXT NOT NULL, grader_version TEXT NOT NULL,
  device TEXT NOT NULL, seed TEXT NOT NULL, round INTEGER NOT NULL, source BLOB NOT NULL, answers BLOB NOT NULL
))";

constexpr const char* kMissing =
    "FROM texts WHERE NOT EXISTS (SELECT 1 FROM results WHERE key = texts.result AND verdict <> "
    "'grader_fault')";

std::uint64_t SeedOf(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

Status Slice::WriteTexts(std::span<const SliceText> texts) {
  Database& database = gradebook_.database_;
  Transaction transaction(database);
  if (!transaction.open() || !database.Execute(kTextTable)) return database.LastError();
  {
    Statement row =
        database.Prepare("INSERT INTO texts VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)");
    std::int64_t position = 0;
    for (const SliceText& text : texts) {
      const ResultKey& key = text.key;
      row.Bind(position++, key.Name(), key.chapter, key.exercise, key.submission_hash, key.suite_version,
               key.grader_version, key.device, std::to_string(key.seed), key.round);
      if (!row.BindBlob(11, text.source).BindBlob(12, text.answers).Run()) return database.LastError();
    }
  }
  if (!transaction.Commit()) return database.LastError();
  return Unit{};
}

Status Slice::Write(const fs::path& file, const ClassSettings& settings, std::span<const SliceText> texts) {
  // Under another name until it is whole, and closed: then all of it is in this one file.
  const fs::path unfinished = file.string() + ".new";
  std::error_code error;
  for (const char* rest : {"", "-wal", "-shm"}) fs::remove(unfinished.string() + rest, error);
  {
    auto gradebook = Gradebook::Open(unfinished, DatabaseUse::kAlone);
    if (!gradebook) return gradebook.error();
    Slice slice(std::move(*gradebook));
    if (const Status written = slice.gradebook_.WriteSettings(settings); !written) return written;
    if (const Status written = slice.WriteTexts(texts); !written) return written;
  }
  fs::rename(unfinished, file, error);
  if (error) return UsageError(say::cannot_write(file.string(), error.message()));
  return Unit{};
}

Result<Slice> Slice::Open(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    return UsageError(say::no_slice(file.string()), say::how_slices_are_made());
  }
  auto gradebook = Gradebook::Open(file, DatabaseUse::kAlone);
  if (!gradebook) return gradebook.error();
  Slice slice(std::move(*gradebook));
  const auto tables = slice.Count("SELECT count(*) FROM sqlite_schema WHERE name = 'texts'");
  if (!tables) return tables.error();
  if (*tables == 0) {
    return UsageError(say::gradebook_and_no_slice(file.string()), say::where_slices_are_made());
  }
  return slice;
}

Result<ClassSettings> Slice::ReadSettings() const {
  const auto settings = gradebook_.ReadSettings();
  if (!settings) return settings.error();
  return settings->value_or(ClassSettings{});
}

Result<std::vector<SliceText>> Slice::ReadMissing() const {
  Statement rows = gradebook_.database_.Prepare(
      std::string("SELECT chapter, exercise, submission_hash, suite_version, grader_version, device, seed, "
                  "round, source, answers ") +
      kMissing + " ORDER BY position");
  std::vector<SliceText> texts;
  while (rows.Step()) {
    texts.push_back({.key = {rows.Text(0), rows.Text(1), rows.Text(2), rows.Text(3), rows.Text(4),
                             rows.Text(5), SeedOf(rows.Text(6)), rows.Integer(7)},
                     .source = rows.Text(8),
                     .answers = rows.Text(9)});
  }
  if (!rows.ok()) return gradebook_.database_.LastError();
  return texts;
}

Result<std::size_t> Slice::CountTexts() const {
  return Count("SELECT count(*) FROM texts");
}

Result<std::size_t> Slice::CountMissing() const {
  return Count((std::string("SELECT count(*) ") + kMissing).c_str());
}

Result<std::size_t> Slice::Count(const char* sql) const {
  Statement row = gradebook_.database_.Prepare(sql);
  if (!row.Step()) return gradebook_.database_.LastError();
  return static_cast<std::size_t>(row.Integer(0));
}

}  // namespace warplings
