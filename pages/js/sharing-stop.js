/// Ends sharing with a group, after asking what to do with the last position.

import { isolate } from "./bidi.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { moment } from "./format.js";
import { geolocation } from "./geolocation.js";
import { t } from "./language.js";
import { locationOff } from "./people/location-off.js";

/// - Parameter fix: the position that the group has, or null.
/// - Returns: whether sharing has ended.
export async function stopSharing(app, group, fix) {
    const wish = fix ? await askWhatStays(isolate(group.name), fix) : "keep";
    if (!wish) return false;
    if (wish === "remove") {
        app.say(await locationOff(app, {}), "good");
        return true;
    }
    await app.call("sharing.stop", { groups: [group.group] });
    const isSeen = await isSeenElsewhere(app);
    if (!isSeen) geolocation.stop();
    app.say(isSeen
        ? t("{group} sees nothing new from you. This device keeps sending: others still see you.",
            { group: isolate(group.name) })
        : t("{group} sees nothing new from you. This device has stopped sending.",
            { group: isolate(group.name) }));
    return true;
}

/// Whether anyone still sees where I am. Assumed if it cannot be determined: others may rely on it.
async function isSeenElsewhere(app) {
    try {
        return (await app.call("sharing.list")).watchers.length > 0;
    } catch {
        return true;
    }
}

/// `keep`, `remove`, or null if the person cancelled.
function askWhatStays(group, fix) {
    return new Promise((resolve) => {
        let wish = null;
        const answer = (value) => () => {
            wish = value;
            close();
        };
        const close = openDialog(t("Keep my last position visible?"), [
            h("p", null, t("From now on {group} sees nothing new from you. Your last position, from "
                + "{time}, stays visible unless you remove it.",
            { group, time: moment(fix.timestamp) })),
            h("p", { class: "small muted" }, t("Removing it turns your location off altogether: "
                + "for all groups, friends, links and services.")),
            h("div", { class: "stack tight" },
                h("button", {
                    type: "button", class: "button primary wide", onclick: answer("keep"),
                }, t("Stop and keep it visible")),
                h("button", {
                    type: "button", class: "button danger wide", onclick: answer("remove"),
                }, t("Stop and remove it")),
                h("button", {
                    type: "button", class: "button quiet wide", onclick: () => close(),
                }, t("Keep sharing"))),
        ], { closed: () => resolve(wish) });
    });
}
