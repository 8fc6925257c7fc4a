#include "runtime/wheels/provenance/wheel_verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/store/digest/digest.h"
#include "runtime/wheels/provenance/attestation.h"

namespace wheelwright {
namespace {

constexpr std::string_view kProgram = "sigstore";
constexpr std::string_view kInstall =
    "install Sigstore's Python client, `pip install sigstore`, so that `sigstore` is on the PATH";
constexpr std::string_view kAgain =
    "do not publish or install it; see which run made it, and build and attest it again";

// Reads a bundle and compares what it is about with the wheel. Returns the problem, or "".
std::string Look(const WheelEvidence& wheel, const std::optional<std::string>& text,
                 std::string_view suffix, std::string_view type, SignedStatement& out) {
  const std::string name = wheel.file + std::string(suffix);
  if (!text) return fmt::format("it is not attested: there is no {}", name);
  std::string problem;
  std::optional<SignedStatement> read = ReadBundle(*text, problem);
  if (!read) return fmt::format("{} is no bundle of Sigstore: {}", name, problem);
  if (read->type != type) {
    return fmt::format("{} attests {}, not {}", name, Quoted(read->type), type);
  }
  const std::string sum = read->SumOf(wheel.file);
  if (sum.empty()) {
    return fmt::format(
        "{} is of another wheel: {}", name,
        read->subjects.empty() ? "it names none" : Quoted(read->subjects.front().first));
  }
  if (sum != wheel.sha256) {
    return fmt::format("{} is of other bytes: of SHA-256 {}, and the wheel has {}", name,
                       Quoted(sum), wheel.sha256);
  }
  out = *std::move(read);
  return {};
}

// Why the policy does not allow the origin, or "".
std::string ProblemOfOrigin(const StatedOrigin& origin, const SignerPolicy& policy) {
  if (origin.repository != policy.repository) {
    return fmt::format("it is from the repository {}, not {}", Quoted(origin.repository),
                       policy.repository);
  }
  const std::string wanted = fmt::format("/{}/{}@", policy.repository, policy.workflow);
  const std::size_t at = origin.signer.find(wanted);
  if (at == std::string::npos || !origin.signer.starts_with("https://") ||
      origin.signer.find('/', sizeof "https://" - 1) != at) {
    return fmt::format("it is signed by {}, not by {} of {}", Quoted(origin.signer),
                       policy.workflow, policy.repository);
  }
  if (origin.signer.substr(at + wanted.size()) != origin.ref) {
    return fmt::format("its signer {} is not of the ref {} that was built", Quoted(origin.signer),
                       Quoted(origin.ref));
  }
  constexpr std::string_view kHeads = "refs/heads/";
  const bool allowed =
      policy.branches.empty() ||
      (origin.ref.starts_with(kHeads) &&
       std::ranges::any_of(policy.branches, [&](const std::string& pattern) {
         return MatchesStars(pattern, std::string_view(origin.ref).substr(kHeads.size()));
       }));
  if (!allowed) {
    return fmt::format("it is of the ref {}, and only {} may be published", Quoted(origin.ref),
                       JoinWords(policy.branches));
  }
  if (!policy.events.empty() && !HasText(policy.events, origin.event)) {
    return fmt::format("its run was started by {}, and only {} may start one", Quoted(origin.event),
                       JoinWords(policy.events));
  }
  if (!policy.commit.empty() && policy.commit != origin.commit) {
    return fmt::format("it is of the commit {}, not {}", Quoted(origin.commit), policy.commit);
  }
  return {};
}

std::string BuilderOf(const SignedStatement& record) {
  const auto builder = record.predicate.find("builder");
  if (builder == record.predicate.end() || !builder->is_object()) return {};
  const auto id = builder->find("id");
  return id != builder->end() && id->is_string() ? id->get<std::string>() : std::string();
}

// "[08:37:40] ERROR    DSSE: invalid signature     errors.py:42": the text alone.
std::string_view MessageOf(std::string_view line) {
  line = Trim(line);
  if (line.starts_with('['))
    line = Trim(line.substr(std::min(line.find(']'), line.size() - 1) + 1));
  for (const std::string_view level : {"ERROR", "WARNING", "INFO"}) {
    if (line.starts_with(level)) line = Trim(line.substr(level.size()));
  }
  const std::size_t place = line.rfind(".py:");
  const std::size_t blanks = place == line.npos ? line.npos : line.rfind("  ", place);
  return blanks == line.npos ? line : Trim(line.substr(0, blanks));
}

}  // namespace

std::string ReasonOfVerifier(std::string_view text) {
  constexpr std::size_t kMost = 400;
  std::string reason;
  for (const std::string_view line : Split(text, '\n')) {
    const std::string_view message = MessageOf(line);
    if (message.empty() || message.starts_with("FAIL:") || message.starts_with("SHA2_256:") ||
        message.starts_with("For detailed") || message.starts_with("Additional context")) {
      continue;
    }
    reason += fmt::format("{}{}", reason.empty() ? "" : " ", message);
  }
  return Shorten(OneLine(reason), kMost);
}

OptionSpec TrustRootOption() {
  return {.name = "trust-root",
          .argument = "FILE",
          .help =
              "The certificates and keys of another Sigstore than the public one (default: the "
              "variable WHEELRUN_TRUST_ROOT)"};
}

std::string TakeTrustRoot(const Arguments& arguments, const Host& host) {
  if (arguments.Has("trust-root")) return std::string(arguments.Get("trust-root"));
  return host.Variable("WHEELRUN_TRUST_ROOT");
}

WheelVerifier::WheelVerifier(Host& host, std::string trust_root)
    : host_(host), trust_root_(std::move(trust_root)), work_(host, "verify") {}

std::string WheelVerifier::Unready() {
  if (!trust_root_.empty() && !host_.files.Read(trust_root_)) {
    return fmt::format("there is no {}: give the file of the trust root", QuotedPath(trust_root_));
  }
  const bool found = !FindProgram(kProgram, host_.variables).empty();
  return found ? std::string() : fmt::format("there is no `{}`: {}", kProgram, kInstall);
}

std::string WheelVerifier::Ask(const std::string& bundle, const std::string& name,
                               std::string_view sha256, const StatedOrigin& origin) {
  const std::string path = fmt::format("{}/{}", work_.path(), name);
  host_.files.Write(path, bundle);
  ProcessRequest request{.arguments = {std::string(kProgram)}, .variables = host_.variables};
  if (!trust_root_.empty()) {
    request.arguments.insert(request.arguments.end(), {"--trust-config", trust_root_});
  }
  for (const std::string_view word : {"verify", "github", "--bundle"}) {
    request.arguments.emplace_back(word);
  }
  request.arguments.insert(
      request.arguments.end(),
      {path, "--cert-identity", origin.signer, "--repository", origin.repository, "--ref",
       origin.ref, "--sha", origin.commit, "--trigger", origin.event});
  if (!trust_root_.empty()) request.arguments.emplace_back("--offline");
  request.arguments.push_back(fmt::format("sha256:{}", sha256));
  // It wraps its messages to the terminal's width, and needs no credential.
  request.variables["COLUMNS"] = "10000";
  std::erase_if(request.variables, [](const auto& one) {
    return one.first.starts_with("AWS_") || one.first.starts_with("ACTIONS_") ||
           one.first == "GH_TOKEN" || one.first == "GITHUB_TOKEN";
  });
  request.limit = std::chrono::minutes(5);
  std::string said;
  request.on_output = [](std::string_view) {};
  request.on_error = [&](std::string_view piece) {
    constexpr std::size_t kMostSaid = 1 << 16;
    if (said.size() < kMostSaid) said += piece;
  };
  const ProcessEnd end = host_.processes->Run(request);
  if (end.good()) return {};
  if (end.how == ProcessEnd::How::kNotStarted) return fmt::format("{}; {}", end.reason, kInstall);
  const std::string reason = ReasonOfVerifier(said);
  return reason.empty() ? std::string("the verifier failed without a reason") : reason;
}

std::string WheelVerifier::AskOnce(const SignedStatement& statement, const std::string& name,
                                   std::string_view sha256, const StatedOrigin& origin) {
  const std::string bundle = statement.BundleText();
  const std::string key = fmt::format("{} {} {} {} {} {}", Sha256Of(bundle), origin.signer,
                                      origin.repository, origin.ref, origin.commit, origin.event);
  std::shared_future<std::string> verdict;
  {
    const std::lock_guard lock(mutex_);
    const auto [found, first] = verdicts_.try_emplace(key);
    if (first) {
      found->second = std::async(std::launch::deferred, [=, this, sum = std::string(sha256)] {
        return Ask(bundle, name, sum, origin);
      });
    }
    verdict = found->second;
  }
  // The first thread that gets here runs the program, others wait for it.
  return verdict.get();
}

VerifiedWheel WheelVerifier::Verify(const WheelEvidence& wheel, const SignerPolicy& policy) {
  VerifiedWheel out;
  const auto refuse = [&](std::string problem, std::string_view next) {
    out.problem = std::move(problem);
    out.next = next;
    return out;
  };
  for (const auto& [text, suffix, type, statement] :
       {std::tuple(&wheel.provenance, kProvenanceBundleSuffix, kProvenanceType, &out.provenance),
        std::tuple(&wheel.record, kRecordBundleSuffix, kRecordType, &out.record)}) {
    std::string problem = Look(wheel, *text, suffix, type, *statement);
    if (!problem.empty()) {
      return refuse(std::move(problem),
                    *text ? kAgain : "run the job that attests, then this one again");
    }
  }
  const std::optional<StatedOrigin> origin = OriginOf(out.provenance);
  if (!origin) return refuse("its provenance does not say which workflow made it", kAgain);
  if (std::string problem = ProblemOfOrigin(*origin, policy); !problem.empty()) {
    return refuse(std::move(problem), kAgain);
  }
  if (BuilderOf(out.record) != origin->signer) {
    return refuse(fmt::format("its record is of another signer: {}", Quoted(BuilderOf(out.record))),
                  kAgain);
  }
  for (const auto& [statement, suffix] : {std::pair(&out.provenance, kProvenanceBundleSuffix),
                                          std::pair(&out.record, kRecordBundleSuffix)}) {
    const std::string name = wheel.file + std::string(suffix);
    const std::string problem = AskOnce(*statement, name, wheel.sha256, *origin);
    if (!problem.empty()) {
      return refuse(fmt::format("{} is not valid: {}", name, problem), kAgain);
    }
  }
  out.origin = *origin;
  return out;
}

}  // namespace wheelwright
