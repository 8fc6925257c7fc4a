#include "runtime/hip/compile/compile_pairs.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/platform/child_process.h"
#include "base/platform/file_access.h"
#include "runtime/hip/compile/host_bundle.h"
#include "runtime/hip/compile/pair_scheduler.h"
#include "runtime/hip/compile/pair_verdict.h"
#include "runtime/store/digest/digest.h"

namespace wheelwright {

PairCompiler::PairCompiler(const CompileSettings& settings, const CompileCommands& commands,
                           Host& host, CompileCache& cache, SourceSums& sums)
    : settings_(settings),
      commands_(commands),
      host_(host),
      cache_(cache),
      sums_(sums),
      process_(settings, host),
      headers_(settings, commands, process_, host) {}

std::string PairCompiler::KeyOf(const Pair& pair, std::string_view inputs) const {
  const HipSource& source = settings_.sources[pair.source];
  return commands_.Key(source, pair.target, sums_.Of(source.path), inputs, host_);
}

bool PairCompiler::FindInCache(const std::string& key, Pair& pair) {
  const auto outcome = cache_.Find(key);
  if (!outcome) return false;
  Judge(settings_, *outcome, pair);
  pair.cached = true;
  return true;
}

CompileOutcome PairCompiler::Compile(const Pair& pair, const std::vector<std::string>& command,
                                     const std::string& object) const {
  if (const std::string header = headers_.PathFor(pair); !header.empty()) {
    std::vector<std::string> words = command;
    words.insert(words.end(), {"-Xclang", "-include-pch", "-Xclang", header});
    CompileOutcome outcome = process_.Run(words, object, false);
    // A compile without the header could only hang again. Any other failure is repeated without,
    // for its messages and because the header may have caused it.
    if (outcome.end == CompileEnd::kPass || outcome.end == CompileEnd::kHang ||
        outcome.end == CompileEnd::kStopped) {
      std::erase_if(outcome.inputs, [&](const std::string& path) {
        return path.starts_with(settings_.work + "/");  // temporary
      });
      return outcome;
    }
  }
  // Launchers do not know that a host object depends on its bundle.
  return process_.Run(command, object, !pair.is_host());
}

void PairCompiler::CompileDevice(Pair& pair, const std::string& object) {
  const HipSource& source = settings_.sources[pair.source];
  const std::string key = KeyOf(pair, {});
  CompileOutcome outcome = Compile(pair, commands_.Compile(source, pair.target, object), object);
  if (!outcome.inputs.empty()) {
    const std::vector<std::string>& libraries = process_.DeviceLibraries(
        pair.target, commands_.Compile({.name = {}, .path = "/dev/null", .guards = {}}, pair.target,
                                       "unused.o"));
    outcome.inputs.insert(outcome.inputs.end(), libraries.begin(), libraries.end());
    cache_.Keep(key, outcome);
  }
  Judge(settings_, outcome, pair);
}

void PairCompiler::CompileHost(Pair& pair, const std::string& object,
                               const std::vector<Pair>& pairs) {
  const std::string bundle = BundleOf(pairs, pair.source, host_.files);
  const std::string key = KeyOf(pair, Hexadecimal(DigestOf(DigestKind::kSha256, bundle)));
  if (FindInCache(key, pair)) return;
  host_.files.Write(object + ".hipfb", bundle);
  CompileOutcome outcome =
      Compile(pair, commands_.CompileHost(settings_.sources[pair.source], object), object);
  cache_.Keep(key, outcome);
  Judge(settings_, outcome, pair);
}

std::vector<std::string> PairCompiler::FindAll(std::vector<Pair>& pairs, std::vector<char>& found) {
  std::vector<std::string> keys(pairs.size());
  ParallelFor(pairs.size(), settings_.jobs, [&](std::size_t i) {
    if (pairs[i].is_host() || found[i] != 0) return;
    std::string key = KeyOf(pairs[i], {});
    found[i] = FindInCache(key, pairs[i]) ? 1 : 0;
    if (found[i] == 0) keys[i] = std::move(key);
  });
  std::erase(keys, "");
  return keys;
}

std::vector<Pair> PairCompiler::Run(const std::function<void(const Pair&, std::size_t)>& report,
                                    const std::function<void()>& on_wait) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < settings_.sources.size(); ++i) {
    for (const GfxTarget& target : settings_.targets) {
      pairs.push_back({.source = i, .target = target.ToString()});
    }
    if (settings_.bundle) pairs.push_back({.source = i, .target = std::string(kHostTarget)});
  }
  std::vector<char> found(pairs.size(), 0);
  std::optional<FileLock> turn;
  if (const std::string path = cache_.TurnPath(FindAll(pairs, found)); !path.empty()) {
    turn.emplace(path, on_wait);
    if (InterruptedBy() != 0) return pairs;
    FindAll(pairs, found);
  }
  cache_.LoadEfforts();
  headers_.Make(pairs, found);

  const PairScheduler::Report ended = [&](const Pair& pair, std::size_t count) {
    if (!pair.cached && pair.status != PairStatus::kNotRun) {
      cache_.LearnEffort(settings_.sources[pair.source].name, pair.target,
                         {pair.duration, pair.memory});
    }
    report(pair, count);
  };
  PairScheduler scheduler(settings_, pairs, ended);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].is_host()) continue;
    if (found[i] != 0) {
      scheduler.Finish(i);
      continue;
    }
    scheduler.Add(i, cache_.EffortOf(settings_.sources[pairs[i].source].name, pairs[i].target)
                         .value_or(CompileCache::kUnknownEffort));
  }
  scheduler.Run([&](Pair& pair, std::size_t index) {
    const std::string object = fmt::format("{}/{}.o", settings_.work, index);
    if (pair.is_host()) {
      CompileHost(pair, object, pairs);
    } else {
      CompileDevice(pair, object);
    }
  });
  cache_.SaveEfforts();
  return pairs;
}

}  // namespace wheelwright
