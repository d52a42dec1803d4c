// SPDX-License-Identifier: Apache-2.0
#include "grader/build/unchecked_sums.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>

#include "grader/build/code_words.h"
#include "grader/build/definitions.h"
#include "grader/build/statements.h"

namespace warplings {
namespace {

using Tokens = std::vector<CodeToken>;
using NameSet = std::set<std::string>;

/// `checked` stays below `limit`.
struct Comparison {
  std::optional<IndexSum> checked;  ///< Nothing if it is no sum; `names` then says what it is about.
  TokenRange limit;
  NameSet names;  ///< In all of the comparison.
  int line = 0;
  std::size_t at = 0;
  bool is_loop = false;
  bool includes_limit = false;
  std::string bound;      ///< A parameter, where `checked` itself is compared with it.
  bool is_alone = false;  ///< It is there for one access only.
};

bool IsConstant(const std::string& name) {
  return BeginsAsConstant(name) || name.starts_with("blockDim");
}

bool Meet(const NameSet& some, const NameSet& others) {
  return std::ranges::any_of(some, [&](const std::string& name) { return others.contains(name); });
}

/// Of a sum with constants alone: nothing.
NameSet Variables(const IndexSum& sum) {
  NameSet names = sum.Names();
  std::erase_if(names, IsConstant);
  return names;
}

bool HasTimes(const IndexSum& sum, bool positive) {
  return std::ranges::any_of(sum.terms(),
                             [&](const IndexTerm& term) { return (term.times > 0) == positive; });
}

/// The names of pointers, or of all others, among a function's parameters.
NameSet ParametersThat(const Tokens& tokens, TokenRange range, bool are_pointers) {
  NameSet names;
  std::string last;
  bool is_pointer = false;
  for (std::size_t at = range.begin; at <= range.end; ++at) {
    const std::string text = at < range.end ? tokens[at].text : ",";
    if (text == "," || text == ")") {
      if (!last.empty() && is_pointer == are_pointers) names.insert(last);
      last.clear();
      is_pointer = false;
      continue;
    }
    is_pointer |= text == "*";
    if (IsName(text) && !IsNumberType(text)) last = text;
  }
  return names;
}

/// The names of arrays in shared memory.
NameSet SharedArrays(const Tokens& tokens, TokenRange range) {
  NameSet names;
  bool is_shared = false;
  for (std::size_t at = range.begin; at + 1 < range.end; ++at) {
    is_shared |= tokens[at].text == "__shared__";
    is_shared &= tokens[at].text != ";";
    if (is_shared && IsName(tokens[at].text) && tokens[at + 1].text == "[") names.insert(tokens[at].text);
  }
  return names;
}

/// Whether the text has those words, and not only as parts of longer names.
bool HasWords(const std::string& text, const std::string& words) {
  for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    const bool begins = at == 0 || !IsWordCharacter(text[at - 1]);
    if (begins && (end == text.size() || !IsWordCharacter(text[end]))) return true;
  }
  return false;
}

/// What a variable is set to, changes included, in the order of the lines.
struct SetValue {
  std::string name;
  TokenRange value;
  int line = 0;
};

/// Variables whose values are not what a condition in front of an access is about.
struct OtherRanges {
  NameSet loaded;                      ///< From memory.
  std::map<std::string, int> limited;  ///< Kept in a range, and the line that does it.
  /// Also from memory, or from an intrinsic function, and changed; the first line that does it. A check that
  /// such a value lacks may be no mistake: what the value is computed from may be.
  std::map<std::string, int> computed;
  std::vector<SetValue> values;
};

std::vector<SetValue> SetValuesIn(const Tokens& tokens, TokenRange function,
                                  const std::vector<OtherScope>& others) {
  std::vector<SetValue> all;
  for (std::size_t at = function.begin + 1; at + 1 < function.end; ++at) {
    const std::string& name = tokens[at - 1].text;
    const bool assigns = tokens[at].text == "=" || IsCompoundAssignment(tokens[at].text);
    if (!assigns || !IsName(name)) continue;
    const bool is_other = std::ranges::any_of(others, [&](const OtherScope& each) {
      return each.name == name && each.tokens.begin <= at && at < each.tokens.end;
    });
    if (!is_other) all.push_back({name, {at + 1, EndOfValue(tokens, at + 1, function.end)}, tokens[at].line});
  }
  return all;
}

/// `%` is none: `t % 16` and `t / 16` are a thread's column and row, which need their own checks.
bool Limits(const std::string& text) {
  return IsOneOf(text, {"?", "min", "max", "clamp", "fminf", "fmaxf", "fmin", "fmax", "__saturatef"});
}

/// Adds the variables that change, or that are no sums, by where their values come from.
void AddComputed(const Tokens& tokens, OtherRanges& ranges) {
  const std::vector<SetValue>& values = ranges.values;
  const auto comes_from = [&](const SetValue& each, const auto& test) {
    for (std::size_t at = each.value.begin; at < each.value.end; ++at) {
      if (test(tokens[at].text)) return true;
    }
    return false;
  };
  std::map<std::string, int> limited;
  const auto is_limited = [&](const std::string& text) { return Limits(text) || limited.contains(text); };
  // Each round finds what is computed from the variables of the one before.
  for (std::size_t before = values.size() + 1; before != limited.size();) {
    before = limited.size();
    for (const SetValue& each : values) {
      if (!ranges.loaded.contains(each.name) && comes_from(each, is_limited))
        limited.try_emplace(each.name, each.line);
    }
  }
  ranges.limited.merge(limited);
  const auto is_of_others = [](const std::string& text) {
    return text == "[" || text.starts_with("__") || text.starts_with("atomic");
  };
  for (const SetValue& each : values) {
    const bool is_known = ranges.limited.contains(each.name) || ranges.loaded.contains(each.name);
    if (is_known || !comes_from(each, is_of_others)) continue;
    const auto first = std::ranges::find(values, each.name, &SetValue::name);
    ranges.computed.try_emplace(each.name, first->line);
  }
}

OtherRanges OtherRangesIn(const Tokens& tokens, TokenRange function, const CodeDefinitions& definitions,
                          const std::vector<OtherScope>& others) {
  OtherRanges ranges;
  for (const auto& [name, definition] : definitions) {
    bool is_loaded = false, is_limited = false;
    for (std::size_t at = definition.value.begin; at < definition.value.end; ++at) {
      const std::string& text = tokens[at].text;
      is_loaded |= text == "[";
      is_limited |= text == "%" || Limits(text);
    }
    if (is_limited) ranges.limited[name] = definition.line;
    if (is_loaded && !is_limited) ranges.loaded.insert(name);
  }
  // `if (below >= rows) below = rows - 1;`
  for (std::size_t at = function.begin; at + 1 < function.end; ++at) {
    if (tokens[at].text != "if" || tokens[at + 1].text != "(") continue;
    std::size_t behind = BehindParentheses(tokens, at + 1);
    if (behind < function.end && tokens[behind].text == "{") ++behind;
    if (behind + 1 >= function.end || tokens[behind + 1].text != "=") continue;
    const std::string& name = tokens[behind].text;
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(behind);
    const bool compares = std::any_of(begin, end, [&](const CodeToken& each) { return each.text == name; });
    if (IsName(name) && compares) ranges.limited[name] = tokens[behind].line;
  }
  ranges.values = SetValuesIn(tokens, function, others);
  AddComputed(tokens, ranges);
  return ranges;
}

class Comparer {
 public:
  Comparer(const Tokens& tokens, const IndexedAccess& access)
      : tokens_(tokens),
        access_(access),
        definitions_(DefinitionsIn(tokens, access.function, access.others)),
        ranges_(OtherRangesIn(tokens, access.function, definitions_, access.others)),
        pointers_(ParametersThat(tokens, access.parameters, true)),
        numbers_(ParametersThat(tokens, access.parameters, false)),
        shared_(SharedArrays(tokens, access.function)) {}

  std::optional<SumCheck> Compare() {
    for (const AccessCondition& each : access_.conditions) {
      if (!AddComparisons(each.tokens, each, 0)) return std::nullopt;
    }
    const std::optional<IndexSum> index = IndexInArray();
    if (!index) return std::nullopt;
    const auto parts = PartsOf(*index);
    if (!parts) return std::nullopt;
    if (comparisons_.empty()) return WithoutComparisons(*parts);
    std::optional<SumCheck> worst;
    bool any_unknown = false;
    for (const auto& [part, kind] : *parts) {
      if (IsNotToBlame(part)) {
        any_unknown |= !Variables(part).empty();
        continue;
      }
      auto check = CheckOf(part);
      if (!check) return std::nullopt;
      if (check->kind == SumCheck::Kind::kUnchecked) {
        if (auto computed = ComputedIndex(part, ranges_.limited))
          check = std::move(computed);
        else if (IsOnly(part, ranges_.computed))
          check = ComputedIndex(part, ranges_.computed);
        if (IsLoaded(part)) {
          any_unknown = true;
          continue;
        }
      }
      check->part = kind;
      if (check->kind == SumCheck::Kind::kOther) NameAccess(*check);
      const bool tells_loop = worst && worst->kind == check->kind && worst->loop_variable.empty() &&
                              !check->loop_variable.empty();
      if (!worst || check->kind < worst->kind || tells_loop) worst = check;
    }
    if (worst && worst->kind == SumCheck::Kind::kComputedIndex) {
      if (auto other = OtherRows(*index, *parts)) return other;
    }
    const bool is_checked = worst && worst->kind == SumCheck::Kind::kChecked;
    return is_checked && any_unknown ? std::nullopt : worst;
  }

  bool UsesOtherRanges() const {
    const std::optional<IndexSum> index = IndexInArray();
    return index &&
           (ComputedIndex(*index, ranges_.limited) || Meet(ExpandedSum(*index).Names(), ranges_.loaded));
  }

 private:
  /// The variables in it that are among `others`, with their lines.
  std::optional<SumCheck> ComputedIndex(const IndexSum& part,
                                        const std::map<std::string, int>& others) const {
    SumCheck check;
    check.kind = SumCheck::Kind::kComputedIndex;
    for (const std::string& name : ExpandedSum(part).Names()) {
      const auto other = others.find(name);
      if (other == others.end()) continue;
      if (check.computed.empty()) check.line = other->second;
      check.computed.push_back(name);
    }
    return check.computed.empty() ? std::nullopt : std::optional(check);
  }

  /// The parameters in what limits the variable, and the line that does; nothing where no line does, or
  /// several.
  std::optional<std::pair<NameSet, int>> LimitOf(const std::string& name, int depth = 0) const {
    constexpr int kDeepest = 4;
    std::optional<std::pair<NameSet, int>> found;
    for (const SetValue& each : ranges_.values) {
      if (each.name != name || depth > kDeepest) continue;
      bool is_limit = false;
      NameSet parameters;
      std::vector<std::string> names;
      for (std::size_t at = each.value.begin; at < each.value.end; ++at) {
        is_limit |= Limits(TextAt(at));
        if (numbers_.contains(TextAt(at))) parameters.insert(TextAt(at));
        if (TextAt(at) != name && ranges_.limited.contains(TextAt(at))) names.push_back(TextAt(at));
      }
      if (!is_limit && names.empty()) continue;
      if (found || (!is_limit && names.size() > 1)) return std::nullopt;
      found = is_limit ? std::pair(parameters, each.line) : LimitOf(names.front(), depth + 1);
      if (!found) return std::nullopt;
    }
    return found;
  }

  /// `in[y0 * width + x0]`, where x0 is limited by `columns`: the rows have another length, or row and column
  /// are exchanged.
  std::optional<SumCheck> OtherRows(const IndexSum& index,
                                    const std::vector<std::pair<IndexSum, SumCheck::Part>>& parts) const {
    if (parts.size() != 2) return std::nullopt;
    const IndexSum column = ExpandedSum(parts.back().first);
    if (column.terms().size() != 1 || column.terms()[0].factors.size() != 1) return std::nullopt;
    const std::string& name = column.terms()[0].factors[0];
    const auto limit = LimitOf(name);
    NameSet lengths = index.Names();
    std::erase_if(lengths, [&](const std::string& each) { return !numbers_.contains(each); });
    if (!limit || limit->first.size() != 1 || lengths.size() != 1 || limit->first == lengths)
      return std::nullopt;
    SumCheck check;
    check.kind = SumCheck::Kind::kComputedIndex;
    check.used = name;
    check.bound = *limit->first.begin();
    check.limit = *lengths.begin();
    check.line = check.limit_line = limit->second;
    check.computed = {name};
    check.has_other_rows = true;
    return check;
  }

  /// Nothing in it but variables that are among `others`. Where a thread's index is added, the grid may have
  /// more threads than there are elements.
  bool IsOnly(const IndexSum& part, const std::map<std::string, int>& others) const {
    const NameSet names = Variables(ExpandedSum(part));
    return !names.empty() &&
           std::ranges::all_of(names, [&](const std::string& name) { return others.contains(name); });
  }

  /// Nothing in it but values from memory.
  bool IsLoaded(const IndexSum& part) const {
    return std::ranges::all_of(Variables(ExpandedSum(part)),
                               [&](const std::string& name) { return ranges_.loaded.contains(name); });
  }

  std::optional<SumCheck> WithoutComparisons(
      const std::vector<std::pair<IndexSum, SumCheck::Part>>& parts) const {
    for (const auto& [part, kind] : parts) {
      if (auto computed = ComputedIndex(part, ranges_.limited)) {
        const std::optional<IndexSum> index = IndexInArray();
        const auto other = index ? OtherRows(*index, parts) : std::nullopt;
        return other ? other : computed;
      }
    }
    return std::nullopt;
  }

  const std::string& TextAt(std::size_t at) const { return tokens_[at].text; }

  /// Where the texts stand outside of all parentheses.
  std::vector<std::size_t> OutsideOf(TokenRange range, std::initializer_list<std::string_view> texts) const {
    std::vector<std::size_t> found;
    int depth = 0;
    for (std::size_t at = range.begin; at < range.end; ++at) {
      if (IsOneOf(TextAt(at), {"(", "["})) ++depth;
      if (IsOneOf(TextAt(at), {")", "]"})) --depth;
      if (depth == 0 && IsOneOf(TextAt(at), texts)) found.push_back(at);
    }
    return found;
  }

  TokenRange WithoutParentheses(TokenRange range) const {
    while (range.end > range.begin + 1 && TextAt(range.begin) == "(") {
      int depth = 0;
      std::size_t at = range.begin;
      for (; at < range.end; ++at) {
        depth += TextAt(at) == "(" ? 1 : TextAt(at) == ")" ? -1 : 0;
        if (depth == 0) break;
      }
      if (at + 1 != range.end) break;
      ++range.begin;
      --range.end;
    }
    return range;
  }

  /// The comparisons that a condition joins: with && where threads with them all come to the access, with ||
  /// where those with one leave. False in doubt.
  bool AddComparisons(TokenRange range, const AccessCondition& condition, int depth) {
    constexpr int kDeepest = 8;
    range = WithoutParentheses(range);
    if (range.begin >= range.end || depth > kDeepest) return false;
    if (!OutsideOf(range, {condition.leaves ? "&&" : "||", "?", "!", "="}).empty()) return false;
    std::vector<std::size_t> joints = OutsideOf(range, {condition.leaves ? "||" : "&&"});
    if (joints.empty()) return AddComparison(range, condition, depth);
    joints.push_back(range.end);
    std::size_t begin = range.begin;
    for (const std::size_t joint : joints) {
      if (!AddComparisons({begin, joint}, condition, depth + 1)) return false;
      begin = joint + 1;
    }
    return true;
  }

  bool AddComparison(TokenRange range, const AccessCondition& condition, int depth) {
    const std::vector<std::size_t> signs = OutsideOf(range, {"<", "<=", ">", ">="});
    if (signs.empty()) {
      if (!OutsideOf(range, {"==", "!="}).empty()) return true;
      // A flag says what it is computed from.
      const auto flag = definitions_.find(TextAt(range.begin));
      if (range.end != range.begin + 1 || flag == definitions_.end()) return false;
      ++depth_of_flags_;
      const bool are_added = AddComparisons(flag->second.value, condition, depth + 1);
      --depth_of_flags_;
      return are_added;
    }
    if (signs.size() != 1) return false;
    const TokenRange left{range.begin, signs[0]}, right{signs[0] + 1, range.end};
    const bool is_left = IsOneOf(TextAt(signs[0]), {"<", "<="}) != condition.leaves;
    const TokenRange checked = is_left ? left : right;
    Comparison comparison;
    comparison.checked = ReadSum(tokens_, checked);
    comparison.limit = is_left ? right : left;
    comparison.names = NamesBehind(tokens_, range, definitions_);
    comparison.line = tokens_[signs[0]].line;
    comparison.at = range.begin;
    comparison.is_loop = condition.is_loop;
    const bool is_strict = condition.leaves == IsOneOf(TextAt(signs[0]), {"<=", ">="});
    comparison.includes_limit = !is_strict;
    if (is_strict) comparison.bound = ParameterAlone(comparison.limit);
    comparison.is_alone =
        depth_of_flags_ == 0 && comparison.checked && GuardsOneAccess(condition, comparison.checked->Names());
    MoveOver(comparison);
    comparisons_.push_back(std::move(comparison));
    return true;
  }

  /// "rows" of `rows`, a parameter that keeps its value.
  std::string ParameterAlone(TokenRange range) const {
    if (range.end != range.begin + 1 || !numbers_.contains(TextAt(range.begin))) return "";
    return Changes(tokens_, access_.function, TextAt(range.begin)) ? "" : TextAt(range.begin);
  }

  /// Accesses to elements that are not the one that is meant, and not in shared memory, by an index that has
  /// something of what is checked.
  bool HasOthers(TokenRange range, const NameSet& checked) const {
    NameSet behind;
    for (const std::string& name : checked) {
      behind.insert(name);
      const auto definition = definitions_.find(name);
      if (definition != definitions_.end())
        behind.merge(NamesBehind(tokens_, definition->second.value, definitions_));
    }
    std::erase_if(behind, IsConstant);
    for (std::size_t at = std::max<std::size_t>(range.begin, 1); at < range.end; ++at) {
      const bool is_element =
          TextAt(at) == "[" && IsName(TextAt(at - 1)) && !shared_.contains(TextAt(at - 1));
      if (!is_element || at + 1 == access_.index.begin) continue;
      std::size_t end = at + 1;
      while (end < range.end && TextAt(end) != "]") ++end;
      if (Meet(NamesBehind(tokens_, {at + 1, end}, definitions_), behind)) return true;
    }
    return false;
  }

  /// Whether a condition is there for the access that is meant, and for nothing else.
  bool GuardsOneAccess(const AccessCondition& condition, const NameSet& checked) const {
    const TokenRange guarded = condition.guarded;
    if (condition.is_loop || guarded.begin >= guarded.end) return false;
    const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(guarded.begin);
    const auto end = tokens_.begin() + static_cast<std::ptrdiff_t>(guarded.end);
    const bool has_loop = std::any_of(begin, end, [](const CodeToken& each) {
      return IsOneOf(each.text, {"for", "while", "do"});
    });
    const auto statements = std::count_if(begin, end, [](const CodeToken& each) { return each.text == ";"; });
    return !has_loop && statements <= 1 && !HasOthers(guarded, checked);
  }

  /// `c < l - col` says the same as `c + col < l`.
  void MoveOver(Comparison& comparison) const {
    const std::optional<IndexSum> limit = ReadSum(tokens_, comparison.limit);
    if (!comparison.checked || !limit) return;
    for (IndexTerm term : limit->terms()) {
      if (term.times > 0) continue;
      term.times = -term.times;
      comparison.checked->Add(term);
    }
  }

  /// The index from the beginning of an array that is a parameter, also through a pointer into it.
  std::optional<IndexSum> IndexInArray() const {
    std::optional<IndexSum> index = ReadSum(tokens_, access_.index);
    std::string pointer = TextAt(access_.index.begin - 2);
    constexpr int kMostPointers = 4;
    for (int i = 0; i < kMostPointers && index; ++i) {
      if (pointers_.contains(pointer))
        return Changes(tokens_, access_.function, pointer) ? std::nullopt : index;
      const auto definition = definitions_.find(pointer);
      if (definition == definitions_.end()) return std::nullopt;
      std::optional<IndexSum> value = ReadSum(tokens_, definition->second.value);
      if (!value) return std::nullopt;
      const auto base = std::ranges::find_if(value->terms(), [&](const IndexTerm& term) {
        return term.times == 1 && term.factors.size() == 1 &&
               (pointers_.contains(term.factors[0]) || IsPointer(term.factors[0]));
      });
      if (base == value->terms().end()) return std::nullopt;
      pointer = base->factors[0];
      IndexSum before;
      for (const IndexTerm& term : value->terms()) {
        if (&term != &*base) before.Add(term);
      }
      for (const IndexTerm& term : index->terms()) before.Add(term);
      index = std::move(before);
    }
    return std::nullopt;
  }

  /// Whether a variable is defined by one of the pointers.
  bool IsPointer(const std::string& name) const {
    const auto definition = definitions_.find(name);
    return definition != definitions_.end() &&
           Meet(NamesBehind(tokens_, definition->second.value, definitions_), pointers_);
  }

  /// Row and column where one parameter is multiplied by something, the length of a row; or the whole.
  /// Nothing where two are, as in three dimensions.
  std::optional<std::vector<std::pair<IndexSum, SumCheck::Part>>> PartsOf(const IndexSum& index) const {
    NameSet lengths;
    for (const IndexTerm& term : index.terms()) {
      if (term.factors.size() + (term.times != 1 ? 1 : 0) < 2) continue;
      for (const std::string& factor : term.factors) {
        if (numbers_.contains(factor)) lengths.insert(factor);
      }
    }
    if (lengths.size() > 1) return std::nullopt;
    using Part = SumCheck::Part;
    if (lengths.empty()) return std::vector{std::pair(index, Part::kElement)};
    IndexSum row, column;
    for (IndexTerm term : index.terms()) {
      const auto length = std::ranges::find(term.factors, *lengths.begin());
      if (length == term.factors.end()) {
        column.Add(term);
        continue;
      }
      term.factors.erase(length);
      row.Add(term);
    }
    return std::vector{std::pair(row, Part::kRow), std::pair(column, Part::kColumn)};
  }

  /// Says how the line that has the access comes to what is `used`.
  void NameAccess(SumCheck& check) const {
    const std::string index = TextOf(tokens_, access_.index.begin, access_.index.end);
    if (!HasWords(index, check.used)) {
      check.accessed = Element();
      return;
    }
    const auto definition = definitions_.find(check.used);
    if (definition == definitions_.end()) return;
    const std::optional<IndexSum> value = ReadSum(tokens_, definition->second.value);
    if (value && HasWords(Written(*value), check.checked)) check.is = Written(*value);
  }

  /// A part that is 0 in this thread, or that the number of blocks limits.
  bool IsNotToBlame(const IndexSum& part) const {
    return std::ranges::all_of(Variables(ExpandedSum(part)),
                               [](const std::string& name) { return name.starts_with("blockIdx"); });
  }

  /// What a comparison is to a part of an index.
  enum class Relation {
    kCovers,   ///< It compares all of it.
    kIsLess,   ///< It compares some of its terms; the rest is `missing`.
    kIsOther,  ///< It compares some of its terms, and others in place of the rest.
    kInDoubt,  ///< It is about some of the same variables.
    kNone,
  };

  Relation RelationOf(const Comparison& comparison, const IndexSum& whole, IndexSum& missing) const {
    const NameSet variables = Variables(whole);
    const Relation in_doubt = Meet(comparison.names, variables) ? Relation::kInDoubt : Relation::kNone;
    if (!comparison.checked) return in_doubt;
    const IndexSum checked = ExpandedSum(*comparison.checked);
    // `i >= 0` of a loop that counts down says nothing of where it begins.
    if (!Meet(Variables(checked), variables)) return in_doubt;
    missing = whole;
    missing.Subtract(checked);
    if (!HasTimes(missing, true)) return Relation::kCovers;
    // A loop over phases limits these, and not what is inside one.
    if (comparison.is_loop) return Relation::kNone;
    if (!HasTimes(missing, false)) return Relation::kIsLess;
    const bool has_number =
        std::ranges::any_of(missing.terms(), [](const IndexTerm& term) { return term.factors.empty(); });
    return has_number ? in_doubt : Relation::kIsOther;
  }

  /// Which comparison there is of a part of an index.
  std::optional<SumCheck> CheckOf(const IndexSum& part) const {
    const IndexSum whole = ExpandedSum(part);
    SumCheck check;
    check.line = LineOfLast();
    check.used = Written(part);
    const Comparison *smaller = nullptr, *other = nullptr, *loop = nullptr;
    IndexSum missing;
    bool is_in_doubt = false;
    for (const Comparison& each : comparisons_) {
      IndexSum rest;
      const Relation relation = RelationOf(each, whole, rest);
      if (relation == Relation::kCovers && each.is_loop) {
        loop = &each;
        continue;
      }
      if (relation == Relation::kCovers) return IsStale(each) ? std::nullopt : std::optional(check);
      is_in_doubt |= relation == Relation::kInDoubt;
      if (relation == Relation::kIsOther) {
        is_in_doubt |= other != nullptr || each.bound.empty();
        other = &each;
      }
      if (relation != Relation::kIsLess || smaller != nullptr) continue;
      smaller = &each;
      missing = std::move(rest);
    }
    if (loop != nullptr) return LimitedByLoop(whole, *loop, check);
    if (smaller != nullptr) return CheckOfSmaller(part, *smaller, missing, check);
    if (is_in_doubt) return std::nullopt;
    if (other != nullptr) return CheckOfOther(part, *other, check);
    check.kind = SumCheck::Kind::kUnchecked;
    if (const Comparison* stranger = FindStranger()) {
      check.line = stranger->line;
      check.checked = Written(*stranger->checked);
    }
    return check;
  }

  /// Of a part that no condition but its loop's limits. Which one that is stays open where the loop counts
  /// something else.
  std::optional<SumCheck> LimitedByLoop(const IndexSum& whole, const Comparison& loop, SumCheck check) const {
    const std::string counted = Written(*loop.checked);
    const bool is_counter = std::ranges::any_of(access_.loops, [&](const TokenRange& each) {
      return each.begin <= loop.at && loop.at < each.end &&
             VariableOfLoop(tokens_, each.begin, each.end) == counted;
    });
    if (!is_counter) return std::nullopt;
    check.loop_variable = counted;
    check.loop_line = loop.line;
    check.loop_includes_limit = loop.includes_limit && Written(whole) == counted;
    return check;
  }

  /// Whether it is clear what a variable is computed from.
  bool IsKnown(const std::string& name) const {
    const auto counts = [&](const TokenRange& loop) {
      return VariableOfLoop(tokens_, loop.begin, loop.end) == name;
    };
    return IsConstant(name) || definitions_.contains(name) || numbers_.contains(name) ||
           name.starts_with("blockIdx") || name.starts_with("threadIdx") ||
           std::ranges::any_of(access_.loops, counts);
  }

  /// The only comparison that is there for this access alone, but has nothing of its index.
  const Comparison* FindStranger() const {
    const NameSet of_index = NamesBehind(tokens_, access_.index, definitions_);
    if (!std::ranges::all_of(of_index, [this](const std::string& name) { return IsKnown(name); }))
      return nullptr;
    const Comparison* found = nullptr;
    for (const Comparison& each : comparisons_) {
      if (!each.is_alone || Meet(each.checked->Names(), of_index)) continue;
      if (found != nullptr) return nullptr;
      found = &each;
    }
    return found;
  }

  /// Whether a loop that begins behind the comparison counts something that the part has.
  bool ChangesInLoop(const IndexSum& part, const Comparison& comparison) const {
    const NameSet names = ExpandedSum(part).Names();
    return std::ranges::any_of(access_.loops, [&](const TokenRange& loop) {
      return loop.begin > comparison.at && names.contains(VariableOfLoop(tokens_, loop.begin, loop.end));
    });
  }

  std::optional<SumCheck> CheckOfOther(const IndexSum& part, const Comparison& other, SumCheck check) const {
    if (IsStale(other)) return std::nullopt;
    check.kind = SumCheck::Kind::kOther;
    check.line = other.line;
    check.checked = Written(*other.checked);
    check.bound = other.bound;
    check.is_alone = other.is_alone;
    check.is_in_loop = ChangesInLoop(part, other);
    if (HasOthers(access_.statement, other.checked->Names())) check.element = Element();
    return check;
  }

  /// "X[i + 16]", as it is written.
  std::string Element() const {
    return TextAt(access_.index.begin - 2) + "[" + TextOf(tokens_, access_.index.begin, access_.index.end) +
           "]";
  }

  std::optional<SumCheck> CheckOfSmaller(const IndexSum& part, const Comparison& smaller,
                                         const IndexSum& missing, SumCheck check) const {
    if (!Meet(NamesBehind(tokens_, smaller.limit, definitions_), Variables(missing)))
      return CheckOfOther(part, smaller, check);
    if (IsStale(smaller)) return std::nullopt;
    check.line = smaller.line;
    check.checked = Written(*smaller.checked);
    const auto limit = definitions_.find(TextAt(smaller.limit.begin));
    if (smaller.limit.end != smaller.limit.begin + 1 || limit == definitions_.end()) return std::nullopt;
    check.kind = SumCheck::Kind::kComputedLimit;
    check.limit = limit->first;
    check.limit_line = limit->second.line;
    return check;
  }

  IndexSum ExpandedSum(const IndexSum& sum) const {
    IndexSum expanded = Expanded(sum, tokens_, definitions_);
    WithoutZeros(expanded);
    return expanded;
  }

  void WithoutZeros(IndexSum& sum) const {
    IndexSum left;
    for (const IndexTerm& term : sum.terms()) {
      if (!Meet(NameSet(term.factors.begin(), term.factors.end()), access_.zero)) left.Add(term);
    }
    sum = std::move(left);
  }

  /// Whether a variable of the comparison changes between it and the access, or in a loop around the access
  /// alone.
  bool IsStale(const Comparison& comparison) const {
    if (comparison.is_loop) return false;
    std::size_t end = access_.statement.begin;
    for (const TokenRange& loop : access_.loops) {
      if (loop.begin > comparison.at) end = std::max(end, loop.end);
    }
    if (end <= comparison.at) return false;
    return std::ranges::any_of(comparison.checked->Names(), [&](const std::string& name) {
      return Changes(tokens_, {comparison.at, end}, name);
    });
  }

  int LineOfLast() const {
    const auto is_condition = [](const Comparison& each) { return !each.is_loop; };
    const auto last = std::find_if(comparisons_.rbegin(), comparisons_.rend(), is_condition);
    return last == comparisons_.rend() ? comparisons_.back().line : last->line;
  }

  const Tokens& tokens_;
  const IndexedAccess& access_;
  CodeDefinitions definitions_;
  OtherRanges ranges_;
  NameSet pointers_, numbers_, shared_;
  std::vector<Comparison> comparisons_;
  int depth_of_flags_ = 0;
};

}  // namespace

std::optional<SumCheck> CompareSums(const std::vector<CodeToken>& tokens, const IndexedAccess& access) {
  if (access.index.begin < 2) return std::nullopt;
  return Comparer(tokens, access).Compare();
}

bool UsesOtherRanges(const std::vector<CodeToken>& tokens, const IndexedAccess& access) {
  return access.index.begin >= 2 && Comparer(tokens, access).UsesOtherRanges();
}

}  // namespace warplings
