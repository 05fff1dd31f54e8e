import { session } from "../api.js";
import { h } from "../dom.js";

export function mountWelcome(place, { entered }) {
    place.append(h("button", { class: "button", onclick: async () => entered(await session.watchDemo()) }, "Watch the demo"));
}
