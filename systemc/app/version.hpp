// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warpmem::app {

/// Of the statistics and configuration, as recorded in every manifest.
inline constexpr const char* kVersion = "0.1.0";

}  // namespace warpmem::app
