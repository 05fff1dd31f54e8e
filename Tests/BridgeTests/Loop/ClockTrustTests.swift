import Clocks
import Contract
import JSON
import Logging
import MQTT
import Testing
import Tracking

@testable import Bridge

/// Old rows are deleted only if the clock can be trusted.
struct ClockTrustTests {
    private static let day = Duration.seconds(86_400)

    /// - Parameters:
    ///   - hours: the hours that have passed.
    ///   - ahead: the days by which the clock is wrong.
    private func moment(_ hours: Double, ahead days: Double = 0) -> ClockReading {
        ClockReading(
            wall: .morning + .seconds(hours * 3600) + ClockTrustTests.day * days,
            steady: .seconds(100) + .seconds(hours * 3600))
    }

    private func trust(known days: Double? = nil) -> ClockTrust {
        ClockTrust(
            known: days.map { .morning + ClockTrustTests.day * $0 }, steady: moment(0).steady)
    }

    @Test func `A clock that runs or is corrected is trusted`() {
        for (known, moments) in [
            (nil, [moment(0, ahead: 9000), moment(1, ahead: 9000)]),
            (0, [moment(0), moment(24), moment(24 * 400)]),
            (0, [moment(0), moment(1, ahead: 0.9), moment(2, ahead: 1.8)]),
            (0, [moment(0), moment(1, ahead: -0.003), moment(2, ahead: -0.006)]),
            (-0.9, [moment(0), moment(1)]), (0.003, [moment(0)]),
        ] as [(Double?, [ClockReading])] {
            var trust = trust(known: known)
            for moment in moments { #expect(trust.look(at: moment) == .believed) }
        }
    }

    @Test func `A clock that leaps ahead is trusted again after running for a day`() {
        var trust = trust(known: 0)
        #expect(trust.look(at: moment(0)) == .believed)
        let ahead = ClockTrust.Doubt.ahead(ClockTrustTests.day * 40)
        #expect(trust.look(at: moment(1, ahead: 40)) == .doubted(ahead, isNew: true))
        #expect(trust.doubt == ahead)
        #expect(trust.look(at: moment(24.9, ahead: 40)) == .doubted(ahead, isNew: false))
        #expect(trust.look(at: moment(25, ahead: 40)) == .believed)
        #expect(trust.doubt == nil)
        #expect(trust.look(at: moment(26, ahead: 40)) == .believed)
    }

    @Test func `Each further leap restarts the day, and the right time ends the doubt`() {
        var trust = trust(known: -40)
        guard case .doubted(_, isNew: true) = trust.look(at: moment(0)) else {
            Issue.record("it was believed")
            return
        }
        #expect(trust.look(at: moment(20, ahead: 40)) != .believed)
        #expect(trust.look(at: moment(30, ahead: 40)) != .believed)
        #expect(trust.look(at: moment(31, ahead: -40)) == .believed)
        #expect(trust.doubt == nil)
    }

    @Test func `A clock behind the last known time is doubted until it is set, or for a day`() {
        func isDoubted(_ verdict: ClockTrust.Verdict, isNew: Bool) -> Bool {
            guard case .doubted(let doubt, isNew) = verdict else { return false }
            return doubt.isBehind
        }
        for lag in [40, 0.004] {
            var trust = trust(known: 0)
            #expect(isDoubted(trust.look(at: moment(0, ahead: -lag)), isNew: true))
            #expect(isDoubted(trust.look(at: moment(1, ahead: -lag)), isNew: false))
            #expect(trust.look(at: moment(2)) == .believed)
            #expect(isDoubted(trust.look(at: moment(3, ahead: -lag)), isNew: true))
            #expect(trust.look(at: moment(28, ahead: -lag)) == .believed)
        }
    }

    @Test func `A clock that a time server has set is not behind`() {
        var trust = trust(known: 40)
        #expect(trust.look(at: moment(0), isSynchronised: { true }) == .believed)
    }

    @Test func `A clock that phones report as behind is trusted once it is set right`() {
        var trust = trust(known: 0)
        #expect(trust.look(at: moment(0)) == .believed)
        let lag = ClockTrustTests.day * 40
        #expect(
            trust.look(at: moment(1), phones: .behind(lag)) == .doubted(.behind(lag), isNew: true))
        #expect(trust.look(at: moment(2, ahead: 40)) == .believed)
        #expect(trust.look(at: moment(3, ahead: 40)) == .believed)
    }

    @Test func `A doubt raised by phones outlives their silence and ends when they retract it`() {
        var trust = trust(known: 0)
        let lag = ClockTrustTests.day * 40
        func isBelieved(_ hours: Double, _ phones: ClockWitnesses.Verdict) -> Bool {
            trust.look(at: moment(hours), phones: phones) == .believed
        }
        #expect(isBelieved(0, .nothing))
        #expect(!isBelieved(1, .behind(lag)))
        #expect(!isBelieved(30, .nothing) && trust.doubt == .behind(lag))
        #expect(isBelieved(31, .right))
        #expect(!isBelieved(32, .behind(lag)))
        // Set back a little, which silence does not contradict any more.
        #expect(trust.look(at: moment(33, ahead: 0.01)) == .believed)
    }

    @Test func `A clock corrected by the lag that phones report is not considered ahead`() {
        var trust = trust(known: 0)
        let (day, first) = (ClockTrustTests.day, moment(0, ahead: -0.01))
        guard case .doubted(.behind, isNew: true) = trust.look(at: first) else {
            Issue.record("it was believed")
            return
        }
        _ = trust.look(at: moment(1, ahead: -0.01), phones: .behind(day * 40))
        #expect(trust.look(at: moment(2, ahead: 40)) == .believed)
        // A claim by phones does not excuse a leap of another size.
        _ = trust.look(at: moment(3, ahead: 40), phones: .behind(day * 3_650))
        guard case .doubted(.ahead, isNew: true) = trust.look(at: moment(4, ahead: 440)) else {
            Issue.record("a leap of 400 days was believed")
            return
        }
    }

    // MARK: Phones as witnesses

    @Test func `The clock is behind if the phones of most people agree on the amount`() {
        let (hour, now) = (Duration.seconds(3_600), Timestamp.morning)
        func verdict(_ signs: [Duration]) -> ClockWitnesses.Verdict {
            var witnesses = ClockWitnesses()
            for (index, ahead) in signs.enumerated() {
                witnesses.note(UserID(rawValue: Int64(index)), ahead: ahead, at: now)
            }
            return witnesses.verdict(at: now)
        }
        #expect(verdict([hour, hour + .seconds(3)]) == .behind(hour + .seconds(3)))
        #expect(verdict([hour, hour, .zero]) == .behind(hour))
        // A single phone, half of them, each with another time, and a delay too small to be a lag.
        #expect(verdict([hour]) == .nothing)
        #expect(verdict([hour, hour, .zero, .zero]) == .nothing)
        #expect(verdict([hour, hour * 2]) == .nothing)
        #expect(verdict([.seconds(59), .seconds(60)]) == .nothing)
        #expect(verdict([.zero - hour, .zero - hour]) == .nothing)
        #expect(verdict([hour, .zero, .zero]) == .right)
    }

    @Test func `Phone reports are forgotten after half an hour, and when the clock is set`() {
        var witnesses = ClockWitnesses()
        func note() {
            for person in 1...2 {
                witnesses.note(
                    UserID(rawValue: Int64(person)), ahead: .seconds(3_600), at: .morning)
            }
        }
        note()
        #expect(witnesses.verdict(at: .morning + .seconds(1_799)) != .nothing)
        #expect(witnesses.verdict(at: .morning + .seconds(1_800)) == .nothing)
        #expect(witnesses.isEmpty)
        note()
        witnesses.forget()
        #expect(witnesses.verdict(at: .morning) == .nothing)
    }

    @Test func `Witnesses beyond the bound are not recorded and outvote no one`() {
        var witnesses = ClockWitnesses()
        for person in 0..<3 * ClockWitnesses.most {
            witnesses.note(
                UserID(rawValue: Int64(person)),
                ahead: person < ClockWitnesses.most ? .seconds(3_600) : .zero, at: .morning)
        }
        #expect(witnesses.verdict(at: .morning) == .behind(.seconds(3_600)))
    }

    @Test func `Two phones ahead make the clock a concern, and a third's fix is stored`() throws {
        let world = try World.withNeighbours()
        let turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        let link = ScriptedLink()
        func reading(_ seconds: Int) -> ClockReading {
            ClockReading(
                wall: .morning + .seconds(seconds), steady: .seconds(100) + .seconds(seconds))
        }
        func send(_ user: Sender, _ seconds: Int) throws {
            // Forty days ahead of the server.
            link.incoming = [
                world.fixMessage(user, TestFix(seconds, ago: -Double(40 * 86_400 + seconds)))
            ]
            try turnLoop.round(at: reading(seconds))
        }
        func status() -> JSONValue? {
            link.takeSent().last { $0.topic == "kith/system/status" }.map { .read($0.payload) }
        }
        try turnLoop.begin(link, at: reading(0))
        try send("alice", 1)
        try turnLoop.round(at: reading(12))
        #expect(status()?["concerns"] == nil)
        try send("bob", 13)
        try turnLoop.round(at: reading(24))
        #expect(status()?["concerns"]?.elements.map(\.text) == ["clock-behind"])
        #expect(try world.count("fixes") == 0)
        try send("carol", 25)
        #expect(try world.count("fixes") == 1)
        try send("alice", 26)
        #expect(try world.count("fixes") == 2)
        #expect(
            !link.takeSent().contains {
                $0.topic.hasSuffix("/notices") || $0.topic.hasSuffix("/rejected")
            })
    }

    @Test func `A doubted clock deletes nothing and is reported to the operator`() throws {
        let world = try World.withFamily()
        let turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        let link = ScriptedLink()
        var told: String?
        func round(_ moment: ClockReading) throws {
            try turnLoop.round(at: moment)
            // Deletion proceeds in steps.
            for step in 1...3 {
                var later = moment
                later.wall = later.wall + .milliseconds(100 * step)
                later.steady += .milliseconds(100 * step)
                try turnLoop.round(at: later)
            }
            for message in link.takeSent() where message.topic.hasSuffix("/clock-doubted") {
                told = String(decoding: message.payload, as: UTF8.self)
            }
        }
        try world.fix("alice", TestFix(1))
        try turnLoop.begin(link, at: moment(0))
        try round(moment(0))
        #expect(told == "0")
        try round(moment(1, ahead: 40))
        #expect(try world.count("fixes") == 1)
        #expect(told == "1")
        try round(moment(2, ahead: 40))
        #expect(try world.count("fixes") == 1)
        try round(moment(25.1, ahead: 40))
        #expect(try world.count("fixes") == 0)
        #expect(told == "0")
    }

    @Test func `The last trusted time is stored for the next bridge`() throws {
        let database = try TemporaryDatabase()
        var known = LastTrustedTime(besides: database.path)
        #expect(known.last == nil)
        try known.note(.morning)
        #expect(LastTrustedTime(besides: database.path).last == .morning)
        try known.note(.morning + .seconds(3599))
        #expect(known.last == .morning)
        try known.note(.morning + .seconds(3600))
        #expect(known.last == .morning + .seconds(3600))
        try known.note(.morning - .seconds(1))
        #expect(known.last == .morning - .seconds(1))
        var nowhere = LastTrustedTime(besides: "/nonexistent/kith.db")
        #expect(throws: BridgeError.self) { try nowhere.note(.morning) }
        #expect(nowhere.last == nil)
    }
}
