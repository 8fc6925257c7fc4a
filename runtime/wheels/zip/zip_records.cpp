#include "runtime/wheels/zip/zip_records.h"

namespace wheelwright::zip {
namespace {

constexpr std::uint16_t kZip64Extra = 0x0001, kUnicodePathExtra = 0x7075;
constexpr std::uint32_t kIn64 = 0xFFFFFFFF;  // "see the zip64 field"

}  // namespace

void ReadExtra(const Byte* extra, std::size_t length, bool directory, Account& account) {
  bool seen64 = false;
  while (length > 0) {
    if (length < 4 || length - 4 < U16(extra + 2)) {
      account.problem = "its extra fields are broken";
      return;
    }
    const std::uint16_t id = U16(extra);
    const std::size_t size = U16(extra + 2);
    const Byte* field = extra + 4;
    if (id == kUnicodePathExtra) account.problem = "an extra field gives it a second name";
    if (id == kZip64Extra) {
      // A local header has both sizes or none; the directory only the full ones.
      const bool wants_size = account.size == kIn64, wants_packed = account.packed == kIn64;
      const bool both = !directory && (wants_size || wants_packed);
      const std::size_t wanted = 8 * (std::size_t{wants_size || both} + (wants_packed || both) +
                                      (directory && account.header == kIn64));
      if (seen64 || size != wanted) {
        account.problem = "its zip64 field does not hold what it should";
        return;
      }
      seen64 = true;
      if (wants_size) account.size = U64(field);
      if (wants_size || both) field += 8;
      if (wants_packed) account.packed = U64(field);
      if (wants_packed || both) field += 8;
      if (directory && account.header == kIn64) account.header = U64(field);
    }
    extra += 4 + size;
    length -= 4 + size;
  }
}

}  // namespace wheelwright::zip
