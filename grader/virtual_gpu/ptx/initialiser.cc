// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/ptx/initialiser.h"

#include <bit>
#include <cstring>

#include "grader/messages/ptx.h"
#include "grader/virtual_gpu/ptx/parser.h"

namespace warplings::ptx {
namespace {

constexpr std::uint32_t kPointerBytes = 8;

bool IsInteger(Type type) {
  return type >= Type::kB8 && type <= Type::kS64 && type != Type::kB128;
}

class InitialiserParser {
 public:
  InitialiserParser(Scanner& scanner, Variable& variable, const std::vector<std::uint64_t>& extents,
                    Budget& budget)
      : scanner_(scanner),
        variable_(variable),
        extents_(extents),
        budget_(budget),
        element_bytes_(TypeBytes(variable.type)) {}

  void Parse() {
    const bool open = !extents_.empty() && extents_[0] == 0;
    if (!open) Grow(variable_.Bytes());
    if (scanner_.Peek() == '{') {
      TakeBraces(0, 0);
    } else {
      if (variable_.is_array) scanner_.FailExpected("'{' before an array's values");
      TakeValue(0);
    }
    if (open) variable_.count = variable_.initial.size() / element_bytes_;
    FinishMasks();
  }

 private:
  /// Elements that one value of dimension `level` covers.
  std::uint64_t Stride(std::size_t level) const {
    std::uint64_t stride = 1;
    for (std::size_t i = level + 1; i < extents_.size(); ++i) stride *= extents_[i];
    return stride;
  }

  void Grow(std::uint64_t bytes) {
    const std::uint64_t more = bytes - variable_.initial.size();
    if (more > kMaxInitialBytes - budget_.initial_bytes) {
      scanner_.Fail(say::values_too_large(kMaxInitialBytes));
    }
    budget_.initial_bytes += more;
    variable_.initial.resize(bytes);
  }

  /// `first`: the element at which the braces begin. Values may be fewer than the extent; a flat list
  /// in the outermost braces fills all dimensions.
  void TakeBraces(std::size_t level, std::uint64_t first) {
    scanner_.Expect('{', "before values");
    if (level >= std::max<std::size_t>(extents_.size(), 1)) scanner_.Fail(say::braces_deeper_than_array());
    const std::uint64_t stride = Stride(level);
    const bool open = level == 0 && !extents_.empty() && extents_[0] == 0;
    const std::uint64_t extent = extents_.empty() ? 1 : extents_[level];
    const std::uint64_t end = open ? kMaxInitialBytes : first + extent * stride;
    std::uint64_t next = first;
    if (!scanner_.TryTake('}')) {
      do {
        const bool nested = scanner_.Peek() == '{';
        const std::uint64_t width = nested ? stride : 1;
        if (next + width > end) scanner_.Fail(say::more_values_than_elements(Quoted(variable_.name)));
        if (open && (next + width) * element_bytes_ > variable_.initial.size()) {
          Grow((next + width) * element_bytes_);
        }
        if (nested) {
          TakeBraces(level + 1, next);
        } else {
          TakeValue(next * element_bytes_);
        }
        next += width;
      } while (scanner_.TryTake(','));
      scanner_.Expect('}', "after values");
    }
  }

  void TakeValue(std::uint64_t offset) {
    if (scanner_.AtIdentifier()) {
      const auto address = TakeAddress(offset);
      if (element_bytes_ != kPointerBytes) scanner_.Fail(say::address_needs_8_bytes());
      budget_.TakeOperand(scanner_);
      variable_.relocations.push_back(address);
      return;
    }
    if (!scanner_.AtNumber()) scanner_.FailExpected("a value");
    const Number number = scanner_.TakeNumber();
    if (scanner_.Peek() == '(') {
      TakeMaskedAddress(number, offset);
    } else {
      Store(number, offset);
    }
  }

  /// `x`, `x+4`, `generic(x)`, `generic(x)+4`.
  Variable::Relocation TakeAddress(std::uint64_t offset) {
    Variable::Relocation address;
    address.offset = offset;
    std::string_view name = scanner_.TakeIdentifier("a symbol");
    if (name == "generic" && scanner_.TryTake('(')) {
      address.is_generic = true;
      name = scanner_.TakeIdentifier("a symbol");
      address.addend = TakeAddend();
      scanner_.Expect(')', "after generic(");
    }
    address.symbol = name;
    address.addend += TakeAddend();
    return address;
  }

  std::int64_t TakeAddend() {
    const char c = scanner_.Peek();
    if (c != '+' && c != '-') return 0;
    scanner_.TryTake('+');  // "x+-8" and "x-8" are both written.
    const std::int64_t addend = scanner_.TakeSigned("an offset");
    if (addend > std::int64_t{1} << 40 || addend < -(std::int64_t{1} << 40))
      scanner_.Fail(say::offset_too_large());
    return addend;
  }

  /// PTX ISA, "Initializers": mask 0xFF << 8n picks byte n of the address. nvcc writes such bytes for
  /// structures that mix pointers with other members, always all eight of them in a row.
  void TakeMaskedAddress(const Number& mask, std::uint64_t offset) {
    scanner_.Expect('(', "after a mask");
    Variable::Relocation address = TakeAddress(offset);
    scanner_.Expect(')', "after a masked address");
    if (element_bytes_ != 1) scanner_.Fail(say::masked_address_needs_byte());
    if (masked_bytes_ == 0) variable_.relocations.push_back(address);
    const Variable::Relocation& whole = variable_.relocations.back();
    const bool continues = whole.offset + masked_bytes_ == offset && whole.symbol == address.symbol &&
                           whole.addend == address.addend && whole.is_generic == address.is_generic;
    if (mask.is_float || !continues || mask.bits != std::uint64_t{0xFF} << (8 * masked_bytes_)) {
      scanner_.Fail(say::masked_bytes_apart());
    }
    masked_bytes_ = (masked_bytes_ + 1) % kPointerBytes;
  }

  void FinishMasks() {
    if (masked_bytes_ != 0) {
      scanner_.Fail(say::masked_bytes_apart());
    }
  }

  void Store(const Number& number, std::uint64_t offset) {
    if (number.is_float ? !IsFloat(variable_.type) : !IsInteger(variable_.type)) {
      scanner_.Fail(number.is_float ? say::float_does_not_fit(Quoted(variable_.name))
                                    : say::integer_does_not_fit(Quoted(variable_.name)));
    }
    std::uint64_t bits = number.is_float ? FloatBits(number) : number.bits;
    if (!number.is_float) CheckRange(number);
    std::memcpy(variable_.initial.data() + offset, &bits, element_bytes_);
  }

  /// A constant's bits in the variable's own type; 0f and 0d may stand for either.
  std::uint64_t FloatBits(const Number& number) const {
    const bool wide = variable_.type == Type::kF64;
    if (wide == number.is_double) return number.bits;
    if (wide) {
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(number.bits));
      return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    }
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(number.bits)));
  }

  void CheckRange(const Number& number) {
    if (element_bytes_ >= 8) return;
    const unsigned width = element_bytes_ * 8;
    const bool fits = number.negative
                          ? static_cast<std::int64_t>(number.bits) >= -(std::int64_t{1} << (width - 1))
                          : number.bits < std::uint64_t{1} << width;
    if (!fits) scanner_.Fail(say::value_does_not_fit(Quoted(variable_.name)));
  }

  Scanner& scanner_;
  Variable& variable_;
  const std::vector<std::uint64_t>& extents_;
  Budget& budget_;
  std::uint32_t element_bytes_;
  std::uint32_t masked_bytes_ = 0;  ///< Bytes of the last relocation that are seen, 0 when it is whole.
};

}  // namespace

void ParseInitialiser(Scanner& scanner, Variable& variable, const std::vector<std::uint64_t>& extents,
                      Budget& budget) {
  InitialiserParser(scanner, variable, extents, budget).Parse();
}

}  // namespace warplings::ptx
