// The program of all fuzzers.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/fuzz/fuzzer.h"

namespace wheelwright {
namespace {

const Fuzzer* first_fuzzer = nullptr;
const Fuzzer* chosen_fuzzer = nullptr;

}  // namespace

Fuzzer::Fuzzer(std::string_view its_name, TryInput its_function)
    : name(its_name), try_input(its_function), next(first_fuzzer) {
  first_fuzzer = this;
}

}  // namespace wheelwright

// libFuzzer calls this once, before all inputs.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** argv) {
  using namespace wheelwright;  // NOLINT(google-build-using-namespace): of a test alone
  std::string_view program = (*argv)[0];
  program.remove_prefix(program.rfind('/') + 1);
  chosen_fuzzer = first_fuzzer;
  while (chosen_fuzzer != nullptr && std::string(chosen_fuzzer->name) + "_fuzz" != program) {
    chosen_fuzzer = chosen_fuzzer->next;
  }
  if (chosen_fuzzer != nullptr) return 0;
  std::fprintf(stderr, "start this program by one of the links beside it\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wheelwright::chosen_fuzzer->try_input(data, size);
  return 0;
}
