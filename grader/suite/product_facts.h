// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grader/messages/product_facts.h"
#include "grader/suite/product_formula.h"

// What the sources that find a product's facts share; product_formula.h is what a suite uses.

namespace warplings::product_facts {

using Terms = std::vector<ProbeTerm>;

/// The longest wrong row length that is tried: with a longer one, the rows of a small call would lie outside
/// the arrays.
inline constexpr std::int64_t kLongestRow = 130;

/// "2 to 4", "8".
Message Span(std::int64_t first, std::int64_t last);
/// Of numbers in ascending order: "0 to 7, 16 to 17", no more than three ranges, and how many more there are.
Message Ranges(const std::vector<std::int64_t>& all);
/// "M[1][2]"; outside the array one index, counted from its start: "M[402]" of 400 elements, "M[-2]".
std::string Factor(const std::string& array, ElementIndex index, std::int64_t count, std::int64_t columns);

/// The right sums of a product, and what the submission was found to compute instead.
class Product {
 public:
  Product(const ProductContract& contract, const ProbeResult& probed)
      : contract_(contract), probed_(probed) {}

  const ProductContract& contract() const { return contract_; }
  const ProbeResult& probed() const { return probed_; }
  std::int64_t rows() const { return contract_.rows; }
  std::int64_t inner() const { return contract_.inner; }
  std::int64_t columns() const { return contract_.columns; }
  std::string m_name() const { return contract_.m_by_columns ? "Mt" : "M"; }
  std::int64_t m_row() const { return contract_.m_by_columns ? rows() : inner(); }
  std::int64_t RowOf(std::size_t e) const { return static_cast<std::int64_t>(e) / columns(); }
  std::int64_t ColumnOf(std::size_t e) const { return static_cast<std::int64_t>(e) % columns(); }
  std::string NameOf(std::size_t e) const {
    return Factor("P", static_cast<ElementIndex>(e), rows() * columns(), columns());
  }
  ElementIndex MIndex(std::int64_t row, std::int64_t i) const {
    return contract_.m_by_columns ? i * rows() + row : row * inner() + i;
  }

  /// "M[r][2]·N[2][c]", the product with that i in each row r and column c.
  std::string NameOfProduct(std::int64_t i) const {
    const std::string number = std::to_string(i);
    const std::string of_m = contract_.m_by_columns ? "Mt[" + number + "][r]" : "M[r][" + number + "]";
    return of_m + "·N[" + number + "][c]";
  }

  /// The terms that belong into an element's sum.
  Terms Right(std::size_t e) const;
  static bool IsSumOnly(const FoundFormula& f) { return f.before_times == 0 && f.constant == 0; }
  static bool IsZero(const FoundFormula& f) { return IsSumOnly(f) && f.terms.empty(); }
  bool IsRight(const FoundFormula& f) const { return IsSumOnly(f) && f.terms == Right(f.element); }

  Term Written(const ProbeTerm& term) const;
  ElementFormula FormulaOf(const FoundFormula& found) const;

  /// "k", or "" where no side of the contract has this length, or two have. Sides of one length are not
  /// told apart.
  std::string SideOfLength(std::int64_t length) const;
  /// "5 (l)".
  Message WithSide(std::int64_t length) const;
  /// "5 elements (l)".
  Message RowWithSide(std::int64_t length) const;

 private:
  const ProductContract& contract_;
  const ProbeResult& probed_;
};

/// Facts while they are being found.
struct Findings {
  Product product;
  ProductFacts facts{};
  std::vector<const FoundFormula*> known{};  ///< Elements whose formula was found, in their order.
};

/// Whoever adds facts, and a sentence for each.
class FactFinder {
 protected:
  explicit FactFinder(Findings& findings)
      : product_(findings.product), facts_(findings.facts), known_(findings.known) {}

  const ProductContract& contract() const { return product_.contract(); }
  void Say(const Message& sentence) { facts_.sentences.push_back(sentence); }

  const Product& product_;
  ProductFacts& facts_;
  const std::vector<const FoundFormula*>& known_;
};

/// Right sums in wrong places; false: it is not only that.
bool FindMovedSums(Findings& findings);
/// Elements that nobody stores, and what sums hold besides products.
void FindStores(Findings& findings);
/// Which elements of M and N are read in place of the right ones, and which products each sum has of them.
void FindReads(Findings& findings);
/// Of sums that all have the same products, facts.times: which i are missing, repeated or too many.
void FindRunsOfProducts(Findings& findings);
/// Of sums that are not alike: where the wrong ones begin, and the first of them.
void DescribeWhereSumsDiffer(Findings& findings);
/// What the first wrong sum has too much and too little.
void DescribeFirstWrongSum(Findings& findings);

}  // namespace warplings::product_facts
