#include "base/platform/certificates.h"

namespace wheelwright {

std::vector<std::string> CertificateBundles() {
  return {
      "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch
      "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Red Hat, AlmaLinux, manylinux
      "/etc/pki/tls/certs/ca-bundle.crt",                   // older ones of these
      "/etc/ssl/ca-bundle.pem",                             // SUSE
      "/var/lib/ca-certificates/ca-bundle.pem",             // newer ones of it
      "/etc/ssl/cert.pem",                                  // Alpine, macOS
      "/usr/local/share/certs/ca-root-nss.crt",
  };
}

std::vector<std::string> SystemCertificates() { return {}; }

}  // namespace wheelwright
