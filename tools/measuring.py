"""Shared by the measurements and the faults: an installation, its clients, its load, and figures."""

import base64
import contextlib
import http.client
import json
import math
import os
import re
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from datetime import datetime, timezone

# For one mosquitto_pub, which ends early with more than 65,535.
LINES = 60_000
RUNS = 4
# Settings for a load from one address, and for calls for help one after the other.
UNBOUNDED = {
    "KITH_WEB_REQUESTS_OF_ADDRESS": "10000", "KITH_WEB_CONNECTIONS_OF_ADDRESS": "1000",
    "KITH_ESCALATION_REPEAT_AT_MOST": "0",
}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def await_port(port):
    for _ in range(600):
        if listens(port):
            return
        time.sleep(0.2)
    sys.exit(f"nothing listens on port {port}")


def end(program):
    if program and program.poll() is None:
        program.terminate()
        try:
            program.wait(60)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()


class Site:
    """An installation with its own ports and data, and the tokens of its people. As a context manager it
    ends what it has started, and removes the data unless they are in a given folder."""

    # What precedes its commands, such as `setpriv`.
    prefix = []

    def __init__(self, kith, folder=None, settings={}, arguments=()):
        self.stack = contextlib.ExitStack()
        self.kith = kith
        self.folder = folder or self.stack.enter_context(tempfile.TemporaryDirectory())
        self.data, self.log = f"{self.folder}/data", f"{self.folder}/kith.log"
        self.port, self.web = free_port(), free_port()
        self.arguments = ["--port", str(self.port), "--web-port", str(self.web), *arguments]
        self.environment = os.environ | settings
        self.tokens, self.program = {}, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.close()

    # The installation

    def launch(self, patience):
        """Returns whether broker and page accept connections before the program ends."""
        with open(self.log, "a") as log:
            self.program = subprocess.Popen(
                [*self.prefix, self.kith, "up", "--data", self.data, *self.arguments],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.stack.callback(self.stop)
        deadline = time.time() + patience
        while time.time() < deadline and self.program.poll() is None:
            if listens(self.port) and listens(self.web):
                return True
            time.sleep(0.1)
        return False

    def start(self):
        if not self.launch(120):
            with open(self.log) as log:
                sys.exit(f"{self.kith} up does not start: {log.read()[-1000:]}")

    def stop(self):
        end(self.program)

    def spawn(self, *command, **options):
        """A program that is ended before the installation."""
        program = subprocess.Popen(command, **options)
        self.stack.callback(end, program)
        return program

    @property
    def fake_gps(self):
        return os.path.join(os.path.dirname(self.kith), "fake-gps")

    @property
    def bridge(self):
        return part_of(self.program.pid, "bridge")

    @property
    def page(self):
        return part_of(self.program.pid, "page")

    @property
    def broker(self):
        return broker_of(self.program.pid)

    # Its people

    def run(self, *arguments, **options):
        """The output of a command."""
        done = subprocess.run(
            [*self.prefix, self.kith, *arguments, "--data", self.data], capture_output=True, text=True,
            env=self.environment, timeout=60, **options)
        if done.returncode:
            raise RuntimeError(f"kith {' '.join(arguments[:2])}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def add(self, user):
        self.run("user", "add", user, "--name", user)
        self.tokens[user] = self.run("user", "token", user, "phone")

    def group(self, name, *users):
        return self.run("group", "create", name, *users).split()[-1]

    def token(self, name):
        """The token of one of Kith's own clients; None before it has one."""
        try:
            with open(f"{self.data}/tokens/{name}") as file:
                return file.read().strip()
        except OSError:
            return None

    def ask(self, user, method, body):
        page = Page(self, Authorization=f"Bearer {self.tokens[user]}")
        _, status, text = page.post(method, body)
        page.connection.close()
        if status != 200:
            sys.exit(f"{method}: {status} {text}")
        return json.loads(text)

    def mosquitto(self, program, user, *words):
        """A stock client's command, with QoS 1."""
        return [f"mosquitto_{program}", "-p", str(self.port), "-u", user, "-P",
                self.tokens.get(user) or self.token(user.removeprefix("kith:")), "-q", "1", *words]

    # Its database

    def query(self, sql, *values):
        with contextlib.closing(
                sqlite3.connect(f"file:{self.data}/kith.db?mode=ro", uri=True, timeout=30)) as database:
            return database.execute(sql, values).fetchall()

    @contextlib.contextmanager
    def database(self):
        """For changes, which are committed at the end."""
        with contextlib.closing(sqlite3.connect(f"{self.data}/kith.db", timeout=30)) as database:
            with database:
                yield database

    def fixes(self):
        """How many fixes are stored."""
        return self.query("SELECT COALESCE(MAX(rowid), 0) FROM fixes")[0][0]

    def rate(self):
        """Returns what returns the fixes stored per second since this call."""
        stored, began = self.fixes(), time.time()
        return lambda: (self.fixes() - stored) / (time.time() - began)


def insert(database, table, columns):
    return database.execute(
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
        list(columns.values())).lastrowid


def iso(moment):
    return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def browser_keys():
    """The public key of a push subscription and its secret: nothing here reads what is sent."""
    key = subprocess.run(
        "openssl ecparam -name prime256v1 -genkey -noout | openssl ec -pubout -outform DER",
        shell=True, check=True, capture_output=True).stdout[-65:]
    return [base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in (key, bytes(16))]


class Page:
    """A connection to the page's API."""

    def __init__(self, site, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", site.web)
        self.headers = {"Content-Type": "application/json", **headers}

    def post(self, method, body):
        """The milliseconds until the answer is read, without those for connecting; its status, and its text."""
        if not self.connection.sock:
            self.connection.connect()
        start = time.perf_counter()
        self.connection.request("POST", f"/api/{method}", json.dumps(body), self.headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        return (time.perf_counter() - start) * 1000, answer.status, text


class Alerts:
    """The alerts of a group, with the time at which `helper` has read each."""

    def __init__(self, site, group):
        self.site = site
        self.program = site.spawn(
            *site.mosquitto("sub", "helper", "-t", f"kith/groups/{group}/alerts"),
            stdout=subprocess.PIPE, text=True)
        # Alerts not yet requested, and all.
        self.found, self.seen, self.condition = [], [], threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.program.stdout:
            with self.condition:
                self.found.append((json.loads(line)["kind"], time.time()))
                self.seen.append(self.found[-1])
                self.condition.notify()

    def next(self, wanted):
        with self.condition:
            while True:
                while self.found:
                    kind, moment = self.found.pop(0)
                    if kind == wanted:
                        return moment
                if not self.condition.wait(60):
                    sys.exit(f"no alert {wanted} within a minute")

    def call(self, user):
        """Calls for help with the page's API, and ends the call. Returns the milliseconds from before the
        request is written until the alert is read."""
        sent = time.time()
        self.site.ask(user, "sos.trigger", {"id": f"call {sent}"})
        passed = (self.next("sos") - sent) * 1000
        self.site.ask(user, "sos.stop", {})
        self.next("sos-stopped")
        return passed


def send_fixes(site, users, stop):
    """One user's phone after the other: a user's fixes are at least a millisecond apart."""
    for user in users:
        if stop.is_set():
            return
        feed, begin = f"{site.folder}/{user}.fixes", time.time() - LINES / 1000 + 15
        with open(feed, "w") as file:
            for number in range(LINES):
                stamp = datetime.fromtimestamp(begin + number / 1000, timezone.utc)
                text = stamp.isoformat(timespec="milliseconds").replace("+00:00", "Z")
                file.write(f'{{"latitude":{46 + number / 1e6:.6f},"longitude":14.5,'
                           f'"timestamp":"{text}"}}\n')
        with open(feed) as lines:
            program = subprocess.Popen(
                site.mosquitto("pub", user, "-t", f"kith/users/{user}/devices/phone/fix", "-l"),
                stdin=lines, stderr=subprocess.DEVNULL)
            while program.poll() is None:
                if stop.wait(0.1):
                    program.kill()


@contextlib.contextmanager
def fixes_beside(site, count):
    """So many phones of people in no group send as fast as the broker accepts it, each with `mosquitto_pub -l`.
    Yields what returns the fixes stored per second."""
    phones = [[f"p{phone}n{number}" for number in range(RUNS)] for phone in range(count)]
    for user in sum(phones, []):
        site.add(user)
    stop = threading.Event()
    feeds = [threading.Thread(target=send_fixes, args=(site, users, stop), daemon=True) for users in phones]
    for feed in feeds:
        feed.start()
    try:
        time.sleep(2)
        print("ready", file=sys.stderr)
        yield site.rate()
    finally:
        stop.set()
        for feed in feeds:
            feed.join()


# Figures

def percentiles(values, *shares):
    cuts = statistics.quantiles(values, n=1000, method="inclusive")
    return [cuts[round(share * 10) - 1] for share in shares]


def spread(values, *shares):
    return ", ".join([f"p{share} {value:.0f}" for share, value in zip(shares, percentiles(values, *shares))]
                     + [f"at most {max(values):.0f}"])


def compare(times, *shares):
    """Prints the percentiles of each kind, and how often its times exceed those of kind "nobody"."""
    for title, table in times.items():
        print(f"\n{title + ', ms':22}" + "".join(f"    p{share}" for share in shares)
              + "   longer than about nobody")
        for kind, values in table.items():
            print(f"{kind:22}", *(f"{value:6.2f}" for value in percentiles(values, *shares)), " ",
                  chance(values, table["nobody"]))


def chance(left, right):
    """Mann and Whitney's U as a chance, with its standard error; 50 % is no difference."""
    wins = sum((a > b) + (a == b) / 2 for a in left for b in right)
    error = math.sqrt((len(left) + len(right) + 1) / (12 * len(left) * len(right)))
    return f"{100 * wins / (len(left) * len(right)):5.1f} % ± {100 * error:.1f}"


# Processes

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


def written(process):
    """The bytes that a process has written to disks."""
    with open(f"/proc/{process}/io") as file:
        return int(re.search(r"^write_bytes: (\d+)", file.read(), re.M)[1])


def memory(process):
    """A process's resident bytes."""
    with open(f"/proc/{process}/status") as file:
        return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) * 1024
