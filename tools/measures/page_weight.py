"""What a visitor of the page waits for: bytes over the wire, and the time until it can be used.

Opens the demo with the pages of a directory (usually a bundle that tools/bundle-page makes for this; `--pages pages`
measures the plain modules). Chromium emulates a phone of 360 × 740 with a processor `--slow` (four) times slower, on
"slow 4G" as Lighthouse throttles it with the DevTools protocol, unless `--no-limit`: 562 ms for each request, 1.44
Mbit/s down and 0.66 up. Each of `--runs` (5) has its own profile:

- start: from opening the address until the login form can be used;
- demo: from pressing "Watch the demo" until five people are on the map;
- again: reopening the page, logged in, from the service worker.

Bytes are those of the page until then; what the service worker fetches afterwards, so that the page opens without a
network, is listed separately. `--json` prints the figures of each run. Needs Debian's chromium and python3-websocket.
"""

import os
import statistics
import subprocess
import sys
import time
from json import dumps
import websocket
from chromium import PATIENCE, Chromium
from measuring import Site

SLOW_4G = {"offline": False, "latency": 562.5, "downloadThroughput": 1474.56 * 1024 / 8,
           "uploadThroughput": 675 * 1024 / 8}
BUTTON = "[...document.querySelectorAll('button')].find(" \
    "e => e.offsetParent && e.textContent.trim() === 'Watch the demo')"
PEOPLE = "document.querySelectorAll('.person-marker').length >= 5"


class Phone(Chromium):
    """A browser with one page, which counts what it and its service worker receive."""

    def __init__(self, slow, no_limit):
        super().__init__("--disable-gpu", "--disable-extensions")
        self.kinds, self.bytes, self.requests, self.no_limit = {}, {}, {}, no_limit
        self.session = self.attach(self.open())
        # A site's worker is not part of a page.
        self.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True,
                  filter=[{"type": "service_worker"}])
        self.call("Page.enable", self.session)
        self.call("Emulation.setCPUThrottlingRate", self.session, rate=slow)
        self.size(self.session, 360, 740, scale=2)

    def happened(self, event, session, parameters):
        if event == "Target.attachedToTarget":
            inner = parameters["sessionId"]
            self.kinds[inner] = parameters["targetInfo"]["type"]
            self.prepare(inner)
        elif event == "Network.dataReceived":
            self.add(session, parameters["encodedDataLength"])
        elif event == "Network.responseReceived":
            # The head of the response; the body follows in the events above.
            self.add(session, parameters["response"]["encodedDataLength"])
            self.requests[session] = self.requests.get(session, 0) + 1

    def prepare(self, session):
        self.send("Network.enable", session)
        if not self.no_limit:
            self.send("Network.emulateNetworkConditions", session, **SLOW_4G)
        self.send("Target.setAutoAttach", session, autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        self.send("Runtime.runIfWaitingForDebugger", session)

    def add(self, session, count):
        self.bytes[session] = self.bytes.get(session, 0) + count

    def pause(self, seconds):
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                self.read()
            except websocket.WebSocketTimeoutException:
                break
        self.socket.settimeout(PATIENCE)

    def total(self, kind):
        return sum(count for session, count in self.bytes.items() if self.kinds.get(session) == kind)

    def until(self, condition, action):
        """Seconds and kilobytes from an action until a condition holds."""
        before, begin = self.total("page"), time.monotonic()
        self.requests.clear()
        action()
        while time.monotonic() - begin < PATIENCE:
            try:
                if self.evaluate(self.session, f"!!({condition})"):
                    break
            except RuntimeError:
                pass  # The document is being replaced.
            self.pause(0.02)
        else:
            sys.exit(f"not within {PATIENCE} s: {condition}")
        seconds = time.monotonic() - begin
        return {"s": seconds, "kB": (self.total("page") - before) / 1000,
                "requests": self.requests.get(self.session, 0)}


def visit(address, slow, no_limit):
    with Phone(slow, no_limit) as phone:
        def go():
            phone.send("Page.navigate", phone.session, url=address)

        figures = {"start": phone.until(BUTTON, go)}
        figures["demo"] = phone.until(PEOPLE, lambda: phone.evaluate(phone.session, f"{BUTTON}.click()"))
        for _ in range(120):
            if phone.evaluate(phone.session, "caches.match('/complete').then(found => !!found)"):
                break
            phone.pause(0.5)
        figures["worker"] = {"kB": phone.total("service_worker") / 1000}
        figures["again"] = phone.until(PEOPLE, go)
        return figures


def main(kith=".build/debug/kith", pages=None, runs=5, slow=4.0, no_limit=False, json=False):
    with Site(kith, arguments=["--demo"]) as site:
        if not pages:
            pages = f"{site.folder}/page"
            bundle = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + "/bundle-page"
            subprocess.run([bundle, pages], check=True)
        site.arguments += ["--pages", pages]
        site.start()
        # The demo's people have moved.
        time.sleep(6)
        show([visit(f"http://127.0.0.1:{site.web}/", slow, no_limit) for _ in range(runs)], json)


def show(runs, as_json):
    if as_json:
        return print(dumps(runs))
    print("| | median s | fastest–slowest | kB | requests |")
    print("|---|---|---|---|---|")
    for phase in ["start", "demo", "again"]:
        seconds = [run[phase]["s"] for run in runs]
        print(f"| {phase} | {statistics.median(seconds):.1f} | {min(seconds):.1f}–{max(seconds):.1f} "
              f"| {statistics.median(run[phase]['kB'] for run in runs):.0f} "
              f"| {statistics.median(run[phase]['requests'] for run in runs):.0f} |")
    print(f"| worker | | | {statistics.median(run['worker']['kB'] for run in runs):.0f} | |")
