// SPDX-License-Identifier: Apache-2.0
#include "base/assert.hpp"

#ifdef WARPMEM_ASSERTIONS_BY_LINK
const bool warpmem::detail::assertions_on = false;
#endif
