// SPDX-License-Identifier: Apache-2.0
// Nothing: a library needs a source, and a chapter's suites may share none.
