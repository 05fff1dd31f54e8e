"""Whether an invitation by name reveals whether the user exists.

Of 40 people who can be invited some exist, some have blocked the inviters, some have declined, and some are unknown
names. Each inviter (50) invites all of them in turn. For each it times the reply, and the reply to a request sent right
after it. Prints percentiles of each kind, whether the replies are the same except for ids and times, and how far the
kinds differ: Mann and Whitney's U as the chance that a reply about an existing user takes longer than one about an
unknown name, with its standard error; 50 % is no difference.
"""

import http.client
import json
import random
import re
import time
from measuring import Page, Site, compare

KINDS = ["there", "blocked", "declined", "nobody"]
EACH = 10


class Client(Page):
    def __init__(self, site, user):
        super().__init__(site, Authorization=f"Bearer {site.tokens[user]}")

    def ask(self, method, body):
        try:
            spent, _, text = self.post(method, body)
        except (ConnectionError, http.client.HTTPException):
            # The server closes connections that are idle for a while.
            self.connection.close()
            spent, _, text = self.post(method, body)
        return spent, json.loads(text)


def main(kith=".build/release/kith", inviters=50):
    people = {kind: [f"{kind[0]}{number:03}" for number in range(EACH)] for kind in KINDS}
    users = [f"i{number:03}" for number in range(inviters)]
    with Site(kith) as site:
        site.start()
        for name in people["there"]:
            site.run("user", "add", name, "--name", name)
        for user in users + people["blocked"] + people["declined"]:
            site.add(user)
        asking = {user: Client(site, user) for user in users}
        groups = {user: asking[user].ask("group.create", {"name": "G"})[1]["group"] for user in users}
        for name in people["blocked"]:
            other = Client(site, name)
            for user in users:
                other.ask("friend.block", {"user": user})
                time.sleep(0.05)
        declining = {name: Client(site, name) for name in people["declined"]}
        for user in users:
            for name in people["declined"]:
                body = {"group": groups[user], "user": name}
                made = asking[user].ask("group.invite", body)[1]["invitation"]
                while "type" in declining[name].ask("invitation.decline", {"invitation": made})[1]:
                    time.sleep(0.01)
                asking[user].ask("invitation.revoke", {"group": groups[user], "invitation": made})
        measure(asking, groups, people)


def measure(asking, groups, people):
    times = {title: {kind: [] for kind in KINDS} for title in ("the answer", "the next answer")}
    answers = set()
    for user, client in asking.items():
        names = [(kind, name) for kind in KINDS for name in people[kind]]
        random.shuffle(names)
        for kind, name in names:
            spent, answer = client.ask("group.invite", {"group": groups[user], "user": name})
            times["the answer"][kind].append(spent)
            times["the next answer"][kind].append(client.ask("group.list", {})[0])
            answers.add(re.sub(r'"(invitation|expiresAt)": "[^"]*"', r'"\1": "…"', json.dumps(answer)))
            time.sleep(0.05)
    print(f"{len(asking) * EACH} invitations of each kind; the answers are",
          "the same:" if len(answers) == 1 else "NOT the same:", *sorted(answers))
    compare(times, 10, 50, 90, 99)
