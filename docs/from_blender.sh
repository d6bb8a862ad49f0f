#!/bin/sh
# Runs the commands of from-blender.md in a temporary folder, and creates its images.
#
#     docs/from_blender.sh [--pictures]      with --pictures, replace the images in docs/pictures
#
# The program is $MAQUETTE or target/release/maquette. Blender is $BLENDER or blender.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
maquette=${MAQUETTE:-$root/target/release/maquette}
case $maquette in /*) ;; *) maquette=$PWD/$maquette ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# The page uses the names of the programs.
mkdir "$work/bin" "$work/run"
ln -s "$maquette" "$work/bin/maquette"
ln -s "$(command -v "${BLENDER:-blender}")" "$work/bin/blender"
PATH=$work/bin:$PATH
MAQUETTE_SOURCE=$root
export PATH MAQUETTE_SOURCE

# Commands are the lines between “```sh” and “```”.
sed -n '/^```sh$/,/^```$/{/^```/d;p}' "$root/docs/from-blender.md" >"$work/commands"
cd "$work/run"
sh -eux "$work/commands"

[ "${1:-}" = --pictures ] || exit 0
shrink() {
    from=$1
    to=$2
    shift 2
    convert "$from" "$@" -strip -quality 82 -define webp:method=6 "$root/docs/pictures/$to"
}
shrink clips.png manikin_clips.webp
for pose in LEGS_WALK@4:TORSO_STAND@0 LEGS_IDLE@0:TORSO_ATTACK@1 BOTH_DEATH1@23:BOTH_DEATH1@23; do
    maquette snapshot baseq3/models/players/manikin -o "pose_$pose.png" --size 360x480 --view 35,10 --character \
        --legs "${pose%:*}" --torso "${pose#*:}"
done
convert pose_*.png +append poses.png
shrink poses.png manikin.webp

# An image of Blender's window, on a separate X server without a screen.
blender -b --factory-startup -P "$root/docs/from_blender.py" -- "$work/run/manikin.blend"
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset 3>"$work/display" &
server=$!
until [ -s "$work/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$work/display") HOME=$work LIBGL_ALWAYS_SOFTWARE=1 blender --factory-startup -noaudio \
    -p 0 0 1280 800 manikin.blend -P "$root/docs/from_blender.py" &
window=$!
sleep 20
import -display ":$(cat "$work/display")" -window root window.png
kill "$window"
wait "$window" || true
kill "$server"
wait "$server" || true
shrink window.png blender.webp -crop 560x620+280+70 +repage
