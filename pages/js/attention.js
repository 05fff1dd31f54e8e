/// Gets the person's attention: sound, browser notifications, the page's title and icon.

import { alertNotes, alertWords } from "./alerts/words.js";
import { serverNow } from "./clock.js";
import { acknowledgedBy } from "./help/answers.js";
import { t } from "./language.js";
import { live } from "./live.js";
import { noticeWords } from "./people/notices.js";
import { readStored, writeStored } from "./storage.js";
import { emergencies, isSeen, needsAttention } from "./sos-state.js";
import { sound, unlockSound } from "./sound.js";
import { nameOf, store } from "./store.js";
import { unread } from "./unread.js";

const NEWS_MS = 2 * 60_000;
const TOLD_KEY = "kith.told";
const TOLD_KEPT = 200;
const WARNINGS = ["late", "stuck", "silent", "offline", "vitals-silent"];
/// Notices that stay until the person has seen them.
const URGENT = ["are-you-all-right", "help-called", "help-unanswered"];
/// Notices that are also shown to the user who caused them: someone else may have used their device.
const TOLD_TO_DOER = ["observer-added"];

export function makeAttention(app) {
    let viewTitle = t("Map");
    const sign = document.getElementById("favicon");
    const told = new Set();
    /// Ids of SOS alerts that arrived late: they are still news if the caller still needs help.
    const late = new Set();

    /// Whether this has not been announced yet, in this tab or another one.
    function isNew(id) {
        if (told.has(id)) return false;
        told.add(id);
        const before = readStored(TOLD_KEY) ?? [];
        if (before.includes(id)) return false;
        writeStored(TOLD_KEY, [...before, id].slice(-TOLD_KEPT));
        return true;
    }

    function hearAlert(alert, { isLive }) {
        // An alert from the history is not news, even if it is received again.
        if (!isLive) {
            told.add(alertKey(alert));
            return;
        }
        const { me } = store.state;
        if (alert.user === me?.user || acknowledgedBy(alert).includes(me?.user)) return;
        const isPast = isOld(alert.at) && !alert.repetition;
        if (!isPast) tell(alert);
        else if (needsAttention(alert)) late.add(alert.id);
    }

    function tell(alert) {
        if (!isNew(alertKey(alert))) return;
        const text = [alertWords(alert), ...alertNotes(alert)].join(" ");
        const isUrgent = needsAttention(alert);
        if (isUrgent) sound.sos();
        else sound.alert();
        if (!isUrgent) app.say(text, WARNINGS.includes(alert.kind) ? "warning" : "info");
        const group = store.state.groups.get(alert.group)?.name ?? "Kith";
        if (isUrgent || document.hidden) {
            const title = isUrgent ? t("SOS: {name}", { name: alert.name }) : group;
            notify(title, text, alert.id, isUrgent ? "#map" : "#alerts", { alert, calls: isUrgent });
        }
    }

    function hearChat(message, { isLive }) {
        const { me } = store.state;
        if (!isLive || message.kind !== "message" || message.from === me?.user) return;
        if (!document.hidden || isOld(message.at)) return;
        if (!isNew(message.id)) return;
        const group = store.state.groups.get(message.group)?.name ?? "";
        const name = message.name ?? nameOf(message.from);
        notify(`${name} · ${group}`, message.text ?? "", message.id, "#chat");
    }

    function hearNotice(notice) {
        const { me } = store.state;
        const isMine = notice.by !== undefined && notice.by === me?.user;
        if (isMine && !TOLD_TO_DOER.includes(notice.kind)) return;
        if (isOld(notice.at) || !isNew(notice.id)) return;
        const text = noticeWords(notice, store.state);
        const calls = URGENT.includes(notice.kind);
        // The question opens a dialog, and answers to a call for help are shown with the call.
        if (notice.kind !== "are-you-all-right" && !notice.kind.startsWith("helper-")) {
            app.say(text, notice.kind === "removed-from-group" ? "warning" : "info");
        }
        if (calls) sound.sos();
        if (document.hidden) notify("Kith", text, notice.id, "#people", { calls });
    }

    function update() {
        const open = emergencies();
        const calls = open.filter((emergency) => !isSeen(emergency));
        for (const alert of calls.flatMap(({ alerts }) => alerts)) {
            if (late.delete(alert.id)) tell(alert);
        }
        const count = unread.alerts(store.state) + unread.chat(store.state)
            + store.state.unreadNotices;
        const name = calls.map((call) => call.name).join(", ");
        const title = calls.length ? `${t("SOS: {name}", { name })} · Kith`
            : `${open.length ? "SOS · " : count ? `(${count}) ` : ""}${viewTitle} · Kith`;
        if (document.title !== title) document.title = title;
        const file = open.length ? "/favicon-sos.svg" : "/favicon.svg";
        if (sign && sign.getAttribute("href") !== file) sign.setAttribute("href", file);
    }

    const endings = [
        live.onAlert(hearAlert), live.onChat(hearChat), live.onNotice(hearNotice),
        store.listen(update),
    ];
    document.addEventListener("pointerdown", unlockSound);
    document.addEventListener("keydown", unlockSound);

    return {
        setTitle(title) {
            viewTitle = title;
            update();
        },

        remove() {
            for (const end of endings) end();
            document.removeEventListener("pointerdown", unlockSound);
            document.removeEventListener("keydown", unlockSound);
            sign?.setAttribute("href", "/favicon.svg");
        },
    };
}

function isOld(at) {
    return serverNow() - Date.parse(at) > NEWS_MS;
}

/// A key that differs for each repetition of an SOS: it counts as a new call.
function alertKey(alert) {
    return `${alert.id}/${alert.repetition ?? 0}`;
}

export const notifications = {
    get state() {
        return "Notification" in window ? Notification.permission : "missing";
    },

    /// Asks the browser for permission; only after the person has pressed a button for it.
    async ask() {
        return "Notification" in window ? Notification.requestPermission() : "denied";
    },
};

/// - Parameter calls: whether it replaces an earlier notification with a sound, and stays until the
///   person has seen it.
async function notify(title, body, tag, hash, { alert, calls = false } = {}) {
    if (notifications.state !== "granted") return;
    const message = alert?.repetition ? `${alert.id}-${alert.repetition}` : alert?.id;
    const options = {
        body, tag, icon: "/icons/icon-192.png", renotify: calls, requireInteraction: calls,
        data: { url: `/${hash}`, alert: alert?.id, message, user: store.state.me?.user },
    };
    try {
        const worker = await navigator.serviceWorker?.getRegistration();
        if (worker?.active) {
            // The same may have been pushed already (`sw-push.js`).
            const shown = await worker.getNotifications({ tag });
            if (message && shown.some(({ data }) => data?.message === message)) return;
            const actions = calls && alert ? [{ action: "seen", title: t("I have seen it") }] : [];
            await worker.showNotification(title, { ...options, actions });
            return;
        }
        const notification = new Notification(title, options);
        notification.onclick = () => {
            window.focus();
            location.hash = hash;
            notification.close();
        };
    } catch {
        // The page also shows it.
    }
}
