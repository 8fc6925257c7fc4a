// Whom to trust over TLS.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// For TLS 1.2 and newer, with the certificates that the environment names, else those of the
// machine. A program that is linked on Debian would look for them where Debian has them, so the
// places of other distributions are tried as well.
std::unique_ptr<boost::asio::ssl::context> TrustingContext(const Host& host);

}  // namespace wheelwright
