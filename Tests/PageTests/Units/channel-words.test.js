import { quietText, stateOf, testResult } from "/js/account/channel-words.js";
import { browserName } from "/js/push.js";
import { equal, test } from "/unit.js";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const at = (minutes) => new Date(NOW - minutes * 60_000).toISOString();
const say = (channel) => stateOf({ confirmed: true, ...channel }, NOW)
    .text.replaceAll("\u00a0", " ");

test("A channel shows when it last worked, and why it fails", () => {
    equal(say({}), "not tried yet");
    equal(say({ workedAt: at(120) }), "worked 2 h ago");
    equal(say({ failedAt: at(5), failure: "unreachable" }),
        "failed 5 min ago: the receiver does not answer");
    equal(say({ workedAt: at(120), failedAt: at(5), failure: "gone" }),
        "failed 5 min ago: it no longer exists there, worked 2 h ago");
    equal(say({ failedAt: at(5), failure: "something-new" }),
        "failed 5 min ago: it could not be sent");
    equal(say({ confirmed: false, workedAt: at(1) }), "waiting for the code sent there");
});

test("A channel test reports only results since its start", () => {
    const before = {
        label: "Home", confirmed: true, workedAt: at(9), failedAt: at(8), failure: "refused",
    };
    equal(testResult(before, { ...before }, NOW), null);
    const working = { label: "Home", confirmed: true, workedAt: at(0) };
    equal(testResult(before, working, NOW).kind, "good");
    equal(testResult(before, { ...before, failedAt: at(0) }, NOW).kind, "error");
    equal(testResult(before, undefined, NOW).kind, "error");
});

test("Quiet hours name their time zone if it is not the screen's", () => {
    const quiet = { from: "22:00", to: "07:00", timeZone: "Europe/Zurich" };
    equal(quietText(quiet, "Europe/Zurich"), "22:00–07:00");
    equal(quietText(quiet, "Asia/Kolkata"), "22:00–07:00 (Europe/Zurich)");
});

test("A browser is named by its product and system", () => {
    const name = (words) => browserName(`Mozilla/5.0 ${words}`);
    equal(name("(Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36"),
        "Chrome on Android");
    equal(name("(iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile Safari/604.1"),
        "Safari on iPhone");
    equal(name("(Windows NT 10.0) Chrome/126.0 Safari/537.36 Edg/126.0"), "Edge on Windows");
    equal(name("(X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0"), "Firefox on Linux");
    equal(name("something"), "Browser");
});
