// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The interpreter's hot code is compiled once for each x86-64 level, each in a namespace of its own,
/// so that the linker cannot mix them. meson.build gives the name.
#ifndef WARPLINGS_LEVEL
#define WARPLINGS_LEVEL v1
#endif
