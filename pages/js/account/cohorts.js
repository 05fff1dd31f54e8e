/// For companies: statistics about many people.

import { barChart } from "../chart.js";
import { h, replace } from "../dom.js";
import { coordinates, dateTime, distance, number } from "../format.js";
import { makeChoice, makeField, makeForm } from "../form.js";
import { t } from "../language.js";
import { DAY_MS } from "../units.js";

const AGE_BAND = 5;
const OLDEST = 120;
const QUANTITIES = [
    ["heartRate", t("Heart rate"), t("beats per minute")],
    ["oxygenSaturation", t("Oxygen saturation"), "%"],
    ["respiratoryRate", t("Respiratory rate"), t("breaths per minute")],
    ["systolicPressure", t("Systolic blood pressure"), "mmHg"],
    ["diastolicPressure", t("Diastolic blood pressure"), "mmHg"],
    ["bodyTemperature", t("Body temperature"), "°C"],
    ["distance", t("Distance per day"), "m"],
];
const PLACES = 10;

/// - Returns: `{element}`.
export function makeCohorts(app) {
    const ages = [];
    for (let age = 0; age <= OLDEST; age += AGE_BAND) ages.push(age);
    const from = makeChoice("from", t("From age"), [["", t("any")], ...ages.slice(0, -1).map(pair)]);
    const to = makeChoice("to", t("Below age"), [["", t("any")], ...ages.slice(1).map(pair)]);
    const gender = makeChoice("gender", t("Gender"),
        [["", t("any")], ["female", t("female")], ["male", t("male")], ["other", t("other")]]);
    const days = makeChoice("days", t("Time"),
        [["1", t("yesterday")], ["7", t("the last 7 days")], ["30", t("the last 30 days")]]);
    const residence = makeField({
        name: "residence", label: t("Residence"), hint: t("Town or region, as people enter it. "
            + "Leave empty for any."),
    });
    const result = h("div", { class: "stack", role: "status" });
    const form = makeForm({
        fields: [from, to, gender, residence, days],
        button: t("Run query"),
        submit: async (values) => {
            replace(result);
            show(await app.call("cohort.query", question(values)));
        },
    });
    const element = h("details", { class: "card" }, h("summary", null, t("Cohort statistics")),
        h("p", { class: "small muted" }, t("Everyone who has agreed to vital signs: how many there "
            + "are, and how many in each band. All numbers contain noise. Days are in UTC; the "
            + "last one is complete an hour after its end. The same query has the same answer, and "
            + "costs once.")),
        form, result);
    return { element };

    function show(answer) {
        const charts = QUANTITIES.filter(([name]) => answer[name])
            .map(([name, title, unit]) => chart(title, unit, answer[name]));
        replace(result,
            h("p", null, h("strong", null, t("About {count} people", { count: number(answer.people) })), " · ",
                t("{from} to {to}", { from: dateTime(answer.from), to: dateTime(answer.to) })),
            charts.length > 0 ? charts : h("p", { class: "muted" }, t("No values can be shown: too "
                + "few people, or too revealing.")),
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
function chart(title, unit, { from, width, people, mean, percentiles, leastTold }) {
    const middle = percentiles?.["50"];
    return barChart({
        title,
        note: summary(middle, mean, leastTold, unit),
        bars: people.map((value, index) => ({ label: `${band(from, width, index)} ${unit}`, value })),
        ends: [String(from), `${from + width * people.length} ${unit}`],
    });
}

/// Null stands for less than the least reported value.
function summary(middle, mean, leastTold, unit) {
    if (middle === undefined) return "";
    const told = (value) => value === null ? t("less than {least}", { least: leastTold }) : round(value);
    return t("half are below {middle}, the mean is {mean} {unit}", {
        middle: middle === null ? leastTold : told(middle), mean: told(mean), unit,
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
    return h("div", null, h("h3", null, t("Where, by hour")),
        h("ul", { class: "list" }, busiest.map((place) => h("li", { class: "small" },
            t("{hour}:00 UTC · within {distance} of {place}: about {count}", {
                hour: String(place.hour).padStart(2, "0"), distance: distance(1_500),
                place: coordinates(place, 2), count: number(place.people),
            })))));
}
