// SPDX-License-Identifier: Apache-2.0
// The ways a program ends other than by exit(): a crash, a signal from outside, quick_exit, _exit.
// The results of the launches that have ended are written all the same.
//
// A signal handler may do next to nothing, so a thread waits for its word and writes. A program
// that has a handler of its own for a signal keeps it.
#pragma once

namespace warpmem::program::cuda {

/// Begins to watch; it is called once, when the device is there. Signals end a program without
/// `results` at once. What a fork of this process does is none of its business: the results belong
/// to the process that calls this.
void watch_for_early_end(bool results);

/// The process has the results of the run: it created the device and is no fork of another that
/// did.
bool owns_results();

/// Writes the results, then ends the process as _exit() does.
[[noreturn]] void left_by_exit(int status);

/// Ends the process at once; nothing more is written.
[[noreturn]] void leave(int status);

}  // namespace warpmem::program::cuda
