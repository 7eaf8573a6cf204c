// SPDX-License-Identifier: Apache-2.0
#include "l2/frontend/frontend.hpp"

#include <cassert>

#include "l2/frontend/fifo.hpp"

namespace warpmem::l2 {

void FrontendParams::describe(Schema& s) {
  s.group("frontend", "structure between the crossbar and the tag lookup", [&] {
    s.choice("kind", kind, {{"fifo", FrontendKind::fifo}}, "which request is tried next", "SPEC 4");
  });
}

std::unique_ptr<Frontend> make_frontend(const FrontendParams& params, ServicePort& in) {
  switch (params.kind) {
    case FrontendKind::fifo:
      return std::make_unique<Fifo>(in);
  }
  assert(false && "every kind has a front end");
  return nullptr;
}

}  // namespace warpmem::l2
