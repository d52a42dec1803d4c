// SPDX-License-Identifier: Apache-2.0
#pragma once

struct Shape {
  int rows, columns;
};
enum class Order { kRows, kColumns };

// Every kind of value that a contract may take or return.
Shape combine(const float* data, int count, double factor, Shape shape, Order order, bool flag);
