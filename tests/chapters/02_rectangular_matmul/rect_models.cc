// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/02_rectangular_matmul/rect_models.h"

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
  double& At(int row, int column) {
    return values[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)];
  }
  void Read(int row, int column, std::span<const float> array, std::int64_t index) {
    const bool outside = index < 0 || index >= static_cast<std::int64_t>(array.size());
    reads_outside |= outside;
    At(row, column) = outside ? kOutside : double{array[static_cast<std::size_t>(index)]};
  }
};

class Kernel {
 public:
  Kernel(const RectModel& model, const MatmulEvidence& evidence, const Extent& extent)
      : model_(model), evidence_(evidence), extent_(extent) {
    const int products = Length(model.products);
    const int tile = extent.tile;
    products_ = model.tiled ? (products + tile - 1) / tile * tile : products;
  }

  Prediction Run() {
    Operand m = LoadM(), n = LoadN();
    Prediction prediction;
    prediction.p.resize(evidence_.shape.p_count());
    prediction.reads_outside_m = m.reads_outside;
    prediction.reads_outside_n = n.reads_outside;
    for (int row = 0; row < RowsOfP(); ++row) {
      for (int column = 0; column < ColumnsOfP(); ++column) {
        Store(prediction, Index(row, column, Length(model_.p_row_length), model_.p_interchanged), m, n, row,
              column);
      }
    }
    return prediction;
  }

 private:
  int Length(Side side) const { return LengthOf(side, evidence_.shape); }
  int LimitOfP(Side side) const {
    return side == Side::kNone ? Length(side) : Length(side) + model_.p_limit_excess;
  }
  int RowsOfP() const { return std::min(extent_.rows, LimitOfP(model_.p_row_limit)); }
  int ColumnsOfP() const { return std::min(extent_.columns, LimitOfP(model_.p_col_limit)); }

  static std::int64_t Index(std::int64_t row, std::int64_t column, std::int64_t length, bool interchanged) {
    return interchanged ? column * length + row : row * length + column;
  }

  Operand LoadM() const {
    // Without tiles only threads with an element of P load.
    const bool nobody = !model_.tiled && ColumnsOfP() <= 0;
    Operand m(model_.tiled ? extent_.rows : nobody ? 0 : RowsOfP(), products_);
    const std::vector<float> memory = MemoryOfM();
    for (int row = 0; row < m.rows; ++row) {
      for (int i = 0; i < products_; ++i) LoadM(m, memory, row, i);
    }
    return m;
  }

  /// For use as M[row][i].
  void LoadM(Operand& m, std::span<const float> memory, int row, int i) const {
    // Within its tile the pair with row and i interchanged.
    const int tile = extent_.tile;
    const int turned_row = row - row % tile + i % tile, turned_i = i - i % tile + row % tile;
    switch (model_.turn) {
      case Turn::kTileUsedAsBefore:
        if (PassesM(turned_row, turned_i)) m.Read(row, i, memory, IndexOfM(turned_row, turned_i));
        return;
      case Turn::kCheckOfOldLoad:
        if (PassesM(turned_row, turned_i)) m.Read(row, i, memory, IndexOfM(row, i));
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
    const bool nobody = !model_.tiled && RowsOfP() <= 0;
    Operand n(products_, model_.tiled ? extent_.columns : nobody ? 0 : ColumnsOfP());
    for (int i = 0; i < products_; ++i) {
      for (int column = 0; column < n.columns; ++column) {
        const bool passes =
            !model_.tiled || (i < Length(model_.n_i_limit) && column < Length(model_.n_col_limit));
        const auto index = Index(i, column, Length(model_.n_row_length), model_.n_interchanged);
        if (passes) n.Read(i, column, evidence_.n, index);
      }
    }
    return n;
  }

  /// As the submission got it.
  std::vector<float> MemoryOfM() const {
    if (model_.m_order == MatrixOrder::kRowByRow) return evidence_.m;
    return ByColumns(evidence_.m, evidence_.shape.rows, evidence_.shape.inner);
  }

  void Store(Prediction& prediction, std::int64_t index, Operand& m, Operand& n, int row, int column) const {
    if (index >= static_cast<std::int64_t>(prediction.p.size())) {
      prediction.writes_outside_p = true;
      return;
    }
    double sum = 0, magnitude = 0;
    for (int i = 0; i < products_; ++i) {
      const double product = m.At(row, i) * n.At(i, column);
      sum += product;
      magnitude += std::fabs(product);
    }
    Predicted& element = prediction.p[static_cast<std::size_t>(index)];
    if (std::isnan(sum)) element.unknown = true;
    // As reference::Matmul: k roundings of unit 2^-24, and subnormal products.
    const auto count = static_cast<std::size_t>(products_);
    const double bound = reference::Gamma(count, 0x1p-24) * magnitude +
                         static_cast<double>(count) * std::numeric_limits<float>::min();
    element.values.push_back({sum, bound});
  }

  const RectModel& model_;
  const MatmulEvidence& evidence_;
  const Extent extent_;
  int products_;
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

Prediction Predict(const RectModel& model, const MatmulEvidence& evidence, const Extent& extent) {
  return Kernel(model, evidence, extent).Run();
}

}  // namespace warplings::rect_matmul
