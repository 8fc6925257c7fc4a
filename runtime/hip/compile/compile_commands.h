// The commands that compile pairs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/hip/compile/compile_pair.h"
#include "runtime/hip/compile/compiler.h"
#include "runtime/host/environment/host.h"

namespace wheelwright {

class CompileCommands {
 public:
  // Both are borrowed.
  CompileCommands(const HipCompiler& compiler, const std::vector<std::string>& flags)
      : compiler_(compiler), flags_(flags) {}

  // The compiler and all options that name no file.
  std::vector<std::string> Options(std::string_view target) const;
  // Compiles a source to `object`, and writes the list of headers that it reads to {object}.d.
  std::vector<std::string> Compile(const HipSource& source, std::string_view target,
                                   const std::string& object) const;
  // Compiles the host object, which embeds the bundle {object}.hipfb.
  std::vector<std::string> CompileHost(const HipSource& source, const std::string& object) const;
  // The cache key of a result: a digest of the command, the compiler, the digest of the source, the
  // variables that change include paths, and `inputs`, which says what else goes into the object.
  std::string Key(const HipSource& source, std::string_view target, std::string_view source_digest,
                  std::string_view inputs, const Host& host) const;

 private:
  const HipCompiler& compiler_;
  const std::vector<std::string>& flags_;
};

// Prints the commands of a dry run, one a line. Objects have names made of their source and target,
// since the temporary folder of a run is not known yet. Precompiled headers are mentioned but not
// printed: whether one works is only known once it was tried, and results are the same without.
void PrintCompileCommands(const CompileSettings& settings, const CompileCommands& commands,
                          Host& host);

}  // namespace wheelwright
