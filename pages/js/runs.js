/// The runs page: anyone can search for and watch runs without an account; logged-in users can take
/// part or organise one.

import { config, onSessionEnd, session } from "./api.js";
import { h, replace } from "./dom.js";
import { logo } from "./icons.js";
import { t } from "./language.js";
import { store } from "./store.js";
import { mountDiscover } from "./runs/discover.js";
import { mountDisplay } from "./runs/display.js";
import { mountOrganise } from "./runs/organise.js";
import { mountWatch } from "./runs/watch.js";

const place = h("main", { class: "run-place", id: "main" });
const account = h("span", { class: "small muted" });
const header = h("header", null,
    h("a", { class: "brand", href: "/runs.html#", "aria-label": t("Runs, back to the list") },
        logo(32), t("Runs")),
    h("nav", { "aria-label": t("Runs") },
        h("a", { href: "#" }, t("Find a run")), h("a", { href: "#new" }, t("Organise a run")),
        h("a", { href: "/" }, account)));
const root = h("div", { class: "runs" }, header, place);
document.getElementById("app").append(root);

let leave = null;
window.addEventListener("hashchange", route);
onSessionEnd(() => location.reload());
start();

async function start() {
    await Promise.allSettled([
        config().then((settings) => store.change((state) => { state.config = settings; })),
        session.current().then((me) => store.change((state) => { state.me = me; })),
    ]);
    account.textContent = store.state.me ? store.state.me.user : t("Log in");
    route();
}

/// `#` finds runs, `#new` makes one, `#RUN` watches it, `#RUN/edit` changes it, `#RUN/display` shows it on a
/// large screen.
function route() {
    leave?.();
    const [run, what] = location.hash.replace(/^#\/?/, "").split("/");
    header.hidden = what === "display";
    const element = h("div");
    replace(place, element);
    if (!run) leave = mountDiscover(element);
    else if (run === "new") leave = mountOrganise(element, null);
    else if (what === "edit") leave = mountOrganise(element, run);
    else if (what === "display") leave = mountDisplay(element, run);
    else leave = mountWatch(element, run);
}
