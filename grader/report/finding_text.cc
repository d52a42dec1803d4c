// SPDX-License-Identifier: Apache-2.0
#include "grader/report/finding_text.h"

#include <algorithm>
#include <cctype>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"

namespace warplings {
namespace {

std::string Index(const Dim3& index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " + std::to_string(index.z) +
         ")";
}

std::string Words(std::string_view identifier) {
  std::string words(identifier);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string_view AccessWord(Access access) {
  switch (access) {
    case Access::kNone: return "";
    case Access::kRead: return " read";
    case Access::kWrite: return " write";
    case Access::kAtomic: return " atomic";
  }
  return "";
}

/// A call or a launch that was refused: no thread of a kernel did it, and no source line is recorded.
bool IsOfHostCode(const Finding& finding) {
  return finding.kind == FindingKind::kInvalidLaunch || finding.kind == FindingKind::kInvalidCall ||
         finding.kind == FindingKind::kLeak;
}

bool IsWordByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Whether `text` holds `name` not as a part of a longer word: M, but not the M of Mds.
bool Names(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !IsWordByte(text[at - 1])) && (end == text.size() || !IsWordByte(text[end]))) return true;
  }
  return false;
}

/// "at byte 12 of its 36". An access that leaves the object is told by its message: how far, and of what
/// size; a misaligned one's message has the offset.
std::string PlaceInObject(const Finding& finding) {
  const bool inside = finding.offset_bytes >= 0 && finding.offset_bytes < finding.object_bytes;
  const bool told = finding.kind == FindingKind::kMisaligned || finding.kind == FindingKind::kOutOfBounds;
  if (finding.access_bytes == 0 || !inside || told) return {};
  return "at byte " + WithThousands(static_cast<std::uint64_t>(finding.offset_bytes)) + " of its " +
         WithThousands(static_cast<std::uint64_t>(finding.object_bytes));
}

}  // namespace

std::string FindingHeading(const Finding& finding) {
  std::string heading = finding.severity == Severity::kError ? "error: " : "warning: ";
  heading += Words(FindingKindName(finding.kind));
  // A race is between two accesses and a barrier is none: only these kinds have one access to name.
  if (finding.kind == FindingKind::kOutOfBounds || finding.kind == FindingKind::kMisaligned ||
      finding.kind == FindingKind::kUseAfterFree || finding.kind == FindingKind::kUninitialised) {
    heading += AccessWord(finding.access);
  }
  if (finding.count > 1) heading += ", " + WithThousands(finding.count) + " times";
  return heading;
}

std::string FindingPlace(const Finding& finding) {
  if (finding.kernel.empty()) return {};
  const std::string kernel = "kernel " + Printable(finding.kernel);
  if (IsOfHostCode(finding)) return kernel;
  return kernel + ", block " + Index(finding.block) + ", thread " + Index(finding.thread);
}

std::string FindingObject(const Finding& finding) {
  if (finding.object.empty()) return {};
  if (Names(finding.message, finding.object)) return PlaceInObject(finding);
  const std::string object = Printable(finding.object);
  if (finding.access_bytes == 0) return object;
  std::string text = Counted(finding.access_bytes, "byte");
  if (finding.offset_bytes < 0) {
    text += ", " + Counted(static_cast<std::uint64_t>(-finding.offset_bytes), "byte") +
            " before the start of " + object;
  } else {
    text += " at byte " + WithThousands(static_cast<std::uint64_t>(finding.offset_bytes)) + " of " + object;
  }
  if (finding.object_bytes > 0) {
    text += ", which is " + Counted(static_cast<std::uint64_t>(finding.object_bytes), "byte") + " long";
  }
  return text;
}

std::string QuotedLine(const SourceLine& where, const SourceQuotes& quotes) {
  const std::string line = quotes.Line(where);
  return quotes.Place(where) + (line.empty() ? "" : " | " + line);
}

std::string FindingTitle(const Finding& finding, const SourceQuotes& quotes) {
  if (finding.where.line == 0 && IsOfHostCode(finding)) return "in the host code";
  return QuotedLine(finding.where, quotes);
}

std::vector<std::string> FindingDetails(const Finding& finding, const SourceQuotes& quotes) {
  std::vector<std::string> details;
  if (!finding.message.empty()) details.push_back(Printable(finding.message));
  if (const std::string object = FindingObject(finding); !object.empty()) details.push_back(object);
  if (finding.other) {
    const bool barrier = finding.kind == FindingKind::kDivergentBarrier;
    details.push_back((barrier ? "the other barrier: " : "the other access: ") +
                      QuotedLine(*finding.other, quotes));
  }
  if (const std::string place = FindingPlace(finding); !place.empty()) details.push_back(place);
  return details;
}

std::string FormatFinding(const Finding& finding, const SourceQuotes& quotes, std::size_t columns) {
  std::string out = FindingTitle(finding, quotes) + "\n";
  out += "  " + Translated(FindingHeading(finding)) + "\n";
  for (const std::string& detail : FindingDetails(finding, quotes))
    out += Wrap(Translated(detail), columns, 4);
  return out;
}

}  // namespace warplings
