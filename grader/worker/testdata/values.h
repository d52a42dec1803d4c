// SPDX-License-Identifier: Apache-2.0
#pragma once

struct Shape {
  int rows, columns;
};
enum class Order { kRows, kColumns };

// Covers every kind of parameter and result that a contract may have.
Shape combine(const float* data, int count, double factor, Shape shape, Order order, bool flag);
