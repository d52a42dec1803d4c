// SPDX-License-Identifier: Apache-2.0
// differs: dynamic shared memory, rows padded to 17, M's tile stored transposed; digraphs and other legal oddities of
// notation, all of the kernel's body on very long lines; no newline at the end.

#include "tiled_matmul.h"

enum <% W = 16, PITCH = W + 1 %>;

extern __shared__ float pool<::>;

__global__ void
k(
    const float*const M,
    const float*const N,
    float*const P,
    const int width)
<%
  float*const a = pool; float*const b = a + W * PITCH; const int x = threadIdx.x, y = threadIdx.y, r = y + W * blockIdx.y, c = x + W * blockIdx.x; float s = 0.f;
  for (int p = 0; p * W < width; p++) <% const int mc = p * W + x, nr = p * W + y; a<:x * PITCH + y:> = (r < width and mc < width) ? M<:r * width + mc:> : 0.f; b<:y * PITCH + x:> = (nr < width and c < width) ? N<:nr * width + c:> : 0.f; __syncthreads(); for (int i = 0; i < W; i++) s += a<:i * PITCH + y:> * b<:i * PITCH + x:>; __syncthreads(); %>
  if (not (r >= width or c >= width)) P<:r * width + c:> = s;
%>

void tiled_matmul(const float* M, const float* N, float* P, int width) <% const int t = (width + W - 1) / W; k<<<dim3(t, t), dim3(W, W), 2 * W * PITCH * sizeof(float)>>>(M, N, P, width); %>