"""The effect of many simultaneous reminders on others.

So many reminders (10,000, ten per person) are due in the same second. A person repeatedly calls for help with the
page's API, and a member of their group has subscribed with `mosquitto_sub`: the time is measured from before the
request is written until the alert is read. That is done `--calls` (60) times before the second, and from it on until
all reminders are sent, in one run. A journey should have ended in the same second: it prints how late that was
reported.
"""

import time
from measuring import UNBOUNDED, Alerts, Site, insert, iso, spread

EACH = 10


def main(kith=".build/release/kith", reminders=10_000, calls=60):
    with Site(kith, settings=UNBOUNDED) as site:
        site.start()
        for user in ("caller", "helper", "traveller"):
            site.add(user)
        group = site.group("Family", "caller", "helper", "traveller")
        site.stop()
        due = int(time.time()) + 30 + calls // 3
        add_reminders(site, reminders, due * 1000)
        site.start()
        measure(site, Alerts(site, group), group, due, reminders, calls)


def add_reminders(site, reminders, due):
    """As `reminder.create` would, one request after the other."""
    with site.database() as database:
        for number in range(reminders):
            if number % EACH == 0:
                name = f"user{number // EACH}"
                user = insert(database, "users", {
                    "name": name, "display_name": name, "owntracks_publish_is": "fix", "created_at_ms": 0})
            insert(database, "reminders", {
                "id": f"01a00000-0000-7000-8000-{number:012}", "user_id": user, "place": "library",
                "place_name": "Library", "latitude_e7": 460000000, "longitude_e7": 145000000, "text": "Books",
                "starts_at": "2026-01-01T09:00", "time_zone": "UTC", "condition": "time", "next_at_ms": due})


def measure(site, alerts, group, due, reminders, calls):
    site.ask("traveller", "journey.start", {
        "groups": [group], "eta": iso(due), "destination": {"latitude": 47, "longitude": 15}})
    report("before", [alerts.call("caller") for _ in range(calls)])
    time.sleep(max(0, due - time.time() - 0.2))
    times = []
    while site.query("SELECT COUNT(*) FROM reminders WHERE told_at_ms IS NOT NULL")[0][0] < reminders:
        times.append(alerts.call("caller"))
    print(f"{reminders} reminders told within {time.time() - due:.1f} s")
    report("meanwhile", times)
    late = [at for kind, at in alerts.seen if kind == "late"]
    print(f"late, after the time of arrival: {(late[0] - due) * 1000:.0f} ms" if late else "not told to be late")


def report(name, times):
    print(f"{name}: SOS to alert, ms: {spread(times, 50, 99)}, of {len(times)}")
