internal import Contract
package import Logging

/// Work that a turn requests and other threads do, since it takes too long for a turn; later turns
/// handle the outcomes. It carries everything that it needs.
package protocol Work: Sendable {}

/// An outcome of ``Work``.
package protocol WorkOutcome: Sendable {
    /// Nil if no turn handles it.
    static var kind: WorkKind? { get }

    /// Logs a failure for the operator to fix. No one is named.
    func logFailure(_ logger: Logger)
}

extension WorkOutcome {
    var kind: WorkKind? { Self.kind }
    package func logFailure(_ logger: Logger) {}
}

/// The kinds of outcomes, in the order in which a turn handles them.
package enum WorkKind: String, CaseIterable, Sendable {
    case passwords, directory, deliveries, dispatch, cohorts

    /// Whether clients wait for most of them: they are kept until there is a connection.
    var needsConnection: Bool { self == .passwords || self == .directory }
    /// Whether a turn handles only one, as many follow one another.
    var isSingle: Bool { self == .cohorts }
}

/// Work for which a request may wait.
protocol RequestedWork: Work {
    /// Assigned by the engine, in sequence.
    var id: UInt64 { get set }
    /// Nil if no request waits for it.
    var waiting: WaitingWork? { get }
}

/// What the engine keeps of ``RequestedWork`` until its outcome is handled: nothing secret.
struct WaitingWork {
    let kind: WorkKind
    let requester: Requester
    /// The source whose places it takes; nil if unknown.
    var source: AttemptBook.Source?
    /// Whether it may continue in a directory, which has places of its own.
    var isOfDirectory = false
}

/// The only outcome of ``RequestedWork``.
protocol RequestedOutcome: WorkOutcome {
    /// The work's id.
    var work: UInt64 { get }
    var requester: Requester? { get }
}

/// The work of committed turns.
final class OpenWork {
    /// By the work's id.
    private(set) var requested: [UInt64: WaitingWork] = [:]
    private var waiting: [any Work] = []
    private var lastID: UInt64 = 0

    func count(of kind: WorkKind) -> Int64 { Int64(requested.values.count { $0.kind == kind }) }

    /// Exchanges work and outcomes; to be called after a turn was committed.
    func exchange(_ outcomes: [any WorkOutcome], for work: [any Work]) {
        for case let outcome as any RequestedOutcome in outcomes { requested[outcome.work] = nil }
        for work in work {
            guard var work = work as? any RequestedWork else {
                waiting.append(work)
                continue
            }
            lastID += 1
            work.id = lastID
            requested[lastID] = work.waiting
            waiting.append(work)
        }
    }

    func take<Item>(_ type: Item.Type) -> [Item] {
        let taken = waiting.compactMap { $0 as? Item }
        if !taken.isEmpty { waiting.removeAll { $0 is Item } }
        return taken
    }
}

extension Turn {
    /// Work without an outcome yet for which a request waits, including this turn's.
    var waitingWork: [WaitingWork] {
        openWork.requested.values + work.compactMap { ($0 as? any RequestedWork)?.waiting }
    }

    /// Handles outcomes. One that the store rejects, or that ended the process, is answered with a
    /// problem if a client waits for the answer; otherwise it is ignored.
    ///
    /// - Parameter isStarting: whether an earlier process may have been at work when it ended.
    func take(_ outcomes: [any WorkOutcome], isStarting: Bool) throws {
        for kind in WorkKind.allCases where isStarting && begins(.taking(kind)) {
            for area in areas.all { try area.lostWork(kind) }
        }
        for kind in WorkKind.allCases {
            for (index, outcome) in outcomes.filter({ $0.kind == kind }).enumerated() {
                try take(outcome, .taking(kind), index)
            }
        }
        endWork()
    }

    private func take(_ outcome: any WorkOutcome, _ work: ClockWork, _ index: Int) throws {
        let piece = Piece.outcome(work, index)
        guard begins(work), !rejected.contains(piece) else {
            guard let asker = (outcome as? any RequestedOutcome)?.requester else { return }
            return try goOn(with: asker) { throw Turn.impossible }
        }
        serving = piece
        for area in areas.all where try area.take(outcome) { break }
        serving = nil
    }

    /// The answer to work without a message that the store rejects, or that ended the process.
    static let impossible = Problem(
        .malformed,
        "The service cannot do this: its database rejects it, or it crashed the bridge.")
}
