// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/02_rectangular_matmul/rect_models.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "reference/matmul.h"

namespace warplings::rect_matmul {
namespace {

constexpr double kOutside = std::numeric_limits<double>::quiet_NaN();

/// What threads get for each pair of indices: an element, 0 where a check fails, kOutside.
struct Operand {
  int rows = 0, columns = 0;
  std::vector<double> values;
  bool reads_outside = false;

  Operand(int row_count, int column_count)
      : rows(row_count),
        columns(column_count),
        values(static_cast<std::size_t>(row_count) * static_cast<std::size_t>(column_count)) {}
  const double& At(int row, int column) const {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)];
  }
  void Read(int row, int column, std::span<const float> array, std::int64_t index) {
    const bool outside = index < 0 || index >= static_cast<std::int64_t>(array.size());
    reads_outside |= outside;
    const std::size_t place =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
    values[place] = outside ? kOutside : double{array[static_cast<std::size_t>(index)]};
  }
};

class Kernel {
 public:
  Kernel(const RectModel& model, const MatmulEvidence& evidence, const Extent& extent)
      : model_(model), evidence_(evidence), extent_(extent) {
    const int products = Length(model.products);
    const int tile = extent.tile;
    products_ = model.tiled ? (products + tile - 1) / tile * tile : products;
    rows_of_p_ = std::min(extent.rows, LimitOfP(model.p_row_limit));
    columns_of_p_ = std::min(extent.columns, LimitOfP(model.p_col_limit));
  }

  Prediction Run(const std::function<void(const PredictedStore&)>& on_store) const {
    const Operand m = LoadM(), n = LoadN();
    Prediction prediction{.reads_outside_m = m.reads_outside, .reads_outside_n = n.reads_outside};
    const auto elements = static_cast<std::int64_t>(evidence_.shape.p_count());
    const std::int64_t row_length = Length(model_.p_row_length);
    // As in reference::Matmul: roundings of unit 2^-24, and what products lose that are subnormal.
    const auto count = static_cast<std::size_t>(std::max(products_, 0));
    const double gamma = reference::Gamma(count, 0x1p-24);
    const double subnormal = static_cast<double>(count) * std::numeric_limits<float>::min();
    std::vector<Sum> sums;
    for (int row = 0; row < rows_of_p_; ++row) {
      AddUp(m, n, row, sums);
      for (int column = 0; column < columns_of_p_; ++column) {
        const std::int64_t index = Index(row, column, row_length, model_.p_interchanged);
        if (index >= elements) {
          prediction.writes_outside_p = true;
          continue;
        }
        const Sum& sum = sums[static_cast<std::size_t>(column)];
        on_store({static_cast<std::size_t>(index), sum.value, gamma * sum.magnitude + subnormal,
                  !std::isnan(sum.value)});
      }
    }
    return prediction;
  }

 private:
  struct Sum {
    double value = 0, magnitude = 0;
  };

  int Length(Side side) const { return LengthOf(side, evidence_.shape); }
  int LimitOfP(Side side) const {
    return side == Side::kNone ? Length(side) : Length(side) + model_.p_limit_excess;
  }

  static std::int64_t Index(std::int64_t row, std::int64_t column, std::int64_t length, bool interchanged) {
    return interchanged ? column * length + row : row * length + column;
  }

  Operand LoadM() const {
    // Without tiles only threads with an element of P load.
    const bool nobody = !model_.tiled && columns_of_p_ <= 0;
    Operand m(model_.tiled ? extent_.rows : nobody ? 0 : rows_of_p_, products_);
    const std::vector<float> memory = MemoryOfM();
    for (int row = 0; row < m.rows; ++row) {
      for (int i = 0; i < products_; ++i) LoadM(m, memory, row, i);
    }
    return m;
  }

  /// For use as M[row][i].
  void LoadM(Operand& m, std::span<const float> memory, int row, int i) const {
    // Within its tile the pair with row and i interchanged; divisions take long.
    const int tile = extent_.tile;
    const auto turned_row = [=] { return row - row % tile + i % tile; };
    const auto turned_i = [=] { return i - i % tile + row % tile; };
    switch (model_.turn) {
      case Turn::kTileUsedAsBefore:
        if (PassesM(turned_row(), turned_i())) m.Read(row, i, memory, IndexOfM(turned_row(), turned_i()));
        return;
      case Turn::kCheckOfOldLoad:
        if (PassesM(turned_row(), turned_i())) m.Read(row, i, memory, IndexOfM(row, i));
        return;
      case Turn::kRowOfOldLoad:
        if (PassesM(turned_row(), i)) m.Read(row, i, memory, IndexOfM(row, i));
        return;
      case Turn::kStepOfOldLoad:
        if (PassesM(row, turned_i())) m.Read(row, i, memory, IndexOfM(row, i));
        return;
      case Turn::kReadAsNotTransposed:
        if (PassesM(row, i)) m.Read(row, i, memory, std::int64_t{row} * evidence_.shape.inner + i);
        return;
      case Turn::kRight:
        if (PassesM(row, i)) m.Read(row, i, memory, IndexOfM(row, i));
        return;
    }
  }

  bool PassesM(int row, int i) const {
    return !model_.tiled || (row < Length(model_.m_row_limit) && i < Length(model_.m_i_limit));
  }

  std::int64_t IndexOfM(int row, int i) const {
    const bool by_columns = model_.m_order == MatrixOrder::kColumnByColumn;
    return Index(row, i, Length(model_.m_row_length), by_columns != model_.m_interchanged);
  }

  Operand LoadN() const {
    const bool nobody = !model_.tiled && rows_of_p_ <= 0;
    Operand n(products_, model_.tiled ? extent_.columns : nobody ? 0 : columns_of_p_);
    const int rows = model_.tiled ? std::min(products_, Length(model_.n_i_limit)) : products_;
    const int columns = model_.tiled ? std::min(n.columns, Length(model_.n_col_limit)) : n.columns;
    const std::int64_t row_length = Length(model_.n_row_length);
    if (model_.n_tile_turned) {
      const int tile = extent_.tile;
      for (int i = 0; i < n.rows; ++i) {
        for (int column = 0; column < n.columns; ++column) {
          const int turned_i = i - i % tile + column % tile,
                    turned_column = column - column % tile + i % tile;
          if (turned_i < rows && turned_column < columns)
            n.Read(i, column, evidence_.n, Index(turned_i, turned_column, row_length, model_.n_interchanged));
        }
      }
      return n;
    }
    for (int i = 0; i < rows; ++i) {
      for (int column = 0; column < columns; ++column) {
        n.Read(i, column, evidence_.n, Index(i, column, row_length, model_.n_interchanged));
      }
    }
    return n;
  }

  /// As the submission got it.
  std::vector<float> MemoryOfM() const {
    if (model_.m_order == MatrixOrder::kRowByRow) return evidence_.m;
    return ByColumns(evidence_.m, evidence_.shape.rows, evidence_.shape.inner);
  }

  /// The sums of a row of P. Product by product for all columns, so that N is read along its rows.
  void AddUp(const Operand& m, const Operand& n, int row, std::vector<Sum>& sums) const {
    sums.assign(static_cast<std::size_t>(std::max(columns_of_p_, 0)), Sum());
    if (sums.empty()) return;
    for (int i = 0; i < products_; ++i) {
      const double of_m = m.At(row, i);
      const double* of_n = &n.At(i, 0);
      // No sum of the row is known any more; a model may send most of them outside.
      if (std::isnan(of_m)) return sums.assign(sums.size(), {kOutside, kOutside});
      for (Sum& sum : sums) {
        const double product = of_m * *of_n++;
        sum.value += product;
        sum.magnitude += std::fabs(product);
      }
    }
  }

  const RectModel& model_;
  const MatmulEvidence& evidence_;
  const Extent extent_;
  int products_, rows_of_p_, columns_of_p_;
};

}  // namespace

int LengthOf(Side side, const MatmulShape& shape) {
  switch (side) {
    case Side::kJ: return shape.rows;
    case Side::kK: return shape.inner;
    case Side::kL: return shape.columns;
    case Side::kNone: return std::numeric_limits<int>::max();
  }
  return 0;
}

RectModel RightModel(bool tiled, MatrixOrder m_order) {
  RectModel model;
  model.tiled = tiled;
  model.m_order = m_order;
  if (m_order == MatrixOrder::kColumnByColumn) model.m_row_length = Side::kJ;
  return model;
}

Prediction Predict(const RectModel& model, const MatmulEvidence& evidence, const Extent& extent,
                   const std::function<void(const PredictedStore&)>& on_store) {
  return Kernel(model, evidence, extent).Run(on_store);
}

}  // namespace warplings::rect_matmul
