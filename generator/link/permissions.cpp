// Checks permissions: explicit for every job, and exactly those that called workflows need.
//
// GitHub refuses to start a run if a called workflow, directly or indirectly, requests more than
// its caller has.
#include "generator/workflow/permissions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "generator/link/rules.h"

namespace wheelwright {
namespace {

constexpr std::size_t kNoScope = kPermissionScopes.size();

// "contents: read, id-token: write".
std::string Describe(std::span<const WorkflowInterface::Want> wants) {
  std::string text;
  for (const WorkflowInterface::Want& want : wants) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{}: {}", kPermissionScopes[want.scope], NameOf(want.access));
  }
  return text.empty() ? "{}" : text;
}

struct Call {
  const Job& job;
  const WorkflowInterface& callee;
  const Field& block;  // of the job, else of the file
  bool own = false;    // the block is the job's own
};

// The scope's key in the block, or the block's own key.
const Node* PlaceOf(const Call& call, std::size_t scope) {
  if (scope != kNoScope) {
    if (const Entry* entry = FindEntry(call.block.value, kPermissionScopes[scope]))
      return entry->key;
  }
  return call.own ? call.block.key : call.job.uses.value;
}

void CheckWanted(const Linking& linking, const Call& call, const Permissions& granted) {
  bool at_block = false;
  for (const WorkflowInterface::Want& want : call.callee.wants) {
    if (granted[want.scope] >= want.access) continue;
    const Node* entry = Find(call.block.value, kPermissionScopes[want.scope]);
    // One report for all scopes that the block does not name: the note lists them.
    if (!entry && std::exchange(at_block, true)) continue;
    const Node* at = entry && call.own ? entry : PlaceOf(call, kNoScope);
    Diagnostic diagnostic =
        At(at, "missing-permission",
           fmt::format("job '{}' grants {} '{}: {}', and it asks for '{}'", call.job.id,
                       call.callee.name, kPermissionScopes[want.scope], NameOf(granted[want.scope]),
                       NameOf(want.access)));
    if (want.where.known()) diagnostic.related.push_back({want.where, "asked for here"});
    diagnostic.notes.push_back(
        fmt::format("{} job '{}' -> {}", linking.file.name, call.job.id, want.path));
    diagnostic.notes.push_back(fmt::format("permissions that {} needs: {}", call.callee.name,
                                           Describe(call.callee.wants)));
    linking.Report(std::move(diagnostic));
  }
}

void CheckExcess(const Linking& linking, const Call& call, const Permissions& granted) {
  if (linking.rules().minimal_permissions == RuleLevel::kOff || !call.callee.permissions_explicit)
    return;
  for (std::size_t scope = 0; scope < granted.size(); ++scope) {
    if (granted[scope] == Access::kNone) continue;
    const auto want = std::ranges::find(call.callee.wants, scope, &WorkflowInterface::Want::scope);
    const Access wanted = want == call.callee.wants.end() ? Access::kNone : want->access;
    if (granted[scope] <= wanted) continue;
    Diagnostic diagnostic = At(
        call.own ? PlaceOf(call, scope) : call.job.uses.value, "excess-permission",
        wanted == Access::kNone
            ? fmt::format("job '{}' grants '{}: {}' to {}, which does not ask for it", call.job.id,
                          kPermissionScopes[scope], NameOf(granted[scope]), call.callee.name)
            : fmt::format("job '{}' grants '{}: {}' to {}, which asks for '{}' only", call.job.id,
                          kPermissionScopes[scope], NameOf(granted[scope]), call.callee.name,
                          NameOf(wanted)));
    diagnostic.notes.push_back(fmt::format("permissions that {} needs: {}", call.callee.name,
                                           Describe(call.callee.wants)));
    if (!call.own)
      diagnostic.notes.push_back(
          "the job has what the whole workflow has; give it a block of its own");
    linking.Report(linking.rules().minimal_permissions, std::move(diagnostic));
    return;  // one report says it all
  }
}

// Actions that exchange the job's OIDC token for credentials or a signature.
constexpr std::string_view kIdentityActions[] = {
    "aws-actions/configure-aws-credentials",
    "azure/login",
    "google-github-actions/auth",
    "hashicorp/vault-action",
    "actions/attest",
    "actions/attest-build-provenance",
    "actions/attest-sbom",
    "actions/deploy-pages",
    "pypa/gh-action-pypi-publish",
    "rust-lang/crates-io-auth-action",
    "sigstore/gh-action-sigstore-python",
};

// Commands that do so themselves; package indexes call it trusted publishing:
// https://docs.pypi.org/trusted-publishers/, https://docs.npmjs.com/trusted-publishers
constexpr std::string_view kIdentityCommands[] = {"uv publish", "twine upload", "npm publish",
                                                  "cosign sign"};

bool UsesIdentity(const WorkflowStep& step) {
  const std::string_view action = ActionName(step.uses.text());
  const auto is_action = [&](std::string_view one) { return EqualsIgnoringCase(one, action); };
  if (std::ranges::any_of(kIdentityActions, is_action)) return true;
  if (Find(step.with.value, "role-to-assume")) return true;
  // By hand:
  // https://docs.github.com/actions/reference/security/oidc#methods-for-requesting-the-oidc-token
  const std::string_view script = step.run.text();
  const auto is_called = [&](std::string_view one) {
    return script.find(one) != std::string_view::npos;
  };
  if (is_called("ACTIONS_ID_TOKEN_REQUEST_")) return true;
  if (std::ranges::any_of(kIdentityCommands, is_called)) return true;
  return FindText(step.with.value, "script").find("getIDToken") != std::string_view::npos;
}

// Code in a job that may request an OIDC token can assume the job's roles.
void CheckIdentity(const Linking& linking, const Job& job) {
  const Field& block = job.permissions ? job.permissions : linking.workflow.permissions;
  const Entry* token = FindEntry(block.value, "id-token");
  if (!token || token->value->text != "write" || job.steps.empty()) return;
  if (std::ranges::any_of(job.steps, UsesIdentity)) return;
  Diagnostic diagnostic =
      At(token->key, "idle-id-token",
         fmt::format("job '{}' may request an identity token, but none of its steps does", job.id),
         job.permissions ? "leave it out" : "grant it only to the jobs that need it");
  diagnostic.notes.push_back(
      "any code that runs in the job could assume every role that trusts it");
  linking.Report(linking.rules().used_id_tokens, std::move(diagnostic));
}

}  // namespace

void CheckPermissions(const Linking& linking) {
  const Workflow& workflow = linking.workflow;
  Permissions of_file{};
  if (workflow.permissions) of_file = ReadPermissions(*workflow.permissions.value);
  for (const Job& job : workflow.jobs) {
    if (!job.permissions && !workflow.permissions) {
      linking.Report(linking.rules().explicit_permissions,
                     At(job.key, "missing-permissions",
                        fmt::format("the permissions of job '{}' are not given", job.id),
                        "add 'permissions', here or for the whole workflow"));
      continue;
    }
    if (!job.is_call()) {
      CheckIdentity(linking, job);
      continue;
    }
    const WorkflowInterface* callee =
        linking.context.interfaces.Find(InterfaceName(job.uses.text()));
    if (!callee) continue;
    const bool own = static_cast<bool>(job.permissions);
    const Call call{job, *callee, own ? job.permissions : workflow.permissions, own};
    const Permissions granted = own ? ReadPermissions(*job.permissions.value) : of_file;
    CheckWanted(linking, call, granted);
    CheckExcess(linking, call, granted);
  }
}

}  // namespace wheelwright
