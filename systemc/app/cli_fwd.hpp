// SPDX-License-Identifier: Apache-2.0
// The classes of CLI11 that the headers of this folder name. CLI11 is all in its header, and each
// file that reads it compiles it anew: files that add no options are spared that.
#pragma once

namespace CLI {
class App;
class Option;
class ParseError;
}  // namespace CLI
