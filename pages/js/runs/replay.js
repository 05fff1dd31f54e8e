/// A replay of a run, with a time slider.

import { h, write } from "../dom.js";
import { t } from "../language.js";
import { metresAt } from "./course.js";
import { clockTime } from "./words.js";

const FRAME_MS = 100;
/// A run of an hour takes a minute.
const SPEED = 60;
/// The first finishers, including a followed one among them.
const MOST_RUNNERS = 60;

/// - Parameters:
///   - load: a page of results with splits, after so many.
///   - place: shows runners on the map.
///   - marked: shows the followed runner's distance on the profile, or null.
///   - followed: returns the followed bib, or null.
export async function makeReplay(course, { load, place, marked, followed }) {
    const runners = [];
    for (let after = 0; after !== null && runners.length < MOST_RUNNERS;) {
        const { results, next } = await load(after);
        runners.push(...results.filter(({ splits }) => splits.length > 1));
        after = next ?? null;
    }
    const end = Math.max(60, ...runners.map(({ splits }) => splits[splits.length - 1][0]));
    const slider = h("input", {
        type: "range", min: 0, max: Math.ceil(end), value: 0, "aria-label": t("Time since the start"),
        oninput: () => show(),
    });
    const clock = h("span", { class: "numbers" });
    const play = h("button", { type: "button", class: "button" }, t("Play"));
    let timer = null;
    play.onclick = () => (timer ? stop() : start());

    function start() {
        if (Number(slider.value) >= end) slider.value = 0;
        play.textContent = t("Stop");
        timer = setInterval(() => {
            slider.value = Number(slider.value) + SPEED * FRAME_MS / 1000;
            show();
            if (Number(slider.value) >= Math.floor(end)) stop();
        }, FRAME_MS);
    }

    function stop() {
        clearInterval(timer);
        timer = null;
        play.textContent = t("Play");
    }

    function show() {
        const seconds = Number(slider.value);
        write(clock, clockTime(seconds));
        slider.setAttribute("aria-valuetext", clockTime(seconds));
        const there = runners.map((runner) => ({ runner, metres: metresAt(runner.splits, seconds) }))
            .filter(({ metres }) => metres !== null);
        place(there.map(({ runner, metres }) => ({ runner, at: course.pointAt(metres) })));
        marked(there.find(({ runner }) => runner.bib === followed())?.metres ?? null);
    }

    show();
    const note = runners.length >= MOST_RUNNERS
        ? h("span", { class: "small muted" }, t("The first {count}", { count: runners.length })) : null;
    return { element: h("div", { class: "run-replay" }, play, slider, clock, note), stop };
}
