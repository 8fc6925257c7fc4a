#include "runtime/store/digest/crc.h"

#include <array>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#define WHEELWRIGHT_X86 1
#include <nmmintrin.h>
#include <wmmintrin.h>
#endif

namespace wheelwright {
namespace {

// Polynomials with their bits reversed: the lowest bit belongs to the highest power.
// https://reveng.sourceforge.io/crc-catalogue/all.htm
constexpr std::uint64_t kCrc64NvmePolynomial = 0x9A6C9329AC4BC9B5;
constexpr std::uint32_t kCrc32cPolynomial = 0x82F63B78;
constexpr std::uint32_t kCrc32Polynomial = 0xEDB88320;

// Arithmetic modulo one polynomial, with as many bits as a Word.
template <typename Word, Word kPolynomial>
struct Field {
  static constexpr int kBits = sizeof(Word) * 8;
  static constexpr Word kOne = Word{1} << (kBits - 1);

  static constexpr Word TimesX(Word a) {
    return static_cast<Word>(a >> 1 ^ ((a & 1) != 0 ? kPolynomial : 0));
  }

  static constexpr Word Times(Word a, Word b) {
    Word product = 0;
    for (; a != 0; a = static_cast<Word>(a << 1)) {
      if ((a & kOne) != 0) product ^= b;
      b = TimesX(b);
    }
    return product;
  }

  // x to the power of `exponent`.
  static constexpr Word PowerOfX(std::uint64_t exponent) {
    Word power = kOne;
    for (Word square = TimesX(kOne); exponent != 0; exponent >>= 1) {
      if ((exponent & 1) != 0) power = Times(square, power);
      square = Times(square, square);
    }
    return power;
  }

  // Tables for eight bytes at a time.
  static constexpr auto kTables = [] {
    std::array<std::array<Word, 256>, 8> tables{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
      auto crc = static_cast<Word>(byte);
      for (int bit = 0; bit < 8; ++bit) crc = TimesX(crc);
      tables[0][byte] = crc;
    }
    for (std::size_t i = 1; i < 8; ++i) {
      for (std::size_t byte = 0; byte < 256; ++byte) {
        const Word before = tables[i - 1][byte];
        tables[i][byte] = static_cast<Word>(before >> 8 ^ tables[0][before & 255]);
      }
    }
    return tables;
  }();

  static Word ByTable(Word crc, std::span<const Byte> bytes) {
    while (bytes.size() >= 8) {
      Word next = 0;
      for (std::size_t i = 0; i < 8; ++i) {
        const Byte held = i < sizeof(Word) ? static_cast<Byte>(crc >> (8 * i)) : Byte{0};
        next ^= kTables[7 - i][static_cast<Byte>(held ^ bytes[i])];
      }
      crc = next;
      bytes = bytes.subspan(8);
    }
    for (const Byte byte : bytes) {
      crc = static_cast<Word>(crc >> 8 ^ kTables[0][static_cast<Byte>(crc ^ byte)]);
    }
    return crc;
  }
};

using Nvme = Field<std::uint64_t, kCrc64NvmePolynomial>;
using Castagnoli = Field<std::uint32_t, kCrc32cPolynomial>;
using Iso = Field<std::uint32_t, kCrc32Polynomial>;

#ifdef WHEELWRIGHT_X86

__attribute__((target("sse4.2"))) std::uint32_t ByInstruction(std::uint32_t crc,
                                                              std::span<const Byte> bytes) {
  std::uint64_t wide = crc;
  while (bytes.size() >= 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data(), 8);
    wide = _mm_crc32_u64(wide, eight);
    bytes = bytes.subspan(8);
  }
  auto narrow = static_cast<std::uint32_t>(wide);
  for (const Byte byte : bytes) narrow = _mm_crc32_u8(narrow, byte);
  return narrow;
}

// The constants that move either half of sixteen bytes ahead by this many bits. A product of
// reversed words is one power short; the constants include it.
__attribute__((target("sse4.1"))) __m128i Ahead(std::uint64_t low, std::uint64_t high) {
  return _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
}

__attribute__((target("pclmul,sse4.1"))) __m128i Folded(__m128i held, __m128i ahead, __m128i next) {
  return _mm_xor_si128(next, _mm_xor_si128(_mm_clmulepi64_si128(held, ahead, 0x00),
                                           _mm_clmulepi64_si128(held, ahead, 0x11)));
}

// Folds four runs of sixteen bytes in parallel by two carry-less multiplications each: V. Gopal and
// others, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ", Intel, 2009.
template <typename F, typename Word>
__attribute__((target("pclmul,sse4.1"))) Word ByMultiplication(Word crc,
                                                               std::span<const Byte> bytes) {
  constexpr std::size_t kStride = 64;
  if (bytes.size() < 2 * kStride) return F::ByTable(crc, bytes);
  // The highest bit is of the lowest power, however few powers there are.
  const auto power = [](std::uint64_t exponent) {
    return std::uint64_t{F::PowerOfX(exponent)} << (64 - F::kBits);
  };
  constexpr std::uint64_t kFar[] = {power(512 + 63), power(512 - 1)};
  constexpr std::uint64_t kNear[] = {power(128 + 63), power(128 - 1)};
  const __m128i far = Ahead(kFar[0], kFar[1]);
  const __m128i near = Ahead(kNear[0], kNear[1]);
  const auto load = [&](std::size_t at) __attribute__((target("pclmul,sse4.1"))) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data() + at));
  };
  __m128i held[4];
  for (std::size_t i = 0; i < 4; ++i) held[i] = load(16 * i);
  held[0] = _mm_xor_si128(held[0], Ahead(crc, 0));
  for (bytes = bytes.subspan(kStride); bytes.size() >= kStride; bytes = bytes.subspan(kStride)) {
    for (std::size_t i = 0; i < 4; ++i) held[i] = Folded(held[i], far, load(16 * i));
  }
  for (std::size_t i = 1; i < 4; ++i) held[i] = Folded(held[i - 1], near, held[i]);
  Byte last[16];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(last), held[3]);
  return F::ByTable(F::ByTable(0, last), bytes);
}

#endif

std::uint32_t Crc32c(std::uint32_t crc, std::span<const Byte> bytes) {
#ifdef WHEELWRIGHT_X86
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return ByInstruction(crc, bytes);
#endif
  return Castagnoli::ByTable(crc, bytes);
}

template <typename F, typename Word>
Word ByFields(Word crc, std::span<const Byte> bytes) {
#ifdef WHEELWRIGHT_X86
  static const bool has_instruction =
      __builtin_cpu_supports("pclmul") != 0 && __builtin_cpu_supports("sse4.1") != 0;
  if (has_instruction) return ByMultiplication<F>(crc, bytes);
#endif
  return F::ByTable(crc, bytes);
}

template <typename F, typename Word>
Word Joined(Word first, Word second, std::uint64_t second_length) {
  return F::Times(F::PowerOfX(8 * second_length), first) ^ second;
}

}  // namespace

std::string_view NameOf(CrcKind kind) {
  switch (kind) {
    case CrcKind::kCrc64Nvme:
      return "CRC-64";
    case CrcKind::kCrc32c:
      return "CRC-32C";
    case CrcKind::kCrc32:
      return "CRC-32";
  }
  return "";
}

std::string BytesOf(const WholeCrc& crc) {
  std::string bytes;
  for (int bits = crc.kind == CrcKind::kCrc64Nvme ? 64 : 32; bits > 0; bits -= 8) {
    bytes += static_cast<char>(crc.value >> (bits - 8) & 255);
  }
  return bytes;
}

std::uint64_t Crc(CrcKind kind, std::uint64_t before, std::span<const Byte> bytes) {
  const auto narrow = static_cast<std::uint32_t>(before);
  switch (kind) {
    case CrcKind::kCrc64Nvme:
      return ~ByFields<Nvme>(~before, bytes);
    case CrcKind::kCrc32c:
      return static_cast<std::uint32_t>(~Crc32c(~narrow, bytes));
    case CrcKind::kCrc32:
      return static_cast<std::uint32_t>(~ByFields<Iso>(~narrow, bytes));
  }
  return 0;
}

std::uint64_t JoinedCrc(CrcKind kind, std::uint64_t first, std::uint64_t second,
                        std::uint64_t second_length) {
  const auto a = static_cast<std::uint32_t>(first), b = static_cast<std::uint32_t>(second);
  switch (kind) {
    case CrcKind::kCrc64Nvme:
      return Joined<Nvme>(first, second, second_length);
    case CrcKind::kCrc32c:
      return Joined<Castagnoli>(a, b, second_length);
    case CrcKind::kCrc32:
      return Joined<Iso>(a, b, second_length);
  }
  return 0;
}

}  // namespace wheelwright
