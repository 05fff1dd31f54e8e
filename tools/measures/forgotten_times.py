"""Whether a request for a new password reveals whether the user exists.

Requests passwords from an installation with a mail server: for users whose address was verified long ago, users whose
address was not, and unknown names, in turn, each time from another address. Prints the replies, percentiles of the
times of the reply and of one that is requested right after it, and, like answer-times, how far the kinds differ.
"""

import os
import random
import subprocess
import sys
import time
from measuring import Page, Site, compare

KINDS = ["known", "unverified", "nobody"]
SERVER = os.path.dirname(__file__) + "/../../Tests/TransferServerTests/Servers/smtp_server.py"


def main(kith=".build/release/kith", rounds=100):
    with Site(kith) as site:
        mail = site.spawn(sys.executable, "-u", SERVER, stdout=subprocess.PIPE, text=True)
        site.environment |= {
            "KITH_MAIL_HOST": "127.0.0.1", "KITH_MAIL_PORT": mail.stdout.readline().strip(),
            "KITH_MAIL_SECURITY": "none", "KITH_MAIL_FROM": "kith@example.org",
            "KITH_WEB_ORIGIN": f"http://127.0.0.1:{site.web}", "KITH_WEB_BEHIND_PROXY": "true"}
        site.start()
        for kind in KINDS[:2]:
            for number in range(rounds):
                user = f"{kind}{number:04}"
                site.run("user", "add", user, "--name", user, "--email", f"{user}@example.org")
        with site.database() as database:
            database.execute("UPDATE users SET email_verified_at_ms = 1 WHERE name LIKE 'known%'")
        measure(site, rounds)


def measure(site, rounds):
    times = {title: {kind: [] for kind in KINDS} for title in ("the answer", "the next answer")}
    answers = set()
    for number in range(rounds):
        for kind in random.sample(KINDS, len(KINDS)):
            headers = {"X-Forwarded-For": ".".join(str(random.randint(1, 223)) for _ in range(4))}
            for title, method, body in [
                    ("the answer", "account.forgot", {"login": f"{kind}{number:04}"}),
                    ("the next answer", "system.health", {})]:
                page = Page(site, **headers)
                spent, _, text = page.post(method, body)
                page.connection.close()
                times[title][kind].append(spent)
                if method == "account.forgot":
                    answers.add(text)
            time.sleep(0.1)
    time.sleep(2)
    sent = site.query("SELECT COUNT(*) FROM password_requests WHERE attempts > 0")[0][0]
    print(f"{rounds} requests of each kind, {sent} mails; the answers:", *sorted(answers))
    compare(times, 10, 50, 90)
