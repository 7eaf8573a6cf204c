// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/fragment_form.hpp"

#include <algorithm>

namespace warpmem::program::ptx {
namespace {

constexpr unsigned kAllShapes = 4;
constexpr std::array<FragmentShape, kAllShapes> kShapes = {
    {{"m16n16k16", 16, 16}, {"m32n8k16", 32, 16}, {"m8n32k16", 8, 16}, {"m16n16k8", 16, 8}}};
constexpr std::array<FragmentType, 7> kTypes = {{{"f16", 2, 16, true},
                                                 {"bf16", 2, 16, false},
                                                 {"s8", 1, 16, false},
                                                 {"u8", 1, 16, false},
                                                 {"tf32", 4, 8, false},
                                                 {"f32", 4, 0, true},
                                                 {"s32", 4, 0, true}}};

struct Product {
  std::string_view types;  ///< behind the shape
  std::string_view operands, sums;
  std::string_view instruction;
};
constexpr std::array<Product, 8> kProducts = {
    {{"f32.f32", "f16", "f32", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
     {"f16.f16", "f16", "f16", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"},
     {"f32.bf16.bf16.f32", "bf16", "f32", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"},
     {"f32.tf32.tf32.f32", "tf32", "f32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"},
     {"s32.s8.s8.s32", "s8", "s32", "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32"},
     {"s32.u8.u8.s32", "u8", "s32", "mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32"},
     {"s32.s8.s8.s32.satfinite", "s8", "s32",
      "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32"},
     {"s32.u8.u8.s32.satfinite", "u8", "s32",
      "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.u8.s32"}}};

template <class Row, std::size_t n>
const Row* find_named(const std::array<Row, n>& rows, std::string_view name) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [name](const Row& r) { return r.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

/// Takes the words of an opcode one after the other.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}
  std::string_view next() {
    const std::size_t dot = std::min(text_.find('.'), text_.size());
    const std::string_view word = text_.substr(0, dot);
    text_.remove_prefix(std::min(dot + 1, text_.size()));
    return word;
  }
  bool is(std::string_view word) { return next() == word; }
  bool layout(bool& rows) {
    const std::string_view word = next();
    rows = word == "row";
    return rows || word == "col";
  }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

bool read_access(Words words, std::string_view use, FragmentForm& form) {
  using Operation = FragmentForm::Operation;
  const bool load = form.operation == Operation::load;
  if (load && use == "a")
    form.use = FragmentUse::a;
  else if (load && use == "b")
    form.use = FragmentUse::b;
  else if (use != (load ? "c" : "d"))
    return false;
  if (!words.is("sync") || !words.is("aligned") || !words.layout(form.rows)) return false;
  form.shape = find_named(kShapes, words.next());
  const std::string_view rest = words.rest();
  const std::string_view space = words.next();
  const bool named = !words.rest().empty();
  const auto* const known =
      std::find(kFragmentSpaces.begin(), kFragmentSpaces.end(), named ? space : "");
  if (form.shape == nullptr || known == kFragmentSpaces.end()) return false;
  form.space = static_cast<std::size_t>(known - kFragmentSpaces.begin());
  form.type = find_named(kTypes, named ? words.rest() : rest);
  if (form.type == nullptr) return false;
  return form.use == FragmentUse::sums
             ? form.type->sums && (form.shape->inner == 16 || form.type->name == "f32")
             : form.type->inner == form.shape->inner;
}

bool read_product(Words words, FragmentForm& form) {
  bool rows;
  if (!words.is("sync") || !words.is("aligned") || !words.layout(rows) || !words.layout(rows))
    return false;
  form.shape = find_named(kShapes, words.next());
  const auto* const product =
      std::find_if(kProducts.begin(), kProducts.end(),
                   [&words](const Product& p) { return p.types == words.rest(); });
  if (form.shape == nullptr || product == kProducts.end()) return false;
  form.type = find_named(kTypes, product->operands);
  form.sums = find_named(kTypes, product->sums);
  form.product = product->instruction;
  return form.type->inner == form.shape->inner;
}

}  // namespace

bool read_form(std::string_view opcode, FragmentForm& form) {
  using Operation = FragmentForm::Operation;
  Words words(opcode);
  if (!words.is("wmma")) return false;
  const std::string_view operation = words.next();
  if (operation == "mma") {
    form.operation = Operation::multiply;
    return read_product(words, form);
  }
  if (operation != "load" && operation != "store") return false;
  form.operation = operation == "load" ? Operation::load : Operation::store;
  const std::string_view use = words.next();
  return read_access(words, use, form);
}

bool lies_together(const FragmentForm& form) {
  switch (form.use) {
    case FragmentUse::a:
      return form.rows;
    case FragmentUse::b:
      return !form.rows;
    case FragmentUse::sums:
      break;
  }
  return form.rows != (form.shape->m == 8);
}

unsigned dense_stride(const FragmentForm& form) {
  const unsigned m = form.shape->m, n = 256 / m, k = form.shape->inner;
  const unsigned rows = form.use == FragmentUse::b ? k : m;
  const unsigned columns = form.use == FragmentUse::a ? k : n;
  return form.rows ? columns : rows;
}

}  // namespace warpmem::program::ptx
