import { equal, test } from "/unit.js";
import { openPage } from "/whole-page.js";

const labelled = (page, words) => [...page.document.querySelectorAll("button")]
    .find((each) => each.textContent === words && each.checkVisibility());

/// - Parameter others: whether there is a group that was not alerted.
async function called(cause, others) {
    const page = await openPage({ width: 360, height: 740 });
    const { newGroup } = await page.modules("store");
    if (others) page.change(({ groups }) => groups.set("h", newGroup("h", "Hikers")));
    page.calls("ann", { cause });
    await page.settle();
    return page;
}

test("My SOS from vital signs to some groups can be extended to the others", async () => {
    const page = await called("vital-signs", true);
    const { sosRequest } = await page.modules("sos-request");
    labelled(page, "SOS to all groups").click();
    await page.settle();
    equal(sosRequest.current.phase, "on", "asked first:");
    labelled(page, "Send it now").click();
    await page.settle();
    equal(sosRequest.current.phase, "calling");
});

test("My SOS cannot be extended if all groups know of it", async () => {
    for (const [cause, others] of [["vital-signs", false], ["person", true]]) {
        const page = await called(cause, others);
        equal(labelled(page, "SOS to all groups") === undefined, true, `${cause}:`);
    }
});
