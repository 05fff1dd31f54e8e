/// Which friends are nearby.

import { h, replace, svg, write } from "../dom.js";
import { problemText } from "../form.js";
import { age, bearing, distance, number, usesMiles } from "../format.js";
import { geolocation } from "../geolocation.js";
import { t, tn } from "../language.js";
import { METRES_PER_MILE } from "../units.js";

const RADII = (usesMiles ? [1, 5, 20, 100, 1000] : [1, 5, 20, 100, 1000])
    .map((count) => count * (usesMiles ? METRES_PER_MILE : 1000));
const USUAL_RADIUS = RADII[2];
/// How long this device may search for its position before the server's newest is used instead.
const PATIENCE_MS = 8_000;

export function makeNearby(app) {
    const radius = h("select", { id: "nearby-radius" }, RADII.map((metres) =>
        h("option", { value: String(metres) }, distance(metres))));
    radius.value = String(USUAL_RADIUS);
    const status = h("p", { class: "small muted", role: "status" });
    const error = h("p", { class: "error", role: "alert" });
    const list = h("ul", { class: "list" });
    const find = h("button", { type: "submit", class: "button primary" }, t("Find"));
    const form = h("form", {
        class: "row bottom",
        onsubmit: async (event) => {
            event.preventDefault();
            find.disabled = true;
            write(error, "");
            write(status, t("Looking…"));
            await search();
            find.disabled = false;
        },
    },
        h("div", { class: "field grow" },
            h("label", { for: "nearby-radius" }, t("Within")), radius),
        find);

    async function search() {
        const metres = Number(radius.value);
        try {
            const fix = await ownPosition();
            const { friends, total } = await app.call("friend.nearby", {
                radius: metres, ...(fix ? { fix } : {}),
            });
            write(status, [
                total > 0 ? tn(total, "1 friend within {distance}.", "{count} friends within {distance}.",
                    { count: number(total), distance: distance(metres) })
                    : t("No friend who shares with you is within {distance}.", { distance: distance(metres) }),
                total > friends.length
                    ? tn(friends.length, "The nearest is shown.", "The nearest {count} are shown.") : "",
                fix ? "" : t("Measured from your newest position on the server."),
            ].filter(Boolean).join(" "));
            replace(list, friends.map(row));
        } catch (problem) {
            write(status, "");
            replace(list);
            write(error, problemText(problem));
        }
    }

    function row({ user, name, distance: metres, bearing: angle, fix }) {
        const values = { distance: distance(metres), direction: angle === null ? "" : bearing(angle) };
        return h("li", null, h("div", { class: "row nearby" },
            angle === null ? null : arrow(angle),
            h("div", { class: "grow" },
                h("strong", { class: "break" }, name ?? user),
                h("p", { class: "small muted" },
                    [
                        angle === null ? t("right here") : t("{distance} {direction} of you", values),
                        age(fix.timestamp),
                    ].join(" · "))),
            h("button", {
                type: "button", class: "button", onclick: () => app.showPoint(fix),
                "aria-label": t("{name}: show on the map", { name: name ?? user }),
            }, t("Map"))));
    }

    return {
        element: h("section", { class: "card", "aria-labelledby": "nearby-title" },
            h("h2", { id: "nearby-title" }, t("Friends nearby")), form, status, error, list),
    };
}

/// This device's position, or null.
async function ownPosition() {
    try {
        const { timestamp: _, ...fix } = await geolocation.locate({ patience: PATIENCE_MS });
        return fix;
    } catch {
        return null;
    }
}

function arrow(angle) {
    return svg("svg", {
        viewBox: "0 0 24 24", width: 28, height: 28, "aria-hidden": "true", class: "bearing",
        style: { rotate: `${angle}deg` },
    }, svg("path", { d: "M12 3 18.5 20 12 16.5 5.5 20z" }));
}
