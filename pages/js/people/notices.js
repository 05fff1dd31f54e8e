/// My notices from the service, the newest first, and which of them are unread.

import { h, replace } from "../dom.js";
import { problemText } from "../form.js";
import { dateTime, distance, moment, number, together } from "../format.js";
import { makeReceived } from "../invitations/received.js";
import { t, tn } from "../language.js";
import { past } from "../past.js";
import { nameOf } from "../store.js";
import { DAY_MS } from "../units.js";

/// A clock error above this many seconds is not given in minutes.
const MOST_S = 2 * DAY_MS / 1000;

export function makeNotices(app) {
    const list = h("ul", { class: "list" });
    const older = h("button", {
        type: "button", class: "button wide", onclick: () => loadOlder(),
    }, t("Show older news"));
    const element = h("section", { class: "card", "aria-labelledby": "notices-title" },
        h("h2", { id: "notices-title" }, t("News")), list, older);
    const received = makeReceived(app, () => { if (last) show(last); });
    let last = null;
    let shown = "";
    /// The newest notice reported to the server as seen, or being reported.
    let seenThrough = "";

    async function loadOlder() {
        older.disabled = true;
        try {
            await past.loadOlderNotices();
        } catch (problem) {
            app.say(problemText(problem), "error");
        } finally {
            older.disabled = false;
        }
    }

    /// Viewing the list marks it as seen, on all devices. Visitors of the demo share an account.
    async function markSeen({ me, notices, unreadNotices }) {
        const newest = notices[0]?.id;
        if (me?.demo || document.hidden || unreadNotices === 0 || !newest) return;
        if (newest <= seenThrough) return;
        const before = seenThrough;
        seenThrough = newest;
        try {
            await app.call("notice.seen", { through: newest });
        } catch {
            seenThrough = before;
        }
    }

    function show(state) {
        const { notices } = state;
        element.hidden = notices.length === 0;
        older.hidden = !state.noticesNext;
        // A button must not be replaced while it is pressed.
        const now = JSON.stringify(notices.map((notice) => [
            notice.id, notice.seen, moment(notice.at), noticeWords(notice, state),
            received.isWaiting(notice),
        ]));
        if (now === shown) return;
        shown = now;
        replace(list, notices.map((notice) => h("li", { class: "notice" },
            h("p", { class: "break" }, noticeWords(notice, state)),
            received.actions(notice), wayTo(notice),
            h("p", { class: "small muted" }, moment(notice.at),
                notice.seen === true
                    ? null : [" ", h("span", { class: "badge accent" }, t("new"))]))));
    }

    return {
        element,
        /// Loads the notices that can still be answered.
        load: () => received.load(),
        update(state) {
            last = state;
            received.learn(state.notices);
            show(state);
            markSeen(state);
        },
        /// Marks notices shown as new as seen.
        leave(store) {
            if (!seenThrough) return;
            store.change((state) => {
                state.notices = state.notices.map((notice) => (
                    notice.id <= seenThrough ? { ...notice, seen: true } : notice));
            });
        },
    };
}

/// A link for answering a notice or seeing more of it; null if there is none.
function wayTo({ kind, rule, place }) {
    const [view, words] = kind === "place-rule-asked" ? [`own/${rule}`, t("Agree or refuse")]
        : kind === "place-changed" && rule ? [`own/${rule}`, t("Confirm the place")]
        : kind === "reminder" ? [place, t("Show the place")] : [];
    if (!view) return null;
    return h("p", null, h("a", { class: "button", href: `#places/${view}` }, words));
}

/// A notice as a sentence.
export function noticeWords(notice, { groups, me }) {
    const who = notice.name ?? notice.user;
    // The service notifies both sides.
    const isMine = notice.by !== undefined && notice.by === me?.user;
    const values = { ...notice, who, by: notice.by === undefined ? null : nameOf(notice.by) };
    switch (notice.kind) {
    case "added-to-group":
        if (notice.by !== undefined && notice.by === notice.user) {
            return t("{userName} has accepted your invitation to the group {name}.", values);
        }
        if (isMine) {
            return notice.userName ? t("You added {userName} to the group {name}.", values)
                : t("You added someone to the group {name}.", values);
        }
        return values.by ? t("{by} added you to the group {name}.", values)
            : t("You were added to the group {name}.", values);
    case "invited-to-group":
        return notice.userName ? t("{userName} invited you to the group {name}.", values)
            : t("You are invited to the group {name}.", values);
    case "removed-from-group": return values.by ? t("{by} removed you from the group {name}.", values)
        : t("You were removed from the group {name}.", values);
    case "observer-added":
        if (isMine) {
            return t("You added a program that sees what the group {name} sees: {label}. If this wasn't "
                + "you, end it under Groups.", values);
        }
        return values.by
            ? t("{by} added a program that sees what the group {name} sees: {label}. You can end it under "
                + "Groups.", values)
            : t("A program can see what the group {name} sees: {label}. You can end it under Groups.", values);
    case "observer-ended":
        return t("Your program {label} was ended: it no longer sees the group {name}.", values);
    case "friend-added": return t("{who} added you as a friend.", values);
    case "location-shared": return t("{who} is sharing their location with you.", values);
    case "new-login": return t("{device} has logged in to your account. If this wasn't you, change your "
        + "password and log it out.", values);
    case "logged-out": return loggedOut(values);
    case "password-changed": return t("Your password was changed. If this wasn't you, contact the operator of "
        + "this server.");
    case "password-forgotten":
        return t("A new password was requested for your account. A link was sent to your address. If "
            + "this wasn't you, do nothing: no one can get in without that email.");
    case "email-changed": return t("Your account's address was changed.");
    case "second-factor-on": return t("Logging in to your account now requires a code.");
    case "second-factor-off": return t("Logging in to your account no longer requires a code.");
    case "sharing-ended": return t("{name} no longer sees where you are: the sharing period is over.", values);
    case "channel-added": return t("{label} now receives your notifications. If this wasn't you, remove it.", values);
    case "channel-lost": return t("{label} can no longer be reached: turn notifications back on there.", values);
    case "channel-removed": return t("{label} no longer receives your notifications.", values);
    case "passkey-added": return t("The passkey {label} can now log in to your account. If this wasn't you, "
        + "remove it.", values);
    case "passkey-removed": return t("The passkey {label} can no longer log in to your account.", values);
    case "consent-requested": return t("{name} requests your data. Answer under Me, Services.", values);
    case "number-claimed": return t("Another user has entered the same social security number as you. Requests "
        + "by that number reach both of you. If yours is right, contact the operator of this server.");
    case "service-added": return t("{name} now has access to your data. If this wasn't you, revoke "
        + "access under Me, Services.", values);
    case "service-ended": return t("{name} of {company} no longer exists and can no longer read your data.",
        { ...values, company: notice.company });
    case "are-you-all-right": return t("Your vital signs were unusual: you were asked whether you are "
        + "all right.");
    case "question-over": return t("Your vital signs are no longer unusual. No one was called.");
    case "help-called": return t("Help was called for you because of your vital signs. If you can, call "
        + "the emergency number yourself.");
    case "help-acknowledged": return t("Dispatch has acknowledged the call for you: help is on its way. If you "
        + "no longer need help, say so.");
    case "help-closed": return t("Dispatch has closed the call for you. If you no longer need help, say so: "
        + "your vital signs are then watched again.");
    case "help-called-off": return t("You said that you no longer need help, and dispatch is being notified. "
        + "If this wasn't you, call for help again.");
    case "help-unanswered": return t("No dispatcher has answered the call for you. If you can, call the "
        + "emergency number yourself.");
    case "vitals-silent": return t("No vital signs from you since {time}: no one would notice if you "
        + "needed help. Is your watch on?", { time: dateTime(notice.since) });
    case "monitoring-started": return t("Your vital signs are now being watched. If this wasn't you, change "
        + "your password.");
    case "monitoring-changed": return t("The monitoring of your vital signs was changed. If this wasn't "
        + "you, change your password.");
    case "monitoring-ended": return t("Your vital signs are no longer watched: no one is called because of "
        + "them. If this wasn't you, change your password.");
    case "maintenance-cancelled":
        return t("The maintenance from {from} to {to} is cancelled: your vital signs will be watched then.",
            { from: dateTime(notice.from), to: dateTime(notice.to) });
    case "maintenance": return [
        notice.moved ? t("The maintenance time has changed.") : "",
        t("From {from} to {to} your vital signs are not watched, and no help is called because of them.",
            { from: dateTime(notice.from), to: dateTime(notice.to) }),
        notice.text, notice.late ? t("This was announced late.") : "",
    ].filter(Boolean).join(" ");
    case "run-cancelled": return t("The run {name} will not take place.", values);
    case "run-changed": return t("The run {name} has been changed. Check its details.", values);
    case "run-starting": return t("The run {name} starts {time}. From then until you finish, everyone "
        + "sees where you are on the course.", { name: notice.name, time: dateTime(notice.startsAt) });
    case "reminder": return `${notice.placeName}: ${notice.text}`;
    case "place-arrived": return t("{who} has arrived at {placeName}, at {time}.",
        { ...values, time: moment(notice.crossedAt) });
    case "place-left": return t("{who} has left {placeName}, at {time}.",
        { ...values, time: moment(notice.crossedAt) });
    case "place-missed": return notice.known
        ? t("{who} was not at {placeName} by {time}.", { ...values, time: moment(notice.dueAt) })
        : t("{who} was not seen at {placeName} by {time}. Their location is unknown.",
            { ...values, time: moment(notice.dueAt) });
    case "place-rule-asked": return t("{who} wants someone notified when you arrive at, leave or are "
        + "not at {placeName}. No one is notified unless you agree.", values);
    case "place-rule-agreed": return t("{who} agrees to your rule for {placeName}.", values);
    case "place-rule-refused":
        return t("{who} does not agree to your rule for {placeName}: it notifies no one about them.", values);
    case "place-rule-ended":
        return t("A rule for {placeName} has ended: it no longer notifies anyone.", values);
    case "place-changed": return changedPlace(notice, values);
    case "nobody-left": return notice.but ? t("Only {who} is left in your groups after others were "
        + "removed: an SOS would reach no one else. Invite someone, or call the emergency number "
        + "yourself.", values)
        : t("No one else is left in any of your groups: an SOS would reach no one. Invite someone, or call the "
        + "emergency number yourself.");
    case "helper-coming": return t("{name} is coming.", { name: who });
    case "helper-not-coming": return t("{name} is not coming after all.", { name: who });
    case "helper-called": return t("{name} has called the emergency number.", { name: who });
    case "call-over": return t("A call for help that you made before ending the SOS arrived late. No one was "
        + "alerted: if you still need help, call again.");
    case "clock-wrong": return clockWrong(values);
    case "vitals-back": return t("Your vital signs are being received again.");
    case "sharing-reminder": return reminder(notice, groups);
    default: return t("News: {kind}.", { kind: String(notice.kind).replaceAll("-", " ") });
    }
}

function reminder({ since, groups: seeing = [], friends = 0 }, groups) {
    const names = seeing.map((group) => groups.get(group)?.name ?? t("a group"));
    const parts = [...names];
    if (friends > 0) parts.push(tn(friends, "1 friend", "{count} friends"));
    return t("You are still sharing your location with {list}, unchanged since {time}.", {
        list: together(parts), time: dateTime(since),
    });
}

/// `ahead`: by how many seconds, negative for slow; missing: the device's fixes are refused.
function clockWrong({ device, ahead }) {
    if (!Number.isFinite(ahead)) {
        return t("The clock of your device {device} is wrong, so its positions are rejected.",
            { device });
    }
    const values = { device, minutes: number(Math.round(Math.abs(ahead) / 60)) };
    if (Math.abs(ahead) > MOST_S) {
        return t("The clock of your device {device} is wrong. Kith corrects the times of its positions.",
            { device });
    }
    return ahead > 0 ? t("The clock of your device {device} is {minutes} min fast.", values)
        : t("The clock of your device {device} is {minutes} min slow.", values);
}

function loggedOut(values) {
    switch (values.why) {
    case "room": return t("{device} was logged out because another device logged in.", values);
    case "left":
        return t("{device} was logged out because you are no longer in your organisation's directory.", values);
    case "unconfirmed":
        return t("{device} was logged out: log in again with your organisation's password.", values);
    default: return t("{device} was logged out because it hadn't been used for a long time.", values);
    }
}

/// What has changed for the reader, and what needs their confirmation.
function changedPlace({ was, placeName, metres, radius, radiusWas, rule }, values) {
    return [
        was === placeName ? t("{who} has changed the place {placeName}.", values)
            : t("{who} has changed the place {was}: it is now called {placeName}.", values),
        metres > 0 ? t("It is {distance} from where it was.", { distance: distance(metres) }) : "",
        radius === radiusWas ? "" : t("Its radius is now {distance}, and was {before}.",
            { distance: distance(radius), before: distance(radiusWas) }),
        rule ? t("Your rules there report no arrivals until you confirm it.") : "",
    ].filter(Boolean).join(" ");
}
