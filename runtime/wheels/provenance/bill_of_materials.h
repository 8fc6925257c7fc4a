// The bill of materials of a wheel, from its own records: METADATA, RECORD, and the sources that it
// was built from. CycloneDX 1.6 as JSON: https://cyclonedx.org/docs/1.6/json/
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "runtime/wheels/provenance/attestation.h"
#include "runtime/wheels/wheel/wheel_contents.h"

namespace wheelwright {

// The wheel with its licence; what it requires; the shared objects and programs that it brings,
// with their sums from RECORD; the commits of its sources. The same wheel gives the same bytes: it
// has no time, and its serial number is made of the wheel's sum.
nlohmann::ordered_json BillOfMaterials(const WheelContents& contents, const AttestedWheel& wheel,
                                       const std::vector<AttestedSource>& sources);

// "pkg:pypi/torch@2.10.0%2Brocm7.12.0"; without a version "pkg:pypi/torch".
// https://github.com/package-url/purl-spec
std::string PackageUrl(std::string_view project, std::string_view version);

}  // namespace wheelwright
