// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk.tensor, tiles of a tensor between global and shared memory, its prefetch and
// cp.reduce.async.bulk.tensor (PTX ISA 8 sections 9.7.8.25.5.2 to 9.7.8.25.5.4): a bulk copy whose
// pieces in global memory a tensor map and coordinates say. Elements outside the tensor are read as
// zeros and are not written. A reduction takes the elements for what the map says they are.
#include <cstring>

#include "program/ptx/access.hpp"
#include "program/ptx/bulk_copy.hpp"
#include "program/tensor_map.hpp"

namespace warpmem::program::ptx {
namespace {

/// PTX asks for it of a tile in shared memory.
constexpr unsigned kTileAlignment = 128;

/// Copies the map's bytes from where `address` of lane i points to, in steps that every space
/// keeps in one piece.
void read_map(Warp& w, const Inst& in, unsigned i, Addr address, std::uint8_t* bytes) {
  constexpr unsigned kStep = 16;
  CtaState& c = *w.cta;
  if (address % kStep != 0) fault(w, in, i, "the tensor map is not aligned to 64 bytes");
  const bool local = address / kWindowBytes * kWindowBytes == kLocalWindow;
  const std::uint64_t local_bytes =
      w.frame().local_base + c.launch->program->functions[w.frame().function].local_bytes;
  for (unsigned done = 0; done < TensorMap::kBytes; done += kStep) {
    const Addr at = address + done;
    if (local) {
      if (at % kWindowBytes + kStep > local_bytes)
        fault(w, in, i, "the tensor map is outside local memory");
      std::memcpy(bytes + done, w.local.at(at % kWindowBytes, i), kStep);
      continue;
    }
    c.address[i] = at;
    if (allocation_in_bulk(w, in, i, kStep) == nullptr) fault_outside(w, in, i, kStep);
    std::memcpy(bytes + done, DeviceMemory::host(at), kStep);
  }
}

/// Faults unless the tile's pieces are in allocations.
void check_pieces(Warp& w, const Inst& in, unsigned i, const std::vector<BulkPiece>& pieces) {
  const DeviceMemory::Allocation* allocation = nullptr;
  for (const BulkPiece& piece : pieces) {
    if (piece.global == 0) continue;
    if (allocation != nullptr && allocation->contains(piece.global, piece.bytes)) continue;
    w.cta->address[i] = piece.global;
    allocation = allocation_in_bulk(w, in, i, piece.bytes);
    if (allocation == nullptr) fault_outside(w, in, i, piece.bytes);
  }
}

/// Cuts lane i's tile out of its tensor, and sets the lane's address and bytes. ref: 0 = tensor
/// map; count: dimensions; matrix operands: coordinates; imm: offset of the map.
void cut_tile(Warp& w, const Inst& in, unsigned i) {
  CtaState& c = *w.cta;
  if (c.tiles.empty()) c.tiles.resize(kWarpLanes);
  std::array<std::uint8_t, TensorMap::kBytes> bytes;
  read_map(w, in, i, lane_address(w, in.ref[0], in.imm, false, i), bytes.data());
  TensorMap map;
  if (!TensorMap::decode(bytes.data(), map))
    fault(w, in, i, "there is no tensor map at that address (cuTensorMapEncodeTiled makes one)");
  if (map.rank != in.count)
    fault(w, in, i,
          "the tensor map is of " + std::to_string(map.rank) + " dimensions, the instruction of " +
              std::to_string(in.count));
  const Ref* const refs = c.launch->program->matrix_operands[in.aux].data();
  TensorMap::Coordinates at{};
  for (unsigned d = 0; d < map.rank; ++d) at[d] = lane<std::int32_t>(w, refs[d], i);
  TileCopy& tile = c.tiles[i];
  tile.cut(map, at);
  check_pieces(w, in, i, tile.pieces);
  c.address[i] = map.base;
  std::uint32_t* const operand = c.operand.data() + i * kBulkOperands;
  operand[0] = operand[2] = 0;
  operand[1] = map.box_bytes();
}

/// Sets the reduction that lane i does: the instruction's operation on the map's elements.
void set_reduction(Warp& w, const Inst& in, unsigned i) {
  const std::uint8_t code = w.cta->issue.inst->reduction();
  if (code == 0) return;
  TileCopy& tile = w.cta->tiles[i];
  if (!tile.map.element)
    fault(w, in, i, "a reduction of elements of a type that reductions do not take");
  const Reduction reduction{Reduction::of(code).op, *tile.map.element};
  if (!reduction.exists())
    fault(w, in, i,
          "this reduction does not take the elements of the tensor map; allowed: add of all but "
          "int64, min and max of integers and halves, inc and dec of uint32, and, or and xor of "
          "uint32 and uint64");
  tile.reduction = reduction.code();
}

/// ref: 1 = shared address, 2 = mbarrier (loads), 3 = offset of the shared address, 4 = offset of
/// the mbarrier, 5 = CTAs (multicast); the rest as cut_tile() has it.
void copy(Warp& w, const Inst& in) {
  CtaState& c = *w.cta;
  const bool load = in.ref[2] != kNoRef;
  for_lanes(w.lanes, [&](unsigned i) {
    cut_tile(w, in, i);
    set_reduction(w, in, i);
    std::uint32_t* const operand = c.operand.data() + i * kBulkOperands;
    const Addr a = lane_address(w, in.ref[1], lane<std::uint64_t>(w, in.ref[3], i),
                                in.option & kNarrowShared, i);
    // A swizzle moves bytes within the units of its alignment.
    const unsigned unit = c.tiles[i].swizzle == Swizzle::none ? 1 : kTileAlignment;
    operand[0] = shared_address(w, in, i, "shared address", load ? cluster_offset(a) : a,
                                (operand[1] + unit - 1) / unit * unit, kTileAlignment);
    if (load) set_target(w, in, i, a);
  });
  report_copies(c, load && c.launch->traits.clustered());
  c.issue.tiles = c.tiles.data();
}

void prefetch(Warp& w, const Inst& in) {
  for_lanes(w.lanes, [&](unsigned i) { cut_tile(w, in, i); });
  report_copies(*w.cta, false);
  w.cta->issue.tiles = w.cta->tiles.data();
}

unsigned take_dimensions(Lowering& x) {
  constexpr std::string_view kNames[] = {"1d", "2d", "3d", "4d", "5d"};
  for (unsigned d = 0; d < TensorMap::kRanks; ++d)
    if (x.take(kNames[d])) return d + 1;
  x.unsupported();
}

/// The operand [map, {coordinates}].
void lower_tensor(Lowering& x, const Operand& o, unsigned dimensions) {
  if (o.kind != Operand::Kind::address || o.elements.size() != 2 ||
      o.elements[1].kind != Operand::Kind::vector)
    x.bad("needs [tensor map, {coordinates}]");
  const std::vector<Operand>& coordinates = o.elements[1].elements;
  if (coordinates.size() != dimensions)
    x.bad("has " + std::to_string(coordinates.size()) +
          " coordinates; allowed: " + std::to_string(dimensions));
  x.inst().aux = static_cast<std::uint32_t>(x.program().matrix_operands.size());
  x.program().matrix_operands.emplace_back();
  for (unsigned d = 0; d < dimensions; ++d) x.use(kMatrixSlot + d, coordinates[d], Type::s32);
  Operand map = o;
  map.elements.pop_back();
  x.inst().option = 0;
  lower_address(x, map, Space::generic);
  x.inst().count = static_cast<std::uint8_t>(dimensions);
}

void refuse_other_modes(Lowering& x) {
  x.take("tile");
  for (const std::string_view modifier : x.modifiers())
    if (modifier.substr(0, 6) == "im2col" || modifier.substr(0, 6) == "tile::")
      x.bad("this mode of tensor copies is not supported; allowed: .tile");
}

}  // namespace

void lower_tensor_copy(Lowering& x, bool reduces) {
  const unsigned dimensions = take_dimensions(x);
  const std::uint8_t reduction = reduces ? take_tile_reduction(x).code() : std::uint8_t(0);
  const bool load = !reduces && !x.modifiers().empty() && x.modifiers()[0] != "global";
  bool multicast = false;
  refuse_other_modes(x);
  if (load) {
    const bool cluster = x.take("shared::cluster");
    if (!cluster && !x.take("shared::cta")) x.unsupported();
    if (!x.take("global") || !x.take("mbarrier::complete_tx::bytes")) x.unsupported();
    multicast = cluster && x.take("multicast::cluster");
  } else if (!x.take("global") || !x.take("shared::cta") || !x.take("bulk_group")) {
    x.unsupported();
  }
  const std::size_t operands = (load ? 3 : 2) + (multicast ? 1 : 0);
  x.want_operands(operands + take_hint(x, multicast));
  Inst& in = x.inst();
  std::uint8_t option = 0;
  if (load) option |= lower_mbarrier_operand(x, x.operand(2));
  option |= lower_shared(x, x.operand(load ? 0 : 1), 1, kNarrowShared);
  in.ref[3] = x.constant(in.imm, RegClass::wide);
  if (multicast) {
    x.use(5, x.operand(3), Type::u16);
    option |= kMulticast;
  }
  lower_tensor(x, x.operand(load ? 1 : 0), dimensions);
  in.option = option;
  describe_copy(x, load ? MemOp::load : reduces ? MemOp::reduction : MemOp::store, AsyncCopy::bulk);
  x.info().async_groups = reduction;
  x.info().tile = true;
  x.set(copy, OpClass::memory);
}

void lower_tensor_prefetch(Lowering& x) {
  const unsigned dimensions = take_dimensions(x);
  refuse_other_modes(x);
  if (!x.take("L2") || !x.take("global")) x.unsupported();
  x.want_operands(1 + take_hint(x));
  lower_tensor(x, x.operand(0), dimensions);
  x.inst().option = 0;
  describe_copy(x, MemOp::load, AsyncCopy::bulk_prefetch);
  x.info().tile = true;
  x.set(prefetch, OpClass::memory);
}

}  // namespace warpmem::program::ptx
