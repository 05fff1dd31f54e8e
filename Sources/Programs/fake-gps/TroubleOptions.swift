internal import ArgumentParser

struct TroubleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Metres of an additional, slowly drifting error.",
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
            Send nothing for a while, then everything kept meanwhile: START:LENGTH, in seconds of \
            the track. Repeatable.
            """, valueName: "start:length"))
    var buffer: [SpanArgument] = []

    @Flag(
        help: """
            Number the fixes and keep each one until the service confirms that it is stored, even \
            if the connection is lost or the broker restarts.
            """)
    var seq = false

    @Option(
        help: ArgumentHelp(
            """
            With --seq: a file that keeps numbers and unconfirmed fixes between runs of fake-gps; \
            use one for each set of phones.
            """, valueName: "file"))
    var state: String?

    func validate() throws {
        guard (0...10_000).contains(jitter) else {
            throw ValidationError("--jitter must be from 0 to 10000.")
        }
    }
}
