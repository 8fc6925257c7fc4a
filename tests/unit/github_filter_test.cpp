// Filter patterns match what GitHub documents that they match.
#include "base/github_filter.h"

#include <catch2/catch.hpp>
#include <vector>

#include "base/text.h"

namespace wheelwright {
namespace {

struct Documented {
  std::vector<std::string> patterns;
  std::vector<std::string> matched;
  std::vector<std::string> others = {};
};

void Check(const std::vector<Documented>& rows) {
  for (const Documented& row : rows) {
    for (const std::string& name : row.matched) {
      INFO(row.patterns.front() << " matches " << name);
      CHECK(MatchesGitHubFilter(row.patterns, name));
    }
    for (const std::string& name : row.others) {
      INFO(row.patterns.front() << " does not match " << name);
      CHECK_FALSE(MatchesGitHubFilter(row.patterns, name));
    }
  }
}

TEST_CASE("filters of branches and tags match the documented names", "[filter]") {
  Check({
      {{"feature/*"}, {"feature/my-branch", "feature/your-branch"}, {"feature/a/b", "feature"}},
      {{"feature/**"}, {"feature/beta-a/my-branch", "feature/mona/the/octocat"}, {"features/a"}},
      {{"main", "releases/mona-the-octocat"}, {"main", "releases/mona-the-octocat"}, {"maine"}},
      {{"*"}, {"main", "releases"}, {"all/the/branches"}},
      {{"**"}, {"all/the/branches", "every/tag"}},
      {{"*feature"}, {"mona-feature", "feature", "ver-10-feature"}, {"a/feature"}},
      {{"v2*"}, {"v2", "v2.0", "v2.9"}, {"v1", "v2/0"}},
      {{"v[12].[0-9]+.[0-9]+"}, {"v1.10.1", "v2.0.0"}, {"v3.0.0", "v1..0", "v1.0"}},
      {{"Octo*"}, {"Octocat"}},
      {{"[CB]at"}, {"Cat", "Bat"}, {"Rat", "at"}},
      {{"[1-2]00"}, {"100", "200"}, {"300"}},
  });
}

TEST_CASE("filters of paths match the documented paths", "[filter]") {
  Check({
      {{"*"}, {"README.md", "server.rb"}, {"docs/README.md"}},
      {{"*.jsx?"}, {"page.js", "page.jsx"}, {"page.jsxx", "a/page.js"}},
      {{"**"}, {"all/the/files.md"}},
      {{"*.js"}, {"app.js", "index.js"}, {"js/index.js"}},
      {{"**.js"}, {"index.js", "js/index.js", "src/js/app.js"}},
      {{"docs/*"}, {"docs/README.md", "docs/file.txt"}, {"docs/mona/octocat.txt"}},
      {{"docs/**"}, {"docs/README.md", "docs/mona/octocat.txt"}},
      {{"docs/**/*.md"}, {"docs/README.md", "docs/mona/hello-world.md", "docs/a/markdown/file.md"}},
      {{"**/docs/**"}, {"docs/hello.md", "dir/docs/my-file.txt", "space/docs/plan/space.doc"}},
      {{"**/README.md"}, {"README.md", "js/README.md"}, {"MYREADME.md"}},
      {{"**/*src/**"}, {"a/src/app.js", "my-src/code/js/app.js"}},
      {{"**/*-post.md"}, {"my-post.md", "path/their-post.md"}},
      {{"**/migrate-*.sql"},
       {"migrate-10909.sql", "db/migrate-v1.0.sql", "db/sept/migrate-v1.sql"}},
      {{"*.md", "!README.md"}, {"hello.md"}, {"README.md", "docs/hello.md"}},
      {{"*.md", "!README.md", "README*"}, {"hello.md", "README.md", "README.doc"}},
  });
}

TEST_CASE("a filter without patterns, or with a broken one, is no error", "[filter]") {
  CHECK_FALSE(MatchesGitHubFilter({}, "main"));
  Check({{{"[ab"}, {"[ab"}, {"a"}}, {{"+a"}, {"+a"}}, {{"!main"}, {}, {"main", "other"}}});
  // No number of ways to match takes long.
  std::string stars;
  for (int i = 0; i < 200; ++i) stars += "*a";
  CHECK_FALSE(MatchesGitHubFilter(std::vector{stars + "b"}, std::string(255, 'a')));
}

TEST_CASE("a glob of this program's own crosses slashes, and knows only `*`", "[filter]") {
  CHECK(MatchesStars("docs/*", "docs/a/b.md"));
  CHECK(MatchesStars("*.md", "a/b.md"));
  CHECK(MatchesStars("a?[b]", "a?[b]"));
  CHECK_FALSE(MatchesStars("a?", "a"));
}

}  // namespace
}  // namespace wheelwright
