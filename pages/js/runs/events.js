/// The live topics of a run: the run itself, the standings, and the followed runner.

import { config } from "../api.js";
import { makeEventStream } from "../event-stream.js";
import { store } from "../store.js";
import { readTopic, topicOf } from "../topics.js";

/// Longer standings are sent in several messages.
const RUNNERS_PER_PAGE = 100;
const MOST_PAGES = 20;

/// Follows a run until `stop()`.
///
/// - `changed({run,standings,followed,isLive})`: `run` is null if it is not published; `standings`
///   is null until there are some.
export function followRun(id, changed) {
    const state = { run: null, standings: null, followed: null, isLive: false, isKnown: false };
    const pages = new Map();
    let bib = null;

    const stream = makeEventStream({
        prepare: learnRoot,
        topics,
        opened() {
            state.isLive = true;
            state.isKnown = true;
            changed(state);
        },
        lost() {
            state.isLive = false;
            changed(state);
        },
        events: { message: hear, reset: () => pages.clear() },
    });

    function topics() {
        const run = { run: id };
        const count = Math.min(MOST_PAGES,
            1 + Math.ceil((state.run?.enrolled ?? 0) / RUNNERS_PER_PAGE));
        const wanted = [topicOf("run", run), topicOf("standings", run)];
        for (let page = 2; page <= count; page += 1) {
            wanted.push(topicOf("standingsPage", { ...run, page }));
        }
        if (bib !== null) wanted.push(topicOf("runner", { ...run, bib }));
        return wanted;
    }

    function hear({ topic, payload }) {
        const place = readTopic(topic);
        if (place?.run !== id) return;
        if (place.kind === "run") {
            state.run = payload;
        } else if (place.kind === "standings" || place.kind === "standingsPage") {
            const page = Number(place.page ?? 1);
            if (payload) pages.set(page, payload);
            else pages.delete(page);
            state.standings = pages.size ? merged(pages) : null;
        } else if (place.kind === "runner" && place.bib === String(bib)) {
            state.followed = payload;
        }
        changed(state);
        stream.update();
    }

    stream.start();
    return {
        /// - Parameter runner: a bib, or null.
        follow(runner) {
            bib = runner;
            state.followed = null;
            stream.update();
        },
        stop: () => stream.stop(),
    };
}

/// Requests the configuration if it could not be read before: without the root there are no topics.
async function learnRoot() {
    if (store.state.config) return;
    const settings = await config();
    store.change((state) => { state.config = settings; });
}

/// Pages are received one after the other, so a runner may be on two of them: when overtaking, the
/// better rank is the newer one.
function merged(pages) {
    const seen = new Set();
    return [...pages.keys()].sort((a, b) => a - b).flatMap((key) => pages.get(key))
        .filter(({ bib }) => !seen.has(bib) && seen.add(bib));
}
