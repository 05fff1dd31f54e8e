/// How this device notifies of alerts.

import { notifications } from "../attention.js";
import { h, write } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { sound, unlockSound } from "../sound.js";

/// The meaning of the browser's permission.
const words = {
    granted: () => t("This device notifies you while the page is open, even in the background."),
    denied: () => t("Notifications are turned off for this page in the browser's settings."),
    missing: () => t("This browser doesn't support notifications."),
};

export function alertSettings() {
    const input = h("input", { type: "checkbox", role: "switch", checked: sound.isOn });
    input.addEventListener("change", () => {
        sound.isOn = input.checked;
        unlockSound();
        if (input.checked) setTimeout(() => sound.alert(), 100);
    });
    const said = h("p", { class: "small muted" });
    const ask = h("button", {
        type: "button", class: "button", onclick: async () => {
            await notifications.ask();
            update();
        },
    }, icon("bell", 20), t("Notify me on this device"));
    function update() {
        const { state } = notifications;
        ask.hidden = state !== "default";
        write(said, words[state]?.() ?? "");
        said.hidden = !said.textContent;
    }
    update();
    return h("div", { class: "card tight" },
        h("label", { class: "switch" }, h("span", null, t("Sound for alerts")), input), ask, said);
}
