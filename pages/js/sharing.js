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
    /// What the service answered, `{group,isOn,version}`: it counts until a newer state comes.
    let answer = null;

    input.addEventListener("change", async () => {
        const group = groupOf();
        if (!group || isBusy) return;
        const isOn = input.checked;
        isBusy = true;
        input.disabled = true;
        try {
            await app.call(isOn ? "sharing.start" : "sharing.stop", { groups: [group.group] });
            answer = { group: group.group, isOn, version: own(group)?.version ?? 0 };
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
        const isOn = isShared(group);
        if (!isBusy) {
            input.checked = isOn === true;
            input.disabled = isOn === null;
        }
        write(title, `Share my location with ${group.name}`);
        const others = group.members.filter((member) => member.user !== store.state.me?.user);
        write(who, isOn === null ? "Not known yet whether this group sees where you go."
            : !isOn ? "Nobody in this group sees where you go."
            : others.length === 0 ? "There is nobody else in this group."
            : `${names(others)} ${others.length === 1 ? "sees" : "see"} where you are.`);
    }

    /// Null where it is not known yet: neither answer would be true.
    function isShared(group) {
        const mine = own(group);
        if (answer?.group === group.group && (mine?.version ?? 0) <= answer.version) {
            return answer.isOn;
        }
        return mine ? mine.state !== "inactive" : null;
    }

    store.listen(update);
    update();
    return element;
}

function own(group) {
    return group.states.get(store.state.me?.user);
}

function names(members) {
    const first = members.slice(0, 3).map((member) => member.name);
    if (members.length > 3) first.push(`${members.length - 3} more`);
    return together(first);
}
