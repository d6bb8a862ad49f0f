"""The program maquette."""

import functools
import os
import shutil
import subprocess

import bpy

# Blender is blocked while the program runs. The longest known conversion takes a minute.
MAX_SECONDS = 600


class MaquetteError(Exception):
    """The program is missing, too old or failed, or Blender's glTF add-on failed."""


# Folders of programs that one user installs. Blender may not have them on its PATH if a desktop starts it.
FOLDERS = ("~/.local/bin", "~/.cargo/bin")


def path():
    """Returns the program's path from the preferences, from PATH, or from the user's own folders."""
    addon = bpy.context.preferences.addons.get(__package__)
    chosen = bpy.path.abspath(addon.preferences.program) if addon else ""
    found = shutil.which(chosen or "maquette")
    if not found and not chosen:
        found = shutil.which("maquette", path=os.pathsep.join(map(os.path.expanduser, FOLDERS)))
    if not found:
        raise MaquetteError(f"program not found: {chosen or 'maquette'}; set its path in the add-on's preferences")
    return found


@functools.lru_cache(maxsize=1)
def version(program):
    """Returns the output of `maquette --version`."""
    return _output(program, ["--version"]).stdout.strip()


def run(*arguments, may_find=False):
    """Runs the program and returns its standard output and its messages, a list of lines. With `may_find`, the exit
    status 1 means that a check found errors."""
    program = path()
    done = _output(program, arguments)
    if done.returncode == 0 or (may_find and done.returncode == 1):
        return done.stdout, done.stderr.splitlines()
    message = done.stderr.strip() or done.stdout.strip() or f"exit status {done.returncode}"
    message = message.removeprefix("maquette: ")
    if "unexpected argument" in message or "unrecognized subcommand" in message:
        message = f"{program} ({version(program)}) is too old for this add-on: {message.splitlines()[0]}"
    raise MaquetteError(message)


def _output(program, arguments):
    try:
        return subprocess.run(
            [program, *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=MAX_SECONDS,
            # On Windows, no console window opens.
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise MaquetteError(f"{program} does not run: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise MaquetteError(f"{program} did not finish within {MAX_SECONDS // 60} minutes and was stopped") from error
