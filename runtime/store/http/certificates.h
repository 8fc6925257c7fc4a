// Certificates for TLS.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "runtime/host/environment/host.h"

namespace wheelwright {

// A context for TLS 1.2 and newer with the certificates that the environment names, else those of
// the machine. Tries the paths of several distributions, because a program that was linked on
// Debian would look only where Debian has them.
std::unique_ptr<boost::asio::ssl::context> TrustingContext(const Host& host);

}  // namespace wheelwright
