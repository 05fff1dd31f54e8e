/// My history from other apps: files are read here, in the browser, and their positions sent.

import { LIMITS } from "../contract.js";
import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { date, dateTime, number, sameDay } from "../format.js";
import { HistoryFileError } from "../history/error.js";
import { positionsIn } from "../history/files.js";
import { t, tn } from "../language.js";

/// Of positions closer together than this, the first is sent.
const EVERY_MS = 5_000;
/// Positions per request; the service accepts 500, in 64 KiB.
const BATCH = 300;
/// Between two requests, so the person's other devices do not have to wait.
const PAUSE_MS = 100;

export function makeImports(app) {
    const list = h("ul", { class: "list", "aria-label": t("Imports") });
    const files = h("input", { id: "import-files", type: "file", multiple: true });
    const add = h("button", { type: "button", class: "button", onclick: () => importAll() }, t("Import"));
    const stop = h("button", {
        type: "button", class: "button", hidden: true, onclick: () => { isStopped = true; },
    }, t("Stop"));
    const progress = h("p", { role: "status", class: "small" });
    const error = h("p", { class: "error", role: "alert" });
    const element = h("details", { class: "card" },
        h("summary", null, t("My history from other apps")),
        h("p", { class: "small muted" }, t("GPX and TCX files, Google's Records.json or "
            + "Timeline.json, and OwnTracks Recorder files. They are read in your browser; of "
            + "positions less than 5 seconds apart, only one is sent. Only you see them, and no "
            + "one is alerted.")),
        list,
        h("div", { class: "field" }, h("label", { for: "import-files" }, t("Files")), files),
        h("div", { class: "row" }, add, stop), progress, error);

    let isStopped = false;

    async function importAll() {
        write(error, "");
        if (files.files.length === 0) return write(error, t("Choose a file first."));
        isStopped = false;
        [add.disabled, stop.hidden] = [true, false];
        const counts = { read: 0, new: 0, skipped: 0 };
        const failures = [];
        try {
            for (const file of files.files) {
                try {
                    await importFile(file, counts);
                } catch (problem) {
                    const why = problem instanceof HistoryFileError ? problem.message : problemText(problem);
                    failures.push(`${file.name}: ${why}`);
                    write(error, failures.join(" "));
                    if (!(problem instanceof HistoryFileError)) break;
                }
                if (isStopped) break;
            }
            tell(counts, isStopped ? t("Stopped.") : t("Done."));
            files.value = "";
            await load();
        } finally {
            [add.disabled, stop.hidden] = [false, true];
        }
    }

    async function importFile(file, counts) {
        const source = file.name.slice(0, LIMITS.importSource).trim() || t("File");
        let batch = [];
        let last = null;
        const send = async () => {
            if (batch.length === 0) return;
            const { imported } = await app.call("import.add", { source, positions: batch });
            counts.new += imported;
            batch = [];
            tell(counts, "");
            await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        };
        try {
            for await (const position of positionsIn(file, () => { counts.skipped += 1; })) {
                counts.read += 1;
                if (last !== null && Math.abs(position.timestamp - last) < EVERY_MS) continue;
                last = position.timestamp;
                batch.push(position);
                if (batch.length === BATCH) await send();
                if (isStopped) break;
            }
        } finally {
            // Including the positions before the damaged part of the file.
            await send();
        }
    }

    function tell({ read, new: fresh, skipped }, word) {
        write(progress, [
            word, t("{count} positions read, {fresh} of them new in your history.", {
                count: number(read), fresh: number(fresh),
            }),
            skipped > 0 ? tn(skipped, "1 entry has no time or no place.",
                "{count} entries have no time or no place.", { count: number(skipped) }) : "",
        ].filter(Boolean).join(" "));
    }

    async function remove({ source, positions }) {
        const isSure = await ask({
            title: t("Delete everything from {source}?", { source }),
            text: tn(positions, "1 position will be deleted from your history here. Your file is "
                + "not changed.",
                "{count} positions will be deleted from your history here. Your file is not changed.",
                { count: number(positions) }),
            yes: t("Delete"), danger: true,
        });
        if (!isSure) return;
        try {
            await app.call("import.delete", { source });
            await load();
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    async function load() {
        try {
            const { imports } = await app.call("import.list");
            replace(list, imports.map((each) => h("li", null, h("div", { class: "row" },
                h("span", { class: "grow break" }, h("strong", null, each.source),
                    h("span", { class: "small muted" },
                        [
                            "", tn(each.positions, "1 position", "{count} positions",
                                { count: number(each.positions) }),
                            each.from ? days(each) : null,
                            t("imported {time}", { time: dateTime(each.importedAt) }),
                        ].filter((part) => part !== null).join(" · "))),
                h("button", {
                    type: "button", class: "button quiet small", onclick: () => remove(each),
                    "aria-label": t("Delete everything from {source}", { source: each.source }),
                }, t("Delete"))))));
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    return { element, load };
}

function days({ from, to }) {
    return sameDay(from, to) ? date(from) : t("{from} to {to}", { from: date(from), to: date(to) });
}
