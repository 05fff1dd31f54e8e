/// The operator's actions on a person's account.

import { LIMITS } from "../contract.js";
import { h, replace, toggle, write } from "../dom.js";
import { makeField } from "../form.js";
import { access } from "./access.js";
import { askAndDo } from "./asking.js";
import { canMakeLinks, invite, WHY_NO_LINKS } from "./link.js";
import { endedWords, passwordWords } from "./words.js";

/// - Parameter gone: called when the person has been removed.
export function makePersonActions({ app, user, current, refresh, tell, place }, gone) {
    const button = (words, work, look = "") => h("button", {
        type: "button", class: `button ${look}`, "aria-label": `${words}: ${user}`, onclick: work,
    }, words);
    const link = button("Make a link", makeLink);
    const rename = button("Rename", changeName);
    const enable = button("Enable", () => doIt("user.enable", `People can log in as ${user} again.`));
    const disable = button("Disable", turnOff);
    const remove = button("Remove the account", erase, "quiet danger");
    const logOutAll = button("Log out all devices", logOut, "quiet danger");
    const hint = h("p", { class: "small muted" });

    async function doIt(method, words) {
        try {
            await access.call(method, { user });
            tell(words);
        } catch (problem) {
            tell("", problem);
        }
        await refresh();
    }

    async function makeLink() {
        tell("");
        place.replaceChildren();
        if (!canMakeLinks()) return tell("", { message: WHY_NO_LINKS });
        link.disabled = true;
        try {
            const box = await invite(app, user);
            replace(place, h("section", { class: "invited-link stack", "aria-label": `Link for ${user}` }, box,
                h("button", { type: "button", class: "button", onclick: hideLink }, "Hide the link")));
            tell(`The link for ${user} is made.`);
            place.querySelector("input").focus();
        } catch (problem) {
            tell("", problem);
        } finally {
            link.disabled = false;
        }
    }

    function hideLink() {
        place.replaceChildren();
        tell("");
        link.focus();
    }

    async function changeName() {
        const name = makeField({
            name: "name", label: "Name that other people see", value: current().name, maxlength: LIMITS.name,
            autocomplete: "off",
        });
        const done = await askAndDo(app, {
            title: `Rename ${user}`,
            text: [`The user name ${user} stays: stored data refers to it.`],
            fields: [name],
            button: "Rename",
            work: async ({ name: text }) => {
                await access.call("user.rename", { user, name: text.trim() });
                return text.trim();
            },
        });
        if (done === undefined) return;
        tell(`${user} is shown as ${done}.`);
        await refresh();
    }

    async function logOut() {
        const answer = await askAndDo(app, {
            title: `Log out all devices of ${user}?`,
            text: ["Their tokens stop working immediately, except for devices in an SOS or on a journey: those stay "
                + "logged in, since groups rely on them.",
            `Anyone who knows the password can log in as ${user} again.`],
            button: "Log them out", danger: true,
            work: () => access.call("user.revoke", { user }),
        });
        if (!answer) return;
        tell(endedWords(answer.ended, answer.kept ?? []));
        await refresh();
    }

    async function turnOff() {
        const answer = await askAndDo(app, {
            title: `Disable ${user}?`,
            text: [`No one can log in as ${user} any more, their devices are logged out, and nothing is sent to `
                + "them. A device in an SOS or on a journey stays logged in until that ends.",
            "Links that show where they are, and programs they let see a group, end permanently.",
            "Their stored data and their groups stay. You can enable them again."],
            button: `Disable ${user}`, danger: true,
            work: () => access.call("user.disable", { user }),
        });
        if (!answer) return;
        tell(`${user} is disabled. ${endedWords(answer.ended, answer.kept ?? [], true)}`);
        await refresh();
    }

    async function erase() {
        const typed = makeField({
            name: "typed", label: `Type the user name, ${user}`, autocomplete: "off", autocapitalize: "none",
            spellcheck: "false",
        });
        const answer = await askAndDo(app, {
            title: `Remove ${user}?`,
            text: [`The account of ${current().name} is deleted, with everything that is stored about them. This `
                + "cannot be undone. Backups that were made before still contain it.",
            "To lock someone out but keep their data, disable them instead."],
            fields: [typed],
            button: `Remove ${user} and all data`, danger: true,
            work: async ({ typed: text }) => {
                if (text.trim() !== user) {
                    throw { errors: [{ field: "typed", reason: `This is not ${user}.` }] };
                }
                return access.call("user.remove", { user });
            },
        });
        if (answer) gone();
    }

    return {
        logOutAll,
        element: h("div", { class: "stack tight" }, hint,
            h("div", { class: "row" }, link, rename, disable, enable, remove)),
        show() {
            const { directory, disabledAt, devices } = current();
            write(hint, passwordWords(current()));
            toggle(link, "hidden", directory === true);
            toggle(disable, "hidden", Boolean(disabledAt));
            toggle(enable, "hidden", !disabledAt);
            toggle(logOutAll, "hidden", devices.filter(({ loggedIn }) => loggedIn).length < 2);
        },
    };
}
