/// A rule about a place in a list, with my actions.

import { h, toggle, write } from "../dom.js";
import { problemText } from "../form.js";
import { t } from "../language.js";
import { nameOf } from "../store.js";
import { consentWords, ownAnswer, ruleSentence } from "./rule-words.js";

/// The names in the sentences about rules.
export function ruleNames({ store }, rule) {
    const { me, groups } = store.state;
    return {
        me: me?.user,
        nameOf: (user) => (user === rule?.madeBy && rule.madeByName ? rule.madeByName : nameOf(user)),
        groupName: (group) => groups.get(group)?.name ?? t("a group"),
    };
}

export function makeRuleRow(app, id, { changed }) {
    let known = null;
    const isDemo = app.store.state.me?.demo === true;
    const text = h("p", { class: "break" });
    const state = h("p", { class: "small muted" });
    const press = (words, look, work) => h("button", {
        type: "button", class: `button ${look}`, onclick: work,
    }, words);
    const agree = press(t("Agree"), "primary", () => perform("geofence.rule.answer", { rule: id, agree: true },
        known.confirm ? t("You have confirmed the place.") : t("You have agreed.")));
    const refuse = press(t("Refuse"), "", () => perform(
        "geofence.rule.answer", { rule: id, agree: false }, t("You have refused: no one is notified.")));
    const end = press(t("End"), "quiet danger", endIt);
    const look = press(t("Show on the map"), "", () => app.showPlace(known.geofence));

    async function perform(method, request, words) {
        for (const button of [agree, refuse, end]) button.disabled = true;
        try {
            await app.call(method, request);
            app.say(words, "good");
        } catch (problem) {
            app.say(problemText(problem), "error");
        }
        for (const button of [agree, refuse, end]) button.disabled = false;
        await changed();
    }

    async function endIt() {
        const { me } = app.store.state;
        const isMine = known.madeBy === me?.user;
        const isSure = await app.ask({
            title: t("End this rule?"), danger: true, yes: t("End it"),
            text: isMine ? `${text.textContent} ${t("It ends for everyone.")}` : text.textContent,
        });
        if (isSure) await perform("geofence.rule.end", { rule: id }, t("The rule has ended."));
    }

    return {
        element: h("li", { class: "rule", dataset: { rule: id } }, text, state,
            h("div", { class: "row" }, agree, refuse, look, end)),
        update(rule) {
            known = rule;
            const names = ruleNames(app, rule);
            const answer = rule.madeBy === names.me ? undefined : ownAnswer(rule, names.me);
            const isMine = rule.madeBy === names.me;
            write(text, ruleSentence(rule, rule.geofence?.name ?? t("a place"), names));
            write(state, [
                rule.confirm ? t("Others have changed the place: until you confirm it, this rule does "
                    + "not report arrivals.") : "",
                consentWords(rule, names),
                isMine ? "" : t("{name} made this rule.", { name: rule.madeByName ?? rule.madeBy }),
                answerWords(answer),
            ].filter(Boolean).join(" "));
            state.hidden = state.textContent === "";
            write(agree, rule.confirm ? t("Confirm the place") : t("Agree"));
            agree.hidden = isDemo || !rule.confirm && (answer === undefined || answer === true);
            refuse.hidden = isDemo || answer !== null;
            // Others' places I may see for the first time here.
            look.hidden = isMine && !rule.confirm || !rule.geofence;
            // A refused rule has no effect that could end.
            end.hidden = isDemo || answer === null || answer === false;
            const about = rule.geofence?.name ?? "";
            for (const button of [agree, refuse, look, end]) {
                toggle(button, "aria-label", `${button.textContent}: ${rule.madeByName ?? ""}, ${about}`);
            }
        },
    };
}

function answerWords(answer) {
    if (answer === null) return t("No one is notified until you agree.");
    if (answer === true) return t("You have agreed.");
    return answer === false ? t("You have refused: no one is notified.") : "";
}
