/// Reads the user's own positions and vital signs of a period, as densely as they are drawn.

import { t } from "../language.js";
import { HOUR_MS } from "../units.js";

/// Seconds between two samples of the same kind.
const VITALS_EVERY_S = 60;
/// The maximum number of pages read from a list: a day at one sample a second has fifty.
const PAGES = 500;

/// - Parameter every: seconds between two positions.
/// - Returns: `{positions,vitals}`; vital signs begin half a day before, for the night.
export async function readOwnData(app, start, end, every) {
    const time = (at) => new Date(at).toISOString();
    const positions = await readAll(app, "position.list",
        { from: time(start), to: time(end), every }, "cursor",
        (page) => page.positions.map((each) => ({ ...each, device: page.device })));
    const vitals = await readAll(app, "vitals.list",
        { from: time(start - NIGHT_MS), to: time(end), every: VITALS_EVERY_S, limit: 500 }, "before",
        (page) => page.vitals);
    return { positions, vitals };
}

const NIGHT_MS = 12 * HOUR_MS;

async function readAll(app, method, fields, cursor, itemsOf) {
    const items = [];
    let next = null;
    for (let pages = 0; pages < PAGES; pages += 1) {
        const page = await app.call(method, next ? { ...fields, [cursor]: next } : fields);
        items.push(...itemsOf(page));
        next = page.next;
        if (!next) return items;
    }
    throw new Error(t("there is too much data to show"));
}
