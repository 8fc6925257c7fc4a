// Whom the system trusts.
#pragma once

#include <string>
#include <vector>

namespace wheelwright {

// Files in which systems of this kind keep the certificates of authorities; one of them is there,
// if any.
std::vector<std::string> CertificateBundles();
// The certificates, as DER, which a system without such files keeps for all programs.
std::vector<std::string> SystemCertificates();

}  // namespace wheelwright
