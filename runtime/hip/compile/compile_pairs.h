// Compiles each source for each target: what is not in the cache, several at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "runtime/hip/compile/compile_cache.h"
#include "runtime/hip/compile/compile_commands.h"
#include "runtime/hip/compile/compile_process.h"
#include "runtime/hip/compile/precompile.h"

namespace wheelwright {

class PairCompiler {
 public:
  // All are borrowed.
  PairCompiler(const CompileSettings& settings, const CompileCommands& commands, Host& host,
               CompileCache& cache, SourceSums& sums);

  // All pairs, ordered by source, then by target. `report` is called with each pair that ended, one
  // call at a time, and how many have ended; `on_wait` before waiting for another run that compiles
  // the same.
  std::vector<Pair> Run(const std::function<void(const Pair&, std::size_t)>& report,
                        const std::function<void()>& on_wait);

 private:
  bool FindInCache(const std::string& key, Pair& pair);
  // Fills `found` for the pairs for GPUs. Returns the keys of the others.
  std::vector<std::string> FindAll(std::vector<Pair>& pairs, std::vector<char>& found);
  std::string KeyOf(const Pair& pair, std::string_view inputs) const;
  // With the precompiled header, if there is one; when that fails, without.
  CompileOutcome Compile(const Pair& pair, const std::vector<std::string>& command,
                         const std::string& object) const;
  void CompileDevice(Pair& pair, const std::string& object);
  void CompileHost(Pair& pair, const std::string& object, const std::vector<Pair>& pairs);

  const CompileSettings& settings_;
  const CompileCommands& commands_;
  Host& host_;
  CompileCache& cache_;
  SourceSums& sums_;
  CompileProcess process_;
  PrecompiledHeaders headers_;
};

}  // namespace wheelwright
