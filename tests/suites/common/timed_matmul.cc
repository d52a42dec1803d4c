// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/timed_matmul.h"

#include <memory>
#include <utility>

#include "tests/suites/common/messages.h"

namespace warplings {
namespace {

timing::Work WorkOf(double rows, double inner, double columns) {
  return {.flops = 2 * rows * inner * columns,
          .bytes_read = 4 * (rows * inner + inner * columns),
          .bytes_written = 4 * rows * columns};
}

}  // namespace

TimedShape TimedMatmul(Message title, int rows, int inner, int columns,
                       std::function<CallOutcome(Worker&, DevicePointer, DevicePointer, DevicePointer)> call,
                       reference::Order m_order) {
  const auto j = static_cast<std::size_t>(rows), k = static_cast<std::size_t>(inner),
             l = static_cast<std::size_t>(columns);
  TimedShape shape;
  shape.title = std::move(title);
  shape.work = WorkOf(rows, inner, columns);
  shape.outputs = {j * l};
  shape.names = {m_order == reference::Order::kColumnByColumn ? "Mt" : "M", "N", "P"};
  shape.make_inputs = [=](RandomValues& random, TimedInputs& inputs) {
    inputs.arrays.resize(2);
    SetTimedValues(random, j * k, inputs.arrays[0]);
    SetTimedValues(random, k * l, inputs.arrays[1]);
    const auto check = std::make_shared<reference::ProductCheck>(inputs.arrays[0], m_order, inputs.arrays[1],
                                                                 j, k, l, random.Next());
    inputs.check = [check](std::span<const std::vector<float>> outputs) { return check->Check(outputs[0]); };
  };
  shape.call = [call = std::move(call)](Worker& worker, std::span<const DevicePointer> pointers) {
    return call(worker, pointers[0], pointers[1], pointers[2]);
  };
  return shape;
}

std::vector<TimedShape> TimedSquareMatmuls(bool rehearsal, const SquareMatmulCall& call,
                                           std::vector<int> widths) {
  if (rehearsal) widths = {33, 48};
  std::vector<TimedShape> shapes;
  for (const int width : widths) {
    shapes.push_back(TimedMatmul(say::timed_width(width), width, width, width,
                                 [call, width](Worker& worker, DevicePointer m, DevicePointer n,
                                               DevicePointer p) { return call(worker, m, n, p, width); }));
  }
  return shapes;
}

}  // namespace warplings
