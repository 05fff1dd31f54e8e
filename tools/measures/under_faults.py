"""The outcome of a call for help, and of fixes with a receipt, while something is broken.

Beside the phones of soak, each of `--faults` (full-disk, clock, hung-broker, damaged-page: tools/breaking.py) is
injected for `--minutes` (5), one after the other, and during each a person calls for help with mosquitto_pub. Printed
for each: when a mosquitto_sub of the group received the call; when everything was healthy again; whether each fix with
a receipt is stored, once; the resulting memory, descriptors and database; and everything that Kith has reported on its
status topic, in its log, by /healthz, `kith status`, `kith doctor` and to the operator, except what it also reports
without a fault. Requires root: the data are on a small disk in memory, in the tool's own mount namespace.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from datetime import datetime
import breaking
from measuring import Site, iso, memory
from measures.soak import Phones, add_people
from watching import Receiver, get

FAULTS = {
    "full-disk": breaking.full_disk, "clock": breaking.clock_behind,
    "hung-broker": breaking.hung_broker, "damaged-page": breaking.damaged_page,
}
# The size of the data disk in memory, in MB, and Kith's settings for it.
DISK = 400
SETTINGS = {
    "KITH_DISK_RESERVE": "8", "KITH_DISK_WARN_BELOW": "32", "KITH_CHANNELS_NETWORKS": "127.0.0.0/8",
}
# Seconds from the beginning of a fault to the call: before `kith up` has replaced a broker that hangs.
BEFORE_CALL = 20
# Seconds for everything to recover; a missing number is given up after ten minutes.
PATIENCE = 900


def stamped(program):
    """(time, topic, payload) of what a mosquitto_sub with `-F "%U %t %p"` prints."""
    for line in program.stdout:
        moment, topic, payload = line.rstrip("\n").split(" ", 2)
        yield float(moment), topic, payload


def subscribe(site, user, *words):
    return site.spawn(
        *site.mosquitto("sub", user, "-k", "10", "-F", "%U %t %p", *words), stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)


class Sayings(Receiver):
    """What Kith reports on all channels, each sentence once per fault, regardless of numbers."""

    def __init__(self):
        super().__init__()
        self.settings = {"KITH_OPERATOR_WEBHOOK": f"{self.address}/"}
        self.ordinary, self.known, self.said = set(), set(), []
        self.began, self.lock = time.time(), threading.Lock()

    def watch(self, site):
        self.site, self.log = site, open(site.log)
        # The retained status is received again whenever the broker was down.
        self.listener = subscribe(site, "kith:operator", "-t", "kith/system/status")
        threading.Thread(target=self.listen, daemon=True).start()
        threading.Thread(target=self.look, daemon=True).start()

    def receive(self, path, text):
        self.note("notice to the operator", text)

    def listen(self):
        for _, _, payload in stamped(self.listener):
            self.note("status topic", payload)

    def look(self):
        turn = 0
        while True:
            for line in self.log:
                self.note("log", re.sub(r"^\d{4}-\S+ ", "", line.strip()))
            self.note("healthz", "{} {}".format(*get(self.site.web, "/healthz")))
            if turn % 4 == 0:
                for command in ("status", "doctor"):
                    for line in self.ask(command).splitlines():
                        self.note(f"kith {command}", line.strip())
            turn += 1
            time.sleep(5)

    def ask(self, command):
        done = subprocess.run(
            [self.site.kith, command, "--data", self.site.data], capture_output=True, text=True)
        return done.stdout + done.stderr

    def is_healthy(self):
        status, body = get(self.site.web, "/healthz")
        return status == 200 and "degraded" not in body

    def note(self, place, sentence):
        known = place, re.sub(r"\d[\d:.TZ+-]*", "#", sentence)
        with self.lock:
            if sentence and known not in self.known:
                self.known.add(known)
                self.said.append((time.time() - self.began, place, sentence))

    def begin(self):
        """From now on, ignores what has been reported so far without a fault."""
        with self.lock:
            self.ordinary = self.ordinary or set(self.known)
            self.known, self.said, self.began = set(self.ordinary), [], time.time()


class Family:
    """A person who calls for help with stock clients, and one who should receive it."""

    def __init__(self, site, sayings):
        self.site, self.sayings, self.heard = site, sayings, []
        for user in ("caller", "helper"):
            site.add(user)
        self.group = site.group("Family", "caller", "helper")

    def subscribe(self, user, *topics):
        # A persistent session, as a phone's: it reconnects by itself.
        return subscribe(self.site, user, "-V", "mqttv311", "-i", f"{user}.phone", "-c",
                         *(word for topic in topics for word in ("-t", topic)))

    def listen(self):
        device = "kith/users/caller/devices/phone"
        for reader, program in [
                (self.hear, self.subscribe("helper", f"kith/groups/{self.group}/alerts")),
                (self.answered, self.subscribe("caller", f"{device}/replies", f"{device}/rejected"))]:
            threading.Thread(target=reader, args=(program,), daemon=True).start()

    def hear(self, program):
        for moment, _, payload in stamped(program):
            self.heard.append((moment, json.loads(payload)))

    def answered(self, program):
        for _, _, payload in stamped(program):
            self.sayings.note("answer to the caller", payload)

    def publish(self, method, body, wanted):
        """Tries until the broker has accepted it. Adds the number of tries to `wanted`, and the
        time of success."""
        command = self.site.mosquitto(
            "pub", "caller", "-V", "5", "-t", f"kith/users/caller/devices/phone/requests/{method}", "-m",
            json.dumps(body))
        while not wanted.get("over"):
            wanted["tries"] = wanted.get("tries", 0) + 1
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode == 0:
                wanted["taken"] = time.time()
                return
            wanted["refused"] = done.stderr.strip()
            time.sleep(2)

    def call(self, name):
        fix = {"latitude": 46.05, "longitude": 14.51, "accuracy": 8, "timestamp": iso(time.time())}
        call = {"sent": time.time()}
        threading.Thread(
            target=self.publish, args=("sos.trigger", {"id": name, "fix": fix}, call),
            daemon=True).start()
        return call

    def alerts(self, kind, since):
        """Each alert of this kind about what was sent since then, by its id, and when it was first received. An
        earlier one may be repeated after a restart."""
        first = {}
        for moment, alert in list(self.heard):
            if alert["kind"] == kind and seconds(alert["at"]) >= since:
                first.setdefault(alert["id"], (moment, alert))
        return first


def seconds(text):
    """Seconds since 1970 of an RFC 3339 time."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def wait(patience, **conditions):
    """Returns the seconds after which each condition was first met, without those not met in time."""
    began, met = time.time(), {}
    while len(met) < len(conditions) and time.time() - began < patience:
        for name, condition in conditions.items():
            if name not in met and condition():
                met[name] = time.time() - began
        time.sleep(0.5)
    return met


def receipts(state):
    """By user: the numbers that have a receipt, and how many of all phones have none yet."""
    with open(state) as file:
        phones = json.load(file)
    kept = {phone["user"]: {fix.get("seq") for fix in phone["fixes"]} for phone in phones}
    numbers = {
        phone["user"]: set(range(1, phone["seq"] + 1)) - kept[phone["user"]] for phone in phones}
    return numbers, sum(map(len, kept.values()))


def stored(site):
    """By user: how often each number is stored."""
    found = {}
    for user, number, count in site.query(
            "SELECT users.name, seq, COUNT(*) FROM fixes JOIN devices ON devices.id = device_id"
            " JOIN users ON users.id = user_id WHERE seq IS NOT NULL GROUP BY users.name, seq"):
        found.setdefault(user, {})[number] = count
    damage = site.query("PRAGMA integrity_check")[0][0]
    if damage != "ok":
        print("the database is damaged:", damage)
    return found


def sizes(site):
    found = {}
    for name, pid in (("bridge", site.bridge), ("broker", site.broker), ("page", site.page)):
        found[name] = f"{memory(pid) / 1e6:.1f} MB, {len(os.listdir(f'/proc/{pid}/fd'))} descriptors"
    for name, path in (("database", "kith.db"), ("log", "kith.db-wal")):
        with contextlib.suppress(FileNotFoundError):
            found[name] = f"{os.path.getsize(f'{site.data}/{path}') / 1e6:.1f} MB"
    return found


def endure(site, family, sayings, state, faults, minutes):
    """Injects the faults one after the other, and prints the outcome of each."""
    lost, before_restore = {}, {}
    for name in faults:
        before, sizes_before = receipts(state)[0], sizes(site)
        sayings.begin()
        print(f"\n== {name}", flush=True)
        if name == "damaged-page":
            before_restore = before
        began = time.time()
        with FAULTS[name](site):
            time.sleep(max(0, began + BEFORE_CALL - time.time()))
            if name == "full-disk":
                breaking.fill(site.data)
            call = family.call(name)
            while time.time() < began + minutes * 60:
                time.sleep(1)
            with_receipts = receipts(state)
            ended = time.time()
        over = time.time()
        met = wait(
            PATIENCE, heard=lambda: family.alerts("sos", call["sent"]), healthy=sayings.is_healthy,
            caught_up=lambda: receipts(state)[1] <= len(before) / 10)
        call["over"] = True
        print(f"fixes with a receipt during the fault: "
              f"{sum(len(with_receipts[0][user]) - len(before[user]) for user in before)}, "
              f"kept by phones at its end: {with_receipts[1]}")
        tell_call(family.alerts("sos", call["sent"]), call, ended)
        print(f"its end took {over - ended:.1f} s; seconds from then: "
              + ", ".join(f"{text} {met.get(key, 'never')!s:.5}" for key, text in (
                  ("healthy", "until /healthz was well"),
                  ("caught_up", "until the phones kept no more than usual"))))
        if "heard" in met:
            end(family)
        check(receipts(state)[0], stored(site), before_restore, lost)
        after = sizes(site)
        for part, size in after.items():
            print(f"{part}: {sizes_before.get(part, 'none')} before, {size} afterwards")
        print("what was said, by seconds since the beginning:")
        for moment, place, sentence in list(sayings.said):
            print(f"  {moment:6.1f} {place}: {sentence}")
    print(flush=True)


def tell_call(alerts, call, ended):
    taken = call.get("taken")
    print("the broker took the call "
          + (f"{taken - call['sent']:.2f} s after it was sent" if taken else "never")
          + f", at the {call['tries']}. try" + (f" ({call['refused']})" if "refused" in call else ""))
    if not alerts:
        print("THE CALL HAS NOT COME")
        return
    first, alert = min(alerts.values(), key=lambda heard: heard[0])
    print(f"a member of the group had it {first - call['sent']:.2f} s after it was sent, "
          + ("during the fault" if first < ended else f"{first - ended:.1f} s after its end began")
          + ("" if len(alerts) == 1 else f"; under {len(alerts)} ids"))
    print(f"  {json.dumps(alert)}")


def end(family):
    """Ends the call, so that the next is a new one."""
    now, done = time.time(), {}
    family.publish("sos.stop", {}, done)
    if not wait(60, stopped=lambda: family.alerts("sos-stopped", now)):
        print("the end of the call has not come within a minute")


def check(numbers, found, before_restore, lost):
    """Prints numbers with a receipt that are not stored, or stored twice; `lost` has those already
    known."""
    twice = sum(count > 1 for counts in found.values() for count in counts.values())
    missing = {user: all_of - found.get(user, {}).keys() for user, all_of in numbers.items()}
    new = {user: those - lost.get(user, set()) for user, those in missing.items()}
    since = sum(len(those - before_restore.get(user, those)) for user, those in new.items())
    print(f"{sum(map(len, numbers.values()))} fixes have a receipt; {twice} are stored twice; "
          f"missing now: {sum(map(len, new.values()))}"
          + (f", {since} of them from after the backup that was restored" if since else ""))
    lost |= missing


def main(kith=".build/release/kith", faults=("all",), minutes=5.0, phones=400, interval=1.0):
    if unknown := set(faults) - {*FAULTS, "all"}:
        sys.exit(f"no such fault: {', '.join(unknown)}; there are {', '.join(FAULTS)}, and all")
    breaking.own_mounts()
    sayings = Sayings()
    with Site(kith, settings=SETTINGS | sayings.settings, arguments=["--map", "none"]) as site:
        os.mkdir(site.data)
        site.stack.enter_context(breaking.small_disk(site.data, DISK))
        site.start()
        family = Family(site, sayings)
        add_people(site, phones)
        sending = Phones(site, phones, interval, "--state", f"{site.folder}/state")
        family.listen()
        sayings.watch(site)
        # For everyone to have connected, and for the reports without a fault.
        time.sleep(60 + interval)
        endure(site, family, sayings, f"{site.folder}/state", FAULTS if "all" in faults else faults, minutes)
        sending.end()
