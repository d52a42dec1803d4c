// SPDX-License-Identifier: Apache-2.0
//
// The solution and baseline kernels of the exercises, at the sizes at which their speed is measured. They are
// held out as well.
#pragma once

#include "tests/benchmarks/estimate_case.cuh"

// Each file in a namespace of its own, since they name their kernels alike. Their macros end with them.
namespace solution_tiled {
#include "solutions/01_boundary_checks/tiled_matmul.cu"
}
#undef TILE_WIDTH
namespace baseline_tiled {
#include "reference/baselines/01_boundary_checks/tiled_matmul.cu"
}
#undef TILE_WIDTH
namespace solution_rect {
#include "solutions/02_rectangular_matmul/rect_tiled_matmul.cu"
}
#undef TILE_WIDTH
namespace solution_rect_transposed {
#include "solutions/02_rectangular_matmul/rect_tiled_transposed.cu"
}
#undef TILE_WIDTH
namespace baseline_rect_transposed {
#include "reference/baselines/02_rectangular_matmul/rect_tiled_transposed.cu"
}
#undef TILE_WIDTH
namespace solution_dynamic {
#include "solutions/03_dynamic_shared_memory/dynamic_tiled_matmul.cu"
}
namespace solution_padded {
#include "solutions/05_bank_conflicts/transpose_padded.cu"
}
#undef TILE
#undef THREADS_Y
#undef ROWS
namespace baseline_padded {
#include "reference/baselines/05_bank_conflicts/transpose_padded.cu"
}
#undef TILE
namespace solution_swizzled {
#include "solutions/05_bank_conflicts/transpose_swizzled.cu"
}
#undef TILE
#undef THREADS_Y
#undef ROWS
namespace solution_reduce {
#include "solutions/05_bank_conflicts/reduce_sequential.cu"
}
namespace baseline_reduce {
#include "reference/baselines/05_bank_conflicts/reduce_sequential.cu"
}
namespace solution_coarsened {
#include "solutions/06_coarsening/coarsened_matmul.cu"
}
#undef TILE_WIDTH
#undef COARSE_FACTOR
namespace baseline_coarsened {
#include "reference/baselines/06_coarsening/coarsened_matmul.cu"
}
#undef TILE_WIDTH
#undef COARSE_FACTOR
namespace solution_reduction {
#include "solutions/06_coarsening/coarsened_reduction.cu"
}
#undef BLOCK_SIZE
#undef COARSE_FACTOR
namespace baseline_reduction {
#include "reference/baselines/06_coarsening/coarsened_reduction.cu"
}
#undef BLOCK_SIZE
#undef COARSE_FACTOR
namespace baseline_fast {
#include "reference/baselines/06_coarsening/fast_matmul.cu"
}
#undef TILE_WIDTH
#undef COARSE_FACTOR
namespace solution_fast {
#include "solutions/06_coarsening/fast_matmul.cu"
}

namespace warplings::benchmarks {

inline EstimateCases ExerciseMatmuls() {
  EstimateCases cases;
  const auto add = [&](const char* name, int width, auto call) {
    cases.push_back({std::string("exercise_") + name + "/" + std::to_string(width), Role::kHeldOut, [=] {
                       const std::size_t n = static_cast<std::size_t>(width) * width;
                       return [=, M = Floats(n), N = Floats(n), P = Zeros(n)] {
                         call(M.get(), N.get(), P.get(), width);
                       };
                     }});
  };
  add("naive_matmul", 1024, baseline_tiled::tiled_matmul);
  add("tiled_matmul", 1024, solution_tiled::tiled_matmul);
  add("tiled_matmul", 2048, solution_tiled::tiled_matmul);
  add("rect_tiled_matmul", 1024, [](const float* M, const float* N, float* P, int w) {
    solution_rect::rect_tiled_matmul(M, N, P, w, w, w);
  });
  add("naive_transposed", 1024, [](const float* M, const float* N, float* P, int w) {
    baseline_rect_transposed::rect_tiled_transposed(M, N, P, w, w, w);
  });
  add("rect_tiled_transposed", 1024, [](const float* M, const float* N, float* P, int w) {
    solution_rect_transposed::rect_tiled_transposed(M, N, P, w, w, w);
  });
  add("dynamic_tiled_16", 1024, [](const float* M, const float* N, float* P, int w) {
    solution_dynamic::dynamic_tiled_matmul(M, N, P, w, 16);
  });
  add("dynamic_tiled_32", 1024, [](const float* M, const float* N, float* P, int w) {
    solution_dynamic::dynamic_tiled_matmul(M, N, P, w, 32);
  });
  add("not_coarsened_matmul", 1024, baseline_coarsened::coarsened_matmul);
  add("coarsened_matmul", 1024, solution_coarsened::coarsened_matmul);
  add("coarsened_matmul", 2048, solution_coarsened::coarsened_matmul);
  add("slow_fast_matmul", 2048, baseline_fast::fast_matmul);
  add("fast_matmul", 2048, solution_fast::fast_matmul);
  return cases;
}

inline EstimateCases ExerciseArrays() {
  EstimateCases cases;
  const auto transpose = [&](const char* name, int rows, int columns, auto call) {
    const std::string shape = std::to_string(rows) + "x" + std::to_string(columns);
    cases.push_back({std::string("exercise_") + name + "/" + shape, Role::kHeldOut, [=] {
                       const std::size_t n = static_cast<std::size_t>(rows) * columns;
                       return [=, X = Floats(n), Y = Zeros(n)] { call(X.get(), Y.get(), rows, columns); };
                     }});
  };
  for (const auto& [rows, columns] : {std::pair{2048, 4096}, {2000, 3000}}) {
    transpose("conflicted_transpose", rows, columns, baseline_padded::transpose_padded);
    transpose("transpose_padded", rows, columns, solution_padded::transpose_padded);
    transpose("transpose_swizzled", rows, columns, solution_swizzled::transpose_swizzled);
  }
  const auto reduction = [&](const char* name, int n, std::size_t outputs, auto call) {
    cases.push_back({std::string("exercise_") + name + "/" + std::to_string(n), Role::kHeldOut,
                     [=] { return [=, X = Floats(n), Y = Zeros(outputs)] { call(X.get(), Y.get(), n); }; }});
  };
  for (const int n : {1 << 22, 1 << 23}) {
    reduction("interleaved", n, n / 256, baseline_reduce::reduce_sequential);
    reduction("reduce_sequential", n, n / 256, solution_reduce::reduce_sequential);
    reduction("uncoarsened_reduction", n, 1, baseline_reduction::coarsened_reduction);
    reduction("coarsened_reduction", n, 1, solution_reduction::coarsened_reduction);
  }
  return cases;
}

}  // namespace warplings::benchmarks
