#include "runtime/store/http/certificates.h"

#include <openssl/x509.h>

#include <string>
#include <string_view>

#include "base/platform/certificates.h"

namespace wheelwright {

std::unique_ptr<boost::asio::ssl::context> TrustingContext(const Host& host) {
  namespace ssl = boost::asio::ssl;
  auto context = std::make_unique<ssl::context>(ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(context->native_handle(), TLS1_2_VERSION);
  context->set_verify_mode(ssl::verify_peer);
  boost::system::error_code error;
  bool configured = false;
  for (const std::string_view variable : {"AWS_CA_BUNDLE", "SSL_CERT_FILE"}) {
    const std::string file = host.Variable(variable);
    if (file.empty()) continue;
    context->load_verify_file(file, error);
    configured = true;
  }
  if (const std::string folder = host.Variable("SSL_CERT_DIR"); !folder.empty()) {
    context->add_verify_path(folder, error);
    configured = true;
  }
  if (configured) return context;
  for (const std::string& bundle : CertificateBundles()) {
    context->load_verify_file(bundle, error);
    if (!error) return context;
  }
  for (const std::string& certificate : SystemCertificates()) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(certificate.data());
    X509* const parsed = d2i_X509(nullptr, &bytes, static_cast<long>(certificate.size()));
    if (parsed == nullptr) continue;
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context->native_handle()), parsed);
    X509_free(parsed);
    configured = true;
  }
  if (configured) return context;
  context->set_default_verify_paths(error);
  return context;
}

}  // namespace wheelwright
