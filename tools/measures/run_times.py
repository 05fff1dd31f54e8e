"""The cost of a large run: the time of other people's SOS, and what spectators receive.

So many runners (2,000), phones of the `fake-gps` beside KITH, send their positions once a second, first at the start,
then along the course. Another person calls for help with the page's API, and a member of their group has subscribed
with `mosquitto_sub`: the time is measured from before the request is written until the alert is read. That is done
`--calls` (60) times in each of three phases, in a single run: before the start; while the run is on; and with
`--spectators` (1,000 over MQTT and 1,000 on the page, each following the run and its standings, from their own loopback
addresses). It prints how many fixes were stored per second, and what reached the spectators.
"""

import hashlib
import json
import math
import secrets
import selectors
import socket
import subprocess
import sys
import threading
import time
from measuring import UNBOUNDED, Alerts, Site, insert, iso, spread

# Per loopback address; the gate and the page admit this many.
NEIGHBOURS = 100
PAGES = 10
LAPS, RADIUS_M = 4, 300


def main(kith=".build/release/kith", runners=2000, spectators=1000, calls=60):
    with Site(kith, settings=UNBOUNDED) as site:
        site.start()
        for user in ("orga", "caller", "helper"):
            site.add(user)
        site.stop()
        add_runners(site, runners)
        site.start()
        measure(site, runners, spectators, calls)


def add_runners(site, runners):
    """As `kith user add` and `kith user token` would, which take a process each."""
    with open(f"{site.folder}/tokens", "w") as file, site.database() as database:
        for number in range(1, runners + 1):
            name = f"user{number}"
            secret = secrets.token_urlsafe(32)
            file.write(f"{name}.phone.{secret}\n")
            user = insert(database, "users", {
                "name": name, "display_name": name, "owntracks_publish_is": "fix", "created_at_ms": 0})
            insert(database, "devices", {
                "user_id": user, "name": "phone", "speaks": "kith", "created_at_ms": int(time.time() * 1000),
                "token_hash": hashlib.sha256(secret.encode()).digest()})


def measure(site, runners, spectators, calls):
    group = site.group("Family", "caller", "helper")
    start = time.time() + 60 + runners / 40 + calls
    site.ask("orga", "run.organise", {"name": "The club", "acceptTerms": True})
    run = site.ask("orga", "run.create", {
        "name": "Large run", "place": {"name": "Town", "latitude": 46, "longitude": 14.5},
        "course": {"type": "LineString", "coordinates": circle()}, "laps": LAPS,
        "startsAt": iso(start), "enrolmentClosesAt": iso(start)})["run"]["run"]
    site.spawn(
        site.fake_gps, "--run", run, "--runners", str(runners), "--port", str(site.port), "--tokens",
        f"{site.folder}/tokens", "--quiet")
    alerts = Alerts(site, group)
    while time.time() < start and enrolled(site, run) < runners:
        time.sleep(1)
    print(f"{enrolled(site, run)} runners, {time.strftime('%X')}", file=sys.stderr)
    phase(site, alerts, calls, "at the start")
    time.sleep(max(0, start + 15 - time.time()))
    phase(site, alerts, calls, "running")
    crowd = Crowd(site, run, spectators)
    time.sleep(15)
    before, began = crowd.counts(), time.time()
    phase(site, alerts, calls, "running, watched")
    passed = time.time() - began
    for kind, (count, read) in crowd.counts().items():
        print(f"{kind}: {count} of {spectators} spectators still there, "
              f"{(read - before[kind][1]) / passed / max(1, count) / 1000:.1f} kB/s each")
    standings = crowd.standings()
    print(f"standings of {len(standings)} runners, "
          f"{sum(state['status'] == 'running' for state in standings)} of them running")


def phase(site, alerts, calls, name):
    times, rate = [], site.rate()
    for _ in range(calls):
        times.append(alerts.call("caller"))
        time.sleep(0.2)
    print(f"{name}: {rate():.0f} fixes a second; SOS to alert, ms: {spread(times, 50, 99)}, of {len(times)}")


def circle():
    step = math.radians(1) * 6_371_000
    places = [(14.5 + RADIUS_M / step / math.cos(math.radians(46)) * math.cos(angle),
               46 + RADIUS_M / step * math.sin(angle))
              for angle in (2 * math.pi * part / 72 for part in range(72))]
    return places + places[:1]


def enrolled(site, run):
    return site.ask("orga", "run.get", {"run": run})["run"]["enrolled"]


class Crowd:
    """Spectators, half of them over MQTT, half on the page."""

    def __init__(self, site, run, count):
        root = f"kith/runs/{run}"
        topics = [root, f"{root}/standings"]
        topics += [f"{root}/standings/{page}" for page in range(2, PAGES)]
        self.site, self.root = site, root
        self.selector, self.read = selectors.DefaultSelector(), {"MQTT": {}, "page": {}}
        self.lock = threading.Lock()
        threading.Thread(target=self.loop, daemon=True).start()
        query = "&".join(f"topic={topic}" for topic in topics)
        for number in range(count):
            self.enter("MQTT", site.port, number,
                       connect_packets(f"fan{number}", [root, f"{root}/standings/#"]))
            self.enter("page", site.web, number,
                       f"GET /api/events?{query} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            time.sleep(0.01)

    def enter(self, kind, port, number, hello):
        near = f"127.0.1.{1 + number // NEIGHBOURS}"
        link = socket.create_connection(("127.0.0.1", port), source_address=(near, 0))
        link.sendall(hello)
        link.setblocking(False)
        with self.lock:
            self.read[kind][link] = 0
            self.selector.register(link, selectors.EVENT_READ, kind)

    def loop(self):
        pinged = time.time()
        while True:
            for key, _ in self.selector.select(0.5):
                try:
                    part = key.fileobj.recv(262_144)
                except BlockingIOError:
                    continue
                except OSError:
                    part = b""
                with self.lock:
                    if part:
                        self.read[key.data][key.fileobj] += len(part)
                    else:
                        self.selector.unregister(key.fileobj)
                        del self.read[key.data][key.fileobj]
            if time.time() - pinged > 20:
                pinged = time.time()
                with self.lock:
                    for link in self.read["MQTT"]:
                        link.send(b"\xc0\x00")

    def counts(self):
        with self.lock:
            return {kind: (len(links), sum(links.values())) for kind, links in self.read.items()}

    def standings(self):
        text = subprocess.run(
            ["mosquitto_sub", "-p", str(self.site.port), "-i", "counter", "-W", "3",
             "--retained-only", "-t", f"{self.root}/standings/#"],
            capture_output=True, text=True).stdout
        return sum((json.loads(line) for line in text.splitlines()), [])


def connect_packets(client, topics):
    """CONNECT and SUBSCRIBE (MQTT 3.1.1, 3.1 and 3.8) with QoS 0."""
    text = lambda word: len(word).to_bytes(2, "big") + word.encode()
    connect = text("MQTT") + b"\x04\x02\x00\x3c" + text(client)
    subscribe = b"\x00\x01" + b"".join(text(topic) + b"\x00" for topic in topics)
    return packet(0x10, connect) + packet(0x82, subscribe)


def packet(kind, body):
    length, left = b"", len(body)
    while True:
        left, part = left // 128, left % 128
        length += bytes([part | (0x80 if left else 0)])
        if not left:
            return bytes([kind]) + length + body
