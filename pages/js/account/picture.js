/// My picture: a small square, made here, so that nothing of the file itself is sent: no place, no
/// camera, no name.

import { showAvatar } from "../avatar.js";
import { h, write } from "../dom.js";
import { problemText } from "../form.js";
import { t } from "../language.js";

/// The server accepts exactly this many pixels in each direction.
const SIDE = 64;

/// - `update(changes)` calls `account.update`, and returns the account.
export function makePicture(app, update) {
    const avatar = h("span", { class: "avatar large", "aria-hidden": "true" });
    const error = h("p", { class: "error", role: "alert" });
    const file = h("input", {
        type: "file", accept: "image/*", class: "visually-hidden", tabindex: "-1",
        "aria-hidden": "true",
        onchange: () => perform(async () => {
            const [chosen] = file.files;
            file.value = "";
            if (!chosen) return;
            show(await update({ avatar: base64(rgbOf(await pixelsOf(chosen))) }));
            app.say(t("Your groups and friends now see this picture."), "good");
        }),
    });
    const choose = h("button", {
        type: "button", class: "button", onclick: () => file.click(),
    }, t("Add a picture"));
    const remove = h("button", {
        type: "button", class: "button quiet danger",
        onclick: () => perform(async () => {
            show(await update({ avatar: null }));
            app.say(t("Your picture was removed."));
        }),
    }, t("Remove picture"));

    async function perform(work) {
        write(error, "");
        choose.disabled = remove.disabled = true;
        try {
            await work();
        } catch (problem) {
            write(error, problemText(problem));
        }
        choose.disabled = remove.disabled = false;
    }

    function show(account) {
        showAvatar(avatar, account);
        write(choose, account.avatar ? t("Change picture") : t("Add a picture"));
        remove.hidden = !account.avatar;
    }

    return {
        element: h("div", { class: "stack tight" },
            h("div", { class: "row" }, avatar, choose, remove, file), error),
        show,
    };
}

/// The middle of the picture as pixels.
async function pixelsOf(file) {
    let image;
    try {
        image = await createImageBitmap(file);
    } catch {
        throw new Error(t("The browser can't read this file as a picture."));
    }
    const { x, y, side } = middleOf(image);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = SIDE;
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    // Transparent pixels become white.
    context.fillStyle = "#fff";
    context.fillRect(0, 0, SIDE, SIDE);
    context.drawImage(image, x, y, side, side, 0, 0, SIDE, SIDE);
    image.close();
    return context.getImageData(0, 0, SIDE, SIDE).data;
}

/// The largest square in the middle.
export function middleOf({ width, height }) {
    const side = Math.min(width, height);
    return { x: (width - side) / 2, y: (height - side) / 2, side };
}

/// Pixels as the server accepts them: three bytes each, without opacity.
export function rgbOf(rgba) {
    const rgb = new Uint8Array(rgba.length / 4 * 3);
    for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
        rgb[to] = rgba[from];
        rgb[to + 1] = rgba[from + 1];
        rgb[to + 2] = rgba[from + 2];
    }
    return rgb;
}

function base64(bytes) {
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
}
