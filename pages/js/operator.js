/// The operator's page: the installation's health, its people, their devices and groups. It shows
/// no positions and no vital signs. In English, like the command line.

import { h, replace, toggle } from "./dom.js";
import { closeDialogs } from "./dialog.js";
import { logo } from "./icons.js";
import { access } from "./operator/access.js";
import { notAllowed } from "./operator/answering.js";
import { makeGroupBook } from "./operator/group-book.js";
import { makeGroups } from "./operator/groups.js";
import { makeLogin } from "./operator/login.js";
import { makePeople } from "./operator/people.js";
import { makeStatus } from "./operator/status.js";
import { watchState } from "./operator/watch.js";
import { say } from "./toasts.js";

const lockButton = h("button", { type: "button", class: "button", onclick: () => lock() }, "Lock");
const place = h("div");
document.getElementById("app").append(h("div", { class: "operator" },
    h("header", null, logo(32), h("strong", null, "Kith"), h("span", { class: "muted" }, "Operator"), lockButton),
    place));

let watch = null;
access.onEnd(() => lock("The server no longer accepts this token. It may have been replaced."));
if (access.token) open();
else lock();

/// Forgets the token, and everything shown.
function lock(why = "") {
    access.keep(null);
    watch?.stop();
    watch = null;
    closeDialogs();
    const login = makeLogin({ say }, { why, entered });
    toggle(lockButton, "hidden", true);
    replace(place, login.element);
    login.focus();
}

function entered(token) {
    access.keep(token);
    open().focus();
}

function open() {
    const app = { say, book: makeGroupBook(), loadGroups: () => groups.load() };
    const status = makeStatus();
    const people = makePeople(app);
    const groups = makeGroups(app, (users) => users.forEach((user) => people.refresh(user)));
    toggle(lockButton, "hidden", false);
    replace(place, h("main", { class: "operator-main", "aria-label": "Operator" },
        h("h1", { class: "visually-hidden" }, "Operator’s page"), status.element,
        people.element, groups.element));
    watch = watchState(access.state, (heard) => {
        if (heard.problem?.status === 401) {
            return lock("The server no longer accepts this token. It may have been replaced.");
        }
        if (heard.problem?.status === 403) return lock(notAllowed(heard.problem));
        status.show(heard);
        if (!heard.problem) {
            people.loadAgain();
            groups.loadAgain();
        }
    });
    people.load();
    groups.load();
    return status;
}
