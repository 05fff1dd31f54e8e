/// The face of a person on the map: picture or initials, direction, a mark, and their name.

import { avatarUrl } from "../avatar.js";
import { h, toggle, write } from "../dom.js";
import { moment } from "../format.js";
import { icon } from "../icons.js";
import { accuracyWords } from "../known/accuracy.js";
import { isHere, presenceOf, presenceWords } from "../known/presence.js";
import { t } from "../language.js";
import { describe, initials, isMoving } from "../member.js";
import { circleOf } from "./corners.js";

const ENTER = ["Enter", " "];

/// - Parameter select: called when it is pressed by a key, possible while it is fanned out.
export function makeFace(select) {
    const letters = h("span", { class: "letters" });
    const disc = h("span", { class: "disc" }, letters);
    const course = h("span", { class: "course", hidden: true });
    const mark = h("span", { class: "mark", hidden: true });
    const leg = h("span", { class: "leg" });
    const name = h("span", { class: "tag-name", dir: "auto" });
    const word = h("span", { class: "tag-word", dir: "auto" });
    const tag = h("span", { class: "tag" }, name, word);
    const element = h("div", {
        class: "person-marker", "aria-hidden": "true",
        onkeydown: (event) => {
            if (!ENTER.includes(event.key)) return;
            event.preventDefault();
            select();
        },
    }, leg, h("span", { class: "ring" }), h("span", { class: "ring second" }), course, disc, mark,
    tag);
    const picture = makePicture(disc);
    let shownMark = "";
    let size = null;

    return {
        element,
        tag,

        /// Width and height of the name; constant while its text is.
        get size() {
            size ??= { width: tag.offsetWidth, height: tag.offsetHeight };
            return size;
        },

        /// The size of the letters may have changed.
        forgetSize() {
            size = null;
        },

        /// - Parameter place: `"hidden"` in a crowd, or the offset `{x,y}` in pixels to a place in
        ///   its fan; null: at their position.
        stand(place) {
            const crowd = place === "hidden" ? "hidden" : place ? "fanned" : null;
            if (element.dataset.crowd === "hidden" && crowd !== "hidden") size = null;
            toggle(element, "data-crowd", crowd);
            const isFanned = crowd === "fanned";
            toggle(element, "aria-hidden", isFanned ? null : "true");
            toggle(element, "role", isFanned ? "button" : null);
            toggle(element, "tabindex", isFanned ? "0" : null);
            toggle(element, "aria-label", isFanned ? name.textContent : null);
            element.style.translate = isFanned ? `${place.x}px ${place.y}px` : "";
            if (!isFanned) return;
            leg.style.width = `${Math.hypot(place.x, place.y)}px`;
            leg.style.rotate = `${Math.atan2(-place.y, -place.x)}rad`;
        },

        update({ member, colour, isSelected, isMe, isKnown, isCurrent, kind = "member" }) {
            const { label, warnings } = describe(member);
            element.dataset.state = member.state;
            element.dataset.kind = kind;
            const isMember = kind === "member";
            toggle(element, "data-old", isMember && !(isKnown && isCurrent));
            const there = presenceOf(member, isKnown);
            toggle(element, "data-offline", isMember && ["left", "away"].includes(there.kind));
            toggle(element, "data-selected", isSelected);
            toggle(element, "data-me", isMe);
            element.style.setProperty("--person", colour);
            write(letters, member.state === "sos" ? t("SOS") : initials(member.name));
            picture.show(member.avatar ? avatarUrl(member.user, member.avatar) : "");
            const words = [];
            if (member.state === "sos") words.push(label);
            if (kind === "friend") words.push(t("Friend"));
            words.push(...warnings);
            // Without its circle it would seem exact.
            if (member.fix.accuracy && circleOf(member.fix) === 0) words.push(accuracyWords(member.fix));
            if (isMember && member.state === "inactive") {
                words.push(t("Last position, {time}", { time: moment(member.fix.timestamp) }));
            } else if (isMember && there.kind !== "here" && !member.warnings.includes("offline")) {
                words.push(presenceWords(there));
            }
            const [title, note] = [isMe ? t("You") : member.name, words.join(", ")];
            if (name.textContent !== title || word.textContent !== note) size = null;
            write(name, title);
            write(word, note);
            word.hidden = note === "";
            toggle(word, "data-tone", member.state === "sos" || warnings.length ? "warning" : null);
            const isGoing = isHere(member) && isMoving(member.fix);
            course.hidden = !isGoing;
            if (isGoing) course.style.rotate = `${member.fix.heading}deg`;
            const wanted = warnings.length ? "warning" : member.state === "routing" ? "flag" : "";
            if (wanted !== shownMark) {
                shownMark = wanted;
                mark.replaceChildren(...(wanted ? [icon(wanted, 14)] : []));
                mark.hidden = !wanted;
            }
        },
    };
}

/// A picture over the letters of a disc; if it cannot be loaded, the letters stay.
export function makePicture(disc) {
    let shown = "";
    let image = null;
    return {
        show(url) {
            if (url === shown) return;
            shown = url;
            image?.remove();
            image = url === "" ? null : h("img", {
                class: "picture", src: url, alt: "", draggable: "false",
                onerror: (event) => event.target.remove(),
            });
            if (image) disc.append(image);
        },
    };
}
