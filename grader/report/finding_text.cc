// SPDX-License-Identifier: Apache-2.0
#include "grader/report/finding_text.h"

#include <algorithm>
#include <utility>

#include "grader/base/fit.h"
#include "grader/base/text.h"
#include "grader/messages/findings.h"
#include "grader/messages/report.h"
#include "grader/report/result_words.h"

namespace warplings {
namespace {

say::Thread Index(const Dim3& index) {
  return {index.x, index.y, index.z};
}

std::string InWords(std::string_view identifier) {
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

/// A call or a launch that was refused, or that the host did not order: it is no thread of a kernel that did
/// it, and often no source line is known.
bool IsOfHostCode(const Finding& finding) {
  return finding.kind == FindingKind::kInvalidLaunch || finding.kind == FindingKind::kInvalidCall ||
         finding.kind == FindingKind::kLeak || finding.kind == FindingKind::kRaceBetweenStreams ||
         finding.kind == FindingKind::kMissingWait;
}

/// Of messages that name the element, and so the object.
bool NamesElement(const Message& message) {
  return say::read_unwritten_element.Made(message) || say::index_below_zero.Made(message) ||
         say::index_below_zero_in.Made(message);
}

/// "at byte 12 of out (36 bytes)". An access that leaves the object is told by its message: how far, and of
/// what size; a misaligned one's message has the offset.
Message PlaceInObject(const Finding& finding) {
  const bool inside = finding.offset_bytes >= 0 && finding.offset_bytes < finding.object_bytes;
  const bool told = finding.kind == FindingKind::kMisaligned || finding.kind == FindingKind::kOutOfBounds;
  if (finding.access_bytes == 0 || !inside || told) return {};
  return say::place_in_object(finding.offset_bytes, say::WithSize(finding.object, finding.object_bytes));
}

}  // namespace

Message FindingHeading(const Finding& finding, std::size_t tests) {
  const Message subject = FindingSubject(finding, tests);
  return finding.severity == Severity::kError ? say::finding_is_error(subject)
                                              : say::finding_is_warning(subject);
}

Message FindingSubject(const Finding& finding, std::size_t tests) {
  std::string kind = InWords(FindingKindName(finding.kind));
  // A race is between two accesses and a barrier is none: only these kinds have one access to name.
  if (finding.kind == FindingKind::kOutOfBounds || finding.kind == FindingKind::kMisaligned ||
      finding.kind == FindingKind::kUseAfterFree || finding.kind == FindingKind::kUninitialised) {
    kind += AccessWord(finding.access);
  }
  // Nobody has returned before it; threads skip it, and end.
  if (say::barrier_skipped.Made(finding.message)) kind = "barrier that some threads skip";
  if (say::shuffle_lacks_lanes.Made(finding.message) || say::shuffle_skipped.Made(finding.message))
    kind = "shuffle that some lanes skip";
  Message subject = std::move(kind);
  if (finding.count > 1) subject = say::finding_times(subject, finding.count);
  return tests > 1 ? say::finding_in_tests(subject, say::Count(tests, "test")) : subject;
}

Message FindingPlace(const Finding& finding) {
  if (finding.kernel.empty() || finding.kind == FindingKind::kMissingWait)
    return {};  // Its message names it.
  if (IsOfHostCode(finding)) return say::in_kernel(finding.kernel);
  return say::in_kernel_at(finding.kernel, Index(finding.block), Index(finding.thread));
}

Message FindingObject(const Finding& finding) {
  if (finding.object.empty() || NamesElement(finding.message)) return {};
  if (Contains(finding.message, finding.object)) return PlaceInObject(finding);
  if (finding.access_bytes == 0) return finding.object;
  const auto bytes = [](std::int64_t count) { return say::Count(count, "byte"); };
  const say::Count accessed = bytes(finding.access_bytes), length = bytes(finding.object_bytes);
  const bool has_length = finding.object_bytes > 0;
  if (finding.offset_bytes < 0) {
    const say::Count before = bytes(-finding.offset_bytes);
    return has_length ? say::bytes_before_start_of_length(accessed, before, finding.object, length)
                      : say::bytes_before_start(accessed, before, finding.object);
  }
  return has_length ? say::bytes_at_of_length(accessed, finding.offset_bytes, finding.object, length)
                    : say::bytes_at(accessed, finding.offset_bytes, finding.object);
}

Message QuotedLine(const SourceLine& where, const SourceQuotes& quotes) {
  const std::string line = quotes.Line(where);
  return line.empty() ? quotes.Place(where) : say::quoted_line(quotes.Place(where), line);
}

Message FindingTitle(const Finding& finding, const SourceQuotes& quotes) {
  if (finding.where.line == 0 && IsOfHostCode(finding)) return say::in_host_code();
  return QuotedLine(finding.where, quotes);
}

std::string FittedFindingTitle(const Finding& finding, const SourceQuotes& quotes, std::size_t columns) {
  const Message title = FindingTitle(finding, quotes);
  const std::string words = PrintableWords(title);
  if (DisplayWidth(words) <= columns || !say::quoted_line.Made(title)) return CutPathTo(words, columns);
  // Half of the width at most is the place's: of the source line at least its begin is seen.
  const std::string place = CutPathTo(PrintableWords(quotes.Place(finding.where)), columns / 2);
  return CutTo(PrintableWords(say::quoted_line(Message(place), quotes.Line(finding.where))), columns);
}

std::vector<Message> FindingDetails(const Finding& finding, const SourceQuotes& quotes) {
  std::vector<Message> details;
  if (!finding.message.empty()) details.push_back(finding.message);
  if (Message object = FindingObject(finding); !object.empty()) details.push_back(std::move(object));
  if (finding.other) {
    const bool barrier = finding.kind == FindingKind::kDivergentBarrier;
    details.push_back(
        (barrier ? say::the_other_barrier : say::the_other_access)(QuotedLine(*finding.other, quotes)));
  }
  if (Message place = FindingPlace(finding); !place.empty()) details.push_back(std::move(place));
  return details;
}

std::string FormatFinding(const Finding& finding, const SourceQuotes& quotes, std::size_t columns) {
  std::string out = PrintableWords(FindingTitle(finding, quotes)) + "\n";
  out += "  " + PrintableWords(FindingHeading(finding)) + "\n";
  for (const Message& detail : FindingDetails(finding, quotes))
    out += Wrap(PrintableWords(detail), columns, 4);
  return out;
}

}  // namespace warplings
