/// A person's device, and its logout.

import { h, toggle, write } from "../dom.js";
import { access } from "./access.js";
import { askAndDo } from "./asking.js";
import { seenWords } from "./words.js";

export function makeDeviceRow({ app, user, refresh, tell }, { device }) {
    const seen = h("p", { class: "small muted" });
    const badge = h("span", { class: "badge" }, "Logged out");
    const button = h("button", {
        type: "button", class: "button quiet danger", "aria-label": `Log out: ${device} of ${user}`,
        onclick: logOut,
    }, "Log out");

    async function logOut() {
        const isDone = await askAndDo(app, {
            title: `Log out ${device} of ${user}?`,
            text: ["Its token stops working immediately, whatever the device is doing, even in an SOS or on a "
                + "journey. It sends and receives nothing until it is logged in again."],
            button: "Log it out", danger: true,
            work: () => access.call("user.revoke", { user, device }),
        });
        if (!isDone) return;
        tell(`${device} is logged out.`);
        await refresh();
    }

    return {
        element: h("li", null, h("div", { class: "row" },
            h("div", { class: "grow" }, h("strong", { class: "break" }, device), seen), badge, button)),
        update({ loggedIn, lastSeen }) {
            write(seen, seenWords(lastSeen));
            toggle(badge, "hidden", loggedIn);
            toggle(button, "hidden", !loggedIn);
        },
    };
}
