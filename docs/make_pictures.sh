#!/bin/sh
# Creates the images of the user guide and the README with Maquette.
#
#     docs/make_pictures.sh [NAME…]      all images, or only the named ones
#
# The program is $MAQUETTE or target/release/maquette. It runs on a separate X server without a screen, with separate
# settings, and shows only the sample character. The script presses the keys and clicks like a user.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
maquette=${MAQUETTE:-$root/target/release/maquette}
pictures=$root/docs/pictures
sample=$root/assets/sample

lacks=
for pair in Xvfb:xvfb xdotool:xdotool import:imagemagick convert:imagemagick; do
    command -v "${pair%%:*}" >/dev/null || lacks="$lacks ${pair##*:}"
done
if [ -n "$lacks" ]; then
    echo "Missing here; on Debian: apt-get install$(printf '%s\n' $lacks | sort -u | sed 's/^/ /' | tr -d '\n')" >&2
    exit 1
fi
case $maquette in /*) ;; *) maquette=$PWD/$maquette ;; esac
if [ ! -x "$maquette" ]; then
    echo "no such program: $maquette; run cargo build --release first, or set MAQUETTE to the program" >&2
    exit 1
fi

work=$(mktemp -d)
server=
program=

quit() {
    if [ -n "$program" ]; then
        kill "$program" 2>/dev/null || true
        wait "$program" 2>/dev/null || true
        program=
    fi
}

clean_up() {
    status=$?
    trap - EXIT
    quit
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$work"
    exit $status
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

# The screen is larger than the window, so that the pointer can rest outside of the window.
Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp -noreset 3>"$work/display" 2>"$work/server.log" &
server=$!
tries=0
until [ -s "$work/display" ]; do
    tries=$((tries + 1))
    if [ $tries -gt 100 ] || ! kill -0 "$server" 2>/dev/null; then
        echo "Xvfb did not start:" >&2
        cat "$work/server.log" >&2
        exit 1
    fi
    sleep 0.1
done
DISPLAY=:$(cat "$work/display")
export DISPLAY

# Waits until the window has not changed for some time.
settle() {
    sleep 0.5
    before=
    same=0
    tries=0
    while [ $same -lt 3 ]; do
        tries=$((tries + 1))
        if [ $tries -gt 80 ]; then
            echo "the window still changes after 20 seconds" >&2
            return 1
        fi
        sleep 0.25
        now=$(import -window "$window" rgb:- | cksum)
        if [ "$now" = "$before" ]; then same=$((same + 1)); else same=0; fi
        before=$now
    done
}

# Starts the program with the given models, and stops at the first frame.
start() {
    quit
    rm -rf "$work/config"
    mkdir -p "$work/config" "$work/cache" "$work/run"
    cat >"$work/config/settings.json" <<END
{ "tone": "dark", "hints_seen": true, "reduced_motion": true, "window": { "width": 1280.0, "height": 800.0 } }
END
    # Without D-Bus and other programs, Maquette asks for paths in its own window.
    (
        cd "$work"
        exec env -u DBUS_SESSION_BUS_ADDRESS -u WAYLAND_DISPLAY XDG_RUNTIME_DIR="$work/run" PATH=/nonexistent \
            MAQUETTE_CONFIG="$work/config" MAQUETTE_CACHE="$work/cache" "$maquette" "$@"
    ) >"$work/program.log" 2>&1 &
    program=$!
    tries=0
    until window=$(xdotool search --onlyvisible --pid "$program" --name Maquette 2>/dev/null | head -n 1) &&
        [ -n "$window" ]; do
        tries=$((tries + 1))
        if [ $tries -gt 150 ] || ! kill -0 "$program" 2>/dev/null; then
            echo "Maquette did not start:" >&2
            cat "$work/program.log" >&2
            exit 1
        fi
        sleep 0.2
    done
    xdotool windowmove --sync "$window" 0 0 2>/dev/null || true
    xdotool windowsize "$window" 1280 800
    xdotool mousemove 1390 890 windowfocus --sync "$window"
    sleep 3
    press ctrl+Left space
    # The space key may arrive before the model is loaded; a step to the next frame always stops playback.
    press Right ctrl+Left
    settle
}

# Presses keys one after the other.
press() {
    for key in "$@"; do
        xdotool key "$key"
        sleep 0.12
    done
}

# Presses a key several times: COUNT KEY.
again() {
    xdotool key --repeat "$1" --repeat-delay 60 "$2"
    sleep 0.3
}

# Clicks at a position in the window, then moves the pointer outside of the window.
click() {
    xdotool mousemove "$1" "$2"
    sleep 0.3
    xdotool click "${3:-1}"
    sleep 0.3
    xdotool mousemove 1390 890
    sleep 0.3
}

# Drags from one position to another.
drag() {
    xdotool mousemove "$1" "$2" mousedown 1
    sleep 0.2
    xdotool mousemove $((($1 + $3) / 2)) $((($2 + $4) / 2))
    sleep 0.2
    xdotool mousemove "$3" "$4"
    sleep 0.2
    xdotool mouseup 1
    xdotool mousemove 1390 890
    sleep 0.3
}

# Runs the command with this name from the palette.
command_named() {
    press ctrl+k
    sleep 0.3
    xdotool type --delay 40 "$1"
    sleep 0.3
    press Return
    sleep 0.5
}

# Goes to a frame of the clip with this name.
clip() {
    command_named "$1"
    press ctrl+Left
    # Selecting a clip may start playback; a step stops it.
    press Right ctrl+Left
    again "$2" Right
}

# Saves an image of the window, or of its part WIDTHxHEIGHT+X+Y.
save() {
    settle
    import -window "$window" "$work/shot.png"
    shrink "$work/shot.png" "$pictures/$1.webp" ${2:+-crop "$2" +repage}
}

# Writes an image as WebP, which is half as large as a PNG with 256 colours and has no visible artefacts.
shrink() {
    from=$1
    to=$2
    shift 2
    convert "$from" "$@" -strip -quality 82 -define webp:method=6 -define webp:use-sharp-yuv=true "$to"
    echo "$to"
}

picture_window() {
    start
    clip wave 14
    save window
}

picture_chosen() {
    start "$sample/umber.md5mesh"
    press F3
    clip wave 14
    click 560 430
    save chosen
}

# Six display modes of one frame, side by side.
picture_looks() {
    start
    clip wave 14
    press F9
    settle
    tile() {
        settle
        import -window "$window" -crop 480x540+400+108 +repage "$work/$1.png"
    }
    tile 1
    press t
    tile 2
    press t t t
    tile 3
    press t w
    tile 4
    press w w b
    tile 5
    press b n
    tile 6
    montage -tile 3x2 -geometry 400x450+2+2 -background '#1b1c1e' \
        "$work/1.png" "$work/2.png" "$work/3.png" "$work/4.png" "$work/5.png" "$work/6.png" "$work/looks.png"
    shrink "$work/looks.png" "$pictures/looks.webp"
}

picture_light() {
    start
    clip wave 14
    xdotool keydown ctrl
    drag 500 400 300 330
    xdotool keyup ctrl
    # Pan first, because the menu would hide the face.
    xdotool keydown shift
    drag 500 400 680 400
    xdotool keyup shift
    click 229 58
    save light 992x657+0+0
}

picture_timeline() {
    start "$sample/umber.md3"
    clip run 3
    press i
    again 4 Right
    press o
    press Left Left shift+o
    press 3
    save timeline
}

picture_palette() {
    start "$sample/umber.md3"
    clip wave 6
    press ctrl+k
    sleep 0.4
    xdotool type --delay 40 "ta"
    save palette
}

picture_attach() {
    start "$sample/umber.md3"
    press a F3
    settle
    click 94 58
    save tags
    # The second tag is the hand.
    click 115 134
    click 80 195
    settle
    press ctrl+a
    xdotool type --delay 30 "$sample/umber.md2"
    press Return
    sleep 1
    press Right ctrl+Left a Home
    save attach
}

picture_grey() {
    mkdir -p "$work/game/models/umber"
    cp "$sample/umber.md3" "$work/game/models/umber/umber.md3"
    cp "$sample/umber.png" "$work/game/models/umber/umber_old.png"
    cp "$sample/animation.cfg" "$work/game/models/umber/animation.cfg"
    start "$work/game/models/umber/umber.md3"
    clip wave 6
    click 505 450
    # Scroll down to the search for the texture.
    xdotool mousemove 1136 500
    sleep 0.3
    xdotool click --repeat 3 --delay 150 5
    xdotool mousemove 1390 890
    save grey
}

# A tag with a wrong name, and a missing texture.
picture_check() {
    player=$work/checked/models/players/umber
    mkdir -p "$player"
    "$maquette" convert "$sample/umber.md3" --rename-tag tag_weapon=tag_wepon \
        --set-material scarf=models/players/umber/scarf -o "$player/upper.md3" >/dev/null
    cp "$sample/umber.png" "$player/umber.png"
    start "$player/upper.md3"
    press a F10
    settle
    click 300 501
    save check
}

picture_film() {
    start
    clip wave 14
    command_named "export animation…"
    # The preview never stops, so the window never settles; without a graphics card, it appears late.
    sleep 20
    import -window "$window" "$work/shot.png"
    shrink "$work/shot.png" "$pictures/film.webp" -crop 818x462+232+170 +repage
}

# A vertex, and its bytes below the view.
picture_bytes() {
    start "$sample/umber.md3"
    clip wave 14
    press F6 s s
    click 494 180
    save bytes
}

picture_uv() {
    start "$sample/umber.md3"
    clip wave 14
    command_named clothes
    press F7 s
    click 290 390
    save uv
}

picture_motion() {
    start "$sample/umber.md3"
    command_named tag_weapon
    press F8 shift+m
    clip wave 14
    save motion
}

picture_sheet() {
    "$maquette" contact-sheet "$sample/umber.md5mesh" -o "$work/sheet.png" --size 224x224 --frames-per-clip 5 >/dev/null
    shrink "$work/sheet.png" "$pictures/sheet.webp"
}

mkdir -p "$pictures"
for name in ${*:-window chosen looks light timeline palette attach grey check film sheet bytes uv motion}; do
    "picture_$name"
done
