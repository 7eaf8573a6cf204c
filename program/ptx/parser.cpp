// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/parser.hpp"

#include <algorithm>
#include <cstring>

#include "base/errors.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr unsigned kMaxDimensions = 16;
std::uint64_t double_bits(double v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}
double bits_double(std::uint64_t bits) {
  double v = 0;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
std::uint64_t float_bits(float v) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}

}  // namespace

ModuleAst parse(std::string_view text, const std::string& file) { return Parser(text, file).run(); }

Parser::Parser(std::string_view text, const std::string& file) : file_(file), lexer_(text, file) {}

ModuleAst Parser::run() {
  advance();
  while (token_.kind != TokenKind::end) module_item();
  add_texture_library();
  add_heap_library();
  mark_addresses();
  attribute_lines();
  return std::move(module_);
}

// ---- tokens ------------------------------------------------------------------------------------

void Parser::advance() { token_ = lexer_.next(); }

bool Parser::accept(std::string_view word) {
  if (!at(word)) return false;
  advance();
  return true;
}

void Parser::expect(std::string_view word) {
  if (!accept(word)) fail_here("`" + std::string(word) + "`");
}

std::string_view Parser::expect_name(const char* what) {
  if (token_.kind != TokenKind::identifier) fail_here(what);
  const std::string_view name = token_.text;
  advance();
  return name;
}

std::uint64_t Parser::expect_integer(const char* what) {
  if (token_.kind != TokenKind::integer) fail_here(what);
  const std::uint64_t value = token_.bits;
  advance();
  return value;
}

void Parser::skip_line() {
  const unsigned line = token_.line;
  while (token_.kind != TokenKind::end && token_.line == line) advance();
}

void Parser::skip_to_semicolon() {
  while (!at(";")) {
    if (token_.kind == TokenKind::end) fail_here("`;`");
    advance();
  }
  advance();
}

void Parser::fail(const std::string& what) const {
  throw UserError(file_ + ":" + std::to_string(token_.line) + ": " + what);
}

void Parser::fail_here(const std::string& wanted) const {
  const std::string found =
      token_.kind == TokenKind::end ? "the end of the file" : "`" + std::string(token_.text) + "`";
  fail("expected " + wanted + ", found " + found);
}

// ---- module level ------------------------------------------------------------------------------

Space Parser::parse_space(std::string_view directive) {
  if (directive == ".global") return Space::global;
  if (directive == ".const") return Space::constant;
  if (directive == ".shared") return Space::shared;
  if (directive == ".local") return Space::local;
  if (directive == ".param") return Space::param;
  return Space::none;
}

void Parser::module_item() {
  if (accept(";")) return;
  if (token_.kind != TokenKind::identifier || token_.text.front() != '.')
    fail_here("a directive such as .version, .global, .func or .entry");
  if (at(".version") || at(".target") || at(".loc")) return skip_line();
  if (at(".file")) return file_directive();
  if (accept(".address_size")) {
    if (token_.kind == TokenKind::integer && token_.bits != 64)
      fail("only 64-bit addresses are supported (.address_size 64)");
    expect_integer("64");
    return;
  }
  if (at(".section")) return skip_section();
  if (at(".pragma") || at(".alias")) return skip_to_semicolon();
  Linkage linkage;
  for (;;) {
    if (accept(".extern"))
      linkage.external = true;
    else if (!accept(".visible") && !accept(".weak") && !accept(".common"))
      break;
  }
  if (accept(".func")) return function(linkage, false);
  if (accept(".entry")) return function(linkage, true);
  const Space space = parse_space(token_.text);
  if (space == Space::global || space == Space::constant || space == Space::shared) {
    advance();
    return module_variable(space, linkage);
  }
  fail_here("a module-level directive");
}

void Parser::skip_section() {
  advance();
  expect_name("the name of the section");
  expect("{");
  while (!accept("}")) {
    if (token_.kind == TokenKind::end) fail_here("`}`");
    advance();
  }
}

void Parser::module_variable(Space space, Linkage linkage) {
  // `.global .u32 a, b;` repeats the type for each name.
  do {
    VariableDecl v = variable(space, linkage);
    const std::string_view name = v.name;
    auto index = static_cast<std::uint32_t>(module_.variables.size());
    if (function_ != nullptr) {
      names().symbols[name] = {Operand::Kind::module_variable, index};
    } else if (const auto known = module_.variable_index.find(name);
               known != module_.variable_index.end()) {
      VariableDecl& before = module_.variables[known->second];
      if (!before.external && !v.external) fail("`" + std::string(name) + "` is defined twice");
      if (before.space != v.space) fail("`" + std::string(name) + "` is declared in two spaces");
      if (!v.external) before = std::move(v);
      continue;
    } else {
      module_.variable_index.emplace(name, index);
    }
    module_.variables.push_back(std::move(v));
  } while (accept(","));
  expect(";");
}

VariableDecl Parser::variable(Space space, Linkage linkage) {
  VariableDecl v;
  v.space = space;
  v.external = linkage.external;
  v.line = token_.line;
  std::uint64_t elements = 1;
  bool aligned = false;
  while (token_.kind == TokenKind::identifier && token_.text.front() == '.') {
    const std::string_view word = token_.text.substr(1);
    if (word == "align") {
      advance();
      const std::uint64_t alignment = expect_integer("an alignment");
      if (alignment == 0 || alignment > 4096 || (alignment & (alignment - 1)) != 0)
        fail("alignment must be a power of two up to 4096");
      v.alignment = static_cast<std::uint32_t>(alignment);
      aligned = true;
    } else if (word == "v2" || word == "v4") {
      elements = word == "v2" ? 2 : 4;
      advance();
    } else if (word == "ptr") {
      // `.param .u64 .ptr .global .align 4 name`: says where the pointer points, not what it is.
      advance();
      if (parse_space(token_.text) != Space::none) advance();
      if (accept(".align")) expect_integer("an alignment");
    } else if (word == "attribute") {
      advance();
      expect("(");
      while (!accept(")")) {
        if (token_.kind == TokenKind::end) fail_here("`)`");
        advance();
      }
    } else if (word == "texref" || word == "surfref" || word == "samplerref") {
      v.type = Type::b64;
      advance();
    } else {
      v.type = parse_type(word);
      if (v.type == Type::none || v.type == Type::pred) fail_here("a type");
      advance();
    }
  }
  if (v.type == Type::none) fail_here("a type");
  if (!aligned) v.alignment = static_cast<std::uint32_t>(size_bytes(v.type) * elements);
  v.name = expect_name("the name of a variable");

  std::vector<std::uint64_t> dims;
  bool open_first = false;
  dimensions(dims, open_first);
  std::uint64_t inner = elements;
  for (std::size_t i = open_first ? 1 : 0; i < dims.size(); ++i) {
    if (dims[i] != 0 && inner > kMaxVariableBytes / dims[i]) fail("the variable is too large");
    inner *= dims[i];
  }
  if (elements > 1) dims.push_back(elements);
  if (dims.empty()) dims.push_back(1);
  const std::uint64_t limit = open_first ? kMaxVariableBytes : inner;
  if (accept("=")) {
    std::uint64_t element = 0;
    if (at("{")) {
      initialiser(v, dims, 0, limit, element);
    } else {
      if (limit == 0) fail("an initial value for `" + std::string(v.name) + "` of 0 bytes");
      v.values.push_back(initial_value(v.type));
      ++element;
    }
    if (open_first) inner = element;
  } else if (open_first) {
    inner = 0;
    v.external = true;
  }
  if (inner > kMaxVariableBytes / size_bytes(v.type)) fail("the variable is too large");
  v.bytes = inner * size_bytes(v.type);
  return v;
}

void Parser::dimensions(std::vector<std::uint64_t>& dims, bool& open_first) {
  while (accept("[")) {
    if (dims.size() >= kMaxDimensions) fail("too many dimensions");
    if (dims.empty() && at("]")) {
      open_first = true;
      dims.push_back(0);
    } else {
      dims.push_back(expect_integer("the size of a dimension"));
    }
    expect("]");
  }
}

void Parser::initialiser(VariableDecl& v, const std::vector<std::uint64_t>& dims, unsigned level,
                         std::uint64_t limit, std::uint64_t& element) {
  if (level >= kMaxDimensions) fail("initialiser nested too deeply");
  // This counts the elements below one brace of this level; a short row is filled with zeros.
  std::uint64_t row = 1;
  for (std::size_t i = level; i < dims.size(); ++i) row *= dims[i];
  const std::uint64_t begin = element;
  expect("{");
  while (!at("}")) {
    if (at("{")) {
      initialiser(v, dims, level + 1, limit, element);
    } else {
      v.values.push_back(initial_value(v.type));
      v.values.back().element = element++;
    }
    if (element > limit) fail("too many initial values for `" + std::string(v.name) + "`");
    if (!accept(",")) break;
  }
  expect("}");
  if (level > 0 && level < dims.size() && row <= limit)
    element = std::max(element, std::min(begin + row, limit));
}

Initialiser Parser::initial_value(Type type) {
  Initialiser value;
  value.line = token_.line;
  if (token_.kind == TokenKind::identifier) {
    const bool generic = at("generic");
    if (generic) {
      advance();
      expect("(");
    }
    value.symbol = std::string(expect_name("a variable"));
    if (generic) expect(")");
    const bool minus = at("-");
    if (accept("+") || accept("-")) {
      value.bits = expect_integer("an offset");
      if (minus) value.bits = std::uint64_t(0) - value.bits;
    }
    if (size_bytes(type) != 8) fail("an address needs an element of 8 bytes");
    return value;
  }
  const bool minus = accept("-");
  Operand n = number(minus);
  value.bits = n.bits;
  if (type == Type::f32) {
    if (n.kind == Operand::Kind::integer)
      value.bits = float_bits(static_cast<float>(static_cast<std::int64_t>(n.bits)));
    else if (n.kind == Operand::Kind::float64)
      value.bits = float_bits(static_cast<float>(bits_double(n.bits)));
  } else if (type == Type::f64) {
    if (n.kind == Operand::Kind::integer)
      value.bits = double_bits(static_cast<double>(static_cast<std::int64_t>(n.bits)));
    else if (n.kind == Operand::Kind::float32) {
      float f = 0;
      const auto bits = static_cast<std::uint32_t>(n.bits);
      std::memcpy(&f, &bits, sizeof f);
      value.bits = double_bits(f);
    }
  }
  return value;
}

// ---- functions ---------------------------------------------------------------------------------

void Parser::parameter_list(Function& f, std::vector<std::uint32_t>& into) {
  expect("(");
  while (!at(")")) {
    if (!accept(".param")) {
      if (at(".reg")) fail("functions with .reg parameters are not supported");
      fail_here("`.param`");
    }
    VariableDecl v = variable(Space::param, {});
    const auto index = static_cast<std::uint32_t>(f.variables.size());
    names().symbols[v.name] = {Operand::Kind::variable, index};
    f.variables.push_back(std::move(v));
    into.push_back(index);
    if (!accept(",")) break;
  }
  expect(")");
}

void Parser::function(Linkage, bool entry) {
  Function f;
  f.entry = entry;
  f.line = token_.line;
  names_.assign(1, {});
  if (at("(")) {
    if (entry) fail("a kernel has no result");
    parameter_list(f, f.results);
  }
  f.name = std::string(expect_name(entry ? "the name of a kernel" : "the name of a function"));
  if (at("(")) parameter_list(f, f.parameters);
  for (;;) {
    if (accept(".noreturn")) continue;
    if (at(".maxntid") || at(".reqntid")) {
      advance();
      std::uint64_t threads = expect_integer("a number of threads");
      while (accept(",")) {
        const std::uint64_t n = expect_integer("a number of threads");
        threads = n != 0 && threads > 0xffffffffULL / n ? 0xffffffffULL : threads * n;
      }
      f.max_threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, 0xffffffffULL));
    } else if (at(".reqnctapercluster")) {
      advance();
      std::uint64_t sides[3] = {1, 1, 1};
      unsigned given = 0;
      do {
        if (given == 3) fail("a cluster has three dimensions");
        sides[given++] = std::min<std::uint64_t>(expect_integer("a number of CTAs"), 0xffff);
      } while (accept(","));
      f.cluster = Dim3{static_cast<std::uint32_t>(sides[0]), static_cast<std::uint32_t>(sides[1]),
                       static_cast<std::uint32_t>(sides[2])};
    } else if (accept(".explicitcluster")) {
      continue;
    } else if (at(".maxclusterrank") || at(".minnctapersm") || at(".maxnctapersm") ||
               at(".maxnreg")) {
      advance();
      expect_integer("a number");
    } else if (at(".pragma")) {
      skip_to_semicolon();
    } else {
      break;
    }
  }
  if (at("{")) {
    f.defined = true;
    source_ = {};
    function_ = &f;
    body();
    function_ = nullptr;
  } else {
    expect(";");
  }
  const auto known = module_.function_index.find(f.name);
  if (known == module_.function_index.end()) {
    module_.function_index.emplace(f.name, static_cast<std::uint32_t>(module_.functions.size()));
    module_.functions.push_back(std::move(f));
    return;
  }
  Function& before = module_.functions[known->second];
  if (before.defined && f.defined) fail("`" + f.name + "` is defined twice");
  if (f.defined) before = std::move(f);
}

}  // namespace warpmem::program::ptx
