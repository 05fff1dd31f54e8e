/// "Share my location with this group", and who sees it then.

import { h, write } from "./dom.js";
import { problemText } from "./form.js";
import { together } from "./format.js";
import { chosenGroup, store } from "./store.js";

/// A switch for the group that `groupOf()` gives; without one, for the chosen group.
export function sharingSwitch(app, groupOf = () => chosenGroup()) {
    const input = h("input", { type: "checkbox", role: "switch" });
    const title = h("span");
    const who = h("p", { class: "small muted" });
    const element = h("div", { class: "sharing" },
        h("label", { class: "switch" }, title, input), who);
    let isBusy = false;

    input.addEventListener("change", async () => {
        const group = groupOf();
        if (!group || isBusy) return;
        const isOn = input.checked;
        isBusy = true;
        input.disabled = true;
        try {
            await app.call(isOn ? "sharing.start" : "sharing.stop", { groups: [group.group] });
            app.say(isOn
                ? `${group.name} sees where you are now.`
                : `${group.name} sees only your last position.`);
        } catch (problem) {
            app.say(problemText(problem), "error");
        } finally {
            isBusy = false;
            update();
        }
    });

    function update() {
        const group = groupOf();
        element.hidden = !group;
        if (!group) return;
        const mine = group.states.get(store.state.me?.user);
        const isOn = Boolean(mine && mine.state !== "inactive");
        if (!isBusy) {
            input.checked = isOn;
            // Before the state has come, neither answer would be true.
            input.disabled = !mine;
        }
        write(title, `Share my location with ${group.name}`);
        const others = group.members.filter((member) => member.user !== store.state.me?.user);
        write(who, !mine ? ""
            : !isOn ? "Nobody in this group sees where you go."
            : others.length === 0 ? "There is nobody else in this group."
            : `${names(others)} ${others.length === 1 ? "sees" : "see"} where you are.`);
    }

    store.listen(update);
    update();
    return element;
}

function names(members) {
    const first = members.slice(0, 3).map((member) => member.name);
    if (members.length > 3) first.push(`${members.length - 3} more`);
    return together(first);
}
