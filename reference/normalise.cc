// SPDX-License-Identifier: Apache-2.0
#include "reference/normalise.h"

#include <cmath>

namespace warplings::reference {
namespace {

constexpr double kUnit = 0x1p-24;

struct Column {
  double mean = 0, mean_error = 0;
  double variance = 0, variance_error = 0;
};

Column Describe(std::span<const float> x, std::size_t features, std::size_t samples, std::size_t i) {
  const double g = Gamma(4 * features, kUnit), count = static_cast<double>(features);
  Column column;
  double magnitude = 0;
  for (std::size_t f = 0; f < features; ++f) {
    column.mean += x[f * samples + i] / count;
    magnitude += std::fabs(x[f * samples + i]) / count;
  }
  column.mean_error = g * magnitude;
  for (std::size_t f = 0; f < features; ++f) {
    const double d = x[f * samples + i] - column.mean, error = column.mean_error + kUnit * std::fabs(d);
    column.variance += d * d / count;
    column.variance_error += (2 * std::fabs(d) * error + error * error) / count;
  }
  column.variance_error += g * column.variance;
  return column;
}

}  // namespace

Bounded Normalise(std::span<const float> x, std::size_t features, std::size_t samples, double epsilon) {
  Bounded y;
  y.value.resize(features * samples);
  y.bound.resize(features * samples);
  for (std::size_t i = 0; i < samples; ++i) {
    const Column column = Describe(x, features, samples, i);
    const double scale = 1 / std::sqrt(column.variance + epsilon);
    const double relative = column.variance_error / (2 * (column.variance + epsilon)) + 8 * kUnit;
    for (std::size_t f = 0; f < features; ++f) {
      const double d = x[f * samples + i] - column.mean;
      const double error = column.mean_error + kUnit * std::fabs(d);
      y.value[f * samples + i] = d * scale;
      y.bound[f * samples + i] = 2 * (error * scale + std::fabs(d) * scale * relative);
    }
  }
  return y;
}

}  // namespace warplings::reference
