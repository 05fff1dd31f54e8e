/// A person's picture, or their initials.

import { h, toggle, write } from "./dom.js";
import { initials } from "./member.js";
import { t } from "./language.js";

/// The picture's address, which changes with the picture.
export function avatarUrl(user, digest) {
    return `/api/avatars/${encodeURIComponent(user)}/${encodeURIComponent(digest)}`;
}

/// Shows a person in an element of the class `avatar`: "SOS" during an SOS, otherwise the picture
/// or the initials.
export function showAvatar(element, { user, name, avatar, state }) {
    const url = avatar && state !== "sos" ? avatarUrl(user, avatar) : null;
    const letters = state === "sos" ? t("SOS") : initials(name);
    if ((element.dataset.picture ?? null) === url && url !== null) return;
    toggle(element, "data-picture", url);
    write(element, letters);
    if (!url) return;
    const image = h("img", { src: url, alt: "", width: 64, height: 64, decoding: "async" });
    // The initials stay below a picture that fails to load.
    image.addEventListener("error", () => image.remove());
    element.append(image);
}
