import Contract
import Foundation
import TestBroker
import TestSupport
import Testing
import Tracking

@testable import FakeGPS

/// Whole fleets against a real broker.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct FleetTests {
    /// Three hundred seconds, in which each phone's fixes are distinguishable.
    static let track = Track(
        samples: (0..<300).map { sample(Double($0), 45, 9 + Double($0) * 1e-4) })

    static func phones(_ users: [Name], numbered: Bool = true) -> [Phone] {
        users.enumerated().map { index, user in
            var phone = phone(user, on: track)
            phone.numbersFixes = numbered
            phone.seed = UInt64(index)
            return phone
        }
    }

    @Test func `Every fix gets its receipt although the broker is killed midway`() async throws {
        try await withBroker { broker in
            let service = try Service(at: broker)
            try service.connect()
            let users: [Name] = ["ann", "bob", "cem"]
            let running = RunningFleet(FleetTests.phones(users), at: broker) {
                $0.pace = ReplaySpeed(speed: 60)
            }
            try service.run { service.fixes["ann", default: []].count >= 50 }
            // From here on no one has what the broker confirms: it is lost with the broker.
            try service.disconnect()
            let before = running.progress.confirmed
            try service.waiting { running.progress.confirmed > before + 50 }
            await broker.kill()
            try await broker.start()
            try service.connect()
            try service.run { running.isOver }

            let tally = try #require(try running.result?.get())
            #expect(tally.sent == 900)
            #expect(tally.receipted == 900)
            #expect(tally.kept == 0)
            #expect(tally.sentAgain > 0)
            #expect(tally.reconnects == 3)
            for user in users {
                let numbers = Set(service.fixes[user.text, default: []].compactMap(\.sequence))
                #expect(numbers == Set(1...300))
            }
        }
    }

    @Test func `Unnumbered fixes are resent if the broker did not confirm them`() async throws {
        try await withBroker { broker in
            // Back after the phone is, it still gets everything.
            let service = try Service(at: broker, isLasting: true)
            try service.connect()
            await broker.stop()
            let running = RunningFleet(FleetTests.phones(["ann"], numbered: false), at: broker) {
                $0.pace = ReplaySpeed(speed: 1000)
            }
            try service.waiting { running.progress.kept > 0 }
            try await broker.start()
            try service.connect()
            try service.run { running.isOver && service.fixes["ann", default: []].count >= 300 }

            let tally = try #require(try running.result?.get())
            #expect(tally.sent == 300)
            #expect(tally.confirmed >= 300)
            #expect(tally.kept == 0)
            #expect(service.fixes["ann"]?.allSatisfy { $0.sequence == nil } == true)
            #expect(service.messageSizes.allSatisfy { $0 <= 100 })
        }
    }

    @Test func `A phone reports online, sends its requests and reports offline`() async throws {
        try await withBroker { broker in
            let service = try Service(at: broker)
            service.answer = { method in
                method == "sos.trigger"
                    ? .problem(Problem(.alreadyInSOS, "x")) : .result(Array("{}".utf8))
            }
            try service.connect()
            var phone = phone()
            phone.actions = [
                .triggerSOS(at: .seconds(30)), .startSharing(with: .all),
                .startJourney(to: phone.track.destination, within: .seconds(600)),
            ]
            let running = RunningFleet([phone], at: broker) { $0.pace = ReplaySpeed(speed: 100) }
            try service.run { running.isOver && service.others.last?.payload == "offline" }

            let status = Topic.status(phone.user, device: phone.device)
            #expect(service.others.first?.topic == status)
            #expect(service.others.first?.payload == "online")
            let methods = service.others.compactMap { entry in
                if case .request(_, _, let method) = entry.topic { method } else { nil }
            }
            #expect(methods == ["sharing.start", "journey.start", "sos.trigger"])
            #expect(running.events == ["sos.trigger: already-in-sos"])
            #expect(try running.result?.get().unanswered == 0)
            #expect(service.fixes["ann"]?.count == 61)
            #expect(service.fixes["ann"]?.first?.battery == 80)
        }
    }

    @Test func `Fixes buffered during silence arrive as ordered arrays`() async throws {
        try await withBroker { broker in
            let service = try Service(at: broker)
            try service.connect()
            var phone = FleetTests.phones(["ann"])[0]
            // However late it is before and after: never a third hundred.
            phone.track = Track(samples: Array(FleetTests.track.samples.prefix(299)))
            phone.buffers = [.seconds(10)..<(.seconds(290))]
            let running = RunningFleet([phone], at: broker) { $0.pace = ReplaySpeed(speed: 200) }
            try service.run { running.isOver }
            #expect(try running.result?.get().receipted == 299)
            #expect(service.messageSizes.count { $0 == 100 } == 2)
            #expect(service.fixes["ann"]?.compactMap(\.sequence) == Array(1...299))
        }
    }

    @Test func `Kept fixes are resent if no receipt arrives`() async throws {
        try await withBroker { broker in
            let (deaf, service) = (
                try Service(at: broker, sendsReceipts: false), try Service(at: broker)
            )
            try deaf.connect()
            let running = RunningFleet(FleetTests.phones(["ann"]), at: broker) {
                $0.pace = ReplaySpeed(speed: 1000)
                $0.receiptPatience = .milliseconds(300)
            }
            // All of it, twice.
            try deaf.run { deaf.fixes["ann", default: []].count >= 600 }
            try deaf.disconnect()
            try service.connect()
            try service.run { running.isOver }
            let tally = try #require(try running.result?.get())
            #expect(tally.receipted == 300)
            #expect(tally.reconnects == 0)
            #expect(tally.sentAgain >= 600)
        }
    }

    @Test func `A refused fix is not retained`() async throws {
        try await withBroker { broker in
            let service = try Service(at: broker, sendsReceipts: false)
            service.refused = Set(1...300)
            try service.connect()
            let running = RunningFleet(FleetTests.phones(["ann"]), at: broker) {
                $0.pace = ReplaySpeed(speed: 1000)
            }
            try service.run { running.isOver }
            let tally = try #require(try running.result?.get())
            #expect(tally.rejected == 300)
            #expect(tally.kept == 0)
            #expect(running.events == ["fixes: too-old"])
        }
    }

    @Test func `An OwnTracks phone publishes as the app does`() async throws {
        try await withBroker { broker in
            let service = try Service(at: broker)
            try service.connect()
            var phone = phone()
            phone.format = .ownTracks
            let running = RunningFleet([phone], at: broker) { $0.pace = ReplaySpeed(speed: 30) }
            try service.run { running.isOver && service.others.count >= 2 }
            let topic = Topic.ownTracks(phone.user, device: phone.device, suffix: "")
            #expect(service.others.allSatisfy { $0.topic == topic })
            #expect(service.others.allSatisfy { $0.payload.contains(#""_type":"location""#) })
        }
    }
}

extension Service {
    /// Waits without working; fails after thirty seconds.
    func waiting(until condition: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while !condition() {
            guard ContinuousClock.now < deadline else { throw NothingHappened() }
            Thread.sleep(forTimeInterval: 0.005)
        }
    }
}
