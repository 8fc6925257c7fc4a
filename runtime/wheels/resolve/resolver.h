// Resolves by uv, which is the resolver of many users. It installs, builds and runs nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "runtime/host/environment/host.h"
#include "runtime/host/environment/work_folder.h"
#include "runtime/wheels/resolve/conflict.h"
#include "runtime/wheels/resolve/install_cell.h"

namespace wheelwright {

struct CellAnswer {
  ChosenVersions chosen;
  std::string refusal;  // why there is no solution, in uv's words; "": there is one
  std::string failure;  // why uv could not say: a network, a crash; "": it did
};

// The path of uv. Reports an error that says what to do when there is none.
std::optional<std::string> FindUv(const Host& host, Diagnostics& diagnostics);

class UvResolver {
 public:
  // `platform` is what uv calls it: see UvPlatform().
  UvResolver(Host& host, std::string uv, std::string release_url, std::string dependencies_url,
             std::string platform);

  // `number` names its files. Safe to call from several threads.
  CellAnswer Resolve(const InstallCell& cell, std::size_t number) const;

 private:
  Host& host_;
  std::string uv_;
  std::string release_url_;
  std::string dependencies_url_;
  std::string platform_;
  std::string python_;  // the path of some interpreter; "": uv looks for one
  Variables variables_;
  WorkFolder work_;
};

// The platform on which all of the wheels can be installed: "windows", or the Linux with the oldest
// glibc that they and the build image (2.28) allow.
std::string UvPlatform(std::span<const WheelName> wheels, WheelPlatform platform);

// The sentence in what uv prints to stderr where there is no solution; "" where it printed none.
std::string RefusalOf(std::string_view said);

}  // namespace wheelwright
