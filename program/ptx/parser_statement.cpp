// SPDX-License-Identifier: Apache-2.0
// Function bodies: scopes, registers, labels, instructions and their operands.
#include "base/errors.hpp"
#include "program/ptx/parser.hpp"
#include "program/ptx/special.hpp"

namespace warpmem::program::ptx {
namespace {

constexpr unsigned kMaxOperandNesting = 16;
constexpr std::size_t kMaxScopes = 256;  ///< nested

bool all_digits(std::string_view text) {
  if (text.empty()) return false;
  for (char c : text)
    if (c < '0' || c > '9') return false;
  return true;
}

}  // namespace

std::int64_t Function::find_label(std::string_view label, std::uint32_t scope) const {
  for (;;) {
    const auto it = scopes[scope].labels.find(label);
    if (it != scopes[scope].labels.end()) return it->second;
    if (scope == 0) return -1;
    scope = scopes[scope].parent;
  }
}

const std::vector<Operand>* Function::find_branch_targets(std::string_view label,
                                                          std::uint32_t scope) const {
  for (;;) {
    const auto it = scopes[scope].branch_targets.find(label);
    if (it != scopes[scope].branch_targets.end()) return &it->second;
    if (scope == 0) return nullptr;
    scope = scopes[scope].parent;
  }
}

void Parser::body() {
  expect("{");
  while (!names_.empty()) {
    if (accept("{")) {
      if (names_.size() >= kMaxScopes) fail("blocks nested too deeply");
      Names inner;
      inner.scope = static_cast<std::uint32_t>(function_->scopes.size());
      Scope scope;
      scope.parent = names().scope;
      function_->scopes.push_back(std::move(scope));
      names_.push_back(std::move(inner));
    } else if (accept("}")) {
      names_.pop_back();
    } else if (accept(";")) {
      continue;
    } else if (token_.kind == TokenKind::end) {
      fail_here("`}`");
    } else if (at(".reg")) {
      advance();
      register_declaration();
    } else if (at(".loc")) {
      loc_directive();
    } else if (at(".file")) {
      file_directive();
    } else if (at(".pragma")) {
      skip_to_semicolon();
    } else if (at(".section")) {
      skip_section();
    } else if (token_.kind == TokenKind::identifier && parse_space(token_.text) != Space::none) {
      const Space space = parse_space(token_.text);
      advance();
      local_declaration(space);
    } else {
      statement();
    }
  }
}

void Parser::register_declaration() {
  // `.reg .b32 %r<10>, %x;` - a vector register is not something compilers emit.
  const std::string_view word = expect_name("a type");
  const Type type = word.front() == '.' ? parse_type(word.substr(1)) : Type::none;
  if (type == Type::none) fail("`" + std::string(word) + "` is not a register type");
  do {
    const std::string_view name = expect_name("the name of a register");
    if (accept("<")) {
      names().ranges[name] = {expect_integer("a number of registers"), type};
      expect(">");
    } else {
      const auto index = static_cast<std::uint32_t>(function_->registers.size());
      function_->registers.push_back({type, name});
      names().symbols[name] = {Operand::Kind::reg, index};
    }
  } while (accept(","));
  expect(";");
}

void Parser::local_declaration(Space space) {
  if (space == Space::local || space == Space::param) {
    do {
      VariableDecl v = variable(space, {});
      const auto index = static_cast<std::uint32_t>(function_->variables.size());
      names().symbols[v.name] = {Operand::Kind::variable, index};
      function_->variables.push_back(std::move(v));
    } while (accept(","));
    expect(";");
    return;
  }
  module_variable(space, {});
}

Parser::Symbol Parser::lookup(std::string_view name) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  for (auto scope = names_.rbegin(); scope != names_.rend(); ++scope) {
    const auto exact = scope->symbols.find(name);
    if (exact != scope->symbols.end()) return exact->second;
    // A register of a range: the prefix may itself end in digits, so every split is tried.
    for (std::size_t cut = digits; cut < name.size(); ++cut) {
      const auto range = scope->ranges.find(name.substr(0, cut));
      const std::string_view number = name.substr(cut);
      if (range == scope->ranges.end() || !all_digits(number) || number.size() > 18) continue;
      if (number.size() > 1 && number.front() == '0') continue;
      std::uint64_t value = 0;
      for (char c : number) value = value * 10 + static_cast<std::uint64_t>(c - '0');
      if (value >= range->second.count) continue;
      const auto index = static_cast<std::uint32_t>(function_->registers.size());
      function_->registers.push_back({range->second.type, name});
      return scope->symbols[name] = {Operand::Kind::reg, index};
    }
  }
  const auto global = module_.variable_index.find(name);
  if (global != module_.variable_index.end())
    return {Operand::Kind::module_variable, global->second};
  return {};
}

void Parser::label(std::string_view name, unsigned line) {
  Scope& scope = function_->scopes[names().scope];
  if (accept(".branchtargets")) {
    std::vector<Operand> targets;
    do {
      Operand target;
      target.kind = Operand::Kind::name;
      target.scope = names().scope;
      target.text = expect_name("a label");
      targets.push_back(std::move(target));
    } while (accept(","));
    expect(";");
    scope.branch_targets[name] = std::move(targets);
    return;
  }
  if (at(".callprototype") || at(".calltargets")) return skip_to_semicolon();
  const auto at_statement = static_cast<std::uint32_t>(function_->statements.size());
  if (!scope.labels.emplace(name, at_statement).second)
    throw UserError(file_ + ":" + std::to_string(line) + ": label `" + std::string(name) +
                    "` is defined twice");
}

void Parser::statement() {
  Statement s;
  s.line = token_.line;
  if (accept("@")) {
    s.guarded = true;
    s.guard_negate = accept("!");
    const std::string_view name = expect_name("a predicate register");
    const Symbol symbol = lookup(name);
    if (symbol.kind != Operand::Kind::reg || function_->registers[symbol.index].type != Type::pred)
      fail("`" + std::string(name) + "` is not a predicate register");
    s.guard = symbol.index;
  }
  const unsigned line = token_.line;
  s.line = line;
  s.source = source_;
  const std::string_view word = expect_name("an instruction");
  if (!s.guarded && accept(":")) return label(word, line);
  if (word.front() == '.' || word.front() == '%') {
    throw UserError(file_ + ":" + std::to_string(line) + ": `" + std::string(word) +
                    "` is not an instruction");
  }
  s.opcode = word;
  if (!at(";")) {
    do {
      s.operands.push_back(operand());
      if (s.operands.size() > 16) fail("too many operands");
    } while (accept(","));
  }
  expect(";");
  if (!texture_call(s) && !fragment_operation(s)) function_->statements.push_back(std::move(s));
}

Operand Parser::list(std::string_view close, Operand::Kind kind) {
  Operand o;
  o.kind = kind;
  while (!at(close)) {
    o.elements.push_back(operand());
    if (o.elements.size() > 4096) fail("too many operands");
    if (!accept(",")) break;
  }
  expect(close);
  return o;
}

Operand Parser::number(bool negative) {
  Operand o;
  o.bits = token_.bits;
  switch (token_.kind) {
    case TokenKind::integer:
      o.kind = Operand::Kind::integer;
      if (negative) o.bits = std::uint64_t(0) - o.bits;
      break;
    case TokenKind::float32:
      o.kind = Operand::Kind::float32;
      if (negative) o.bits ^= 0x80000000ULL;
      break;
    case TokenKind::float64:
      o.kind = Operand::Kind::float64;
      if (negative) o.bits ^= std::uint64_t(1) << 63;
      break;
    default:
      fail_here("a number");
  }
  advance();
  return o;
}

Operand Parser::named() {
  const std::string_view name = token_.text;
  advance();
  Operand o;
  o.text = name;
  if (name == "_") {
    o.kind = Operand::Kind::sink;
    return o;
  }
  if (name == "WARP_SZ") {  // a constant that PTX has by itself
    o.kind = Operand::Kind::integer;
    o.bits = kWarpLanes;
    return o;
  }
  const Symbol symbol = lookup(name);
  o.kind = symbol.kind;
  o.index = symbol.index;
  if (symbol.kind == Operand::Kind::none) {
    if (name.front() == '%') {
      if (parse_special(name) == Special::none)
        fail("`" + std::string(name) + "` is neither declared nor a special register");
      o.kind = Operand::Kind::special;
    } else {
      o.kind = Operand::Kind::name;  // a label further down, or a function
      o.scope = names().scope;
    }
  }
  return o;
}

Operand Parser::address() {
  Operand o;
  o.kind = Operand::Kind::address;
  o.elements.push_back(operand());
  // `[base+offset]`: operand() has taken the offset of a symbol, a register's is still here.
  while (at("+") || at("-")) {
    const bool minus = at("-");
    advance();
    const bool minus_again = accept("-");
    const std::uint64_t value = expect_integer("an offset");
    o.offset += minus != minus_again ? std::uint64_t(0) - value : value;
  }
  while (accept(",")) o.elements.push_back(operand());
  expect("]");
  return o;
}

Operand Parser::operand() {
  if (++depth_ > kMaxOperandNesting) fail("operands nested too deeply");
  Operand o;
  if (accept("{")) {
    o = list("}", Operand::Kind::vector);
  } else if (accept("(")) {
    o = list(")", Operand::Kind::list);
  } else if (accept("[")) {
    o = address();
  } else if (accept("!")) {
    if (token_.kind != TokenKind::identifier) fail_here("a predicate register");
    o = named();
    o.negate = true;
  } else if (accept("-")) {
    o = number(true);
  } else if (token_.kind == TokenKind::identifier) {
    o = named();
    if (o.kind == Operand::Kind::variable || o.kind == Operand::Kind::module_variable) {
      while (at("+") || at("-")) {
        const bool minus = at("-");
        advance();
        const std::uint64_t value = expect_integer("an offset");
        o.offset += minus ? std::uint64_t(0) - value : value;
      }
    }
    if (accept("|")) {
      Operand second = operand();
      o.elements.push_back(std::move(second));
    }
  } else {
    o = number(false);
  }
  --depth_;
  return o;
}

}  // namespace warpmem::program::ptx
