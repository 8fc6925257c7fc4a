#include "runtime/wheels/version/rocm_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/characters.h"
#include "base/text.h"
#include "runtime/wheels/version/package_version.h"

namespace wheelwright {
namespace {

class Request {
 public:
  Request(const RocmVersionRequest& request, Diagnostics& diagnostics)
      : request_(request), diagnostics_(diagnostics) {}

  std::optional<RocmVersions> Compute() {
    CheckBase();
    const std::string_view type = request_.release_type;
    if (!request_.custom_suffix.empty()) {
      if (!type.empty()) {
        Report("version-conflict",
               fmt::format("a release of type '{}' takes no custom suffix", type),
               "give --release-type or --custom-version-suffix, not both");
      }
    } else if (std::ranges::find(kRocmReleaseTypes, type) == kRocmReleaseTypes.end()) {
      Report("unknown-release-type",
             type.empty() ? std::string("the release type is missing")
                          : fmt::format("there is no release type '{}'", type),
             DidYouMean(type, kRocmReleaseTypes, "there are"));
    }
    if (type == "prerelease") {
      Require(IsNumber(request_.prerelease_version), "a prerelease", "--prerelease-version",
              request_.prerelease_version, "a number");
    } else if (!request_.prerelease_version.empty()) {
      Report("version-conflict",
             fmt::format("'{}' is the number of a prerelease, but the release type is another",
                         request_.prerelease_version),
             "leave --prerelease-version out, or give --release-type prerelease");
    }
    const bool known_configuration = type.ends_with("-bkc");
    if (known_configuration) {
      Require(IsDate(request_.base_date), fmt::format("a release of type '{}'", type),
              "release-metadata.base-date in version.json", request_.base_date,
              "a date such as 20260811");
    }
    const bool development = type == "ci" || type == "dev" || type == "dev-bkc";
    if (development) {
      Require(request_.git_sha.size() == 40 && AreLowerHexDigits(request_.git_sha),
              fmt::format("a release of type '{}'", type), "--override-git-sha", request_.git_sha,
              "a commit of 40 hexadecimal digits");
    }
    if (development || type.starts_with("nightly")) {
      Require(IsDate(request_.date), fmt::format("a release of type '{}'", type), "the date",
              request_.date, "a date such as 20260811");
    }
    if (wrong_) return std::nullopt;
    return Spell(development);
  }

 private:
  void Report(std::string_view code, std::string message, std::string hint) {
    wrong_ = true;
    diagnostics_.Report({.code = code, .message = std::move(message), .hint = std::move(hint)});
  }

  void Require(bool holds, std::string_view who, std::string_view what, std::string_view value,
               std::string_view expected) {
    if (holds) return;
    Report("version-part",
           value.empty() ? fmt::format("{} needs {}", who, what)
                         : fmt::format("{} needs another value of {} than '{}'", who, what, value),
           fmt::format("expected {}", expected));
  }

  void CheckBase() {
    const auto base = ParsePackageVersion(request_.base_version);
    const bool plain = base && base->Public() == request_.base_version && base->local.empty() &&
                       !base->pre && !base->post && !base->dev && base->epoch == "0";
    Require(plain, "every release", "the base version", request_.base_version,
            "numbers such as 7.10.0");
  }

  std::optional<RocmVersions> Spell(bool development) {
    const std::string& base = request_.base_version;
    const std::string& date = request_.date;
    const std::string_view type = request_.release_type;
    RocmVersions versions{base, base, base};
    if (development) {
      versions.wheel += ".dev0+" + request_.git_sha;
      versions.deb += "~dev" + date;
      versions.rpm += fmt::format("~{}g{}", date, request_.git_sha.substr(0, 8));
    } else if (type == "nightly") {
      versions.wheel += "a" + date;
      versions.deb += "~" + date;
      versions.rpm += "~" + date;
    } else if (type == "nightly-bkc") {
      versions.wheel += fmt::format("a{}+bkc.{}", request_.base_date, date);
      versions.deb += fmt::format("~{}.bkc.{}", request_.base_date, date);
      versions.rpm += fmt::format("~{}.bkc.{}", request_.base_date, date);
    } else if (type == "prerelease") {
      versions.wheel += "rc" + request_.prerelease_version;
      versions.deb += "~pre" + request_.prerelease_version;
      versions.rpm += "~rc" + request_.prerelease_version;
    } else {
      versions.wheel += request_.custom_suffix;
      versions.deb += request_.custom_suffix;
      versions.rpm += request_.custom_suffix;
    }
    const auto wheel = ParsePackageVersion(versions.wheel);
    if (!wheel) {
      Report("package-version",
             fmt::format("'{}' is no version of a Python package", versions.wheel),
             "expected a suffix such as a20260811, rc1 or .dev0+abc");
      return std::nullopt;
    }
    versions.wheel = wheel->ToString();
    // In both formats `-` separates the packaging's revision.
    const std::size_t strange = request_.custom_suffix.find_first_not_of(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+~");
    if (strange != std::string::npos) {
      Report("package-version",
             fmt::format("'{}' is no version of a Debian or RPM package", versions.deb),
             fmt::format("leave '{}' out", request_.custom_suffix[strange]));
      return std::nullopt;
    }
    return versions;
  }

  const RocmVersionRequest& request_;
  Diagnostics& diagnostics_;
  bool wrong_ = false;
};

}  // namespace

bool IsDate(std::string_view text) {
  if (text.size() != 8 || !IsNumber(text)) return false;
  const auto number = [&](std::size_t begin, std::size_t length) {
    return std::stoi(std::string(text.substr(begin, length)));
  };
  const std::chrono::year_month_day day(std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(4, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(6, 2))));
  return day.ok();
}

std::optional<RocmVersions> ComputeRocmVersions(const RocmVersionRequest& request,
                                                Diagnostics& diagnostics) {
  return Request(request, diagnostics).Compute();
}

}  // namespace wheelwright
