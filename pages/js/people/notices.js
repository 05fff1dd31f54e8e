/// What the service has told me, the newest first, and what of it I have not seen.

import { h, replace } from "../dom.js";
import { problemText } from "../form.js";
import { dateTime, moment } from "../format.js";
import { makeReceived } from "../invitations/received.js";
import { t } from "../language.js";
import { past } from "../past.js";
import { nameOf } from "../store.js";

export function makeNotices(app) {
    const list = h("ul", { class: "list" });
    const older = h("button", {
        type: "button", class: "button wide", onclick: () => loadOlder(),
    }, "Show older news");
    const element = h("section", { class: "card", "aria-labelledby": "notices-title" },
        h("h2", { id: "notices-title" }, "News"), list, older);
    const received = makeReceived(app, () => { if (last) show(last); });
    let last = null;
    let shown = "";
    /// The newest notice that the server knows to be seen, or was asked to.
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

    /// Whoever looks at the list has seen it, on all devices. Visitors of the demo share an account.
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
                    ? null : [" ", h("span", { class: "badge accent" }, "new")]))));
    }

    return {
        element,
        /// Loads what can still be answered.
        load: () => received.load(),
        update(state) {
            last = state;
            received.learn(state.notices);
            show(state);
            markSeen(state);
        },
        /// What was shown as new has been looked at.
        leave(store) {
            if (!seenThrough) return;
            store.change((state) => {
                state.notices = state.notices.map((notice) => (
                    notice.id <= seenThrough ? { ...notice, seen: true } : notice));
            });
        },
    };
}

/// A link to where one can answer a notice, or see more of it; null if there is none.
function wayTo({ kind, rule, place }) {
    const [view, words] = kind === "place-rule-asked" ? [`own/${rule}`, "Agree or refuse"]
        : kind === "reminder" ? [place, "Show the place"] : [];
    if (!view) return null;
    return h("p", null, h("a", { class: "button", href: `#places/${view}` }, words));
}

/// A notice as a sentence.
export function noticeWords(notice, { groups, me }) {
    const who = notice.name ?? notice.user;
    // The service notifies both sides.
    const isMine = notice.by !== undefined && notice.by === me?.user;
    const by = notice.by === undefined ? "" : ` by ${nameOf(notice.by)}`;
    switch (notice.kind) {
    case "added-to-group":
        if (notice.by !== undefined && notice.by === notice.user) {
            return `${notice.userName} has accepted your invitation to the group ${notice.name}.`;
        }
        return isMine
            ? `You added ${notice.userName ?? "somebody"} to the group ${notice.name}.`
            : `You were added to the group ${notice.name}${by}.`;
    case "invited-to-group":
        return `${notice.userName ?? "Somebody"} invites you to the group ${notice.name}.`;
    case "removed-from-group": return `You were removed from the group ${notice.name}${by}.`;
    case "friend-added": return `${who} added you as a friend.`;
    case "location-shared": return `${who} shows you where they are.`;
    case "new-login": return `${notice.device} has logged in to your account. Was it not you? `
        + "Change your password, and log it out.";
    case "logged-out": return `${notice.device} was logged out${whyLoggedOut(notice.why)}.`;
    case "password-changed": return "Your password was changed. Was it not you? Tell whoever runs "
        + "this server.";
    case "password-forgotten":
        return "Somebody has asked for a new password for your account. A link was sent to your "
            + "address. Was it not you? Nobody gets in without that mail.";
    case "email-changed": return "The address of your account was changed.";
    case "second-factor-on": return "Logging in to your account needs a code from now on.";
    case "second-factor-off": return "Logging in to your account needs no code any more.";
    case "sharing-ended": return `${notice.name} no longer sees where you are: the time is over.`;
    case "channel-added": return `${notice.label} is told your news from now on. `
      + "Was it not you? Remove it.";
    case "channel-removed": return `${notice.label} is told none of your news any longer.`;
    case "passkey-added": return `The passkey ${notice.label} lets in to your account from now on. `
        + "Was it not you? Remove it.";
    case "passkey-removed": return `The passkey ${notice.label} no longer lets in to your account.`;
    case "consent-requested": return `${notice.name} asks for your data. Answer it under Me, Services.`;
    case "service-added": return `${notice.name} may have your data from now on. `
        + "Was it not you? Take it back under Me, Services.";
    case "are-you-all-right": return "Your vital signs were unusual: you were asked whether you are "
        + "all right.";
    case "question-over": return "Your vital signs are as usual again. Nobody was called.";
    case "help-called": return "Help was called for you, because of your vital signs. If you can, call "
        + "the emergency number yourself.";
    case "vitals-silent": return `No vital signs of yours have come since ${dateTime(notice.since)}: `
        + "nobody would notice if you needed help. Is your watch on?";
    case "monitoring-started": return "Your vital signs are watched from now on. Was it not you? Change "
        + "your password.";
    case "monitoring-changed": return "What counts as dangerous in your vital signs was changed. Was it "
        + "not you? Change your password.";
    case "monitoring-ended": return "Your vital signs are no longer watched: nobody is called because of "
        + "them. Was it not you? Change your password.";
    case "maintenance": return `From ${dateTime(notice.from)} to ${dateTime(notice.to)} nobody watches your `
        + `vital signs, and no help is called because of them. ${notice.text}`
        + `${notice.late ? " This was announced late." : ""}`;
    case "run-cancelled": return `The run ${notice.name} will not take place.`;
    case "run-changed": return `The run ${notice.name} has been changed. Look at it again.`;
    case "run-starting": return `The run ${notice.name} starts ${dateTime(notice.startsAt)}. From then until `
        + "you finish everybody sees where you are on the course.";
    case "reminder": return `${notice.placeName}: ${notice.text}`;
    case "place-arrived": return `${who} has arrived at ${notice.placeName}, at ${moment(notice.crossedAt)}.`;
    case "place-left": return `${who} has left ${notice.placeName}, at ${moment(notice.crossedAt)}.`;
    case "place-missed": return notice.known
        ? `${who} was not at ${notice.placeName} by ${moment(notice.dueAt)}.`
        : `${who} was not seen at ${notice.placeName} by ${moment(notice.dueAt)}. It is not known where they `
            + "are.";
    case "place-rule-asked": return `${who} asks that somebody is told when you arrive at, leave or are not `
        + `at ${notice.placeName}. Nobody is told before you agree.`;
    case "place-rule-agreed": return `${who} agrees to your rule for ${notice.placeName}.`;
    case "place-rule-refused": return `${who} does not agree to your rule for ${notice.placeName}: nobody `
        + "is told of them.";
    case "place-rule-ended": return `A rule for ${notice.placeName} has ended: nobody is told by it any longer.`;
    case "helper-coming": return t("{name} is coming.", { name: who });
    case "helper-not-coming": return t("{name} is not coming after all.", { name: who });
    case "helper-called": return t("{name} has called the emergency number.", { name: who });
    case "vitals-back": return "Your vital signs come again.";
    case "sharing-reminder": return reminder(notice, groups);
    default: return `News: ${String(notice.kind).replaceAll("-", " ")}.`;
    }
}

function reminder({ since, groups: seeing = [], friends = 0 }, groups) {
    const names = seeing.map((group) => groups.get(group)?.name ?? "a group");
    const parts = [...names];
    if (friends > 0) parts.push(friends === 1 ? "one friend" : `${friends} friends`);
    return `You are still showing where you are to ${parts.join(", ")}, unchanged since `
        + `${dateTime(since)}.`;
}

function whyLoggedOut(why) {
    switch (why) {
    case "room": return ", because another device has logged in";
    case "left": return ", because your organisation does not know you any more";
    case "unconfirmed": return ": log in again with your organisation's password";
    default: return ", because it was not used for long";
    }
}
