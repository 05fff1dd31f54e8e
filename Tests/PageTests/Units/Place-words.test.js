import { geoLink, isOwnPlace, isOutdated, kindWords, openWords, zoneWords } from "/js/places/words.js";
import { waypointsOf } from "/js/places/waypoints.js";
import { equal, test } from "/unit.js";

/// A Monday.
const NOW = Date.parse("2026-11-23T12:00:00Z");
const hour = 3_600_000;
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const place = (state, later, timeZone = own) => ({
    state, timeZone, nextChange: later && new Date(NOW + later * hour).toISOString(),
});
const said = (...parts) => openWords(place(...parts), NOW).text.replace(/[\u00a0\u202f]/g, " ");
const at = (later, options) => new Intl.DateTimeFormat(navigator.languages, options)
    .format(NOW + later * hour).replace(/[\u00a0\u202f]/g, " ");
const clock = { hour: "numeric", minute: "2-digit" };

test("A place shows whether it is open, and until when", () => {
    equal(said("open", 1), `Open until ${at(1, clock)}`);
    equal(said("closed", 72), `Closed, opens ${at(72, { weekday: "short", ...clock })}`);
    equal(said("open"), "Open");
    equal(said("closed"), "Closed");
    equal(said("unknown"), "Opening hours not known");
});

test("An outdated opening state is not shown as current", () => {
    equal(said("open", -1), "Not known whether it is open now");
    equal([isOutdated(place("open", 0), NOW), isOutdated(place("open", 1), NOW),
        isOutdated(place("open"), NOW)], [true, false, false]);
});

test("A place in another time zone names the zone of its hours", () => {
    const far = new Date(NOW).getTimezoneOffset() === -345 ? "Asia/Tokyo" : "Asia/Kathmandu";
    equal(said("open", 1, far).endsWith(`(${far.split("/")[1]} time)`), true);
    equal(zoneWords(own, NOW), "");
    // A zone unknown to this browser is not named.
    equal(zoneWords("Mars/Olympus_Mons", NOW), "");
    equal(said("open", 1, "Mars/Olympus_Mons"), `Open until ${at(1, clock)}`);
});

test("A place kind is shown as OpenStreetMap's word, or left out", () => {
    equal([kindWords("fast_food"), kindWords("bar;cafe"), kindWords(undefined)],
        ["Fast food", "Bar cafe", ""]);
});

test("A point gets a geo link as in RFC 5870", () => {
    equal(geoLink({ latitude: 45.4902216, longitude: 9.1816087 }), "geo:45.4902216,9.1816087");
    equal(geoLink({ latitude: -10, longitude: 100 }), "geo:-10,100");
    equal(geoLink({ latitude: 0.0000001, longitude: 0 }), "geo:0.0000001,0");
});

test("Users' places are distinguished from the organisation's", () => {
    equal([isOwnPlace("0199b2a0-7c00-7123-89ab-0123456789ab"), isOwnPlace("804fb86aed99fa7a23d5")],
        [true, false]);
});

test("An OwnTracks file gives each place a different second", () => {
    const at = (id, name) => ({
        geofence: id, name, latitude: 45.5, longitude: 9.25, radius: 149.6, kind: "home",
    });
    equal(waypointsOf([
        at("0199b2a0-7c00-7123-89ab-0123456789ab", "Home"),
        at("0199b2a0-7c01-7123-89ab-0123456789ab", "School"),
    ]), {
        _type: "waypoints",
        waypoints: ["Home", "School"].map((desc, later) => ({
            _type: "waypoint", desc, lat: 45.5, lon: 9.25, rad: 150,
            tst: Math.floor(0x0199b2a07c00 / 1000) + later,
        })),
    });
    equal(waypointsOf([]), { _type: "waypoints", waypoints: [] });
});
