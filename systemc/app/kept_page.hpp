// SPDX-License-Identifier: Apache-2.0
// Markdown pages in which a command replaces the rows of what it has run and keeps the others.
#pragma once

#include <string>

namespace warpmem::app {

/// Returns the page at `path`, or "" where there is none yet. `fresh` is such a page without
/// results. Throws UserError for a file with another first line: it is somebody else's.
std::string kept_page(const std::string& path, const std::string& fresh);

}  // namespace warpmem::app
