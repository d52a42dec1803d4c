// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/product_values.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ranges>

#include "grader/messages/judging.h"
#include "grader/messages/product_facts.h"
#include "grader/suite/comparison.h"

namespace warplings {
namespace {

/// "0", "never stored", …: what all these elements hold; "wrong" where they hold numbers.
Message HeldBy(const std::vector<float>& actual, const std::vector<bool>& is_wrong) {
  const auto all = [&](const auto& predicate) {
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (is_wrong[i] && !predicate(actual[i])) return false;
    }
    return true;
  };
  if (all([](float value) { return IsPoison(value); })) return say::held_nothing();
  if (all([](float value) { return value == 0; })) return say::held_zero();
  if (all([](float value) { return std::isnan(value) && !IsPoison(value); })) return say::not_a_number();
  return say::held_wrong();
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
    const std::string column = "[" + std::to_string(index % columns) + "]";
    return array + (rows == 1 ? "" : "[" + std::to_string(index / columns) + "]") + column;
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

/// "row 15 and column 15", up to which elements are right; what has no wrong row or column is left out.
Message LastRight(const Places& places, int row, int column) {
  if (places.rows == 1) return say::one_element(places.Name(column - 1));
  if (column == places.columns) return say::at_row(row - 1);
  return row == places.rows ? say::at_column(column - 1) : say::at_row_and_column(row - 1, column - 1);
}

/// Likewise "row 16 and from column 16".
Message FirstWrong(const Places& places, int row, int column) {
  if (places.rows == 1) return say::one_element(places.Name(column));
  if (column == places.columns) return say::at_row(row);
  return row == places.rows ? say::at_column(column) : say::from_row_and_column(row, column);
}

}  // namespace

Message EdgeFact(const std::string& array, int rows, int columns, const std::vector<float>& actual,
                 const std::vector<bool>& is_wrong) {
  const Places places{array, rows, columns, is_wrong};
  const int row = places.FirstRow(), column = places.FirstColumn();
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      if (places.At(r, c) != (r >= row || c >= column)) return {};
    }
  }
  if (row == 0 || column == 0 || (row == rows && column == columns)) return {};
  const Message held = HeldBy(actual, is_wrong);
  if (std::ranges::count(is_wrong, true) == 1 && !say::held_wrong.Made(held))
    return say::values_last_holds(places.Name(std::ssize(is_wrong) - 1), held);
  const std::string first = places.Name(std::ranges::find(is_wrong, true) - is_wrong.begin());
  const Message last_right = LastRight(places, row, column), first_wrong = FirstWrong(places, row, column);
  if (say::held_nothing.Made(held)) return say::values_unstored_from(array, last_right, first_wrong, first);
  return say::values_wrong_from(array, last_right, first_wrong, held, first);
}

Message PlacesFact(const std::string& array, int rows, int columns, const std::vector<float>& actual,
                   const std::vector<bool>& is_wrong) {
  const auto count = std::ranges::count(is_wrong, true);
  if (count == 0) return {};
  const Message held = HeldBy(actual, is_wrong);
  if (count == 1 && is_wrong.size() == 1 && !say::held_wrong.Made(held))
    return say::values_only_one_holds(Places{array, rows, columns, is_wrong}.Name(0), held);
  if (count == std::ssize(is_wrong))
    return say::held_wrong.Made(held) ? Message() : say::values_all_hold(array, held);
  if (const Message edge = EdgeFact(array, rows, columns, actual, is_wrong); !edge.empty()) return edge;
  const auto first = std::ranges::find(is_wrong, true) - is_wrong.begin();
  const auto is_right = [&](std::int64_t index) {
    return index >= 0 && index < std::ssize(is_wrong) && !is_wrong[static_cast<std::size_t>(index)];
  };
  const bool has_right_neighbour = is_right(first - 1) || is_right(first + 1);
  const std::string name = Places{array, rows, columns, is_wrong}.Name(first);
  if (count == 1) {
    return has_right_neighbour ? say::values_one_holds_among_right(array, held, is_wrong.size(), name)
                               : say::values_one_holds(array, held, is_wrong.size(), name);
  }
  return has_right_neighbour ? say::values_some_hold_among_right(count, array, held, is_wrong.size(), name)
                             : say::values_some_hold(count, array, held, is_wrong.size(), name);
}

Message SumOfAnother(const std::string& array, std::size_t columns, const std::vector<float>& actual,
                     const std::vector<double>& expected, const std::vector<double>& bounds,
                     const std::vector<bool>& is_wrong) {
  constexpr std::size_t kEnough = 3;
  std::vector<std::size_t> places;
  for (std::size_t e = 0; e < is_wrong.size() && places.size() < kEnough; ++e) {
    if (is_wrong[e]) places.push_back(e);
  }
  if (places.size() < kEnough) return {};
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
      return on_top ? say::values_sum_on_top(first, name(other))
                    : say::values_sum_of_other(first, name(other));
    }
  }
  return {};
}

Message PartOfSums(const std::vector<float>& m, const std::vector<float>& n, const std::vector<float>& p,
                   std::size_t rows, std::size_t inner, std::size_t columns) {
  if (p.size() != rows * columns || p.empty() || inner < 2) return {};
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
    if (holds(0, end)) return say::values_products_up_to(end - 1, inner, end);
  }
  for (std::size_t first = 1; first < inner; ++first) {
    if (holds(first, inner)) return say::values_products_from(first, inner);
  }
  return {};
}

Message SquareOfOne(const std::vector<float>& m, const std::vector<float>& n, const std::vector<float>& p,
                    std::size_t side) {
  if (p.size() != side * side || p.empty()) return {};
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
    return of_m ? say::values_square_of_one("M", "N") : say::values_square_of_one("N", "M");
  }
  return {};
}

Message PrecisionFact(const std::vector<double>& actual, const std::vector<double>& expected,
                      const std::vector<double>& magnitudes) {
  // Half has 11 digits, bfloat16 and TF32 have 8 and 11 (PTX manual, "Alternate floating point data
  // formats").
  double largest = 0;
  std::size_t off = 0, compared = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!std::isfinite(actual[i]) || magnitudes[i] == 0) return {};
    const double error = std::fabs(actual[i] - expected[i]) / magnitudes[i];
    largest = std::max(largest, error);
    off += error > 0x1p-22;
    ++compared;
  }
  // Nearly all elements are off, and none by more than two roundings of each factor to 8 digits.
  if (compared == 0 || 10 * off < 8 * compared || largest > 0x1p-7 || largest < 0x1p-14) return {};
  char share[64];
  std::snprintf(share, sizeof share, "%.0e", largest);
  return say::values_too_few_digits(
      share, largest > 0x1p-10 * 1.5 ? say::digits_of_bfloat16() : say::digits_of_half());
}

}  // namespace warplings