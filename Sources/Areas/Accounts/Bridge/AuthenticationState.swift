import Contract

/// What turns know about clients that are authenticating, carried from one turn to the next: it is
/// not in the store, and a restart forgets it.
final class AuthenticationState {
    let attempts = AttemptBook()
    let tokens = TokenAttempts()
    let connections: ReportedConnections
    let cost: PasswordHash.Cost
    /// What a password is checked against if the account has none, so that it takes as long.
    let nobody: PasswordHash

    private struct Check {
        let asker: Requester
        /// Who tries; nil where that is not known.
        let source: AttemptBook.Source?
        let isOfDirectory: Bool
    }

    private var underway: [UInt64: Check] = [:]
    private var waiting: [PasswordWork] = []
    /// Whose passwords the directory is asked about.
    private var askingDirectory: [UInt64: Requester] = [:]
    private var waitingForDirectory: [DirectoryWork] = []
    private var lastWork: UInt64 = 0

    init(_ settings: BridgeSettings) {
        connections = ReportedConnections(hasGate: settings.broker.hasGate)
        cost = PasswordHash.Cost(settings.accounts)
        nobody = PasswordHash(ofNobody: cost)
    }

    /// The number of passwords that are being checked, or wait for it.
    var load: Int { underway.count }

    /// - Parameter isOfDirectory: those that the directory alone can know, or the others.
    func load(isOfDirectory: Bool) -> Int {
        underway.values.count { $0.isOfDirectory == isOfDirectory }
    }

    /// Whether such a password that the source has sent is being checked, or waits for it.
    func checks(for source: AttemptBook.Source, isOfDirectory: Bool) -> Bool {
        underway.values.contains { $0.source == source && $0.isOfDirectory == isOfDirectory }
    }

    /// The requesters whose passwords are being checked, or wait for it.
    var askers: some Collection<Requester> {
        underway.values.map(\.asker) + Array(askingDirectory.values)
    }

    /// The number of passwords that the directory is asked about.
    var directoryLoad: Int { askingDirectory.count }

    /// To be called after a turn was committed.
    func exchange(_ outcomes: [PasswordOutcome], for work: [PasswordWork]) {
        for outcome in outcomes { underway[outcome.work] = nil }
        for var work in work {
            lastWork += 1
            work.id = lastWork
            underway[lastWork] = Check(
                asker: work.asker, source: work.source, isOfDirectory: work.isOfDirectory)
            waiting.append(work)
        }
    }

    /// The same for what the directory is asked.
    func exchange(_ outcomes: [DirectoryOutcome], for work: [DirectoryWork]) {
        for outcome in outcomes { askingDirectory[outcome.work] = nil }
        for var work in work {
            lastWork += 1
            work.id = lastWork
            askingDirectory[lastWork] = work.asker
            waitingForDirectory.append(work)
        }
    }

    func takeDirectoryWork() -> [DirectoryWork] {
        defer { waitingForDirectory = [] }
        return waitingForDirectory
    }

    func takeWork() -> [PasswordWork] {
        defer { waiting = [] }
        return waiting
    }
}
