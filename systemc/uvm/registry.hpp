// SPDX-License-Identifier: Apache-2.0
// Makes policies from their configuration.
#pragma once

#include <memory>

#include "uvm/params.hpp"
#include "uvm/policy.hpp"

namespace warpmem::uvm {

/// `memory` must outlive the policy. Precondition: params.validate() finds nothing.
std::unique_ptr<Prefetcher> make_prefetcher(const UvmParams& params, const Residency& memory);
std::unique_ptr<Evictor> make_evictor(const UvmParams& params, const Residency& memory);

}  // namespace warpmem::uvm
