#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/text.h"
#include "runtime/store/s3/credentials.h"
#include "runtime/store/s3/s3_xml.h"
#include "runtime/store/storage/keys.h"

namespace wheelwright {
namespace {

constexpr std::string_view kMachineService = "http://169.254.169.254";
constexpr std::string_view kContainerService = "http://169.254.170.2";
// Services on the same machine answer at once or do not exist.
constexpr RetryPolicy kRetries{
    .tries = 3, .first = std::chrono::milliseconds(400), .longest = std::chrono::seconds(1)};

std::string ServiceProblem(const HttpAnswer& answer) {
  if (answer.problem != HttpAnswer::Problem::kNone) return answer.reason;
  return fmt::format("it answers with status {}", answer.status);
}

// Whether a secret may be sent there: over TLS, or to this machine. Services of AWS for containers
// have link-local addresses.
bool MayTakeSecret(const HttpUrl& url) {
  if (url.tls) return true;
  constexpr std::array<std::string_view, 6> kNear{
      "localhost", "127.0.0.1", "::1", "169.254.170.2", "169.254.170.23", "fd00:ec2::23"};
  return std::ranges::find(kNear, ToLower(url.host)) != kNear.end();
}

// Without TLS the service is local, and a proxy could read the token and the answer.
bool IsDirect(std::string_view url) { return !ToLower(url).starts_with("https://"); }

// Why the secret must not be sent to that URL, or "".
std::string ProblemOfSecret(const std::string& text, std::string_view secret) {
  HttpUrl url;
  if (!ReadHttpUrl(text, url)) return "its URL cannot be read";
  if (!url.user_info.empty()) return "its URL holds a name or a password";
  if (MayTakeSecret(url)) return {};
  return fmt::format("{} would get the {} without TLS: https:// is needed", url.host, secret);
}

// Reads the answer of the services of containers and machines.
std::optional<Credentials> ReadCredentials(const HttpAnswer& answer, std::string& problem) {
  const nlohmann::json json = ParseJson(answer.body);
  const auto text = [&](const char* name) {
    const auto found = json.is_object() ? json.find(name) : json.end();
    return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>()
                                                                         : std::string();
  };
  Credentials credentials{text("AccessKeyId"), text("SecretAccessKey"), text("Token")};
  if (credentials.access_key.empty() || credentials.secret_key.empty()) {
    problem = "its answer holds none";
    return std::nullopt;
  }
  if (const auto expires = ReadUtcTime(text("Expiration"))) credentials.expires = *expires;
  return credentials;
}

std::optional<Credentials> FromEnvironment(const Host& host, std::string& problem) {
  Credentials credentials{host.Variable("AWS_ACCESS_KEY_ID"),
                          host.Variable("AWS_SECRET_ACCESS_KEY"),
                          host.Variable("AWS_SESSION_TOKEN")};
  if (credentials.access_key.empty()) return std::nullopt;
  if (credentials.secret_key.empty()) {
    problem = "AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not";
    return std::nullopt;
  }
  return credentials;
}

// Exchanges the job's OIDC token for credentials of a role.
// https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
std::optional<Credentials> FromWebIdentity(const Host& host, HttpClient& http,
                                           const std::string& file, const std::string& role,
                                           std::string session, const std::string& profile_region,
                                           std::string& problem) {
  if (file.empty() || role.empty()) return std::nullopt;
  std::optional<std::string> token;
  try {
    token = host.files.Read(file);
  } catch (const FileError& error) {
    problem = error.what();
    return std::nullopt;
  }
  if (!token || Trim(*token).empty()) {
    problem = fmt::format("there is no token in {}", file);
    return std::nullopt;
  }
  std::string region = host.Variable("AWS_REGION");
  if (region.empty()) region = host.Variable("AWS_DEFAULT_REGION");
  if (region.empty()) region = profile_region;
  std::string endpoint = host.Variable("AWS_ENDPOINT_URL_STS");
  if (endpoint.empty()) endpoint = host.Variable("AWS_ENDPOINT_URL");
  if (endpoint.empty()) {
    endpoint = region.empty() ? "https://sts.amazonaws.com"
                              : fmt::format("https://sts.{}.amazonaws.com", region);
  }
  if (session.empty()) session = "wheelrun";
  const std::string body = fmt::format(
      "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn={}&RoleSessionName={}"
      "&WebIdentityToken={}",
      EncodeQuery(role), EncodeQuery(session), EncodeQuery(Trim(*token)));
  problem = ProblemOfSecret(endpoint, "token of this job");
  if (!problem.empty()) return std::nullopt;
  HttpRequest request{.method = "POST", .url = endpoint + "/", .direct = IsDirect(endpoint)};
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded; charset=utf-8"},
                     {"Accept", "application/xml"}};
  request.body.text = body;
  const HttpAnswer answer = http.Send(request, kRetries);
  if (!answer.good()) {
    const std::optional<S3Error> error = ReadS3Error(answer.body);
    problem = fmt::format("the role {} cannot be assumed: {}", role,
                          error ? error->message : ServiceProblem(answer));
    return std::nullopt;
  }
  Credentials credentials{ReadXmlText(answer.body, "AccessKeyId"),
                          ReadXmlText(answer.body, "SecretAccessKey"),
                          ReadXmlText(answer.body, "SessionToken")};
  if (credentials.access_key.empty() || credentials.secret_key.empty()) {
    problem = fmt::format("the answer about the role {} cannot be read", role);
    return std::nullopt;
  }
  if (const auto expires = ReadUtcTime(ReadXmlText(answer.body, "Expiration"))) {
    credentials.expires = *expires;
  }
  return credentials;
}

std::optional<Credentials> FromProfile(const Host& host, HttpClient& http, std::string& problem) {
  const AwsProfile profile(host);
  if (!profile.found()) {
    if (profile.name() != "default") problem = fmt::format("there is no '{}'", profile.name());
    return std::nullopt;
  }
  Credentials credentials{profile.Get("aws_access_key_id"), profile.Get("aws_secret_access_key"),
                          profile.Get("aws_session_token")};
  if (!credentials.access_key.empty() && !credentials.secret_key.empty()) return credentials;
  if (!profile.Get("web_identity_token_file").empty()) {
    return FromWebIdentity(host, http, profile.Get("web_identity_token_file"),
                           profile.Get("role_arn"), profile.Get("role_session_name"),
                           profile.Get("region"), problem);
  }
  for (const std::string_view other : {"sso_session", "sso_start_url", "credential_process",
                                       "source_profile", "credential_source"}) {
    if (profile.Get(other).empty()) continue;
    problem = fmt::format(
        "'{}' has {}, which is not read; try: eval \"$(aws configure "
        "export-credentials --format env)\"",
        profile.name(), other);
  }
  return std::nullopt;
}

std::optional<Credentials> FromContainer(const Host& host, HttpClient& http, std::string& problem) {
  std::string url = host.Variable("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  const std::string relative = host.Variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  if (!relative.empty()) url = std::string(kContainerService) + relative;
  if (url.empty()) return std::nullopt;
  problem = ProblemOfSecret(url, "token of this container");
  if (!problem.empty()) return std::nullopt;
  HttpRequest request{.url = url, .direct = IsDirect(url)};
  std::string token = host.Variable("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  const std::string file = host.Variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  if (!file.empty()) {
    try {
      token = Trim(host.files.Read(file).value_or(""));
    } catch (const FileError& error) {
      problem = error.what();
      return std::nullopt;
    }
  }
  if (!token.empty()) request.headers = {{"Authorization", token}};
  const HttpAnswer answer = http.Send(request, kRetries);
  if (answer.good()) return ReadCredentials(answer, problem);
  problem = ServiceProblem(answer);
  return std::nullopt;
}

// https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
std::optional<Credentials> FromMachine(const Host& host, std::string& problem) {
  if (EqualsIgnoringCase(host.Variable("AWS_EC2_METADATA_DISABLED"), "true")) return std::nullopt;
  std::string base = host.Variable("AWS_EC2_METADATA_SERVICE_ENDPOINT");
  const bool configured = !base.empty();
  if (!configured) base = kMachineService;
  while (base.ends_with('/')) base.pop_back();
  // On most machines this service is missing and connections only time out.
  HttpClient near(host, {.connect = std::chrono::seconds(1), .idle = std::chrono::seconds(2)});
  HttpRequest request{.method = "PUT", .url = base + "/latest/api/token", .direct = true};
  request.headers = {{"X-aws-ec2-metadata-token-ttl-seconds", "21600"}};
  HttpAnswer answer = near.Send(request);
  if (!answer.good()) {
    if (configured) problem = ServiceProblem(answer);
    return std::nullopt;
  }
  const std::string token(Trim(answer.body));
  const std::string roles = base + "/latest/meta-data/iam/security-credentials/";
  request = {.url = roles, .direct = true};
  request.headers = {{"X-aws-ec2-metadata-token", token}};
  answer = near.Send(request);
  if (answer.status == 404) return std::nullopt;  // a machine without a role
  if (answer.good()) {
    request.url = roles + std::string(Trim(Split(answer.body, '\n').front()));
    answer = near.Send(request);
    if (answer.good()) return ReadCredentials(answer, problem);
  }
  problem = ServiceProblem(answer);
  return std::nullopt;
}

}  // namespace

std::vector<NamedSource> UsualSources(const Host& host, HttpClient& http) {
  return {
      {"the environment", [&host](std::string& problem) { return FromEnvironment(host, problem); }},
      {"the job's web identity",
       [&host, &http](std::string& problem) {
         return FromWebIdentity(host, http, host.Variable("AWS_WEB_IDENTITY_TOKEN_FILE"),
                                host.Variable("AWS_ROLE_ARN"),
                                host.Variable("AWS_ROLE_SESSION_NAME"),
                                AwsProfile(host).Get("region"), problem);
       }},
      {"the profile",
       [&host, &http](std::string& problem) { return FromProfile(host, http, problem); }},
      {"the container's service",
       [&host, &http](std::string& problem) { return FromContainer(host, http, problem); }},
      {"the machine's service",
       [&host](std::string& problem) { return FromMachine(host, problem); }},
  };
}

}  // namespace wheelwright
