// A static program can load libraries, such as the modules for name resolution that
// /etc/nsswitch.conf names. They are made for the glibc of the machine, and crash a program that
// has another inside: so it loads none.
#include <netdb.h>
#include <nss.h>
#include <openssl/crypto.h>

namespace {

// Before the constructors of Asio, which set OpenSSL up.
[[gnu::constructor(101)]] void LoadNoModules() {
  // Both ways to resolve a name are inside. A machine that has more of them, such as
  // systemd-resolved, names a server in /etc/resolv.conf too.
  __nss_configure_lookup("hosts", "files dns");
  // Its configuration may name modules for cryptography.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
}

}  // namespace
