#include "runtime/hip/compile/compile_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "runtime/hip/code/offload_bundle.h"
#include "runtime/store/digest/digest.h"

namespace wheelwright {
namespace {

// Of a source that was never compiled: what a middling one takes.
constexpr std::uint64_t kUnknownMemory = std::uint64_t{768} << 20;
constexpr std::chrono::milliseconds kUnknownTime{2000};

// Whether a compile by shared headers is to be done again without: what it says of a failure, and
// whether it is one, is the plain compile's to tell. A hang would only hang again.
bool MayBeBetter(CompileEnd end) {
  return end != CompileEnd::kPass && end != CompileEnd::kHang && end != CompileEnd::kStopped;
}

bool EndsLikePath(std::string_view path, std::string_view end) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

}  // namespace

// What the workers of a run share.
struct PairCompiler::Shared {
  struct Job {
    std::size_t pair;
    std::chrono::milliseconds time;
    std::uint64_t memory;
  };

  std::vector<Pair>& pairs;
  const std::function<void(const Pair&, std::size_t)>& done;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Job> waiting;       // the longest first
  std::vector<std::size_t> left;  // of each source: device pairs that have not ended
  std::size_t running = 0;
  std::uint64_t memory = 0;  // that the running ones may need
  std::size_t ended = 0;
  std::size_t hosts_to_come = 0;
  bool stop = false;

  void End(const Pair& pair) { done(pair, ++ended); }
};

PairCompiler::PairCompiler(const CompileSettings& settings, const HipCompiler& compiler, Host& host,
                           CompileCache& cache, SourceSums& sums)
    : settings_(settings), compiler_(compiler), host_(host), cache_(cache), sums_(sums) {}

std::vector<std::string> PairCompiler::BeginningOf(std::string_view target) const {
  std::vector<std::string> command = compiler_.command;
  const auto add = [&](std::string word) { command.push_back(std::move(word)); };
  add("-x");
  add("hip");
  if (target == kHostTarget) {
    add("--cuda-host-only");
  } else {
    add(fmt::format("--offload-arch={}", target));
    add("--cuda-device-only");
    add("--no-gpu-bundle-output");
  }
  // A crash is told of; the reproducer that clang would write takes longer than the compile.
  add("-fno-crash-diagnostics");
  add("-fno-color-diagnostics");
  command.insert(command.end(), settings_.flags.begin(), settings_.flags.end());
  return command;
}

std::vector<std::string> PairCompiler::CommandOf(const HipSource& source, std::string_view target,
                                                 const std::string& object) const {
  std::vector<std::string> command = BeginningOf(target);
  const auto add = [&](std::string word) { command.push_back(std::move(word)); };
  add("-c");
  add(source.path);
  add("-o");
  add(object);
  add("-MD");
  add("-MF");
  add(object + ".d");
  return command;
}

std::vector<std::string> PairCompiler::HostCommandOf(const HipSource& source,
                                                     const std::string& object) const {
  std::vector<std::string> command = CommandOf(source, kHostTarget, object);
  for (const char* word : {"-Xclang", "-fcuda-include-gpubinary", "-Xclang"}) {
    command.emplace_back(word);
  }
  command.push_back(object + ".hipfb");
  return command;
}

std::string PairCompiler::KeyOf(const HipSource& source, std::string_view target,
                                std::string_view more) const {
  std::string text = fmt::format("1\n{}\n{}\n{}\n{}\n{}\n", compiler_.version, compiler_.identity,
                                 target, sums_.Of(source.path), more);
  for (const std::string& word : CommandOf(source, target, "")) text += word + "\n";
  for (const char* name : {"CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH"}) {
    text += fmt::format("{}={}\n", name, host_.Variable(name));
  }
  return Hexadecimal(DigestOf(DigestKind::kSha256, text));
}

CompileOutcome PairCompiler::Compile(std::vector<std::string> command, const std::string& object,
                                     bool through_launcher) const {
  CompileOutcome outcome;
  ProcessRequest request{.variables = host_.variables,
                         .limit = settings_.time_limit,
                         .memory_limit = settings_.memory_limit};
  if (through_launcher) {
    request.arguments = settings_.launcher;
    // It takes the compiler's own list of headers, in place of preprocessing every source twice.
    request.variables["CCACHE_DEPEND"] = "1";
  }
  request.variables["TMPDIR"] = settings_.work;
  request.arguments.insert(request.arguments.end(), command.begin(), command.end());
  // A compiler that loops over a message must not fill the memory.
  constexpr std::size_t kMostOutput = 4 << 20;
  request.on_output = [&](std::string_view piece) {
    AppendUpTo(kMostOutput, piece, outcome.output);
  };
  std::error_code ignored;
  std::filesystem::remove(object, ignored);  // of a try before: only what this one writes counts
  const ProcessEnd end = host_.processes->Run(request);
  outcome.end = ClassifyEnd(end, outcome.output);
  outcome.duration = end.duration;
  outcome.memory = end.peak_memory;
  if (end.how == ProcessEnd::How::kNotStarted) outcome.output = "error: " + end.reason;
  if (object.empty()) return outcome;
  if (const auto text = host_.files.Read(object + ".d")) outcome.inputs = ReadDependencies(*text);
  if (outcome.end != CompileEnd::kPass) return outcome;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(object, error);
  if (!error && size > 0) {
    outcome.object = object;
  } else {
    outcome.end = CompileEnd::kError;
    outcome.output += error ? "error: the compiler ended well, and wrote no object\n"
                            : "error: the compiler ended well, and wrote an empty object\n";
  }
  return outcome;
}

// The libraries of the device are read by the compiler, but stand in no list of headers.
const std::vector<std::string>& PairCompiler::LibrariesOf(const std::string& target) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = libraries_.find(target);
    if (known != libraries_.end()) return known->second;
  }
  std::vector<std::string> command =
      CommandOf({.name = {}, .path = "/dev/null", .guards = {}}, target, "unused.o");
  command.emplace_back("-###");
  std::string output;
  ProcessRequest request{.arguments = std::move(command),
                         .variables = host_.variables,
                         .limit = std::chrono::seconds(60)};
  request.on_output = [&](std::string_view piece) { AppendUpTo(kMostAnswer, piece, output); };
  request.enough = [&] { return output.size() >= kMostAnswer; };
  host_.processes->Run(request);
  std::vector<std::string> found;
  const std::vector<std::string> words = SplitCommand(output);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "-mlink-builtin-bitcode") found.push_back(words[i + 1]);
  }
  const std::lock_guard lock(mutex_);
  return libraries_.emplace(target, std::move(found)).first->second;
}

void PairCompiler::Judge(Pair& pair, const CompileOutcome& outcome) const {
  pair.duration = outcome.duration;
  pair.memory = outcome.memory;
  pair.object = outcome.object;
  const HipSource& source = settings_.sources[pair.source];
  const auto known = std::ranges::find_if(settings_.known_failures, [&](const KnownFailure& row) {
    if (row.source != source.name) return false;
    if (!row.targets.empty() && std::ranges::none_of(row.targets, [&](const std::string& begin) {
          return pair.target.starts_with(begin);
        })) {
      return false;
    }
    return row.with_header.empty() ||
           std::ranges::any_of(outcome.inputs, [&](const std::string& path) {
             return EndsLikePath(path, row.with_header);
           });
  });
  const bool expected = known != settings_.known_failures.end() && pair.target != kHostTarget;
  if (expected) pair.issue = known->issue;
  if (outcome.end != CompileEnd::kPass && outcome.end != CompileEnd::kStopped) {
    pair.errors = ReadCompilerErrors(outcome.output);
  }
  switch (outcome.end) {
    case CompileEnd::kPass:
      pair.status = expected ? PairStatus::kUnexpectedPass : PairStatus::kPass;
      return;
    case CompileEnd::kError:
      pair.status = expected ? PairStatus::kExpectedFail : PairStatus::kFail;
      return;
    case CompileEnd::kCrash:
      pair.status = expected ? PairStatus::kExpectedFail : PairStatus::kCrash;
      return;
    case CompileEnd::kHang:
      pair.status = PairStatus::kHang;
      return;
    case CompileEnd::kOutOfMemory:
      pair.status = PairStatus::kOutOfMemory;
      return;
    case CompileEnd::kStopped:
      pair.status = PairStatus::kNotRun;
      return;
  }
}

bool PairCompiler::FindInCache(Pair& pair) {
  const HipSource& source = settings_.sources[pair.source];
  const auto outcome = cache_.Find(KeyOf(source, pair.target, {}));
  if (!outcome) return false;
  Judge(pair, *outcome);
  pair.cached = true;
  return true;
}

void PairCompiler::CompileDevice(Pair& pair, std::size_t index) {
  const HipSource& source = settings_.sources[pair.source];
  const std::string object = fmt::format("{}/{}.o", settings_.work, index);
  const std::string key = KeyOf(source, pair.target, {});
  const std::vector<std::string> command = CommandOf(source, pair.target, object);
  CompileOutcome outcome = CompileShared(pair, command, object);
  if (MayBeBetter(outcome.end)) outcome = Compile(command, object, !settings_.launcher.empty());
  if (!outcome.inputs.empty()) {
    const std::vector<std::string>& libraries = LibrariesOf(pair.target);
    outcome.inputs.insert(outcome.inputs.end(), libraries.begin(), libraries.end());
    cache_.Keep(key, outcome);
  }
  Judge(pair, outcome);
}

// The host's object, with the code of all targets in it that passed.
void PairCompiler::CompileHost(Pair& pair, std::size_t index, const std::vector<Pair>& pairs) {
  const HipSource& source = settings_.sources[pair.source];
  std::vector<std::pair<std::string, std::string>> objects;
  for (const Pair& other : pairs) {
    if (other.source != pair.source || other.target == kHostTarget || other.object.empty())
      continue;
    objects.emplace_back(other.target, host_.files.Read(other.object).value_or(""));
  }
  const std::string bundle = MakeBundle(objects);
  const std::string key =
      KeyOf(source, kHostTarget, Hexadecimal(DigestOf(DigestKind::kSha256, bundle)));
  if (const auto known = cache_.Find(key)) {
    Judge(pair, *known);
    pair.cached = true;
    return;
  }
  const std::string object = fmt::format("{}/{}.o", settings_.work, index);
  host_.files.Write(object + ".hipfb", bundle);
  const std::vector<std::string> command = HostCommandOf(source, object);
  // Caches of others do not know that it reads the bundle.
  CompileOutcome outcome = CompileShared(pair, command, object);
  if (MayBeBetter(outcome.end)) outcome = Compile(command, object, false);
  cache_.Keep(key, outcome);
  Judge(pair, outcome);
}

void PairCompiler::Work(Shared& shared) {
  std::unique_lock lock(shared.mutex);
  for (;;) {
    const auto fits = [&](const Shared::Job& job) {
      return shared.running == 0 || settings_.memory == 0 ||
             shared.memory + job.memory <= settings_.memory;
    };
    auto next = shared.waiting.end();
    shared.changed.wait(lock, [&] {
      next = std::ranges::find_if(shared.waiting, fits);
      return shared.stop || next != shared.waiting.end() ||
             (shared.waiting.empty() && shared.hosts_to_come == 0);
    });
    if (shared.stop || next == shared.waiting.end()) return;
    const Shared::Job job = *next;
    shared.waiting.erase(next);
    ++shared.running;
    shared.memory += job.memory;
    Pair pair = shared.pairs[job.pair];
    lock.unlock();

    if (pair.target == kHostTarget) {
      // All pairs of its source have ended, and nobody writes to them any more.
      CompileHost(pair, job.pair, shared.pairs);
    } else {
      CompileDevice(pair, job.pair);
    }

    lock.lock();
    --shared.running;
    shared.memory -= job.memory;
    shared.pairs[job.pair] = pair;
    if (!pair.cached && pair.status != PairStatus::kNotRun) {
      cache_.LearnEffort(settings_.sources[pair.source].name, pair.target,
                         {pair.duration, pair.memory});
    }
    if (InterruptedBy() != 0 || (!settings_.keep_going && !pair.good())) shared.stop = true;
    if (pair.target == kHostTarget) {
      --shared.hosts_to_come;
    } else if (--shared.left[pair.source] == 0 && settings_.bundle) {
      const bool good = std::ranges::all_of(shared.pairs, [&](const Pair& other) {
        return other.source != pair.source || other.target == kHostTarget || other.good();
      });
      if (good) {
        const auto host = std::ranges::find_if(shared.pairs, [&](const Pair& other) {
          return other.source == pair.source && other.target == kHostTarget;
        });
        shared.waiting.insert(
            shared.waiting.begin(),
            {static_cast<std::size_t>(host - shared.pairs.begin()), kUnknownTime, kUnknownMemory});
      } else {
        --shared.hosts_to_come;
      }
    }
    shared.End(pair);
    shared.changed.notify_all();
  }
}

std::vector<Pair> PairCompiler::Run(const std::function<void(const Pair&, std::size_t)>& done) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < settings_.sources.size(); ++i) {
    for (const GfxTarget& target : settings_.targets) {
      pairs.push_back({.source = i, .target = target.ToString()});
    }
    if (settings_.bundle) pairs.push_back({.source = i, .target = std::string(kHostTarget)});
  }
  cache_.LoadEfforts();

  std::vector<char> found(pairs.size(), 0);
  ParallelFor(pairs.size(), settings_.jobs, [&](std::size_t i) {
    if (pairs[i].target != kHostTarget) found[i] = FindInCache(pairs[i]) ? 1 : 0;
  });

  Precompile(pairs, found);

  Shared shared{.pairs = pairs, .done = done};
  shared.left.resize(settings_.sources.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair& pair = pairs[i];
    if (pair.target == kHostTarget) {
      ++shared.hosts_to_come;
      continue;
    }
    if (found[i] != 0) {
      shared.End(pair);
      if (!settings_.keep_going && !pair.good()) shared.stop = true;
      continue;
    }
    ++shared.left[pair.source];
    const auto effort = cache_.EffortOf(settings_.sources[pair.source].name, pair.target)
                            .value_or(CompileCache::Effort{kUnknownTime, kUnknownMemory});
    shared.waiting.push_back({i, effort.duration, effort.memory});
  }
  // Where all came from the cache, what is made of them waits for nobody.
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].target != kHostTarget || shared.left[pairs[i].source] > 0) continue;
    const bool good = std::ranges::all_of(pairs, [&](const Pair& other) {
      return other.source != pairs[i].source || other.target == kHostTarget || other.good();
    });
    if (good) {
      shared.waiting.push_back({i, kUnknownTime, kUnknownMemory});
    } else {
      --shared.hosts_to_come;
    }
  }
  std::ranges::stable_sort(shared.waiting, std::greater(), &Shared::Job::time);
  {
    std::vector<std::jthread> helpers;
    const std::size_t count = std::min(settings_.jobs, std::max<std::size_t>(pairs.size(), 1));
    for (std::size_t i = 1; i < count; ++i) helpers.emplace_back([&] { Work(shared); });
    Work(shared);
  }
  cache_.SaveEfforts();
  return pairs;
}

}  // namespace wheelwright
