// SPDX-License-Identifier: Apache-2.0
#include "grader/base/text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>

#include "grader/base/characters.h"

namespace warplings {
namespace {

/// Length of the valid UTF-8 sequence that starts `text`, 0 if there is none (RFC 3629, section 4:
/// neither overlong forms nor surrogates).
std::size_t SequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0) == 0x80; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool too_large = first == 0xF4 && byte(1) >= 0x90;
    return overlong || too_large ? 0 : 4;
  }
  return 0;
}

/// C0 and DEL, and C1 (U+0080 to U+009F), which some terminals obey as they obey ESC.
bool IsControl(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return first < 0x20 || first == 0x7F;
  return sequence.size() == 2 && first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;
}

std::string Escaped(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

/// U+202E is "\u{202e}".
std::string EscapedCode(char32_t code) {
  char text[16];
  std::snprintf(text, sizeof text, "\\u{%04x}", static_cast<unsigned>(code));
  return text;
}

/// Whether a joiner stands between what it can join. Beside letters of ASCII, or several in a row, it only
/// hides.
bool Joins(char32_t before, char32_t joiner, std::string_view rest) {
  const bool is_selector = joiner >= 0xFE00;
  if (before < 0x80 || (IsJoiner(before) && (is_selector || before < 0xFE00))) return false;
  if (is_selector) return true;
  const char32_t after = rest.empty() ? 0 : FirstCharacter(rest).code;
  return after >= 0x80 && !IsUnseen(after) && !IsJoiner(after);
}

/// U+3000 is the space of Chinese and Japanese text: 王　小明.
bool SeparatesIdeographs(char32_t before, char32_t space, std::string_view rest) {
  return space == 0x3000 && IsIdeographic(before) && !rest.empty() &&
         IsIdeographic(FirstCharacter(rest).code);
}

/// The last character before `at`, 0 at the beginning.
char32_t CharacterBefore(std::string_view text, std::size_t at) {
  if (at == 0) return 0;
  std::size_t start = at - 1;
  while (start > 0 && (text[start] & 0xC0) == 0x80) --start;
  return FirstCharacter(text.substr(start)).code;
}

constexpr std::size_t kNarrowestLine = 20;

/// A part of a line that is not broken, and whether a space stands before it.
struct Piece {
  std::string text;
  bool has_space = false;
};

bool MayBreakBetween(char32_t before, char32_t after) {
  const bool is_ideographic = IsIdeographic(before) || IsIdeographic(after);
  return is_ideographic && !OpensLine(before) && !ClosesLine(after);
}

/// Chinese words that are not broken: those that our texts have most often (terms.toml of the handouts), and
/// what a reader stumbles over at the end of a line. A list of all words would be a dictionary.
constexpr std::array<std::string_view, 72> kUnbroken = {
    "執行緒", "記憶體", "記憶庫", "多處理器", "佔用率", "暫存器", "虛擬", "網格", "區塊", "核心", "陣列",
    "元素",   "索引",   "屏障",   "迴圈",     "條件",   "啟動",   "存入", "讀取", "載入", "存取", "配置",
    "寫入",   "複製",   "位元組", "位址",     "指標",   "衝突",   "競爭", "邊界", "結尾", "開頭", "函式",
    "變數",   "參數",   "引數",   "編譯",     "測試",   "習題",   "檢查", "錯誤", "結果", "輸出", "輸入",
    "矩陣",   "等待",   "哪些",   "哪個",     "什麼",   "怎麼",   "之前", "之後", "因為", "所以", "如果",
    "沒有",   "一個",   "任何",   "應該",     "可以",   "允許",   "不能", "不會", "需要", "必須", "可能",
    "每個",   "同一個", "最多",   "至少",     "其中",   "而且"};

/// Bytes at the front of `text` that stay together: one character, or such a word.
std::size_t UnbrokenBytes(std::string_view text) {
  const auto word =
      std::ranges::find_if(kUnbroken, [&](std::string_view each) { return text.starts_with(each); });
  return word == kUnbroken.end() ? FirstCharacter(text).bytes : word->size();
}

/// A word without spaces, at each place where a line may end: 「第 1」 stays, 「四五」 is two pieces.
void AppendPieces(std::vector<Piece>& pieces, std::string_view word) {
  char32_t before = 0;
  bool is_first = true;
  while (!word.empty()) {
    if (is_first || MayBreakBetween(before, FirstCharacter(word).code))
      pieces.push_back({"", is_first && !pieces.empty()});
    const std::size_t bytes = UnbrokenBytes(word);
    pieces.back().text += word.substr(0, bytes);
    before = CharacterBefore(word, bytes);
    word.remove_prefix(bytes);
    is_first = false;
  }
}

bool EndsWithDigit(const Piece& piece) {
  const char32_t last = CharacterBefore(piece.text, piece.text.size());
  return last >= '0' && last <= '9';
}

bool BeginsWithDigit(const Piece& piece) {
  return piece.text[0] >= '0' && piece.text[0] <= '9';
}

/// Whether the piece is inside quoted code, `width - 1`, that is no wider than the narrowest line.
bool IsInShortCode(const std::vector<Piece>& pieces, std::size_t at) {
  std::size_t open = 0;
  bool is_inside = false;
  for (std::size_t i = 0; i < at; ++i) {
    const bool turns = std::ranges::count(pieces[i].text, '`') % 2 != 0;
    if (turns && !is_inside) open = i;
    is_inside = is_inside != turns;
  }
  if (!is_inside) return false;
  std::size_t columns = 0;
  for (std::size_t i = open; i < pieces.size(); ++i) {
    columns += DisplayWidth(pieces[i].text) + (i > open && pieces[i].has_space ? 1 : 0);
    if (columns > kNarrowestLine) return false;
    if (i >= at && pieces[i].text.find('`') != std::string::npos) return true;
  }
  return false;
}

/// Whether the piece is the second or third number of "(0, 15)" or "(0, 0, 3)".
bool IsOfCoordinates(const std::vector<Piece>& pieces, std::size_t at) {
  const auto is_number = [&](std::size_t i) {
    const std::string& text = pieces[i].text;
    return text.size() > 1 && text.back() == ',' && text[text.size() - 2] >= '0' &&
           text[text.size() - 2] <= '9';
  };
  if (!BeginsWithDigit(pieces[at]) || pieces[at].text.find_first_of("),") == std::string::npos) return false;
  if (!is_number(at - 1)) return false;
  return pieces[at - 1].text.find('(') != std::string::npos ||
         (at > 1 && is_number(at - 2) && pieces[at - 2].text.find('(') != std::string::npos);
}

/// Whether the piece and the one before it are parts of a product of numbers, "3 x 4", of a Chinese
/// ordinal, 「第 4 列」, of coordinates, or of short code.
bool StaysWithLast(const std::vector<Piece>& pieces, std::size_t at) {
  const auto is_product = [&](std::size_t times) {
    return times > 0 && times + 1 < pieces.size() && pieces[times].text == "x" &&
           EndsWithDigit(pieces[times - 1]) && BeginsWithDigit(pieces[times + 1]);
  };
  const auto is_ordinal = [&](std::size_t number) {
    return number > 0 && pieces[number - 1].text.ends_with("第") && BeginsWithDigit(pieces[number]);
  };
  return is_product(at) || is_product(at - 1) || IsOfCoordinates(pieces, at) || IsInShortCode(pieces, at) ||
         is_ordinal(at) ||
         (is_ordinal(at - 1) && EndsWithDigit(pieces[at - 1]) &&
          IsIdeographic(FirstCharacter(pieces[at].text).code));
}

/// The pieces, with those joined that stay on one line. What would fill the narrowest line is not joined.
std::vector<Piece> WithPhrasesJoined(const std::vector<Piece>& pieces) {
  std::vector<Piece> joined;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0 && StaysWithLast(pieces, i)) {
      const std::string both = joined.back().text + (pieces[i].has_space ? " " : "") + pieces[i].text;
      if (DisplayWidth(both) <= kNarrowestLine) {
        joined.back().text = both;
        continue;
      }
    }
    joined.push_back(pieces[i]);
  }
  return joined;
}

/// Whether a reader expects a line to end before this piece: at punctuation, or at a space that does not part
/// a number from what it counts.
bool IsGoodBreak(const Piece& last, const Piece& next) {
  const char32_t before = CharacterBefore(last.text, last.text.size()),
                 after = FirstCharacter(next.text).code;
  if (ClosesLine(before) || OpensLine(after)) return true;
  return next.has_space && !(before >= '0' && before <= '9' && IsIdeographic(after));
}

/// The piece that begins the next line where `full` has no more room on the line that `first` begins. A
/// Chinese word may be broken anywhere, but a few columns before there may be a better place.
std::size_t BreakBefore(const std::vector<Piece>& pieces, std::size_t first, std::size_t full) {
  constexpr std::size_t kMostColumns = 6;
  std::size_t columns = 0;
  for (std::size_t at = full; at > first && columns <= kMostColumns; --at) {
    if (IsGoodBreak(pieces[at - 1], pieces[at])) return at;
    columns += DisplayWidth(pieces[at - 1].text) + (pieces[at].has_space ? 1 : 0);
  }
  return full;
}

void AppendWrapped(std::string& out, const std::string& line, std::size_t room, const std::string& margin) {
  std::vector<Piece> pieces;
  std::istringstream words(line);
  for (std::string word; words >> word;) AppendPieces(pieces, word);
  pieces = WithPhrasesJoined(pieces);
  const auto append_line = [&](std::size_t first, std::size_t end) {
    if (first < end) out += margin;
    for (std::size_t i = first; i < end; ++i)
      out += (pieces[i].has_space && i > first ? " " : "") + pieces[i].text;
    out += "\n";
  };
  std::size_t first = 0, columns = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto width = [&] {
      return DisplayWidth(pieces[i].text) + (pieces[i].has_space && i > first ? 1 : 0);
    };
    if (i > first && columns + width() > room) {
      const std::size_t next = BreakBefore(pieces, first, i);
      append_line(first, next);
      first = i = next;
      columns = 0;
    }
    columns += width();
  }
  append_line(first, pieces.size());
}

/// What a line break between these two becomes.
bool NeedsSpace(char32_t before, char32_t after) {
  if (IsIdeographic(before) && IsIdeographic(after)) return false;
  return !ClosesLine(before) && !OpensLine(before) && !ClosesLine(after) && !OpensLine(after);
}

}  // namespace

std::string_view FirstBytes(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (text[bytes] & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

std::string Printable(std::string_view text) {
  std::string out;
  char32_t before = 0;  // 0 behind what was escaped.
  while (!text.empty()) {
    const std::size_t length = SequenceLength(text);
    const std::string_view sequence = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(sequence.size());
    const char32_t code = FirstCharacter(sequence).code;
    const bool is_escaped = length == 0 || IsControl(sequence) || IsUnseen(code) ||
                            (IsJoiner(code) && !Joins(before, code, text)) ||
                            (IsOddSpace(code) && !SeparatesIdeographs(before, code, text));
    if (sequence[0] == '\n') {
      out += '\n';
    } else if (sequence[0] == '\t') {
      out += "  ";
    } else if (!is_escaped) {
      out += sequence;
    } else if (length > 1 && !IsControl(sequence)) {
      out += EscapedCode(code);
    } else {
      for (char c : sequence) out += Escaped(c);
    }
    before = is_escaped ? 0 : code;
  }
  return out;
}

std::size_t DisplayWidth(std::string_view line) {
  std::size_t columns = 0;
  while (!line.empty()) {
    const Character next = FirstCharacter(line);
    columns += static_cast<std::size_t>(ColumnsOf(next.code));
    line.remove_prefix(next.bytes);
  }
  return columns;
}

std::string Wrap(std::string_view text, std::size_t width, std::size_t indent) {
  const std::string margin(indent, ' ');
  const std::size_t room = width > indent + kNarrowestLine ? width - indent : kNarrowestLine;
  std::istringstream lines{std::string(text)};
  std::string out, line;
  while (std::getline(lines, line)) AppendWrapped(out, line, room, margin);
  return out;
}

std::string JoinLines(std::string_view text) {
  std::string out;
  const auto is_break = [&](std::size_t i) { return i < text.size() && text[i] == '\n'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool in_paragraph = i > 0 && i + 1 < text.size() && !is_break(i - 1) && !is_break(i + 1);
    if (!is_break(i) || !in_paragraph) {
      out += text[i];
    } else if (NeedsSpace(CharacterBefore(text, i), FirstCharacter(text.substr(i + 1)).code)) {
      out += ' ';
    }
  }
  return out;
}

std::string AlignColumns(const std::vector<std::vector<std::string>>& rows, std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line.append(widths[i] - DisplayWidth(row[i]) + 2, ' ');
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string InLowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

std::string WithThousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string Counted(std::uint64_t number, std::string_view noun) {
  return WithThousands(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace warplings
