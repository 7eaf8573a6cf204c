// SPDX-License-Identifier: Apache-2.0
// Configuration of the memory request prioritization buffer: the group "mrpb" of a front end.
#pragma once

#include <cstdint>
#include <string>

#include "base/errors.hpp"
#include "base/params.hpp"
#include "base/view.hpp"
#include "cache/frontend/mrpb_drain.hpp"

namespace warpmem::cache {

enum class Signature : std::uint8_t { cta, warp, warp_in_cta };

struct MrpbParams {
  Signature signature = Signature::warp;
  MrpbDrainPolicy drain = MrpbDrainPolicy::fixed;
  bool flush = true;
  std::uint32_t entries = 8;     ///< requests that a queue holds; 0: no limit
  std::uint32_t latency = 5;     ///< cycles through the buffer
  View unit = View::fast_class;  ///< view of the drain selector in the loop

  void describe(Schema& schema);
  /// `prefix` is the full path of the group, for messages.
  void validate(Problems& problems, const std::string& prefix) const;
};

}  // namespace warpmem::cache
