import { reachOf, summary } from "/js/people/reach-words.js";
import { equal, test } from "/unit.js";

const NOW = Date.parse("2026-05-01T12:40:00Z");
/// The service tells the hour alone.
const hours = (count) => new Date(NOW - NOW % 3_600_000 - count * 3_600_000).toISOString();
const say = (reached, online = false, isMe = false) => {
    const { text, look } = reachOf({ online, reached }, { isMe, now: NOW });
    return [text.replaceAll("\u00a0", " "), look];
};

test("It is said by what somebody would be reached, and when that worked", () => {
    equal(say([{ by: "push", workedAt: hours(2) }]), ["by push (worked 2 h ago)", "good-text"]);
    equal(say([{ by: "push", workedAt: hours(0) }, { by: "mail" }]),
        ["by push (worked within the hour) and email (not tried yet)", "good-text"]);
    equal(say([{ by: "webhook", workedAt: hours(50), failing: true }]),
        ["by webhook (fails at the moment, worked 2 days ago)", "warning-text"]);
    equal(say([{ by: "mail", failing: true }]),
        ["by email (fails at the moment)", "warning-text"]);
});

test("Nobody is told that a channel works which has never been tried", () => {
    equal(say([{ by: "push" }]), ["by push (not tried yet)", "warning-text"]);
});

test("Without a channel only something that is open is reached", () => {
    equal(say([], true), ["only while a page or an app of theirs is open", "warning-text"]);
    equal(say([], true, true), ["only while a page or an app of yours is open", "warning-text"]);
    equal(say([], false), ["by nothing, until they open Kith", "warning-text"]);
    const left = { online: true, leftAt: "2026-01-01T00:00:00Z", reached: [] };
    equal(reachOf(left).text, "by nothing, until they open Kith");
});

test("The group in a sentence counts what has worked alone", () => {
    const ben = { reached: [{ by: "mail", failing: true }, { by: "push", workedAt: hours(1) }] };
    const cleo = { reached: [] };
    const dora = { reached: [{ by: "push" }] };
    const words = (members) => summary(members).split(" by something")[0];
    equal(words([ben, cleo, dora]), "An SOS now would reach 1 of the 3 others");
    equal(words([ben, ben]), "An SOS now would reach all 2 others");
    equal(words([ben]), "An SOS now would reach the only other member");
    equal(words([dora]).includes("Nothing is known to work"), true);
    equal(words([]), "Nobody else is in the group: an SOS would reach nobody.");
});
