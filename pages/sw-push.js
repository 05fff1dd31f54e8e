/// Shows what the service pushes to this browser, also while no page is open, and acts on what is
/// pressed. A part of the service worker.
///
/// A push is `{user,id,kind,at,title,text,view,alert?}`; `user`: whom it is for. Whatever it is, something is shown: browsers
/// end a subscription that shows nothing.

const ICON = "/icons/icon-192.png";
/// They stay until pressed, and sound each time.
const URGENT = ["sos", "in-need", "unanswered", "are-you-all-right", "help-called"];
const SEEN = "seen";
/// A browser opens no page for a press that was long ago.
const PRESS_MS = 4_000;
/// How long to look for a check notification, to remove it again.
const CHECK_MS = 20_000;

self.addEventListener("push", (event) => event.waitUntil(show(readPush(event.data))));

self.addEventListener("notificationclick", (event) => {
    const { notification, action } = event;
    notification.close();
    event.waitUntil(action === SEEN
        ? acknowledge(notification) : focusPage(notification.data));
});

self.addEventListener("pushsubscriptionchange", (event) => {
    event.waitUntil(subscribeAnew(event.newSubscription));
});

// MARK: Showing

/// - Returns: the message, or an empty object if it is invalid.
function readPush(data) {
    try {
        const message = data?.json();
        return typeof message?.title === "string" && message.title ? message : {};
    } catch {
        return {};
    }
}

async function show(message) {
    if (message.kind === "check") return showCheck(message);
    const { language, t } = await words();
    const neutral = t("Something has happened. Open Kith to see it.");
    const { user, id, alert, kind, title = "Kith", text = neutral, at, view } = message;
    const isUrgent = URGENT.includes(kind);
    const tag = String(alert ?? id ?? "kith-news");
    return self.registration.showNotification(title, {
        body: localTimes(String(text), at, language), tag, icon: ICON, lang: language, dir: "auto",
        data: { url: address(view), alert, user: userName(user), message: id },
        // An open page may have shown this call already.
        renotify: isUrgent && !await isShown(tag, id), requireInteraction: isUrgent,
        actions: isUrgent && alert ? [{ action: SEEN, title: t("I have seen it") }] : [],
    });
}

async function isShown(tag, id) {
    const shown = await self.registration.getNotifications({ tag });
    return id !== undefined && shown.some(({ data }) => data?.message === id);
}

/// Only tests whether a push arrives, without disturbing anyone.
async function showCheck({ title, text }) {
    const tag = "kith-check";
    await self.registration.showNotification(title, { body: text, tag, icon: ICON, silent: true });
    // A browser that is busy lists it later.
    for (let waited = 0, wait = 100; waited < CHECK_MS; waited += wait, wait *= 1.5) {
        const shown = await self.registration.getNotifications({ tag });
        for (const notification of shown) notification.close();
        if (shown.length > 0) return;
        await new Promise((resolve) => { setTimeout(resolve, wait); });
    }
}

/// The page's address for a view: `#/alerts`.
function address(view) {
    const name = /^#\/?([a-z]+)$/.exec(view ?? "")?.[1];
    return name ? `/#${name}` : "/#alerts";
}

/// A user name; undefined if invalid.
function userName(text) {
    return /^[a-z0-9][a-z0-9_-]*$/.test(text ?? "") ? text : undefined;
}

/// The text with its UTC times as local ones, as the page shows them.
function localTimes(text, at, language) {
    const day = /^\d{4}-\d{2}-\d{2}/.exec(at ?? "")?.[0];
    return text.replace(/\b(?:(\d{4}-\d{2}-\d{2}) )?(\d{2}:\d{2}) UTC\b/g, (whole, date, clock) => {
        const meant = new Date(`${date ?? day}T${clock}:00Z`);
        if (Number.isNaN(meant.getTime())) return whole;
        return meant.toLocaleString(localesFor(language), date
            ? { dateStyle: "medium", timeStyle: "short" } : { hour: "numeric", minute: "2-digit" });
    });
}

function localesFor(language) {
    const own = navigator.languages.filter((tag) => tag.split("-")[0] === language);
    return own.length > 0 ? own : language;
}

// MARK: The language

/// The page's cached language (`js/language.js`): `{language,t(text)}`; English if none is cached.
async function words() {
    try {
        const kept = await (await self.caches.match("/languages/kept.json"))?.json();
        if (kept) return { language: kept.language, t: (text) => kept.texts[text] ?? text };
    } catch {
        // The browser has lost it.
    }
    return { language: "en", t: (text) => text };
}

// MARK: What is pressed

async function acknowledge({ title, data }) {
    try {
        const { status } = await post("alert.acknowledge", { alert: data.alert }, data.user);
        if (status === 200) return;
    } catch {
        // The page is opened.
    }
    try {
        await focusPage(data);
    } catch {
        // A user who pressed it believes that it was reported.
        const { t } = await words();
        await self.registration.showNotification(title, {
            body: t("No one knows yet that you have seen it. Open Kith and confirm it there."),
            tag: String(data.alert), icon: ICON, data, requireInteraction: true,
        });
    }
}

/// Calls a method with the login of this browser.
///
/// - Parameter user: the user whose login it must be, if known.
function post(method, body, user) {
    const headers = { Accept: "application/json", "Content-Type": "application/json" };
    if (user) headers["Kith-User"] = user;
    return fetch(`/api/${method}`, {
        method: "POST", credentials: "same-origin", cache: "no-store", headers,
        body: JSON.stringify(body), signal: AbortSignal.timeout(PRESS_MS),
    });
}

/// Shows the open page at the notification's view, or opens one.
async function focusPage({ url = "/", user } = {}) {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const page = pages.find((each) => each.focused) ?? pages[0];
    if (!page) return self.clients.openWindow(url);
    page.postMessage({ go: new URL(url, location.origin).hash, user });
    return page.focus();
}

// MARK: The subscription

/// The browser has ended the subscription, and may have made another one. On failure, the page does
/// this when it is next opened.
async function subscribeAnew(made) {
    const list = await post("channel.list", {});
    if (!list.ok) return;
    const { pushKey } = await list.json();
    const subscription = made ?? await self.registration.pushManager.subscribe({
        userVisibleOnly: true, applicationServerKey: pushKey,
    });
    const { endpoint, keys } = subscription.toJSON();
    await post("channel.add", { kind: "push", subscription: { endpoint, keys } });
}
