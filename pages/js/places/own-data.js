/// Places of mine and of my groups, and the rules about them, as the server has them.

import { fetchAll } from "../pagination.js";
import { store } from "../store.js";

/// Reads both anew; throws if that fails, and what was known stays.
export async function loadOwn(call) {
    const [geofences, rules] = await Promise.all([
        fetchAll(call, "geofence.list", {}, "geofences", "after"),
        fetchAll(call, "geofence.rule.list", {}, "rules", "after"),
    ]);
    store.change((state) => Object.assign(state, { geofences, rules }));
}
