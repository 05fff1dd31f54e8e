"""A receiver of HTTP that does what the path says. Prints its port first.

http_server.py [CERTIFICATE KEY]
"""
import http.server
import json
import os
import signal
import ssl
import sys
import threading
import time

signal.alarm(120)  # Even if the tests are killed.
reached = 0
at_once = 0
most_at_once = 0
written = 0
lock = threading.Lock()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_request(self):
        global reached, at_once, most_at_once, written
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        kind, _, argument = self.path.partition("?")[0].lstrip("/").partition("/")
        if kind == "echo":
            seen = {
                "method": self.command,
                "headers": {name.lower(): value for name, value in self.headers.items()},
                "body": body.decode("latin-1"),
            }
            self.answer(200, json.dumps(seen).encode())
        elif kind == "status":
            self.answer(int(argument))
        elif kind == "retry":
            self.answer(429, headers=[("Retry-After", argument)])
        elif kind == "retry-at":
            when = self.date_time_string(time.time() + int(argument))
            self.answer(503, headers=[("Retry-After", when)])
        elif kind == "redirect":
            there = "http://127.0.0.1:%d/reached" % self.server.server_port
            self.answer(int(argument), headers=[("Location", there)])
        elif kind == "reached":
            reached += 1
            self.answer(200)
        elif kind == "counts":
            self.answer(200, json.dumps({"reached": reached, "most": most_at_once, "written": written}).encode())
        elif kind == "big":
            self.send_response(int(argument))
            self.send_header("Content-Length", str(50_000_000))
            self.end_headers()
            for _ in range(5000):
                self.wfile.write(b"x" * 10_000)
                written += 10_000
        elif kind == "head":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            for number in range(100_000):
                self.wfile.write(b"X-%d: %s\r\n" % (number, b"y" * 100))
        elif kind == "informed":
            for _ in range(100_000):
                self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n")
        elif kind == "unfinished":
            self.send_response(int(argument))
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"begun")
            self.wfile.flush()
            time.sleep(60)
        elif kind == "drop":
            self.close_connection = True
        elif kind == "garbage":
            self.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")
            self.close_connection = True
        elif kind == "hang":
            time.sleep(60)
        elif kind == "slow":
            with lock:
                at_once += 1
                most_at_once = max(most_at_once, at_once)
            time.sleep(float(argument))
            with lock:
                at_once -= 1
            self.answer(200)
        else:
            self.answer(404)

    def do_GET(self):
        try:
            self.handle_request()
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True

    do_POST = do_GET


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 512

    def handle_error(self, *arguments):
        pass  # The client has gone.


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(server.server_port, flush=True)
server.serve_forever()
