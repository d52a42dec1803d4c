// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/support_table.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/golden/instruction_cases.h"

namespace warplings::vgpu {
namespace {

constexpr std::string_view kHeading = "\n## Instructions\n";

constexpr std::string_view kIntroduction = R"(
`write_support_table` writes these tables from the instructions that the interpreter implements. An instruction takes one
of the words in `{}`, and one or none of those in `[]`. Some groups of words have names here; `order` and `cache` may be
more than one word:

| name | words |
|---|---|
| `order` | a memory order, where PTX allows one (one of `.weak .volatile .relaxed .acquire .release .acq_rel`), then a scope (one of `.cta .cluster .gpu .sys`); either may be missing |
| `cache` | cache operators (`.ca .cg .cs .lu .cv .wb .wt`), `.nc`, eviction priorities, `.L2::cache_hint`, prefetch sizes: they change no value |
| `cmp` | `.eq .ne .lt .le .gt .ge`, of unsigned integers also `.lo .ls .hi .hs` |
| `fcmp` | `.eq .ne .lt .le .gt .ge .equ .neu .ltu .leu .gtu .geu .num .nan` |
| `bool` | `.and .or .xor` |
| `rnd` | `.rn .rz .rm .rp` |
| `irnd` | `.rni .rzi .rmi .rpi` |

The column *tested by* says how each instruction is tested:

- *bits*: its result equals an H200's, bit for bit;
- *bound*: its result is within the error that the PTX manual allows;
- *kernel*: a kernel whose results are known uses it.
)";

/// One place of a form: the words that may stand there.
struct Place {
  std::vector<std::string> words;
  bool optional = false;
  friend bool operator==(const Place&, const Place&) = default;
};
using Places = std::vector<Place>;

struct Name {
  std::string_view words, name;
};
constexpr Name kNames[] = {
    {".eq|.ne|.lt|.le|.gt|.ge|.lo|.ls|.hi|.hs", "cmp"},
    {".eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan", "fcmp"},
    {".and|.or|.xor", "bool"},
    {".rn|.rz|.rm|.rp", "rnd"},
    {".rni|.rzi|.rmi|.rpi", "irnd"},
    {".weak|.volatile|.relaxed|.acquire", "order"},
    {".weak|.volatile|.relaxed|.release", "order"},
    {".relaxed|.acquire|.release|.acq_rel", "order"},
    {".cta|.cluster|.gpu|.sys", "order"},
    {".ca|.cg|.cs|.lu|.cv|.wb|.wt", "cache"},
    {".nc", "cache"},
    {".L1::evict_normal|.L1::evict_unchanged|.L1::evict_first|.L1::evict_last|.L1::no_allocate", "cache"},
    {".L2::evict_normal|.L2::evict_first|.L2::evict_last", "cache"},
    {".L2::cache_hint", "cache"},
    {".L2::64B|.L2::128B|.L2::256B", "cache"},
};

std::string_view NameOf(std::string_view words) {
  for (const Name& entry : kNames) {
    if (entry.words == words) return entry.name;
  }
  return {};
}

std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t bar = std::min(text.find('|'), text.size());
    words.emplace_back(text.substr(0, bar));
    text.remove_prefix(std::min(bar + 1, text.size()));
  }
  return words;
}

/// What a form says behind its mnemonic. An "[order]" or "[cache]" is one place, however many groups it has
/// and wherever they stand.
Places PlacesOf(std::string_view form) {
  Places places;
  bool has_order = false;
  auto add = [&](std::string_view words, bool optional) {
    const std::string_view name = NameOf(words);
    const bool again = (name == "order" && std::exchange(has_order, true)) ||
                       (name == "cache" && !places.empty() && places.back().words.front() == name);
    if (again) return;
    const bool named = !name.empty() && (optional || name != "cache");
    places.push_back({named ? std::vector<std::string>{std::string(name)} : Split(words), optional});
  };
  form.remove_prefix(std::min(form.find_first_of(".[{"), form.size()));
  while (!form.empty()) {
    const bool group = form.front() != '.';
    const std::size_t end = group ? form.find(form.front() == '[' ? ']' : '}')
                                  : std::min(form.find_first_of(".[{", 1), form.size());
    add(group ? form.substr(1, end - 1) : form.substr(0, end), form.front() == '[');
    form.remove_prefix(end + (group ? 1 : 0));
  }
  return places;
}

/// Two forms that differ in one place, as one; nothing where they differ in more.
std::optional<Places> Merged(const Places& a, const Places& b) {
  if (a.size() != b.size()) return std::nullopt;
  Places merged = a;
  int differences = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    const bool is_name = a[i].words.front().front() != '.' || b[i].words.front().front() != '.';
    if (a[i].optional != b[i].optional || is_name || ++differences > 1) return std::nullopt;
    for (const std::string& word : b[i].words) {
      if (std::find(a[i].words.begin(), a[i].words.end(), word) == a[i].words.end())
        merged[i].words.push_back(word);
    }
  }
  return merged;
}

void MergeAll(std::vector<Places>& forms) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t a = 0; a < forms.size() && !changed; ++a) {
      for (std::size_t b = a + 1; b < forms.size() && !changed; ++b) {
        if (const auto merged = Merged(forms[a], forms[b])) {
          forms[a] = *merged;
          forms.erase(forms.begin() + static_cast<std::ptrdiff_t>(b));
          changed = true;
        }
      }
    }
  }
}

std::string TextOf(const Places& places) {
  std::string text;
  for (const Place& place : places) {
    const bool group = place.optional || place.words.size() > 1 || place.words.front().front() != '.';
    if (group) text += place.optional ? "[" : "{";
    for (std::size_t i = 0; i < place.words.size(); ++i) text += (i ? " " : "") + place.words[i];
    if (group) text += place.optional ? "]" : "}";
  }
  return text;
}

struct Line {
  std::string mnemonic;
  std::vector<Places> forms;
  bool bits = false, bound = false, own = false;
};

std::string TextOf(const Line& line) {
  std::string forms;
  for (const Places& places : line.forms) {
    if (!forms.empty()) forms += ", ";
    forms += places.empty() ? "no modifiers" : "`" + TextOf(places) + "`";
  }
  std::string tested;
  auto add = [&](bool is, const char* how) {
    if (is) tested += (tested.empty() ? "" : ", ") + std::string(how);
  };
  add(line.bits, "bits");
  add(line.bound, "bound");
  add(line.own, "kernel");
  return "| `" + line.mnemonic + "` | " + forms + " | " + tested + " |\n";
}

}  // namespace

std::string SupportTable(const Engine& engine) {
  std::map<std::size_t, std::pair<bool, bool>> compared;  // row: bit for bit, within a bound
  for (const InstructionCase& one : MakeInstructionCases(engine.rows)) {
    (one.exactness == Exactness::kBits ? compared[one.row].first : compared[one.row].second) = true;
  }
  std::string text(kIntroduction);
  std::size_t row = 0;
  for (const RowChapter& chapter : engine.chapters) {
    std::vector<Line> lines;
    for (const std::size_t end = row + chapter.rows; row < end; ++row) {
      const std::string_view form = engine.rows[row].form;
      const std::string mnemonic(form.substr(0, form.find_first_of(".[{")));
      auto line =
          std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.mnemonic == mnemonic; });
      if (line == lines.end()) line = lines.insert(line, Line{mnemonic, {}});
      if (Places places = PlacesOf(form);
          std::find(line->forms.begin(), line->forms.end(), places) == line->forms.end())
        line->forms.push_back(std::move(places));
      const auto cases = compared.find(row);
      line->bits |= cases != compared.end() && cases->second.first;
      line->bound |= cases != compared.end() && cases->second.second;
      line->own |= cases == compared.end();
    }
    text +=
        "\n### " + std::string(chapter.title) + "\n\n| instruction | forms | tested by |\n|---|---|---|\n";
    for (Line& line : lines) {
      MergeAll(line.forms);
      text += TextOf(line);
    }
  }
  return text;
}

std::string WithSupportTable(const std::string& document, const Engine& engine) {
  const std::size_t heading = document.find(kHeading);
  if (heading == document.npos) return "";
  const std::size_t start = heading + kHeading.size();
  const std::size_t next = document.find("\n## ", start);
  const std::string rest = next == document.npos ? "" : document.substr(next);
  return document.substr(0, start) + SupportTable(engine) + rest;
}

}  // namespace warplings::vgpu
