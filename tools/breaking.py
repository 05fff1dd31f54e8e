"""Faults that are injected into a running installation, and what ends them.

Each is a context manager: the fault is injected on entry, and ended on exit, as the operator would end it. The
target is a measuring.Site.
"""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone


def own_mounts():
    """Restarts this program in its own mount namespace, which ends with it. Requires root."""
    if os.environ.pop("KITH_OWN_MOUNTS", None) is None:
        os.environ["KITH_OWN_MOUNTS"] = "1"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """Mounts a disk in memory on the empty folder. Requires `own_mounts()`."""
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "kith-fault", folder],
        check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder):
    """Fills the disk of this folder to the last byte."""
    with open(f"{folder}/ballast-{time.time_ns()}", "wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(size))


@contextlib.contextmanager
def full_disk(site):
    """The data disk, which should be a `small_disk`, is full. To use up what Kith releases of its reserve, fill
    it again: `fill(site.data)`."""
    data = site.data
    fill(data)
    try:
        yield
    finally:
        for name in os.listdir(data):
            if name.startswith("ballast-"):
                os.remove(f"{data}/{name}")


def note_time(data, moment):
    """The time until which Kith believes it has run. Kith must not be running."""
    with open(f"{data}/kith.db.time", "w") as file:
        file.write(moment.strftime("%Y-%m-%dT%H:%M:%SZ\n"))


@contextlib.contextmanager
def clock_behind(site, days=40):
    """Kith starts with a clock that is behind the time at which it last ran, as on a machine without a clock
    battery. The fault ends with a start at the right time. Kith still trusts the clock if the kernel reports that
    a time server has set it."""
    data = site.data
    site.stop()
    note_time(data, datetime.now(timezone.utc) + timedelta(days=days))
    site.start()
    try:
        yield
    finally:
        site.stop()
        note_time(data, datetime.now(timezone.utc))
        site.start()


@contextlib.contextmanager
def hung_broker(site):
    """Mosquitto hangs; `kith up` may have replaced it by the end."""
    broker = site.broker
    os.kill(broker, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(broker, signal.SIGCONT)


def damage(data, table):
    """Overwrites the first page of a table while programs that have the database open continue."""
    database = sqlite3.connect(f"{data}/kith.db", timeout=10, isolation_level=None)
    while True:
        # Moving the log into the database is refused while others read or write; their later writes
        # would hide the damage.
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("BEGIN IMMEDIATE")
        if os.path.getsize(f"{data}/kith.db-wal") == 0:
            break
        database.execute("ROLLBACK")
        time.sleep(0.02)
    page = database.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = ?", [table]).fetchone()[0]
    size = database.execute("PRAGMA page_size").fetchone()[0]
    with open(f"{data}/kith.db", "r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xaa" * size)
    # A program that has read the page before rereads it only if another one has written.
    version = database.execute("PRAGMA user_version").fetchone()[0]
    database.execute(f"PRAGMA user_version = {version}")
    database.execute("COMMIT")
    database.close()


@contextlib.contextmanager
def damaged_page(site, table="fixes"):
    """The first page of a table is damaged. A backup taken just before is restored afterwards."""
    backup = f"{site.folder}/before-damage.db"
    site.run("backup", backup)
    damage(site.data, table)
    try:
        yield
    finally:
        site.stop()
        site.run("restore", backup)
        site.start()
        os.remove(backup)
