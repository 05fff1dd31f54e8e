/// The details in a selected person's row: help in an SOS, coordinates, following, and the path.

import { h, toggle, write } from "../dom.js";
import { coordinates } from "../format.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { store } from "../store.js";

export function makeDetails(app, user) {
    const help = h("div", { class: "member-help", hidden: true });
    const place = h("p", { class: "small muted numbers" });
    const follow = h("button", {
        type: "button", class: "button",
        onclick: () => app.people.follow(store.state.followed === user ? null : user),
    }, icon("follow", 20), t("Follow"));
    const gpx = h("a", { class: "button", download: true }, icon("download", 20), "GPX");
    const json = h("a", { class: "button", download: true }, icon("download", 20), "GeoJSON");
    let card = null;
    let newest = null;

    /// The help module is loaded only when an emergency is viewed.
    async function showHelp(member) {
        newest = member;
        help.hidden = false;
        try {
            card ??= import("../help/card.js").then(({ helpCard }) => {
                const made = helpCard(app, user);
                help.append(made.element);
                return made;
            });
            (await card).update(newest);
        } catch {
            card = null;
        }
    }

    return {
        element: h("div", { class: "member-more" }, help, place,
            h("div", { class: "row" }, follow, gpx, json)),
        update({ group, hasPath, isFollowed, isMe, member }) {
            const { fix } = member;
            if (member.state === "sos" && !isMe) showHelp(member);
            else help.hidden = true;
            write(place, fix ? coordinates(fix) : "");
            follow.hidden = !fix;
            toggle(follow, "aria-pressed", String(isFollowed));
            gpx.hidden = member.kind === "friend"
                || (!hasPath && !["routing", "sos"].includes(member.state));
            json.hidden = gpx.hidden;
            const base = `/api/groups/${encodeURIComponent(group ?? "")}/members/`
                + `${encodeURIComponent(user)}/path`;
            toggle(gpx, "href", `${base}.gpx`);
            toggle(json, "href", `${base}.geojson`);
            const name = { name: member.name };
            toggle(gpx, "aria-label", t("Path of {name} as GPX", name));
            toggle(json, "aria-label", t("Path of {name} as GeoJSON", name));
        },
    };
}
