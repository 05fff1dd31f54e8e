/// My places and those of my groups, and the rules about them, as the server has them.

import { fetchAll } from "../pagination.js";
import { store } from "../store.js";

/// Reloads both; throws on failure, keeping the known data.
export async function loadOwn(call) {
    const [geofences, rules] = await Promise.all([
        fetchAll(call, "geofence.list", {}, "geofences", "after"),
        fetchAll(call, "geofence.rule.list", {}, "rules", "after"),
    ]);
    store.change((state) => Object.assign(state, { geofences, rules }));
}
