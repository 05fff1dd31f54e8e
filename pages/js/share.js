/// The page for people without an account who have a link: shows a position or a journey until the
/// link ends.

import * as L from "/leaflet/leaflet.esm.js";
import { config } from "./api.js";
import { serverNow } from "./clock.js";
import { h, write } from "./dom.js";
import { age, coordinates, dateTime, moment } from "./format.js";
import { icon } from "./icons.js";
import { warned } from "./known/accuracy.js";
import { t } from "./language.js";
import { makeMap } from "./map/base.js";
import { circleOf, cornersOf } from "./map/corners.js";
import { store } from "./store.js";
import { follow } from "./share-links/stream.js";

const TICK_MS = 5_000;
const AGAIN_MS = 5_000;
const CLOSE_ZOOM = 15;

const title = h("h1", { class: "break" }, t("Opening the link …"));
const plan = h("p", { class: "break", hidden: true });
const position = h("p", { role: "status" });
const end = h("p", { class: "small muted" });
const area = h("div", { class: "map", role: "region", "aria-label": t("Map") });
const element = h("main", { class: "viewer" },
    h("header", null, title, plan), h("div", { class: "map-area" }, area),
    h("footer", null, position, end));
document.getElementById("app").append(element);

const map = makeMap(area);
const person = L.circleMarker([0, 0], { radius: 9, className: "me-dot", interactive: false });
const circle = L.circle([0, 0], { radius: 1, className: "me-circle", interactive: false });
const goal = L.marker([0, 0], {
    icon: L.divIcon({
        className: "person-icon", html: h("div", { class: "flag-marker" },
            h("span", { class: "flag-pole" }, icon("flag", 20))),
        iconSize: [32, 32], iconAnchor: [16, 16],
    }),
    keyboard: false, interactive: false,
});

/// What the link shows; null if that is not known.
let view = null;
let isLive = false;
let isOver = false;
let isFitted = false;

config().then((value) => store.change((state) => { state.config = value; })).catch(() => {});
setInterval(show, TICK_MS);
window.addEventListener("hashchange", () => location.reload());
open();

async function open() {
    const token = location.hash.slice(1);
    const answer = await ask(token);
    if (!answer) return;
    if (answer.refusal) return finish(answer.refusal);
    await follow({
        ...answer,
        heard(payload) {
            if (payload === null) return finish(t("It has ended."));
            view = payload;
            show();
        },
        connected(value) {
            isLive = value;
            show();
        },
    });
    finish(t("It has ended."));
}

/// Opens the link: `{topic,token}`, or `{refusal}`.
async function ask(token) {
    for (;;) {
        try {
            const response = await fetch("/api/share.open", {
                method: "POST", body: JSON.stringify({ token }), credentials: "omit",
                headers: { "Content-Type": "application/json" },
            });
            const answer = await response.json();
            if (response.ok) return answer;
            if (response.status === 404) return { refusal: answer.detail };
            if (response.status === 422) {
                return { refusal: t("It is incomplete. Ask for it again.") };
            }
            write(title, t("The link cannot be opened now. Trying again …"));
        } catch {
            write(title, t("The server is not responding. Trying again …"));
        }
        await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
    }
}

/// Shows nothing from now on, including after going back to this page.
function finish(reason) {
    isOver = true;
    view = null;
    for (const part of [person, circle, goal]) part.remove();
    element.dataset.ended = "";
    document.title = t("Shared with you – Kith");
    write(title, t("This link no longer shows anything."));
    plan.hidden = true;
    write(position, reason);
    write(end, "");
}

function show() {
    if (isOver || !view) return;
    if (serverNow() >= Date.parse(view.until)) return finish(t("It has ended."));
    const { name, what, fix, journey, ended } = view;
    document.title = `${name} – Kith`;
    write(title, what === "position" ? t("Where {name} is", { name }) : t("{name}’s journey", { name }));
    write(plan, planWords(journey, name, ended));
    plan.hidden = plan.textContent === "";
    write(position, positionWords(fix, name, ended));
    write(end, t("This link ends {time}.", { time: dateTime(view.until) }));
    draw(fix, journey);
}

function planWords(journey, name, ended) {
    if (ended === "arrived") return t("{name} has arrived.", { name });
    if (ended) return t("The journey is no longer shown.");
    if (!journey) return "";
    const { destination, eta, late } = journey;
    const values = {
        place: destination && (destination.name ?? coordinates(destination, 4)), time: moment(eta),
    };
    if (!destination) {
        return late ? t("Was due to check in by {time}, and has not.", values)
            : t("Due to check in by {time}.", values);
    }
    return late ? t("On the way to {place}, expected at {time}, running late.", values)
        : t("On the way to {place}, expected at {time}.", values);
}

function positionWords(fix, name, ended) {
    if (ended) return "";
    const words = fix ? warned(t("{name} was here {age}.", { name, age: age(fix.timestamp) }), fix)
        : t("It is not known where {name} is.", { name });
    return isLive ? words : `${t("No connection: this may be out of date.")} ${words}`;
}

function draw(fix, journey) {
    const points = [];
    if (fix) {
        const at = [fix.latitude, fix.longitude];
        points.push(...cornersOf(fix));
        person.setLatLng(at).addTo(map);
        circle.setLatLng(at).setRadius(circleOf(fix)).addTo(map);
    } else {
        person.remove();
        circle.remove();
    }
    if (journey?.destination) {
        const { latitude, longitude } = journey.destination;
        points.push([latitude, longitude]);
        goal.setLatLng([latitude, longitude]).addTo(map);
    } else {
        goal.remove();
    }
    if (points.length === 0) return;
    if (!isFitted) map.fitBounds(L.latLngBounds(points), { maxZoom: CLOSE_ZOOM, padding: [40, 40] });
    else if (fix && !map.getBounds().contains(person.getLatLng())) map.panTo(person.getLatLng());
    isFitted = true;
}
