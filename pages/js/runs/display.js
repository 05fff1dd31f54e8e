/// For a screen at the finish: the clock and the top of the ranking, large.

import { serverNow } from "../clock.js";
import { h, replace, write } from "../dom.js";
import { t } from "../language.js";
import { followRun } from "./events.js";
import { makeRanking } from "./ranking.js";
import { clockTime, STATUS } from "./words.js";

const SHOWN = 12;
const TICK_MS = 1_000;

export function mountDisplay(place, id) {
    const title = h("h1", { class: "break" }, t("Opening the run …"));
    const clock = h("p", { class: "clock", role: "timer" });
    const ranking = makeRanking({ most: SHOWN });
    replace(place, h("div", { class: "run-display" }, title, clock, ranking.element));
    let view = null;
    const stream = followRun(id, (now) => {
        view = now;
        if (view.run) {
            document.title = `${view.run.name} – Kith`;
            write(title, view.isLive ? view.run.name : t("{name} (no connection)", { name: view.run.name }));
        }
        ranking.update(view.standings ?? []);
        tick();
    });
    const timer = setInterval(tick, TICK_MS);

    function tick() {
        if (!view?.run) return;
        const passed = (serverNow() - Date.parse(view.run.startsAt)) / 1000;
        write(clock, view.run.status === "on" ? clockTime(passed)
            : view.run.status === "announced" ? `−${clockTime(-passed)}` : STATUS[view.run.status]);
    }

    return () => {
        clearInterval(timer);
        stream.stop();
    };
}
