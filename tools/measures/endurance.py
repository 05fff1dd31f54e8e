"""Whether anything is lost while the bridge, the broker, and both at the same time are killed repeatedly.

Runs the tests that do this while fixes and SOS are sent, with `--rounds` (100) of each; they compare fixes with a
receipt with stored ones, and alerts with received ones.
"""

import os


def main(rounds=100):
    os.environ["KITH_ROUNDS"] = str(rounds)
    test = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + "/test"
    os.execv(test, [test, "--filter", "CrashTests|LostAlertTests"])
