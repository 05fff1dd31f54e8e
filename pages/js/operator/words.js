/// The operator's page in words: the service, its disk and backups, and devices; never more than is
/// known.

import { serverNow } from "../clock.js";
import { age, date, duration, moment, number, percent, together } from "../format.js";
import { HOUR_MS } from "../units.js";

/// Age at which the service raises the concern `backup-old`: a backup is made every night, give or
/// take.
const BACKUP_OLD_MS = 26 * HOUR_MS;

const STATES = {
    well: ["good", "Well", "Kith is running. Nothing needs attention."],
    concerned: ["warning", "Attention", "Kith is running. Something needs attention:"],
    degraded: ["warning", "Degraded", "Kith is running with reduced function."],
    sparing: ["danger", "Disk full", "The disk is full: only calls for help are stored and passed on."],
    "no-bridge": ["danger", "No bridge",
        "The bridge is down. Messages from phones wait at the broker, and no one is notified, not even "
        + "of a call for help."],
    "no-broker": ["danger", "No broker",
        "The broker is not answering the page. If it is down, nothing that phones send arrives, not even "
        + "a call for help."],
};

/// `{look,label,text}` of a status; `look`: a class of badges.
///
/// - Parameter concerns: how many there are.
export function statusOf(status, concerns = 0) {
    const [look, label, text] = STATES[status === "well" && concerns > 0 ? "concerned" : status]
        ?? ["warning", status, `The status of the service is “${status}”.`];
    return { look, label, text };
}

/// `{text,isOld}`.
///
/// - Parameter lastBackup: null if there never was one; undefined if that is not known.
export function backupOf(lastBackup, now = serverNow()) {
    if (lastBackup === undefined) return { text: "not known", isOld: false };
    if (lastBackup === null) return { text: "never", isOld: true };
    const isOld = now - Date.parse(lastBackup) > BACKUP_OLD_MS;
    const words = `${age(lastBackup, now)} (${moment(lastBackup, now)})`;
    return { text: isOld ? `${words}: older than a day` : words, isOld };
}

/// "12 GB free of 200 GB (6%)"; null if it is not known.
export function diskWords(free, total) {
    if (free === undefined) return null;
    if (!total) return `${bytes(free)} free`;
    return `${bytes(free)} free of ${bytes(total)} (${percent(100 * free / total)})`;
}

/// As `kith status` counts them.
export function bytes(count) {
    const [shift, unit] = count < 10 * 2 ** 20 ? [10, "KB"] : count < 10 * 2 ** 30 ? [20, "MB"] : [30, "GB"];
    return `${number(Math.floor(count / 2 ** shift))}\u00a0${unit}`;
}

/// When a device was last seen, which the server knows to the hour.
export function seenWords(lastSeen, now = serverNow()) {
    if (!lastSeen) return "last seen: unknown";
    const at = Date.parse(lastSeen);
    if (now - at < HOUR_MS) return "seen within the last hour";
    if (now - at < 2 * HOUR_MS) return "seen within the last two hours";
    return `last seen ${age(at, now)} (${moment(at, now)})`;
}

/// The most recent of a person's devices, in short.
export function personSeen(devices, now = serverNow()) {
    if (devices.length === 0) return "no device";
    const times = devices.map(({ lastSeen }) => lastSeen).filter(Boolean).sort();
    return times.length === 0 ? "last seen: unknown" : seenWords(times.at(-1), now);
}

/// "3 members".
export function counted(count, one, many) {
    return `${number(count)}\u00a0${count === 1 ? one : many}`;
}

/// The rows of the service's facts, `[name, value, look?]`; unknown ones are omitted, except for
/// backups.
export function factsOf(state, now = serverNow()) {
    const backup = backupOf(state.lastBackup, now);
    return [
        ["Last backup", backup.text, backup.isOld ? "warning-text" : ""],
        ["Disk", diskWords(state.diskFreeBytes, state.diskTotalBytes)],
        ["Database", state.databaseBytes === undefined ? null : bytes(state.databaseBytes)],
        ["Connections to the broker", state.connections],
        ["Bridge up for", state.uptimeSeconds === undefined ? null : duration(state.uptimeSeconds * 1000)],
        ["Version", `${state.version} (${state.commit || "development"})`],
    ].filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value, look = ""]) => [name, typeof value === "number" ? number(value) : value, look]);
}

/// What happened to the devices of a user who was logged out.
///
/// - Parameters:
///   - kept: devices that stay logged in.
///   - isDisabled: whether they stay only as long as groups rely on them.
export function endedWords(ended, kept, isDisabled = false) {
    const words = ended === 0 ? "No device was logged out."
        : `${counted(ended, "device is", "devices are")} logged out.`;
    if (kept.length === 0) return words;
    const names = together(kept);
    const [stays, its, it] = kept.length === 1 ? ["stays", "its", "it"] : ["stay", "their", "them"];
    return isDisabled ? `${words} ${names} ${stays} logged in until ${its} SOS or journey ends.`
        : `${words} ${names} ${stays} logged in: groups rely on ${it} at this moment, in an SOS or on a journey.`;
}

/// The kind of account, for a badge; null for a person's.
export function kindWords(kind) {
    return { company: "Company", service: "Service" }[kind] ?? kind ?? null;
}

/// Whether a person has a password, and whose it is.
export function passwordWords({ hasPassword, directory }) {
    if (directory) return "They log in with their organisation’s password, which is changed there.";
    return hasPassword ? "A link lets them choose a new password."
        : "They have no password in Kith. A link lets them choose one.";
}

/// Since when a user is disabled.
export function disabledWords(disabledAt) {
    return `Disabled since ${date(disabledAt)}: no one can log in as them, and nothing is sent to them.`;
}

/// A user name for a person's name: "José Núñez" may be `jose-nunez`. Empty if there is none in it.
export function suggestedUser(name) {
    const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    const user = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+/, "").slice(0, 32).replace(/-+$/, "");
    return user.length < 2 ? "" : user;
}

/// The user names in a text, between spaces or commas.
export function usersIn(text) {
    return text.split(/[\s,;]+/).filter(Boolean);
}
