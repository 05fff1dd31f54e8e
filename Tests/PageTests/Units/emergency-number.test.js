import { USUAL_NUMBER, emergencyNumber } from "/js/emergency-number.js";
import { session } from "/js/api.js";
import { applyAlert } from "/js/reducer.js";
import { readStored, writeStored } from "/js/storage.js";
import { store } from "/js/store.js";
import { equal, network, test } from "/unit.js";

const VIENNA = { latitude: 48.2082, longitude: 16.3738 };
const GRAZ = { latitude: 47.0707, longitude: 15.4395 };
const BOSTON = { latitude: 42.3601, longitude: -71.0589 };
const KEY = "kith.emergency-numbers";

async function begin(user = "ann", more = {}) {
    writeStored("kith.me", { user });
    store.change((state) => { state.me = { user, device: "web", ...more }; });
    // The store notifies its listeners a moment later.
    await new Promise((resolve) => { setTimeout(resolve, 200); });
}

/// Applies a member's call at this place, with the number given by the service.
function call(number, place, at = "2027-01-15T08:00:00Z") {
    applyAlert({
        id: `${number}${at}`, kind: "sos", group: "g", user: "ben", name: "Ben", at, text: "",
        number, acknowledgedBy: [], fix: place && { ...place, timestamp: at },
    });
}

test("The emergency number is the usual one if none was given", async () => {
    await begin();
    equal([emergencyNumber(BOSTON), emergencyNumber(null)], [USUAL_NUMBER, USUAL_NUMBER]);
    call(undefined, BOSTON);
    call("911", null);
    equal(emergencyNumber(BOSTON), USUAL_NUMBER);
});

test("An emergency number applies near its place, and the usual one elsewhere", async () => {
    await begin();
    call("911", BOSTON);
    const near = { ...BOSTON, latitude: BOSTON.latitude + 0.3 };
    const far = { ...BOSTON, latitude: BOSTON.latitude + 0.6 };
    equal([BOSTON, near, far, VIENNA].map(emergencyNumber), ["911", "911", "112", "112"]);
    equal(emergencyNumber(null), "911", "of the last place:");
});

test("The emergency number is that of the nearest place", async () => {
    await begin();
    call("144", VIENNA);
    call("911", BOSTON, "2027-01-15T09:00:00Z");
    equal([VIENNA, BOSTON].map(emergencyNumber), ["144", "911"]);
});

test("A place's newest emergency number stays when an older call arrives late", async () => {
    await begin();
    call("133", VIENNA, "2027-01-15T09:00:00Z");
    call("144", VIENNA, "2027-01-15T08:00:00Z");
    equal(emergencyNumber(VIENNA), "133");
});

test("Emergency numbers are kept for five places, at coarse positions", async () => {
    await begin();
    call("144", GRAZ, "2027-01-01T00:00:00Z");
    for (let n = 0; n < 5; n += 1) {
        call(`90${n}`, { latitude: n, longitude: 0 }, `2027-01-15T0${n}:00:00Z`);
    }
    equal(emergencyNumber(GRAZ), USUAL_NUMBER);
    call("144", GRAZ, "2027-01-16T00:00:00Z");
    const { value } = readStored(KEY);
    equal([value.length, value[0].latitude, value[0].longitude], [5, 47.1, 15.4]);
});

test("Emergency numbers belong to one user, and are erased with the session", async () => {
    await begin("ann");
    call("144", VIENNA);
    await begin("eve");
    equal([emergencyNumber(VIENNA), readStored(KEY)], [USUAL_NUMBER, null]);
    call("144", VIENNA);
    network(() => [200, {}]);
    await session.logOut();
    equal(readStored(KEY), null);
});

test("Emergency numbers are erased if the session ended while no page was open", async () => {
    await begin("ann");
    call("144", VIENNA);
    writeStored("kith.me", null);
    store.clear();
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    equal(readStored(KEY), null);
});

test("An emergency number is not kept in the demo", async () => {
    await begin("dan", { demo: true });
    call("144", VIENNA);
    equal([emergencyNumber(VIENNA), readStored(KEY)], [USUAL_NUMBER, null]);
});
