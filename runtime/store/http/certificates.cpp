#include "runtime/store/http/certificates.h"

#include <array>
#include <string>
#include <string_view>

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
  constexpr std::array<const char*, 7> kBundles{
      "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Ubuntu, Arch
      "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Red Hat, AlmaLinux, manylinux
      "/etc/pki/tls/certs/ca-bundle.crt",                   // older ones of these
      "/etc/ssl/ca-bundle.pem",                             // SUSE
      "/var/lib/ca-certificates/ca-bundle.pem",             // newer ones of it
      "/etc/ssl/cert.pem",                                  // Alpine, macOS
      "/usr/local/share/certs/ca-root-nss.crt",
  };
  for (const char* bundle : kBundles) {
    context->load_verify_file(bundle, error);
    if (!error) return context;
  }
  context->set_default_verify_paths(error);
  return context;
}

}  // namespace wheelwright
