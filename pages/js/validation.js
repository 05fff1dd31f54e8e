/// Validates external input, returning a form that the page can show, or null: one malformed
/// message must not keep the views from showing all others.

import { distinct } from "./known/look-alike.js";

/// A list of `{group,name}`.
export function groupsOf(value) {
    return listOf(value, ({ group, name }) => isText(group) && isText(name));
}

/// `{name,members:[{user,name}],observers:[{observer,name,by,since}]}`
export function groupOf(value) {
    if (!isObject(value) || !isText(value.name)) return null;
    return {
        name: value.name,
        members: distinct(listOf(value.members, isPerson)),
        observers: listOf(value.observers, ({ observer, name, by, since }) =>
            [observer, name, by].every(isText) && isTime(since)),
    };
}

/// A MemberState; an impossible position or journey is omitted.
export function stateOf(value) {
    if (!isObject(value) || !isPerson(value) || !isText(value.state)) return null;
    if (!Number.isFinite(value.version)) return null;
    const { journey } = value;
    return {
        ...value,
        online: value.online === true,
        warnings: Array.isArray(value.warnings) ? value.warnings.filter(isText) : [],
        phone: isPhone(value.phone) ? value.phone : undefined,
        responses: responsesOf(value.responses),
        since: isTime(value.since) ? value.since : new Date(0).toISOString(),
        leftAt: isTime(value.leftAt) ? value.leftAt : undefined,
        fix: fixOf(value.fix),
        // Without a destination it is a check-in.
        journey: isObject(journey) && isTime(journey.eta)
            && (journey.destination === undefined || isPlace(journey.destination))
            ? journey : undefined,
    };
}

/// A Fix.
export function fixOf(value) {
    return isPlace(value) && isTime(value.timestamp) ? value : null;
}

/// A path segment; invalid positions are omitted.
export function segmentOf(value) {
    if (!isObject(value) || !Array.isArray(value.points)) return null;
    const points = value.points.filter((point) => Array.isArray(point) && point.length >= 3
        && point.every(Number.isFinite));
    return { ...value, points };
}

/// An Alert; only one about a deleted account has no user.
export function alertOf(value) {
    if (!isEvent(value) || !isText(value.group)) return null;
    if (!isPerson(value) && (value.user ?? value.name ?? null) !== null) return null;
    const { text, acknowledgedBy, journey, number } = value;
    return {
        ...value,
        text: isText(text) ? text : "",
        number: isPhone(number) ? number : undefined,
        fix: fixOf(value.fix),
        journey: isObject(journey) && [undefined, null].includes(journey.destination)
            || isPlace(journey?.destination) ? journey : undefined,
        acknowledgedBy: Array.isArray(acknowledgedBy) ? acknowledgedBy.filter(isText) : [],
        responses: responsesOf(value.responses),
    };
}

function responsesOf(value) {
    return listOf(value, (each) => isPerson(each) && isText(each.kind) && isTime(each.at));
}

export function messageOf(value) {
    if (!isEvent(value) || !isText(value.group)) return null;
    return [value.from, value.name, value.text].every(isTextOrNothing) ? value : null;
}

export function noticeOf(value) {
    if (!isEvent(value)) return null;
    const { name, user, userName, by, device, why, label } = value;
    if (![name, user, userName, by, device, why, label].every(isTextOrNothing)) return null;
    const since = isTime(value.since) ? value.since : value.at;
    const groups = Array.isArray(value.groups) ? value.groups.filter(isText) : [];
    return { ...value, since, groups, friends: Number.isFinite(value.friends) ? value.friends : 0 };
}

function listOf(value, isRight) {
    return Array.isArray(value) ? value.filter((each) => isObject(each) && isRight(each)) : [];
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";
const isTextOrNothing = (value) => value === undefined || value === null || isText(value);
const isTime = (value) => isText(value) && !Number.isNaN(Date.parse(value));
/// A telephone number, valid for a link.
const isPhone = (value) => isText(value) && /^\+?[\d\s().-]{2,24}$/.test(value);
const isPerson = ({ user, name }) => isText(user) && isText(name);

function isEvent(value) {
    return isObject(value) && isText(value.id) && isText(value.kind) && isTime(value.at);
}

function isPlace(value) {
    return isObject(value) && Math.abs(value.latitude) <= 90 && Math.abs(value.longitude) <= 180
        && Number.isFinite(value.latitude) && Number.isFinite(value.longitude);
}
