/// Combines the alerts about one emergency into one entry, however many there are and in however many
/// groups.

import { isSOS } from "../sos-state.js";

const PARTS = ["sos", "in-need", "unanswered", "assisted", "sos-stopped", "sos-left"];
/// How long after its end alerts of other groups still belong to an emergency.
const TOLERANCE_MS = 10_000;

/// Whether it is part of an emergency, and has no entry of its own.
export const isPart = ({ kind, user }) => PARTS.includes(kind) && Boolean(user);

/// `[{key,user,name,isMedical,startedAt,endedAt,leftAt,alerts}]`, the newest first.
///
/// - `startedAt` is null if the beginning is not loaded; `endedAt`: when the person confirmed that
///   they are safe; `leftAt`: when they left the last of the alerted groups.
/// - Parameter alerts: of all kinds, in any order.
export function gatherEmergencies(alerts) {
    const stories = [];
    const current = new Map();
    const ordered = alerts.filter(isPart).sort((a, b) => order(a) - order(b) || (a.id < b.id ? -1 : 1));
    for (const alert of ordered) {
        let story = current.get(alert.user);
        if (!story || !belongs(alert, story)) {
            story = {
                key: `emergency ${alert.id}`, user: alert.user, name: alert.name, isMedical: false,
                startedAt: null, endedAt: null, leftAt: null, alerts: [],
            };
            stories.push(story);
            current.set(alert.user, story);
        }
        add(alert, story);
    }
    return stories.reverse();
}

function order({ at }) {
    return Date.parse(at);
}

function belongs(alert, story) {
    const isLate = story.endedAt !== null && order(alert) - Date.parse(story.endedAt) > TOLERANCE_MS;
    if (isLate) return false;
    // A group is called once; again only by repeating the same alert.
    return !isSOS(alert)
        || !story.alerts.some((other) => isSOS(other) && other.group === alert.group);
}

function add(alert, story) {
    story.alerts.push(alert);
    story.name = alert.name;
    if (isSOS(alert)) {
        story.startedAt ??= alert.at;
        story.isMedical ||= alert.kind === "in-need";
    }
    if (alert.kind === "sos-stopped") story.endedAt ??= alert.at;
    const isLeft = ({ kind }) => kind === "sos-left";
    const groups = (isMeant) => new Set(story.alerts.filter(isMeant).map(({ group }) => group));
    const left = groups(isLeft);
    const hasLeftAll = [...groups(isSOS)].every((group) => left.has(group));
    story.leftAt = left.size > 0 && hasLeftAll
        ? story.alerts.findLast(isLeft).at : null;
}
