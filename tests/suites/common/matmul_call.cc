// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/matmul_call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/product_facts.h"
#include "grader/suite/comparison.h"
#include "grader/suite/evidence.h"
#include "tests/suites/common/matmul_counts.h"
#include "tests/suites/common/messages.h"

namespace warplings {
namespace {

std::size_t Product(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

/// The watchdog's budget for a launch: 64 warp instructions for each product is enough for a single thread
/// that computes all of P alone; a tiled kernel needs about a fortieth of one.
std::uint64_t Budget(const MatmulShape& shape) {
  return 1'000'000 +
         64 * static_cast<std::uint64_t>(shape.m_count()) * static_cast<std::uint64_t>(shape.columns);
}

/// Arrays of a call without those that have no elements, and where M, N and P are among them.
struct Arrays {
  static constexpr std::size_t kNone = 3;
  std::vector<CallArray> list;
  std::array<std::size_t, 3> place{kNone, kNone, kNone};

  void Add(std::size_t which, CallArray array) {
    if (array.bytes.empty()) return;
    place[which] = list.size();
    list.push_back(std::move(array));
  }
};

DevicePointer At(std::span<const DevicePointer> pointers, std::size_t place) {
  return place == Arrays::kNone ? 0 : pointers[place];
}

void Compare(MatmulEvidence& evidence) {
  const MatmulShape& shape = evidence.shape;
  const auto columns = static_cast<std::size_t>(shape.columns);
  evidence.expected = reference::Matmul(evidence.m, evidence.n, static_cast<std::size_t>(shape.rows),
                                        static_cast<std::size_t>(shape.inner), columns);
  const auto where = [columns](std::size_t i) {
    return "P[" + std::to_string(i / columns) + "][" + std::to_string(i % columns) + "]";
  };
  AddComparison(evidence.result,
                CompareFloats(evidence.p, evidence.expected.value, evidence.expected.bound, where, columns),
                "P");
}

/// Whether a thread whose index in x is `x` stores to an element past P's edge, whose index is that of the
/// next row's `column`, where the thread with `other_x` stores.
bool IsColumnPastEdge(std::int64_t x, std::int64_t other_x, std::int64_t column, std::int64_t columns,
                      std::int64_t block_width) {
  if (block_width < 2 || columns % block_width == 0) return false;
  const auto has = [&](std::int64_t of, std::int64_t c) { return c >= of && (c - of) % block_width == 0; };
  return has(x, columns + column) && has(other_x, column);
}

/// Two threads of one block that store to the same element of P, in row `row` and column `column`.
void AdviseOfTwoStores(const std::string& name, std::int64_t row, std::int64_t column, std::int64_t columns,
                       std::int64_t tile, TestResult& result) {
  const Finding& race = result.findings[*result.advised];
  const Message& who = result.next_step.arguments().at(1).inner.at(0);
  const auto launch = std::ranges::find(result.launches, race.kernel, &LaunchRecord::kernel);
  if (launch == result.launches.end() || !say::other_thread.Made(who)) return;
  const say::Thread own(race.thread.x, race.thread.y, race.thread.z);
  const say::Thread block(race.block.x, race.block.y, race.block.z);
  const std::string other = who.arguments().at(0).text;  // "(2, 0)"
  std::int64_t x = race.thread.x, other_x = std::strtol(other.c_str() + 1, nullptr, 10);
  // A block in one line may be as many threads as a tile has elements.
  const bool is_line = launch->block.y == 1 && std::int64_t{launch->block.x} == tile * tile;
  const std::int64_t width = row == 0 ? 0 : is_line ? tile : launch->block.y > 1 ? launch->block.x : 0;
  if (is_line) {
    x %= tile;
    other_x %= tile;
  }
  const bool is_past = IsColumnPastEdge(x, other_x, column, columns, width);
  if (is_past || IsColumnPastEdge(other_x, x, column, columns, width)) {
    result.next_step =
        say::store_past_edge(race.where.line, is_past ? own.text : other, block, columns + column,
                             say::Count(columns, "column"), name, is_past ? other : own.text);
  } else {
    result.next_step = say::storing_threads(own, who, block, say::one_element(name), race.where.line);
  }
}

}  // namespace

std::size_t MatmulShape::m_count() const {
  return Product(rows, inner);
}

std::size_t MatmulShape::n_count() const {
  return Product(inner, columns);
}

std::size_t MatmulShape::p_count() const {
  return Product(rows, columns);
}

Message CallOf(const MatmulShape& shape) {
  return say::product_call(shape.rows, shape.inner, shape.inner, shape.columns);
}

std::string Describe(const MatmulShape& shape) {
  return English(CallOf(shape));
}

std::vector<float> ByColumns(const std::vector<float>& matrix, int rows, int columns) {
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns);
  std::vector<float> result(matrix.size());
  for (std::size_t row = 0; row < r; ++row) {
    for (std::size_t column = 0; column < c; ++column) result[column * r + row] = matrix[row * c + column];
  }
  return result;
}

MatmulInputs RandomInputs(const MatmulShape& shape, FillFunction fill) {
  RandomValues random = TestRandom();
  MatmulInputs inputs;
  inputs.m = fill(random, shape.m_count());
  inputs.n = fill(random, shape.n_count());
  return inputs;
}

void PutInfinities(const MatmulShape& shape, MatmulInputs& inputs) {
  const auto inner = static_cast<std::size_t>(shape.inner), columns = static_cast<std::size_t>(shape.columns);
  for (const std::size_t i : {std::size_t{0}, inner - 5, inner - 1}) {
    inputs.m[inner + i] = std::numeric_limits<float>::infinity();
    for (std::size_t column = 0; column < columns; ++column) {
      float& factor = inputs.n[i * columns + column];
      factor = std::fabs(factor);
    }
  }
}

MatmulInputs InputsWithInfinities(const MatmulShape& shape) {
  MatmulInputs inputs = RandomInputs(shape);
  PutInfinities(shape, inputs);
  return inputs;
}

Message NextStepOfInfinity(const std::vector<float>& p, std::size_t columns) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (std::isfinite(p[i]) || i / columns == 1 || IsPoison(p[i])) continue;
    const std::size_t row = i / columns, column = i % columns;
    return say::infinity_elsewhere(row, column, row, column);
  }
  return {};
}

void AskAboutInfinity(const std::vector<float>& p, std::size_t columns, TestResult& result) {
  if (result.verdict != Verdict::kWrongResult) return;
  const bool has_tiles = TotalCounts(result.launches).shared_load_requests > 0;
  Message advice = NextStepOfInfinity(p, columns);
  for (std::size_t i = columns; advice.empty() && i < std::min(p.size(), 2 * columns); ++i) {
    if (!std::isnan(p[i]) || IsPoison(p[i])) continue;
    advice = has_tiles ? say::no_number_for_infinity_in_tiles(i - columns)
                       : say::no_number_for_infinity(i - columns, i - columns);
  }
  if (!advice.empty()) result.next_step = advice;
}

void AdviseOfStoresPastColumns(std::int64_t columns, std::int64_t tile, TestResult& result) {
  if (!result.advised || columns == 0) return;
  const Finding& race = result.findings[*result.advised];
  constexpr std::int64_t kBytes = sizeof(float);
  const std::int64_t element = race.offset_bytes / kBytes;
  if (race.object != "P") return;
  const std::string name =
      "P[" + std::to_string(element / columns) + "][" + std::to_string(element % columns) + "]";
  if (say::storing_threads.Made(result.next_step))
    return AdviseOfTwoStores(name, element / columns, element % columns, columns, tile, result);
  if (!say::storing_blocks.Made(result.next_step) || columns % tile == 0 || element < columns) return;
  result.next_step = say::stores_past_columns(name, race.where.line);
}

void AdviseOfMirroredStores(TestResult& result) {
  if (!result.advised) return;
  const Finding& race = result.findings[*result.advised];
  const bool has_two_lines = race.other && race.other->line > 0 && race.other->line != race.where.line;
  const bool is_in_block = say::race_in_block.Made(race.message) || say::race_in_warp.Made(race.message);
  if (!BothStore(race) || race.space != MemorySpace::kShared || !has_two_lines || !is_in_block) return;
  const Message& other = race.message.arguments().at(2).inner.at(0);
  const auto name = [](std::uint32_t x, std::uint32_t y) {
    return "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
  };
  const auto& [x, y, z] = race.thread;
  const bool is_mirrored =
      x != y && z == 0 && !other.arguments().empty() && other.arguments().front().text == name(y, x);
  if (!is_mirrored) return;
  result.next_step =
      say::mirrored_stores(name(x, y), race.where.line, name(y, x), race.other->line, race.object);
}

std::uint64_t MostElementsOfAThread(const CallReport& report) {
  const auto writers = std::ranges::find(report.writers, "P", &ArrayWriters::label);
  return writers == report.writers.end() ? 0 : writers->most_by_a_thread;
}

MatmulEvidence CallMatmul(const Message& title, const MatmulShape& shape, const MatmulInputs& inputs,
                          const MatmulEntry& entry, MatrixOrder m_order,
                          std::uint64_t most_elements_of_a_thread) {
  Arrays arrays;
  if (m_order == MatrixOrder::kRowByRow) {
    arrays.Add(0, InputArray("M", inputs.m, OtherElements::AnyValue()));
  } else {
    arrays.Add(0, InputArray("Mt", ByColumns(inputs.m, shape.rows, shape.inner), OtherElements::AnyValue()));
  }
  arrays.Add(1, InputArray("N", inputs.n, OtherElements::AnyValue()));
  arrays.Add(2, OutputArray<float>("P", shape.p_count()));
  const auto place = arrays.place;
  const std::size_t array_count = arrays.list.size();
  const CallReport report = Session().Call(
      std::move(arrays.list), Budget(shape), [&](Worker& worker, std::span<const DevicePointer> at) {
        return entry(worker, At(at, place[0]), At(at, place[1]), At(at, place[2]));
      });

  MatmulEvidence evidence{testing::UnitTest::GetInstance()->current_test_info()->name(),
                          shape,
                          ResultOf(title, report),
                          inputs.m,
                          inputs.n,
                          {},
                          {},
                          MostElementsOfAThread(report)};
  if (report.contents.size() != array_count || place[2] == Arrays::kNone) return evidence;
  evidence.p = ValuesOf<float>(report.contents[place[2]]);
  Compare(evidence);
  constexpr int kTile = 16;
  AdviseOfStoresPastColumns(shape.columns, kTile, evidence.result);
  RequireDeviceWork(evidence.result, report, MatmulWork(shape, most_elements_of_a_thread));
  return evidence;
}

}  // namespace warplings
