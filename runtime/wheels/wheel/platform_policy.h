// What platform tags promise of the systems that their wheels run on: versions of glibc and of the
// libraries beside it, and which libraries are there.
//
// manylinux: https://peps.python.org/pep-0600/, musllinux: https://peps.python.org/pep-0656/. The
// limits are those of auditwheel, to which PEP 600 leaves them:
// https://github.com/pypa/auditwheel/blob/main/src/auditwheel/policy/manylinux-policy.json
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wheelwright {

// The least N of a manylinux_2_N whose systems have that version of a library's symbols:
// 28 for "GLIBC_2.28", 34 for "GLIBCXX_3.4.29", 0 for libraries that no policy limits. Nothing for
// versions that none has, such as GLIBC_PRIVATE.
std::optional<unsigned> LeastPolicyWith(std::string_view symbol_version);

// The newest version that systems of manylinux_2_N have, of the library of `symbol_version`:
// "GLIBCXX_3.4.24" for "GLIBCXX_3.4.30" and 28; "" where none is promised.
std::string NewestOfPolicy(std::string_view symbol_version, unsigned glibc_minor);

// "GLIBCXX" of "GLIBCXX_3.4.24".
std::string_view VersionFamily(std::string_view symbol_version);

// Whether a version is newer, compared as numbers: GLIBC_2.17 is newer than GLIBC_2.5.
bool IsNewerVersion(std::string_view symbol_version, std::string_view other);

// Whether every system of manylinux_2_N has the library: "libc.so.6".
bool ManylinuxHas(std::string_view library, unsigned glibc_minor);

// Whether every system of musllinux tags has it: "libc.musl-x86_64.so.1".
bool MusllinuxHas(std::string_view library);

}  // namespace wheelwright
