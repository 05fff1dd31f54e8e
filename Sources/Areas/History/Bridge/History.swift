import Contract
import Store
import Tracking

/// A person's own history: reading it, importing positions from elsewhere, and deleting a range.
///
/// Imported positions are never shown to others: they are not fixes, and neither begin nor end
/// anything.
final class History: AreaHandler {
    typealias State = HistoryState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    func perform(
        _ command: HistoryCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .positions(let stretch, let every, let cursor):
            let place: PositionPlace? = try turn.place(cursor, in: "cursor", of: person)
            return try positions(stretch, every: every, from: place, of: person)
        case .deletePositions(let stretch, let cursor):
            let place: PositionPlace? = try turn.place(cursor, in: "cursor", of: person)
            return try deletePositions(stretch, from: place, of: person)
        case .deleteVitals(let stretch):
            try areas.vitals.delete(stretch, of: person)
            return Array(#"{"next":null}"#.utf8)
        case .add(let positions, let source):
            return try add(positions, from: source, of: person)
        case .imports: return try imports(of: person)
        case .deleteImport(let source): return try deleteImport(source, of: person)
        }
    }

    func finish(_ people: [Person]) throws {
        guard state.isDeleting, state.nextDeletion <= now else { return }
        state.isDeleting = try transaction.deleteImports(atMost: History.deletedAtATime)
        if !state.isDeleting { turn.noteDeletion() }
        state.nextDeletion = now + History.deletionPause
    }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        let state = memory.state(HistoryState.self)
        return state.isDeleting ? state.nextDeletion : nil
    }

    func rescheduleAll() { state.nextDeletion = min(state.nextDeletion, now) }

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let count = try transaction.noteDeletionOfImports(
            addedBefore: sweep.startedAt - settings.retention.imports, atMost: limit)
        if count > 0 { beginDeleting() }
        return count == limit
    }

    private func beginDeleting() {
        state.isDeleting = true
        state.nextDeletion = min(state.nextDeletion, now)
    }

    static let counters = ["imported-positions"]

    /// Imported positions deleted per turn.
    private static let deletedAtATime = 1_000
    private static let deletionPause = Duration.milliseconds(50)
}

/// The history's state between turns.
final class HistoryState: AreaState {
    /// Whether positions of a deleted import remain.
    var isDeleting: Bool
    /// The time of the next deletion of them.
    var nextDeletion = Timestamp(milliseconds: 0)

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        isDeleting = try transaction.isDeletingImports()
    }
}

// MARK: Imports

extension History {
    private func add(_ positions: [Fix], from source: String, of person: Person) throws -> [UInt8] {
        let known = try transaction.imports(of: person.id)
        let count = known.reduce(0) { $0 + Int($1.positions) }
        let limit = BridgeSettings.maximumImportedPositions
        guard count + positions.count <= limit else {
            throw Problem(.tooMany, "You may import at most \(limit) positions in total.")
        }
        guard
            known.count < BridgeSettings.maximumImports
                || known.contains(where: { $0.source == source })
        else {
            throw Problem(
                .tooMany, "You may import from at most \(BridgeSettings.maximumImports) sources.")
        }
        let new = try transaction.importPositions(positions, from: source, of: person.id, at: now)
        noteUsage(.changes, of: person)
        self.count("imported-positions", new)
        return HistoryResult.imported.bytes(of: (new, known: positions.count - new))
    }

    private func imports(of person: Person) throws -> [UInt8] {
        let extents = try transaction.importExtents(of: person.id)
        let imports = try transaction.imports(of: person.id).map { row in
            HistoryResult.Import(row.source, row.positions, extents[row.id], row.at)
        }
        return HistoryResult.imports.bytes(of: imports)
    }

    private func deleteImport(_ source: String, of person: Person) throws -> [UInt8] {
        let found = try transaction.imports(of: person.id).first { $0.source == source }
        if let found {
            try transaction.noteDeletion(ofImport: found.id)
            beginDeleting()
            noteUsage(.changes, of: person)
        }
        return HistoryResult.importDeleted.bytes(of: found?.positions ?? 0)
    }
}
