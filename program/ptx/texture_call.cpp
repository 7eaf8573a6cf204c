// SPDX-License-Identifier: Apache-2.0
// `tex`, `tld4` and `txq` become calls of the functions of texture_library.cu (PTX ISA 6.x sections
// 9.7.9.2 to 9.7.9.5, texmode_unified):
//
//   tex.2d.v4.f32.f32 {d0, d1, d2, d3}, [t, {x, y}]
//     ->  st.param t, x, y;  call (r), __warpmem_tex_2d_f32, (t, x, y);  ld.param d0 to d3
//
// `t` is a .texref variable, its address in a register, or a 64-bit texture object. Forms that are
// not in the table stay as they are and are reported when a kernel that has them is launched.
#include "program/ptx/texture_call.hpp"

#include <algorithm>
#include <array>

#include "program/ptx/parser.hpp"
#include "program/ptx/texture_library.hpp"

namespace warpmem::program::ptx {
namespace {

struct Fetch {
  std::string_view opcode;  ///< without the element's type, "v4"
  std::string_view coordinates;
  std::string_view function;
  unsigned arguments;  ///< after the handle; a vector of coordinates may have more
  bool layered;        ///< the first is the layer, an integer
  unsigned further;    ///< operands after the coordinates: a level, or two gradients
  unsigned each;       ///< numbers of each of these; a vector may have more
};
constexpr std::array<Fetch, 26> kFetches = {{
    {"tex.1d", "s32", "__warpmem_tex_1d_s32", 1, false, 0, 0},
    {"tex.1d", "f32", "__warpmem_tex_1d_f32", 1, false, 0, 0},
    {"tex.2d", "s32", "__warpmem_tex_2d_s32", 2, false, 0, 0},
    {"tex.2d", "f32", "__warpmem_tex_2d_f32", 2, false, 0, 0},
    {"tex.3d", "s32", "__warpmem_tex_3d_s32", 3, false, 0, 0},
    {"tex.3d", "f32", "__warpmem_tex_3d_f32", 3, false, 0, 0},
    {"tex.a1d", "s32", "__warpmem_tex_a1d_s32", 2, true, 0, 0},
    {"tex.a1d", "f32", "__warpmem_tex_a1d_f32", 2, true, 0, 0},
    {"tex.a2d", "s32", "__warpmem_tex_a2d_s32", 3, true, 0, 0},
    {"tex.a2d", "f32", "__warpmem_tex_a2d_f32", 3, true, 0, 0},
    {"tex.cube", "f32", "__warpmem_tex_cube_f32", 3, false, 0, 0},
    {"tex.acube", "f32", "__warpmem_tex_acube_f32", 4, true, 0, 0},
    {"tex.level.1d", "f32", "__warpmem_tex_level_1d_f32", 1, false, 1, 1},
    {"tex.level.2d", "f32", "__warpmem_tex_level_2d_f32", 2, false, 1, 1},
    {"tex.level.3d", "f32", "__warpmem_tex_level_3d_f32", 3, false, 1, 1},
    {"tex.level.a1d", "f32", "__warpmem_tex_level_a1d_f32", 2, true, 1, 1},
    {"tex.level.a2d", "f32", "__warpmem_tex_level_a2d_f32", 3, true, 1, 1},
    {"tex.level.cube", "f32", "__warpmem_tex_level_cube_f32", 3, false, 1, 1},
    {"tex.level.acube", "f32", "__warpmem_tex_level_acube_f32", 4, true, 1, 1},
    {"tex.grad.1d", "f32", "__warpmem_tex_grad_1d_f32", 1, false, 2, 1},
    {"tex.grad.2d", "f32", "__warpmem_tex_grad_2d_f32", 2, false, 2, 2},
    {"tex.grad.3d", "f32", "__warpmem_tex_grad_3d_f32", 3, false, 2, 3},
    {"tld4.r.2d", "f32", "__warpmem_tld4_r", 2, false, 0, 0},
    {"tld4.g.2d", "f32", "__warpmem_tld4_g", 2, false, 0, 0},
    {"tld4.b.2d", "f32", "__warpmem_tld4_b", 2, false, 0, 0},
    {"tld4.a.2d", "f32", "__warpmem_tld4_a", 2, false, 0, 0},
}};

struct Query {
  std::string_view opcode;
  std::string_view function;
};
constexpr std::array<Query, 6> kQueries = {{
    {"txq.width.b32", "__warpmem_txq_width"},
    {"txq.height.b32", "__warpmem_txq_height"},
    {"txq.depth.b32", "__warpmem_txq_depth"},
    {"suq.width.b32", "__warpmem_suq_width"},
    {"suq.height.b32", "__warpmem_txq_height"},
    {"suq.depth.b32", "__warpmem_txq_depth"},
}};

/// Returns the table's row for an opcode like "tex.2d.v4.f32.s32", or nullptr.
const Fetch* find_fetch(std::string_view opcode) {
  const auto take_last = [&opcode] {
    const std::size_t dot = opcode.rfind('.');
    if (dot == std::string_view::npos) return std::string_view();
    const std::string_view last = opcode.substr(dot + 1);
    opcode.remove_suffix(opcode.size() - dot);
    return last;
  };
  const std::string_view coordinates = take_last(), element = take_last();
  if (take_last() != "v4" || (element != "f32" && element != "s32" && element != "u32"))
    return nullptr;
  const auto row = std::find_if(kFetches.begin(), kFetches.end(), [&](const Fetch& f) {
    return f.opcode == opcode && f.coordinates == coordinates;
  });
  return row == kFetches.end() ? nullptr : &*row;
}

std::vector<Operand> numbers_of(const Operand& o) {
  return o.kind == Operand::Kind::vector ? o.elements : std::vector<Operand>{o};
}

}  // namespace

bool Parser::is_word(const Operand& o) const {
  using Kind = Operand::Kind;
  if (o.kind == Kind::reg) return size_bytes(function_->registers[o.index].type) == 4 && !o.negate;
  return o.kind == Kind::integer || o.kind == Kind::float32 || o.kind == Kind::float64;
}

std::string_view Parser::refuse_texture(const Statement& s, unsigned coordinates, unsigned further,
                                        unsigned each) const {
  using Kind = Operand::Kind;
  if (s.operands.size() > 2 + further)
    return "coordinate offsets and depth comparisons are not supported";
  if (s.operands.size() < 2 || s.operands[1].kind != Kind::address)
    return "the operands must be the destination and [texture] or [texture, coordinates]";
  if (s.operands.size() < 2 + further) return "the level or the gradients are missing";
  if (const auto refusal = refuse_texture_address(s.operands[1], coordinates); !refusal.empty())
    return refusal;
  const Operand& destination = s.operands[0];
  const std::vector<Operand> into = numbers_of(destination);
  if (into.size() != (coordinates != 0 ? 4 : 1)) return "the destination has the wrong size";
  for (const Operand& o : into)
    if (o.kind != Kind::sink && (o.kind != Kind::reg || !is_word(o)))
      return "a destination must be a register of 32 bits";
  for (unsigned i = 0; i < further; ++i) {
    const std::vector<Operand> numbers = numbers_of(s.operands[2 + i]);
    if (numbers.size() < each) return "a gradient has too few numbers";
    for (const Operand& o : numbers)
      if (!is_word(o)) return "a level or gradient must be of registers of 32 bits or numbers";
  }
  return {};
}

std::string_view Parser::refuse_texture_address(const Operand& address,
                                                unsigned coordinates) const {
  using Kind = Operand::Kind;
  const std::vector<Operand>& source = address.elements;
  const Operand& texture = source[0];
  if (source.size() > (coordinates != 0 ? 2 : 1))
    return "a sampler apart from the texture (.texmode_independent) is not supported; in unified "
           "mode a texture brings its own";
  if (texture.kind == Kind::variable)
    return "a texture that is a parameter must be loaded into a register first";
  if (texture.kind != Kind::reg && texture.kind != Kind::module_variable)
    return "the texture must be a .texref variable or a register";
  if (texture.kind == Kind::reg && size_bytes(function_->registers[texture.index].type) != 8)
    return "the register of a texture must have 64 bits";
  if (texture.kind == Kind::module_variable &&
      module_.variables[texture.index].space != Space::global)
    return "a .texref variable must be .global";
  if (address.offset != 0 || texture.offset != 0) return "a texture has no offset";
  if (coordinates == 0) return {};
  if (source.size() < 2) return "the coordinates are missing";
  const std::vector<Operand> at = numbers_of(source[1]);
  if (at.size() < coordinates) return "there are too few coordinates";
  for (const Operand& o : at)
    if (!is_word(o)) return "a coordinate must be a register of 32 bits or a number";
  return {};
}

bool Parser::texture_call(Statement& s) {
  if (surface_call(s)) return true;
  if (!s.refusal.empty()) return false;
  const auto query = std::find_if(kQueries.begin(), kQueries.end(),
                                  [&s](const Query& q) { return q.opcode == s.opcode; });
  const Fetch* const fetch = find_fetch(s.opcode);
  if (query == kQueries.end() && fetch == nullptr) return false;
  s.refusal = fetch == nullptr ? refuse_texture(s, 0, 0, 0)
                               : refuse_texture(s, fetch->arguments, fetch->further, fetch->each);
  if (!s.refusal.empty()) return false;
  const std::vector<Operand>& source = s.operands[1].elements;
  TextureCall call(*function_, s);
  call.handle(source[0]);
  if (fetch == nullptr) {
    call.call(query->function, {numbers_of(s.operands[0])[0]});
  } else {
    const std::vector<Operand> at = numbers_of(source[1]);
    for (unsigned i = 0; i < fetch->arguments; ++i)
      call.argument(fetch->layered && i == 0 ? "s32" : fetch->coordinates, at[i]);
    for (unsigned k = 0; k < fetch->further; ++k) {
      const std::vector<Operand> numbers = numbers_of(s.operands[2 + k]);
      for (unsigned i = 0; i < fetch->each; ++i) call.argument("f32", numbers[i]);
    }
    call.call(fetch->function, s.operands[0].elements);
  }
  if (texture_line_ == 0) texture_line_ = s.line;
  return true;
}

// Lines of the library's functions are that of the first instruction that needs them; a fault names
// the instruction that fetches (grid.cpp).
void Parser::add_texture_library() {
  if (texture_line_ != 0) add_library(kTextureLibrary, Library::texture, texture_line_);
}

}  // namespace warpmem::program::ptx
