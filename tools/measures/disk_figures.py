"""How much Kith writes to its disk, and whether the sweep keeps up without delaying a call for help.

So many people (50) in groups of five together publish `--rate` (400) fixes per second, each with `mosquitto_pub -l`
(QoS 1). After ten seconds it counts for `--seconds` (60) what the bridge and the broker write (`write_bytes` of
/proc/PID/io), and calls for help once a second over HTTP, each timed until a member has the alert. With `--old N` the
database has N fixes beyond retention, and it also prints how many of them are deleted per second. The data are in
`--folder`, which must not be a tmpfs: nothing written there counts.
"""

import json
import os
import subprocess
import tempfile
import threading
import time
from measuring import UNBOUNDED, Alerts, Site, end, percentiles, written

DAY = 86_400_000
WARM_UP = 10


def publish(site, people, rate, stop):
    phones = [
        subprocess.Popen(
            site.mosquitto("pub", user, "-t", f"kith/users/{user}/devices/phone/fix", "-l"),
            stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) for user in people]
    start, number = time.time(), 0
    while not stop.is_set():
        phone = phones[number % len(people)]
        number += 1
        fix = {"latitude": 46 + number % 1000 / 1e5, "longitude": 14.5, "accuracy": 5,
               "battery": 0.5, "timestamp": int(time.time() * 1000), "seq": number // len(people)}
        phone.stdin.write(json.dumps(fix).encode() + b"\n")
        phone.stdin.flush()
        pause = start + number / rate - time.time()
        if pause > 0:
            time.sleep(pause)
    for phone in phones:
        end(phone)


def grow_old(site, old):
    """Fixes of three days ago, as the bridge stores them."""
    with site.database() as database:
        last, device = database.execute(
            "SELECT (SELECT COALESCE(MAX(id), 0) FROM fixes), MIN(id) FROM devices").fetchone()
        then = int(time.time() * 1000) - 3 * DAY
        database.executemany(
            "INSERT INTO fixes (id, device_id, taken_at_ms, received_at_ms, latitude_e7, longitude_e7,"
            " accuracy, battery) VALUES (?, ?, ?, ?, 460000000, 145000000, 5, 0.5)",
            ((last + n, device, then + n, then + n) for n in range(1, old + 1)))


def main(kith=".build/release/kith", rate=400, seconds=60, people=50, old=0, folder=None):
    tempfile.tempdir = folder
    with Site(kith, settings=UNBOUNDED | {"KITH_RETENTION_FIXES": "1"}) as site:
        site.start()
        users = [f"p{number}" for number in range(people)]
        for user in users + ["victim", "helper"]:
            site.add(user)
        for first in range(0, people, 5):
            site.group(f"Group {first}", *users[first:first + 5])
        group = site.group("Rescue", "victim", "helper")
        for user in users:
            site.ask(user, "sharing.start", {"groups": "all"})
        if old:
            site.stop()
            grow_old(site, old)
            site.start()
        alerts, stop = Alerts(site, group), threading.Event()
        publisher = threading.Thread(target=publish, args=(site, users, rate, stop), daemon=True)
        publisher.start()
        try:
            time.sleep(WARM_UP)
            measure(site, alerts, seconds)
        finally:
            stop.set()
            publisher.join()


def measure(site, alerts, seconds):
    bridge, broker = site.bridge, site.broker

    def look():
        return (written(bridge), written(broker),
                *site.query("SELECT COALESCE(MIN(id), 0), COALESCE(MAX(id), 0) FROM fixes")[0])

    before, start, calls = look(), time.time(), []
    while time.time() < start + seconds:
        moment = time.time()
        calls.append(alerts.call("victim"))
        time.sleep(max(0, moment + 1 - time.time()))
    took = time.time() - start
    by_bridge, by_broker, deleted, taken = (now - then for now, then in zip(look(), before))
    median, high = percentiles(calls, 50, 99)
    print(json.dumps({
        "fixes a second": round(taken / took), "deleted a second": round(max(0, deleted) / took),
        "bridge, kB/s": round(by_bridge / took / 1000), "broker, kB/s": round(by_broker / took / 1000),
        "bridge, bytes a fix": round(by_bridge / max(1, taken)),
        "database, MB": round(os.path.getsize(f"{site.data}/kith.db") / 1e6, 1),
        "log, MB": round(os.path.getsize(f"{site.data}/kith.db-wal") / 1e6, 1),
        "calls": len(calls), "SOS p50, ms": round(median, 1), "SOS p99, ms": round(high, 1),
        "SOS at most, ms": round(max(calls), 1),
    }, indent=1))
