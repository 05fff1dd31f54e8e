import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Data that services receive from users who agree.
struct ServiceDataTests {
    private static let alice = #"{"user":"alice"}"#
    private static let heart = #"{"service":"myheart"}"#
    private static let stream = #"{"service":"myheart","stream":true}"#

    /// Alice and Bob, and a service that has asked for nothing.
    private func world() throws -> World {
        let world = try World.withFamily()
        try world.makeService()
        return world
    }

    @Test func `New samples are passed on immediately, and none after the end`() throws {
        let world = try world()
        #expect(try world.outcome("alice", "service.add", ServiceDataTests.stream) == "ok")
        #expect(try world.outcome("alice", "vitals.consent") == "ok")
        try world.fix("alice", TestFix(1))
        #expect(world.samples().isEmpty)
        let topic = try world.askAsService("data.subscribe", ServiceDataTests.alice)["result"]
        #expect(topic?["topic"]?.text == "kith/services/myheart/users/alice/samples")
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(2), TestFix(1, ago: 0.5))
        try world.vitals("alice", rate: 71)
        try world.fix("bob", TestFix(3))
        let samples = world.samples()
        #expect(samples.map(\.user) == ["alice", "alice", "alice"])
        #expect(samples.last?.sample["heartRate"]?.integer == 71)
        // After a restart as before it.
        try world.restart()
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(4))
        #expect(world.samples().count == 1)
        #expect(try world.askAsService("data.unsubscribe", ServiceDataTests.alice).outcome == "ok")
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(5))
        #expect(world.samples().isEmpty)
        _ = try world.askAsService("data.subscribe", ServiceDataTests.alice)
        #expect(try world.outcome("alice", "service.remove", ServiceDataTests.heart) == "ok")
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(6))
        try world.vitals("alice", rate: 72)
        #expect(world.samples().isEmpty)
    }

    @Test func `A service receives only the kinds of data that it has named`() throws {
        let world = try World.withFamily()
        try world.makeService("myheart", data: #""vitals""#)
        #expect(try world.makeService("other", data: #""all""#).outcome.hasPrefix("invalid: data"))
        for method in ["service.add", "vitals.consent"] {
            let fields = method == "service.add" ? ServiceDataTests.stream : "{}"
            #expect(try world.outcome("alice", method, fields) == "ok")
        }
        _ = try world.askAsService("data.subscribe", ServiceDataTests.alice)
        try world.fix("alice", TestFix(1))
        try world.vitals("alice", rate: 71)
        #expect(world.samples().map { $0.sample["heartRate"]?.integer } == [71])
        let page = try world.askAsService("data.get", ServiceDataTests.alice)["result"]
        #expect(page?["samples"]?.elements.map { $0["latitude"] == nil } == [true])
    }

    @Test func `Pages list every sample once, the newest first`() throws {
        let world = try world()
        #expect(try world.outcome("alice", "service.add", ServiceDataTests.heart) == "ok")
        #expect(try world.outcome("alice", "vitals.consent") == "ok")
        var expected: [String] = []
        for number in 1...90 {
            world.sleep(.seconds(1))
            switch number % 3 {
            case 0:
                try world.vitals("alice", rate: 60 + number)
                expected.append("heart \(60 + number)")
            case 1:
                try world.fix("alice", TestFix(number))
                expected.append("phone \(number)")
            default:
                try world.fix("alice/watch", TestFix(number))
                expected.append("phone \(number)")
            }
        }
        var (found, cursor, pages) = ([String](), "", 0)
        repeat {
            let page = try world.askAsService(
                "data.get", #"{"user":"alice","last":7\#(cursor)}"#)["result"]
            for sample in page?["samples"]?.elements ?? [] {
                if let rate = sample["heartRate"]?.integer {
                    found.append("heart \(rate)")
                } else if case .number(let latitude)? = sample["latitude"] {
                    found.append("phone \(Meridian.meters(latitude: latitude))")
                }
            }
            cursor = page?["next"]?.text.map { #","cursor":"\#($0)""# } ?? ""
            pages += 1
        } while !cursor.isEmpty && pages < 50
        #expect(found == expected.reversed())
        #expect(pages == 13)
        for wrong in ["", "1", "x_", "0_", "1_2", "-1_", "+1_"] {
            let outcome = try world.askAsService(
                "data.get", #"{"user":"alice","cursor":"\#(wrong)"}"#
            ).outcome
            #expect(outcome == "invalid: cursor was not issued by this service", "\(wrong)")
        }
    }

    @Test func `Services are listed as watchers until location is turned off`() throws {
        let world = try world()
        try world.makeService("mybeats", data: #""vitals""#)
        for service in ["myheart", "mybeats"] {
            #expect(
                try world.outcome("alice", "service.add", #"{"service":"\#(service)"}"#) == "ok")
        }
        func watchers() throws -> [String?] {
            let list = try world.ask("alice", "sharing.list")["result"]?["watchers"]
            return list?.elements.map { $0["service"]?.text } ?? []
        }
        #expect(try watchers() == ["myheart"])
        let off = try world.ask("alice", "location.off")["result"]
        #expect(off?["deleted"]?["services"]?.integer == 1)
        #expect(try watchers().isEmpty)
        #expect(world.told() == ["consent-given alice", "consent-revoked alice"])
        #expect(try world.askAsService("data.get", ServiceDataTests.alice).outcome == "no-consent")
        let beats = try world.askAsService("data.get", ServiceDataTests.alice, service: "mybeats")
        #expect(beats.outcome == "ok")
    }

    @Test func `A pause hides samples from services`() throws {
        let world = try world()
        #expect(try world.outcome("alice", "service.add", ServiceDataTests.stream) == "ok")
        _ = try world.askAsService("data.subscribe", ServiceDataTests.alice)
        let until = (world.now + .seconds(600)).milliseconds
        #expect(try world.outcome("alice", "sharing.pause", #"{"until":\#(until)}"#) == "ok")
        try world.fix("alice", TestFix(1))
        world.sleep(.seconds(1))
        try world.restart()
        try world.fix("alice", TestFix(2))
        #expect(world.samples().isEmpty)
        func read() throws -> [Int] {
            let page = try world.askAsService("data.get", ServiceDataTests.alice)["result"]
            return page?["samples"]?.elements.compactMap { sample in
                guard case .number(let latitude)? = sample["latitude"] else { return nil }
                return Meridian.meters(latitude: latitude)
            } ?? []
        }
        #expect(try read() == [])
        // Nor afterwards, when new samples are read again.
        try world.pass(.seconds(700))
        try world.fix("alice", TestFix(3))
        #expect(world.samples().count == 1)
        #expect(try read() == [3])
        try world.sweep()
        #expect(try read() == [3])
    }
}
