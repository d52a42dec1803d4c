// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/sanitizer_log.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string>

namespace warplings::cuda_gpu {
namespace {

constexpr std::string_view kPrefix = "========= ";

/// One fault as the tool tells it: a headline, then indented details.
struct Record {
  std::string headline;
  std::vector<std::string> details;
};

std::vector<Record> SplitRecords(std::string_view log) {
  std::vector<Record> records;
  while (!log.empty()) {
    const std::size_t end = std::min(log.find('\n'), log.size());
    std::string_view line = log.substr(0, end);
    log.remove_prefix(std::min(end + 1, log.size()));
    if (!line.starts_with(kPrefix)) continue;  // What the program itself printed.
    line.remove_prefix(kPrefix.size());
    const std::size_t text = line.find_first_not_of(' ');
    if (text == std::string_view::npos) continue;
    if (text == 0) {
      records.push_back({std::string(line), {}});
    } else if (!records.empty()) {
      records.back().details.emplace_back(line.substr(text));
    }
  }
  return records;
}

/// Banner, totals, and errors that calls return because of what was told before.
bool IsNoFault(const std::string& headline) {
  for (const char* start : {"COMPUTE-SANITIZER", "ERROR SUMMARY", "RACECHECK SUMMARY", "LEAK SUMMARY",
                            "Program hit", "Target application", "No attachable", "Host Frame"}) {
    if (headline.starts_with(start)) return true;
  }
  return false;
}

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdef";

/// How many of these letters `text` begins with.
std::size_t LengthOf(std::string_view letters, std::string_view text) {
  return std::min(text.find_first_not_of(letters), text.size());
}

/// What is left of a line of the tool, which is read from left to right.
class Rest {
 public:
  explicit Rest(std::string_view text) : text_(text) {}

  std::string_view text() const { return text_; }

  /// Goes behind `words` if the line goes on with them.
  bool Skip(std::string_view words) {
    if (!text_.starts_with(words)) return false;
    text_.remove_prefix(words.size());
    return true;
  }

  /// Returns what stands before the next `words` and goes behind them. Nothing where they do not follow.
  std::optional<std::string_view> UpTo(std::string_view words) {
    const std::size_t at = text_.find(words);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view before = text_.substr(0, at);
    text_.remove_prefix(at + words.size());
    return before;
  }

  std::optional<std::uint64_t> Number() {
    const std::size_t length = LengthOf(kDigits, text_);
    std::uint64_t number = 0;
    if (std::from_chars(text_.data(), text_.data() + length, number).ec != std::errc()) return std::nullopt;
    text_.remove_prefix(length);
    return number;
  }

 private:
  std::string_view text_;
};

MemorySpace SpaceOf(std::string_view word) {
  if (word == "global") return MemorySpace::kGlobal;
  if (word == "shared") return MemorySpace::kShared;
  if (word == "local") return MemorySpace::kLocal;
  return MemorySpace::kNone;
}

Access AccessOf(std::string_view word) {
  if (word.starts_with("read") || word.starts_with("Read")) return Access::kRead;
  if (word.starts_with("write") || word.starts_with("Write")) return Access::kWrite;
  return Access::kAtomic;
}

/// "oob(float *, int)+0x80 in bad.cu:3": the kernel's name and, with -lineinfo, the line.
struct Place {
  std::string kernel;
  SourceLine where;
};

/// "void fold<(int)2>(float *)" -> "void fold<(int)2>".
std::string_view WithoutParameters(std::string_view function) {
  if (!function.ends_with(')')) return function;
  std::size_t depth = 0;
  for (std::size_t at = function.size(); at-- > 0;) {
    if (function[at] == ')') ++depth;
    if (function[at] == '(' && --depth == 0) return function.substr(0, at);
  }
  return function;
}

Place ReadPlace(std::string_view text) {
  Rest rest(text);
  const auto function = rest.UpTo("+0x");
  if (!function) return {std::string(text), {}};
  Place place{std::string(WithoutParameters(*function)), {}};
  rest.Skip(rest.text().substr(0, LengthOf(kHexDigits, rest.text())));
  if (!rest.Skip(" in ")) return place;
  const std::size_t colon = rest.text().rfind(':');
  if (colon == std::string_view::npos) return place;
  const std::string file(rest.text().substr(0, colon));
  rest.Skip(rest.text().substr(0, colon + 1));
  if (const auto line = rest.Number()) place.where = {file, static_cast<int>(*line)};
  return place;
}

void ReadThread(const std::string& detail, Finding& finding) {
  Dim3 &t = finding.thread, &b = finding.block;
  std::sscanf(detail.c_str(), "by thread (%u,%u,%u) in block (%u,%u,%u)", &t.x, &t.y, &t.z, &b.x, &b.y, &b.z);
}

/// "Invalid __global__ write of size 4 bytes", "Uninitialized __global__ memory read of size 4 bytes".
bool ReadAccess(std::string_view headline, Finding& finding) {
  Rest rest(headline);
  FindingKind kind;
  if (rest.Skip("Invalid ")) {
    kind = FindingKind::kOutOfBounds;
  } else if (rest.Skip("Uninitialized ")) {
    kind = FindingKind::kUninitialised;
  } else if (rest.Skip("Misaligned ")) {
    kind = FindingKind::kMisaligned;
  } else {
    return false;
  }
  if (!rest.Skip("__")) return false;
  const auto space = rest.UpTo("__ ");
  if (!space) return false;
  rest.Skip("memory ");
  const auto access = rest.UpTo(" of size ");
  const auto bytes = access ? rest.Number() : std::nullopt;
  if (!bytes) return false;
  finding.kind = kind;
  finding.space = SpaceOf(*space);
  finding.access = AccessOf(*access);
  finding.access_bytes = static_cast<std::uint32_t>(*bytes);
  return true;
}

/// "Race reported between Write access at K+0xb0 in f.cu:4", then "and Read access at K+0xc0 in f.cu:5 [256
/// hazards]".
bool ReadRace(const Record& record, Finding& finding) {
  Rest rest(record.headline);
  if (!rest.UpTo("Race reported between ")) return false;
  const auto access = rest.UpTo(" access at ");
  if (!access) return false;
  finding.kind = FindingKind::kRace;
  finding.space = MemorySpace::kShared;
  finding.severity = record.headline.starts_with("Error") ? Severity::kError : Severity::kWarning;
  finding.access = AccessOf(*access);
  const Place first = ReadPlace(rest.text());
  finding.kernel = first.kernel;
  finding.where = first.where;
  for (const std::string& detail : record.details) {
    Rest other(detail);
    if (!other.Skip("and ") || !other.UpTo(" access at ")) continue;
    const std::size_t hazards = other.text().rfind(" [");
    finding.other = ReadPlace(other.text().substr(0, hazards)).where;
    if (hazards == std::string_view::npos) continue;
    finding.count = Rest(other.text().substr(hazards + 2)).Number().value_or(finding.count);
  }
  return true;
}

/// "… write to 0x7f0000 of size 4" -> "… write of size 4".
std::string WithoutAddresses(std::string text) {
  constexpr std::size_t kShortestAddress = 6;
  for (std::size_t at = 0; (at = text.find("0x", at)) != text.npos;) {
    const std::size_t digits = LengthOf(kHexDigits, std::string_view(text).substr(at + 2));
    std::size_t begin = at;
    at += 2 + digits;
    if (digits < kShortestAddress) continue;
    for (const std::string_view word : {"at ", "to "}) {
      if (std::string_view(text).substr(0, begin).ends_with(word)) begin -= word.size();
    }
    if (begin > 0 && text[begin - 1] == ' ') --begin;
    text.erase(begin, at - begin);
    at = begin;
  }
  return text;
}

/// The tool's words, the first of them and what explains it; addresses differ from run to run and say
/// nothing.
std::string Message(const Record& record) {
  Rest headline(record.headline);
  if (!headline.Skip("Error: ")) headline.Skip("Warning: ");
  std::string message(headline.text());
  for (const std::string& detail : record.details) {
    const bool explains = detail.starts_with("Access") || detail.starts_with("and is");
    if (explains) message += (detail.starts_with("and") ? " " : "; ") + detail;
  }
  return WithoutAddresses(std::move(message));
}

Finding FindingOf(const Record& record) {
  Finding finding;
  finding.message = Message(record);
  if (ReadRace(record, finding)) return finding;
  if (!ReadAccess(record.headline, finding)) {
    finding.kind =
        record.headline.starts_with("Barrier error") ? FindingKind::kDivergentBarrier : FindingKind::kTrap;
  }
  for (const std::string& detail : record.details) {
    if (detail.find("is misaligned") != std::string::npos) finding.kind = FindingKind::kMisaligned;
    if (detail.starts_with("by thread")) ReadThread(detail, finding);
    if (detail.starts_with("at ") && finding.kernel.empty()) {
      Place place = ReadPlace(std::string_view(detail).substr(3));
      finding.kernel = std::move(place.kernel);
      finding.where = std::move(place.where);
    }
  }
  return finding;
}

bool IsSameFault(const Finding& a, const Finding& b) {
  return a.kind == b.kind && a.severity == b.severity && a.kernel == b.kernel && a.where == b.where &&
         a.other == b.other && a.space == b.space && a.access == b.access;
}

}  // namespace

std::vector<Finding> ReadSanitizerLog(std::string_view log) {
  std::vector<Finding> findings;
  for (const Record& record : SplitRecords(log)) {
    if (IsNoFault(record.headline)) continue;
    Finding finding = FindingOf(record);
    const auto same =
        std::ranges::find_if(findings, [&](const Finding& known) { return IsSameFault(known, finding); });
    if (same == findings.end()) {
      findings.push_back(std::move(finding));
    } else {
      same->count += finding.count;
    }
  }
  return findings;
}

}  // namespace warplings::cuda_gpu
