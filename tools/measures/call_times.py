"""How much Kith adds to the time from a dangerous vital sign to the incident at dispatch.

So many people (20) are monitored, each in a group of two. All at the same time, each publishes a sample of nine points
(MQTT, QoS 1), for which help is called once it has lasted four seconds: the time is measured from the end of these
until the dispatch centre has read the incident. The centre closes it, the person reactivates monitoring, and the next
sample follows, until there were so many incidents (1,000). At the same time `--phones` (4) of people in no group send
fixes as fast as the broker accepts them, each with `mosquitto_pub -l`. Needs python3-paho-mqtt.
"""

import json
import queue
import threading
import time
import paho.mqtt.client as mqtt
from measuring import UNBOUNDED, Site, fixes_beside, spread

COLLAPSE = {"heartRate": 33, "oxygenSaturation": 82, "respiratoryRate": 7}
PATIENCE = 60
# How long seven points have to last, in seconds.
RULE = 4
INCIDENTS = "kith/dispatch/incidents/"


def connect(site, name, user, token):
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION1, name) \
        if hasattr(mqtt, "CallbackAPIVersion") else mqtt.Client(name)
    client.username_pw_set(user, token)
    client.connect("127.0.0.1", site.port)
    return client


class Centre:
    """The dispatch centre: closes each incident, and notifies the person's thread of its time."""

    def __init__(self, site, people):
        self.came, self.closed = ({user: queue.Queue() for user in people} for _ in range(2))
        self.known = set()
        self.client = connect(site, "kith:dispatch.1", "kith:dispatch", site.token("dispatch"))
        self.client.on_message = self.hear
        self.client.subscribe(INCIDENTS + "+", qos=1)
        self.client.loop_start()

    def hear(self, client, userdata, message):
        moment = time.time()
        if not message.payload:
            return
        incident = json.loads(message.payload)
        if incident["status"] == "closed":
            return self.closed[incident["user"]["user"]].put(moment)
        if incident["status"] != "calling" or incident["id"] in self.known:
            return
        self.known.add(incident["id"])
        client.publish(f"{message.topic}/answer", '{"status":"closed"}', qos=1)
        self.came[incident["user"]["user"]].put(moment)


def collapse(site, centre, user, count, times):
    """One person's incidents, one after the other."""
    client = connect(site, f"{user}.watch", user, site.tokens[user])
    client.loop_start()
    for _ in range(count):
        start = time.time()
        sample = json.dumps({**COLLAPSE, "timestamp": int(start * 1000)})
        client.publish(f"kith/users/{user}/devices/phone/vitals", sample, qos=1)
        try:
            times.append((centre.came[user].get(timeout=PATIENCE) - start - RULE) * 1000)
            # A person who cancels before that is not called again for the same.
            centre.closed[user].get(timeout=PATIENCE)
        except queue.Empty:
            times.append(PATIENCE * 1000)
        site.ask(user, "emergency.reactivate", {})
    client.loop_stop()


def main(kith=".build/release/kith", people=20, incidents=1000, phones=4):
    users = [f"w{number}" for number in range(people)]
    with Site(kith, settings=UNBOUNDED) as site:
        site.start()
        for user in users:
            site.add(user)
        for user, other in zip(users, users[1:] + users[:1]):
            site.group("Family", user, other)
        for user in users:
            site.ask(user, "sharing.start", {"groups": "all"})
            site.ask(user, "vitals.consent", {})
            site.ask(user, "emergency.subscribe", {"phone": "112"})
        centre, times = Centre(site, users), []
        with fixes_beside(site, phones) as rate:
            calls = [
                threading.Thread(target=collapse, args=(site, centre, user, -(-incidents // people), times))
                for user in users]
            for call in calls:
                call.start()
            for call in calls:
                call.join()
            print(f"{len(times)} incidents of {people} people, {rate():.0f} fixes a second beside")
        print(f"sample to dispatch centre, ms: {spread(times, 50, 99, 99.9)}")
