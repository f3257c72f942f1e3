#!/bin/sh
# See that the browser tests find a browser: chromium.sh PYTHON. Where none can be had, that is said loudly.
python=$1
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing chromium for the browser tests"
    if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null 2>&1; then exit 0; fi
    apt-get update -qq >/dev/null 2>&1
    if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; then exit 0; fi
fi

# Playwright's own build lies where only Playwright looks; the tests look on the PATH, where the Makefile puts .venv/bin.
where='from playwright.sync_api import sync_playwright as s
with s() as p: print(p.chromium.executable_path)'
if "$python" -m playwright install chromium && browser=$("$python" -c "$where") && [ -x "$browser" ]; then
    ln -sf "$browser" "$(dirname "$python")/chromium"
    exit 0
fi

echo "NOT RUN: the browser tests. No chromium was found or could be installed; put one on the PATH." >&2
exit 0
