import Clocks
import Contract
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

    @Test func `A clock that runs, is corrected or set back is believed`() {
        for (known, moments) in [
            (nil, [moment(0, ahead: 9000), moment(1, ahead: 9000)]),
            (0, [moment(0), moment(24), moment(24 * 400)]),
            (0, [moment(0), moment(1, ahead: 0.9), moment(2, ahead: 1.8)]),
            (0, [moment(0), moment(1, ahead: -400), moment(2, ahead: -400)]),
            (-0.9, [moment(0), moment(1)]), (400, [moment(0)]),
        ] as [(Double?, [ClockReading])] {
            var trust = trust(known: known)
            for moment in moments { #expect(trust.look(at: moment) == .believed) }
        }
    }

    @Test func `One that is ahead is believed when it has run on for a day`() {
        var trust = trust(known: 0)
        #expect(trust.look(at: moment(0)) == .believed)
        let ahead = ClockTrustTests.day * 40
        #expect(trust.look(at: moment(1, ahead: 40)) == .doubted(ahead: ahead, isNew: true))
        #expect(trust.isDoubtful)
        #expect(trust.look(at: moment(24.9, ahead: 40)) == .doubted(ahead: ahead, isNew: false))
        #expect(trust.look(at: moment(25, ahead: 40)) == .believed)
        #expect(!trust.isDoubtful)
        #expect(trust.look(at: moment(26, ahead: 40)) == .believed)
    }

    @Test func `Each further leap begins the day anew, and the right time ends the doubt`() {
        var trust = trust(known: -40)
        guard case .doubted(_, isNew: true) = trust.look(at: moment(0)) else {
            Issue.record("it was believed")
            return
        }
        #expect(trust.look(at: moment(20, ahead: 40)) != .believed)
        #expect(trust.look(at: moment(30, ahead: 40)) != .believed)
        #expect(trust.look(at: moment(31, ahead: -40)) == .believed)
        #expect(!trust.isDoubtful)
    }

    @Test func `While the clock is doubted nothing is deleted, and the operator is told`() throws {
        let world = try World.withFamily()
        let turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        let link = ScriptedLink()
        var told: String?
        func round(_ moment: ClockReading) throws {
            try turnLoop.round(link, at: moment)
            // Deletion proceeds in steps.
            for step in 1...3 {
                var later = moment
                later.wall = later.wall + .milliseconds(100 * step)
                later.steady += .milliseconds(100 * step)
                try turnLoop.round(link, at: later)
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

    @Test func `The next bridge knows the time of the one before`() throws {
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
