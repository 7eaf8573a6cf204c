// SPDX-License-Identifier: Apache-2.0
// libstdc++'s header of this name, with CUDA's __noinline__ macro out of its way.
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
