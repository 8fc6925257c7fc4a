#include "generator/matrix/formats.h"

#include <map>
#include <regex>

namespace wheelwright::formats {
namespace {

constexpr std::size_t kLongest = 1000;  // std::regex recurses once a character

}  // namespace

// One field of a cron line: `*`, a number or a range, each perhaps with a step; several with
// commas.
#define CRON_PART(number) "(\\*|" number "(-" number ")?)(/[1-9][0-9]?)?"
#define CRON_FIELD(number) CRON_PART(number) "(," CRON_PART(number) ")*"

// A name in a path; not `..`.
#define PATH_PART "\\.?[A-Za-z0-9_-][A-Za-z0-9._-]*"

const Format kAction{"an action", "^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$",
                     "actions/checkout", "owner/name, and perhaps a folder, without a version"};
const Format kActionVersion{"a version", "^v?[0-9]+(\\.[0-9]+)*([-+.][A-Za-z0-9.-]+)?$", "v6.0.2",
                            "the tag that the pinned commit bears"};
const Format kBranchFilter{"a branch filter", "^\\S+$", "release/therock-*",
                           "a filter pattern of GitHub: * stops at a slash, ** does not"};
const Format kBucket{"a bucket", "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$", "therock-dev-python",
                     "3 to 63 lower-case letters, digits, dots and dashes"};
const Format kBucketPattern{"a bucket pattern", "^[a-z0-9{][a-z0-9.{}-]{1,61}[a-z0-9}]$",
                            "therock-{type}-artifacts",
                            "a bucket's name, in which {type} stands for the release type"};
const Format kCron{"a cron line",
                   "^" CRON_FIELD("[0-5]?[0-9]") " " CRON_FIELD("([01]?[0-9]|2[0-3])") " " CRON_FIELD(
                       "(0?[1-9]|[12][0-9]|3[01])") " " CRON_FIELD("(0?[1-9]|1[0-2]|[A-Z]{3})") " "
                       CRON_FIELD("([0-6]|[A-Z]{3})") "$",
                   "0 2 * * *", "minute, hour, day, month and weekday, in UTC"};
const Format kDigest{"a digest", "^sha256:[0-9a-f]{64}$",
                     "sha256:cf4f6d9909056906e4a1c0bc4c245658a0af4c6a6174082a86adfa2d518b7aeb",
                     "sha256: and 64 hexadecimal digits"};
const Format kFamilyKey{"a family's key", "^[a-z][a-z0-9]*$", "gfx94x",
                        "lower-case letters and digits, as people type them in labels and inputs"};
const Format kFolder{
    "a folder", "^([A-Za-z]:/)?" PATH_PART "(/" PATH_PART ")*$", "B:/src",
    "names with / between them, in the workspace or with a drive in front, without .."};
const Format kGfxTarget{
    "a gfx target", "^gfx[0-9][0-9a-f]*(-[0-9]+)*(-generic)?(:(sramecc|xnack)[+-]){0,2}$", "gfx942",
    "gfx and the version in lower case, perhaps with features such as :xnack+"};
const Format kGitRef{"a git ref", "^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9._-]+)*$", "release/2.10",
                     "the name of a branch or tag"};
const Format kGlob{"a pattern", "^\\S+$", "docs/*",
                   "a text without blanks, in which * stands for anything"};
const Format kId{"an id", "^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$", "torch_210",
                 "letters and digits with single _ between them, fit for a job's id"};
const Format kImage{"an image", "^[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)+$",
                    "ghcr.io/rocm/no_rocm_image_ubuntu24_04", "registry and name, without a tag"};
const Format kIssueLink{
    "an issue's link",
    "^https://github\\.com/[A-Za-z0-9._-]+/[A-Za-z0-9._-]+/(issues|pull|discussions)/[1-9][0-9]*$",
    "https://github.com/ROCm/TheRock/issues/1926",
    "the whole URL of an issue or pull request on GitHub"};
const Format kKey{"a key", "^[a-z][a-z0-9]*(_[a-z0-9]+)*$", "setup_python",
                  "lower-case letters and digits with single _ between them"};
const Format kKeyPrefix{"a key prefix", "^" PATH_PART "(/" PATH_PART ")*$", "v2-staging",
                        "names with / between them, none at the ends"};
const Format kName{"a name", "^[A-Za-z0-9][A-Za-z0-9._+-]*$", "gfx94X-dcgpu",
                   "letters, digits, dots, dashes, + and _"};
const Format kPythonVersion{
    "a Python version", "^[1-9]\\.(0|[1-9][0-9]*)t?$", "\"3.12\"",
    "major.minor, with a t behind it for the free-threaded build, in quotes"};
const Format kRegion{"a region", "^[a-z]{2}(-[a-z]+)+-[0-9]$", "us-east-2", "an AWS region"};
const Format kReleaseVersion{"a release", "^[0-9]{1,6}\\.[0-9]{1,6}\\.[0-9]{1,6}$", "1.2.3",
                             "three numbers; a tag has a v before them, the release has none"};
const Format kRepository{"a repository", "^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$", "ROCm/TheRock",
                         "owner/name"};
const Format kRole{"a role", "^arn:aws:iam::[0-9]{12}:role/[A-Za-z0-9+=,.@_/-]+$",
                   "arn:aws:iam::692859939525:role/therock-dev", "the ARN of an IAM role"};
const Format kRunnerLabel{"a runner label", "^[A-Za-z0-9][A-Za-z0-9._-]*$", "ubuntu-24.04",
                          "letters, digits, dots, dashes and _"};
const Format kSha{"a commit", "^[0-9a-f]{40}$", "3d3c42e5aac5ba805825da76410c181273ba90b1",
                  "the whole SHA: 40 hexadecimal digits"};
const Format kTimestamp{"a time", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
                        "\"2025-11-11T16:18:48Z\"", "year-month-dayThour:minute:secondZ, in UTC"};
const Format kToolVersion{"a tool's version", "^[0-9]+(\\.[0-9]+)+$", "\"1.13.1\"",
                          "numbers with dots between them, in quotes"};
const Format kTorchVersion{"a PyTorch version", "^[1-9][0-9]*\\.[0-9]+$", "\"2.10\"",
                           "major.minor, in quotes"};
const Format kUrl{"a URL", "^https://[^\\s/]+(/[^\\s/]+)*$", "https://rocm.nightlies.amd.com/v2",
                  "with https:// and without a slash at its end"};
#define BOUND "(==|[<>]=?) ?[0-9]{1,6}(\\.[0-9]{1,6}){0,2}"
const Format kVersionRange{"a range of versions", "^" BOUND "(, ?" BOUND ")*$", ">=1.2,<1.3",
                           "bounds with commas between them, each ==, >=, <=, > or < and up to "
                           "three numbers"};
const Format kVersionBounds{
    "a version or bounds",
    "^(~=|==|!=|<=|>=|<|>)?[0-9][0-9A-Za-z.!]*(\\.\\*)?(,(~=|==|!=|<=|>=|<|>)[0-9][0-9A-Za-z.!]*("
    "\\.\\*)?)*$",
    "\"2.3.5\"", "a version, or bounds with commas between them, without blanks, in quotes"};
const Format kWorkflowPath{
    "a workflow",
    "^(\\./\\.github/workflows/[A-Za-z0-9._-]+\\.ya?ml|[A-Za-z0-9-]+/[A-Za-z0-9._-]+/"
    "\\.github/workflows/[A-Za-z0-9._-]+\\.ya?ml@\\S+)$",
    "./.github/workflows/test_artifacts.yml",
    "./.github/workflows/FILE, or owner/name/.github/workflows/FILE@ref"};

#undef BOUND
#undef PATH_PART
#undef CRON_FIELD
#undef CRON_PART

bool Fits(const Format& format, std::string_view text) {
  if (text.size() > kLongest) return false;
  thread_local std::map<const Format*, std::regex> compiled;
  auto at = compiled.find(&format);
  if (at == compiled.end()) {
    at = compiled.emplace(&format, std::regex(format.pattern.begin(), format.pattern.end())).first;
  }
  return std::regex_match(text.begin(), text.end(), at->second);
}

}  // namespace wheelwright::formats
