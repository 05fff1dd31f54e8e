"""Chromium by the DevTools protocol. Needs Debian's chromium and python3-websocket."""

import contextlib
import json
import os
import subprocess
import tempfile
import time
import websocket
from measuring import end

PATIENCE = 60


class Chromium:
    """A separate browser with its own profile, and a connection to it with a session for each page."""

    def __init__(self, *flags):
        self.stack = contextlib.ExitStack()
        profile = self.stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        program = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--remote-debugging-port=0",
             f"--user-data-dir={profile}", "--no-first-run", *flags, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack.callback(end, program)
        file = os.path.join(profile, "DevToolsActivePort")
        for _ in range(300):
            if os.path.exists(file) and len(open(file).read().split()) == 2:
                break
            time.sleep(0.1)
        port, path = open(file).read().split()
        self.socket = websocket.create_connection(
            f"ws://127.0.0.1:{port}{path}", suppress_origin=True, timeout=PATIENCE)
        self.last, self.answers = 0, {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.close()

    def send(self, method, session=None, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        return self.last

    def call(self, method, session=None, **parameters):
        number = self.send(method, session, **parameters)
        while number not in self.answers:
            self.read()
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def read(self):
        message = json.loads(self.socket.recv())
        if "id" in message:
            self.answers[message["id"]] = message
        else:
            self.happened(message["method"], message.get("sessionId"), message.get("params", {}))

    def happened(self, event, session, parameters):
        """An event of a session."""

    def open(self):
        """A new page."""
        return self.call("Target.createTarget", url="about:blank")["targetId"]

    def attach(self, target):
        return self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def size(self, session, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", session, width=width, height=height,
                  deviceScaleFactor=scale, mobile=width < 600)

    def evaluate(self, session, expression):
        answer = self.call("Runtime.evaluate", session, expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")
