#include "runtime/store/s3/credentials.h"

#include <fmt/format.h>

#include "base/text.h"
#include "runtime/store/storage/storage.h"

namespace wheelwright {
namespace {

using Clock = std::chrono::system_clock;

// Credentials are renewed this long before they expire, so that no upload of a part outlasts them.
constexpr std::chrono::minutes kEarly{5};

std::string Home(const Host& host) {
  const std::string home = host.Variable("HOME");
  return home.empty() ? host.Variable("USERPROFILE") : home;
}

}  // namespace

AwsProfile::AwsProfile(const Host& host) {
  name_ = host.Variable("AWS_PROFILE");
  if (name_.empty()) name_ = host.Variable("AWS_DEFAULT_PROFILE");
  if (name_.empty()) name_ = "default";
  const auto path = [&](std::string_view variable, std::string_view file) {
    std::string named = host.Variable(variable);
    return named.empty() ? fmt::format("{}/.aws/{}", Home(host), file) : named;
  };
  Read(host, path("AWS_CONFIG_FILE", "config"), true);
  Read(host, path("AWS_SHARED_CREDENTIALS_FILE", "credentials"), false);
}

std::string AwsProfile::Get(std::string_view setting) const {
  const auto found = settings_.find(setting);
  return found == settings_.end() ? std::string() : found->second;
}

void AwsProfile::Read(const Host& host, const std::string& path, bool with_word) {
  std::optional<std::string> text;
  try {
    text = host.files.Read(path);
  } catch (const FileError&) {
    return;  // as good as none: the message about missing credentials names the place
  }
  if (!text) return;
  bool ours = false;
  for (std::string_view line : Split(*text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    // An indented line belongs to a nested group of settings such as `s3 =`.
    if (line.empty() || line[0] == '#' || line[0] == ';' || line[0] == ' ' || line[0] == '\t') {
      continue;
    }
    if (line[0] == '[') {
      std::string_view section = Trim(line.substr(1, line.find(']') - 1));
      if (with_word && section.starts_with("profile ")) section = Trim(section.substr(8));
      ours = section == name_;
      found_ = found_ || ours;
      continue;
    }
    const std::size_t equals = line.find('=');
    if (!ours || equals == std::string_view::npos) continue;
    settings_[ToLower(Trim(line.substr(0, equals)))] = Trim(line.substr(equals + 1));
  }
}

std::optional<Clock::time_point> ReadUtcTime(std::string_view text) {
  int fields[6] = {};
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (text.size() < kShape.size()) return std::nullopt;
  std::size_t field = 0;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    if (kShape[i] == '0') {
      if (text[i] < '0' || text[i] > '9') return std::nullopt;
      fields[field] = fields[field] * 10 + (text[i] - '0');
    } else {
      if (text[i] != kShape[i]) return std::nullopt;
      ++field;
    }
  }
  const std::chrono::year_month_day day{std::chrono::year(fields[0]),
                                        std::chrono::month(static_cast<unsigned>(fields[1])),
                                        std::chrono::day(static_cast<unsigned>(fields[2]))};
  if (!day.ok()) return std::nullopt;
  return std::chrono::sys_days(day) + std::chrono::hours(fields[3]) +
         std::chrono::minutes(fields[4]) + std::chrono::seconds(fields[5]);
}

CredentialChain::CredentialChain(const Host& host, std::vector<NamedSource> sources, bool anonymous,
                                 std::function<void(std::string_view)> on_secret)
    : host_(host),
      sources_(std::move(sources)),
      anonymous_(anonymous),
      on_secret_(std::move(on_secret)) {}

std::optional<Credentials> CredentialChain::Look(std::string& problems) const {
  std::vector<std::string> names;
  for (const NamedSource& source : sources_) {
    std::string problem;
    std::optional<Credentials> found = source.look(problem);
    if (found) {
      if (on_secret_) {
        on_secret_(found->secret_key);
        on_secret_(found->session_token);
      }
      return found;
    }
    names.push_back(source.name);
    if (!problem.empty()) {
      // This source is configured, so its failure is an error: do not try later ones.
      problems = fmt::format("there are no credentials: {}: {}", source.name, problem);
      return std::nullopt;
    }
  }
  if (anonymous_) return Credentials{};
  problems = fmt::format("there are no credentials: none in {}", JoinWords(names));
  return std::nullopt;
}

Credentials CredentialChain::Get() {
  const std::lock_guard hold(mutex_);
  const Clock::time_point now = host_.now();
  const bool lasts = current_ && (current_->expires == Clock::time_point::max() ||
                                  now + kEarly < current_->expires);
  if (lasts) return *current_;
  std::string problems;
  std::optional<Credentials> found = Look(problems);
  if (found) {
    current_ = std::move(found);
  } else if (!current_ || current_->expires <= now) {
    throw StorageError(StorageError::Kind::kDenied, problems);
  }
  return *current_;
}

bool CredentialChain::Renew(const Credentials& refused) {
  const std::lock_guard hold(mutex_);
  if (current_ && current_->access_key != refused.access_key) return true;
  if (current_ && current_->session_token != refused.session_token) return true;
  std::string problems;
  std::optional<Credentials> found = Look(problems);
  const bool others = found && (found->access_key != refused.access_key ||
                                found->session_token != refused.session_token);
  if (others) current_ = std::move(found);
  return others;
}

}  // namespace wheelwright
