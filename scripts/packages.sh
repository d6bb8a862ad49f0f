# Sourced by ./run and ./test: installs the missing Debian or Ubuntu packages of $wanted, or prints the command to do so.

have_package() {
    dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

install_packages() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        echo "This is not Debian or Ubuntu; README.md lists what other systems need." >&2
        return 0
    fi
    missing=
    for package in $wanted; do
        have_package "$package" || missing="$missing $package"
    done
    [ -z "$missing" ] && return 0
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        as_root=sudo
    else
        echo "These packages are missing; install them as root, then run this again:" >&2
        echo "    apt-get install -y --no-install-recommends$missing" >&2
        exit 1
    fi
    echo "Installing$missing" >&2
    $as_root apt-get update -qq
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

need_cargo() {
    command -v cargo >/dev/null 2>&1 || PATH="$HOME/.cargo/bin:$PATH"
    if ! command -v cargo >/dev/null 2>&1; then
        echo "The Rust toolchain is missing: https://rustup.rs" >&2
        exit 1
    fi
}
