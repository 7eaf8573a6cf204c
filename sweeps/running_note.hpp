// SPDX-License-Identifier: Apache-2.0
// What a sweep writes into its database about the runs that are under way, for whoever looks at it
// meanwhile or comes after a sweep that was killed.
#pragma once

#include <string>
#include <vector>

namespace warpmem::sweeps {

struct RunningNote {
  std::string host;                 ///< empty: nothing runs
  std::vector<std::string> points;  ///< those that run
};

std::string to_text(const RunningNote& note);

/// Nothing runs by a text that is no such note: the database is one that somebody may have changed.
RunningNote running_note(const std::string& text);

}  // namespace warpmem::sweeps
