import Contract
import JSON
import Store
import Testing

@testable import Bridge

/// `system.health`: what a monitor can rely on.
struct HealthTests {
    /// A database that can be read, and written to until it is full.
    private final class FullDriver: Driver {
        private let real: any Driver
        private let disk: Disk

        final class Disk {
            var isFull = false
        }

        init(_ real: any Driver, _ disk: Disk) {
            self.real = real
            self.disk = disk
        }

        private func check(_ sql: String) throws(StoreError) {
            guard disk.isFull, !sql.hasPrefix("SELECT") else { return }
            throw StoreError(.execute, code: 13, reason: "database or disk is full")
        }

        func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value
        { try real.transaction(body) }

        func execute(_ sql: String, _ values: [SQLValue], isCounted: Bool) throws(StoreError) -> Int
        {
            try check(sql)
            return try real.execute(sql, values, isCounted: isCounted)
        }

        func query(
            _ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void
        ) throws(StoreError) {
            try check(sql)
            try real.query(sql, values, read)
        }

        var work: Int64 { real.work }

        func hasTable(_ name: String) throws(StoreError) -> Bool { try real.hasTable(name) }

        func sendTogether(_ isAllowed: Bool) { real.sendTogether(isAllowed) }

        func foreignChanges() throws(StoreError) -> Int64 { try real.foreignChanges() }
    }

    @Test func `A health check succeeds only if data can be stored, and stores nothing`() throws {
        let disk = FullDriver.Disk()
        let world = try World(wrap: { FullDriver($0, disk) })
        let answer = try world.askAsGuest("system.health", "{}")
        #expect(answer["result"] == .object([.init(key: "storing", value: .bool(true))]))
        #expect(try world.count("outbox") == 0)
        disk.isFull = true
        // A request that only reads would be answered.
        #expect(throws: StoreError.self) { try world.askAsGuest("system.health", "{}") }
        disk.isFull = false
        #expect(try world.askAsGuest("system.health", "{}").outcome == "ok")
    }

    @Test func `A health check reports that only calls are stored, and stores nothing`() throws {
        let disk = FullDriver.Disk()
        let world = try World(wrap: { FullDriver($0, disk) })
        let message = try world.guestMessage("system.health", "{}")
        let replies = try world.turn([message], .sparing)
        let answer = JSONValue.read(try #require(replies.last).payload)
        #expect(
            answer["result"]
                == .object([
                    .init(key: "storing", value: .bool(false)),
                    .init(key: "calls", value: .bool(true)),
                ]))
        #expect(try world.count("outbox") == 0)
        disk.isFull = true
        #expect(throws: StoreError.self) { try world.turn([message], .sparing) }
    }

    @Test func `A health check is exempt from the guests' rate limit`() throws {
        let world = try World()
        var outcomes: [String] = []
        repeat {
            outcomes.append(try world.askAsGuest("account.register", "{}").outcome)
        } while outcomes.last != "too-many-attempts" && outcomes.count < 10_000
        #expect(outcomes.last == "too-many-attempts")
        #expect(try world.askAsGuest("system.health", "{}").outcome == "ok")
    }
}
