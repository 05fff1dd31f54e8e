"""The resources of an installation under a steady load, which is killed from time to time.

So many phones (400) in groups of five share with their whole group, and the `fake-gps` beside KITH sends a numbered fix
of each every `--interval` seconds (1), for `--minutes` (120). Every `--kill-every` minutes (30; 0: never) Kith or the
broker is killed in turn and restarted; with `--then` another version of Kith is started, as after an upgrade. With
`--retention` (days) there is a history, so that as much is deleted as is received. A line per minute (in `--csv FILE`):
memory, bytes written to disk, and the size of the database. At the end: how memory has grown between the kills, what a
day of this would write and store, and whether each fix with a receipt is stored.
"""

import os
import signal
import sys
import time
from measuring import Site, memory, written

MEGABYTE = 1_000_000
GROUP = 5
DAY = 86_400
# The memory of a process at its start, and after a kill, shows nothing about growth.
SETTLING = 300


class Process:
    """The kernel's figures for a program that may be followed by another of the same kind."""

    def __init__(self, find):
        self.find, self.pid, self.before, self.written = find, None, 0, 0

    def look(self):
        """Returns the resident memory, and the bytes written by all of them so far."""
        try:
            pid = self.find()
            now, resident = written(pid), memory(pid)
        except (OSError, TypeError):
            return None, self.before + self.written
        if pid != self.pid:
            self.before, self.pid = self.before + self.written, pid
        self.written = now
        return resident, self.before + self.written


def kill(site, name, successor):
    if name == "kith":
        site.program.kill()
        site.program.wait()
    else:
        os.kill(site.broker, signal.SIGKILL)
        # `kith up` ends with its broker, or restarts it.
        time.sleep(2)
    if site.program.poll() is not None:
        site.kith = successor
        site.start()


def size(data):
    return sum(os.path.getsize(f"{data}/{name}") for name in os.listdir(data)
               if name.startswith("kith.db"))


def slope(stretches):
    """Megabytes per hour, by least squares over all stretches, each with its own level; None for too few points."""
    rise = spread = 0
    for points in stretches:
        middle = sum(t for t, _ in points) / max(1, len(points))
        rise += sum((t - middle) * v for t, v in points)
        spread += sum((t - middle) ** 2 for t, _ in points)
    return rise / spread * 3600 / MEGABYTE if spread else None


def add_history(site, phones, interval, minutes, retention):
    """Fixes received in the hours that are deleted during this run, at the same rate and of the same
    size."""
    count = int(phones / interval * (minutes + 10) * 60)
    begin = int((time.time() - retention * DAY) * 1000)
    step = interval * 1000 / phones
    with site.database() as database:
        first = database.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM fixes").fetchone()[0]
        database.executemany(
            "INSERT INTO fixes (id, device_id, previous_id, taken_at_ms, received_at_ms, latitude_e7,"
            " longitude_e7, accuracy, heading, speed, battery, seq)"
            " VALUES (?, ?, ?, ?, ?, 460000000, 145000000, 7.1, 324.2, 1.22, 77, ?)",
            ((first + n, 1 + n % phones, first + n - phones,
              begin + int(n * step), begin + int(n * step) + 4, n // phones)
             for n in range(count)))


def add_people(site, count):
    names = [f"user{number}" for number in range(1, count + 1)]
    for name in names:
        site.add(name)
    for start in range(0, count, GROUP):
        site.group(f"Group {start // GROUP}", *names[start:start + GROUP])
    with open(f"{site.folder}/tokens", "w") as file:
        file.write("\n".join(site.tokens[name] for name in names) + "\n")


class Phones:
    """The phones of `add_people`."""

    def __init__(self, site, count, interval, *more):
        self.report = open(f"{site.folder}/phones", "w+")
        self.program = site.spawn(
            site.fake_gps, "walk", "--count", str(count), "--tokens", f"{site.folder}/tokens", "--port",
            str(site.port), "--interval", str(interval), "--loop", "--seq", "--share", "all", "--stagger",
            str(interval / count), *more, stdout=self.report, stderr=self.report)

    def end(self):
        self.program.send_signal(signal.SIGINT)
        self.program.wait()
        self.report.seek(0)
        print("fake-gps says:", self.report.read().strip().splitlines()[-1])


def main(kith=".build/release/kith", then=None, minutes=120.0, phones=400, interval=1.0, kill_every=30.0,
         retention=0, csv=None):
    settings = {"KITH_RETENTION_FIXES": str(retention)} if retention else {}
    with Site(kith, settings=settings, arguments=["--map", "none"]) as site:
        site.start()
        add_people(site, phones)
        if retention:
            site.stop()
            add_history(site, phones, interval, minutes, retention)
            site.start()
        sending = Phones(site, phones, interval)
        run(site, then or kith, minutes, kill_every, open(csv, "w") if csv else sys.stdout)
        stored = site.fixes()
        sending.end()
        print(f"stored before it ended: {stored}, now {site.fixes()}")


def run(site, successor, minutes, kill_every, csv):
    kith, broker = Process(lambda: site.bridge), Process(lambda: site.broker)
    heading = "minute,kith MB,broker MB,kith written MB,broker written MB,database MB,fixes"
    print(heading, file=csv, flush=True)
    time.sleep(20)
    start, settled = time.time(), time.time() + SETTLING
    began, stretches = None, {"kith": [[]], "broker": [[]]}
    kill_at = start + kill_every * 60 if kill_every else float("inf")
    victims = ["kith", "the broker"]
    last = start + minutes * 60
    while time.time() < last:
        time.sleep(max(0, min(60 - (time.time() - start) % 60, last - time.time())) + 0.01)
        now = time.time()
        (of_kith, by_kith), (of_broker, by_broker) = kith.look(), broker.look()
        row = (by_kith, by_broker, size(site.data), site.fixes())
        began = began or (now, row)
        numbers = [round((n or 0) / MEGABYTE, 1) for n in (of_kith, of_broker, *row[:3])]
        print((now - start) // 60, *numbers, row[3], sep=",", file=csv, flush=True)
        if now > settled:
            for name, value in (("kith", of_kith), ("broker", of_broker)):
                if value:
                    stretches[name][-1].append((now, value))
        if now >= kill_at:
            kill(site, victims[0], successor)
            print("killed:", victims[0], flush=True)
            victims.reverse()
            kill_at, settled = now + kill_every * 60, time.time() + SETTLING
            for points in stretches.values():
                points.append([])
    seconds = now - began[0]
    if seconds <= 0:
        return
    gained = [after - before for after, before in zip(row, began[1])]
    print(f"fixes a second: {gained[3] / seconds:.0f}")
    print(f"written in a day: kith {gained[0] / seconds * DAY / 1e9:.1f} GB, "
          f"the broker {gained[1] / seconds * DAY / 1e9:.1f} GB")
    print(f"stored in a day: {gained[2] / seconds * DAY / 1e9:.2f} GB, "
          f"{gained[2] / max(1, gained[3]):.0f} bytes a fix")
    print(f"database: {began[1][2] / MEGABYTE:.1f} MB at the beginning, {row[2] / MEGABYTE:.1f} MB at the end")
    for name, points in stretches.items():
        growth = slope(points)
        print(f"memory of {name}: "
              + ("too few minutes" if growth is None else f"{growth:+.2f} MB an hour"))
