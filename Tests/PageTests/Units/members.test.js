import { middleOf, rgbOf } from "/js/account/picture.js";
import { describe, matching, membersOf, namesakes } from "/js/member.js";
import { equal, test } from "/unit.js";

const people = [
    { user: "omar", name: "Omar Farouk" }, { user: "sam", name: "Sam Reed" },
    { user: "sam-2", name: "sam reed " }, { user: "juergen", name: "Jürgen Weiß" },
    { user: "umar", name: "عُمر الفاروق" },
];

test("Only those who have somebody else's name need their user name", () => {
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

test("A member of whom nothing was heard is not said to share with nobody", () => {
    const group = { members: people, states: new Map() };
    equal(membersOf(group, "omar").map((member) => describe(member).text),
        people.map(() => "Not known yet"));
    const known = { user: "omar", name: "Omar", state: "inactive", fix: null, warnings: [] };
    equal(describe(known).text, "Not sharing");
});

test("A picture is cut from its middle, and only its colours are sent", () => {
    equal(middleOf({ width: 300, height: 100 }), { x: 100, y: 0, side: 100 });
    equal(middleOf({ width: 64, height: 80 }), { x: 0, y: 8, side: 64 });
    equal([...rgbOf(new Uint8ClampedArray([1, 2, 3, 255, 4, 5, 6, 0]))], [1, 2, 3, 4, 5, 6]);
});
