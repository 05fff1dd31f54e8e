"""Acknowledged fixes of stock clients that are lost when broker and bridge are killed together.

`--phones` (20) paho clients publish fixes without numbers, with QoS 1, `--window` (5) at a time. After one to two seconds
`kill -9` ends Mosquitto and the bridge at the same moment; `kith up` restarts them. Every acknowledged fix should then
be stored. In every second one of the `--rounds` (20) the gate does not hold acknowledgements
(`plugin_opt_hold_acknowledgements false`). Also printed: the time from each publication to its acknowledgement.
"""

import json
import os
import pathlib
import random
import signal
import threading
import time
from measuring import Site, await_port, spread

import paho.mqtt.client as mqtt

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The interval between the times of a phone's fixes.
STEP_MS = 20


class Phone:
    def __init__(self, site, user, window):
        self.acknowledged, self.times, self.sent, self.lock = set(), [], {}, threading.Lock()
        self.next = int(time.time() * 1000) - 3_600_000
        self.topic, self.window, self.ended = f"kith/users/{user}/devices/phone/fix", window, False
        self.client = mqtt.Client(client_id=f"{user}.phone", clean_session=True)
        self.client.username_pw_set(user, site.tokens[user])
        self.client.max_inflight_messages_set(window)
        self.client.on_connect = lambda *_: [self.send() for _ in range(window)]
        self.client.on_publish = self.note
        self.client.on_disconnect = lambda *_: setattr(self, "ended", True)
        self.client.connect("127.0.0.1", site.port)
        self.client.loop_start()

    def send(self):
        with self.lock:
            self.next += STEP_MS
            fix = {"timestamp": self.next, "latitude": 52.5, "longitude": 13.4}
            message = self.client.publish(self.topic, json.dumps(fix), qos=1)
            self.sent[message.mid] = (self.next, time.monotonic())

    def note(self, client, data, mid):
        with self.lock:
            at, began = self.sent.pop(mid)
            self.acknowledged.add(at)
            # A message that is sent again over the next connection began long ago.
            if not self.ended:
                self.times.append(time.monotonic() - began)
        if not self.ended:
            self.send()

    def stop(self):
        self.ended = True
        self.client.loop_stop()


def play(kith, config, phones, window):
    """Returns (acknowledged, lost, times)."""
    with Site(kith, arguments=("--broker-config", config)) as site:
        site.start()
        users = [f"phone{number}" for number in range(phones)]
        for user in users:
            site.add(user)
        site.group("all", *users)
        clients = [Phone(site, user, window) for user in users]
        time.sleep(random.uniform(1, 2))
        for pid in (site.broker, site.bridge):
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.2)
        for client in clients:
            client.stop()
        await_port(site.port)
        before = -1
        while (stored := site.fixes()) != before:
            before = stored
            time.sleep(3)
        kept = {user: set() for user in users}
        for user, at in site.query(
                "SELECT u.name, f.taken_at_ms FROM fixes f JOIN devices d ON d.id = f.device_id"
                " JOIN users u ON u.id = d.user_id"):
            kept[user].add(at)
        lost = sum(len(client.acknowledged - kept[user]) for user, client in zip(users, clients))
        return (sum(len(client.acknowledged) for client in clients), lost,
                [seconds for client in clients for seconds in client.times])


def main(kith=".build/release/kith", phones=20, window=5, rounds=20):
    template = (ROOT / "broker-config/development.conf").read_text()
    config = f"/tmp/kith-killed-broker-{os.getpid()}.conf"
    pathlib.Path(config).write_text(template.replace(
        "plugin_opt_root @ROOT@", "plugin_opt_root @ROOT@\nplugin_opt_hold_acknowledgements false"))
    totals = {}
    try:
        for number in range(rounds):
            held = number % 2 == 0
            chosen = str(ROOT / "broker-config/development.conf") if held else config
            acknowledged, lost, times = play(kith, chosen, phones, window)
            total = totals.setdefault(held, [0, 0, []])
            total[0] += acknowledged
            total[1] += lost
            total[2] += times
            print(f"{'held' if held else 'not held'}: {lost} of {acknowledged} acknowledged lost", flush=True)
    finally:
        os.remove(config)
    for held, (acknowledged, lost, times) in totals.items():
        print(f"{'held' if held else 'not held'}: {lost} of {acknowledged} lost; acknowledged after "
              f"{spread([seconds * 1000 for seconds in times], 50, 99)} ms")
