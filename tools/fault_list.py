"""The faults that tools/faults injects, and what must be reported of each."""

import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta, timezone
import breaking
from fault_site import Fault, Never, Says, Stops, Through, Waits
from measuring import browser_keys, free_port

FAULTS = []
PUBLIC = Never("/healthz is for everybody, and this is no stranger's business")
GOES_ON = Never("the service works, which is what it says")
OVER = Never("it is over before anybody looks")
NOT_RUNNING = Stops()
NOT_A_CONCERN = Never("there is no concern for it: who looks after this machine sees it in kith doctor")
NO_START = dict(
    status=Says(r"bridge +not running", "not running"), health=Says(r"^None", "no answer"),
    alert="KithPageDown", notice=NOT_RUNNING, sos=Waits(r"No broker answers", None))
NO_RULE = Never("no rule is for it")
COUNTED = Never("only the metrics count it")


def fault(name, **declared):
    def add(make):
        FAULTS.append(Fault(name, contextlib.contextmanager(make), **declared))
        return make
    return add


def restart(site):
    site.stop()
    site.start()


# The disk

DISK = {"disk.reserve": 4, "disk.warnBelow": 0}
FULL = dict(
    cause=r"disk-full|the disk is full", health=r"503.*disk-full", disk=24, settings=DISK,
    alert="KithCannotStore KithDiskLow",
    notice=r"stores only calls for help", sos=Through(10))


@fault("disk full before start", **FULL)
def full_before(site):
    site.stop()
    with breaking.full_disk(site):
        site.start()
        yield


@fault("disk full while running", **FULL)
def full_while(site):
    with breaking.full_disk(site):
        yield


@fault("disk full, and what is freed is taken", **FULL)
def full_of_all(site):
    with breaking.full_disk(site):
        # Any reserve that is released is used up at once.
        with always(lambda: breaking.fill(site.data), 0.2):
            yield


@fault("disk read-only", cause=r"read-only|disk-error|disk reports errors", disk=-64, alert="KithCannotStore",
       health=r"503.*bridge-not-answering", notice=r"stores nothing",
       sos=Waits(r"cannot store anything", None))
def read_only(site):
    subprocess.run(["mount", "-o", "remount,abort", site.data], check=True)
    yield


@fault("disk low", cause=r"disk-low|almost full|The disk has .* left|filling up", disk=64,
       settings={"disk.reserve": 4, "disk.warnBelow": 50}, health=PUBLIC, alert="KithDiskLow",
       sos=Through(10))
def low(site):
    with open(f"{site.data}/ballast-low", "wb") as file:
        file.write(bytes(20 << 20))
    yield


# Files

@fault("data of another user", cause=r"belongs to root|belongs to somebody else|may not be written|permission",
       unprivileged=True, **{**NO_START, "status": True})
def other_owner(site):
    site.stop()
    subprocess.run(["chown", "-R", "0:0", site.data], check=True)
    site.start(5)
    yield


@fault("operator's token readable by everyone", cause=r"Everyone can read tokens/operator",
       status=Never("it says what runs; doctor looks at rights"),
       log=Never("the bridge read its tokens at its start"), health=PUBLIC, notice=NOT_A_CONCERN,
       alert=NO_RULE, sos=Through(5))
def open_token(site):
    os.chmod(f"{site.data}/tokens/operator", 0o644)
    yield


@fault("bridge's token empty", cause=r"tokens/bridge", **NO_START)
def empty_token(site):
    site.stop()
    open(f"{site.data}/tokens/bridge", "w").close()
    site.start(5)
    yield


@fault("operator's token empty", cause=r"tokens/operator|operator's token",
       **NO_START)
def empty_operator_token(site):
    site.stop()
    open(f"{site.data}/tokens/operator", "w").close()
    site.start(5)
    yield


@fault("database empty", cause=r"is empty|missing or empty", **NO_START)
def empty_database(site):
    site.stop()
    open(f"{site.data}/kith.db", "w").close()
    site.start(5)
    yield


@fault("broker's saved state damaged", cause=r"mosquitto\.db is damaged",
       status=Never("it mends itself"), doctor=Never("it mends itself"), health=GOES_ON, notice=OVER,
       alert=NO_RULE, sos=Through(10))
def damaged_saved_state(site):
    site.stop()
    with open(f"{site.data}/broker/mosquitto.db", "r+b") as file:
        file.write(b"\xaa" * 64)
    site.start()
    yield


@fault("broker's saved state empty", cause=r"mosquitto\.db is (damaged|empty)",
       status=Never("it mends itself"), doctor=Never("it mends itself"), health=GOES_ON, notice=OVER,
       alert=NO_RULE, sos=Through(10))
def empty_saved_state(site):
    site.stop()
    open(f"{site.data}/broker/mosquitto.db", "w").close()
    site.start()
    yield


# The database

@fault("database locked by another program", cause=r"database-locked|another program has locked|locked the database",
       health=r"503.*bridge-not-answering", alert="KithCannotStore", notice=r"stores nothing",
       sos=Waits(r"cannot store anything", 60))
def locked(site):
    code = ("import sqlite3,sys,time;d=sqlite3.connect(sys.argv[1],isolation_level=None,timeout=20);"
            "d.execute('BEGIN IMMEDIATE');print('locked',flush=True);time.sleep(600)")
    with child([sys.executable, "-c", code, f"{site.data}/kith.db"]):
        yield


@contextlib.contextmanager
def child(command):
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    program.stdout.readline()
    try:
        yield program
    finally:
        program.kill()
        program.wait()


@fault("read transaction left open", cause=r"write-ahead log|read transaction",
       status=r'"walBytes":(2[7-9]|[3-9]\d)\d{7}|log (2[6-9]\d|[3-9]\d\d) MB', health=PUBLIC,
       notice=NOT_A_CONCERN, alert="KithLogGrowing", sos=Through(10))
def open_reader(site):
    database = sqlite3.connect(f"{site.data}/kith.db", isolation_level=None, timeout=20,
                               check_same_thread=False)
    database.execute("BEGIN")
    database.execute("SELECT count(*) FROM users").fetchone()
    # Instead of days of positions: data written and rolled back take the same space.
    writer = sqlite3.connect(f"{site.data}/kith.db", isolation_level=None, timeout=20,
                             check_same_thread=False)
    writer.execute("PRAGMA cache_size = 10")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("CREATE TABLE ballast (bytes BLOB)")
    for _ in range(300):
        writer.execute("INSERT INTO ballast VALUES (zeroblob(1000000))")
    writer.execute("ROLLBACK")
    writer.close()
    yield
    database.execute("ROLLBACK")
    database.close()


@fault("database damaged before start", cause=r"damaged", **NO_START)
def damaged_before(site):
    site.stop()
    with open(f"{site.data}/kith.db", "r+b") as file:
        size = os.path.getsize(file.name)
        file.seek(4096)
        file.write(bytes(index * 97 & 0xFF for index in range(4096, size)))
    site.start(5)
    yield


@fault("database page damaged while running", cause=r"database-damaged|The database is damaged",
       health=r"200.*database-damaged", alert="KithConcern", sos=Through(10))
def damaged_while(site):
    with breaking.damaged_page(site, "chat_messages"):
        site.publish("ann", "requests/chat.send", {"group": site.family, "text": "Hello"})
        yield


@fault("database of a newer version", cause=r"newer version", **NO_START)
def newer(site):
    site.stop()
    database = sqlite3.connect(f"{site.data}/kith.db")
    database.execute("INSERT INTO migrations VALUES (99, 0)")
    database.commit()
    database.close()
    site.start(5)
    yield


@fault("database moved away", cause=r"database-gone|was removed or replaced|missing or empty", health=r"503.*bridge-not-answering",
       alert="KithCannotStore", notice=r"stores nothing",
       sos=Waits(r"cannot store anything|no database|missing or empty", 60))
def gone(site):
    data = site.data
    os.rename(f"{data}/kith.db", f"{data}/away.db")
    yield
    os.rename(f"{data}/away.db", f"{data}/kith.db")


# The clock

@fault("clock 40 days behind", cause=r"clock-behind|clock is behind", health=r"200.*clock-behind",
       alert="KithClockDoubted", sos=Through(10))
def behind(site):
    with breaking.clock_behind(site):
        yield


@fault("clock 40 days ahead", cause=r"clock-ahead|clock is more than a day ahead", health=r"200.*clock-ahead",
       alert="KithClockDoubted", sos=Through(10))
def ahead(site):
    site.stop()
    breaking.note_time(site.data, datetime.now(timezone.utc) - timedelta(days=40))
    site.start()
    yield


# The broker

@fault("Mosquitto killed", cause=r"signal 9.*mosquitto ended by itself", status=OVER, doctor=OVER, health=OVER,
       notice=OVER, alert=NO_RULE, sos=Through(10), sos_after=0)
def broker_killed(site):
    os.kill(site.broker, signal.SIGKILL)
    yield


@fault("Mosquitto killed again and again",
       cause=r"broker-unreachable|No broker answers|not reachable|mosquitto ended by itself",
       health=r"503.*broker-unreachable", alert="KithBrokerDown", notice=r"cannot reach the broker",
       sos=Waits(r"No SOS gets through"))
def broker_killed_always(site):
    with always(lambda: site.broker and os.kill(site.broker, signal.SIGKILL), 0.5):
        yield


@contextlib.contextmanager
def always(act, pause):
    """Repeats an action, whether or not it succeeds."""
    over = threading.Event()

    def run():
        while not over.wait(pause):
            with contextlib.suppress(OSError, TypeError):
                act()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@fault("Mosquitto hanging", cause=r"does not answer|does not respond|broker-unreachable",
       health=r"503.*broker-unreachable", watch=58,
       alert=Never("Kith replaces it after half a minute, and the rule waits for a whole one"),
       notice=Never("Kith replaces it after half a minute, and what is over by then is not reported"),
       sos=Through(50))
def broker_hangs(site):
    with breaking.hung_broker(site):
        yield


@fault("Mosquitto missing", cause=r"Mosquitto is not installed", **NO_START)
def no_mosquitto(site):
    site.stop()
    # For this installation and its commands only.
    site.prefix = ["unshare", "--mount", "sh", "-c",
                         'mount --bind /dev/null /usr/sbin/mosquitto && exec "$@"', "sh"]
    site.start(5)
    yield


@fault("plugin replaced while running",
       cause=r"plugin from before an upgrade|plugin-outdated|another version of the plugin",
       own_program=True, status=Never("the version is the same: only doctor looks at files"),
       log=Never("the version is the same: only doctor looks at files"), health=PUBLIC, notice=Never("as above"),
       alert=Never("as above"), sos=Through(5))
def plugin_replaced(site):
    plugin = os.path.dirname(site.kith) + "/libKithGate.so"
    shutil.copy2(plugin, plugin + ".new")
    os.rename(plugin + ".new", plugin)
    yield


@fault("plugin that is not a library", cause=r"plugin|KithGate", own_program=True,
       **NO_START)
def plugin_junk(site):
    site.stop()
    plugin = os.path.dirname(site.kith) + "/libKithGate.so"
    os.remove(plugin)
    with open(plugin, "w") as file:
        file.write("This is not a library.\n" * 100)
    site.start(5)
    yield


@fault("plugin for another Mosquitto", cause=r"missing mosquitto_of|Unable to load auth plugin", own_program=True,
       **NO_START)
def plugin_other(site):
    site.stop()
    plugin = os.path.dirname(site.kith) + "/libKithGate.so"
    os.remove(plugin)
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", plugin], text=True, check=True,
        input="int mosquitto_of_tomorrow(void); int mosquitto_plugin_version(int n, const int *v)"
              "{ (void)n; (void)v; return mosquitto_of_tomorrow(); }\n")
    site.start(5)
    yield


@fault("broker's port taken", cause=r"is taken|does not answer as a broker",
       **{**NO_START, "sos": Waits(r"does not answer as a broker", None)})
def port_taken(site):
    site.stop()
    with taken(site.port):
        site.start(5)
        yield


@fault("page's port taken", cause=r"is taken|listens at|another program listens",
       health=Says(r"^404", "404, from the other"), alert="KithPageDown", notice=NOT_A_CONCERN, sos=Through(10))
def page_port_taken(site):
    site.stop()
    with child([sys.executable, "-c", "import http.server,sys;"
                "s=http.server.HTTPServer(('127.0.0.1',int(sys.argv[1])),http.server.SimpleHTTPRequestHandler);"
                "print('there',flush=True);sys.stderr=open('/dev/null','w');s.serve_forever()",
                str(site.web)]):
        site.start(10)
        yield


@contextlib.contextmanager
def taken(port):
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen()
        yield


# The bridge and the page

@fault("bridge killed each 22 s", cause=r"the bridge ended by itself and is restarted \(signal 9\)", status=OVER,
       doctor=OVER, health=OVER, notice=OVER, alert="KithRestarting", sos=Through(10), watch=100)
def bridge_killed(site):
    with always(lambda: os.kill(site.bridge, signal.SIGKILL), 22):
        yield


@fault("bridge killed each 6 s", cause=r"the bridge ended by itself and is restarted \(signal 9\)", status=OVER,
       doctor=OVER, health=OVER, notice=OVER, alert="KithRestarting", sos=Through(10))
def bridge_killed_soon(site):
    with always(lambda: os.kill(site.bridge, signal.SIGKILL), 6):
        yield


@fault("bridge hanging", cause=r"does not answer|does not respond|bridge-not-answering",
       health=r"503.*bridge-not-answering", alert="KithBridgeDown", watch=58,
       log=Never("Kith kills it after a minute, and says so"), notice=Never("the bridge is what notifies"),
       sos=Waits(r"An SOS waits at the broker"))
def bridge_hangs(site):
    bridge = site.bridge
    os.kill(bridge, signal.SIGSTOP)
    yield
    with contextlib.suppress(ProcessLookupError):
        os.kill(bridge, signal.SIGCONT)


@fault("bridge hanging for 3.5 s", cause=r"does not answer|not-answering", status=OVER, doctor=OVER, health=OVER,
       notice=OVER, log=OVER,
       alert="KithCallSlow", sos=Through(10), sos_after=0)
def bridge_slow(site):
    bridge = site.bridge
    os.kill(bridge, signal.SIGSTOP)
    threading.Timer(3.5, lambda: os.kill(bridge, signal.SIGCONT)).start()
    yield


@fault("page killed each 22 s", cause=r"the page ended by itself and is restarted \(signal 9\)",
       status=OVER, doctor=OVER,
       health=OVER, notice=OVER, alert="KithPageRestarting", sos=Through(5), watch=100)
def page_killed(site):
    with always(lambda: os.kill(site.page, signal.SIGKILL), 22):
        yield


# Certificates

CERTIFICATE = dict(tls=True, health=PUBLIC, sos=Through(10))


@fault("certificate expired", cause=r"has expired|certificate.* -\d+ days left", alert="KithCertificateExpired",
       notice=True, **CERTIFICATE)
def expired(site):
    site.make_certificate(-2)
    restart(site)
    yield


@fault("certificate expiring", cause=r"expires in|expires within| [0-9] days left", alert="KithCertificateExpiring",
       notice=True, **CERTIFICATE)
def expiring(site):
    site.make_certificate(6)
    restart(site)
    yield


@fault("certificate for another name", cause=r"example\.net", notice=NOT_A_CONCERN, alert=NO_RULE,
       log=Never("only phones see it"), **CERTIFICATE)
def other_name(site):
    site.make_certificate(300, "kith.example.net")
    restart(site)
    yield


@fault("certificate empty", cause=r"server certificate|certificates/server\.crt is not a readable", tls=True,
       status=Says(r"not reachable", "not reachable"), health=Says(r"503.*broker-unreachable", "503"),
       alert="KithBrokerDown", notice=r"cannot reach the broker", sos=Waits(r"No SOS gets through", None))
def empty_certificate(site):
    site.stop()
    open(f"{site.data}/certificates/server.crt", "w").close()
    site.start(5)
    yield


# Configuration

@fault("map that is not a map", cause=r"The map .*cannot be used|map-unreadable|without its map",
       health=r"200.*map-unreadable",
       alert="KithConcern", notice=Never("docs/monitoring.md: no one is notified of the page's files"),
       sos=Through(5))
def junk_map(site):
    with open(f"{site.data}/map.mbtiles", "w") as file:
        file.write("no map\n" * 1000)
    site.configure({**site.settings, "web.map": f"{site.data}/map.mbtiles"})
    restart(site)
    yield


@fault("terms that cannot be read", cause=r"web\.terms|text-unreadable", health=r"200.*text-unreadable",
       alert="KithConcern", notice=Never("docs/monitoring.md: no one is notified of the page's files"),
       sos=Through(5))
def no_terms(site):
    site.configure({**site.settings, "web.terms": f"{site.folder}/terms.html", "terms.version": "1"})
    restart(site)
    yield


@fault("kith.yaml not valid at start", cause=r"configuration (is not valid|cannot be used)|retention", **NO_START)
def bad_settings(site):
    site.stop()
    site.configure({**site.settings, "retention.fixes": "soon"})
    site.start(5)
    yield


@fault("kith.yaml not valid on reload",
       cause=r"configuration (is not valid|cannot be used)|settings are unchanged", health=PUBLIC,
       status=Never("it says what runs, which is with the settings of before"), notice=NOT_A_CONCERN, alert=NO_RULE,
       sos=Through(5))
def bad_reload(site):
    site.configure({**site.settings, "retention.fixes": "soon"})
    site.program.send_signal(signal.SIGHUP)
    yield


# Others

MAIL = r"mail-failing|mail server"


@fault("mail server refuses the sender", cause=MAIL, mail="refuses", health=PUBLIC,
       alert="KithConcern KithDeliveriesFailing", sos=Through(5))
def sender_refused(site):
    add_addresses(site)
    yield


@fault("mail server unreachable", cause=MAIL, mail="takes", health=PUBLIC,
       alert="KithConcern KithDeliveriesFailing", sos=Through(5))
def no_mail_server(site):
    site.mail.stop()
    add_addresses(site)
    yield


def add_addresses(site):
    for user in ("ann", "ben", "cleo"):
        site.ask(user, "channel.add", {"kind": "mail", "address": f"{user}@example.org"})


@fault("directory unreachable", cause=r"directory-down|The directory (does not answer|cannot check)", health=PUBLIC,
       alert="KithDirectoryDown", sos=Through(5))
def no_directory(site):
    site.configure({**site.settings, "login.ldap.url": f"ldap://127.0.0.1:{free_port()}",
                    "login.ldap.base": "dc=example,dc=org"})
    restart(site)
    yield


def watch_ann(site):
    for user, method in (("ann", "vitals.consent"), ("ann", "emergency.subscribe")):
        site.ask(user, method, {})


def collapse(site):
    for _ in range(2):
        site.publish("ann", "vitals", {"timestamp": int(time.time() * 1000), "heartRate": 33,
                                       "oxygenSaturation": 82, "respiratoryRate": 7})
        time.sleep(2.5)


@fault("dispatch absent", cause=r"dispatch-absent|no dispatch client is connected", health=PUBLIC,
       alert="KithConcern", sos=Through(5))
def no_dispatch(site):
    watch_ann(site)
    yield


@fault("no vital signs arrive", cause=r"monitoring-idle|none have arrived for a minute", health=PUBLIC,
       alert="KithMonitoringIdle", sos=Through(5),
       settings={"emergency.idleAfter": 5})
def idle(site):
    watch_ann(site)
    yield


@fault("dispatch does not answer", cause=r"dispatch", health=PUBLIC, alert="KithIncidentUnanswered",
       sos=Through(5), sos_after=30,
       settings={"emergency.firstRepeatAfter": 1, "emergency.repeatAfter": 1})
def silent_dispatch(site):
    watch_ann(site)
    collapse(site)
    yield


@fault("drill that no one answers", cause=r"drill-unanswered|in the last drill", health=PUBLIC,
       alert="KithDrillUnanswered", sos=Through(5),
       settings={"emergency.firstRepeatAfter": 1, "emergency.repeatAfter": 1})
def drill(site):
    with contextlib.suppress(RuntimeError):
        site.run("emergency", "drill")
    yield


@fault("webhook of the operator failing", cause=r"operator cannot be notified|message to the operator", settings=lambda site: {
    "operator.webhook": f"{site.receiver.address}/refused/{site.slug}"}, health=PUBLIC,
       notice=Never("it is the way that fails"), alert="KithConcern", sos=Through(5),
       watch=85)
def webhook(site):
    age_backup(site)
    yield


# Backups

@fault("backup old", cause=r"backup-old|last backup is|3 days ago", health=PUBLIC, alert="KithBackupOld",
       sos=Through(5))
def old_backup(site):
    age_backup(site)
    yield


def age_backup(site):
    with open(f"{site.data}/last-backup", "w") as file:
        file.write((datetime.now(timezone.utc) - timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ\n"))


@fault("no backup", cause=r"no-backup|There is no backup|last backup +never", health=PUBLIC,
       log=Never("for the first 26 hours of an installation none is needed"),
       notice=Never("for the first 26 hours of an installation none is needed"), alert="KithNoBackup", sos=Through(5))
def no_backup(site):
    os.remove(f"{site.data}/last-backup")
    yield


@fault("backup that fails", cause=r"backup (that )?(failed|fails|cannot)",
       status=Never("for 26 hours the one before is good enough"),
       doctor=Never("for 26 hours the one before is good enough"),
       log=Never("kith backup says it, with status 1, to whatever runs it"), health=PUBLIC,
       notice=Never("for 26 hours the one before is good enough"), alert=NO_RULE, sos=Through(5))
def failed_backup(site):
    try:
        site.run("backup", "/dev/full/backup.db")
    except RuntimeError as error:
        if not re.search(r"kith: .*(cannot be created|Not a directory)", str(error)):
            raise
    else:
        raise RuntimeError("kith backup has succeeded")
    yield


# Limits

@fault("Mosquitto out of file descriptors",
       cause=r"Too many open files|does not answer as a broker|does not answer|descriptor|broker-unreachable",
       health=Never("the page keeps the connections that it has"),
       notice=Never("the bridge keeps the connections that it has"), alert="KithDescriptorsLow",
       watch=110, sos=Waits(r"does not answer as a broker", 30))
def descriptors(site):
    broker = site.broker
    used = len(os.listdir(f"/proc/{broker}/fd"))
    subprocess.run(["prlimit", "--pid", str(broker), f"--nofile={used}:"], check=True)
    yield
    # It may have been replaced.
    subprocess.run(["prlimit", "--pid", str(broker), "--nofile=1024:"], capture_output=True)


@fault("page out of file descriptors", cause=r"descriptor|Too many open files|page .*does not answer",
       status=Never("it says that somebody listens"),
       health=Says(r"^None", "no answer"), notice=NOT_A_CONCERN, alert="KithPageDown", sos=Through(5))
def page_descriptors(site):
    page = site.page
    used = len(os.listdir(f"/proc/{page}/fd"))
    subprocess.run(["prlimit", "--pid", str(page), f"--nofile={used + 20}:"], check=True)
    with contextlib.ExitStack() as stack:
        # A client that opens connections and sends nothing, and reopens those that the page has
        # closed.
        def connect():
            stack.enter_context(socket.create_connection(("127.0.0.1", site.web), timeout=1))
        with always(connect, 0.05):
            yield


@fault("message too large for the broker", cause=r"does not accept a message", doctor=COUNTED, status=COUNTED,
       health=PUBLIC, notice=COUNTED, alert="KithOutboxPutAside", sos=Through(5))
def put_aside(site):
    site.arguments += ["--broker-config", site.broker_config(limit=2000)]
    restart(site)
    site.publish("ann", "requests/chat.send", {"group": site.family, "text": "x" * 1780})
    yield


@fault("broker slow, and what it retained lost", cause=r"wait for room", status=COUNTED, doctor=COUNTED, log=COUNTED,
       health=Never("it answers, later"), notice=COUNTED,
       alert="KithOutboxGrowing", sos=Waits(r"wait for room at the broker", 60), watch=20)
def slow_broker(site):
    names = [f"user{number}" for number in range(5000)]
    with open(f"{site.folder}/people.csv", "w") as file:
        file.write("user\n" + "\n".join(names) + "\n")
    site.run("user", "import", f"{site.folder}/people.csv")
    for start in range(0, len(names), 120):
        site.run("group", "create", f"Group {start}", *names[start:start + 120])
    site.stop()
    os.remove(f"{site.data}/broker/mosquitto.db")
    site.start()
    with always(lambda: slow_down(site.broker, 0.003, 0.5), 0):
        yield


def slow_down(process, running, standing):
    os.kill(process, signal.SIGSTOP)
    time.sleep(standing)
    os.kill(process, signal.SIGCONT)
    time.sleep(running)


@fault("push services unreachable", cause=r"push-failing|Push services", health=PUBLIC,
       settings={"channels.contact": "mailto:operator@example.org"}, alert="KithConcern", sos=Through(5))
def no_push(site):
    for user in ("ben", "cleo", "dan"):
        p256dh, auth = browser_keys()
        site.ask(user, "channel.add", {"kind": "push", "subscription": {
            "endpoint": f"https://127.0.0.1:{free_port()}/{user}", "keys": {"p256dh": p256dh, "auth": auth}}})
    yield


# People

@fault("passwords tried out", cause=r"passwords", settings={"web.behindProxy": True},
       status=Never("limited, and no fault of the installation"),
       doctor=Never("limited, and no fault of the installation"), log=Never("web.logWrongPasswords is not set"),
       health=PUBLIC,
       notice=Never("docs/monitoring.md: nothing needs to be done"), alert="KithWrongPasswords", sos=Through(5))
def passwords(site):
    for number in range(130):
        connection = http.client.HTTPConnection("127.0.0.1", site.web, timeout=20)
        connection.request(
            "POST", "/api/account.login", json.dumps({"login": f"somebody{number}", "password": "sesame",
       "device": "phone"}),
            {"Content-Type": "application/json", "X-Forwarded-For": f"198.51.100.{number}"})
        connection.getresponse().read()
        connection.close()
    yield


@fault("quota used up", cause=r"quota", status=Never("somebody's device, and no fault of the installation"),
       doctor=Never("somebody's device, and no fault of the installation"), log=Never("as doctor"), health=PUBLIC,
       notice=Never("as doctor"), alert="KithQuotaReached", sos=Through(5))
def quota(site):
    for number in range(105):
        site.publish("ann", "requests/friend.add", {"user": f"stranger{number}"})
    yield
