import TestSupport

/// Control of what counts seconds on the page, such as the countdown before an SOS.
extension Page {
    /// Lets what the page does every second happen only at ``tick(_:)``, also after a reload:
    /// what appears in between can then be waited for as long as it takes.
    public func stopClock() async throws {
        try await send(
            "Page.addScriptToEvaluateOnNewDocument", ["source": .string(Page.stoppedClock)])
        try await run(Page.stoppedClock)
    }

    /// Lets this many seconds pass.
    public func tick(_ seconds: Int) async throws {
        try await run(
            "for (let n = 0; n < \(seconds); n += 1) for (const work of [...ticks.values()]) work()"
        )
    }

    private static let stoppedClock = """
        (() => {
            const [start, stop] = [globalThis.setInterval, globalThis.clearInterval];
            const ticks = globalThis.ticks = new Map();
            let last = 0;
            globalThis.setInterval = (work, ms, ...others) => {
                if (ms !== 1000) return start(work, ms, ...others);
                ticks.set(last -= 1, work);
                return last;
            };
            globalThis.clearInterval = (id) => ticks.delete(id) || stop(id);
        })();
        """
}
