internal import Bridge
internal import Contract
public import Store
public import Tracking

/// The results of a drill so far.
public struct DrillReport: Sendable {
    public struct Way: Hashable, Sendable {
        /// `mqtt`, `webhook` or `command`.
        public let name: String
        /// `answered`, `taken` (by a receiver that does not answer), `calling`, or why no one was
        /// reached.
        public let result: String
        public var isAnswered: Bool { result == "answered" }
    }

    /// The area's name.
    public let area: String
    public let ways: [Way]
    public let isOver: Bool

    /// - Throws: ``BridgeError``.
    public init(_ id: UUIDv7, in database: DatabaseAddress) throws {
        let found: Drill?
        do throws(StoreError) {
            found = try Store.openReadOnly(database).transaction { try $0.drill(id) }
        } catch {
            throw BridgeError(error.description)
        }
        guard let found else { throw BridgeError("There is no such drill.") }
        area = found.area
        ways = found.ways.map { Way(name: $0.name, result: $0.result.rawValue) }
        isOver = found.nextAt == nil
    }
}
