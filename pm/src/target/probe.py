# Describes the interpreter that runs it, as one JSON object. Run with `-I -S`: no site, no user
# packages, no variables; pip is only asked for the index that it would use by default.
import json
import os
import platform
import struct
import sys
import sysconfig


def quiet(question, default=None):
    try:
        return question()
    except Exception:
        return default


def full_version(info):
    text = ".".join(str(part) for part in info[:3])
    return text if info.releaselevel == "final" else text + info.releaselevel[0] + str(info.serial)


def glibc():
    name, _, version = (quiet(lambda: os.confstr("CS_GNU_LIBC_VERSION")) or "").partition(" ")
    return version if name == "glibc" else None


def musl():
    if "musl" not in str(sysconfig.get_config_var("HOST_GNU_TYPE")):
        return None
    import glob
    import subprocess

    for loader in sorted(glob.glob("/lib/ld-musl-*.so.1")):
        said = subprocess.run([loader], stderr=subprocess.PIPE, timeout=5).stderr.decode("ascii", "replace")
        for line in said.splitlines():
            if line.startswith("Version "):
                return line[len("Version "):].strip()
    return None


def own_prefix():
    # Without `site`, older interpreters do not know that they run in a virtual environment.
    above = os.path.dirname(os.path.dirname(os.path.abspath(sys.executable)))
    return above if os.path.isfile(os.path.join(above, "pyvenv.cfg")) else sys.prefix


def pip_places():
    prefix = own_prefix()
    yield sysconfig.get_path("purelib", vars={"base": prefix, "platbase": prefix})
    yield sysconfig.get_path("purelib")
    yield quiet(lambda: sysconfig.get_path("purelib", "deb_system"))
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR"), os.path.join(sysconfig.get_path("stdlib"), "ensurepip", "_bundled")]
    for folder in folders:
        names = quiet(lambda: sorted(os.listdir(folder)), []) if folder else []
        for name in reversed(names):
            if name.startswith("pip-") and name.endswith(".whl"):
                yield os.path.join(folder, name)


def default_index():
    for place in pip_places():
        if not place or not (os.path.isdir(os.path.join(place, "pip")) or place.endswith(".whl")):
            continue
        sys.path.append(place)
        found = quiet(lambda: __import__("pip._internal.models.index", fromlist=["PyPI"]).PyPI.simple_url)
        if found:
            return str(found)
        sys.path.pop()
        for name in [name for name in sys.modules if name == "pip" or name.startswith("pip.")]:
            del sys.modules[name]
    return None


said = sys.stdout
sys.stdout = sys.stderr
answer = {
    "schema": 1,
    "executable": os.path.realpath(sys.executable),
    "prefix": own_prefix(),
    "base_prefix": sys.base_prefix,
    "markers": {
        "os_name": os.name,
        "sys_platform": sys.platform,
        "platform_machine": platform.machine(),
        "platform_system": platform.system(),
        "platform_release": platform.release(),
        "platform_version": platform.version(),
        "python_version": ".".join(platform.python_version_tuple()[:2]),
        "python_full_version": platform.python_version(),
        "implementation_name": sys.implementation.name,
        "implementation_version": full_version(sys.implementation.version),
        "platform_python_implementation": platform.python_implementation(),
    },
    "bits": struct.calcsize("P") * 8,
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "glibc": quiet(glibc),
    "musl": quiet(musl),
    "macos": platform.mac_ver()[0] or None,
    "default_index": quiet(default_index),
}
json.dump(answer, said)
