// Where releases go, and who may put them there.
#include "generator/matrix/column_builders.h"
#include "generator/matrix/tables.h"

namespace wheelwright::tables {

using namespace types;
using namespace formats;

namespace {

Type JobResult() { return Word("result", {"success", "failure", "cancelled", "skipped"}); }

}  // namespace

FileSchema Release() {
  std::vector<Column> dependencies{
      {"subdir", Of(kKeyPrefix), kRequired, "Its folder in the bucket of wheels",
       "v2-dependencies"},
      {"url", Of(kUrl), kRequired, "What that is called on the web",
       "https://rocm.nightlies.amd.com/v2-dependencies"},
      {"schedule", Of(kCron), "null", "When it is filled by itself; none: by hand alone",
       "\"0 1 * * *\""},
  };
  std::vector<Column> release_type{
      {"domain", NameOf(kDomains), kRequired, "Whose roles and buckets it uses", "nightly"},
      {"python_bucket", Of(kBucket), kRequired, "The bucket of wheels and their indexes",
       "therock-nightly-python"},
      {"tarball_bucket", Of(kBucket), kRequired, "The bucket of tarballs",
       "therock-nightly-tarball"},
      {"artifact_bucket", Of(kBucket), kRequired,
       "The bucket of a run's artifacts, logs and manifests", "therock-nightly-artifacts"},
      {"subdir", Of(kKeyPrefix), kRequired, "The folder of released wheels in the bucket", "v2"},
      {"staging_subdir", Of(kKeyPrefix), kRequired, "The folder of wheels before their tests",
       "v2-staging"},
      {"tarball_subdir", Of(kKeyPrefix), "", "The folder of tarballs; none: the bucket's top",
       "v3/tarball"},
      {"index_url", Of(kUrl), kRequired, "What `subdir` is called on the web",
       "https://rocm.nightlies.amd.com/v2"},
      {"staging_index_url", Of(kUrl), kRequired, "What `staging_subdir` is called on the web",
       "https://rocm.nightlies.amd.com/v2-staging"},
      {"role", Of(kRole), kRequired, "The role that may write the buckets",
       "arn:aws:iam::692859939525:role/therock-nightly"},
      {"region", Of(kRegion), kRequired, "The region of the buckets", "us-east-2"},
      {"schedule", Of(kCron), "null", "When it is released by itself; none: by hand alone",
       "\"0 4 * * *\""},
      {"dependencies", Row("an index of dependencies", std::move(dependencies)), "null",
       "The index of what its wheels need from elsewhere; none: installers are left to find it",
       ""},
      {"exclude", ListOf(ExcludeRow()), "[]", "Combos that it does not take", ""},
  };
  std::vector<Column> index{
      {"url", Of(kUrl), kRequired, "The folder that has one of each family",
       "https://repo.amd.com/rocm/whl"},
      {"doc", Text(), kRequired, "What it is for", "What was released for good"},
  };
  std::vector<Column> domain{
      {"doc", Text(), kRequired, "What it is for", "Candidates for a release"},
      {"roles", ListOf(Of(kRole)), kRequired, "The roles that belong to it",
       "[arn:aws:iam::692859939525:role/therock-ci]"},
      {"buckets", ListOf(Of(kBucket)), kRequired, "The buckets that belong to it",
       "[therock-ci-artifacts]"},
      {"region", Of(kRegion), "null", "The region of its buckets, where templates need to know it",
       "us-east-2"},
      {"environments", ListOf(Text()), "[]",
       "The deployment environments of GitHub that belong to it; if there are any, each job that "
       "has one of its roles is in one",
       "[prerelease]"},
      {"triggers", ListOf(EventWord()), kRequired, "The events that may reach it",
       "[workflow_dispatch]"},
  };
  std::vector<Column> runner{
      {"domains", ListOf(NameOf(kDomains)), kRequired,
       "The domains whose credentials it may hold, and for which it may make what is published",
       "[ci, nightly]"},
      {"ephemeral", Boolean(), "false",
       "Each job gets a machine of its own, which is thrown away behind it; without this a runner "
       "belongs to one domain",
       "true"},
      {"why", Text(), kRequired, "What makes it so", "GitHub makes a virtual machine for each job"},
  };
  std::vector<Column> promotion_case{
      {"branch", OneOrMore(Of(kBranchFilter)), "null", "The branch of the run",
       "release/therock-*"},
      {"build", OneOrMore(JobResult()), "null", "How the build ended",
       "[failure, cancelled, skipped]"},
      {"tests", OneOrMore(JobResult()), "null", "How the tests ended",
       "[failure, cancelled, skipped]"},
      {"runner", Boolean(), "null", "A runner tests the family", "false"},
      {"bypass", Boolean(), "null", "The family may go untested", "false"},
  };
  std::vector<Column> promotion{
      {"when", Row("a case of the promotion policy", std::move(promotion_case)), kRequired,
       "What must be so; a column that is left out fits always", "{runner: false, bypass: false}"},
      {"verdict", Word("verdict", {"promote", "hold"}), kRequired, "What becomes of the wheels",
       "hold"},
      {"why", Text(), kRequired, "The reason, as the log gives it", "The build did not succeed"},
  };
  std::vector<Column> bucket_case{
      {"release", Boolean(), "null", "The run has a release type", "true"},
      {"repository", Of(kRepository), "null", "The repository of the run", "ROCm/TheRock"},
      {"fork", Boolean(), "null", "The code comes from a fork", "false"},
      {"updated_until", Of(kTimestamp), "null",
       "The run was last touched at that time at the latest", "\"2025-11-11T16:18:48Z\""},
  };
  std::vector<Column> artifact_bucket{
      {"when", Row("a run", std::move(bucket_case)), kRequired,
       "What must be so; a column that is left out fits always",
       "{repository: ROCm/TheRock, fork: false}"},
      {"bucket", Of(kBucketPattern), kRequired, "The bucket; {type} stands for the release type",
       "therock-ci-artifacts"},
      {"prefix", AnyText(), "",
       "What stands before the run's folder; {owner}-{name} is the repository",
       "\"{owner}-{name}/\""},
  };
  return {.stem = "release",
          .help = "Where releases go, and who may put them there",
          .tables = Row(
              "the file",
              {{"release_types", MapOf(Of(kKey), Row("a release type", std::move(release_type))),
                "{}", "The kinds of release, by name", ""},
               {"indexes", MapOf(Of(kKey), Row("an index", std::move(index))), "{}",
                "Indexes that are not filled from here, by the name that people type; release "
                "types are called by their own",
                ""},
               {"domains", MapOf(Of(kKey), Row("a trust domain", std::move(domain))), "{}",
                "Who may touch what, from the least trusted to the most", ""},
               {"runners", MapOf(Of(kRunnerLabel), Row("a runner", std::move(runner))), "{}",
                "The machines of trust domains, by label; any other machine runs anybody's code, "
                "and no job that has a domain's role. Without a row, no runner is checked",
                ""},
               {"promotion", ListOf(Row("a promotion rule", std::move(promotion))), "[]",
                "Whether staged wheels are released; the first row that fits decides", ""},
               {"artifact_buckets",
                ListOf(Row("a rule for a run's bucket", std::move(artifact_bucket))), "[]",
                "Where the artifacts of a run lie; the first row that fits decides", ""}}),
          .unique = {"release_types.*.role", "release_types.*.index_url",
                     "release_types.*.dependencies.url", "indexes.*.url"}};
}

}  // namespace wheelwright::tables
