// SPDX-License-Identifier: Apache-2.0
// Intentionally empty: a library needs a source file, and some chapters' suites share no code.
