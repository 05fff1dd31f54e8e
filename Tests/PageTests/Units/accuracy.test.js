import { accuracyWords, farWords, isAnywhere, warned, withinWords } from "/js/known/accuracy.js";
import { makeFacts } from "/js/help/facts.js";
import { ownPosition } from "/js/help/where.js";
import { seenWords } from "/js/known/sos-words.js";
import { circleOf } from "/js/map/corners.js";
import { makeFace } from "/js/map/face.js";
import { makeMap } from "/js/map/base.js";
import { makeOwnPlace } from "/js/map/own-place.js";
import { fixWords } from "/js/member.js";
import { nearWords } from "/js/near.js";
import { sharingWords } from "/js/sharing-words.js";
import { equal, test } from "/unit.js";

/// The value that the service sends for an invalid accuracy.
const ANYWHERE = 20_004_000;
const fixOf = (accuracy) => ({
    latitude: 46, longitude: 14.5, timestamp: new Date().toISOString(), accuracy,
});
const plain = (words) => words.replaceAll("\u00a0", " ");

test("An accuracy reads as a distance, nothing or a warning, by its size", () => {
    const words = [8, 0, 60_000, undefined, null, 200_000, ANYWHERE, 1e300, -1, NaN]
        .map((accuracy) => plain(accuracyWords(fixOf(accuracy))));
    const far = "may be far off";
    equal(words, [words[0], words[1], words[2], "", "", far, far, far, far, far]);
    equal(words.slice(0, 3).every((each) => /^± [\d,]+ /.test(each)), true, words.join());
    equal([withinWords(fixOf(ANYWHERE)), withinWords(fixOf(undefined))], ["", ""]);
    equal([isAnywhere(fixOf(199_999)), isAnywhere(fixOf(undefined))], [false, false]);
    equal(warned("You are here.", fixOf(8)), "You are here.");
});

test("Every sentence warns of a position that may be anywhere", () => {
    const fix = fixOf(ANYWHERE);
    const further = farWords(fix);
    equal(further, "This position may be far off.");
    equal(fixWords(fix)[0], "may be far off");
    equal(seenWords({ fix, device: "sending" }).endsWith(further), true);
    const { tone, more } = sharingWords({
        isOn: true, isLive: true, group: "Family", others: ["Maya"], fix, now: Date.now(),
    });
    equal([tone, more], ["warning", further]);
    const facts = makeFacts({});
    facts.update(fix);
    equal(facts.when.textContent, "Position: just now · may be far off");
    equal(facts.when.hasAttribute("data-old"), true);
    facts.update({ ...fix, timestamp: new Date(Date.now() - 600_000).toISOString() });
    equal(facts.when.textContent.endsWith(further), true);
});

test("A position that may be anywhere has no place name and is not my position", () => {
    equal(nearWords(fixOf(ANYWHERE)), "");
    const state = (accuracy) => ({ me: { user: "ann" }, groups: new Map(), position: fixOf(accuracy) });
    equal(ownPosition(state(ANYWHERE)), null);
    equal(ownPosition(state(8)) === null, false);
});

test("An accuracy circle never covers more than a region", () => {
    equal([8, 0, -1, undefined, 19_999, 20_000, ANYWHERE].map((each) => circleOf(fixOf(each))),
        [8, 0, 0, 0, 19_999, 0, 0]);
});

test("My place has a circle of no size when the accuracy is half the world", () => {
    const element = document.createElement("div");
    element.style.cssText = "width: 300px; height: 300px";
    document.body.append(element);
    const map = makeMap(element);
    map.setView([46, 14.5], 3);
    const own = makeOwnPlace(map);
    own.update(fixOf(ANYWHERE), false);
    const { width } = element.querySelector(".me-circle").getBoundingClientRect();
    equal(width < 10, true, `${width}:`);
});

test("A face on the map, which has no circle, shows a poor accuracy in words", () => {
    const face = makeFace(() => {});
    document.body.append(face.element);
    const say = (accuracy) => {
        face.update({
            member: {
                user: "cleo", name: "Cleo", state: "active", online: true, warnings: [],
                fix: fixOf(accuracy),
            },
            colour: "#1f6f8b", isKnown: true, isCurrent: true, isSelected: false, isMe: false,
        });
        return plain(face.element.querySelector(".tag-word").textContent);
    };
    equal([say(8), say(undefined), say(ANYWHERE)], ["", "", "may be far off"]);
    equal(/^± /.test(say(50_000)), true);
});
