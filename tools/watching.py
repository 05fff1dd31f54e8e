"""What an operator can see of an installation: its commands, log, page, alerts and notices."""

import contextlib
import http.client
import http.server
import json
import os
import re
import socketserver
import subprocess
import tempfile
import threading
import time

TOOLS = os.path.dirname(os.path.realpath(__file__))
RULES = os.path.dirname(TOOLS) + "/monitoring/alerts.yaml"

# Seconds between two scrapes here; a step of promtool's input.
PACE = 5
# How many seconds the healthy installation has been healthy before.
WELL = 600


class Receiver:
    """The server for notices and heartbeats of all installations, a path for each."""

    def __init__(self):
        self.posts, self.beats = {}, {}
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                text = self.rfile.read(int(self.headers["Content-Length"])).decode()
                refused = self.path.startswith("/refused/")
                receiver.receive(self.path, text)
                self.send_response(500 if refused else 204)
                self.end_headers()

            def do_GET(self):
                receiver.beats.setdefault(self.path, []).append(time.time())
                self.send_response(204)
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def receive(self, path, text):
        self.posts.setdefault(path, []).append((time.time(), text))


class MailServer:
    """Accepts mail, or refuses MAIL FROM."""

    def __init__(self, refuses_sender=False):
        self.mails = mails = []

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                def say(line):
                    self.wfile.write(line.encode() + b"\r\n")

                say("220 mail.example.org")
                body = None
                for line in self.rfile:
                    line = line.decode(errors="replace").rstrip("\r\n")
                    if body is not None:
                        if line == ".":
                            mails.append((time.time(), "\n".join(body)))
                            body = None
                            say("250 2.0.0 taken")
                        else:
                            body.append(line)
                        continue
                    word = line[:4].upper()
                    if word == "DATA":
                        body = []
                        say("354 go on")
                    elif word == "MAIL" and refuses_sender:
                        say("550 5.7.1 sender is not welcome here")
                    elif word == "QUIT":
                        return say("221 2.0.0 bye")
                    else:
                        say("250 2.0.0 well")

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = allow_reuse_address = True

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def get(port, path, token=None):
    """The status and the body of a page response; (None, the reason) if there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    except (OSError, http.client.HTTPException) as error:
        return None, f"{type(error).__name__}: {error}"
    finally:
        connection.close()


def samples(text):
    """The values of a /metrics response, by name and labels."""
    return {match[1]: float(match[2])
            for match in re.finditer(r"^(\w+(?:\{.*\})?) (\S+)$", text, re.M)}


class Scrapes:
    """What Prometheus would have seen, every few seconds."""

    def __init__(self):
        # (time, values); none where the scrape failed.
        self.taken, self.failures = [], []

    def take(self, port, token):
        status, text = get(port, "/metrics", token)
        self.taken.append((time.time(), samples(text) if status == 200 else None))
        if status != 200:
            self.failures.append(f"{status} {text}")
        return self.taken[-1][1]


def rules():
    """The summary and the seconds of `for:` of each alert."""
    found = {}
    with open(RULES) as file:
        for block in file.read().split("- alert: ")[1:]:
            wait = re.search(r"^ +for: (\d+)([mhd])$", block, re.M)
            found[block.split()[0]] = (
                re.search(r'summary: "?(.*?)"?$', block, re.M)[1],
                int(wait[1]) * {"m": 60, "h": 3600, "d": 86400}[wait[2]] if wait else 0)
    return found


def watched_names():
    with open(RULES) as file:
        return set(re.findall(r"\b(?:kith|process)_\w+", file.read()))


def compressed(values):
    """Values as promtool reads them: runs of one value, of none, and the marker for a stale
    series."""
    words, last, count = [], None, 0

    def close():
        if not count:
            return
        if last == "_":
            words.append(f"_x{count}")
        else:
            words.append(f"{last}+0x{count - 1}")

    before = None
    for value in values:
        if value is None:
            word = "stale" if before not in (None, "_", "stale") else "_"
        else:
            word = f"{value:.6f}".rstrip("0").rstrip(".")
        before = word
        if word == "stale":
            close()
            words.append("stale")
            last, count = None, 0
        elif word == last:
            count += 1
        else:
            close()
            last, count = word, 1
    close()
    return " ".join(words)


def running(values, before, after):
    """A time since a start has no values before, and continues to grow unless it keeps restarting."""
    last = values[-after - 1]
    recent = [value for value in values[-after - 60 // PACE:-after] if value is not None]
    is_growing = last is not None and max(recent) >= last and (
        len(values) - before - after < 60 // PACE or max(recent) > 30)
    end = [last + PACE * step for step in range(after)] if is_growing else [last] * after
    return [None] * before + values[before:-after] + end


def series(scrapes, hold):
    """The input of a promtool test: the first scrape has held for a while, and the last one is held for `hold`
    seconds. Its clock begins at 0, so times are relative to that."""
    times = [moment for moment, _ in scrapes]
    names = sorted({name for _, values in scrapes for name in values or {}
                    if name.split("{")[0] in watched_names()})
    steps, end = [], times[0]
    for index, moment in enumerate(times):
        # A step for each, in order, at about the interval in which they were taken.
        until = times[index + 1] if index + 1 < len(times) else moment + PACE
        count = max(1, round((until - end) / PACE))
        steps += [index] * count
        end += count * PACE
    steps = [0] * (WELL // PACE) + steps + [len(times) - 1] * (hold // PACE)
    oldest = min((value for _, values in scrapes for name, value in (values or {}).items()
                  if "_timestamp_seconds" in name and value), default=times[0])
    # So that no time is before the test's beginning.
    lead = max(0, int((times[0] - WELL - oldest) // PACE) + 12)
    beginning = times[0] - WELL - lead * PACE
    lines = []

    def add(name, values, first=None):
        labels = 'job="kith",instance="kith:8080"'
        name = name.replace("{", "{" + labels + ",") if "{" in name else name + "{" + labels + "}"
        text = compressed([first] * lead + values)
        lines.append(f"      - {{series: {json.dumps(name)}, values: {json.dumps(text)}}}")

    add("up", [0 if scrapes[index][1] is None else 1 for index in steps], 1)
    for name in names:
        values = [None if scrapes[index][1] is None else scrapes[index][1].get(name) for index in steps]
        if name == "kith_uptime_seconds":
            values = running(values, WELL // PACE, hold // PACE)
        if "_timestamp_seconds" in name:
            values = [value - beginning if value else value for value in values]
        add(name, values)
    return lines, (lead + len(steps)) * PACE


def fired(scrapes, hold, promtool, keep=None):
    """The alerts that promtool reports as fired, `name{concern}` if one has a label of that name."""
    lines, length = series(scrapes, hold)
    pace = 15 if length < 7200 else 60
    text = "\n".join([
        f"rule_files: [{RULES}]", f"evaluation_interval: {pace}s", "tests:", f"  - interval: {PACE}s",
        "    input_series:", *lines, "    promql_expr_test:",
        f"      - expr: count by (alertname, name, reason) (count_over_time(ALERTS{{alertstate=\"firing\"}}[{length}s]))",
        f"        eval_time: {length // pace * pace}s", "        exp_samples: []", ""])
    with tempfile.TemporaryDirectory() as folder:
        path = f"{keep}.promtool.yaml" if keep else f"{folder}/test.yaml"
        with open(path, "w") as file:
            file.write(text)
        answer = subprocess.run([promtool, "test", "rules", path], capture_output=True, text=True)
    said = answer.stdout + answer.stderr
    if answer.returncode == 0:
        return set()
    if "got:" not in said:
        raise RuntimeError(f"promtool: {said}")
    found = set()
    for labels in re.findall(r"\{[^{}]*alertname=[^{}]*\}", said.split("got:")[1]):
        words = dict(re.findall(r'(\w+)=\\?"([^"\\]*)', labels))
        extra = words.get("name") or words.get("reason")
        found.add(words["alertname"] + (f"{{{extra}}}" if extra else ""))
    return found


class Listener:
    """A member of the group, by a stock client with a persistent session, as a phone has it."""

    def __init__(self, site, user, topic):
        self.command = site.mosquitto("sub", user, "-i", f"{user}.phone", "-c", "-t", topic)
        self.heard, self.isOver, self.program = [], False, None
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while not self.isOver:
            self.program = subprocess.Popen(
                self.command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            for line in self.program.stdout:
                with contextlib.suppress(ValueError):
                    self.heard.append((time.time(), json.loads(line)))
            self.program.wait()
            time.sleep(0.5)

    def stop(self):
        self.isOver = True
        if self.program:
            self.program.kill()


class Call(threading.Thread):
    """An SOS by a stock client, resent every second until the broker has accepted it, as phones do."""

    def __init__(self, site, user, listener):
        super().__init__(daemon=True)
        self.site, self.user, self.listener = site, user, listener
        self.begun, self.complaint, self.taken, self.isOver = time.time(), None, None, False

    def run(self):
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        fix = {"latitude": 46.05, "longitude": 14.51, "accuracy": 8, "timestamp": stamp}
        command = self.site.mosquitto(
            "pub", self.user, "-i", f"{self.user}.phone", "-t",
            f"kith/users/{self.user}/devices/phone/requests/sos.trigger", "-m", json.dumps({"fix": fix}))
        while not self.isOver:
            try:
                answer = subprocess.run(command, capture_output=True, text=True, timeout=5)
                if answer.returncode == 0 and not answer.stderr:
                    self.taken = time.time()
                    return
                self.complaint = answer.stderr.strip()
            except subprocess.TimeoutExpired:
                self.complaint = "no answer within 5 s"
            time.sleep(1)

    @property
    def seconds(self):
        """From its beginning until the other has received it; None until then."""
        for moment, alert in self.listener.heard:
            if alert.get("kind") == "sos" and moment > self.begun:
                return moment - self.begun
        return None
