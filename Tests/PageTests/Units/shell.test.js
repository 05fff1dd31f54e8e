import { say } from "/js/shell.js";
import { equal, stopTime, test } from "/unit.js";

test("What is said is there for a while, and four things at most at a time", async () => {
    const move = stopTime();
    const place = document.createElement("div");
    place.id = "toasts";
    document.body.append(place);
    const words = () => [...place.children].map((toast) => toast.querySelector("span").textContent);
    say("An error", "error");
    for (const text of ["a", "b", "c"]) say(text);
    equal(words(), ["An error", "a", "b", "c"]);
    say("d");
    equal(words(), ["a", "b", "c", "d"]);
    await move(600_000);
    equal(words(), []);
});
