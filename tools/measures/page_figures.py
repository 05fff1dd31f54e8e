"""How much of the main thread the page uses while people move on its map.

Groups of so many people (5 and 40) drive about Milan and send a fix every two seconds (`fake-gps` beside KITH), and a
member watches the page in Chromium, 1280 × 800 with the list beside the map and 360 × 740 with the list over its lower
half, and with another view over all of it. For `--seconds` (20) each DevTools counts how long the page's main thread
works, in percent of the elapsed time: by wall-clock time, and by processor time, which other work on the machine hardly
affects (script, style and layout are parts of that). Several `--pages` are measured in turn, `--rounds` (3) times.
`--profile FILE` writes a profile of the last measurement, for DevTools. Needs Debian's chromium and python3-websocket.
"""

import contextlib
import http.client
import json
import os
import statistics
import sys
import time
from chromium import Chromium
from measuring import UNBOUNDED, Site, end

PASSWORD = "correct horse battery"
SETTLING_S = 6
# Name, width, height, view.
LOOKS = [("1280 × 800", 1280, 800, "#map"), ("360 × 740", 360, 740, "#map"),
         ("covered", 360, 740, "#alerts")]
PARTS = ["Script", "RecalcStyle", "Layout"]


class Tab:
    """A tab with a session for each of two clocks: of the processor, and of the wall."""

    def __init__(self, browser, width, height):
        self.browser, self.target = browser, browser.open()
        self.session, self.second = (browser.attach(self.target) for _ in range(2))
        browser.size(self.session, width, height)
        browser.call("Performance.enable", self.session, timeDomain="threadTicks")
        browser.call("Performance.enable", self.second, timeDomain="timeTicks")

    def ask(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def run(self, script):
        return self.browser.evaluate(self.session, script)

    def wait(self, script):
        for _ in range(300):
            if self.run(f"Boolean({script})"):
                return
            time.sleep(0.2)
        sys.exit(f"never came: {script}")

    def busy(self):
        """Seconds of work: by wall-clock time, by processor time, and the parts of that."""
        clock, processor = (
            {each["name"]: each["value"]
             for each in self.browser.call("Performance.getMetrics", session)["metrics"]}
            for session in (self.second, self.session))
        return [clock["TaskDuration"]] + [
            processor[f"{part}Duration"] for part in ["Task"] + PARTS]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


def main(kith=".build/release/kith", pages=("pages",), people=(5, 40), seconds=20, rounds=3, profile=None):
    with contextlib.ExitStack() as stack:
        browser, sites, figures = stack.enter_context(Chromium()), {}, {}
        for each in pages:
            site = sites[each] = stack.enter_context(Site(kith, settings=UNBOUNDED, arguments=["--pages", each]))
            site.start()
            prepare(site, people)
        for _ in range(rounds):
            for count in people:
                for each, site in sites.items():
                    measure(site, browser, count, seconds, profile, figures.setdefault(each, {}))
    show(figures, seconds, rounds)


def prepare(site, people):
    for count in people:
        watcher, users = f"g{count}", [f"g{count}p{number}" for number in range(count)]
        for user in [watcher] + users:
            site.add(user)
        site.run("user", "password", watcher, input=f"{PASSWORD}\n")
        site.group(f"Group of {count}", watcher, *users)
        with open(f"{site.folder}/tokens-{count}", "w") as file:
            file.writelines(site.tokens[user] + "\n" for user in users)


def session(site, user):
    """The cookie of a browser that has logged in."""
    connection = http.client.HTTPConnection("127.0.0.1", site.web)
    connection.request(
        "POST", "/session", json.dumps({"login": user, "password": PASSWORD, "device": "browser"}),
        {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{site.web}"})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 200:
        sys.exit(f"POST /session: {answer.status} {text}")
    name, value = answer.getheader("Set-Cookie").split(";")[0].split("=", 1)
    return name, value


def measure(site, browser, people, seconds, profile, figures):
    fleet = site.spawn(
        site.fake_gps, "drive", "--interval", "2", "--loop", "--share", "all", "--stagger", str(2 / people),
        "--quiet", "--port", str(site.port), "--users",
        ",".join(f"g{people}p{number}" for number in range(people)),
        "--tokens", f"{site.folder}/tokens-{people}")
    name, value = session(site, f"g{people}")
    for look, width, height, view in LOOKS:
        tab = Tab(browser, width, height)
        origin = f"http://127.0.0.1:{site.web}"
        tab.ask("Network.setCookie", name=name, value=value, url=origin)
        tab.ask("Page.navigate", url=f"{origin}/#map")
        tab.wait(f"document.querySelectorAll('.person-marker').length >= {people}")
        tab.run(f"location.hash = '{view}'")
        time.sleep(SETTLING_S)
        if profile:
            tab.ask("Profiler.enable")
            tab.ask("Profiler.start")
        began, before = time.monotonic(), tab.busy()
        time.sleep(seconds)
        after, passed = tab.busy(), time.monotonic() - began
        if profile:
            with open(profile, "w") as file:
                json.dump(tab.ask("Profiler.stop")["profile"], file)
        figures.setdefault((people, look), []).append(
            [100 * (done - start) / passed for start, done in zip(before, after)])
        tab.ask("Network.clearBrowserCookies")
        tab.close()
    end(fleet)


def show(figures, seconds, rounds):
    print(f"{rounds} rounds of {seconds} s each, at a load of {os.getloadavg()[0]:.1f} "
          "at the end; percent of the time, the median (the least and the most)")
    for pages, found in figures.items():
        print(f"\n{pages}\n\n| moving people | picture | by the clock | processor | script | style "
              "| layout |\n|---|---|---|---|---|---|---|")
        for (people, look), times in sorted(found.items()):
            clock, processor, *parts = zip(*times)
            cells = [f"{statistics.median(each):.1f} ({min(each):.1f}–{max(each):.1f})"
                     for each in (clock, processor)]
            cells += [f"{statistics.median(part):.1f}" for part in parts]
            print(f"| {people} | {look} | {' | '.join(cells)} |")
