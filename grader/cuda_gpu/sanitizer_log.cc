// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/sanitizer_log.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <regex>

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

MemorySpace SpaceOf(const std::string& word) {
  if (word == "global") return MemorySpace::kGlobal;
  if (word == "shared") return MemorySpace::kShared;
  if (word == "local") return MemorySpace::kLocal;
  return MemorySpace::kNone;
}

Access AccessOf(const std::string& word) {
  if (word == "read" || word == "Read") return Access::kRead;
  if (word == "write" || word == "Write") return Access::kWrite;
  return Access::kAtomic;
}

/// "oob(float *, int)+0x80 in bad.cu:3": the kernel's name and, with -lineinfo, the line.
struct Place {
  std::string kernel;
  SourceLine where;
};

Place ReadPlace(const std::string& text) {
  static const std::regex kForm(R"(^(.*?)(\(.*\))?\+0x[0-9a-f]+(?: in ([^ ]+):(\d+))?)");
  std::smatch match;
  if (!std::regex_search(text, match, kForm)) return {text, {}};
  Place place{match[1].str(), {}};
  if (match[4].matched) place.where = {match[3].str(), std::stoi(match[4].str())};
  return place;
}

void ReadThread(const std::string& detail, Finding& finding) {
  Dim3 &t = finding.thread, &b = finding.block;
  std::sscanf(detail.c_str(), "by thread (%u,%u,%u) in block (%u,%u,%u)", &t.x, &t.y, &t.z, &b.x, &b.y, &b.z);
}

/// "Invalid __global__ write of size 4 bytes", "Uninitialized __global__ memory read of size 4 bytes".
bool ReadAccess(const std::string& headline, Finding& finding) {
  static const std::regex kForm(
      R"(^(Invalid|Uninitialized|Misaligned) __(\w+)__ (?:memory )?(read|write|atomic)\w* of size (\d+) byte)");
  std::smatch match;
  if (!std::regex_search(headline, match, kForm)) return false;
  finding.kind = match[1] == "Uninitialized" ? FindingKind::kUninitialised
                 : match[1] == "Misaligned"  ? FindingKind::kMisaligned
                                             : FindingKind::kOutOfBounds;
  finding.space = SpaceOf(match[2].str());
  finding.access = AccessOf(match[3].str());
  finding.access_bytes = static_cast<std::uint32_t>(std::stoul(match[4].str()));
  return true;
}

/// "Race reported between Write access at K+0xb0 in f.cu:4", then "and Read access at K+0xc0 in f.cu:5 [256
/// hazards]".
bool ReadRace(const Record& record, Finding& finding) {
  static const std::regex kFirst(R"(Race reported between (\w+) access at (.*))");
  static const std::regex kOther(R"(^and (\w+) access at (.*?)(?: \[(\d+) hazards?\])?$)");
  std::smatch match;
  if (!std::regex_search(record.headline, match, kFirst)) return false;
  finding.kind = FindingKind::kRace;
  finding.space = MemorySpace::kShared;
  finding.severity = record.headline.starts_with("Error") ? Severity::kError : Severity::kWarning;
  finding.access = AccessOf(match[1].str());
  const Place first = ReadPlace(match[2].str());
  finding.kernel = first.kernel;
  finding.where = first.where;
  for (const std::string& detail : record.details) {
    std::smatch other;
    if (!std::regex_search(detail, other, kOther)) continue;
    finding.other = ReadPlace(other[2].str()).where;
    if (other[3].matched) finding.count = std::stoull(other[3].str());
  }
  return true;
}

/// The tool's words, the first of them and what explains it; addresses differ from run to run and say
/// nothing.
std::string Message(const Record& record) {
  static const std::regex kAddress(R"( ?(?:at |to )?0x[0-9a-f]{6,})");
  static const std::regex kSeverity("^(?:Error|Warning): ");
  std::string message = std::regex_replace(record.headline, kSeverity, "");
  for (const std::string& detail : record.details) {
    const bool explains = detail.starts_with("Access") || detail.starts_with("and is");
    if (explains) message += (detail.starts_with("and") ? " " : "; ") + detail;
  }
  return std::regex_replace(message, kAddress, "");
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
      Place place = ReadPlace(detail.substr(3));
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
