// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/special.hpp"

#include <utility>

namespace warpmem::program::ptx {
namespace {

/// `prefix` and a number below `count`.
bool numbered(std::string_view name, std::string_view prefix, unsigned count) {
  if (name.substr(0, prefix.size()) != prefix) return false;
  name.remove_prefix(prefix.size());
  if (name.empty() || name.size() > 2 || (name.size() == 2 && name[0] == '0')) return false;
  unsigned n = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return false;
    n = n * 10 + static_cast<unsigned>(c - '0');
  }
  return n < count;
}

}  // namespace

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
      {"%envreg1", S::grid_barrier_lo},
      {"%envreg2", S::grid_barrier_hi},
      {"%envreg3", S::heap_lo},
      {"%envreg4", S::heap_hi},
      {"%clusterid.x", S::clusterid_x},
      {"%clusterid.y", S::clusterid_y},
      {"%clusterid.z", S::clusterid_z},
      {"%nclusterid.x", S::nclusterid_x},
      {"%nclusterid.y", S::nclusterid_y},
      {"%nclusterid.z", S::nclusterid_z},
      {"%cluster_ctaid.x", S::cluster_ctaid_x},
      {"%cluster_ctaid.y", S::cluster_ctaid_y},
      {"%cluster_ctaid.z", S::cluster_ctaid_z},
      {"%cluster_nctaid.x", S::cluster_nctaid_x},
      {"%cluster_nctaid.y", S::cluster_nctaid_y},
      {"%cluster_nctaid.z", S::cluster_nctaid_z},
      {"%cluster_ctarank", S::cluster_ctarank},
      {"%cluster_nctarank", S::cluster_nctarank},
      {"%is_explicit_cluster", S::is_explicit_cluster},
  };
  for (const auto& [text, special] : kNames)
    if (text == name) return special;
  for (const std::string_view unused :
       {"%tid.w", "%ntid.w", "%ctaid.w", "%nctaid.w", "%clusterid.w", "%nclusterid.w",
        "%cluster_ctaid.w", "%cluster_nctaid.w"})
    if (name == unused) return S::zero;
  if (numbered(name, "%envreg", 32) || numbered(name, "%pm", 8)) return S::zero;
  if (name.size() > 3 && name.substr(name.size() - 3) == "_64" &&
      numbered(name.substr(0, name.size() - 3), "%pm", 8))
    return S::zero;
  return S::none;
}

}  // namespace warpmem::program::ptx
