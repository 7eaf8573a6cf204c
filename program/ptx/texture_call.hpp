// SPDX-License-Identifier: Apache-2.0
// Writes the call that stands for an instruction on a texture or surface.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "program/ptx/statement_writer.hpp"

namespace warpmem::program::ptx {

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
  /// Parts of 1, 2, 4 or 8 bytes as one argument of 16; `store` writes a part ("st.param.b8").
  void argument_of_parts(const std::vector<Operand>& parts, unsigned bytes,
                         std::string_view store) {
    const Operand parameter = new_parameter("argument", Type::b32, kPartsBytes);
    for (std::size_t i = 0; i < parts.size(); ++i) add(store, {at(parameter, bytes * i), parts[i]});
    arguments_.elements.push_back(parameter);
  }
  void call(std::string_view function, const std::vector<Operand>& destinations) {
    call(function, destinations, 4 * destinations.size(), 4, "ld.param.b32");
  }
  /// The result has `size` bytes; `load` reads each destination, of `bytes`.
  void call(std::string_view function, const std::vector<Operand>& destinations, std::size_t size,
            unsigned bytes, std::string_view load) {
    const Operand result = new_parameter("result", Type::b32, size);
    results_.elements.push_back(result);
    add_as_written("call", {results_, named(Operand::Kind::name, 0, function), arguments_});
    for (std::size_t i = 0; i < destinations.size(); ++i)
      add(load, {destinations[i], at(result, bytes * i)});
  }
  void call(std::string_view function) {
    add_as_written("call", {named(Operand::Kind::name, 0, function), arguments_});
  }

  static constexpr unsigned kPartsBytes = 16;

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

}  // namespace warpmem::program::ptx
