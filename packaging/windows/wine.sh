#!/usr/bin/env bash
# Runs a program for Windows by Wine, in a world of its own below .tools/:
#   wine.sh PROGRAM ARGUMENT...
set -euo pipefail

tools=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.tools
export WINEPREFIX=${WINEPREFIX-$tools/windows/prefix} WINEDEBUG=${WINEDEBUG--all}
# Neither .NET nor a browser is asked for.
export WINEDLLOVERRIDES='mscoree,mshtml='
# The server stays for a quarter of an hour after the last program, because its start takes seconds, on a busy machine
# minutes. It refuses when it runs already. Only one program may start the services of Windows: others that come meanwhile
# would wait for them for half a minute. They keep their output open, so it is none of ours.
mkdir -p "$WINEPREFIX"
{
  flock 9
  if /usr/lib/wine/wineserver64 -p900 2>/dev/null 9>&-; then
    timeout 120 /usr/lib/wine/wine64 wineboot >/dev/null 2>&1 </dev/null 9>&- || true
  fi
} 9>"$WINEPREFIX/start.lock"
exec /usr/lib/wine/wine64 "$@"
