#include "runtime/wheels/wheel/platform_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"

namespace wheelwright {
namespace {

// The newest versions that systems with a glibc 2.N have. A row holds up to the next one.
struct PolicyRow {
  unsigned glibc_minor;
  std::string_view glibcxx, cxxabi, gcc, zlib, libatomic;
};
constexpr std::array kPolicies = {
    PolicyRow{5, "3.4.8", "1.3.1", "4.2.0", "", ""},
    PolicyRow{12, "3.4.13", "1.3.3", "4.3.0", "1.2.2.4", ""},
    PolicyRow{17, "3.4.19", "1.3.7", "4.8.0", "1.2.5.2", ""},
    PolicyRow{24, "3.4.22", "1.3.10", "4.8.0", "1.2.5.2", "1.2"},
    PolicyRow{27, "3.4.24", "1.3.11", "7.0.0", "1.2.9", "1.2"},
    PolicyRow{31, "3.4.28", "1.3.12", "7.0.0", "1.2.9", "1.2"},
    PolicyRow{34, "3.4.29", "1.3.13", "7.0.0", "1.2.9", "1.2"},
    PolicyRow{35, "3.4.30", "1.3.13", "12.0.0", "1.2.9", "1.2"},
    PolicyRow{37, "3.4.30", "1.3.13", "12.0.0", "1.2.12", "1.2"},
    PolicyRow{39, "3.4.33", "1.3.15", "14.0.0", "1.2.12", "1.2"},
};

// Versions that are no numbers, and the first policy that has them.
struct NamedVersion {
  std::string_view name;
  unsigned glibc_minor;
};
constexpr std::array kNamedVersions = {NamedVersion{"CXXABI_TM_1", 17},
                                       NamedVersion{"CXXABI_FLOAT128", 24},
                                       NamedVersion{"GLIBC_ABI_DT_RELR", 36}};

// libmvec came with glibc 2.22, libexpat with the images of manylinux2010.
struct PolicyLibrary {
  std::string_view name;
  unsigned glibc_minor;
};
constexpr std::array kLibraries = {
    PolicyLibrary{"libGL.so.1", 0},          PolicyLibrary{"libICE.so.6", 0},
    PolicyLibrary{"libSM.so.6", 0},          PolicyLibrary{"libX11.so.6", 0},
    PolicyLibrary{"libXext.so.6", 0},        PolicyLibrary{"libXrender.so.1", 0},
    PolicyLibrary{"libanl.so.1", 0},         PolicyLibrary{"libatomic.so.1", 0},
    PolicyLibrary{"libc.so.6", 0},           PolicyLibrary{"libdl.so.2", 0},
    PolicyLibrary{"libgcc_s.so.1", 0},       PolicyLibrary{"libglib-2.0.so.0", 0},
    PolicyLibrary{"libgobject-2.0.so.0", 0}, PolicyLibrary{"libgthread-2.0.so.0", 0},
    PolicyLibrary{"libm.so.6", 0},           PolicyLibrary{"libnsl.so.1", 0},
    PolicyLibrary{"libpthread.so.0", 0},     PolicyLibrary{"libresolv.so.2", 0},
    PolicyLibrary{"librt.so.1", 0},          PolicyLibrary{"libstdc++.so.6", 0},
    PolicyLibrary{"libutil.so.1", 0},        PolicyLibrary{"libz.so.1", 0},
    PolicyLibrary{"libexpat.so.1", 12},      PolicyLibrary{"libmvec.so.1", 24},
};

// The newest version of a family in a row; nothing for families without limits.
std::optional<std::string_view> Column(const PolicyRow& row, std::string_view family) {
  if (family == "GLIBCXX") return row.glibcxx;
  if (family == "CXXABI") return row.cxxabi;
  if (family == "GCC") return row.gcc;
  if (family == "ZLIB") return row.zlib;
  if (family == "LIBATOMIC") return row.libatomic;
  return std::nullopt;
}

// The numbers behind the family; empty when it has others than numbers.
std::vector<unsigned> Numbers(std::string_view version) {
  std::vector<unsigned> numbers;
  if (version.empty()) return numbers;
  for (const std::string_view part : Split(version, '.')) {
    const std::optional<unsigned> number = ReadWholeNumber<unsigned>(part);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::string_view BehindFamily(std::string_view version) {
  const std::size_t bar = version.find('_');
  return bar == std::string_view::npos ? std::string_view() : version.substr(bar + 1);
}

}  // namespace

std::string_view VersionFamily(std::string_view symbol_version) {
  return symbol_version.substr(0, symbol_version.find('_'));
}

bool IsNewerVersion(std::string_view symbol_version, std::string_view other) {
  return Numbers(BehindFamily(symbol_version)) > Numbers(BehindFamily(other));
}

std::optional<unsigned> LeastPolicyWith(std::string_view symbol_version) {
  for (const NamedVersion& named : kNamedVersions) {
    if (named.name == symbol_version) return named.glibc_minor;
  }
  const std::string_view family = VersionFamily(symbol_version);
  const std::vector<unsigned> numbers = Numbers(BehindFamily(symbol_version));
  if (family == "GLIBC") {
    if (numbers.size() < 2 || numbers[0] != 2) return std::nullopt;
    return std::max(numbers[1], kPolicies.front().glibc_minor);
  }
  if (!Column(kPolicies.front(), family)) return 0;
  if (numbers.empty()) return std::nullopt;
  for (const PolicyRow& row : kPolicies) {
    if (numbers <= Numbers(*Column(row, family))) return row.glibc_minor;
  }
  return std::nullopt;
}

std::string NewestOfPolicy(std::string_view symbol_version, unsigned glibc_minor) {
  const std::string_view family = VersionFamily(symbol_version);
  if (family == "GLIBC") return fmt::format("GLIBC_2.{}", glibc_minor);
  std::string_view newest;
  for (const PolicyRow& row : kPolicies) {
    if (row.glibc_minor <= glibc_minor) newest = Column(row, family).value_or("");
  }
  return newest.empty() ? std::string() : fmt::format("{}_{}", family, newest);
}

bool ManylinuxHas(std::string_view library, unsigned glibc_minor) {
  if (library.starts_with("ld-linux")) return true;
  return std::ranges::any_of(kLibraries, [&](const PolicyLibrary& known) {
    return known.name == library && known.glibc_minor <= glibc_minor;
  });
}

bool MusllinuxHas(std::string_view library) {
  return library == "libc.so" || library == "libz.so.1" || library.starts_with("ld-musl-") ||
         library.starts_with("libc.musl-");
}

}  // namespace wheelwright
