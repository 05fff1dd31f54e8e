internal import FakeGPS
internal import Glibc

/// The output for people: one line that is updated on a terminal, and one at the end.
struct Output: Sendable {
    private let isQuiet: Bool
    private let showsProgress: Bool

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
        showsProgress = !isQuiet && isatty(STDERR_FILENO) == 1
    }

    func tell(_ event: Fleet.Event) {
        switch event {
        case .progress(let tally):
            if showsProgress { Output.put("\r\(Output.progress(tally))\u{1B}[K") }
        case .requestRefused(let method, let problem):
            complain("\(method) was refused: \(problem).")
        case .fixesRefused(let problem): complain("fixes were refused: \(problem).")
        case .trouble(let what): complain("\(what); trying again.")
        }
    }

    func finish(_ tally: FleetStatistics) {
        if showsProgress { Output.put("\r\u{1B}[K") }
        guard !isQuiet else { return }
        print(
            "sent \(tally.sent) confirmed \(tally.confirmed) receipted \(tally.receipted)",
            "rejected \(tally.rejected) kept \(tally.kept) reconnects \(tally.reconnects)")
    }

    /// - Throws: if something that should have arrived has not.
    static func check(_ tally: FleetStatistics) throws {
        func count(_ number: Int, _ thing: String, _ things: String, _ what: String) -> String? {
            number == 0 ? nil : "\(number) \(number == 1 ? thing : things) \(what)"
        }
        let failures = [
            count(tally.kept, "fix", "fixes", "not confirmed in time"),
            count(tally.givenUp, "fix", "fixes", "given up"),
            count(tally.unanswered, "request", "requests", "not answered in time"),
        ].compactMap(\.self)
        guard !failures.isEmpty else { return }
        throw Failure(description: failures.joined(separator: ", ") + ".")
    }

    private static func progress(_ tally: FleetStatistics) -> String {
        """
        connected \(tally.connected)/\(tally.phones) · sent \(tally.sent) · confirmed \
        \(tally.confirmed) · receipted \(tally.receipted) · kept \(tally.kept) · rejected \
        \(tally.rejected) · reconnects \(tally.reconnects)
        """
    }

    private func complain(_ text: String) {
        if showsProgress { Output.put("\r\u{1B}[K") }
        Output.complain(text)
    }

    /// Writes one line to standard error.
    static func complain(_ text: String) { put("fake-gps: \(text)\n") }

    private static func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
