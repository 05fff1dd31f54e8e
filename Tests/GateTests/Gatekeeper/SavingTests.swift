import Contract
import Testing

@testable import Gate

/// When the broker is ordered to save, judging by what the gate sees of the bridge.
struct SavingTests {
    private static let inputs: Set<String> = ["requests", "fixes"]
    private var schedule = SaveSchedule(inputs: inputs)
    private var now = Duration.seconds(100)

    /// The moments at which a save is due, in seconds from now; `each` happens before each tick.
    private mutating func saves(
        for duration: Duration, each: (inout SaveSchedule, Duration) -> Void = { _, _ in }
    ) -> [Double] {
        let start = now
        var moments: [Double] = []
        while now < start + duration {
            each(&schedule, now)
            if schedule.isDue(at: now) { moments.append((now - start) / .seconds(1)) }
            now += .milliseconds(100)
        }
        return moments
    }

    private mutating func bridgeComes() {
        schedule.bridgeTakes("requests", over: 1)
        schedule.bridgeTakes("fixes", over: 2)
    }

    /// The bridge is connected, and has been for long.
    private mutating func settle() {
        bridgeComes()
        _ = saves(for: .seconds(60))
    }

    private static func traffic(_ schedule: inout SaveSchedule, at now: Duration) {
        schedule.messageArrives()
        schedule.handedToBridge(at: now)
        schedule.bridgeSpeaks()
    }

    @Test mutating func `Nothing is saved while the bridge accepts what arrives`() {
        settle()
        #expect(saves(for: .seconds(600), each: SavingTests.traffic).isEmpty)
    }

    @Test(arguments: [UInt(1), 2])
    mutating func `A save is ordered each second after part of the bridge leaves`(_ part: UInt) {
        settle()
        _ = saves(for: .seconds(1), each: SavingTests.traffic)
        schedule.bridgeLeaves(part)
        let moments = saves(for: .seconds(10)) { schedule, _ in schedule.messageArrives() }
        #expect(moments.first == 0)
        #expect(moments.count == 10)
    }

    @Test mutating func `A silence triggers no save`() {
        settle()
        schedule.bridgeLeaves(1)
        _ = saves(for: .seconds(2))
        #expect(saves(for: .seconds(600)).isEmpty)
        schedule.messageArrives()
        #expect(saves(for: .seconds(600)) == [0])
    }

    @Test mutating func `The bridge's return is followed by one last save`() {
        settle()
        schedule.bridgeLeaves(1)
        schedule.messageArrives()
        #expect(saves(for: .seconds(5)) == [0])
        bridgeComes()
        let moments = saves(for: .seconds(120))
        #expect(moments.count == 1)
        #expect(abs((moments.first ?? 0) - 30) < 0.2)
    }

    @Test mutating func `A silent bridge counts as away`() {
        settle()
        let moments = saves(for: .seconds(5)) { schedule, now in
            schedule.messageArrives()
            schedule.handedToBridge(at: now)
        }
        #expect(moments.first == 1)
        #expect(moments.count == 4)
    }

    /// The moments at which a save is ordered if each takes this long, during which the broker does
    /// nothing else.
    private mutating func saves(for duration: Duration, taking save: Duration) -> [Duration] {
        let start = now
        var moments: [Duration] = []
        while now < start + duration {
            schedule.messageArrives()
            let isOrdered = schedule.isDue(at: now)
            if isOrdered { moments.append(now - start) }
            now += isOrdered ? save : .milliseconds(100)
        }
        return moments
    }

    @Test(arguments: [Duration.milliseconds(300), .seconds(2), .seconds(20)])
    mutating func `A slow save leaves nine tenths of the time to other work`(_ save: Duration) {
        settle()
        schedule.bridgeLeaves(1)
        let moments = saves(for: save * 100, taking: save)
        #expect((10...11).contains(moments.count), "\(moments)")
        for (earlier, later) in zip(moments, moments.dropFirst()) {
            #expect(later - earlier >= save * SaveSchedule.spacing)
        }
        // Once saves are quick again, one is ordered each second.
        let after = saves(
            for: .seconds(20) + save * SaveSchedule.spacing, taking: .milliseconds(100))
        #expect(after.count >= 20)
    }

    @Test mutating func `A slow save does not prevent the next one`() {
        settle()
        schedule.bridgeLeaves(1)
        let moments = saves(for: .seconds(3000), taking: .seconds(90))
        #expect(moments.count == 10)
        #expect(
            zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 == SaveSchedule.longestPace })
    }

    @Test mutating func `The last save after the bridge's return waits for its turn`() {
        settle()
        schedule.bridgeLeaves(1)
        _ = saves(for: .milliseconds(50), taking: .seconds(5))
        bridgeComes()
        let moments = saves(for: .seconds(120))
        #expect(moments.count == 1)
        #expect((30...55).contains(moments.first ?? 0), "\(moments)")
    }

    @Test mutating func `Sessions are saved together`() {
        settle()
        let moments = saves(for: .seconds(20)) { schedule, now in
            if now < .seconds(168) { schedule.sessionsChange(at: now) }
        }
        #expect(moments.count == 2)
        #expect(moments.first == 5)
    }
}
