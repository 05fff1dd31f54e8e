"""A separate installation for each fault, as people run it, and the declaration of a fault."""

import contextlib
import dataclasses
import json
import os
import re
import shutil
import subprocess
import time
from breaking import small_disk
from measuring import Site, free_port
from watching import Call, Listener, MailServer

TREE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
NOBODY = 65534


class Never(str):
    """A place that cannot know of a fault, with the reason."""


class Stops:
    """Nothing is running that could notify, so the heartbeat stops."""


@dataclasses.dataclass
class Says:
    """A place that cannot name the cause but its effect, by these words."""
    words: str
    text: str


class Through(float):
    """The SOS reaches the member within this many seconds."""


@dataclasses.dataclass
class Waits:
    """The SOS does not get through while the fault lasts, and these words report it or the reason. It is
    received within this many seconds once the fault is over, unless that is None."""
    words: str
    within: float = 30


@dataclasses.dataclass
class Fault:
    name: str
    make: object
    # Words by which the cause is recognised, wherever it is named.
    cause: str
    sos: object
    # What each place must report: words, True for those of the cause, Says or Never.
    status: object = True
    doctor: object = True
    log: object = True
    health: object = True
    notice: object = True
    # Names of alerts, all of which have to fire, or Never.
    alert: object = None
    settings: object = None
    # The size of its own disk, in megabytes.
    disk: int = 0
    # Runs as a user other than root.
    unprivileged: bool = False
    # Its own copy of the program, which may be broken.
    own_program: bool = False
    # A TLS port of the broker, and a certificate.
    tls: bool = False
    # A mail server: "takes", or "refuses" the sender.
    mail: str = None
    # How long it is observed, in seconds.
    watch: float = 78
    # The seconds after which a person calls for help.
    sos_after: float = 3
    # How the operator is notified.
    by: str = "webhook"

    def words(self, place):
        value = getattr(self, place)
        return self.cause if value is True else value


def yaml(values):
    """Settings by their keys, `a.b`, as the text of kith.yaml."""
    tree = {}
    for key, value in values.items():
        place = tree
        *parts, last = key.split(".")
        for part in parts:
            place = place.setdefault(part, {})
        place[last] = value

    def lines(tree, depth):
        for key, value in tree.items():
            if isinstance(value, dict):
                yield "  " * depth + f"{key}:"
                yield from lines(value, depth + 1)
            else:
                yield "  " * depth + f"{key}: {json.dumps(value)}"

    return "\n".join(lines(tree, 0)) + "\n"


class FaultSite(Site):
    """With two people in a group, and an operator who is notified."""

    def __init__(self, fault, kith, folder, receiver):
        super().__init__(
            own_program(kith, folder) if fault.own_program else kith, folder,
            {"KITH_ACCOUNTS_PASSWORD_COST": "10"})
        self.fault, self.receiver = fault, receiver
        self.slug = re.sub(r"\W+", "-", fault.name)
        # Its ports are in kith.yaml, where its commands read them.
        self.arguments = []
        self.environment.pop("KITH_OWN_MOUNTS", None)
        self.tls = free_port() if fault.tls else None
        self.mail = MailServer(fault.mail == "refuses") if fault.mail else None
        if self.mail:
            self.stack.callback(self.mail.stop)
        if fault.unprivileged:
            self.prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        self.backups = f"{folder}/backups"
        self.family = self.listener = None

    def open(self):
        os.chmod(self.folder, 0o755)
        os.mkdir(self.data, 0o700)
        os.mkdir(self.backups, 0o700)
        if self.fault.disk:
            disk = small_disk if self.fault.disk > 0 else loop_disk
            self.stack.enter_context(disk(self.data, abs(self.fault.disk)))
        settings = {
            f"operator.{self.fault.by}":
                f"{self.receiver.address}/notice/{self.slug}" if self.fault.by == "webhook"
                else "operator@example.org",
            "operator.heartbeat": f"{self.receiver.address}/beat/{self.slug}",
            "channels.networks": "127.0.0.0/8", "broker.port": self.port, "web.port": self.web}
        if self.mail:
            settings.update({"mail.host": "127.0.0.1", "mail.port": self.mail.port,
                             "mail.security": "none", "mail.from": "kith@example.org",
                             "web.origin": f"http://127.0.0.1:{self.web}"})
        if self.tls:
            self.make_certificate(300)
            settings.update({"web.phoneTLS": True, "web.phonePort": self.tls,
                             "web.phoneHost": "kith.example.org"})
            self.arguments += ["--broker-config", self.broker_config()]
        more = self.fault.settings
        settings.update(more(self) if callable(more) else more or {})
        self.settings = settings
        self.configure(settings)
        self.own()

    def configure(self, settings):
        with open(f"{self.data}/kith.yaml", "w") as file:
            file.write(yaml(settings))
        os.chmod(f"{self.data}/kith.yaml", 0o600)

    def own(self):
        """Makes the user who runs it the owner of the data."""
        if self.fault.unprivileged:
            subprocess.run(
                ["chown", "-R", f"{NOBODY}:{NOBODY}", self.data, self.backups], check=True)

    def broker_config(self, limit=None):
        """The operator's own configuration, for phones if they need TLS."""
        with open(f"{TREE}/broker-config/{'production' if self.tls else 'development'}.conf") as file:
            text = file.read()
        text = text.replace("listener 8883", f"listener {self.tls} 127.0.0.1")
        text = text.replace("listener 8084", f"listener {free_port()} 127.0.0.1")
        if limit:
            text = re.sub(r"max_packet_size .*", f"max_packet_size {limit}", text)
        path = f"{self.folder}/broker.conf"
        with open(path, "w") as file:
            file.write(text if re.search("^user root$", text, re.M) else text + "\nuser root\n")
        return path

    def make_certificate(self, days, name="kith.example.org"):
        """As a public authority would issue it: valid for this many days from now, or until this
        many days ago."""
        folder = f"{self.data}/certificates"
        os.makedirs(folder, exist_ok=True)
        moment = time.time() + days * 86400
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out",
             f"{folder}/server.key"], check=True, capture_output=True)
        # Only `openssl ca` makes an expired one.
        with open(f"{folder}/ca.conf", "w") as file:
            file.write(f"[ca]\ndefault_ca=own\n[own]\ndatabase={folder}/index\nnew_certs_dir={folder}\n"
                       "serial=%s/serial\ndefault_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n"
                       f"[names]\nsubjectAltName=DNS:{name}\n" % folder)
        open(f"{folder}/index", "w").close()
        with open(f"{folder}/serial", "w") as file:
            file.write("01\n")
        subprocess.run(
            ["openssl", "req", "-new", "-key", f"{folder}/server.key", "-subj", f"/CN={name}", "-out",
             f"{folder}/request"], check=True, capture_output=True)
        subprocess.run(
            ["openssl", "ca", "-batch", "-selfsign", "-notext", "-config", f"{folder}/ca.conf",
             "-extensions", "names", "-keyfile", f"{folder}/server.key", "-in", f"{folder}/request",
             "-out", f"{folder}/server.crt", "-startdate",
             time.strftime("%Y%m%d%H%M%SZ", time.gmtime(moment - 90 * 86400)), "-enddate",
             time.strftime("%Y%m%d%H%M%SZ", time.gmtime(moment))], check=True, capture_output=True)
        for left in os.listdir(folder):
            if left not in ("server.crt", "server.key"):
                os.remove(f"{folder}/{left}")
        os.chmod(f"{folder}/server.key", 0o600)

    # Running it

    def start(self, patience=60):
        """Returns whether broker and page accept connections before the program ends."""
        return self.launch(patience)

    def prepare(self):
        """Waits until it is serving, and adds the people and a first backup."""
        end = time.time() + 40
        while True:
            try:
                for user in ("ann", "ben", "cleo", "dan"):
                    if user not in self.tokens:
                        self.add(user)
                break
            except RuntimeError:
                if time.time() > end:
                    raise
                time.sleep(0.5)
        self.family = self.group("Family", "ann", "ben", "cleo", "dan")
        self.run("backup", f"{self.backups}/first.db")
        self.listener = Listener(self, "ben", f"kith/groups/{self.family}/alerts")
        self.stack.callback(self.listener.stop)
        self.ask("ann", "sharing.start", {"groups": "all"})

    def ask(self, user, method, body):
        """A request by the page, which takes a while to start."""
        end = time.time() + 30
        while True:
            try:
                return super().ask(user, method, body)
            except (SystemExit, OSError, ValueError) as error:
                if time.time() > end:
                    raise RuntimeError(f"{method}: {error}") from None
                time.sleep(0.5)

    def call(self):
        call = Call(self, "ann", self.listener)
        call.start()
        return call

    def publish(self, user, topic, message):
        return subprocess.run(
            self.mosquitto("pub", user, "-t", f"kith/users/{user}/devices/phone/{topic}", "-m",
                           json.dumps(message)), capture_output=True, text=True, timeout=20).returncode == 0

    @property
    def posts(self):
        """(time, text) of the operator's notices."""
        if self.fault.by == "mail":
            return list(self.mail.mails) if self.mail else []
        return list(self.receiver.posts.get(f"/notice/{self.slug}", []))

    @property
    def beats(self):
        return list(self.receiver.beats.get(f"/beat/{self.slug}", []))

    def complaints(self, since):
        """Log lines from an offset on that are warnings, or the reason why nothing starts."""
        with open(self.log, errors="replace") as file:
            file.seek(since)
            return [line.rstrip() for line in file
                    if re.search(r"^\S+ (warning|error|critical) |^kith: |^Error: ", line)]

    def log_size(self):
        return os.path.getsize(self.log) if os.path.exists(self.log) else 0


@contextlib.contextmanager
def loop_disk(folder, megabytes):
    """A disk with a file system that can fail."""
    image = f"{folder}.image"
    subprocess.run(["truncate", "-s", f"{megabytes}M", image], check=True)
    subprocess.run(["mkfs.ext4", "-q", image], check=True)
    subprocess.run(["mount", "-o", "loop,errors=remount-ro", image, folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def own_program(kith, folder):
    """A copy of the program and its plugin, laid out as the package does."""
    os.makedirs(f"{folder}/own/bin")
    os.makedirs(f"{folder}/own/share/kith")
    place = os.path.dirname(os.path.realpath(kith))
    plugin = next(path for path in (f"{place}/libKithGate.so", f"{place}/../lib/kith/libKithGate.so")
                  if os.path.exists(path))
    shutil.copy2(kith, f"{folder}/own/bin/kith")
    shutil.copy2(plugin, f"{folder}/own/bin/libKithGate.so")
    for name in ("pages", "broker-config", "tools"):
        shutil.copytree(f"{TREE}/{name}", f"{folder}/own/share/kith/{name}")
    return f"{folder}/own/bin/kith"
