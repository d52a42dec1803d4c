// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/suites/common/matmul_call.h"

namespace warplings::rect_matmul {

enum class Side {
  kJ,
  kK,
  kL,
  kNone,  ///< As a limit: there is no check.
};
int LengthOf(Side side, const MatmulShape& shape);

/// What may go wrong with a tile of M; most of it where M lies by columns and the tile is loaded as it lies.
enum class Turn {
  kRight,
  kTileUsedAsBefore,  ///< The products take Mts[ty][i] instead of Mts[i][ty].
  kCheckOfOldLoad,    ///< The check asks for the element that the thread loaded before it was turned.
  kRowOfOldLoad,      ///< The same of P's row alone …
  kStepOfOldLoad,     ///< … and of the step of the sum alone.
  kReadAsNotTransposed,
};

/// A kernel for P = M x N (j x k times k x l) in which one side may stand for another. The default is the
/// right tiled one. With `tiled` each load has a check and gives 0 where it fails; without, only P's check
/// exists.
struct RectModel {
  bool tiled = true;
  MatrixOrder m_order = MatrixOrder::kRowByRow;
  Side m_row_limit = Side::kJ, m_i_limit = Side::kK;
  Side n_i_limit = Side::kK, n_col_limit = Side::kL;
  Side p_row_limit = Side::kJ, p_col_limit = Side::kL;
  Side products = Side::kK;  ///< That a sum has; tiled: that the phases cover.
  /// Of the array as it lies in memory: of Mt where M lies by columns.
  Side m_row_length = Side::kK, n_row_length = Side::kL, p_row_length = Side::kL;
  Turn turn = Turn::kRight;
  /// Row and column change places in the index: N[col * LENGTH + i].
  bool m_interchanged = false, n_interchanged = false, p_interchanged = false;
  /// The products take Nds[tx][i] instead of Nds[i][tx].
  bool n_tile_turned = false;
  int p_limit_excess = 0;  ///< 1: P's check lets one row and one column too many pass.
};

RectModel RightModel(bool tiled, MatrixOrder m_order);

/// What a launch covers: grid times block, y as rows and x as columns; and the block's width.
struct Extent {
  int rows = 0, columns = 0, tile = 1;
};

/// What a thread of such a kernel stores into an element of P.
struct PredictedStore {
  std::size_t element = 0;
  double value = 0, bound = 0;
  bool is_known = true;  ///< False: something read outside an array takes part.
};

struct Prediction {
  bool reads_outside_m = false, reads_outside_n = false, writes_outside_p = false;
};

/// What a kernel of this model does with these inputs. `on_store` gets its stores into P, row by row; which
/// of several into one element comes last is open. They are not collected: without a check there may be a
/// million.
Prediction Predict(const RectModel& model, const MatmulEvidence& evidence, const Extent& extent,
                   const std::function<void(const PredictedStore&)>& on_store);

}  // namespace warplings::rect_matmul
