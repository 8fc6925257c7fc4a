#include <algorithm>

#include "base/platform/certificates.h"
#include "base/platform/windows.h"
// After it.
#include <wincrypt.h>

namespace wheelwright {
namespace {

std::vector<std::string> CertificatesIn(const wchar_t* name) {
  std::vector<std::string> certificates;
  const HCERTSTORE store = CertOpenSystemStoreW(0, name);
  if (store == nullptr) return certificates;
  for (PCCERT_CONTEXT at = nullptr; (at = CertEnumCertificatesInStore(store, at)) != nullptr;) {
    if (at->dwCertEncodingType != X509_ASN_ENCODING) continue;
    certificates.emplace_back(reinterpret_cast<const char*>(at->pbCertEncoded), at->cbCertEncoded);
  }
  CertCloseStore(store, 0);
  return certificates;
}

}  // namespace

std::vector<std::string> CertificateBundles() { return {}; }

std::vector<std::string> SystemCertificates() {
  std::vector<std::string> trusted = CertificatesIn(L"ROOT");
  const std::vector<std::string> refused = CertificatesIn(L"Disallowed");
  std::erase_if(trusted, [&](const std::string& one) {
    return std::ranges::find(refused, one) != refused.end();
  });
  return trusted;
}

}  // namespace wheelwright
