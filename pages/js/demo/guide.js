/// A bar that guides demo visitors: what is happening, and what to press.

import { session } from "../api.js";
import { h, toggle, write } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { readStored, writeStored } from "../storage.js";
import { store } from "../store.js";
import { keepInPicture } from "./camera.js";
import { doneBy, partNow } from "./story.js";

/// In this tab's storage: the next visit starts over.
const KEY = "kith.demo";

/// Null outside the demo; hidden once closed.
export function makeGuide(app) {
    const kept = readStored(KEY, "sessionStorage") ?? {};
    if (!store.state.me?.demo) return null;
    const camera = keepInPicture(app);
    const done = new Set(Array.isArray(kept.done) ? kept.done : []);
    let part = null;
    const words = h("p", { role: "status" });
    const next = h("button", { type: "button", class: "button" }, t("Next"));
    const own = h("button", {
        type: "button", class: "button", onclick: () => session.logOut().catch(() => {}),
    }, t("Create account"));
    const element = h("section", {
        class: "guide", "aria-label": t("Demo guide"),
        hidden: kept.isClosed === true,
    }, icon("follow", 22), words, next, own, h("button", {
        type: "button", class: "icon-button", "aria-label": t("Close the guide"), onclick: close,
    }, icon("close", 20)));
    next.addEventListener("click", () => finish(part.id));

    function save() {
        writeStored(KEY, { done: [...done], isClosed: element.hidden }, "sessionStorage");
    }

    function finish(id) {
        done.add(id);
        save();
        update();
    }

    function close() {
        element.hidden = true;
        save();
        update();
    }

    function update() {
        part = partNow(store.state, done);
        const looked = doneBy(part, store.state, shownView());
        if (looked && !done.has(looked)) return finish(looked);
        write(words, wordsFor(part));
        next.hidden = ["call", "seen", "wait", "end"].includes(part.id);
        own.hidden = part.id !== "end";
        const shell = element.closest(".shell");
        if (shell) toggle(shell, "data-guide", element.hidden ? null : part.id);
    }

    const unlisten = store.listen(update);
    window.addEventListener("hashchange", update);
    update();
    return {
        element,
        remove() {
            unlisten();
            camera.remove();
            window.removeEventListener("hashchange", update);
            element.remove();
        },
    };
}

function shownView() {
    return location.hash.replace(/^#\/?/, "").split("/")[0] || "map";
}

function wordsFor({ id, name, place, count }) {
    switch (id) {
    case "hello":
        return t("{count} invented people share their location with you. Nothing of yours leaves "
            + "this browser.", { count });
    case "journey":
        return place
            ? t("{name} is on the way to {place}. Press {name} in the list to see how far it is.",
                { name, place })
            : t("{name} is on the way. Press {name} in the list to see how far it is.", { name });
    case "stuck":
        return t("{name} has stopped moving, and the group has been notified. Look under Alerts.",
            { name });
    case "chat":
        return t("They are writing to each other about it. Look at the chat.");
    case "call":
        return t("Now {name} is calling for help. Press “I have seen it”.", { name });
    case "seen":
        return t("You have answered. Everyone sees who has seen the call, and where {name} is. It "
            + "continues until {name} ends it.", { name });
    case "over":
        return t("The call for help is over. What happened is still listed under Alerts.");
    case "rehearsal":
        return t("Your turn: hold SOS, top right, until the ring is full. Here it is a rehearsal "
            + "that no one else sees.");
    case "end":
        return t("That's all. With an account you can share with your own people.");
    default:
        return t("Someone will call for help soon. Look around until then: press a person in the "
            + "list or on the map.");
    }
}
