/// Starts the page: finds out who is logged in, then shows the shell with its views.

import { ME_KEY, call, config, onSessionEnd, session } from "./api.js";
import { forgetDestinations } from "./destinations.js";
import { closeDialogs } from "./dialog.js";
import { replace } from "./dom.js";
import { t } from "./language.js";
import { live } from "./live.js";
import { keepSubscription } from "./push.js";
import { makeShell, say } from "./shell.js";
import { store } from "./store.js";
import { mountCompany } from "./views/company.js";
import { mountRecovery, takeRecoveryToken } from "./views/recover.js";
import { mountWelcome } from "./views/welcome.js";

const AGAIN_MS = 5_000;
const place = document.getElementById("app");
let shell = null;
/// Whether this page has belonged to a session: late answers for it must not be taken for the next
/// session's, which gets a new page.
let isUsed = false;

// Another tab logged out, or in as somebody else: the cookie is shared.
window.addEventListener("storage", (event) => {
    if (event.key !== ME_KEY || !shell) return;
    const user = session.remembered()?.user;
    if (!user) session.hasEnded();
    else if (user !== store.state.me?.user) location.reload();
});
// A link that was opened here, while the page shows something else.
window.addEventListener("hashchange", () => {
    if (location.hash.startsWith("#/recover/")) location.reload();
});
// Requests in flight report the end once more.
onSessionEnd(() => { if (shell) showWelcome(t("You are logged out.")); });
start();
navigator.serviceWorker?.register("/sw.js").catch(() => {});
// A notification was pressed.
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
    if (typeof data?.go !== "string") return;
    const { me } = store.state;
    if (me && data.user && data.user !== me.user) {
        return say(t("That was for {user}, who was logged in here before.", { user: data.user }), "warning");
    }
    location.hash = data.go;
});

async function start() {
    const token = takeRecoveryToken();
    if (token) return recover(token);
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
    else showWelcome();
}

/// Whoever is logged in here stays so until the new password is set.
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
        if (me && !shell) enter(me, { isNewLogin: false });
        if (!me && shell) await session.logOut();
    } catch {
        setTimeout(hearAgain, AGAIN_MS);
    }
}

function enter(me, { isNewLogin = true } = {}) {
    if (isUsed) return location.reload();
    isUsed = true;
    store.change((state) => { state.me = me; });
    // A company is in no group and nowhere: it has a page of its own.
    if (!isNewLogin && me.kind === "person") return showPerson({ isNewLogin });
    call("account.get").then((account) => {
        session.noteKind(account.kind ?? "person");
        if (account.kind === "company") showCompany(account);
        else showPerson({ isNewLogin });
    }).catch(() => showPerson({ isNewLogin }));
}

function showPerson({ isNewLogin }) {
    shell = makeShell(place);
    live.start();
    // The next start tries again.
    keepSubscription(call, { isNewLogin }).then((isRemoved) => {
        if (!isRemoved) return;
        say(t("This browser does not notify you any more: that was turned off elsewhere. Under “Me” you "
            + "can turn it on again."), "warning");
    }).catch(() => {});
}

function showCompany(account) {
    document.title = `${account.name} – Kith`;
    const page = mountCompany(place, account);
    shell = { remove: () => page.remove() };
}

function showWelcome(word, login) {
    // Also where a session has ended while no page was open.
    forgetDestinations();
    live.stop();
    closeDialogs();
    shell?.remove();
    shell = null;
    store.clear();
    replace(place);
    document.title = "Kith";
    mountWelcome(place, { entered: enter, word, login });
}
