// SPDX-License-Identifier: Apache-2.0
// st.async and red.async (PTX ISA 8 sections 9.7.8.12 and 9.7.12.7): each lane's own value goes to
// the shared memory of a CTA of the cluster, and an mbarrier there is told of its bytes. Here an
// instruction says what goes where; the bytes are there when the machine's packet is
// (sm/cluster_unit.hpp), or in functional runs when a warp waits.
#include <cstring>

#include "program/ptx/bulk_copy.hpp"
#include "program/ptx/cluster_access.hpp"

namespace warpmem::program::ptx {
namespace {

/// refs of peer_place(); those of the elements are matrix operands, aux says which.
void write(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  const unsigned element_bytes = size_bytes(in.type), bytes = element_bytes * in.count;
  const Ref* const elements = c.launch->program->matrix_operands[in.aux].data();
  for_lanes(w.lanes, [&](unsigned i) {
    const PeerPlace place = peer_place(w, in, i, bytes, bytes);
    c.address[i] = place.address;
    c.operand[i] = place.mbarrier;
    std::uint8_t* const data = c.data.data() + i * Issue::kLaneBytes;
    for (unsigned k = 0; k < in.count; ++k) {
      const std::uint64_t value = element_bytes == 8 ? lane<std::uint64_t>(w, elements[k], i)
                                                     : lane<std::uint32_t>(w, elements[k], i);
      std::memcpy(data + k * element_bytes, &value, element_bytes);
    }
  });
  c.issue.space = Space::cluster;
  c.issue.address = c.address.data();
  c.issue.data = c.data.data();
  c.issue.operand = c.operand.data();
}

/// Type and count are set; what is left are the operands [address], value, [mbarrier].
void lower_write(Lowering& x, MemOp mem, std::uint8_t reduction) {
  Inst& in = x.inst();
  const unsigned element_bytes = size_bytes(in.type);
  if ((element_bytes != 4 && element_bytes != 8) || in.type == Type::f16x2 ||
      element_bytes * in.count > Issue::kLaneBytes)
    x.unsupported();
  x.want_operands(3);
  std::uint8_t option = lower_mbarrier_operand(x, x.operand(2));
  option |= lower_shared(x, x.operand(0), 0, kNarrowTarget);
  in.option = option;

  const Operand& value = x.operand(1);
  const bool braces = value.kind == Operand::Kind::vector;
  if (braces ? value.elements.size() != in.count : in.count != 1)
    x.bad("the value needs " + std::to_string(in.count) + " elements");
  in.aux = static_cast<std::uint32_t>(x.program().matrix_operands.size());
  x.program().matrix_operands.emplace_back();
  for (unsigned k = 0; k < in.count; ++k)
    x.use(kMatrixSlot + k, braces ? value.elements[k] : value, in.type);

  InstInfo& info = x.info();
  info.mem = mem;
  info.space = Space::cluster;
  info.bytes = static_cast<std::uint8_t>(element_bytes * in.count);
  info.async = AsyncCopy::peer_write;
  info.async_groups = reduction;
  x.set(write, OpClass::memory);
}

void take_destination(Lowering& x) {
  if (!x.take("shared::cluster") || !x.take("mbarrier::complete_tx::bytes")) x.unsupported();
}

}  // namespace

void lower_async_store(Lowering& x) {
  x.take("weak");
  take_destination(x);
  x.inst().count = x.take("v2") ? 2 : x.take("v4") ? 4 : 1;
  x.inst().type = x.take_type();
  lower_write(x, MemOp::store, 0);
}

void lower_async_reduction(Lowering& x) {
  if (!x.take("relaxed") || !x.take("cluster")) x.unsupported();
  take_destination(x);
  const Reduction reduction = take_reduction(x, true);
  x.inst().count = 1;
  x.inst().type = reduction.bytes() == 8 ? Type::b64 : Type::b32;
  lower_write(x, MemOp::reduction, reduction.code());
}

}  // namespace warpmem::program::ptx
