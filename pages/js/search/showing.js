/// Shows a result on the map: a person with their row, a place with its actions.

import { showOnMap } from "../banner.js";
import { t } from "../language.js";
import { store } from "../store.js";
import { showSpot } from "./spot.js";

/// The time until the map's view is shown.
const ROUTE_MS = 50;

export function showResult(app, result) {
    if (result.kind === "person") return showPerson(app, result);
    app.go("#map");
    setTimeout(() => {
        app.sheet?.makeRoom();
        app.people.showArea(result);
        showSpot(app, { ...result, name: result.title });
    }, ROUTE_MS);
}

function showPerson(app, { user, title, groups, latitude, longitude }) {
    if (latitude === undefined) app.say(t("No position known for {name} yet.", { name: title }));
    if (groups.length > 0) return showOnMap(app, user, groups);
    store.change((state) => { state.selected = user; });
    if (latitude === undefined) app.go("#map");
    else app.showPoint({ latitude, longitude });
}
