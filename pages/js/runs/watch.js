/// Watching a run: the map, the ranking, a followed runner, and afterwards the replay.

import { call } from "../api.js";
import { serverNow } from "../clock.js";
import { h, replace, write } from "../dom.js";
import { problemText, sentence } from "../form.js";
import { age, distance, number } from "../format.js";
import { t, tn } from "../language.js";
import { makeCourse } from "./course.js";
import { makeCourseMap } from "./course-map.js";
import { makeEnrolment } from "./enrol.js";
import { followRun } from "./events.js";
import { makeProfile } from "./profile.js";
import { makeRanking } from "./ranking.js";
import { makeReplay } from "./replay.js";
import { csvOf, download, gpxOf } from "./results.js";
import {
    clockTime, paceWord, rankingWord, runnerName, runnerWord, STATUS, whenWord,
} from "./words.js";

const TICK_MS = 5_000;
/// The time until it is clear that nothing is published.
const PAST_MS = 1_500;

export function mountWatch(place, id) {
    const title = h("h1", { class: "break" }, t("Opening the run …"));
    const facts = h("p", { class: "small muted run-facts" });
    const state = h("p", { role: "status" });
    const detail = h("div", { class: "card", hidden: true });
    const afterwards = h("div", { class: "row" });
    const area = h("div", { class: "map", role: "region", "aria-label": t("Map of the course") });
    const below = h("div");
    let view = { run: null, standings: null, followed: null, isLive: false };
    let [course, profile, shownCourse, bib, replay, results] = [null, null, "", null, null, null];

    const choose = (runner) => {
        bib = bib === runner ? null : runner;
        stream.follow(bib);
        show();
    };
    const ranking = makeRanking({ chosen: choose });
    const enrolment = makeEnrolment(id);
    const find = h("input", {
        type: "search", "aria-label": t("Find a runner by number or name"),
        placeholder: t("Number or name"), autocomplete: "off", oninput: () => show(),
    });
    replace(place, h("div", { class: "run-watch" },
        h("div", { class: "map-area" }, area, below),
        h("div", { class: "side" },
            h("div", { class: "panel" }, title, state, facts, detail, afterwards),
            enrolment.element,
            h("div", { class: "panel" }, h("div", { class: "field" }, find), ranking.element))));
    const map = makeCourseMap(area, { chosen: choose });
    const stream = followRun(id, (now) => {
        view = now;
        show();
    });
    const timer = setInterval(show, TICK_MS);
    // Runs that ended earlier are published on no topic.
    let past = setTimeout(loadPast, PAST_MS);

    async function loadPast() {
        if (view.run) return;
        if (!view.isKnown) {
            past = setTimeout(loadPast, PAST_MS);
            return;
        }
        try {
            const { run } = await call("run.get", { run: id });
            view.run ??= run;
            show();
        } catch (problem) {
            write(title, problem.kind === "unknown-run" ? t("There is no such run") : t("Not now"));
            write(state, problem.kind === "unknown-run"
                ? t("Check the identifier, or search for the run by name.") : problemText(problem));
        }
    }

    function show() {
        const { run } = view;
        if (!run) return;
        clearTimeout(past);
        document.title = `${run.name} – Kith`;
        write(title, run.name);
        write(state, [
            STATUS[run.status], whenWord(run, serverNow()),
            view.isLive ? "" : t("No connection: this may be out of date."),
        ].filter(Boolean).map(sentence).join(" "));
        write(facts, factsOf(run));
        showCourse(run);
        enrolment.update(run);
        if (run.status === "over") {
            showAfterwards(run);
            if (!view.standings && !results) loadResults();
        }
        const standings = view.standings ?? results ?? [];
        const wanted = find.value.trim().toLowerCase();
        ranking.update(wanted ? standings.filter((runner) => String(runner.bib) === wanted
            || runner.name?.toLowerCase().includes(wanted)) : standings, bib);
        showDetail(standings);
        if (!replay) {
            map.place(standings.filter(({ status }) => status === "running")
                .map((runner) => ({ runner, at: course.pointAt(current(runner).distance) })), bib);
        }
    }

    /// The newest state of a runner: for the followed one it is published more often.
    function current(runner) {
        const { followed } = view;
        return followed?.bib === runner.bib && followed.distance >= runner.distance
            ? followed : runner;
    }

    function showCourse(run) {
        const now = JSON.stringify(run.course);
        if (now === shownCourse) return;
        shownCourse = now;
        course = makeCourse(run);
        map.show(course);
        profile = makeProfile(course);
        replace(below, profile?.element);
    }

    function showDetail(standings) {
        const listed = standings.find((runner) => runner.bib === bib);
        detail.hidden = !listed;
        if (!listed) return profile?.mark(null);
        const runner = { ...listed, ...current(listed) };
        const rows = [
            [t("Rank"), listed.rank ?? "–"], [t("Distance"), distance(runner.distance ?? 0)],
            [t("Remaining"), runner.distance === undefined ? "" : distance(course.length - runner.distance)],
            [t("Pace"), paceWord(runner.pace)],
            [t("Heart rate"), runner.heartRate ? t("{count} per minute", { count: number(runner.heartRate) }) : ""],
            [t("Time from the start line"), timeWord(runner.ownTime)],
            [t("Time from the gun"), timeWord(runner.gunTime)],
            ["", runner.status === "finished" ? "" : runnerWord(runner)],
            [t("Last seen"), runner.at ? age(runner.at) : ""],
        ].filter(([, word]) => word !== "");
        replace(detail, h("h2", { class: "break" }, runnerName(runner)),
            h("dl", { class: "run-facts" }, rows.map(([name, word]) =>
                h("div", null, h("dt", { class: "small muted" }, name), h("dd", null, String(word))))),
            h("button", { type: "button", class: "button", onclick: () => choose(bib) },
                t("Stop following")));
        profile?.mark(runner.distance);
    }

    // MARK: Afterwards

    /// For a run whose standings are no longer published.
    async function loadResults() {
        results = [];
        results = await allResults(id, false).catch(() => null);
        show();
    }

    function showAfterwards(run) {
        if (afterwards.childElementCount) return;
        const button = (word, work) => h("button", {
            type: "button", class: "button",
            onclick: async ({ currentTarget }) => {
                currentTarget.disabled = true;
                try {
                    await work();
                } catch (problem) {
                    write(state, problemText(problem));
                } finally {
                    currentTarget.disabled = false;
                }
            },
        }, word);
        replace(afterwards,
            button(t("Results as CSV"), async () =>
                download(`${id}.csv`, "text/csv", csvOf(await allResults(id, false)))),
            button(t("Results as GPX"), async () => download(
                `${id}.gpx`, "application/gpx+xml", gpxOf(run, course, await allResults(id, true)))),
            button(t("Replay"), async () => {
                replay ??= await makeReplay(course, {
                    load: (after) => call("run.results", { run: id, after, splits: true }),
                    place: (runners) => map.place(runners, bib),
                    marked: (metres) => profile?.mark(metres),
                    followed: () => bib,
                });
                below.prepend(replay.element);
            }));
    }

    return () => {
        clearInterval(timer);
        clearTimeout(past);
        replay?.stop();
        stream.stop();
        map.remove();
    };
}

const timeWord = (seconds) => (seconds === undefined ? "" : clockTime(seconds));

function factsOf(run) {
    const { place, distance: length, laps, enrolled, organiser } = run;
    return [
        place.name,
        laps > 1 ? t("{distance} in {laps} laps", { distance: distance(length), laps: number(laps) })
            : distance(length),
        tn(enrolled, "1 taking part", "{count} taking part", { count: number(enrolled) }),
        rankingWord(run), t("organised by {name}", { name: organiser }),
        t("identifier {run}", { run: run.run }),
    ].join(" · ");
}

/// All pages of the results.
async function allResults(run, splits) {
    const found = [];
    for (let after = 0; after !== null;) {
        const { results, next } = await call("run.results", { run, after, splits });
        found.push(...results);
        after = next ?? null;
    }
    return found;
}
