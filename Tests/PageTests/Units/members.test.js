import { middleOf, rgbOf } from "/js/account/picture.js";
import { avatarUrl, showAvatar } from "/js/avatar.js";
import { describe, matching, membersOf, namesakes } from "/js/member.js";
import { equal, test } from "/unit.js";

const people = [
    { user: "omar", name: "Omar Farouk" }, { user: "sam", name: "Sam Reed" },
    { user: "sam-2", name: "sam reed " }, { user: "juergen", name: "Jürgen Weiß" },
    { user: "umar", name: "عُمر الفاروق" },
];

test("Members need their user names only if they share a name", () => {
    equal([...namesakes(people)].sort(), ["sam", "sam-2"]);
});

test("The filter finds names without accents, and user names", () => {
    const found = (text) => matching(people, text).map(({ user }) => user);
    equal(found("jurg"), ["juergen"]);
    equal(found("REED"), ["sam", "sam-2"]);
    equal(found("@sam-"), ["sam-2"]);
    equal(found("عمر"), ["umar"]);
    equal(found("  ").length, people.length);
    equal(found("nobody"), []);
});

test("A member whose state is unknown is not shown as not sharing", () => {
    const group = { members: people, states: new Map() };
    equal(membersOf(group, "omar").map((member) => describe(member).text),
        people.map(() => "Not known yet"));
    const known = { user: "omar", name: "Omar", state: "inactive", fix: null, warnings: [] };
    equal(describe(known).text, "Not sharing");
});

test("A picture is cropped to its middle, and only its colours are sent", () => {
    equal(middleOf({ width: 300, height: 100 }), { x: 100, y: 0, side: 100 });
    equal(middleOf({ width: 64, height: 80 }), { x: 0, y: 8, side: 64 });
    equal([...rgbOf(new Uint8ClampedArray([1, 2, 3, 255, 4, 5, 6, 0]))], [1, 2, 3, 4, 5, 6]);
});

test("A row shows an SOS rather than the picture, and initials if there is none", () => {
    const place = document.createElement("span");
    const sam = { user: "sam", name: "Sam Reed", state: "active" };
    const shown = () => [place.textContent, place.querySelector("img")?.getAttribute("src")];
    showAvatar(place, sam);
    equal(shown(), ["SR", undefined]);
    showAvatar(place, { ...sam, avatar: "d1" });
    equal(shown(), ["SR", avatarUrl("sam", "d1")]);
    const image = place.querySelector("img");
    showAvatar(place, { ...sam, avatar: "d1" });
    equal(place.querySelector("img") === image, true, "The same picture is left alone:");
    showAvatar(place, { ...sam, avatar: "d1", state: "sos" });
    equal(shown(), ["SOS", undefined]);
    equal(avatarUrl("a/b", "c"), "/api/avatars/a%2Fb/c");
});
