// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warpmem {

/// Of the statistics, the configuration and the interface of plugins, as recorded in every
/// manifest.
inline constexpr const char* kVersion = "0.1.0";

}  // namespace warpmem
