// Checks workflow files of any repository: reads them and the workflows that they call, links them,
// and applies the repository's levels.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/file_system.h"
#include "base/source.h"
#include "generator/link/action_interface.h"
#include "generator/link/lock_file.h"
#include "generator/link/programs.h"
#include "generator/lint/configuration.h"
#include "generator/lint/linted_file.h"

namespace wheelwright {

struct LintRequest {
  std::size_t threads = 1;
  bool strict = false;        // use the rules for generated files
  std::string configuration;  // its path; empty: that of the repository, if it has one
  bool keep_trees = false;    // LintedFile::tree after Check(), for edits and editors
};

class Linter {
 public:
  Linter(FileSystem& files, LintRequest request) : files_(files), request_(std::move(request)) {}

  // Add files to check. A path may be a file, a folder of YAML files, or a repository. refused()
  // has reports of unreadable ones.
  void Add(const std::string& path, const std::string& text);
  void ReadPath(const std::string& path);

  // Reads the configuration and checks all files. False if the configuration is invalid; see
  // refused().
  bool Check();

  // All findings by file, in the order of lines.
  Diagnostics Collect() const;

  const Diagnostics& refused() const { return refused_; }
  const SourceManager& sources() const { return sources_; }
  // A file that was read, asked for or not; null if it was not.
  const LintedFile* FindFile(const std::string& path) const;
  // After Check(): what is known of actions; null if there are no files.
  const KnownActions* known_actions() const {
    return folders_.empty() ? nullptr : folders_.begin()->second.known;
  }
  std::size_t count() const { return count_; }
  // Calls visit(file) for each file to check.
  template <typename Visit>
  void VisitFiles(const Visit& visit) const {
    for (const auto& [folder, group] : folders_) {
      for (const LintedFile& file : group.files) {
        if (file.asked_for) visit(file);
      }
    }
  }

 private:
  struct Folder {
    std::deque<LintedFile> files;
    const LintConfiguration* configuration = nullptr;
    const KnownActions* known = nullptr;
    const Programs* programs = nullptr;
    std::string repository;  // "." or a path
  };

  static constexpr std::string_view kWorkflows = ".github/workflows";

  struct Configured;
  // In linter_files.cpp, up to ReadNeighbour().
  LintedFile& Insert(const std::string& path, const std::string& text, bool asked_for);
  bool ReadRepository(const std::string& path);
  void ReadActions(const std::string& folder, int depth);
  std::string RepositoryAbove(const std::string& folder) const;
  void Refuse(std::string message);

  void Configure(const std::string& name, Folder& folder);
  void ReadDescriptions(const Folder& folder, Configured& configured);
  // The lock file beside the workflows; empty where there is none.
  void ReadLock(const std::string& name, Folder& folder, LockFile& lock);
  // Makes the tree, of the frozen one if there is one. False if the file cannot be read.
  bool Parse(LintedFile& file) const;
  // Parses files, and takes from their trees what is asked for across files.
  void SurveyFrom(Folder& folder, std::size_t first);
  void Survey(LintedFile& file) const;
  void ReadCalled(const std::string& name, Folder& folder);
  // The actions of the repository that steps of the folder's files use.
  void ReadActionsUsed(const std::string& name, const Folder& folder, LocalActions& actions);
  // False if there is no such file, or it was read before.
  bool ReadNeighbour(const std::string& folder, const std::string& name);
  bool ChecksScripts(const Folder& folder, const LintedFile& file) const;
  void CheckAllScripts();
  void LinkFolder(const std::string& name, Folder& folder);
  // Sets the levels of findings, and drops those that are off or suppressed.
  void Judge(const Folder& folder, LintedFile& file) const;
  std::string PathInRepository(const Folder& folder, const LintedFile& file) const;

  FileSystem& files_;
  LintRequest request_;
  SourceManager sources_;
  Arena arena_;  // of local actions and configurations
  std::map<std::string, Folder> folders_;
  // A configuration with the actions that it names.
  struct Configured {
    LintConfiguration configuration;
    KnownActions known;
    Programs programs;
  };
  std::map<std::string, std::unique_ptr<Configured>> configurations_;
  std::set<std::string> known_;
  std::vector<std::string> repositories_;  // that were read as a whole
  std::size_t count_ = 0;
  bool drops_trees_ = false;  // as there are many
  Diagnostics refused_;
};

}  // namespace wheelwright
