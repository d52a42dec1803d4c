// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/build/index_sums.h"
#include "grader/build/plain_code.h"

namespace warplings {

/// What conditions compare, beside what an index is: its row and its column each, where a parameter is the
/// length of a row, or the index as a whole.
struct SumCheck {
  enum class Kind {  // The surest cause first.
    kOther,          ///< One compares `checked`, and the index has `used`, which has more or other terms.
    kComputedLimit,  ///< One compares `checked` with `limit`, which is computed from what `used` has more.
    kUnchecked,      ///< None compares `used`, nor anything in it; `checked` if one has nothing of the index.
    kComputedIndex,  ///< None compares `computed`, which other lines keep in a range (min, max, ?: or if), or
                     ///< compute by intrinsic functions or from memory.
    kChecked,        ///< Conditions compare all of it: what they compare with is too large.
  };
  Kind kind = Kind::kChecked;
  int line = 0;               ///< Of that condition, or of the last one.
  std::string used, checked;  ///< "row + r * STEP", "row".
  std::string limit;          ///< "count".
  int limit_line = 0;         ///< Where it is computed.
  std::string bound;          ///< Of kOther, "rows": `used` must stay below it. Empty if that is not sure.
  std::vector<std::string> computed;  ///< Of kComputedIndex; `line` computes the first of them.
  bool is_alone = false;    ///< Of kOther: the condition keeps threads from nothing but this access.
  bool is_in_loop = false;  ///< Of kOther: a loop behind the condition changes `used`.
  std::string is;           ///< Of kOther, where `used` is a variable: the sum that it is set to.
  /// Of kOther, where the text of `used` is not in the index, but in a pointer or a variable: "y[32]".
  std::string accessed;
  enum class Part { kElement, kRow, kColumn };
  Part part = Part::kElement;  ///< What `used` is.
  /// Of kChecked, where a part is limited by its loop alone, `for (int f = 0; f <= K; …`: "f".
  std::string loop_variable;
  int loop_line = 0;
  bool loop_includes_limit = false;  ///< It compares with <=.
  std::string element;  ///< "X[i + 16]", where its statement has more accesses that the condition guards.
  /// Of kComputedIndex, where a column is limited by another parameter than the one that rows are multiplied
  /// by: `used`, in `limit_line`, by `bound`, and `limit` is that of the rows.
  bool has_other_rows = false;
  friend bool operator==(const SumCheck&, const SumCheck&) = default;
};

/// Tokens of a condition, without the parentheses around it.
struct AccessCondition {
  TokenRange tokens;
  bool leaves = false;   ///< Where it is true, a thread does not come to the access.
  bool is_loop = false;  ///< Of a for around the access.
  TokenRange guarded;    ///< The statement or the value for which it is there; empty if it `leaves`.
};

/// What surrounds an access to an element.
struct IndexedAccess {
  TokenRange function;    ///< The body of its function.
  TokenRange parameters;  ///< Of the function.
  TokenRange statement;   ///< With the access.
  TokenRange index;       ///< Between the brackets; the pointer's name is in front of these.
  std::vector<AccessCondition> conditions;  ///< In their order.
  std::vector<TokenRange> loops;            ///< Around the access.
  std::vector<OtherScope> others;           ///< Loops elsewhere, with a variable of their own.
  std::set<std::string> zero;               ///< Names that are 0 in the thread that is meant.
};

/// Of a variable whose value is from memory: nothing, because what is stored there may be in range by the
/// contract. Nothing in doubt: where something is no sum of products, where the pointer is not seen to point
/// into an array that is a parameter, or where a variable changes after its check.
std::optional<SumCheck> CompareSums(const std::vector<CodeToken>& tokens, const IndexedAccess& access);

/// Whether the index uses a variable that no condition need look at: its value is from memory, or other lines
/// keep it in a range.
bool UsesOtherRanges(const std::vector<CodeToken>& tokens, const IndexedAccess& access);

}  // namespace warplings
