#include "runtime/hip/compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "base/platform/files.h"
#include "base/platform/folders.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/hip/compile/source_sums.h"
#include "runtime/store/digest/digest.h"
#include "runtime/store/digest/sum.h"

namespace wheelwright {
namespace {

// Variables that change what hipcc and clang do.
constexpr std::array<std::string_view, 11> kVariables = {"HIP_PATH",
                                                         "ROCM_PATH",
                                                         "HIP_CLANG_PATH",
                                                         "HIP_DEVICE_LIB_PATH",
                                                         "HIP_PLATFORM",
                                                         "HIP_COMPILER",
                                                         "HIPCC_COMPILE_FLAGS_APPEND",
                                                         "DEVICE_LIB_PATH",
                                                         "HSA_PATH",
                                                         "CPATH",
                                                         "CPLUS_INCLUDE_PATH"};

struct Candidate {
  std::string program;  // path
  std::string found_by;
  std::string root;  // of ROCm, or ""
};

bool IsHipcc(const std::string& program) {
  const std::string name = PathText(SystemPath(program).filename());
  return name == "hipcc" || name.starts_with("hipcc.") || name.starts_with("hipcc-");
}

std::optional<Candidate> InRoot(const std::string& root, const std::string& found_by) {
  constexpr std::array<std::string_view, 7> kPlaces = {
      "lib/llvm/bin/amdclang++",  "bin/amdclang++", "lib/llvm/bin/clang++", "llvm/bin/clang++",
      "lib/llvm/bin/clang++.exe", "bin/hipcc",      "bin/hipcc.exe"};
  for (const std::string_view place : kPlaces) {
    std::string path = PathText(SystemPath(root) / place);
    if (IsFile(path)) return Candidate{std::move(path), found_by, root};
  }
  return std::nullopt;
}

std::optional<Candidate> Choose(const CompilerSearch& search, const Host& host) {
  if (!search.chosen.empty()) {
    const std::string program = FindProgram(search.chosen, host.variables);
    if (program.empty()) return std::nullopt;
    return Candidate{program, "it was chosen", {}};
  }
  if (!search.rocm_root.empty()) {
    if (auto found = InRoot(search.rocm_root, "it belongs to the ROCm packages")) return found;
  }
  for (const char* variable : {"ROCM_PATH", "HIP_PATH"}) {
    const std::string root = host.Variable(variable);
    if (root.empty()) continue;
    if (auto found = InRoot(root, fmt::format("the variable {} names its folder", variable))) {
      return found;
    }
  }
  for (const char* name : {"hipcc", "amdclang++", "clang++"}) {
    const std::string program = FindProgram(name, host.variables);
    if (!program.empty()) return Candidate{program, fmt::format("{} is on the PATH", name), {}};
  }
  return std::nullopt;
}

// The clang that hipcc calls and the flags that it adds; empty when its output has no command.
std::vector<std::string> AskHipcc(const std::string& program, Runner& runner) {
  std::string output;
  ProcessRequest request{
      .arguments = {program, "-###", "--offload-arch=gfx900", "--cuda-device-only", "-x", "hip",
                    "-c", "/dev/null", "-o", "wheelrun-unused.o"},
      .variables = runner.host().variables,
      .limit = std::chrono::seconds(60)};
  request.variables["HIPCC_VERBOSE"] = "1";
  request.on_output = [&](std::string_view piece) { AppendUpTo(kMostAnswer, piece, output); };
  request.enough = [&] { return output.size() >= kMostAnswer; };
  runner.host().processes->Run(request);
  constexpr std::string_view kMark = "hipcc-cmd: ";
  const std::size_t at = output.find(kMark);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(output).substr(at + kMark.size());
  std::vector<std::string> words = SplitCommand(rest.substr(0, rest.find('\n')));
  // Each compile adds its own input, output and target.
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "-o" || word == "-x") {
      ++i;
    } else if (word != "-###" && word != "-c" && word != "/dev/null" &&
               word != "--cuda-device-only" && !word.starts_with("--offload-arch=")) {
      kept.push_back(word);
    }
  }
  return kept;
}

std::vector<std::string> CommandOf(const Candidate& candidate, Runner& runner) {
  if (IsHipcc(candidate.program)) {
    std::vector<std::string> command = AskHipcc(candidate.program, runner);
    if (!command.empty()) return command;
    return {candidate.program, "-O3"};
  }
  std::vector<std::string> command{candidate.program, "-O3"};
  if (candidate.root.empty()) return command;
  command.push_back("--rocm-path=" + candidate.root);
  for (const char* place : {"lib/llvm/amdgcn/bitcode", "amdgcn/bitcode"}) {
    const std::string folder = PathText(SystemPath(candidate.root) / place);
    if (!IsFolder(folder)) continue;
    command.push_back("--rocm-device-lib-path=" + folder);
    break;
  }
  return command;
}

// The cache key of a search. Starting hipcc takes as long as compiling a small source.
std::string SearchKey(const Candidate& candidate, const Host& host) {
  std::string text =
      candidate.program + "\n" + candidate.root + "\n" + StampOf(candidate.program) + "\n";
  for (const std::string_view name : kVariables) {
    text += fmt::format("{}={}\n", name, host.Variable(name));
  }
  return Hexadecimal(DigestOf(DigestKind::kSha256, text));
}

std::string VersionOf(const std::string& program, Runner& runner) {
  const auto text =
      runner.Try({.title = "version of the compiler", .arguments = {program, "--version"}});
  if (!text) return {};
  for (const std::string_view line : Split(*text, '\n')) {
    if (line.find("clang version") != std::string_view::npos) return std::string(Trim(line));
  }
  return std::string(Trim(std::string_view(*text).substr(0, text->find('\n'))));
}

std::string SumOfProgram(const std::string& program) {
  std::error_code error;
  std::string real = RealPath(program, error);
  if (error) real = program;
  std::string sums = Sha256OfFile(real).value_or("-");
  // The linker of device code is in the same folder.
  const std::string linker = RealPath(ParentFolder(real) + "/lld", error);
  if (!error) sums += " " + Sha256OfFile(linker).value_or("-");
  return sums;
}

}  // namespace

std::optional<HipCompiler> FindHipCompiler(const CompilerSearch& search, Runner& runner,
                                           Diagnostics& diagnostics) {
  Host& host = runner.host();
  const std::optional<Candidate> candidate = Choose(search, host);
  if (!candidate) {
    Diagnostic diagnostic{.code = "no-compiler"};
    if (search.chosen.empty()) {
      diagnostic.message = "there is no compiler of HIP on this machine";
      diagnostic.notes = {
          "looked for: ROCm's Python packages, the variable ROCM_PATH, and hipcc, "
          "amdclang++ and clang++ on the PATH",
          "`wheelrun rocm install` installs one; `--compiler` names one"};
    } else {
      diagnostic.message = fmt::format("there is no compiler {}", QuotedPath(search.chosen));
      diagnostic.hint = "give the path of hipcc, amdclang++ or clang++";
    }
    diagnostics.Report(std::move(diagnostic));
    return std::nullopt;
  }

  const std::string cached =
      fmt::format("{}/compilers/{}", search.cache, SearchKey(*candidate, host));
  HipCompiler compiler{.found_by = candidate->found_by};
  std::string stamp;
  if (const auto text = host.files.Read(cached)) {
    // Version, stamp and digest of clang, then the words of the command, one a line.
    const std::vector<std::string_view> lines = Split(*text, '\n');
    if (lines.size() > 4) {
      compiler.version = lines[0];
      stamp = lines[1];
      compiler.identity = lines[2];
      for (std::size_t i = 3; i + 1 < lines.size(); ++i) compiler.command.emplace_back(lines[i]);
      if (StampOf(compiler.command.front()) == stamp) return compiler;
    }
    compiler.command.clear();
  }
  compiler.command = CommandOf(*candidate, runner);
  compiler.version = VersionOf(compiler.command.front(), runner);
  compiler.identity = SumOfProgram(compiler.command.front());
  if (compiler.version.empty()) {
    diagnostics.Report({.code = "no-compiler",
                        .message = fmt::format("{} does not print its version",
                                               QuotedPath(compiler.command.front())),
                        .notes = {"is it a compiler at all, and for this machine?"}});
    return std::nullopt;
  }
  std::string text = fmt::format("{}\n{}\n{}\n", compiler.version,
                                 StampOf(compiler.command.front()), compiler.identity);
  for (const std::string& word : compiler.command) text += word + "\n";
  if (!runner.dry_run()) host.files.Write(cached, text);
  return compiler;
}

std::vector<std::string> SplitCommand(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
      continue;
    }
    in_word = true;
    if (c == quote) {
      quote = '\0';
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      word += line[++i];
    } else {
      word += c;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

}  // namespace wheelwright
