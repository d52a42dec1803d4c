// SPDX-License-Identifier: Apache-2.0
#pragma once

constexpr int kRadius = 2;

void convolution(const float* input, const float* filter, float* output, int rows, int columns);
