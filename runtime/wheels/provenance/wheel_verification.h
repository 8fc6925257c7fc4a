// Verifies what is attested of a wheel, by the program `sigstore` of Sigstore's Python client:
// signature, certificate, transparency log, the identity of the signer, and the wheel's digest.
//
// What a bundle says of its origin is compared with the policy first, to explain a refusal. Then
// the verifier has to find exactly that origin in the certificate, so nothing is believed.
//
// One bundle may be of many wheels, as the record of a build is. The verifier judges it once: it
// gets what was read here, written anew, so that what it verified names the digest of each.
#pragma once

#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "runtime/host/environment/work_folder.h"
#include "runtime/wheels/plan/plan.h"
#include "runtime/wheels/provenance/bundle.h"

namespace wheelwright {

// Whose signatures count.
struct SignerPolicy {
  std::string repository;  // "ROCm/TheRock"
  std::string workflow;    // that signs: ".github/workflows/attest_pytorch_wheels.yml"
  Texts branches;          // patterns; empty: any ref
  Texts events;            // that may start the run; empty: any
  std::string commit;      // of the repository; "": any
};

// A wheel and the bundles beside it.
struct WheelEvidence {
  std::string file;
  std::string sha256;
  std::optional<std::string> provenance;  // nothing: there is no such bundle
  std::optional<std::string> record;
};

struct VerifiedWheel {
  std::string problem;  // why it is refused; "": it is verified
  std::string next;     // what to do about it
  StatedOrigin origin;  // set when verified, as all below
  SignedStatement provenance;
  SignedStatement record;
};

class WheelVerifier {
 public:
  // `trust_root`: a file with the certificates and keys of another Sigstore; "": the public one,
  // which the program fetches.
  WheelVerifier(Host& host, std::string trust_root);

  // Why wheels cannot be verified here, or "": the program or the file is missing.
  std::string Unready();
  // Safe to call from several threads, for different wheels.
  VerifiedWheel Verify(const WheelEvidence& wheel, const SignerPolicy& policy);

 private:
  // Runs the program. Returns why it refuses, or "".
  std::string Ask(const std::string& bundle, const std::string& name, std::string_view sha256,
                  const StatedOrigin& origin);
  // The same, once for each bundle and origin.
  std::string AskOnce(const SignedStatement& statement, const std::string& name,
                      std::string_view sha256, const StatedOrigin& origin);

  Host& host_;
  std::string trust_root_;
  WorkFolder work_;
  std::mutex mutex_;
  std::map<std::string, std::shared_future<std::string>> verdicts_;
};

// The option --trust-root, and its value: else the variable WHEELRUN_TRUST_ROOT, else "".
OptionSpec TrustRootOption();
std::string TakeTrustRoot(const Arguments& arguments, const Host& host);

// The reason in what the program printed to stderr.
std::string ReasonOfVerifier(std::string_view text);

}  // namespace wheelwright
