import { reachOf, summary } from "/js/people/reach-words.js";
import { equal, test } from "/unit.js";

const NOW = Date.parse("2026-05-01T12:40:00Z");
/// A time this many hours ago; the service reports only the hour.
const hours = (count) => new Date(NOW - NOW % 3_600_000 - count * 3_600_000).toISOString();
const say = (reached, online = false, isMe = false) => {
    const { text, look } = reachOf({ online, reached }, { isMe, now: NOW });
    return [text.replaceAll("\u00a0", " "), look];
};

test("A member's ways to be reached are shown, and when each worked", () => {
    equal(say([{ by: "push", workedAt: hours(2) }]), ["by push (worked 2 h ago)", "good-text"]);
    equal(say([{ by: "push", workedAt: hours(0) }, { by: "mail" }]),
        ["by push (worked within the last hour) and email (not tried yet)", "good-text"]);
    equal(say([{ by: "webhook", workedAt: hours(50), failing: true }]),
        ["by webhook (currently failing, worked 2 days ago)", "warning-text"]);
    equal(say([{ by: "mail", failing: true }]),
        ["by email (currently failing)", "warning-text"]);
});

test("A channel that was never tried is not shown as working", () => {
    equal(say([{ by: "push" }]), ["by push (not tried yet)", "warning-text"]);
});

test("A member without a channel is reachable only in an open page or app", () => {
    equal(say([], true), ["only while they have a page or app open", "warning-text"]);
    equal(say([], true, true), ["only while you have a page or app open", "warning-text"]);
    equal(say([], false), ["not reachable until they open Kith", "warning-text"]);
    const left = { online: true, leftAt: "2026-01-01T00:00:00Z", reached: [] };
    equal(reachOf(left).text, "not reachable until they open Kith");
});

test("The group summary counts only channels that have worked", () => {
    const ben = { reached: [{ by: "mail", failing: true }, { by: "push", workedAt: hours(1) }] };
    const cleo = { reached: [] };
    const dora = { reached: [{ by: "push" }] };
    const words = (members) => summary(members).split(" in a way")[0];
    equal(words([ben, cleo, dora]), "An SOS now would reach 1 of the 3 others");
    equal(words([ben, ben]), "An SOS now would reach all 2 others");
    equal(words([ben]), "An SOS now would reach the only other member");
    equal(words([dora]).includes("No way of reaching"), true);
    equal(words([]), "No one else is in the group: an SOS would reach no one.");
});
