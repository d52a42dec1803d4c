// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplings {

/// Opens /dev/null where standard input, output or error is closed: the next file that is opened, a gradebook
/// perhaps, would get its number, and what is printed. What is printed to a closed standard output still
/// fails, so that FinishOutput notices.
void OccupyStandardDescriptors();

/// To be called when output fails that does not go through stdout. `error`: errno.
void NoteLostOutput(int error);

/// Writes what is buffered. Returns `status`, or, if some of standard output could not be written, says so on
/// standard error and returns kExitGraderFault: a report that nobody got is no success. An interruption keeps
/// its status.
int FinishOutput(int status);

}  // namespace warplings
