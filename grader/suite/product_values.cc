// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/product_values.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ranges>

#include "grader/suite/comparison.h"
#include "grader/suite/product_facts.h"

namespace warplings {
namespace {

using product_facts::CountOf;
using product_facts::Text;

/// "0", "never written", …: what all these elements hold; "wrong" where they hold numbers.
std::string HeldBy(const std::vector<float>& actual, const std::vector<bool>& is_wrong) {
  const auto all = [&](const auto& predicate) {
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (is_wrong[i] && !predicate(actual[i])) return false;
    }
    return true;
  };
  if (all([](float value) { return IsPoison(value); })) return "never stored";
  if (all([](float value) { return value == 0; })) return "0";
  if (all([](float value) { return std::isnan(value) && !IsPoison(value); })) return "not a number";
  return "wrong";
}

/// Names and counts for what is said of the wrong elements of an array.
struct Places {
  const std::string& array;
  int rows, columns;
  const std::vector<bool>& is_wrong;

  bool At(int row, int column) const {
    return is_wrong[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                    static_cast<std::size_t>(column)];
  }
  std::string Name(std::int64_t index) const {
    return array + "[" + (rows == 1 ? "" : Text(index / columns) + "][") + Text(index % columns) + "]";
  }
  /// The first row of which every element is wrong; `rows`: there is none.
  int FirstRow() const {
    const auto is_row = [&](int r) {
      return std::ranges::all_of(std::views::iota(0, columns), [&](int c) { return At(r, c); });
    };
    int row = 0;
    while (row < rows && !is_row(row)) ++row;
    return row;
  }
  int FirstColumn() const {
    const auto is_column = [&](int c) {
      return std::ranges::all_of(std::views::iota(0, rows), [&](int r) { return At(r, c); });
    };
    int column = 0;
    while (column < columns && !is_column(column)) ++column;
    return column;
  }
};

/// "row 15 and column 15"; what is not there is left out.
std::string RowAndColumn(const Places& places, int row, int column, int back) {
  std::string text;
  if (row < places.rows) text = "row " + Text(row - back);
  if (column < places.columns)
    text += (text.empty() ? "" : back > 0 ? " and " : " and from ") + ("column " + Text(column - back));
  return text;
}

}  // namespace

std::string EdgeFact(const std::string& array, int rows, int columns, const std::vector<float>& actual,
                     const std::vector<bool>& is_wrong) {
  const Places places{array, rows, columns, is_wrong};
  const int row = places.FirstRow(), column = places.FirstColumn();
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      if (places.At(r, c) != (r >= row || c >= column)) return "";
    }
  }
  if (row == 0 || column == 0 || (row == rows && column == columns)) return "";
  const bool is_one_row = rows == 1;
  return array + " is right up to " +
         (is_one_row ? places.Name(column - 1) : RowAndColumn(places, row, column, 1)) + "; from " +
         (is_one_row ? places.Name(column) : RowAndColumn(places, row, column, 0)) + " on every element is " +
         HeldBy(actual, is_wrong) +
         ". Which block and which thread are to compute these, and what differs for them?";
}

std::string PlacesFact(const std::string& array, int rows, int columns, const std::vector<float>& actual,
                       const std::vector<bool>& is_wrong) {
  const auto count = std::ranges::count(is_wrong, true);
  if (count == 0) return "";
  const std::string held = HeldBy(actual, is_wrong);
  if (count == std::ssize(is_wrong)) {
    return held == "wrong" ? "" : "Every element of " + array + " is " + held + ".";
  }
  if (const std::string edge = EdgeFact(array, rows, columns, actual, is_wrong); !edge.empty()) return edge;
  const auto first = std::ranges::find(is_wrong, true) - is_wrong.begin();
  const auto is_right = [&](std::int64_t index) {
    return index >= 0 && index < std::ssize(is_wrong) && !is_wrong[static_cast<std::size_t>(index)];
  };
  const bool has_right_neighbour = is_right(first - 1) || is_right(first + 1);
  return CountOf(count, "element") + " of " + array + (count == 1 ? " is " : " are ") + held + ", of " +
         Text(std::ssize(is_wrong)) + "; the first is " + Places{array, rows, columns, is_wrong}.Name(first) +
         ". Which thread is to store it, and what " +
         (has_right_neighbour ? "differs from its neighbours that are right?" : "goes into it?");
}

std::string SumOfAnother(const std::string& array, std::size_t columns, const std::vector<float>& actual,
                         const std::vector<double>& expected, const std::vector<double>& bounds,
                         const std::vector<bool>& is_wrong) {
  constexpr std::size_t kEnough = 3;
  std::vector<std::size_t> places;
  for (std::size_t e = 0; e < is_wrong.size() && places.size() < kEnough; ++e) {
    if (is_wrong[e]) places.push_back(e);
  }
  if (places.size() < kEnough) return "";
  const auto fits = [&](std::size_t e, std::size_t other, bool on_top) {
    if (e == other || other >= expected.size() || IsPoison(actual[e]) || expected[other] == 0) return false;
    const double found = on_top ? actual[e] - expected[e] : double{actual[e]};
    return std::fabs(found - expected[other]) <= bounds[e] + 2 * bounds[other];
  };
  const auto name = [&](std::size_t e) {
    return array + "[" + std::to_string(e / columns) + "][" + std::to_string(e % columns) + "]";
  };
  for (const bool on_top : {true, false}) {
    for (std::size_t other = 0; other < expected.size(); ++other) {
      const bool all = std::ranges::all_of(
          places, [&](std::size_t e) { return fits(e, other + (e - places.front()), on_top); });
      if (!all) continue;
      const std::string first = name(places.front());
      return on_top ? first + " holds its own sum and that of " + name(other) +
                          " together: which thread adds up each of the two, and where do they meet?"
                    : first + " holds the sum of " + name(other) +
                          ": which row and which column does its thread compute, and where does it store?";
    }
  }
  return "";
}

std::string PartOfSums(const std::vector<float>& m, const std::vector<float>& n, const std::vector<float>& p,
                       std::size_t rows, std::size_t inner, std::size_t columns) {
  if (p.size() != rows * columns || p.empty() || inner < 2) return "";
  const double rounding = 2.0 * static_cast<double>(inner) * 0x1p-24;
  /// Whether each element holds its products from `first` to before `end`.
  const auto holds = [&](std::size_t first, std::size_t end) {
    for (std::size_t e = 0; e < p.size(); ++e) {
      double sum = 0, size = 0;
      for (std::size_t i = first; i < end; ++i) {
        const double product = double{m[e / columns * inner + i]} * n[i * columns + e % columns];
        sum += product;
        size += std::fabs(product);
      }
      if (IsWrong(p[e], sum, rounding * size + 1e-30)) return false;
    }
    return true;
  };
  for (std::size_t end = 1; end < inner; ++end) {
    if (!holds(0, end)) continue;
    return "Each element of P has its products up to i = " + std::to_string(end - 1) + " only, of " +
           std::to_string(inner) + ": which line is to add the one with i = " + std::to_string(end) +
           ", does it run for that one, and what does it add?";
  }
  for (std::size_t first = 1; first < inner; ++first) {
    if (!holds(first, inner)) continue;
    return "Each element of P has its products from i = " + std::to_string(first) + " on only, of " +
           std::to_string(inner) + ": which line loses those before, or never adds them?";
  }
  return "";
}

std::string SquareOfOne(const std::vector<float>& m, const std::vector<float>& n, const std::vector<float>& p,
                        std::size_t side) {
  if (p.size() != side * side || p.empty()) return "";
  const auto is_square_of = [&](const std::vector<float>& matrix) {
    for (std::size_t e = 0; e < p.size(); ++e) {
      double sum = 0, size = 0;
      for (std::size_t i = 0; i < side; ++i) {
        const double product = double{matrix[e / side * side + i]} * matrix[i * side + e % side];
        sum += product;
        size += std::fabs(product);
      }
      if (IsWrong(p[e], sum, 2.0 * static_cast<double>(side) * 0x1p-24 * size + 1e-30)) return false;
    }
    return true;
  };
  for (const bool of_m : {true, false}) {
    if (!is_square_of(of_m ? m : n)) continue;
    const std::string used = of_m ? "M" : "N", other = of_m ? "N" : "M";
    return "P holds " + used + " x " + used + ", and " + other +
           " plays no part: from which pointer does each of the two factors of a product come, by way of "
           "which lines?";
  }
  return "";
}

std::string PrecisionFact(const std::vector<double>& actual, const std::vector<double>& expected,
                          const std::vector<double>& magnitudes) {
  // Half has 11 digits, bfloat16 and TF32 have 8 and 11 (PTX manual, "Alternate floating point data
  // formats").
  double largest = 0;
  std::size_t off = 0, compared = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!std::isfinite(actual[i]) || magnitudes[i] == 0) return "";
    const double error = std::fabs(actual[i] - expected[i]) / magnitudes[i];
    largest = std::max(largest, error);
    off += error > 0x1p-22;
    ++compared;
  }
  // Nearly all elements are off, and none by more than two roundings of each factor to 8 digits.
  if (compared == 0 || 10 * off < 8 * compared || largest > 0x1p-7) return "";
  char text[64];
  std::snprintf(text, sizeof text, "%.0e", largest);
  const char* type =
      largest > 0x1p-10 * 1.5 ? "bfloat16 (8 binary digits)" : "__half or TF32 (11 binary digits)";
  if (largest < 0x1p-14) return "";
  return std::string("All values are nearly right, none is off by more than ") + text +
         " of the products' size: that looks like too few digits rather than a wrong index, about those of " +
         type + ". Which types do the factors, their products and the sum have?";
}

}  // namespace warplings