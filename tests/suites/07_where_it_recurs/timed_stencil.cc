// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/07_where_it_recurs/timed_stencil.h"

#include <span>
#include <string>

#include "chapters/07_where_it_recurs/stencil.h"
#include "reference/stencil.h"
#include "tests/suites/07_where_it_recurs/messages.h"

namespace warplings::stencil {
namespace {

/// Inputs are multiples of 1/256 up to 1 and the factors powers of 2, so that every result is exact.
std::string Check(std::span<const float> input, const reference::Grid& grid, std::span<const float> output) {
  const auto row = static_cast<std::ptrdiff_t>(grid.width);
  const auto plane = static_cast<std::ptrdiff_t>(grid.width * grid.height);
  for (std::size_t z = 0; z < grid.depth; ++z) {
    for (std::size_t y = 0; y < grid.height; ++y) {
      for (std::size_t x = 0; x < grid.width; ++x) {
        const std::size_t i = grid.Index(x, y, z);
        const float* const at = &input[i];
        float expected = *at;
        if (!grid.IsOnFace(x, y, z)) {
          const float sum = at[-1] + at[1] + at[-row] + at[row] + at[-plane] + at[plane];
          expected = kCentre * *at + kNeighbour * sum;
        }
        if (output[i] != expected) return "a point is wrong";
      }
    }
  }
  return "";
}

TimedShape Step(int width, int height, int depth) {
  const reference::Grid grid{static_cast<std::size_t>(width), static_cast<std::size_t>(height),
                             static_cast<std::size_t>(depth)};
  const auto points = static_cast<double>(grid.Points());
  TimedShape shape;
  shape.title = say::stencil_timed(width, height, depth);
  shape.work = {.flops = 8 * points, .bytes_read = 4 * points, .bytes_written = 4 * points};
  shape.outputs = {grid.Points()};
  shape.names = {"input", "output"};
  shape.make_inputs = [=](RandomValues& random, TimedInputs& inputs) {
    inputs.arrays.resize(1);
    SetExactSummands(random, grid.Points(), inputs.arrays[0]);
    inputs.check = [input = inputs.arrays[0], grid](std::span<const std::vector<float>> outputs) {
      return Check(input, grid, outputs[0]);
    };
  };
  shape.call = [=](Worker& worker, std::span<const DevicePointer> pointers) {
    return worker.Call(pointers[0], pointers[1], width, height, depth);
  };
  return shape;
}

}  // namespace

std::vector<TimedShape> TimedStencils(bool rehearsal) {
  if (rehearsal) return {Step(40, 10, 8)};
  return {Step(256, 256, 128), Step(300, 201, 130)};
}

}  // namespace warplings::stencil
