/// The whole page in a window of its own, with people on it and a service that does not answer.

const STYLES = ["leaflet/leaflet", "css/base", "css/shell", "css/map", "css/people", "css/views",
    "css/places", "css/pocket", "css/help", "css/search", "css/guide"];
const TIMEOUT_MS = 8_000;
/// Still for this many checks: names and toasts find their places twice a second.
const STILL = 4;
const LOOK_MS = 160;
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

export const PLACE = { latitude: 45.4642, longitude: 9.19 };

/// - Parameter font: the size of letters, in per cent.
/// - Returns: `{document,window,modules,change(work),calls(user),settle()}`; `modules(name)` imports one
///   of the page's; `change` changes its store, `calls` has a user call for help.
export async function openPage({ width, height, font = 100 }) {
    document.body.style.margin = "0";
    const frame = Object.assign(document.createElement("iframe"), { src: "/unit.html" });
    frame.style.cssText = `border: 0; width: ${width}px; height: ${height}px`;
    const isLoaded = new Promise((resolve) => { frame.onload = resolve; });
    document.body.append(frame);
    await isLoaded;
    const { contentWindow: window, contentDocument: inner } = frame;
    const fetchWorld = window.fetch.bind(window);
    window.fetch = async (path, options) => {
        if (String(path).startsWith("/world/")) return fetchWorld(path, options);
        throw new window.TypeError("Failed to fetch");
    };
    inner.documentElement.style.fontSize = `${font}%`;
    await Promise.all(STYLES.map((name) => new Promise((resolve) => {
        inner.head.append(Object.assign(inner.createElement("link"), {
            rel: "stylesheet", href: `/${name}.css`, onload: resolve,
        }));
    })));
    inner.body.innerHTML = '<div id="app"></div><div id="toasts" class="toasts"></div>';
    const modules = (name) => window.eval(`import("/js/${name}.js")`);
    const { store, newGroup } = await modules("store");
    const { makeShell } = await modules("shell");
    const family = newGroup("g", "Family");
    family.members = ["ann", "benedikt", "cleo", "dan"]
        .map((user) => ({ user, name: nameOf(user) }));
    family.members.slice(1).forEach(({ user, name }, n) => family.states.set(user, {
        user, name, state: "active", online: true, warnings: [], responses: [], version: 1,
        since: now(), phone: n === 1 ? "+43 660 1234567" : undefined, fix: fixAt(n + 1),
    }));
    store.change((state) => Object.assign(state, {
        me: { user: "ann", device: "web", root: "kith" }, config: { tiles: null }, isLoaded: true,
        groups: new window.Map([["g", family]]), group: "g", position: fixAt(0), connection: "live",
    }));
    makeShell(inner.getElementById("app"));
    const page = {
        document: inner,
        window,
        modules,
        change: (work) => store.change((state) => work(state, state.groups.get("g"))),
        calls(user, more = {}) {
            page.change((state, group) => {
                const fix = group.states.get(user)?.fix ?? state.position;
                const call = { state: "sos", cause: "person", since: now(), fix, responses: [], ...more };
                group.states.set(user, {
                    user, name: nameOf(user), online: true, warnings: [], ...group.states.get(user),
                    ...call, version: 2,
                });
                group.alerts.set(`a-${user}`, {
                    id: `a-${user}`, kind: "sos", group: "g", user, name: nameOf(user), at: now(),
                    text: "", acknowledgedBy: [], responses: [], fix,
                });
            });
        },
        /// Waits until nothing on the page moves.
        async settle() {
            const end = performance.now() + TIMEOUT_MS;
            let [before, same] = ["", 0];
            while (same < STILL && performance.now() < end) {
                await pause(LOOK_MS);
                const boxes = [...inner.querySelectorAll("button, .disc, .map, .toast, h1")]
                    .map((each) => each.getBoundingClientRect());
                const after = JSON.stringify(boxes);
                same = after === before ? same + 1 : 0;
                before = after;
            }
        },
    };
    await page.settle();
    return page;
}

const now = () => new Date().toISOString();
const nameOf = (user) => (user === "benedikt" ? "Benedikt Oberhauser"
    : `${user[0].toUpperCase()}${user.slice(1)}`);

/// Some hundred metres from each other.
function fixAt(n) {
    return {
        latitude: PLACE.latitude + 0.004 * n, longitude: PLACE.longitude + 0.003 * (n % 3),
        accuracy: 8, timestamp: now(),
    };
}
