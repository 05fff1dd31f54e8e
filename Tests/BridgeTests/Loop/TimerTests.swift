import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

struct TimerTests {
    @Test func `Timers beyond a turn's limit fire in the next turn`() throws {
        let world = try World()
        let users = try (0..<600).map { try #require(Name("u\(1000 + $0)")) }
        try world.operate(
            users.map {
                .addUser($0, displayName: "X", email: nil, ownTracksPublishIsSOS: false)
            })
        for start in stride(from: 0, to: 600, by: 20) {
            try world.operate(
                .createGroup(try DisplayName("G\(start)"), firstMember: users[start]))
            let key = world.names["g\(start)"]
            try world.operate(users[(start + 1)..<(start + 20)].map { .addMember(key, $0) })
        }
        try world.turn(users.map { world.fixMessage(Sender($0.text), TestFix(1)) })
        _ = world.published()
        world.sleep(.seconds(61))
        var counts: [Int] = []
        for _ in 1...7 {
            try world.turn([], .timers)
            counts.append(world.published().count(where: \.retain))
        }
        #expect(counts == [100, 100, 100, 100, 100, 100, 0])
        #expect(world.engine.metrics["turns-full-of-timers"] == 6)
    }

    @Test func `A timer set before a restart fires after it`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .alerts,
            """
            10:00:00 alice at 0 m & alice travels to 9000 m by 10:05:00 with family
                family alert: alice journey-started at 0 m
            10:01:00 the bridge restarts
            10:05:30
                10:05:00.001 family alert: alice late at 0 m
            """)
    }

    @Test func `Silence while the bridge was away does not count`() throws {
        let world = try World.withFamily()
        try Script.play(
            in: world, "10:00:00 alice goes offline & alice at 0 m & alice shares with all")
        try Script.check(
            in: world, showing: .states,
            """
            11:00:00 the bridge comes back
            11:00:59
                11:00:05 family sees alice v4: active, left, at 0 m
            11:01:01
                11:01:00 family sees alice v5: active, not online, at 0 m
            """)
    }

    @Test func `A journey that becomes late while the bridge is away is reported afterwards`()
        throws
    {
        let world = try World.withFamily()
        try Script.play(
            in: world, "10:00:00 alice travels to 9000 m by 10:05:00 with family")
        try Script.check(
            in: world, showing: .alerts,
            """
            11:00:00 the bridge comes back
                family alert: alice journey-started
            11:00:01
                family alert: alice late
            """)
    }

    @Test func `A user without groups who went offline stays offline after a restart`() throws {
        let world = try World.withNeighbours()
        try Script.play(in: world, "10:00:00 dave at 0 m\n10:02:00")
        try world.blink()
        try world.operate(.addMember(world.names["family"], "dave"))
        #expect(world.state(of: "dave")["online"] == .bool(false))
    }
}
