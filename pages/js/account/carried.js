/// Which of my devices stands for me: the one the service considers carried, or one I choose.

import { h, replace, write } from "../dom.js";
import { makeChoice, problemText } from "../form.js";
import { t } from "../language.js";

/// - Parameter changed: called once the service has the new choice.
/// - Returns: `{element,show(devices)}`, with the devices from `device.list`; hidden for a single one.
export function makeCarried(app, { changed }) {
    const choice = makeChoice("carried", t("The device I carry"), []);
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
                ? t("Automatic (now {device})", { device: carried }) : t("Automatic")),
            names.map((device) => h("option", { value: device }, device)));
        input.value = named;
        write(words, named
            ? t("Others see where {device} is, and nothing newer while it is silent. If another "
                + "device calls for help, they see that one.", { device: named })
            : t("Others see the location of the device that moves with you."));
    }
    return { element, show };
}
