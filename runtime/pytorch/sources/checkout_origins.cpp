#include "runtime/pytorch/sources/checkout_origins.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text.h"
#include "runtime/pytorch/sources/git.h"

namespace wheelwright {
namespace {

// Refuses addresses that git would take for options, and control characters.
bool IsAddress(std::string_view url) {
  return !url.empty() && !url.starts_with('-') &&
         url.find_first_of(" \t\r\n") == std::string_view::npos;
}

void SetOrigin(Plan& plan, std::string_view project, std::string_view url) {
  for (auto& [name, sources] : plan.torch_sources) {
    for (ProjectSource& source : sources) {
      if (source.project == project) source.fork = url;
    }
  }
}

}  // namespace

OptionSpec OriginOption() {
  return {.name = "origin",
          .argument = "PROJECT=URL",
          .help = "Take a project from a fork; may be repeated"};
}

void TakeOrigins(const Arguments& arguments, Plan& plan, Diagnostics& diagnostics) {
  const auto refuse = [&](std::string message, std::string hint) {
    diagnostics.Report(
        {.code = "option-value", .message = std::move(message), .hint = std::move(hint)});
  };
  if (arguments.Has("origin") && arguments.Has("manifest")) {
    refuse("'--origin' and '--manifest' contradict each other",
           "a manifest says where each project is from");
  }
  for (const std::string& value : arguments.All("origin")) {
    const std::size_t equals = value.find('=');
    const std::string project = value.substr(0, equals);
    const std::string url = equals == std::string::npos ? "" : value.substr(equals + 1);
    if (!IsAddress(url)) {
      refuse(fmt::format("'--origin' does not take {}", Quoted(WithoutCredentials(value))),
             "it takes a project and an address, such as "
             "torch=https://github.com/somebody/pytorch.git");
    } else if (WithoutCredentials(url) != url) {
      refuse(fmt::format("the address of {} in '--origin' holds a user or a password", project),
             fmt::format("logs would show it: give {}, and git a credential helper",
                         WithoutCredentials(url)));
    } else if (plan.FindProject(project) == nullptr) {
      std::vector<std::string_view> known;
      for (const ProjectRow& row : plan.projects) known.push_back(row.name);
      diagnostics.Report({.code = "unknown-project",
                          .message = fmt::format("no project is called {}", Quoted(project)),
                          .hint = DidYouMean(project, known, "there are")});
    } else {
      SetOrigin(plan, project, url);
    }
  }
}

}  // namespace wheelwright
