public import Contract
public import Tracking

/// A stored drill: a call without an emergency, by all ways of an area.
public struct Drill: Hashable, Sendable {
    /// The id of its incident.
    public let id: UUIDv7
    /// The area's name.
    public let area: String
    public let kind: DrillKind
    public var attempts: Int
    /// The time of the next call by unanswered ways; nil once it is over.
    public var nextAt: Timestamp?
    public var ways: [Way]

    public struct Way: Hashable, Sendable {
        /// `mqtt`, `webhook` or `command`.
        public let name: String
        public var result: Result

        public init(name: String, result: Result = .calling) {
            (self.name, self.result) = (name, result)
        }
    }

    public enum Result: Hashable, Sendable, RawRepresentable {
        case calling
        /// The message was accepted, without an answer yet.
        case taken
        case answered
        case failed(DeliveryFailure)

        public init?(rawValue: String) {
            switch rawValue {
            case "calling": self = .calling
            case "taken": self = .taken
            case "answered": self = .answered
            default:
                guard let failure = DeliveryFailure(rawValue: rawValue) else { return nil }
                self = .failed(failure)
            }
        }

        public var rawValue: String {
            switch self {
            case .calling: "calling"
            case .taken: "taken"
            case .answered: "answered"
            case .failed(let failure): failure.rawValue
            }
        }
    }

    public init(
        id: UUIDv7, area: String, kind: DrillKind, attempts: Int = 1, nextAt: Timestamp?,
        ways: [Way]
    ) {
        (self.id, self.area, self.kind) = (id, area, kind)
        (self.attempts, self.nextAt, self.ways) = (attempts, nextAt, ways)
    }

    /// The columns without its ways.
    static let record = Record<Drill>(
        "drills",
        Column("id", .id, \.id), Column("area", .text, \.area),
        Column("kind", .word(of: DrillKind.self), \.kind),
        Column("attempts", .count, \.attempts), Column("next_at_ms", .null(or: .time), \.nextAt)
    ) { Drill(id: $0, area: $1, kind: $2, attempts: $3, nextAt: $4, ways: []) }

    public var isAnswered: Bool { ways.allSatisfy { $0.result == .answered } }
}

extension Transaction {
    /// Returns the drills in progress.
    public func openDrills() throws(StoreError) -> [Drill] {
        try drills("WHERE next_at_ms IS NOT NULL ORDER BY id", [])
    }

    public func drill(_ id: UUIDv7) throws(StoreError) -> Drill? {
        try drills("WHERE id = ?", [.text(id.description)]).first
    }

    /// Returns the drills that began last, at the same time.
    public func lastDrills() throws(StoreError) -> [Drill] {
        guard let last = try drills("ORDER BY id DESC LIMIT 1", []).first else { return [] }
        let first = UUIDv7(at: last.id.time, random: (0, 0))
        return try drills("WHERE id >= ? ORDER BY id", [.text(first.description)])
    }

    private func drills(_ rest: String, _ values: [SQLValue]) throws(StoreError) -> [Drill] {
        var complete: [Drill] = []
        for var drill in try rows(Drill.record, rest, values) {
            drill.ways = try all(
                "SELECT way, result FROM drill_ways WHERE drill_id = ? ORDER BY number",
                [.text(drill.id.description)]
            ) { row in
                guard let result = Drill.Result(rawValue: try row.text(1)) else {
                    throw StoreError.damagedDocument
                }
                return Drill.Way(name: try row.text(0), result: result)
            }
            complete.append(drill)
        }
        return complete
    }

    /// Stores a drill or its changes.
    public func save(_ drill: Drill) throws(StoreError) {
        try save(drill, Drill.record)
        for (number, way) in drill.ways.enumerated() {
            try driver.execute(
                """
                INSERT INTO drill_ways (drill_id, number, way, result) VALUES (?, ?, ?, ?)
                ON CONFLICT (drill_id, number) DO UPDATE SET result = excluded.result
                """,
                [
                    .text(drill.id.description), .integer(Int64(number)), .text(way.name),
                    .text(way.result.rawValue),
                ])
        }
    }

    /// Deletes drills that have ended and began before that time, except the newest one.
    public func deleteDrills(before moment: Timestamp, atMost limit: Int) throws(StoreError) -> Int
    {
        let old = try all(
            """
            SELECT id FROM drills WHERE next_at_ms IS NULL AND id < ?
                AND id < (SELECT MAX(id) FROM drills) LIMIT ?
            """,
            [
                .text(UUIDv7(at: moment, random: (0, 0)).description), .integer(Int64(limit)),
            ]
        ) { try $0.text(0) }
        for id in old {
            try driver.execute("DELETE FROM drill_ways WHERE drill_id = ?", [.text(id)])
            try driver.execute("DELETE FROM drills WHERE id = ?", [.text(id)])
        }
        return old.count
    }
}
