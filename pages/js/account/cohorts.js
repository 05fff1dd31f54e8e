/// For companies: what many people have in common.

import { barChart } from "../chart.js";
import { h, replace, write } from "../dom.js";
import { coordinates, dateTime, distance, number } from "../format.js";
import { makeChoice, makeField, makeForm } from "../form.js";

const DAY_MS = 86_400_000;
const AGE_BAND = 5;
const OLDEST = 120;
const QUANTITIES = [
    ["heartRate", "Heart rate", "beats per minute"],
    ["oxygenSaturation", "Oxygen saturation", "%"],
    ["respiratoryRate", "Respiratory rate", "breaths per minute"],
    ["systolicPressure", "Systolic blood pressure", "mmHg"],
    ["diastolicPressure", "Diastolic blood pressure", "mmHg"],
    ["bodyTemperature", "Body temperature", "°C"],
    ["distance", "Distance per day", "m"],
];
const PLACES = 10;

/// - Returns: `{element}`.
export function makeCohorts(app) {
    const ages = [];
    for (let age = 0; age <= OLDEST; age += AGE_BAND) ages.push(age);
    const from = makeChoice("from", "From age", [["", "any"], ...ages.slice(0, -1).map(pair)]);
    const to = makeChoice("to", "To below", [["", "any"], ...ages.slice(1).map(pair)]);
    const gender = makeChoice("gender", "Gender",
        [["", "any"], ["female", "female"], ["male", "male"], ["other", "other"]]);
    const days = makeChoice("days", "Time",
        [["1", "yesterday"], ["7", "the last 7 days"], ["30", "the last 30 days"]]);
    const residence = makeField({
        name: "residence", label: "Residence", hint: "The town or region, as people write it; empty: any.",
    });
    const result = h("div", { class: "stack", role: "status" });
    const form = makeForm({
        fields: [from, to, gender, residence, days],
        button: "Ask",
        submit: async (values) => {
            replace(result);
            show(await app.call("cohort.query", question(values)));
        },
    });
    const element = h("details", { class: "card" }, h("summary", null, "Many people at once"),
        h("p", { class: "small muted" }, "Of everybody who has agreed to vital signs: how many there are, and how "
            + "many in each band. All numbers carry noise. Days are in UTC; the last one is complete an hour "
            + "after its end. The same question has the same answer, and costs once."),
        form, result);
    return { element };

    function show(answer) {
        const charts = QUANTITIES.filter(([name]) => answer[name])
            .map(([name, title, unit]) => chart(title, unit, answer[name]));
        replace(result,
            h("p", null, h("strong", null, `About ${number(answer.people)} people`),
                `, ${dateTime(answer.from)} to ${dateTime(answer.to)}`),
            charts.length > 0 ? charts : h("p", { class: "muted" }, "Of no quantity may more be told."),
            places(answer.presence));
        result.scrollIntoView({ block: "nearest" });
    }
}

function pair(age) {
    return [String(age), String(age)];
}

function question({ from, to, gender, residence, days }) {
    const end = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const age = {};
    if (from) age.from = Number(from);
    if (to) age.to = Number(to);
    const question = { from: end - Number(days) * DAY_MS, to: end };
    if (from || to) question.age = age;
    if (gender) question.gender = gender;
    if (residence.trim()) question.residence = residence.trim();
    return question;
}

/// How many people are in each band.
function chart(title, unit, { from, width, people, mean, percentiles }) {
    const middle = percentiles?.["50"];
    return barChart({
        title,
        note: middle === undefined ? ""
            : ` · half are below ${round(middle)}, the mean is ${round(mean)} ${unit}`,
        bars: people.map((value, index) => ({ label: `${band(from, width, index)} ${unit}`, value })),
        ends: [String(from), `${from + width * people.length} ${unit}`],
    });
}

function band(from, width, index) {
    return `${from + width * index}–${from + width * (index + 1)}`;
}

function round(number) {
    return Math.round(number * 10) / 10;
}

function places(presence) {
    if (presence.length === 0) return null;
    const busiest = [...presence].sort((a, b) => b.people - a.people).slice(0, PLACES);
    return h("div", null, h("h3", null, "Where, at which hour"),
        h("ul", { class: "list" }, busiest.map((place) => h("li", { class: "small" },
            `${String(place.hour).padStart(2, "0")}:00 UTC · within ${distance(1_500)} of `
            + `${coordinates(place, 2)}: about ${number(place.people)}`))));
}
