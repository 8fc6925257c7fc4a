#!/usr/bin/env bash
# Runs a program for Windows by Wine, in a world of its own below .tools/:
#   wine.sh PROGRAM ARGUMENT...
set -euo pipefail

tools=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.tools
export WINEPREFIX=${WINEPREFIX-$tools/windows/prefix} WINEDEBUG=${WINEDEBUG--all}
# Neither .NET nor a browser is asked for.
export WINEDLLOVERRIDES='mscoree,mshtml='
exec /usr/lib/wine/wine64 "$@"
