// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/02_rectangular_matmul/timed_rectangles.h"

#include "tests/suites/common/messages.h"

namespace warplings::rect_matmul {

std::vector<TimedShape> TimedRectangles(bool rehearsal, MatrixOrder m_order) {
  const auto order =
      m_order == MatrixOrder::kRowByRow ? reference::Order::kRowByRow : reference::Order::kColumnByColumn;
  std::vector<MatmulShape> rectangles = {{1024, 2048, 1536}, {2048, 1000, 3000}};
  if (rehearsal) rectangles = {{33, 20, 40}, {16, 48, 17}};
  std::vector<TimedShape> shapes;
  for (const auto& [j, k, l] : rectangles) {
    shapes.push_back(TimedMatmul(
        say::timed_product(j, k, k, l), j, k, l,
        [j = j, k = k, l = l](Worker& worker, DevicePointer m, DevicePointer n, DevicePointer p) {
          return worker.Call(m, n, p, j, k, l);
        },
        order));
  }
  return shapes;
}

}  // namespace warplings::rect_matmul
