// SPDX-License-Identifier: Apache-2.0
// cuCtxCreate, which CUDA 13 gave one parameter more.
#pragma once

#include <cuda.h>

#if CUDA_VERSION >= 13000
#define CREATE_CONTEXT(context, flags, device) cuCtxCreate(context, nullptr, flags, device)
#else
#define CREATE_CONTEXT(context, flags, device) cuCtxCreate(context, flags, device)
#endif
