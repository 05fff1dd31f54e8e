import Contract
import Store
import Testing
import Tracking

@testable import Bridge

/// The current bridge with data stored by an earlier version: see `Tests/Stored/README.md`.
struct EarlierVersionTests {
    private static let database =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/") + "/Stored/schema-5.sqlite"
    /// When the earlier bridge was killed.
    private static let end = Timestamp(milliseconds: 1_795_345_216_000)

    private func world() throws -> World {
        let world = try World(at: Self.end, copyOf: Self.database)
        try world.restart()
        return world
    }

    private func member(_ name: String, in world: World) -> String {
        let states = world.retained.filter { $0.key.hasSuffix("/members/\(name)") }
        return states.values.map { String(decoding: $0, as: UTF8.self) }.first ?? ""
    }

    @Test func `All members keep their stored states`() throws {
        let world = try world()
        #expect(member("tom", in: world).contains(#""state":"sos""#))
        #expect(member("mia", in: world).contains(#""state":"routing""#))
        #expect(member("mia", in: world).contains("The hut"))
        #expect(member("max", in: world).contains(#""late""#))
        #expect(member("ben", in: world).contains(#""stuck""#))
        #expect(member("zoe", in: world).contains(#""state":"inactive""#))
        #expect(member("eva", in: world).contains(#""state":"active""#))
        #expect(world.retained.keys.contains { $0.hasSuffix("/members/mia/path/3") })
    }

    @Test func `A call for help stored by an earlier version is still repeated`() throws {
        let world = try world()
        _ = world.published()
        try world.pass(.seconds(180))
        let alerts = world.published().filter { $0.topic.hasSuffix("/alerts") }
            .map { String(decoding: $0.payload, as: UTF8.self) }
            .filter { $0.contains(#""kind":"sos""#) }
        #expect(alerts.count == 3)
        for (alert, repetition) in zip(alerts, 3...) {
            #expect(alert.contains(#""user":"tom""#))
            #expect(alert.contains(#""repetition":\#(repetition)"#))
        }
    }

    @Test func `Waiting requests are processed once, and pending erasures are completed`() throws {
        let world = try world()
        #expect(world.engine.heldBack == 3)
        try world.pass(.seconds(10))
        #expect(world.engine.heldBack == 0)
        #expect(try world.count("chat_messages", where: "text LIKE 'Waiting %'") == 3)
        #expect(try world.count("waiting_requests") == 0)
        #expect(try world.count("fixes", where: "device_id = 99") == 0)
        #expect(try world.count("erasures") == 0)
    }

    @Test func `Another start leaves the retained messages unchanged`() throws {
        let world = try world()
        try world.pass(.seconds(30))
        let before = world.retained
        try world.blink()
        #expect(world.retained == before)
    }
}
