import { lengthOf, makeCourse, metresAt } from "/js/runs/course.js";
import { csvOf, gpxOf } from "/js/runs/results.js";
import { clockTime, otherTimeWord, rankingWord, runnerName, runnerWord } from "/js/runs/words.js";
import { equal, test } from "/unit.js";

/// Two laps there and back, about 400 m each.
const run = {
    run: "abcd2345", name: "Run & <Char>", laps: 2, distance: 800,
    startsAt: "2026-05-01T10:00:00.000Z",
    course: {
        type: "LineString",
        coordinates: [[14.5, 46, 10], [14.5, 46.0018, 40], [14.5, 46, 10]],
    },
};

test("A runner's point is on the course in every lap", () => {
    const course = makeCourse(run);
    const latitude = (metres) => Number(course.pointAt(metres)[0].toFixed(5));
    equal([0, 100, 200, 300, 400, 500, 800].map(latitude),
        [46, 46.0009, 46.0018, 46.0009, 46, 46.0009, 46]);
    equal([-5, 900].map(latitude), [46, 46]);
    equal(course.heights.map(({ metres, height }) => [Math.round(metres), height]),
        [[0, 10], [200, 40], [400, 10]]);
    equal(Math.round(lengthOf(course.points)), 400);
});

test("A replay goes from one split to the next, and stays at the last", () => {
    const splits = [[10, 0], [20, 40], [40, 60]];
    equal([5, 10, 15, 30, 40, 99].map((at) => metresAt(splits, at)), [null, 0, 20, 50, 60, 60]);
    equal(metresAt([], 5), null);
});

test("CSV results contain nothing that a spreadsheet reads as a formula", () => {
    const text = csvOf([
        {
            rank: 1, bib: 7, name: '=HYPERLINK("x")', status: "finished", time: 90, distance: 800,
            ownTime: 90, gunTime: 95,
        },
        { bib: 8, name: "A, B", status: "did-not-start" },
    ]);
    equal(text.split("\r\n").slice(1, 3), [
        `1,7,"'=HYPERLINK(""x"")",finished,90,800,,,90,95`,
        ',8,"A, B",did-not-start,,,,,,',
    ]);
});

test("GPX results contain names as text", () => {
    const text = gpxOf(run, makeCourse(run), [
        { bib: 7, name: "</name>", splits: [[0, 0], [60, 200]] }, { bib: 8, splits: [] },
    ]);
    const document = new DOMParser().parseFromString(text, "application/xml");
    equal(document.querySelector("parsererror"), null);
    equal([...document.querySelectorAll("name")].map((name) => name.textContent),
        ["Run & <Char>", "7 </name>"]);
    const last = [...document.querySelectorAll("trkpt")].at(-1);
    equal(Number(last.getAttribute("lat")).toFixed(4), "46.0018");
    equal(last.textContent, "2026-05-01T10:01:00.000Z");
});

test("Runners are shown by name and number, and times as clock times", () => {
    equal([0, 59, 61, 3723].map(clockTime), ["0:00", "0:59", "1:01", "1:02:03"]);
    equal(runnerName({ bib: 7 }), "Number 7");
    equal(runnerName({ bib: 7, name: "A." }), "A. (7)");
    equal(runnerWord({ status: "finished", time: 61 }), "1:01");
    equal(runnerWord({ status: "running", missed: 1 }), "missed 1 checkpoint");
    equal(runnerWord({ status: "hidden" }), "not shown now");
});

test("The time not used for ranking is also shown if it differs", () => {
    equal(otherTimeWord({ status: "running" }), "");
    equal(otherTimeWord({ time: 90, ownTime: 90, gunTime: 90 }), "");
    equal(otherTimeWord({ time: 90, ownTime: 90, gunTime: 95 }), "1:35 from the gun");
    equal(otherTimeWord({ time: 95, ownTime: 90, gunTime: 95 }), "1:30 from the start line");
    equal(["own", "gun"].map((rankedBy) => rankingWord({ rankedBy })),
        ["ranked by the time from the start line", "ranked by the time from the gun"]);
});
