import Contract

/// The authentication state that is carried from one turn to the next: it is not in the store, and
/// a restart clears it.
final class AuthenticationState {
    let attempts = AttemptBook()
    let tokens = TokenAttempts()
    let connections: ReportedConnections
    let cost: PasswordHash.Cost
    /// The hash to check a password against if the account has none, so that it takes equally long.
    let nobody: PasswordHash

    private struct Check {
        let asker: Requester
        /// The source of the attempt; nil if unknown.
        let source: AttemptBook.Source?
        let isOfDirectory: Bool
    }

    private var underway: [UInt64: Check] = [:]
    private var waiting: [PasswordWork] = []
    /// The requesters whose passwords the directory is checking.
    private var askingDirectory: [UInt64: Requester] = [:]
    private var waitingForDirectory: [DirectoryWork] = []
    private var lastWork: UInt64 = 0

    init(_ settings: BridgeSettings) {
        connections = ReportedConnections(hasGate: settings.broker.hasGate)
        cost = PasswordHash.Cost(settings.accounts)
        nobody = PasswordHash(ofNobody: cost)
    }

    /// The number of passwords being checked or queued for it.
    var load: Int { underway.count }

    /// - Parameter isOfDirectory: whether to count those that only the directory can know, or the
    ///   others.
    func load(isOfDirectory: Bool) -> Int {
        underway.values.count { $0.isOfDirectory == isOfDirectory }
    }

    /// Whether a password of that kind from the source is being checked or queued for it.
    func checks(for source: AttemptBook.Source, isOfDirectory: Bool) -> Bool {
        underway.values.contains { $0.source == source && $0.isOfDirectory == isOfDirectory }
    }

    /// The requesters whose passwords are being checked or queued for it.
    var askers: some Collection<Requester> {
        underway.values.map(\.asker) + Array(askingDirectory.values)
    }

    /// The number of passwords that the directory is checking.
    var directoryLoad: Int { askingDirectory.count }

    /// Exchanges work and outcomes; to be called after a turn was committed.
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

    /// Exchanges directory work and its outcomes; to be called after a turn was committed.
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
