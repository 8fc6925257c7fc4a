#!/usr/bin/env bash
# Runs a program for Windows by Wine, in a world of its own below .tools/:
#   wine.sh PROGRAM ARGUMENT...
set -euo pipefail

tools=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.tools
export WINEPREFIX=${WINEPREFIX-$tools/windows/prefix} WINEDEBUG=${WINEDEBUG--all}
# Neither .NET nor a browser is asked for.
export WINEDLLOVERRIDES='mscoree,mshtml='
# Each start of Wine's server takes seconds, so it stays for a while. It refuses when it runs already.
/usr/lib/wine/wineserver64 -p20 2>/dev/null || true
exec /usr/lib/wine/wine64 "$@"
