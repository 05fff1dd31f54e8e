import { makeFace } from "/js/map/face.js";
import { equal, test } from "/unit.js";

const member = {
    user: "cleo", name: "Cleo Moretti", state: "active", online: true, warnings: [],
    fix: { latitude: 46, longitude: 14.5, timestamp: "2026-11-24T12:00:00Z" },
};
const view = (more) => ({
    member: { ...member, ...more }, colour: "#1f6f8b", isKnown: true, isCurrent: true,
    isSelected: false, isMe: false,
});

/// Waits until a picture has loaded or failed.
const answered = (image) => new Promise((resolve) => {
    for (const kind of ["load", "error"]) image.addEventListener(kind, resolve);
});

test("A picture covers the letters, which stay if it does not load", async () => {
    const face = makeFace(() => {});
    document.body.append(face.element);
    face.update(view({}));
    equal(face.element.querySelector(".letters").textContent, "CM");
    equal(face.element.querySelector("img"), null);
    face.update(view({ avatar: "0a1b" }));
    const image = face.element.querySelector(".disc img");
    equal(new URL(image.src).pathname, "/api/avatars/cleo/0a1b");
    equal(image.alt, "");
    await answered(image);
    equal(face.element.querySelector("img"), null);
    equal(face.element.querySelector(".letters").textContent, "CM");
});

test("A face is a button with its person's name only in a fan", () => {
    const pressed = [];
    const face = makeFace(() => pressed.push("cleo"));
    document.body.append(face.element);
    face.update(view({}));
    const kinds = () => ["role", "tabindex", "aria-label", "aria-hidden"]
        .map((name) => face.element.getAttribute(name));
    equal(kinds(), [null, null, null, "true"]);
    face.stand({ x: 60, y: 0 });
    equal(kinds(), ["button", "0", "Cleo Moretti", null]);
    face.element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    face.element.dispatchEvent(new KeyboardEvent("keydown", { key: "a" }));
    equal(pressed, ["cleo"]);
    face.stand("hidden");
    equal(kinds(), [null, null, null, "true"]);
});

test("My own face is labelled You, and a call for help shows SOS", () => {
    const face = makeFace(() => {});
    face.update({ ...view({}), isMe: true });
    equal(face.element.querySelector(".tag-name").textContent, "You");
    face.update(view({ state: "sos", since: "2026-11-24T12:00:00Z" }));
    equal(face.element.querySelector(".letters").textContent, "SOS");
    equal(face.element.querySelector(".tag-name").textContent, "Cleo Moretti");
});
