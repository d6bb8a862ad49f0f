#!/bin/sh
# Creates the images of the dialogs of the Blender add-on in docs/pictures, on a separate X server without a screen.
#
#     docs/addon_pictures.sh
#
# The program is $MAQUETTE or target/release/maquette. Blender is $BLENDER or blender; the images need version 3.4.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
MAQUETTE=${MAQUETTE:-$root/target/release/maquette}
case $MAQUETTE in /*) ;; *) MAQUETTE=$PWD/$MAQUETTE ;; esac
blender=${BLENDER:-blender}
FOLDER=$(mktemp -d)
server=
trap 'rm -rf "$FOLDER"; [ -z "$server" ] || kill "$server"' EXIT
trap 'exit 1' INT TERM HUP
# The preferences show only an installed add-on.
BLENDER_USER_SCRIPTS=$FOLDER/scripts
mkdir -p "$BLENDER_USER_SCRIPTS/addons"
cp -R "$root/extras/blender/maquette" "$BLENDER_USER_SCRIPTS/addons"
export MAQUETTE FOLDER BLENDER_USER_SCRIPTS LIBGL_ALWAYS_SOFTWARE=1 HOME="$FOLDER"

"$blender" -b --factory-startup -P "$root/docs/from_blender.py" -- "$FOLDER/manikin.blend" >/dev/null
Xvfb -displayfd 3 -screen 0 1400x900x24 -nolisten tcp -noreset 3>"$FOLDER/display" 2>/dev/null &
server=$!
until [ -s "$FOLDER/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$FOLDER/display")
export DISPLAY

# Saves the part WIDTHxHEIGHT+X+Y of the window that shows a dialog.
picture() {
    rm -f "$FOLDER/ready"
    PICTURE=$1 "$blender" --factory-startup -noaudio -p 0 0 1400 900 "$FOLDER/manikin.blend" \
        -P "$root/docs/addon_pictures.py" >"$FOLDER/log" 2>&1 &
    window=$!
    until [ -e "$FOLDER/ready" ]; do kill -0 "$window" && sleep 0.2; done
    # Blender draws the sidebar after the pointer moves. The tab of the add-on is at the right.
    for place in "600 400" "620 420" "1144 254"; do
        # shellcheck disable=SC2086
        xdotool mousemove $place
        sleep 1
    done
    [ "$1" != report ] || { xdotool click 1; sleep 1; xdotool mousemove 600 400; }
    sleep 2
    import -window root "$FOLDER/shot.png"
    kill "$window"
    wait "$window" || true
    convert "$FOLDER/shot.png" -crop "$2" +repage -strip -quality 82 -define webp:method=6 \
        "$root/docs/pictures/addon_$1.webp"
}

picture import 240x370+1160+75
picture export 240x714+1160+75
picture report 216x250+932+80
picture preferences 990x324+165+55
# The file of the add-on is a temporary one.
convert "$root/docs/pictures/addon_preferences.webp" -gravity North -chop 0x115+0+86 -strip -quality 82 \
    -define webp:method=6 "$root/docs/pictures/addon_preferences.webp"
