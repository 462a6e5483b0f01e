# Shared by the two commands; sourced, not run.
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export LC_ALL=C.UTF-8

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null; then sudo "$@"
    else say "This needs root: $*"; return 1
    fi
}

# ensure_packages FILE...: installs what is missing, and says what. Nothing is asked of the network when all is there.
ensure_packages() {
    local missing
    missing=$(cat "$@" | sed 's/#.*//' | tr -d ' ' | grep -v '^$' | while read -r package; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed' || echo "$package"
    done)
    [ -z "$missing" ] && return 0
    if ! command -v apt-get >/dev/null; then
        say "These Debian packages, or what your system calls them, are missing:"; echo "$missing" >&2; return 1
    fi
    say "Installing $(echo "$missing" | wc -l) packages: $(echo $missing)"
    as_root apt-get update -qq &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
            -o DPkg::Lock::Timeout=500 -o Dpkg::Use-Pty=0 $missing >&2
}

# build ON|OFF TARGET...: configures once, with the tests (ON) or without what they need (OFF; tests that are there stay),
# then builds with progress. The second call takes a second or two.
build() {
    local tests=$1 configured
    shift
    cd "$top" || return 1
    configured=$(sed -n 's/^TONGCHI_BUILD_TESTS:BOOL=//p' build/release/CMakeCache.txt 2>/dev/null)
    if [ ! -f build/release/build.ninja ] || { [ "$tests" = ON ] && [ "$configured" != ON ]; }; then
        say "Configuring"
        cmake --preset release -DTONGCHI_BUILD_TESTS="$tests" >/dev/null ||
            { cmake --preset release -DTONGCHI_BUILD_TESTS="$tests"; return 1; }
    fi
    say "Building ${*:-everything}"
    NINJA_STATUS='[%f/%t %es] ' ninja -C build/release "$@" | sed -u -n '/^\[/p;/error/p;/FAILED/p' | if [ -t 2 ]; then
        while IFS= read -r line; do printf '\r\033[K%.100s' "$line" >&2; done; echo >&2
    else
        awk 'NR % 25 == 1 { print; fflush() } /error|FAILED/ { print; fflush() }' >&2
    fi
    [ "${PIPESTATUS[0]}" = 0 ] || { ninja -C build/release "$@" | tail -40 >&2; return 1; }
}

# A display that can be reached: a socket of X11 or Wayland, or an X server on another host.
have_display() {
    local n
    if [ -n "${WAYLAND_DISPLAY:-}" ]; then
        case "$WAYLAND_DISPLAY" in
            /*) [ -S "$WAYLAND_DISPLAY" ] && return 0 ;;
            *) [ -S "${XDG_RUNTIME_DIR:-/nowhere}/$WAYLAND_DISPLAY" ] && return 0 ;;
        esac
    fi
    case "${DISPLAY:-}" in
        "") return 1 ;;
        :*) n=${DISPLAY#:}; [ -S "/tmp/.X11-unix/X${n%%.*}" ] ;;
        *) return 0 ;;
    esac
}
