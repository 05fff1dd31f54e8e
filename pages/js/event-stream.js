/// A stream of server-sent events that is reopened, after increasing pauses, when it fails or falls
/// silent.

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const OPENING_PATIENCE_MS = 30_000;
/// The server sends a heartbeat every 15 s.
const SILENCE_MS = 45_000;
/// After the page has slept this long, its connection may be dead without its knowing.
const SLEEP_MS = 60_000;

const EVENTS = ["message", "heartbeat", "reset", "refused"];

/// Returns a stream that is closed until `start()`.
///
/// - `topics(failures)`: the filters to follow; `failures`: how many attempts in a row have failed.
/// - `prepare(isAgain)`: awaited before each attempt; if it throws, the attempt has failed, and if it
///   returns false, there are no more attempts. `isAgain`: false for the first attempt.
/// - `source(address)`: opens it: an `EventSource`, or an object that behaves like one.
/// - `opened({isNew})`: it is open; `isNew` is false if the browser has reopened the same stream,
///   which continues where it was or begins with a `reset`.
/// - `lost()`: nothing is received at the moment.
/// - `heard()`: the server has sent something, even a heartbeat.
/// - `events`: `{message,reset,refused}`, called with the data of the event.
export function makeEventStream({
    topics, prepare = () => true, source = (address) => new EventSource(address),
    opened = () => {}, lost = () => {}, heard = () => {}, events = {},
}) {
    let isRunning = false;
    let current = null;
    let address = "";
    let attempts = 0;
    let failures = 0;
    let timer = null;
    let watchdog = null;
    let hiddenAt = null;

    async function attempt() {
        timer = null;
        attempts += 1;
        const number = attempts;
        const isOutdated = () => !isRunning || number !== attempts;
        try {
            if (await prepare(number > 1) === false || isOutdated()) return;
        } catch {
            if (!isOutdated()) retry();
            return;
        }
        update();
    }

    /// Opens another stream if other topics are needed.
    function update() {
        if (!isRunning) return;
        const next = addressOf(topics(failures));
        if (current && next === address && current.readyState !== EventSource.CLOSED) return;
        close();
        address = next;
        listen(source(next));
    }

    function listen(opening) {
        current = opening;
        let isNew = true;
        watch(OPENING_PATIENCE_MS);
        const on = (name, work) => opening.addEventListener(name, (event) => {
            if (opening === current) work(event);
        });
        on("open", () => {
            watch(SILENCE_MS);
            heard();
            opened({ isNew });
            isNew = false;
        });
        for (const name of EVENTS) {
            on(name, ({ data }) => {
                failures = 0;
                watch(SILENCE_MS);
                heard();
                // If it is granted again, a new stream is needed even for the same topics.
                if (name === "refused") address = "";
                events[name]?.(JSON.parse(data));
            });
        }
        on("error", () => {
            lost();
            if (opening.readyState === EventSource.CLOSED) fail();
        });
    }

    /// Gives up a stream that stays silent for too long.
    function watch(patience) {
        clearTimeout(watchdog);
        watchdog = setTimeout(fail, patience);
    }

    function fail() {
        close();
        lost();
        retry();
    }

    function retry() {
        if (!isRunning || timer) return;
        const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
        failures += 1;
        timer = setTimeout(attempt, pause * (0.5 + Math.random()));
    }

    function close() {
        clearTimeout(timer);
        clearTimeout(watchdog);
        timer = null;
        current?.close();
        current = null;
        address = "";
    }

    /// Makes the next attempt now, because it may succeed; `replacing`: also replaces a stream that seems
    /// open.
    function hurry({ replacing }) {
        if (!timer && !(replacing && current)) return;
        close();
        failures = 0;
        attempt();
    }

    const comeOnline = () => hurry({ replacing: true });
    function wake() {
        if (document.hidden) {
            hiddenAt = Date.now();
            return;
        }
        hurry({ replacing: hiddenAt !== null && Date.now() - hiddenAt > SLEEP_MS });
        hiddenAt = null;
    }

    return {
        update,
        /// Returns once the first attempt is made.
        async start() {
            if (isRunning) return;
            [isRunning, attempts, failures, hiddenAt] = [true, 0, 0, null];
            window.addEventListener("online", comeOnline);
            document.addEventListener("visibilitychange", wake);
            await attempt();
        },
        stop() {
            isRunning = false;
            window.removeEventListener("online", comeOnline);
            document.removeEventListener("visibilitychange", wake);
            close();
        },
    };
}

function addressOf(topics) {
    return `/api/events?topic=${topics.map(encodeURIComponent).sort().join("&topic=")}`;
}
