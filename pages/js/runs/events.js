/// What a run publishes, as it comes: the run itself, the standings, and runners whom somebody follows.

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/// Standings longer than this come in several messages.
const RUNNERS_PER_PAGE = 100;
const MOST_PAGES = 20;

/// Follows a run until `stop()`.
///
/// - `changed({run,standings,followed,isLive})`: `run` is null if nothing is told of it; `standings` is null
///   until there are some.
export function followRun(id, changed) {
    const root = `kith/runs/${id}`;
    const state = { run: null, standings: null, followed: null, isLive: false, isKnown: false };
    const pages = new Map();
    let [source, bib, failures, timer, isOver, opened] = [null, null, 0, null, false, ""];

    function topics() {
        const count = Math.min(MOST_PAGES,
            1 + Math.ceil((state.run?.enrolled ?? 0) / RUNNERS_PER_PAGE));
        const wanted = [root, `${root}/standings`];
        for (let page = 2; page <= count; page += 1) wanted.push(`${root}/standings/${page}`);
        if (bib !== null) wanted.push(`${root}/runners/${bib}`);
        return wanted.map((topic) => `topic=${encodeURIComponent(topic)}`).join("&");
    }

    function open() {
        clearTimeout(timer);
        source?.close();
        opened = topics();
        const mine = new EventSource(`/api/events?${opened}`);
        source = mine;
        mine.addEventListener("open", () => {
            failures = 0;
            state.isLive = true;
            state.isKnown = true;
            changed(state);
        });
        mine.addEventListener("reset", () => pages.clear());
        mine.addEventListener("message", ({ data }) => hear(JSON.parse(data)));
        mine.addEventListener("error", () => {
            if (mine !== source || isOver) return;
            state.isLive = false;
            changed(state);
            if (mine.readyState !== EventSource.CLOSED) return;
            const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
            failures += 1;
            timer = setTimeout(open, pause * (0.5 + Math.random()));
        });
    }

    function hear({ topic, payload }) {
        const rest = topic.slice(root.length + 1);
        if (rest === "") {
            state.run = payload;
        } else if (rest.startsWith("standings")) {
            const page = Number(rest.split("/")[1] ?? 1);
            if (payload) pages.set(page, payload);
            else pages.delete(page);
            state.standings = pages.size ? merged(pages) : null;
        } else if (rest === `runners/${bib}`) {
            state.followed = payload;
        }
        changed(state);
        if (topics() !== opened) open();
    }

    open();
    return {
        /// - Parameter runner: a bib, or null.
        follow(runner) {
            bib = runner;
            state.followed = null;
            open();
        },
        stop() {
            isOver = true;
            clearTimeout(timer);
            source?.close();
        },
    };
}

/// Pages come one after the other, and meanwhile somebody may be on two of them: the better rank is the newer
/// one of whoever overtakes.
function merged(pages) {
    const seen = new Set();
    return [...pages.keys()].sort((a, b) => a - b).flatMap((key) => pages.get(key))
        .filter(({ bib }) => !seen.has(bib) && seen.add(bib));
}
