// What is checked of trust domains once their rows have the right form.

#include <catch2/catch.hpp>

#include "tests/unit/combo_matrix.h"

namespace wheelwright {
namespace {

TEST_CASE("what a release type writes to is in its domain", "[matrix]") {
  ComboMatrix m;
  m.Replace("release", ", \"arn:aws:iam::123456789012:role/stable\"]", "]");
  CHECK(
      m.Problems() ==
      R"(error[outside-domain]: the role 'arn:aws:iam::123456789012:role/stable' of release type 'stable' is not in its domain 'dev'
   --> matrix/release.yml:12:11
    |
 12 |     role: arn:aws:iam::123456789012:role/stable
    |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ add it to 'roles' of 'dev'
   ::: matrix/release.yml:17:3
    |
 17 |   dev: { doc: By hand, roles: ["arn:aws:iam::123456789012:role/dev"], buckets: [dev-python, dev-tarball, dev-artifacts, stable-python, stable-tarball, stable-artifacts], triggers: [workflow_dispatch] }
    |   ^^^ the domain
)");
}

TEST_CASE("a bucket of another domain is said to be of that one", "[matrix]") {
  ComboMatrix m;
  m.Replace("release", "stable-tarball, stable-artifacts]", "stable-artifacts]");
  m.Replace("release", "promotion:\n",
            "  other: { doc: x, roles: [], buckets: [stable-tarball], triggers: [push] }\n"
            "promotion:\n");
  CHECK(
      m.Problems() ==
      R"(error[outside-domain]: the bucket 'stable-tarball' of release type 'stable' is not in its domain 'dev'
   --> matrix/release.yml:6:21
    |
  6 |     tarball_bucket: stable-tarball
    |                     ^^^^^^^^^^^^^^ add it to 'buckets' of 'dev'
   ::: matrix/release.yml:17:3
    |
 17 |   dev: { doc: By hand, roles: ["arn:aws:iam::123456789012:role/dev", "arn:aws:iam::123456789012:role/stable"], buckets: [dev-python, dev-tarball, dev-artifacts, stable-python, stable-artifacts], triggers: [workflow_dispatch] }
    |   ^^^ the domain
    = it belongs to the domain 'other'
)");
}

TEST_CASE("a domain holds something, and shares it with no other", "[matrix]") {
  ComboMatrix m;
  m.Replace("release", "promotion:\n",
            "  one: { doc: x, roles: [], buckets: [shared], triggers: [push] }\n"
            "  two: { doc: x, roles: [], buckets: [shared], triggers: [push] }\n"
            "  some: { doc: x, roles: [], buckets: [], environments: [it], triggers: [push] }\n"
            "  none: { doc: x, roles: [], buckets: [], triggers: [push] }\n"
            "promotion:\n");
  CHECK(m.Problems() ==
        R"(error[empty-domain]: the domain 'none' has no role, bucket or environment
   --> matrix/release.yml:21:3
    |
 21 |   none: { doc: x, roles: [], buckets: [], triggers: [push] }
    |   ^^^^
    = it guards nothing: list what belongs to it, or remove the row

error[domain-overlap]: the bucket 'shared' is in two domains: 'one' and 'two'
   --> matrix/release.yml:19:39
    |
 19 |   two: { doc: x, roles: [], buckets: [shared], triggers: [push] }
    |                                       ^^^^^^
   ::: matrix/release.yml:18:39
    |
 18 |   one: { doc: x, roles: [], buckets: [shared], triggers: [push] }
    |                                       ^^^^^^ first here
    = which events may reach it would depend on whom one asks
)");
}

TEST_CASE("two domains share no runner but one that is new for each job", "[matrix]") {
  ComboMatrix m;
  m.Replace("release", "promotion:\n",
            "  low: { doc: x, roles: [], buckets: [low], triggers: [push] }\n"
            "runners:\n"
            "  fresh: { domains: [low, dev], ephemeral: true, why: x }\n"
            "  own: { domains: [dev], why: x }\n"
            "  old: { domains: [low, dev], why: x }\n"
            "  OWN: { domains: [low], why: x }\n"
            "promotion:\n");
  CHECK(
      m.Problems() ==
      R"(error[shared-runner]: the domains 'low' and 'dev' share the runner 'old', which is not said to be ephemeral
   --> matrix/release.yml:22:25
    |
 22 |   old: { domains: [low, dev], why: x }
    |                         ^^^ take it out of one of them
   ::: matrix/release.yml:22:3
    |
 22 |   old: { domains: [low, dev], why: x }
    |   ^^^ the runner
    = what a job leaves on such a machine is there for the next: `ephemeral: true` if each gets a machine of its own

error[shared-runner]: the runner 'OWN' has two rows
   --> matrix/release.yml:23:3
    |
 23 |   OWN: { domains: [low], why: x }
    |   ^^^
   ::: matrix/release.yml:21:3
    |
 21 |   own: { domains: [dev], why: x }
    |   ^^^ first here
    = GitHub does not tell labels apart by the case of letters
)");
}

}  // namespace
}  // namespace wheelwright
