/// A person in the list: their details, and the operator's actions.

import { h, keyed, toggle, write } from "../dom.js";
import { problemText } from "../form.js";
import { makeDeviceRow } from "./device-row.js";
import { makeMemberships } from "./memberships.js";
import { makePersonActions } from "./person-actions.js";
import { access } from "./access.js";
import { disabledWords, kindWords, personSeen } from "./words.js";

/// - Parameter gone: called when the person no longer exists.
/// - Returns: `{element,update(person)}`, `person` as in `user.list`.
export function makePerson(app, first, gone) {
    const { user } = first;
    let person = first;
    const name = h("bdi", { class: "break" });
    const badges = h("span", { class: "row tight" });
    const seen = h("span", { class: "small muted" });
    const summary = h("summary", null, h("span", { class: "grow person-line" },
        h("span", { class: "row tight" }, h("strong", null, name), h("code", { class: "muted break" }, user), badges),
        seen));
    const disabled = h("p", { class: "small" });
    const noDevice = h("p", { class: "small muted" }, "No device.");
    const devices = h("ul", { class: "list", "aria-label": `Devices of ${user}` });
    const said = h("p", { class: "good-text small", role: "status" });
    const error = h("p", { class: "error", role: "alert" });
    const place = h("div");
    const own = { app, user, current: () => person, refresh, tell, place };
    const memberships = makeMemberships(own);
    const actions = makePersonActions(own, () => gone());
    const showDevices = keyed(devices, (each) => makeDeviceRow(own, each), (each) => each.device);
    const element = h("li", null, h("details", { class: "person" }, summary,
        h("div", { class: "stack person-body" }, disabled, said, error, place,
            h("h3", null, "Account"), actions.element,
            h("h3", null, "Devices"), noDevice, devices, actions.logOutAll,
            h("h3", null, "Groups"), memberships.element)));

    function update(value) {
        person = value;
        const kind = kindWords(person.kind);
        write(name, person.name);
        badges.replaceChildren(...[
            person.disabledAt ? h("span", { class: "badge danger" }, "Disabled") : null,
            kind ? h("span", { class: "badge" }, kind) : null,
            person.directory ? h("span", { class: "badge" }, "Directory") : null,
            person.hasPassword || person.directory || person.kind === "service" ? null
                : h("span", { class: "badge" }, "No password"),
        ].filter(Boolean));
        write(seen, personSeen(person.devices));
        write(disabled, person.disabledAt ? disabledWords(person.disabledAt) : "");
        toggle(noDevice, "hidden", person.devices.length > 0);
        showDevices(person.devices);
        memberships.show();
        actions.show();
    }

    /// Reads the current state from the server.
    async function refresh() {
        try {
            const { users } = await access.call("user.list", { prefix: user, limit: 1 });
            const found = users.find((each) => each.user === user);
            if (!found) return gone();
            update(found);
            // The focused element may be gone.
            if (document.activeElement === document.body) summary.focus();
        } catch (problem) {
            write(error, `The details of ${user} may be out of date. ${problemText(problem)}`);
        }
    }

    /// Shows what was done, or why not.
    function tell(words, problem) {
        write(said, words);
        write(error, problem ? problemText(problem) : "");
    }

    update(first);
    return { element, update, refresh, release: memberships.release };
}
