// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/build/plain_code.h"

namespace warplings {

// Indices and limits as they are written: sums of products of names and numbers.

/// The value that a variable gets where it is declared.
struct CodeDefinition {
  TokenRange value;
  int line = 0;
};
using CodeDefinitions = std::map<std::string, CodeDefinition>;

/// A name that means another variable in some tokens.
struct OtherScope {
  std::string name;
  TokenRange tokens;
};

/// Of the variables that are assigned to once in these tokens, and never changed, but for the other ones of
/// the same name.
CodeDefinitions DefinitionsIn(const std::vector<CodeToken>& tokens, TokenRange function,
                              const std::vector<OtherScope>& others = {});

/// Whether the tokens assign to the variable, or change it.
bool Changes(const std::vector<CodeToken>& tokens, TokenRange range, const std::string& name);

/// 3 times `row` times `l`.
struct IndexTerm {
  std::int64_t times = 1;
  std::vector<std::string> factors;  ///< "threadIdx.x" is one.
};

/// `row * l + col + 16`.
class IndexSum {
 public:
  const std::vector<IndexTerm>& terms() const { return terms_; }

  /// Terms of the same factors become one.
  void Add(const IndexTerm& term);
  void Subtract(const IndexSum& other);

  std::set<std::string> Names() const;

 private:
  std::vector<IndexTerm> terms_;
};

/// Nothing if there is more to it than +, -, * and parentheses.
std::optional<IndexSum> ReadSum(const std::vector<CodeToken>& tokens, TokenRange range);

/// With what the definitions say in place of their names, as far as these are sums.
IndexSum Expanded(const IndexSum& sum, const std::vector<CodeToken>& tokens,
                  const CodeDefinitions& definitions);

/// Past the value that begins at `at`: before the comma or semicolon behind it, or the bracket that closes
/// what is around it.
std::size_t EndOfValue(const std::vector<CodeToken>& tokens, std::size_t at, std::size_t end);

/// "row + 2 * r".
std::string Written(const IndexSum& sum);

/// The names in the tokens, and those from which the definitions compute them.
std::set<std::string> NamesBehind(const std::vector<CodeToken>& tokens, TokenRange range,
                                  const CodeDefinitions& definitions);

}  // namespace warplings
