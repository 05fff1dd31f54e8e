import Clocks
import Contract
import JSON
import Logging
import MQTT
import Store
import Testing
import Tracking

@testable import Bridge

/// The server's clock is set a day ahead, and back again, while the bridge runs.
struct SetClockTests {
    private let world: World
    private let turnLoop: TurnLoop
    private let link = ScriptedLink()
    private static let day = Duration.seconds(86_400)

    init() throws {
        world = try World.withFamily()
        turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        try turnLoop.begin(link, at: moment(0))
    }

    /// - Parameter second: since the beginning, by the steady clock.
    private func moment(_ second: Int, ahead: Duration = .zero) -> ClockReading {
        ClockReading(
            wall: .morning + .seconds(second) + ahead, steady: .seconds(100) + .seconds(second))
    }

    /// - Returns: what is published on topics with this ending.
    @discardableResult
    private func round(
        _ second: Int, ahead: Duration = .zero, _ message: (() -> Message)? = nil,
        told suffix: String = "/members/alice"
    ) throws -> [JSONValue] {
        let moment = moment(second, ahead: ahead)
        world.sleep(moment.wall - world.now)
        link.incoming = message.map { [$0()] } ?? []
        try turnLoop.round(at: moment)
        return link.takeSent().filter { $0.topic.hasSuffix(suffix) }.map { .read($0.payload) }
    }

    @Test func `Positions, timers and paths survive a clock set ahead and back`() throws {
        try round(1) { world.requestMessage("alice", "sharing.start", #"{"groups":"all"}"#) }
        try round(2) { world.fixMessage("alice", TestFix(1)) }
        let day = SetClockTests.day
        try round(3, ahead: day)
        let ahead = try round(4, ahead: day) { world.fixMessage("alice", TestFix(2)) }
        #expect(ahead.count == 1)
        try round(5, ahead: day) { world.requestMessage("alice", "sos.trigger") }
        try round(6, ahead: day) { world.fixMessage("alice", TestFix(3)) }

        try round(7)
        // Late and not live: history.
        let late = try round(8) { world.fixMessage("alice", TestFix(4, ago: 600)) }
        #expect(late.allSatisfy { $0["fix"]?["timestamp"] != nil })
        let live = try round(9) { world.fixMessage("alice", TestFix(5)) }
        let told = try #require(live.last?["fix"]?["timestamp"])
        #expect(told == .string((Timestamp.morning + .seconds(9)).rfc3339))
        let next = try round(10) { world.fixMessage("alice", TestFix(6)) }
        #expect(next.last?["fix"]?["timestamp"] != told)
        // Confirming a position makes it current.
        try round(11) {
            world.requestMessage(
                "alice", "friend.share", #"{"with":"all","fix":{"latitude":46,"longitude":14}}"#)
        }
        #expect(try world.fixesFromTheFuture(after: .morning + .seconds(12)) == 2)

        // The SOS is repeated, and silence is noticed.
        var kinds: [String] = []
        for second in 12..<420 {
            kinds += try round(second, told: "/alerts").compactMap { $0["kind"]?.text }
        }
        #expect(kinds.count { $0 == "sos" } >= 5)
        #expect(kinds.contains("offline") || kinds.contains("silent"))

        // Data stored at that time can be read, even by the next bridge.
        let path = try world.ask("bob", "path.get", try world.pathOfAlice())
        #expect(path.outcome == "ok")
        try world.restart()
        #expect(try world.ask("bob", "path.get", try world.pathOfAlice()).outcome == "ok")
        try world.fix("alice", TestFix(9))
        #expect(try world.newestOfAlice() == world.now)
    }
}

extension World {
    fileprivate func fixesFromTheFuture(after time: Timestamp) throws -> Int {
        var count = 0
        try store.transaction { transaction in
            try transaction.fixes(after: FixID(rawValue: 0)) { row in
                if row.fix.takenAt > time { count += 1 }
            }
        }
        return count
    }

    fileprivate func pathOfAlice() throws -> String {
        let groups = try ask("alice", "group.list")["result"]?["groups"]
        guard case .array(let list)? = groups, let key = list.first?["group"]?.text else {
            return "{}"
        }
        return #"{"group":"\#(key)","user":"alice"}"#
    }

    fileprivate func newestOfAlice() throws -> Timestamp? {
        let payload = retained.first { $0.key.hasSuffix("/members/alice") }?.value ?? []
        guard case .string(let text)? = JSONValue.read(payload)["fix"]?["timestamp"] else {
            return nil
        }
        return Timestamp(rfc3339: text)
    }
}
