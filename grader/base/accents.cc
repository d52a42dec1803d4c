// SPDX-License-Identifier: Apache-2.0
#include "grader/base/accents.h"

#include <algorithm>
#include <iterator>

namespace warplings {
namespace {

/// Letters that are one character with their mark: pairs of what is marked, and both in one.
struct MarkedLetters {
  char32_t mark;
  std::u32string_view pairs;
};

/// Canonical decompositions of Unicode 15 (UnicodeData.txt) for the alphabets of names, in lower case. Old
/// Greek and the vowel signs of Indian scripts, which file systems leave alone, are left out.
constexpr MarkedLetters kMarkedLetters[] = {
    {0x0300, U"aàeèiìoòuùüǜnǹеѐиѝēḕōṑwẁâầăằêềôồơờưừyỳ"},
    {0x0301,
     U"aáeéiíoóuúyýcćlĺnńrŕsśzźüǘgǵåǻæǽøǿϊΐαάεέηήιίϋΰοόυύωώгѓкќçḉēḗïḯkḱmḿõṍōṓpṕũṹ"
     U"wẃâấăắêếôốơớưứ"},
    {0x0302, U"aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷzẑạậẹệọộ"},
    {0x0303, U"aãnñoõiĩuũvṽâẫăẵeẽêễôỗơỡưữyỹ"},
    {0x0304, U"aāeēiīoōuūüǖäǟȧǡæǣǫǭöȫõȭȯȱyȳиӣуӯgḡḷḹṛṝ"},
    {0x0306, U"aăeĕgğiĭoŏuŭийуўжӂаӑеӗȩḝạặ"},
    {0x0307, U"cċeėgġzżaȧoȯbḃdḋfḟhḣmṁnṅpṗrṙsṡśṥšṧṣṩtṫwẇxẋyẏ"},
    {0x0308, U"aäeëiïoöuüyÿιϊυϋеёіїаӓәӛжӝзӟиӥоӧөӫэӭуӱчӵыӹhḧõṏūṻwẅxẍtẗ"},
    {0x0309, U"aảâẩăẳeẻêểiỉoỏôổơởuủưửyỷ"},
    {0x030A, U"aåuůwẘyẙ"},
    {0x030B, U"oőuűуӳ"},
    {0x030C, U"cčdďeělľnňrřsštťzžaǎiǐoǒuǔüǚgǧkǩʒǯjǰhȟ"},
    {0x030F, U"aȁeȅiȉoȍrȑuȕѵѷ"},
    {0x0311, U"aȃeȇiȋoȏrȓuȗ"},
    {0x031B, U"oơuư"},
    {0x0323, U"bḅdḍhḥkḳlḷmṃnṇrṛsṣtṭvṿwẉzẓaạeẹiịoọơợuụưựyỵ"},
    {0x0324, U"uṳ"},
    {0x0325, U"aḁ"},
    {0x0326, U"sștț"},
    {0x0327, U"cçgģkķlļnņrŗsştţeȩdḑhḩ"},
    {0x0328, U"aąeęiįuųoǫ"},
    {0x032D, U"dḓeḙlḽnṋtṱuṷ"},
    {0x032E, U"hḫ"},
    {0x0330, U"eḛiḭuṵ"},
    {0x0331, U"bḇdḏkḵlḻnṉrṟtṯzẕhẖ"},
    {0x0653, U"اآ"},
    {0x0654, U"اأوؤيئەۀہۂےۓ"},
    {0x0655, U"اإ"},
    {0x093C, U"नऩरऱळऴकक़खख़गग़जज़डड़ढढ़फफ़यय़"},
    {0x3099,
     U"かがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼうゔゝゞカガキギクグケ"
     U"ゲコゴサザシジスズセゼソゾタダチヂツヅテデトドハバヒビフブ"
     U"ヘベホボウヴワヷヰヸヱヹヲヺヽヾ"},
    {0x309A, U"はぱひぴふぷへぺほぽハパヒピフプヘペホポ"},
};

struct PlainSpelling {
  char32_t letter, accent;
  PlainLetter as;
};

/// Letters whose mark is no accent, and the German, Danish and Norwegian ones that have another spelling,
/// too.
constexpr PlainSpelling kPlainSpellings[] = {
    {U'a', 0x308, {"a", "ae"}}, {U'o', 0x308, {"o", "oe"}}, {U'u', 0x308, {"u", "ue"}},
    {U'a', 0x30A, {"a", "aa"}}, {U'ø', 0, {"o", "oe"}},     {U'ß', 0, {"ss", ""}},
    {U'æ', 0, {"ae", ""}},      {U'œ', 0, {"oe", ""}},      {U'þ', 0, {"th", ""}},
    {U'ð', 0, {"d", ""}},       {U'đ', 0, {"d", ""}},       {U'ħ', 0, {"h", ""}},
    {U'ı', 0, {"i", ""}},       {U'ł', 0, {"l", ""}},       {U'ŧ', 0, {"t", ""}},
};

/// Korean syllables are not listed but computed (The Unicode Standard, 3.12).
constexpr char32_t kFirstSyllable = 0xAC00, kLastSyllable = 0xD7A3;

void AppendSyllable(char32_t syllable, std::u32string& text) {
  constexpr char32_t kLeading = 0x1100, kVowel = 0x1161, kTrailing = 0x11A7, kVowels = 21, kTrailings = 28;
  const char32_t index = syllable - kFirstSyllable;
  text.push_back(kLeading + index / (kVowels * kTrailings));
  text.push_back(kVowel + index % (kVowels * kTrailings) / kTrailings);
  if (index % kTrailings != 0) text.push_back(kTrailing + index % kTrailings);
}

void AppendAccent(char32_t accent, std::u32string& text) {
  auto place = text.end();
  while (place != text.begin() && IsAccent(*(place - 1)) && *(place - 1) > accent) --place;
  text.insert(place, accent);
}

}  // namespace

bool IsAccent(char32_t code) {
  return code >= 0x300 && code <= 0x36F;
}

void AppendTakenApart(char32_t letter, std::u32string& text) {
  if (IsAccent(letter)) return AppendAccent(letter, text);
  if (letter < 0x80) {
    text += letter;
    return;
  }
  if (letter >= kFirstSyllable && letter <= kLastSyllable) return AppendSyllable(letter, text);
  for (const auto& [mark, pairs] : kMarkedLetters) {
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
      if (pairs[i + 1] != letter) continue;
      AppendTakenApart(pairs[i], text);
      return AppendTakenApart(mark, text);
    }
  }
  text += letter;
}

PlainLetter FindPlainLetter(char32_t letter, char32_t accent) {
  const auto found = std::ranges::find_if(kPlainSpellings, [&](const PlainSpelling& each) {
    return each.letter == letter && each.accent == accent;
  });
  return found == std::end(kPlainSpellings) ? PlainLetter{} : found->as;
}

}  // namespace warplings
