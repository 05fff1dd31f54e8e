public import Contract
public import ExportFiles
public import Sealing
public import Store
public import Tracking

/// Everything stored about a person, read from the database for an archive.
public struct Export: ExportSource {
    let reader: Reader
    let person: Person
    let rules: Rules
    /// The keys of vital signs; nil if they are not available.
    let keys: SealingKeys?

    /// Looks up the person and the extent of their data.
    ///
    /// - Parameters:
    ///   - store: may belong to another process, and be opened for reading only.
    ///   - keys: the keys of vital signs; without them the export has none.
    public init(of name: Name, in store: Store, _ rules: Rules, keys: SealingKeys? = nil)
        throws(ExportError)
    {
        let user: UserRow?
        do throws(StoreError) {
            user = try store.transaction { try $0.user(name) }
        } catch {
            throw .store(error)
        }
        guard let user else { throw .unknownUser }
        reader = Reader(store: store, user: user)
        person = try Person(reader, rules)
        self.rules = rules
        self.keys = keys
    }

    public var user: Name { person.user.name }
    public var displayName: String { person.user.displayName }
    public var devices: [Name] { person.histories.map(\.name) }

    // MARK: Fixes

    /// A chunk, or the fixes after the last chunk.
    public struct Locator: Sendable {
        let last: FixID
        let count: Int
        let device: DeviceID
    }

    public func history(of device: Name) -> [HistoryPart<Locator>] {
        person.histories.first { $0.name == device }?.parts ?? []
    }

    public func fixes(at locator: Locator, of device: Name) throws(ExportError) -> [Fix] {
        try reader.fixes(upTo: locator.last, count: locator.count, of: locator.device)
            .reversed().filter { !$0.isForgotten }.map(\.fix)
    }

    // MARK: Paths

    public func eachPath(_ body: (ExportItem.Path) async throws -> Void) async throws {
        let user = person.user
        var number: Int64 = 0
        while true {
            let found = try reader.read { transaction in
                try transaction.path(of: user.id, from: number).map { row in
                    let points = try transaction.pathPoints(
                        row.path.number, of: user.id, after: nil, atMost: .max)
                    return ExportItem.Path(
                        number: row.path.number, mode: row.path.mode,
                        startedAt: row.path.startedAt, endedAt: row.endedAt,
                        points: points.map(\.point))
                }
            }
            guard let path = found else { return }
            try await body(path)
            number = path.number + 1
        }
    }
}
