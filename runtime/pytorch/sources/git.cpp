#include "runtime/pytorch/sources/git.h"

#include <algorithm>
#include <filesystem>

#include "base/characters.h"
#include "base/platform/files.h"
#include "base/text.h"

namespace wheelwright {
namespace {

constexpr std::chrono::seconds kLocalLimit{15 * 60};
constexpr std::chrono::seconds kNetworkLimit{30 * 60};
constexpr int kNetworkTries = 4;

std::string_view WithoutSuffixes(std::string_view url) {
  while (url.ends_with('/')) url.remove_suffix(1);
  if (url.ends_with(".git")) url.remove_suffix(4);
  while (url.ends_with('/')) url.remove_suffix(1);
  return url;
}

}  // namespace

bool IsRefName(std::string_view text) {
  constexpr std::size_t kLongest = 250;
  constexpr std::string_view kForbidden = " ~^:?*[\\";
  if (text.empty() || text.size() > kLongest || text == "@") return false;
  if (text.find("..") != std::string_view::npos || text.find("@{") != std::string_view::npos) {
    return false;
  }
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || kForbidden.find(c) != std::string_view::npos) return false;
  }
  return std::ranges::all_of(Split(text, '/'), [](std::string_view part) {
    return !part.empty() && !part.starts_with('.') && !part.starts_with('-') &&
           !part.ends_with('.') && !part.ends_with(".lock");
  });
}

Step GitStep(std::string title, std::string folder, std::vector<std::string> arguments) {
  std::vector<std::string> words{"git"};
  for (const std::string_view setting :
       {"core.longpaths=true", "core.hooksPath=/dev/null", "gc.auto=0"}) {
    words.emplace_back("-c");
    words.emplace_back(setting);
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::filesystem::path above = SystemPath(folder).parent_path();
  Step step{.title = std::move(title), .arguments = std::move(words), .folder = std::move(folder)};
  step.variables = {{"GIT_TERMINAL_PROMPT", "0"}};
  if (above.is_absolute()) {
    step.variables.emplace_back("GIT_CEILING_DIRECTORIES", PathText(above));
  }
  step.unset = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
                "GIT_COMMON_DIR"};
  step.limit = kLocalLimit;
  step.quiet = true;
  return step;
}

Step GitNetworkStep(std::string title, std::string folder, std::vector<std::string> arguments) {
  Step step = GitStep(std::move(title), std::move(folder), std::move(arguments));
  step.limit = kNetworkLimit;
  step.tries = kNetworkTries;
  return step;
}

std::string WithoutCredentials(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url);
  const std::size_t begin = scheme + 3;
  const std::size_t end = std::min(url.find('/', begin), url.size());
  const std::size_t at = url.substr(0, end).rfind('@');
  if (at == std::string_view::npos || at < begin) return std::string(url);
  return std::string(url.substr(0, begin)) + std::string(url.substr(at + 1));
}

bool SameRepository(std::string_view a, std::string_view b) {
  return EqualsIgnoringCase(WithoutSuffixes(WithoutCredentials(a)),
                            WithoutSuffixes(WithoutCredentials(b)));
}

std::string ShortRepository(std::string_view url) {
  constexpr std::string_view kGithub = "https://github.com/";
  std::string shown = WithoutCredentials(url);
  std::string_view text = WithoutSuffixes(shown);
  if (!text.starts_with(kGithub)) return shown;
  text.remove_prefix(kGithub.size());
  return std::string(text);
}

}  // namespace wheelwright
