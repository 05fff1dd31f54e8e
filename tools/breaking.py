"""Faults that are made in a running installation on purpose, and what ends them.

Each is a context manager: the fault is made on entering, and ended on leaving, as the operator would end it. What is
broken is an `installation`, which has `house` (measuring.House), `program` (the `kith up`), `start()` and `stop()`.
"""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone
from measuring import broker_of


def own_mounts():
    """Starts this program anew in a mount namespace of its own, which ends with it. Only root may."""
    if os.environ.pop("KITH_OWN_MOUNTS", None) is None:
        os.environ["KITH_OWN_MOUNTS"] = "1"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """Makes the empty folder a disk of its own, in memory. Wants `own_mounts()`."""
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "kith-fault", folder],
        check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(folder):
    """Takes what is free on the disk of this folder, to the last byte."""
    with open(f"{folder}/ballast-{time.time_ns()}", "wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(size))


@contextlib.contextmanager
def full_disk(installation):
    """The disk of the data, which should be a `small_disk`, is full. Whoever wants to take what Kith gives away
    of its reserve fills it again: `fill(installation.house.data)`."""
    data = installation.house.data
    fill(data)
    try:
        yield
    finally:
        for name in os.listdir(data):
            if name.startswith("ballast-"):
                os.remove(f"{data}/{name}")


def note_time(data, moment):
    """Until when Kith believes to have run. Kith must not run."""
    with open(f"{data}/kith.db.time", "w") as file:
        file.write(moment.strftime("%Y-%m-%dT%H:%M:%SZ\n"))


@contextlib.contextmanager
def clock_behind(installation, days=40):
    """Kith starts with a clock that is behind the time at which it last ran, as on a machine without a battery for
    its clock. The fault ends with a start at a right time. Kith believes the clock all the same where the kernel
    says that a time server has set it."""
    data = installation.house.data
    installation.stop()
    note_time(data, datetime.now(timezone.utc) + timedelta(days=days))
    installation.start()
    try:
        yield
    finally:
        installation.stop()
        note_time(data, datetime.now(timezone.utc))
        installation.start()


@contextlib.contextmanager
def hung_broker(installation):
    """Mosquitto stands still; `kith up` may have replaced it meanwhile."""
    broker = broker_of(installation.program.pid)
    os.kill(broker, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(broker, signal.SIGCONT)


def damage(data, table):
    """Overwrites the first page of a table, while whoever has the database open goes on."""
    database = sqlite3.connect(f"{data}/kith.db", timeout=10, isolation_level=None)
    while True:
        # Moving the log into the database is refused while others read or write; what they have
        # written since would hide the damage.
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
    # Who has read the page before reads it again only if somebody else has written something.
    version = database.execute("PRAGMA user_version").fetchone()[0]
    database.execute(f"PRAGMA user_version = {version}")
    database.execute("COMMIT")
    database.close()


@contextlib.contextmanager
def damaged_page(installation, table="fixes"):
    """The first page of a table is damaged. A backup of just before is restored afterwards."""
    house = installation.house
    backup = f"{house.folder}/before-damage.db"
    house.run("backup", backup)
    damage(house.data, table)
    try:
        yield
    finally:
        installation.stop()
        house.run("restore", backup)
        installation.start()
        os.remove(backup)
