"""Shared by the measuring tools in this folder: a separate installation, and its load."""

import http.client
import json
import os
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from datetime import datetime, timezone

# For one mosquitto_pub, which ends early with more than 65,535.
LINES = 60_000
RUNS = 4


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def await_port(port):
    for _ in range(600):
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.2)
    sys.exit(f"nothing listens on port {port}")


class House:
    """A running `kith up`, and the tokens of its people."""

    def __init__(self, kith, folder, data, port, web):
        self.kith, self.folder, self.data, self.port, self.web = kith, folder, data, port, web
        self.tokens = {}

    def run(self, *arguments):
        return subprocess.run(
            [self.kith, *arguments, "--data", self.data], capture_output=True, text=True,
            check=True).stdout.strip()

    def add(self, user):
        self.run("user", "add", user, "--name", user)
        self.tokens[user] = self.run("user", "token", user, "phone")

    def ask(self, user, method, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.web)
        connection.request(
            "POST", f"/api/{method}", json.dumps(body),
            {"Authorization": f"Bearer {self.tokens[user]}", "Content-Type": "application/json"})
        response = connection.getresponse()
        answer = json.loads(response.read())
        connection.close()
        if response.status != 200:
            sys.exit(f"{method}: {response.status} {answer}")
        return answer


def send_fixes(house, users, stop):
    """One user's phone after the other: a user's fixes are at least a millisecond apart."""
    for user in users:
        if stop.is_set():
            return
        feed, begin = f"{house.folder}/{user}.fixes", time.time() - LINES / 1000 + 15
        with open(feed, "w") as file:
            for number in range(LINES):
                stamp = datetime.fromtimestamp(begin + number / 1000, timezone.utc)
                text = stamp.isoformat(timespec="milliseconds").replace("+00:00", "Z")
                file.write(f'{{"latitude":{46 + number / 1e6:.6f},"longitude":14.5,'
                           f'"timestamp":"{text}"}}\n')
        with open(feed) as lines:
            program = subprocess.Popen(
                ["mosquitto_pub", "-p", str(house.port), "-u", user, "-P", house.tokens[user],
                 "-q", "1", "-t", f"kith/users/{user}/devices/phone/fix", "-l"], stdin=lines,
                stderr=subprocess.DEVNULL)
            while program.poll() is None:
                if stop.wait(0.1):
                    program.kill()


def fixes(house):
    """How many fixes are stored."""
    database = sqlite3.connect(f"file:{house.data}/kith.db?mode=ro", uri=True, timeout=30)
    count = database.execute("SELECT COALESCE(MAX(rowid), 0) FROM fixes").fetchone()[0]
    database.close()
    return count


def insert(database, table, columns):
    return database.execute(
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
        list(columns.values())).lastrowid


def iso(moment):
    return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Alerts:
    """The alerts of a group, with the time at which each was read."""

    def __init__(self, house, group):
        self.program = subprocess.Popen(
            ["mosquitto_sub", "-p", str(house.port), "-u", "helper", "-P", house.tokens["helper"],
             "-q", "1", "-t", f"kith/groups/{group}/alerts"], stdout=subprocess.PIPE, text=True)
        # Alerts not yet requested, and all.
        self.found, self.seen, self.condition = [], [], threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.program.stdout:
            with self.condition:
                self.found.append((json.loads(line)["kind"], time.time()))
                self.seen.append(self.found[-1])
                self.condition.notify()

    def next(self, *kinds):
        with self.condition:
            while True:
                while self.found:
                    kind, moment = self.found.pop(0)
                    if kind in kinds:
                        return moment
                if not self.condition.wait(60):
                    sys.exit(f"no alert {kinds} within a minute")


def children(process):
    found = []
    for task in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{task}/children") as file:
            found += [int(child) for child in file.read().split()]
    return found


def part_of(process, name):
    """The process id of the bridge or the page that a `kith up` has started; its own id if it is of a
    release that runs both itself."""
    for child in children(process):
        with open(f"/proc/{child}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
        if [b"--part", name.encode()] in [words[i:i + 2] for i in range(len(words))] and words[1] == b"up":
            return child
    return process


def broker_of(process):
    """The process id of the broker that a `kith up` has started; None while there is none."""
    for child in children(process):
        with open(f"/proc/{child}/comm") as file:
            if file.read().strip() == "mosquitto":
                return child
        found = broker_of(child)
        if found:
            return found
    return None
