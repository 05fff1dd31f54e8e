import { isolate } from "/js/bidi.js";
import { elsewhereWords } from "/js/sharing-elsewhere.js";
import { sharingWords } from "/js/sharing-words.js";
import { tonight } from "/js/sharing-times.js";
import { equal, test } from "/unit.js";

const now = Date.parse("2026-11-24T12:00:00Z");
const ago = (seconds) => ({ timestamp: new Date(now - seconds * 1000).toISOString() });
const at = (seconds) => new Intl.DateTimeFormat(navigator.languages, {
    hour: "numeric", minute: "2-digit",
}).format(now - seconds * 1000);

function said(known) {
    const { tone, text, more } = sharingWords({
        isOn: true, isLive: true, group: "Family", others: ["Omar"], fix: null, device: "off", now,
        ...known,
    });
    return [tone, text, more].filter(Boolean).join("|");
}

test("The sharing control's words follow from the server's and the device's state", () => {
    const last = `Omar can see your last position, from ${at(3600)}.`;
    const old = { fix: ago(3600) };
    for (const [known, words] of [
        // Not known is neither yes nor no.
        [{ isOn: null }, "plain|It is not known yet who can see you."],
        [{ isOn: null, isLive: false }, "plain|It is not known yet who can see you."],
        [{ others: null }, "plain|It is not known yet who is in Family."],
        [{ isLive: false, fix: ago(1) },
            "warning|No connection: who can see you is not known at the moment. Before that, "
            + "Family could see you."],
        [{ isLive: false, isOn: false },
            "warning|No connection: who can see you is not known at the moment. Before that, "
            + "Family could not see you."],
        // No one there.
        [{ others: [] }, "plain|Sharing is on, but no one else is in Family yet."],
        [{ others: [], isOn: false }, "plain|No one else is in Family yet."],
        [{ others: [], device: "refused" },
            "warning|Sharing is on, but this site isn't allowed to use your location.|"
            + "No one else is in Family yet."],
        // Only a fresh fix on the server counts as seen.
        [{ fix: ago(1) }, "good|Omar can see you, updated just now."],
        [{ fix: ago(240) }, "good|Omar can see you, updated 4\u00a0min ago."],
        [{ fix: ago(1), device: "sending", others: ["Omar", "Ben"] },
            "good|Omar and Ben can see you, updated just now."],
        [{ fix: ago(1), others: ["A", "B", "C", "D"] },
            "good|Everyone in Family can see you, updated just now."],
        [{ fix: ago(1), isRough: true },
            "good|Omar can see roughly where you are, updated just now."],
        [{}, "warning|Sharing is on, but no device is sending your position."],
        [{ device: "asks" }, "warning|Sharing is on, but no device is sending your position."],
        [old, `warning|Sharing is on, but no device is sending your position.|${last}`],
        [{ device: "waiting" }, "plain|Sharing is on. Waiting for your position…"],
        [{ device: "sending" }, "plain|Sharing is on. Waiting for your position…"],
        [{ device: "sending", unsent: 3, ...old },
            `warning|Sharing is on, but your position has not reached the server yet.|${last}`],
        // The device fails.
        [{ device: "no-signal", ...old },
            `warning|Sharing is on, but your device can't find a position.|${last}`],
        [{ device: "unavailable" },
            "warning|Sharing is on, but this page needs HTTPS to use your location."],
        // Never a promise while the permission is refused, however fresh the fix.
        [{ device: "refused" },
            "warning|Sharing is on, but this site isn't allowed to use your location."],
        [{ device: "refused", fix: ago(1) },
            "warning|Sharing is on, but this site isn't allowed to use your location.|"
            + `Omar can see your last position, from ${at(1)}.`],
        // Off.
        [{ isOn: false }, "plain|No one in Family can see where you are."],
        [{ isOn: false, ...old },
            `plain|Omar can see your last position, from ${at(3600)}, and nothing newer.`],
    ]) {
        equal(said(known), words, JSON.stringify(known));
    }
});

test("Names keep their direction in a sentence", () => {
    equal(isolate("Omar", false), "Omar");
    equal(isolate("عمر", false), "\u2068عمر\u2069");
    equal(isolate("عمر", true), "عمر");
    equal(isolate("Omar", true), "\u2068Omar\u2069");
});

test("Tonight is the next midnight that is not too near", () => {
    const local = (...time) => new Date(2026, 10, 24, ...time).getTime();
    const midnight = new Date(2026, 10, 25).getTime();
    equal(tonight(local(12, 0)), midnight);
    equal(tonight(local(22, 59)), midnight);
    equal(tonight(local(23, 30)), new Date(2026, 10, 26).getTime());
});

test("Others who see me are named beside the group, each once", () => {
    const family = { group: "g", members: [{ user: "omar" }, { user: "ann" }] };
    const words = (...watchers) => elsewhereWords(watchers, family);
    equal(words(), "");
    equal(words({ why: "group", group: "g", user: "omar" }, { why: "friend", user: "omar" }), "");
    equal(words(
        { why: "group", group: "h", groupName: "Hiking", user: "sam" },
        { why: "group", group: "h", groupName: "Hiking", user: "eve" },
        { why: "friend", user: "eve" }, { why: "friend", user: "sam" }, { why: "link", share: "s" },
    ), "You are also visible to Hiking, 2 friends and anyone with your link.");
});
