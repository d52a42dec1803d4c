// SPDX-License-Identifier: Apache-2.0
#include "grader/submissions/lms_file_names.h"

#include <algorithm>
#include <charconv>

#include "grader/course/time_zone.h"
#include "grader/submissions/handed_in.h"

namespace warplings {
namespace {

constexpr std::string_view kTypedText = "_assignsubmission_onlinetext";

bool IsNumber(std::string_view text) {
  return !text.empty() && text.size() < 19 &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::int64_t NumberOf(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// Up to the next "_", which is taken away; nothing where there is none.
std::optional<std::string_view> TakePart(std::string_view& rest) {
  const std::size_t end = rest.find('_');
  if (end == rest.npos) return std::nullopt;
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return part;
}

/// What stands behind the student in a name of Canvas's: USER_ATTACHMENT_FILE, USER_text.html.
bool ParseCanvasTail(std::string_view tail, LmsName& name) {
  const auto user = TakePart(tail);
  if (!user || !IsNumber(*user)) return false;
  name.id = *user;
  if (tail == "text.html" || tail == "link.html") {
    name.file = tail;
    return true;
  }
  const auto attachment = TakePart(tail);
  if (!attachment || !IsNumber(*attachment) || tail.empty()) return false;
  name.order = NumberOf(*attachment);
  name.file = tail;
  return true;
}

std::optional<LmsName> ParseAnonymous(std::string_view rest) {
  LmsName name;
  if (rest.starts_with("LATE_")) {
    name.late = true;
    rest.remove_prefix(5);
  }
  if (!rest.starts_with("anon_")) return std::nullopt;
  rest.remove_prefix(5);
  const auto code = TakePart(rest);
  if (!code || code->empty()) return std::nullopt;
  name.student = "anon_" + std::string(*code);
  if (rest == "text.html" || rest == "link.html") {
    name.file = rest;
    return name;
  }
  const auto attachment = TakePart(rest);
  if (!attachment || !IsNumber(*attachment) || rest.empty()) return std::nullopt;
  name.order = NumberOf(*attachment);
  name.file = rest;
  return name;
}

std::string_view TrimmedView(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == text.npos ? std::string_view() : text.substr(first, last - first + 1);
}

/// A scalar of YAML: plain, 'single' or "double" quoted.
std::string Scalar(std::string_view text) {
  text = TrimmedView(text);
  if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') || text.back() != text.front()) {
    return std::string(text);
  }
  const char quote = text.front();
  std::string plain;
  text = text.substr(1, text.size() - 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote == '\'' && text[i] == '\'' && i + 1 < text.size() && text[i + 1] == '\'') ++i;
    if (quote == '"' && text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

/// "KEY: VALUE", where VALUE may be empty. Gradescope's keys begin with a colon.
bool IsKey(std::string_view line, std::string_view key, std::string& value) {
  if (!line.starts_with(key) || line.size() == key.size() || line[key.size()] != ':') return false;
  value = Scalar(line.substr(key.size() + 1));
  return true;
}

}  // namespace

std::optional<LmsName> ParseCanvasName(std::string_view text) {
  if (auto anonymous = ParseAnonymous(text)) return anonymous;
  // A student's name may hold "_" itself: the first place fits behind which there are two numbers.
  for (std::size_t end = text.find('_', 1); end != text.npos; end = text.find('_', end + 1)) {
    LmsName name;
    name.student = text.substr(0, end);
    std::string_view tail = text.substr(end + 1);
    if (tail.starts_with("LATE_")) {
      name.late = true;
      tail.remove_prefix(5);
    }
    if (ParseCanvasTail(tail, name)) return name;
  }
  return std::nullopt;
}

bool IsTypedText(std::string_view name) {
  return name.find(kTypedText) != name.npos;
}

std::optional<LmsName> ParseMoodleName(std::string_view text) {
  constexpr std::string_view kMarks[] = {"_assignsubmission_file", kTypedText};
  for (const std::string_view mark : kMarks) {
    const std::size_t at = text.find(mark);
    if (at == text.npos) continue;
    const std::string_view front = text.substr(0, at);
    const std::size_t gap = front.rfind('_');
    if (gap == front.npos || gap == 0 || !IsNumber(front.substr(gap + 1))) continue;
    LmsName name;
    name.student = front.substr(0, gap);
    name.id = front.substr(gap + 1);
    std::string_view tail = text.substr(at + mark.size());
    if (!tail.empty() && tail.front() != '_') continue;
    if (!tail.empty()) tail.remove_prefix(1);
    name.file = tail;
    return name;
  }
  return std::nullopt;
}

std::optional<LmsName> ParseNameBeforeExercise(std::string_view text,
                                               const std::vector<std::string>& exercises) {
  const std::string meant = AsCuPath(text);
  if (!meant.ends_with(".cu")) return std::nullopt;
  const std::string_view stem = std::string_view(meant).substr(0, meant.size() - 3);
  std::optional<LmsName> longest;
  for (const std::string& exercise : exercises) {
    const std::size_t at = stem.rfind(exercise);
    if (at == text.npos || at == 1) continue;
    const std::string_view copy = stem.substr(at + exercise.size());
    if (!std::ranges::all_of(copy, [](char c) {
          return (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '(' || c == ')' || c == ' ';
        })) {
      continue;
    }
    const char gap = at == 0 ? '_' : text[at - 1];
    if (gap != '_' && gap != '-' && gap != '.' && gap != ' ') continue;
    if (longest && longest->file.size() >= text.size() - at) continue;
    longest.emplace();
    longest->student = at == 0 ? "" : text.substr(0, at - 1);
    longest->file = text.substr(at);
  }
  // tiled_matmul.cu is that exercise's, and not a matmul.cu of somebody called "tiled".
  return longest && longest->student.empty() ? std::nullopt : longest;
}

std::map<std::string, GradescopeSubmission> ParseGradescopeMetadata(std::string_view text) {
  std::map<std::string, GradescopeSubmission> found;
  GradescopeSubmission* current = nullptr;
  bool in_submitters = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view content = TrimmedView(line);
    if (content.empty() || content.starts_with('#') || content == "---") continue;
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == 0 && content.front() != '-') {
      current = content.back() == ':' ? &found[Scalar(content.substr(0, content.size() - 1))] : nullptr;
      in_submitters = false;
      continue;
    }
    if (current == nullptr) continue;
    std::string value;
    // A list's items may stand as far left as its key.
    const bool is_item = content.starts_with("- ");
    if (indent <= 2 && !is_item) in_submitters = IsKey(content, ":submitters", value);
    if (indent <= 2 && !is_item && IsKey(content, ":created_at", value))
      current->handed_in_at = ParseTime(value);
    if (!in_submitters) continue;
    if (is_item) current->submitters.emplace_back();
    if (current->submitters.empty()) continue;
    const std::string_view field = is_item ? TrimmedView(content.substr(2)) : content;
    GradescopeSubmitter& submitter = current->submitters.back();
    if (IsKey(field, ":name", value)) submitter.name = value;
    if (IsKey(field, ":sid", value)) submitter.id = value;
    if (IsKey(field, ":email", value)) submitter.email = value;
  }
  return found;
}

}  // namespace warplings
