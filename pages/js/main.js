/// Starts the page: finds out who is logged in, then shows the shell with its views.

import { ME_KEY, call, config, onSessionEnd, session } from "./api.js";
import { forgetDestinations } from "./destinations.js";
import { closeDialogs } from "./dialog.js";
import { h, replace } from "./dom.js";
import { language, t } from "./language.js";
import { live } from "./live.js";
import { keepSubscription } from "./push.js";
import { store } from "./store.js";
import { mountRecovery, takeRecoveryToken } from "./views/recover.js";
import { mountVerification, takeVerificationToken } from "./views/verify.js";
import { mountWelcome } from "./views/welcome.js";

const AGAIN_MS = 5_000;
const loadShell = () => import("./shell.js");
const place = document.getElementById("app");
let shell = null;
/// Whether this page has belonged to a session: late responses for it must not be used for the next
/// session, which gets a new page.
let isUsed = false;

// Another tab logged out, or logged in as another user: the cookie is shared.
window.addEventListener("storage", (event) => {
    if (event.key !== ME_KEY || !shell) return;
    const user = session.remembered()?.user;
    if (!user) session.hasEnded();
    else if (user !== store.state.me?.user) location.reload();
});
// A link opened here while the page shows something else.
window.addEventListener("hashchange", () => {
    if (/^#\/(recover|verify)\//.test(location.hash)) location.reload();
});
// Requests in flight also report the end.
onSessionEnd(() => { if (shell) showWelcome(t("You are logged out.")); });
start();
// A notification was pressed.
navigator.serviceWorker?.addEventListener("message", async ({ data }) => {
    if (typeof data?.go !== "string") return;
    const { me } = store.state;
    if (me && data.user && data.user !== me.user) {
        const { say } = await loadShell();
        return say(t("That was for {user}, who was previously logged in here.", { user: data.user }),
            "warning");
    }
    location.hash = data.go;
});

/// Registers the worker after the first view is shown, so that its downloads do not delay it. The
/// address contains the language to cache.
function keepPage() {
    navigator.serviceWorker?.register(`/sw.js?language=${language}`).catch(() => {});
}

async function start() {
    const token = takeRecoveryToken();
    if (token) return recover(token);
    const proof = takeVerificationToken();
    if (proof) return mountVerification(place, proof, begin);
    return begin();
}

/// - Parameter word: the message shown on the login form.
async function begin(word) {
    // Most likely needed by the user who was logged in here.
    if (session.remembered()) loadShell().catch(() => {});
    let me;
    try {
        const [settings, current] = await Promise.all([config(), session.current()]);
        store.change((state) => { state.config = settings; });
        me = current;
    } catch {
        // Without a network, what this device has stored is enough to call for help later.
        setTimeout(hearAgain, AGAIN_MS);
        me = session.remembered();
    }
    if (me) enter(me, { isNewLogin: false });
    else showWelcome(word);
}

/// A user who is logged in here stays logged in until the new password is set.
function recover(token) {
    config().then((settings) => store.change((state) => { state.config = settings; }))
        .catch(() => setTimeout(hearAgain, AGAIN_MS));
    mountRecovery(place, token, {
        entered: enter,
        leave: (word, login) => showWelcome(word, login),
    });
}

/// Reads the configuration that could not be read at the start, and checks that the session is
/// still valid.
async function hearAgain() {
    try {
        const settings = await config();
        store.change((state) => { state.config = settings; });
        const me = await session.current();
        if (me && !isUsed) enter(me, { isNewLogin: false });
        if (!me && shell) await session.logOut();
    } catch {
        setTimeout(hearAgain, AGAIN_MS);
    }
}

/// The shell brings the map's library with it: it is not loaded before login. Its modules listen
/// for the logged-in user, so they are loaded before that is published.
async function enter(me, { isNewLogin = true } = {}) {
    if (isUsed) return location.reload();
    isUsed = true;
    const part = await load(loadShell);
    if (!part) return;
    store.change((state) => { state.me = me; });
    const { makeShell, say } = part;
    const showPerson = () => show(makeShell, say, { isNewLogin });
    // A company has no groups and no position: it has its own page.
    if (!isNewLogin && me.kind === "person") return showPerson();
    call("account.get").then((account) => {
        session.noteKind(account.kind ?? "person");
        if (account.kind === "company") showCompany(account);
        else showPerson();
    }).catch(showPerson);
}

function show(makeShell, say, { isNewLogin }) {
    shell = makeShell(place);
    live.start();
    keepPage();
    // The next start tries again.
    keepSubscription(call, { isNewLogin }).then((isRemoved) => {
        if (!isRemoved) return;
        say(t("This browser no longer notifies you: that was turned off elsewhere. You can turn it on "
            + "again under “Me”."), "warning");
    }).catch(() => {});
}

async function showCompany(account) {
    const part = await load(() => import("./views/company.js"));
    if (!part) return;
    const { mountCompany } = part;
    document.title = `${account.name} – Kith`;
    const page = mountCompany(place, account);
    shell = { remove: () => page.remove() };
    keepPage();
}

/// Loads a part of the page; on failure, shows an error and offers to reload, since browsers do not
/// retry on their own. Returns null then.
async function load(part) {
    try {
        return await part();
    } catch {
        replace(place, h("main", { class: "card", id: "main" },
            h("p", { role: "alert" }, t("This page could not be loaded completely.")),
            h("button", {
                type: "button", class: "button primary", onclick: () => location.reload(),
            }, t("Try again"))));
        return null;
    }
}

function showWelcome(word, login) {
    // Also if a session ended while no page was open.
    forgetDestinations();
    live.stop();
    closeDialogs();
    shell?.remove();
    shell = null;
    store.clear();
    replace(place);
    document.title = "Kith";
    mountWelcome(place, { entered: enter, word, login });
    // The user is about to log in: no need to wait for the response.
    place.addEventListener("click", () => { loadShell().catch(() => {}); }, { once: true });
    keepPage();
}
