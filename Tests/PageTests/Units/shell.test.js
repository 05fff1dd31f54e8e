import { say } from "/js/shell.js";
import { equal, stopTime, test } from "/unit.js";

test("Toasts are shown for a while, two at most, and an error the longest", async () => {
    const move = stopTime();
    const place = document.createElement("div");
    place.id = "toasts";
    document.body.append(place);
    const words = () => [...place.children].map((toast) => toast.querySelector("span").textContent);
    say("An error", "error");
    for (const text of ["a", "b", "c"]) say(text);
    equal(words(), ["An error", "c"]);
    for (const text of ["Another error", "One more"]) say(text, "error");
    equal(words(), ["Another error", "One more"]);
    await move(600_000);
    equal(words(), []);
});
