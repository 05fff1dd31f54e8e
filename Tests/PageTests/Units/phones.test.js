import { makePhones, phonesOf } from "/js/phones.js";
import { equal, test } from "/unit.js";

const member = (user, phone, more = {}) => [user, { user, name: user, online: false, phone, ...more }];
const stateOf = (...groups) => ({
    me: { user: "ann" },
    groups: new Map(groups.map((states, n) => [`g${n}`, { states: new Map(states) }])),
});

test("Phone numbers are listed once each, for others only, connected people first", () => {
    const state = stateOf(
        [member("ann", "+1"), member("ben", "+2"), member("cleo"), member("dan", "+4", { online: true })],
        [member("ben", "+2", { online: true, leftAt: "2026-01-01T00:00:00Z" }), member("eve", "+5")]);
    equal(phonesOf(state).map(({ user }) => user), ["dan", "ben", "eve"]);
});

test("Phone numbers leave room for other help", () => {
    const many = Array.from({ length: 50 }, (_, n) => member(`m${n + 10}`, `+${n}`));
    equal(phonesOf(stateOf(many)).length, 3);
});

test("A phone number that is no longer shared can no longer be dialled", () => {
    const phones = makePhones();
    const links = () => [...phones.element.querySelectorAll("a")]
        .map((each) => [each.textContent.replace(/[\u2068\u2069]/g, ""), each.getAttribute("href")]);
    phones.update(stateOf([member("ben", "+43 660 1")]));
    equal([links(), phones.element.hidden], [[["Call ben", "tel:+436601"]], false]);
    phones.update(stateOf([member("ben")]));
    equal([links(), phones.element.hidden], [[], true]);
});
