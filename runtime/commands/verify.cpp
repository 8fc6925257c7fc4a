#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "base/json.h"
#include "base/quote.h"
#include "base/text.h"
#include "runtime/commands/commands.h"
#include "runtime/commands/input/checked_input.h"
#include "runtime/commands/input/places.h"
#include "runtime/host/actions/log.h"
#include "runtime/store/digest/sum.h"
#include "runtime/store/http/http_client.h"
#include "runtime/wheels/provenance/attestation.h"
#include "runtime/wheels/provenance/release_evidence.h"

namespace wheelwright {
namespace {

bool IsUrl(std::string_view text) {
  return text.starts_with("https://") || text.starts_with("http://");
}

// "torch-2.10.0%2Brocm7.12.0-...": the name in a URL.
std::string NameInUrl(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  std::string_view rest = url.substr(url.find_last_of('/') + 1);
  std::string name;
  const auto digit = [](char letter) {
    const std::size_t at = std::string_view("0123456789abcdef").find(ToLower(letter));
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
  };
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '%' && i + 2 < rest.size() && digit(rest[i + 1]) >= 0 &&
        digit(rest[i + 2]) >= 0) {
      name += static_cast<char>(16 * digit(rest[i + 1]) + digit(rest[i + 2]));
      i += 2;
    } else {
      name += rest[i];
    }
  }
  return name;
}

// GET that follows redirections, but never from HTTPS to HTTP.
HttpAnswer Get(HttpClient& http, HttpRequest request) {
  constexpr int kMostRedirections = 5;
  HttpAnswer answer;
  for (int i = 0; i <= kMostRedirections; ++i) {
    answer = http.Send(request);
    const std::string to(answer.Header("location"));
    if (answer.status < 300 || answer.status >= 400 || !IsUrl(to)) break;
    if (request.url.starts_with("https://") && !to.starts_with("https://")) break;
    request.url = to;
  }
  return answer;
}

std::string WhyNot(const HttpAnswer& answer) {
  return answer.problem != HttpAnswer::Problem::kNone
             ? answer.reason
             : fmt::format("the server answered {}", answer.status);
}

// The wheel's sum and its bundles, from an URL. Returns the problem, or "".
std::string TakeFromUrl(const std::string& url, const Host& host, WheelEvidence& wheel) {
  HttpClient http(host);
  const std::string address = url.substr(0, url.find_first_of("?#"));
  const auto read = [&](std::string_view suffix,
                        std::string& problem) -> std::optional<std::string> {
    const HttpAnswer answer = Get(http, {.url = address + std::string(suffix)});
    if (answer.good()) return answer.body;
    // Buckets without permission to list say 403 for what is not there.
    if (answer.status != 404 && answer.status != 403) problem = WhyNot(answer);
    return std::nullopt;
  };
  std::string problem;
  wheel.provenance = read(kProvenanceBundleSuffix, problem);
  wheel.record = read(kRecordBundleSuffix, problem);
  if (!problem.empty()) return problem;
  // Nothing is kept: the verifier needs the sum alone.
  Digest digest(DigestKind::kSha256);
  HttpRequest request{.url = address};
  request.on_body = [&](std::span<const Byte> piece) {
    digest.Add(piece);
    return true;
  };
  const HttpAnswer answer = Get(http, std::move(request));
  if (!answer.good()) return WhyNot(answer);
  wheel.sha256 = Hexadecimal(digest.Finish());
  return {};
}

std::string TakeFromFile(const std::string& path, const Arguments& arguments, const Host& host,
                         WheelEvidence& wheel) {
  const std::optional<std::string> sum = Sha256OfFile(path);
  if (!sum) return "it cannot be read";
  wheel.sha256 = *sum;
  const std::size_t slash = path.find_last_of("/\\");
  std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  if (arguments.Has("attestations")) folder = arguments.Get("attestations");
  const auto read = [&](std::string_view suffix) {
    return host.files.Read(fmt::format("{}/{}{}", folder, wheel.file, suffix));
  };
  wheel.provenance = read(kProvenanceBundleSuffix);
  wheel.record = read(kRecordBundleSuffix);
  return {};
}

// The signer that the options name, else that of the matrix for the release type.
std::optional<SignerPolicy> TakePolicy(const Arguments& arguments, Host& host,
                                       Diagnostics& diagnostics) {
  SignerPolicy policy;
  if (arguments.Has("repository") && arguments.Has("signer")) {
    policy.repository = arguments.Get("repository");
    policy.workflow = arguments.Get("signer");
  } else {
    if (!arguments.Has("release-type")) {
      diagnostics.Report(
          {.code = "missing-argument",
           .message = "'verify' needs '--repository' and '--signer', or '--release-type'",
           .hint = "such as --repository ROCm/TheRock --signer "
                   ".github/workflows/attest_pytorch_wheels.yml",
           .notes = {"a signature only proves something if you say whose it has to be"}});
      return std::nullopt;
    }
    const std::optional<Plan> plan = ReadPlan(arguments, host, diagnostics);
    if (!plan) return std::nullopt;
    const ReleaseTypeRow* type = TakeReleaseType(arguments, "verify", *plan, diagnostics);
    if (type == nullptr) return std::nullopt;
    const std::optional<SignerPolicy> of_plan = SignerPolicyOf(*plan, *type);
    if (!of_plan) {
      diagnostics.Report({.code = "attest-input",
                          .message = fmt::format("the matrix names no signer for '{}'", type->name),
                          .notes = {"its wheels are not attested; 'signers' of matrix/release.yml "
                                    "has a row for each domain whose wheels are"}});
      return std::nullopt;
    }
    policy = *of_plan;
  }
  policy.commit = arguments.Get("commit");
  return policy;
}

Json AsJson(const WheelEvidence& wheel, const VerifiedWheel& verified) {
  Json json{{"file", wheel.file}, {"sha256", wheel.sha256}, {"verified", verified.problem.empty()}};
  if (!verified.problem.empty()) {
    json["problem"] = verified.problem;
    json["next"] = verified.next;
    return json;
  }
  const StatedOrigin& origin = verified.origin;
  json["signer"] = origin.signer;
  json["repository"] = origin.repository;
  json["ref"] = origin.ref;
  json["commit"] = origin.commit;
  json["event"] = origin.event;
  json["workflow"] = origin.workflow;
  json["run"] = origin.run;
  json["provenance"] = verified.provenance.predicate;
  json["record"] = verified.record.predicate;
  return json;
}

std::string TextIn(const nlohmann::json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? OneLine(found->get<std::string>()) : "";
}

const nlohmann::json& PartOf(const nlohmann::json& object, const char* key) {
  static const nlohmann::json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

// "140 pass, 2 expected fail".
std::string Numbers(const nlohmann::json& object) {
  std::string out;
  for (const auto& [name, number] : object.items()) {
    const std::string value = number.is_string() ? number.get<std::string>() : DumpJson(number);
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", OneLine(value), OneLine(name));
  }
  return out;
}

// A line of facts.
void AddLine(std::string& out, std::string_view name, std::string_view value) {
  if (!value.empty()) out += fmt::format("  {:<11} {}\n", name, value);
}

std::string AsText(const WheelEvidence& wheel, const VerifiedWheel& verified) {
  const StatedOrigin& origin = verified.origin;
  std::string out = wheel.file + "\n";
  AddLine(out, "SHA-256", wheel.sha256);
  AddLine(out, "signed by", origin.signer);
  AddLine(out, "run", fmt::format("{}, started by {}", OneLine(origin.run), origin.event));
  AddLine(out, "commit", fmt::format("{} of {}, {}", origin.commit, origin.repository, origin.ref));
  out += "What that workflow says of the build:\n";
  const nlohmann::json& record = verified.record.predicate;
  std::string_view name = "built from";
  for (const auto& [project, source] : PartOf(record, "projects").items()) {
    AddLine(out, name,
            fmt::format("{}: {} of {} {}", OneLine(project), TextIn(source, "commit"),
                        TextIn(source, "repository"), TextIn(source, "branch")));
    name = "";
  }
  AddLine(out, "ROCm", TextIn(record, "rocm"));
  for (const nlohmann::json& one : PartOf(record, "wheels")) {
    if (TextIn(one, "file") != wheel.file) continue;
    std::string targets;
    for (const nlohmann::json& target : PartOf(one, "targets")) {
      if (target.is_string())
        targets += (targets.empty() ? "" : " ") + OneLine(target.get<std::string>());
    }
    AddLine(out, "code for", targets.empty() ? "no GPU" : targets);
  }
  AddLine(out, "compiler", TextIn(record, "compiler"));
  AddLine(out, "canaries", Numbers(PartOf(record, "canaries")));
  const std::string tests = Numbers(PartOf(record, "tests"));
  AddLine(out, "tests", tests.empty() ? "none" : tests);
  return out + "verified: signature, certificate, log entry, signer and digest\n";
}

int RunVerify(const Arguments& arguments, Host& host) {
  Diagnostics diagnostics;
  const std::optional<SignerPolicy> policy = TakePolicy(arguments, host, diagnostics);
  if (!policy || diagnostics.errors() > 0) return Refuse(diagnostics, arguments, host);
  const std::string& given = arguments.positional.front();
  WheelEvidence wheel{.file = IsUrl(given) ? NameInUrl(given)
                                           : given.substr(given.find_last_of("/\\") + 1)};
  Log log(host);
  WheelVerifier verifier(host, TakeTrustRoot(arguments, host));
  if (const std::string problem = verifier.Unready(); !problem.empty()) {
    log.Error(problem, "not verified");
    return kFound;
  }
  const std::string problem =
      IsUrl(given) ? TakeFromUrl(given, host, wheel) : TakeFromFile(given, arguments, host, wheel);
  if (!problem.empty()) {
    log.Error(fmt::format("{}: {}; give the wheel's file, or its URL in the index",
                          Quoted(WithoutPassword(given)), problem),
              "not verified");
    return kFound;
  }
  const VerifiedWheel verified = verifier.Verify(wheel, *policy);
  if (arguments.Has("json")) {
    host.out << JsonText(AsJson(wheel, verified));
  } else if (verified.problem.empty()) {
    host.out << AsText(wheel, verified);
  }
  if (verified.problem.empty()) return kSuccess;
  log.Error(fmt::format("{}: {}; {}", wheel.file, verified.problem, verified.next), "not verified");
  return kFound;
}

}  // namespace

Command VerifyCommand() {
  return {
      .name = "verify",
      .purpose = "Verify who built a wheel, from what, and how it was tested",
      .usage = "FILE|URL --repository NAME --signer PATH",
      .about =
          "Verifies the bundles beside the wheel, WHEEL.provenance.sigstore.json and "
          "WHEEL.record.sigstore.json, by Sigstore's Python client (`pip install sigstore`): "
          "signature, certificate, entry of the transparency log, the workflow that signed, and "
          "the wheel's SHA-256. Then it prints what they say. The exit status is 1 if the wheel is "
          "refused.\n\nYou have to say whose signature counts: a repository and its workflow, or a "
          "release type of the matrix. docs/provenance.md says what a verified wheel proves, and "
          "what not.\n",
      .options = {{.name = "repository",
                   .argument = "NAME",
                   .help = "The repository that has to have built it: ROCm/TheRock"},
                  {.name = "signer",
                   .argument = "PATH",
                   .help = "Its workflow file that has to have signed it"},
                  ReleaseTypeOption(),
                  {.name = "commit", .argument = "SHA", .help = "The commit that it has to be of"},
                  {.name = "attestations",
                   .argument = "DIR",
                   .help = "The folder of the bundles (default: that of the wheel)"},
                  TrustRootOption(),
                  {.name = "json", .argument = {}, .help = "Print the result as JSON"},
                  PlanOption()},
      .examples = {{"wheelrun verify torch-2.10.0-cp312-cp312-linux_x86_64.whl --repository "
                    "ROCm/TheRock --signer .github/workflows/attest_pytorch_wheels.yml",
                    "Did that repository build this wheel?"},
                   {"wheelrun verify "
                    "https://rocm.nightlies.amd.com/v2/gfx94X-dcgpu/"
                    "torch-2.10.0-cp312-cp312-linux_x86_64.whl --release-type nightly --json",
                    "Everything that is known of it, for a program"}},
      .least_positional = 1,
      .most_positional = 1,
      .one_of = {{"repository", "release-type"}},
      .run_on_host = RunVerify,
  };
}

}  // namespace wheelwright
