/// Which of my devices says where I am: the one that the service takes for carried, or one that I name.

import { h, replace, write } from "../dom.js";
import { makeChoice, problemText } from "../form.js";
import { t } from "../language.js";

/// - Parameter changed: called once the service has another choice.
/// - Returns: `{element,show(devices)}`, with the devices of `device.list`; hidden for a single one.
export function makeCarried(app, { changed }) {
    const choice = makeChoice("carried", t("This one is with me"), []);
    const { input } = choice;
    const words = h("p", { class: "small muted", role: "status" });
    const element = h("div", { class: "carried", hidden: true }, choice.element, words);
    input.addEventListener("change", async () => {
        input.disabled = true;
        try {
            await app.call("device.carry", { device: input.value || null });
        } catch (problem) {
            choice.setError(problemText(problem));
        }
        input.disabled = false;
        changed();
    });

    function show(devices) {
        const named = devices.find((each) => each.named)?.device ?? "";
        const names = devices.filter(({ loggedIn }) => loggedIn).map(({ device }) => device);
        element.hidden = app.store.state.me?.demo === true || (names.length < 2 && !named);
        const carried = devices.find((each) => each.carried)?.device;
        replace(input,
            h("option", { value: "" }, carried && !named
                ? t("Automatic: {device} now", { device: carried }) : t("Automatic")),
            names.map((device) => h("option", { value: device }, device)));
        input.value = named;
        write(words, named
            ? t("Others see where {device} is, and nothing newer while it is silent. If another "
                + "device calls for help, they see that one.", { device: named })
            : t("Others see where the device is that moves with you."));
    }
    return { element, show };
}
