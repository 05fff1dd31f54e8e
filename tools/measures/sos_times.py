"""The time from `sos.trigger` to a push and a mail to each member of a group.

Beside the installation there are a push service (TLS, its own certificate) and Exim (Debian's exim4; STARTTLS, a
password; it accepts mail and does not forward it), all on this machine. A group has so many members (100), each with a
push and a mail address and nothing connected. One more calls for help `--calls` (10) times with the page's API: the
time is measured from before the request is written until the push service has read a push, and until Exim has accepted
a mail (its log). The call ends when everything has been received, and the next begins when everything about the end has
also been received. At the same time `--phones` (0) of people in no group send fixes as fast as the broker accepts them,
each with `mosquitto_pub -l`. Run as root, or as a user who may run exim4 with their own configuration.
"""

import glob
import http.server
import multiprocessing
import os
import re
import ssl
import subprocess
import sys
import time
from datetime import datetime, timezone
from measuring import UNBOUNDED, Site, await_port, browser_keys, fixes_beside, free_port, spread

EXIM = """
primary_hostname = localhost
spool_directory = {folder}/spool
log_file_path = {folder}/log-%slog
log_selector = +millisec +received_recipients
timezone = UTC
pid_file_path = {folder}/pid
daemon_smtp_ports = {port}
local_interfaces = 127.0.0.1
tls_certificate = {folder}/certificate.pem
tls_privatekey = {folder}/key.pem
tls_advertise_hosts = *
host_lookup =
keep_environment =
queue_only = true
acl_smtp_rcpt = recipients
begin acl
recipients:
  deny !authenticated = *
  accept
begin routers
all:
  driver = accept
  transport = none
begin transports
none:
  driver = appendfile
  file = /dev/null
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = ${{if and{{{{eq{{$auth2}}{{kith}}}}{{eq{{$auth3}}{{secret}}}}}}}}
  server_set_id = $auth2
  server_advertise_condition = ${{if def:tls_in_cipher}}
"""


def serve_pushes(folder, port, came):
    """A push service: puts (path, time) into the queue."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            came.put((self.path, time.time()))
            self.send_response(201)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments):
            pass

    class Server(http.server.ThreadingHTTPServer):
        request_queue_size = 256
        daemon_threads = True

    server = Server(("127.0.0.1", port), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False)
    server.serve_forever()


class Mails:
    """The mail that Exim has accepted, by its log."""

    def __init__(self, folder):
        self.path, self.read = f"{folder}/log-mainlog", 0

    def new(self):
        """(address, time) of each since the last call."""
        if not os.path.exists(self.path):
            return []
        with open(self.path) as log:
            log.seek(self.read)
            text = log.read()
        end = text.rfind("\n") + 1
        self.read += end
        return [
            (match[2], datetime.strptime(match[1], "%Y-%m-%d %H:%M:%S.%f")
             .replace(tzinfo=timezone.utc).timestamp())
            for match in re.finditer(r"^(\S+ \S+) \S+ <= .* for (\S+)$", text[:end], re.M)]


def main(kith=".build/release/kith", members=100, calls=10, phones=0):
    with Site(kith) as site:
        folder, smtp, https = site.folder, free_port(), free_port()
        os.chmod(folder, 0o777)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
             "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
             "subjectAltName=IP:127.0.0.1", "-keyout", f"{folder}/key.pem", "-out",
             f"{folder}/certificate.pem"], check=True, capture_output=True)
        os.chmod(f"{folder}/key.pem", 0o644)
        with open(f"{folder}/exim.conf", "w") as file:
            file.write(EXIM.format(folder=folder, port=smtp))
        came = multiprocessing.Queue()
        service = multiprocessing.Process(target=serve_pushes, args=(folder, https, came), daemon=True)
        service.start()
        site.stack.callback(service.terminate)
        site.environment |= UNBOUNDED | {
            "KITH_CHANNELS_NETWORKS": "127.0.0.0/8",
            "KITH_CHANNELS_AUTHORITIES": f"{folder}/certificate.pem",
            "KITH_CHANNELS_CONTACT": "mailto:kith@example.org",
            "KITH_MAIL_HOST": "127.0.0.1", "KITH_MAIL_PORT": str(smtp),
            "KITH_MAIL_FROM": "kith@example.org", "KITH_MAIL_USERNAME": "kith",
            "KITH_MAIL_PASSWORD": "secret", "KITH_MAIL_AUTHORITIES": f"{folder}/certificate.pem"}
        site.spawn("/usr/sbin/exim4", "-C", f"{folder}/exim.conf", "-bdf")
        site.start()
        for listening in (smtp, https):
            await_port(listening)
        measure(site, https, came, Mails(folder), [f"m{number}" for number in range(members)], calls, phones)


def measure(site, https, came, mails, members, calls, phones):
    for user in ["caller"] + members:
        site.add(user)
    site.group("Family", "caller", *members)
    paths, addresses = {f"/{user}" for user in members}, {f"{user}@example.org" for user in members}
    point, secret = browser_keys()
    channels = {}
    for user in members:
        site.ask(user, "channel.add", {"kind": "push", "subscription": {
            "endpoint": f"https://127.0.0.1:{https}/{user}",
            "keys": {"p256dh": point, "auth": secret}}})
        added = site.ask(
            user, "channel.add", {"kind": "mail", "address": f"{user}@example.org"})
        channels[user] = added["channel"]["channel"]
    await_all(mails.new, addresses, 0, [])
    confirm(site, channels)

    def pushes():
        found = []
        while not came.empty():
            found.append(came.get())
        return found

    times = {"push": [], "mail": []}
    with fixes_beside(site, phones) as rate:
        pushes()
        for number in range(calls):
            start = time.time()
            site.ask("caller", "sos.trigger", {"id": f"call {number}"})
            await_all(pushes, paths, start, times["push"])
            await_all(mails.new, addresses, start, times["mail"])
            site.ask("caller", "sos.stop", {})
            await_all(pushes, paths, start, [])
            await_all(mails.new, addresses, start, [])
        print(f"{calls} calls to {len(members)} members each, {rate():.0f} fixes a second beside")
    for kind, values in times.items():
        print(f"{kind}, ms: {spread(values, 50, 99)}, of {len(values)}")


def await_all(source, wanted, start, times):
    """Adds the times in ms until each of those wanted has been received."""
    missing, deadline = set(wanted), time.time() + 120
    while missing:
        for name, moment in source():
            if name in missing:
                missing.remove(name)
                times.append((moment - start) * 1000)
        if time.time() > deadline:
            sys.exit(f"{len(missing)} of {len(wanted)} have not come")
        time.sleep(0.005)


def confirm(site, channels):
    codes = {}
    for path in glob.glob(f"{site.folder}/spool/input/**/*-H", recursive=True):
        with open(path, errors="replace") as file:
            head = file.read()
        code = re.search(r"Subject: [^\n]*?(\d{6,})", head)
        user = re.search(r"^(m\d+)@example\.org$", head, re.M)
        if code and user:
            codes[user[1]] = code[1]
    for user, channel in channels.items():
        site.ask(user, "channel.confirm", {"channel": channel, "code": codes[user]})
