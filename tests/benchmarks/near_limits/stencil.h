// SPDX-License-Identifier: Apache-2.0
#pragma once

constexpr float kCentre = 0.4f, kNeighbour = 0.1f;

void stencil(const float* input, float* output, int width, int height, int depth);
