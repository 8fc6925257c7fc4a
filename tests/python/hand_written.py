"""A copy of the structure of the hand-written repository of February 2026: its 49 workflows, their triggers, and their
calls with inputs; every job is a stub.
"""

# File, triggers (c: workflow_call, d: workflow_dispatch, r: pull_request, p: push, s: schedule), and its own jobs.
FILES = """
build_linux_jax_wheels cd build_jax_wheels generate_target_to_run upload_jax_wheels
build_native_linux_packages cd build_native_packages
build_portable_linux_artifacts cd build_portable_linux_artifacts
build_portable_linux_python_packages cd build_rocm_wheels
build_portable_linux_pytorch_wheels cd build_pytorch_wheels generate_target_to_run upload_pytorch_wheels
build_portable_linux_pytorch_wheels_ci cd build_pytorch_wheels
build_windows_artifacts cd build_windows_artifacts
build_windows_python_packages cd build_rocm_wheels
build_windows_pytorch_wheels cd build_pytorch_wheels generate_target_to_run upload_pytorch_wheels
build_windows_pytorch_wheels_ci cd build_pytorch_wheels
ci prd ci_summary
ci_asan sd
ci_linux c
ci_nightly sd
ci_tsan d
ci_weekly d donothing
ci_windows c
copy_release d copy_python_packages
hip_tagging_automation p tag-rocm-systems
multi_arch_build_portable_linux c
multi_arch_build_portable_linux_artifacts c build_stage
multi_arch_build_windows c
multi_arch_build_windows_artifacts c build_stage
multi_arch_ci pd ci_summary
multi_arch_ci_linux c
multi_arch_ci_windows c
pre-commit pr pre-commit
publish_build_manylinux_rccl_x86_64 pd
publish_build_manylinux_x86_64 pd
publish_dockerfile c build-and-push-image
publish_no_rocm_image_ubuntu24_04 pd
publish_no_rocm_image_ubuntu24_04_rocgdb pd
release_native_linux_packages cd
release_portable_linux_jax_wheels cd
release_portable_linux_packages scd setup_metadata portable_linux_packages
release_portable_linux_pytorch_wheels cd
release_windows_packages scd setup_metadata windows_packages
release_windows_pytorch_wheels cd
setup c setup
test_artifacts pcd configure_test_matrix
test_benchmarks cd configure_benchmark_matrix
test_component c test_component
test_jax_dockerfile cd test_wheels
test_linux_jax_wheels cd test_jax_wheels
test_pytorch_wheels cd test_wheels
test_rocm_wheels cd test_wheels
test_sanity_check pcd test_sanity_check
therock_test_harness d setup_metadata therock_test_harness_linux
unit_tests rpd unit_tests unit_tests_summary
"""
_BUILD = "amdgpu_families artifact_group build_variant_cmake_preset build_variant_label build_variant_suffix expect_failure"
_RUN = f"{_BUILD} artifact_run_id rocm_package_version sanity_check_only_for_family test_labels test_runs_on test_type use_prebuilt_artifacts"
_ARTIFACTS = "amdgpu_families artifact_group artifact_run_id test_runs_on"
_TESTED = f"{_ARTIFACTS} sanity_check_only_for_family test_labels test_type"
_STAGE = "dist_amdgpu_families rocm_package_version stage_display_name stage_name timeout_minutes"
_MULTI = ("artifact_group build_variant_cmake_preset build_variant_label build_variant_suffix dist_amdgpu_families expect_failure "
          "matrix_per_family_json rocm_package_version test_type use_prebuilt_artifacts")  # fmt: skip
_TORCH = "artifact_group python_version pytorch_git_ref rocm_package_find_links_url rocm_version"
_RELEASE = ("amdgpu_family cloudfront_staging_url cloudfront_url python_version ref release_type rocm_version s3_staging_subdir "
            "s3_subdir")  # fmt: skip
_WHEELS = "amdgpu_family package_index_url python_version ref repository test_runs_on"
_IMAGE = "DOCKER_FILE_NAME DOCKER_IMAGE_NAME"


def _platform(own, long):
    """The jobs of ci_linux.yml and ci_windows.yml."""
    return [
        (f"build_{long}_artifacts", f"build_{long}_artifacts", f"{_BUILD} package_version"),
        (f"test_{own}_artifacts", "test_artifacts", _TESTED),
        (f"test_{own}_benchmarks", "test_benchmarks", _ARTIFACTS),
        (f"build_{long}_python_packages", f"build_{long}_python_packages", "artifact_group artifact_run_id package_version"),
        ("test_rocm_wheels", "test_rocm_wheels", "amdgpu_family package_find_links_url python_version rocm_version test_runs_on"),
        (f"build_{long}_pytorch_wheels_ci", f"build_{long}_pytorch_wheels_ci", _TORCH),
    ]


def _run(platforms, more=""):
    return [("setup", "setup", "build_variant"),
            *((f"{one}_build_and_test", f"ci_{one}", f"{_RUN} {more}") for one in platforms)]  # fmt: skip


# Caller: (job, callee, inputs).
CALLS = {
    "build_linux_jax_wheels": [("test_jax_wheels", "test_linux_jax_wheels", f"{_WHEELS} jax_ref jax_version jaxlib_version release_type rocm_version tar_url")],
    "build_portable_linux_pytorch_wheels": [("test_pytorch_wheels", "test_pytorch_wheels", f"{_WHEELS} pytorch_git_ref torch_version")],
    "build_windows_pytorch_wheels": [("test_pytorch_wheels", "test_pytorch_wheels", f"{_WHEELS} pytorch_git_ref torch_version")],
    "ci": _run(["linux", "windows"], "build_pytorch"),
    "ci_asan": _run(["linux"]),
    "ci_linux": _platform("linux", "portable_linux"),
    "ci_nightly": _run(["linux", "windows"], "build_pytorch benchmark_runs_on"),
    "ci_tsan": _run(["linux"]),
    "ci_windows": _platform("windows", "windows"),
    "multi_arch_build_portable_linux": [
        (stage, "multi_arch_build_portable_linux_artifacts", f"{_STAGE}{' amdgpu_family' if stage in ('math-libs', 'comm-libs') else ''}")
        for stage in ("foundation", "compiler-runtime", "math-libs", "comm-libs", "debug-tools", "dctools-core", "profiler-apps", "media-libs")],
    "multi_arch_build_windows": [
        (stage, "multi_arch_build_windows_artifacts", f"{_STAGE} build_variant_cmake_preset{' amdgpu_family' if stage == 'math-libs' else ''}")
        for stage in ("foundation", "compiler-runtime", "math-libs")],
    "multi_arch_ci": [("setup", "setup", "build_variant multi_arch"),
                      *((f"{one}_build_and_test", f"multi_arch_ci_{one}", f"{_MULTI} artifact_run_id test_labels") for one in ("linux", "windows"))],
    "multi_arch_ci_linux": [("build_multi_arch_stages", "multi_arch_build_portable_linux", _MULTI),
                            ("test_artifacts_per_family", "test_artifacts", f"{_TESTED} amdgpu_targets")],
    "multi_arch_ci_windows": [("build_multi_arch_stages", "multi_arch_build_windows", _MULTI),
                              ("test_artifacts_per_family", "test_artifacts", _TESTED)],
    "publish_build_manylinux_rccl_x86_64": [("publish_build_manylinux_x86_64", "publish_dockerfile", _IMAGE)],
    "publish_build_manylinux_x86_64": [("publish_build_manylinux_x86_64", "publish_dockerfile", _IMAGE)],
    "publish_no_rocm_image_ubuntu24_04": [("publish_no_rocm_image_ubuntu24_04", "publish_dockerfile", _IMAGE),
                                          ("publish_no_rocm_image_ubuntu24_04_rocgdb", "publish_dockerfile", _IMAGE)],
    "publish_no_rocm_image_ubuntu24_04_rocgdb": [("publish_no_rocm_image_ubuntu24_04_rocgdb", "publish_dockerfile", _IMAGE)],
    "release_native_linux_packages": [("release", "build_native_linux_packages", "artifact_group artifact_run_id native_package_type package_suffix rocm_version")],
    "release_portable_linux_jax_wheels": [("release", "build_linux_jax_wheels", f"{_RELEASE} jax_ref tar_url")],
    "release_portable_linux_pytorch_wheels": [("release", "build_portable_linux_pytorch_wheels", f"{_RELEASE} pytorch_git_ref")],
    "release_windows_pytorch_wheels": [("release", "build_windows_pytorch_wheels", f"{_RELEASE} pytorch_git_ref")],
    "test_artifacts": [("test_sanity_check", "test_sanity_check", f"{_ARTIFACTS} amdgpu_targets platform"),
                       ("test_components", "test_component", f"{_ARTIFACTS} amdgpu_targets component platform")],
    "test_benchmarks": [("run_benchmarks", "test_component", f"{_ARTIFACTS} component platform")],
}  # fmt: skip
OUTPUTS = {
    "setup": ["enable_build_jobs", "linux_variants", "windows_variants", "linux_test_labels", "windows_test_labels", "test_type",
              "rocm_package_version"],
    "build_portable_linux_python_packages": ["package_find_links_url"],
    "build_windows_python_packages": ["package_find_links_url"],
}  # fmt: skip
_CHECKOUT = "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2"


def _inputs(name):
    """All inputs that a caller passes."""
    return sorted({one for calls in CALLS.values() for _, callee, given in calls if callee == name for one in given.split()})


def _on(name, starts, inputs):
    yield "on:"
    declared = ["    inputs:", *(f"      {one}: {{ type: string }}" for one in inputs)] if inputs else []
    if "p" in starts:
        yield from ("  push:", "    branches: [main]")
    if "r" in starts:
        yield "  pull_request:"
    if "s" in starts:
        yield from ("  schedule:", '    - cron: "0 2 * * *"')
    if "c" in starts:
        yield from ("  workflow_call:", *declared)
        if name in OUTPUTS:
            yield "    outputs:"
            for one in OUTPUTS[name]:
                yield from (f"      {one}:", f"        value: ${{{{ jobs.{JOBS[name][0]}.outputs.{one} }}}}")
    if "d" in starts:
        yield from ("  workflow_dispatch:", *declared)


def _value(caller, one, inputs):
    """The value that a caller passes: its own input of the name, or an output of an earlier job."""
    if one in inputs:
        return f"${{{{ inputs.{one} }}}}"
    if one == "amdgpu_family" and "artifact_group" in inputs:
        return "${{ inputs.artifact_group }}"
    if one.endswith("package_find_links_url") and caller in ("ci_linux", "ci_windows"):
        job = "build_portable_linux_python_packages" if caller == "ci_linux" else "build_windows_python_packages"
        return f"${{{{ needs.{job}.outputs.package_find_links_url }}}}"
    if one in ("rocm_version", "package_version") and "rocm_package_version" in inputs:
        return "${{ inputs.rocm_package_version }}"
    if one in OUTPUTS["setup"] and caller in ("ci", "ci_asan", "ci_nightly", "ci_tsan", "multi_arch_ci"):
        return f"${{{{ needs.setup.outputs.{one} }}}}"
    return {"python_version": '"3.12"', "pytorch_git_ref": "release/2.10"}.get(one, "stub")


def _call(caller, job, callee, given, inputs):
    yield f"  {job}:"
    if caller in ("ci_linux", "ci_windows") and (job == "test_rocm_wheels" or job.endswith("_wheels_ci")):
        yield f"    needs: build_{'portable_linux' if caller == 'ci_linux' else 'windows'}_python_packages"
    elif caller in ("ci", "ci_asan", "ci_nightly", "ci_tsan", "multi_arch_ci") and job != "setup":
        yield "    needs: setup"
    if job == "test_rocm_wheels":
        yield "    if: inputs.test_runs_on != ''"
    yield f"    uses: ./.github/workflows/{callee}.yml"
    yield "    with:"
    for one in given.split():
        yield f"      {one}: {_value(caller, one, inputs)}"


JOBS = {line.split()[0]: line.split()[2:] for line in FILES.split("\n") if line}


def workflow(name, starts):
    inputs = _inputs(name)
    lines = [f"name: {name}", *_on(name, starts, inputs), "permissions:", "  contents: read", "jobs:"]
    for job in JOBS[name]:
        lines += [f"  {job}:", "    runs-on: ubuntu-24.04", "    timeout-minutes: 30"]
        outputs = OUTPUTS.get(name, [])
        if outputs:
            lines += ["    outputs:", *(f"      {one}: ${{{{ steps.stub.outputs.{one} }}}}" for one in outputs)]
        lines += ["    steps:", f"      - uses: {_CHECKOUT}"]
        lines += ["      - id: stub", *([] if not inputs else ["        env:", *(f"          {one.upper()}: ${{{{ inputs.{one} }}}}" for one in inputs)])]
        used = " ".join(f'"${one.upper()}"' for one in inputs)
        lines += [f"        run: python build_tools/{name.replace('-', '_')}.py {used}".rstrip()]
    for job, callee, given in CALLS.get(name, []):
        lines += _call(name, job, callee, given, inputs)
    return "\n".join(lines) + "\n"


def write_repository(root):
    folder = root / ".github/workflows"
    folder.mkdir(parents=True)
    for line in FILES.strip().split("\n"):
        name, starts = line.split()[:2]
        (folder / f"{name}.yml").write_text(workflow(name, starts), encoding="utf-8")
