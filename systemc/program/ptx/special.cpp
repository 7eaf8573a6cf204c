// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/special.hpp"

#include <utility>

namespace warpmem::program::ptx {

Special parse_special(std::string_view name) {
  using S = Special;
  static constexpr std::pair<std::string_view, S> kNames[] = {
      {"%tid.x", S::tid_x},
      {"%tid.y", S::tid_y},
      {"%tid.z", S::tid_z},
      {"%ntid.x", S::ntid_x},
      {"%ntid.y", S::ntid_y},
      {"%ntid.z", S::ntid_z},
      {"%ctaid.x", S::ctaid_x},
      {"%ctaid.y", S::ctaid_y},
      {"%ctaid.z", S::ctaid_z},
      {"%nctaid.x", S::nctaid_x},
      {"%nctaid.y", S::nctaid_y},
      {"%nctaid.z", S::nctaid_z},
      {"%laneid", S::laneid},
      {"%warpid", S::warpid},
      {"%nwarpid", S::nwarpid},
      {"%smid", S::smid},
      {"%nsmid", S::nsmid},
      {"%gridid", S::gridid},
      {"%lanemask_eq", S::lanemask_eq},
      {"%lanemask_le", S::lanemask_le},
      {"%lanemask_lt", S::lanemask_lt},
      {"%lanemask_ge", S::lanemask_ge},
      {"%lanemask_gt", S::lanemask_gt},
      {"%clock", S::clock},
      {"%clock_hi", S::clock_hi},
      {"%clock64", S::clock64},
      {"%globaltimer", S::globaltimer},
      {"%globaltimer_lo", S::globaltimer_lo},
      {"%globaltimer_hi", S::globaltimer_hi},
      {"%total_smem_size", S::total_smem_size},
      {"%dynamic_smem_size", S::dynamic_smem_size},
  };
  for (const auto& [text, special] : kNames)
    if (text == name) return special;
  return S::none;
}

}  // namespace warpmem::program::ptx
