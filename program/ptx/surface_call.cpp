// SPDX-License-Identifier: Apache-2.0
// `suld.b` and `sust.b` become calls of two functions of texture_library.cu, for elements of any
// size (PTX ISA 6.x sections 9.7.10.1 and 9.7.10.2):
//
//   suld.b.2d.v2.b32.trap {d0, d1}, [s, {x, y}]
//     ->  call (r), __warpmem_suld, (s, x, y, 0, 8, trap);  ld.param.b32 d0, d1
//
// The surface is named as a texture is; x counts bytes.
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "program/ptx/parser.hpp"
#include "program/ptx/texture_call.hpp"

namespace warpmem::program::ptx {
namespace {

struct Geometry {
  std::string_view name;
  unsigned coordinates;
  std::array<int, 3> place;  ///< of x, y, z among them; -1: it is 0
};
constexpr std::array<Geometry, 5> kGeometries = {{
    {"1d", 1, {0, -1, -1}},
    {"2d", 2, {0, 1, -1}},
    {"3d", 3, {0, 1, 2}},
    {"a1d", 2, {1, -1, 0}},
    {"a2d", 3, {1, 2, 0}},
}};

struct Element {
  std::string_view name;
  unsigned bytes;
  std::string_view load, store;
};
constexpr std::array<Element, 4> kElements = {{
    {"b8", 1, "ld.param.b8", "st.param.b8"},
    {"b16", 2, "ld.param.b16", "st.param.b16"},
    {"b32", 4, "ld.param.b32", "st.param.b32"},
    {"b64", 8, "ld.param.b64", "st.param.b64"},
}};

/// In the order of cudaSurfaceBoundaryMode.
constexpr std::array<std::string_view, 3> kModes = {"zero", "clamp", "trap"};
/// What caches should keep is a hint.
constexpr std::array<std::string_view, 6> kHints = {"ca", "cg", "cs", "cv", "wb", "wt"};

template <class Table, class Name>
std::size_t index_of(const Table& table, Name&& is) {
  return static_cast<std::size_t>(std::find_if(table.begin(), table.end(), is) - table.begin());
}

/// What an opcode like "suld.b.2d.v2.b32.trap" says.
struct Form {
  bool valid = false;
  bool load = false;
  const Geometry* geometry = nullptr;
  const Element* element = nullptr;
  unsigned parts = 1;
  unsigned mode = 0;

  explicit Form(std::string_view opcode) {
    std::vector<std::string_view> words;
    while (!opcode.empty()) {
      const std::size_t dot = std::min(opcode.find('.'), opcode.size());
      words.push_back(opcode.substr(0, dot));
      opcode.remove_prefix(std::min(dot + 1, opcode.size()));
    }
    if (words.size() < 5 || (words[0] != "suld" && words[0] != "sust") || words[1] != "b") return;
    load = words[0] == "suld";
    std::size_t at = 2;
    const auto named = [&words, &at](const auto& row) { return row.name == words[at]; };
    const auto is = [&words, &at](std::string_view name) { return name == words[at]; };
    const std::size_t g = index_of(kGeometries, named);
    if (g == kGeometries.size()) return;
    geometry = &kGeometries[g];
    ++at;
    if (index_of(kHints, is) != kHints.size()) ++at;
    if (at < words.size() && (words[at] == "v2" || words[at] == "v4"))
      parts = words[at++] == "v2" ? 2 : 4;
    if (at + 2 != words.size()) return;
    const std::size_t e = index_of(kElements, named);
    if (e == kElements.size()) return;
    element = &kElements[e];
    ++at;
    mode = static_cast<unsigned>(index_of(kModes, is));
    valid = mode != kModes.size() && parts * element->bytes <= TextureCall::kPartsBytes;
  }
};

Operand integer(std::uint64_t value) {
  Operand o;
  o.kind = Operand::Kind::integer;
  o.bits = value;
  return o;
}

}  // namespace

bool Parser::surface_call(Statement& s) {
  using Kind = Operand::Kind;
  const Form form(s.opcode);
  if (!form.valid) return false;
  const std::size_t value = form.load ? 0 : 1, place = form.load ? 1 : 0;
  if (s.operands.size() != 2 || s.operands[place].kind != Kind::address) {
    s.refusal = form.load ? "the operands must be the destination and [surface, coordinates]"
                          : "the operands must be [surface, coordinates] and the source";
    return false;
  }
  s.refusal = refuse_texture_address(s.operands[place], form.geometry->coordinates);
  if (!s.refusal.empty()) return false;
  const Operand& o = s.operands[value];
  const std::vector<Operand> parts = o.kind == Kind::vector ? o.elements : std::vector<Operand>{o};
  if (parts.size() != form.parts) {
    s.refusal = "the value has the wrong size";
    return false;
  }
  for (const Operand& part : parts) {
    const bool fits = part.kind == Kind::reg
                          ? size_bytes(function_->registers[part.index].type) >= form.element->bytes
                      : form.load ? part.kind == Kind::sink
                                  : part.kind == Kind::integer;
    if (fits) continue;
    s.refusal = "a part of the value must be a register that is wide enough";
    return false;
  }
  const std::vector<Operand>& source = s.operands[place].elements;
  const std::vector<Operand> at =
      source[1].kind == Kind::vector ? source[1].elements : std::vector<Operand>{source[1]};
  TextureCall call(*function_, s);
  call.handle(source[0]);
  for (const int i : form.geometry->place)
    call.argument("s32", i < 0 ? integer(0) : at[static_cast<std::size_t>(i)]);
  call.argument("s32", integer(form.parts * form.element->bytes));
  call.argument("s32", integer(form.mode));
  if (form.load) {
    call.call("__warpmem_suld", parts, TextureCall::kPartsBytes, form.element->bytes,
              form.element->load);
  } else {
    call.argument_of_parts(parts, form.element->bytes, form.element->store);
    call.call("__warpmem_sust");
  }
  if (texture_line_ == 0) texture_line_ = s.line;
  return true;
}

}  // namespace warpmem::program::ptx
