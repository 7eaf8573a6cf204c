// SPDX-License-Identifier: Apache-2.0
#include "cosim/unit_wrapper.hpp"

#include <fmt/format.h>

#include <cctype>

namespace warpmem::cosim {

namespace {

/// Turns "mrpb_drain" into "MrpbDrain", with which the names of its types begin.
std::string stem_of(const std::string& name) {
  std::string stem;
  bool begins = true;
  for (const char letter : name) {
    if (letter == '_') {
      begins = true;
      continue;
    }
    stem += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    begins = false;
  }
  return stem;
}

/// Returns "48u, 8u", the arguments of the templates.
std::string arguments(const UnitShape& unit) {
  std::string text;
  for (const auto& [name, value] : unit.parameters)
    text += fmt::format("{}{}u", text.empty() ? "" : ", ", value);
  return text;
}

std::string header(const UnitShape& unit, const char* part) {
  return fmt::format("systemc/units/{0}/{0}_{1}.hpp", unit.name, part);
}

/// Returns the includes, and what the parts of every wrapper use.
std::string begin(const UnitShape& unit, const std::vector<std::string>& headers) {
  std::string text;
  for (const std::string& name : headers) text += fmt::format("#include \"{}\"\n", name);
  text += fmt::format("\nnamespace {{\n\nusing Unit = warpmem::units::{}Description;\n",
                      stem_of(unit.name));
  text += unit.shows_state
              ? fmt::format("using Reader = warpmem::units::{}StateReader<{}>;\n",
                            stem_of(unit.name), arguments(unit))
              : std::string("using Reader = warpmem::cosim::NoStateReader<Unit::State>;\n");
  return text;
}

std::string end(const std::string& abi) {
  return fmt::format(
      "\n}}  // namespace\n\n"
      "extern \"C\" __attribute__((visibility(\"default\"))) const void* warpmem_unit() {{\n"
      "  return warpmem::cosim::{};\n}}\n",
      abi);
}

std::vector<std::string> headers_of(const UnitShape& unit, const char* abi) {
  std::vector<std::string> headers = {abi, header(unit, "unit")};
  if (unit.shows_state) headers.push_back(header(unit, "state"));
  return headers;
}

}  // namespace

Wrapper rtl_wrapper(const UnitShape& unit) {
  const std::string top = "V" + unit.name;
  Wrapper wrapper;
  wrapper.headers = headers_of(unit, "cosim/wrappers/rtl_unit.hpp");
  wrapper.text = fmt::format("#include \"{}.h\"\n", top) + begin(unit, wrapper.headers);
  wrapper.text += fmt::format("\nvoid drive({}& top, const Unit::In& in) {{\n", top);
  for (const UnitPin& pin : unit.inputs)
    wrapper.text += fmt::format("  warpmem::cosim::to_pin<{}>(top.{}, in.{});\n", pin.width,
                                pin.pin, pin.member);
  wrapper.text += fmt::format("}}\n\nvoid sample(const {}& top, Unit::Out& out) {{\n", top);
  for (const UnitPin& pin : unit.outputs)
    wrapper.text += fmt::format("  warpmem::cosim::from_pin<{}>(top.{}, out.{});\n", pin.width,
                                pin.pin, pin.member);
  wrapper.text += "}\n";
  wrapper.text += end(fmt::format("rtl_abi<{}, Unit, drive, sample, Reader>()", top));
  return wrapper;
}

Wrapper core_wrapper(const UnitShape& unit) {
  Wrapper wrapper;
  wrapper.headers = headers_of(unit, "cosim/wrappers/core_unit.hpp");
  wrapper.headers.push_back(header(unit, "core"));
  wrapper.text = begin(unit, wrapper.headers);
  wrapper.text += fmt::format("using Core = warpmem::units::{}Core<{}>;\n", stem_of(unit.name),
                              arguments(unit));
  wrapper.text += end("core_abi<Core, Unit, Reader>()");
  return wrapper;
}

Wrapper module_wrapper(const UnitShape& unit) {
  Wrapper wrapper;
  wrapper.headers = headers_of(unit, "cosim/wrappers/module_unit.hpp");
  wrapper.headers.push_back(header(unit, "module"));
  wrapper.text = begin(unit, wrapper.headers);
  wrapper.text += fmt::format("using Module = warpmem::units::{}Module<{}>;\n\nstruct Pins {{\n",
                              stem_of(unit.name), arguments(unit));
  std::vector<std::string> pins = {"clk", "rst_n"};
  for (const auto* const list : {&unit.inputs, &unit.outputs})
    for (const UnitPin& pin : *list) pins.push_back(pin.pin);
  pins.insert(pins.end(), unit.state_pins.begin(), unit.state_pins.end());
  std::string bindings;
  for (const std::string& pin : pins) {
    wrapper.text +=
        fmt::format("  warpmem::cosim::SignalOf<decltype(Module::{0})> {0}{{\"{0}\"}};\n", pin);
    bindings += fmt::format("    module.{0}({0});\n", pin);
  }
  wrapper.text +=
      fmt::format("  Module module{{\"{}\"}};\n\n  Pins() {{\n{}  }}\n", unit.name, bindings);
  wrapper.text += "  void drive(const Unit::In& in) {\n";
  for (const UnitPin& pin : unit.inputs)
    wrapper.text += fmt::format("    warpmem::cosim::write_pin({}, in.{});\n", pin.pin, pin.member);
  wrapper.text += "  }\n  void sample(Unit::Out& out) const {\n";
  for (const UnitPin& pin : unit.outputs)
    wrapper.text += fmt::format("    warpmem::cosim::read_pin({}, out.{});\n", pin.pin, pin.member);
  wrapper.text += "  }\n};\n";
  wrapper.text += end("module_abi<Pins, Unit, Reader>()");
  return wrapper;
}

}  // namespace warpmem::cosim
