// SPDX-License-Identifier: Apache-2.0
// `tex` and `txq` become calls of the functions of texture_library.cu (PTX ISA 6.x sections 9.7.9.2
// to 9.7.9.5, texmode_unified):
//
//   tex.2d.v4.f32.f32 {d0, d1, d2, d3}, [t, {x, y}]
//     ->  st.param t, x, y;  call (r), __warpmem_tex_2d_f32, (t, x, y);  ld.param d0 to d3
//
// `t` is a .texref variable, its address in a register, or a 64-bit texture object. Forms that are
// not in the table stay as they are and are reported when a kernel that has them is launched.
#include <algorithm>
#include <array>

#include "program/ptx/parser.hpp"
#include "program/ptx/statement_writer.hpp"
#include "program/ptx/texture_library.hpp"

namespace warpmem::program::ptx {
namespace {

struct Fetch {
  std::string_view geometry, coordinates;
  std::string_view function;
  unsigned arguments;  ///< after the handle; a vector of coordinates may have more
  bool layered;        ///< the first is the layer, an integer
};
constexpr std::array<Fetch, 12> kFetches = {{
    {"1d", "s32", "__warpmem_tex_1d_s32", 1, false},
    {"1d", "f32", "__warpmem_tex_1d_f32", 1, false},
    {"2d", "s32", "__warpmem_tex_2d_s32", 2, false},
    {"2d", "f32", "__warpmem_tex_2d_f32", 2, false},
    {"3d", "s32", "__warpmem_tex_3d_s32", 3, false},
    {"3d", "f32", "__warpmem_tex_3d_f32", 3, false},
    {"a1d", "s32", "__warpmem_tex_a1d_s32", 2, true},
    {"a1d", "f32", "__warpmem_tex_a1d_f32", 2, true},
    {"a2d", "s32", "__warpmem_tex_a2d_s32", 3, true},
    {"a2d", "f32", "__warpmem_tex_a2d_f32", 3, true},
    {"cube", "f32", "__warpmem_tex_cube_f32", 3, false},
    {"acube", "f32", "__warpmem_tex_acube_f32", 4, true},
}};

struct Query {
  std::string_view opcode;
  std::string_view function;
};
constexpr std::array<Query, 3> kQueries = {{
    {"txq.width.b32", "__warpmem_txq_width"},
    {"txq.height.b32", "__warpmem_txq_height"},
    {"txq.depth.b32", "__warpmem_txq_depth"},
}};

/// Returns the table's row for an opcode like "tex.2d.v4.f32.s32", or nullptr.
const Fetch* find_fetch(std::string_view opcode) {
  std::array<std::string_view, 5> part;
  std::size_t parts = 0;
  for (; parts < part.size() && !opcode.empty(); ++parts) {
    const std::size_t dot = std::min(opcode.find('.'), opcode.size());
    part[parts] = opcode.substr(0, dot);
    opcode.remove_prefix(std::min(dot + 1, opcode.size()));
  }
  if (parts != 5 || !opcode.empty() || part[0] != "tex" || part[2] != "v4") return nullptr;
  if (part[3] != "f32" && part[3] != "s32" && part[3] != "u32") return nullptr;
  const auto row = std::find_if(kFetches.begin(), kFetches.end(), [&](const Fetch& f) {
    return f.geometry == part[1] && f.coordinates == part[4];
  });
  return row == kFetches.end() ? nullptr : &*row;
}

}  // namespace

/// Writes the statements of one call.
class TextureCall : private StatementWriter {
 public:
  TextureCall(Function& function, const Statement& instruction)
      : StatementWriter(function, instruction, "%texture") {
    arguments_.kind = results_.kind = Operand::Kind::list;
  }

  void handle(const Operand& o) {
    if (o.kind != Operand::Kind::module_variable) return argument("b64", Type::b64, o);
    const Operand address = new_register(Type::b64);
    add("mov.u64", {address, o});
    argument("b64", Type::b64, address);
  }
  void argument(std::string_view type, const Operand& o) { argument(type, parse_type(type), o); }
  void call(std::string_view function, const std::vector<Operand>& destinations) {
    const Operand result = new_parameter("result", Type::b32, 4 * destinations.size());
    results_.elements.push_back(result);
    add_as_written("call", {results_, named(Operand::Kind::name, 0, function), arguments_});
    for (std::size_t i = 0; i < destinations.size(); ++i)
      add("ld.param.b32", {destinations[i], at(result, 4 * i)});
  }

 private:
  void argument(std::string_view type, Type element, const Operand& o) {
    const Operand parameter = new_parameter("argument", element, size_bytes(element));
    static constexpr std::pair<std::string_view, std::string_view> kStores[] = {
        {"b64", "st.param.b64"}, {"s32", "st.param.b32"}, {"f32", "st.param.f32"}};
    for (const auto& [name, store] : kStores)
      if (name == type) add(store, {at(parameter), o});
    arguments_.elements.push_back(parameter);
  }
  Operand new_parameter(std::string_view name, Type type, std::uint64_t bytes) {
    VariableDecl v;
    v.name = name;
    v.space = Space::param;
    v.type = type;
    v.bytes = bytes;
    v.alignment = size_bytes(type);
    v.line = instruction_.line;
    function_.variables.push_back(v);
    return named(Operand::Kind::variable,
                 static_cast<std::uint32_t>(function_.variables.size() - 1), name);
  }

  Operand arguments_, results_;
};

bool Parser::is_word(const Operand& o) const {
  using Kind = Operand::Kind;
  if (o.kind == Kind::reg) return size_bytes(function_->registers[o.index].type) == 4 && !o.negate;
  return o.kind == Kind::integer || o.kind == Kind::float32 || o.kind == Kind::float64;
}

std::string_view Parser::refuse_texture(const Statement& s, unsigned coordinates) const {
  using Kind = Operand::Kind;
  if (s.operands.size() > 2) return "coordinate offsets and depth comparisons are not supported";
  if (s.operands.size() < 2 || s.operands[1].kind != Kind::address)
    return "the operands must be the destination and [texture] or [texture, coordinates]";
  const Operand& address = s.operands[1];
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

  const Operand& destination = s.operands[0];
  const std::vector<Operand> into =
      destination.kind == Kind::vector ? destination.elements : std::vector<Operand>{destination};
  if (into.size() != (coordinates != 0 ? 4 : 1)) return "the destination has the wrong size";
  for (const Operand& o : into)
    if (o.kind != Kind::sink && (o.kind != Kind::reg || !is_word(o)))
      return "a destination must be a register of 32 bits";
  if (coordinates == 0) return {};
  if (source.size() < 2) return "the coordinates are missing";
  const std::vector<Operand> at =
      source[1].kind == Kind::vector ? source[1].elements : std::vector<Operand>{source[1]};
  if (at.size() < coordinates) return "there are too few coordinates";
  for (const Operand& o : at)
    if (!is_word(o)) return "a coordinate must be a register of 32 bits or a number";
  return {};
}

bool Parser::texture_call(Statement& s) {
  const auto query = std::find_if(kQueries.begin(), kQueries.end(),
                                  [&s](const Query& q) { return q.opcode == s.opcode; });
  const Fetch* const fetch = find_fetch(s.opcode);
  if (query == kQueries.end() && fetch == nullptr) return false;
  s.refusal = refuse_texture(s, fetch != nullptr ? fetch->arguments : 0);
  if (!s.refusal.empty()) return false;
  const std::vector<Operand>& source = s.operands[1].elements;
  TextureCall call(*function_, s);
  call.handle(source[0]);
  if (fetch == nullptr) {
    const Operand& to = s.operands[0];
    call.call(query->function, {to.kind == Operand::Kind::vector ? to.elements[0] : to});
  } else {
    const std::vector<Operand> at =
        source[1].kind == Operand::Kind::vector ? source[1].elements : std::vector{source[1]};
    for (unsigned i = 0; i < fetch->arguments; ++i)
      call.argument(fetch->layered && i == 0 ? "s32" : fetch->coordinates, at[i]);
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
