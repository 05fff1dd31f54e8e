import { matches } from "/js/search/matching.js";
import { makeCombobox } from "/js/search/combobox.js";
import { known } from "/js/search/sources.js";
import { newGroup, store } from "/js/store.js";
import { equal, test } from "/unit.js";

test("Each typed word matches a name's word start, ignoring accents and case", () => {
    const cases = [
        ["", "Ann", true], ["an", "Ann Lake", true], ["LA an", "Ann Lake", true],
        ["ake", "Ann Lake", false], ["zu", "Zürich", true], ["zür", "Zurich", true],
        ["fürth b", "Fürth", false], ["نور", "نور الدين", true], ["saint-m", "Saint Martin", true],
    ];
    for (const [typed, name, expected] of cases) equal(matches(typed, name), expected, typed);
    equal(matches("ann1", "Ann", "ann1"), true);
});

test("People are found once, by name or user name, with their groups", () => {
    const [family, work] = [newGroup("f", "Family"), newGroup("w", "Work")];
    const member = (user, name) => ({ user, name });
    family.members = [member("me", "Me"), member("ben", "Ben Hill"), member("cleo", "Cleo")];
    work.members = [member("me", "Me"), member("ben", "Ben Hill")];
    work.states.set("ben", { fix: { latitude: 1, longitude: 2 } });
    store.change((state) => {
        state.me = { user: "me" };
        state.group = "w";
        state.groups = new Map([["f", family], ["w", work]]);
        state.geofences = [{
            geofence: "g", name: "Bend", kind: "home", latitude: 5, longitude: 6, radius: 100,
        }];
    });
    const found = known("be", [{ user: "bea", name: "Bea" }]);
    equal(found.map(({ kind, title }) => [kind, title]),
        [["person", "Bea"], ["person", "Ben Hill"], ["own", "Bend"]]);
    const [bea, ben] = found;
    equal([ben.groups, ben.latitude, ben.detail], [["w", "f"], 1, "Work"]);
    equal([bea.groups, bea.latitude], [[], undefined]);
    equal(known("me").length, 0);
    equal(known("").map(({ kind }) => kind), ["own"], "without words, people are not listed");
});

test("Arrow keys move through the results, and Enter chooses one", () => {
    const chosen = [];
    const box = makeCombobox({
        label: "Search", placeholder: "", typed() {}, chosen: ({ key }) => chosen.push(key),
        row: ({ key }) => key,
    });
    document.body.append(box.field, box.list);
    const press = (key) => box.field.dispatchEvent(
        new KeyboardEvent("keydown", { key, cancelable: true }));
    const active = () => document.getElementById(
        box.field.getAttribute("aria-activedescendant"))?.textContent ?? null;
    press("Enter");
    equal([chosen, box.field.getAttribute("aria-expanded")], [[], "false"]);
    const results = (...keys) => [{ title: "A", results: keys.map((key) => ({ key })) }];
    box.show(results("x", "y", "z"));
    equal([active(), box.field.getAttribute("aria-expanded")], [null, "true"]);
    press("ArrowUp");
    equal(active(), "z");
    press("ArrowDown");
    press("ArrowDown");
    equal(active(), "y");
    box.show(results("w", "y"));
    equal(active(), "y", "what was active stays so");
    press("Enter");
    box.show(results("v"));
    equal(active(), null);
    press("Enter");
    equal(chosen, ["y", "v"]);
});
