/// "Share my location with this group", and who then sees it.

import { h, write } from "./dom.js";
import { problemText } from "./form.js";
import { age, moment, together } from "./format.js";
import { whileConnected } from "./while-connected.js";
import { chosenGroup, isLive, store } from "./store.js";

/// How often ages of positions are refreshed.
const TICK_MS = 5_000;

/// A switch for the group that `groupOf()` returns; by default, the chosen group.
export function sharingSwitch(app, groupOf = () => chosenGroup()) {
    const input = h("input", { type: "checkbox", role: "switch" });
    const title = h("span");
    const who = h("p", { class: "small muted" });
    const element = h("div", { class: "sharing" },
        h("label", { class: "switch" }, title, input), who);
    let isBusy = false;
    /// The service's answer, `{group,isOn,version}`: valid until a newer state comes.
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
                ? `${group.name} is shown where you are from now on.`
                : `${group.name} sees nothing new of you from now on.`);
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
        write(who, whoSees(group, isOn));
    }

    /// Null if it is not known yet: neither on nor off would be true.
    function isShared(group) {
        const mine = own(group);
        if (answer?.group === group.group && (mine?.version ?? 0) <= answer.version) {
            return answer.isOn;
        }
        return mine ? mine.state !== "inactive" : null;
    }

    whileConnected(element, update, { ms: TICK_MS });
    return element;
}

/// What the group sees of me, as the server publishes it to all members.
function whoSees(group, isOn) {
    if (isOn === null) return "Not known yet whether this group sees where you are.";
    if (!isLive()) {
        return "No connection: what this group sees of you is not known at the moment. When it "
            + `was last heard, it was ${isOn ? "" : "not "}shown where you are.`;
    }
    const { length } = group.members;
    if (length === 0) return "Not known yet who is in this group.";
    if (length === 1) return "There is nobody else in this group.";
    const others = group.members.filter((member) => member.user !== store.state.me?.user);
    const see = `${names(others)} ${others.length === 1 ? "sees" : "see"}`;
    const fix = own(group)?.fix;
    if (isOn) {
        return fix ? `${see} where you are: your position from ${age(fix.timestamp)}.`
            : `${names(others)} will see where you are with the next position that comes in.`;
    }
    if (!fix) return "Nobody in this group sees where you are.";
    return `${see} your last position, from ${moment(fix.timestamp)}, and nothing that comes `
        + "after it. “Location off” under People takes it away.";
}

function own(group) {
    return group.states.get(store.state.me?.user);
}

function names(members) {
    const first = members.slice(0, 3).map((member) => member.name);
    if (members.length > 3) first.push(`${members.length - 3} more`);
    return together(first);
}
