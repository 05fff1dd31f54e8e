internal import ArgumentParser

struct TroubleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Metres of an additional error that wanders slowly.",
            valueName: "metres"))
    var jitter = 0.0

    @Option(
        help: ArgumentHelp(
            "Take no fixes for a while: START:LENGTH, in seconds of the track. Repeatable.",
            valueName: "start:length"))
    var gap: [SpanArgument] = []

    @Option(
        help: ArgumentHelp(
            """
            Send nothing for a while, then all that was kept: START:LENGTH, in seconds of the \
            track. Repeatable.
            """, valueName: "start:length"))
    var buffer: [SpanArgument] = []

    @Flag(
        help: """
            Number the fixes and keep each until the service confirms that it is stored, across \
            reconnects and restarts of the broker.
            """)
    var seq = false

    @Option(
        help: ArgumentHelp(
            """
            With --seq: a file in which numbers and kept fixes outlive fake-gps itself; one for \
            each set of phones.
            """, valueName: "file"))
    var state: String?

    func validate() throws {
        guard (0...10_000).contains(jitter) else {
            throw ValidationError("--jitter must be from 0 to 10000.")
        }
    }
}
