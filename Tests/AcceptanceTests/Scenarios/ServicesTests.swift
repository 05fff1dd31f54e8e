import Foundation
import GRDB
import TestBroker
import TestSupport
import Testing

/// A company's service, the people who grant it their data, and those who do not, with stock
/// clients.
@Suite(.timeLimit(.minutes(3)))
struct ServicesTests {
    private static let ann = #"{"user":"ann"}"#
    private static let samples = "kith/services/myheart/users/ann/samples"

    private func withService(_ body: (Installation) async throws -> Void) async throws {
        try await withInstallation(["KITH_SERVICES_SECOND_FACTOR": "false"]) { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            try await installation.makeService("myheart")
            try await body(installation)
        }
    }

    private func problem(_ reply: JSON) -> String? {
        reply["problem"]["type"].text?.replacing("urn:kith:problem:", with: "")
    }

    @Test func `A service requests access, receives new samples and reads missed ones`()
        async throws
    {
        try await withService { installation in
            try await installation.publish(Topic.fix("ann"), fix(at: 1))
            #expect(
                try await problem(
                    installation.askAsService("myheart", "data.get", ServicesTests.ann))
                    == "no-consent")
            let ann = try await installation.phone(of: "ann")
            let service = try await installation.listen(
                as: .service("myheart"), to: "kith/services/myheart/users/+/samples",
                "kith/services/myheart/notices")
            let asked = try await installation.askAsService(
                "myheart", "data.request", #"{"user":"ann","reason":"To draw your heart."}"#)
            #expect(asked["result"]["state"] == "pending")
            let notice = try await ann.hears("the request", on: "kith/users/ann/notices") {
                $0["kind"] == "consent-requested"
            }
            let request = try #require(notice.json["request"].text)
            try await installation.done(
                "ann", "consent.answer", #"{"request":"\#(request)","allow":true}"#)
            try await service.hears("the answer", on: "kith/services/myheart/notices") {
                $0["kind"] == "consent-given" && $0["user"] == "ann"
            }
            let topic = try await installation.askAsService(
                "myheart", "data.subscribe", ServicesTests.ann)
            #expect(topic["result"]["topic"].text == ServicesTests.samples)
            // Access to stored data does not include new data: she is asked once more.
            #expect(topic["result"]["state"] == "pending")
            let requests = try await installation.done("ann", "consent.list")["requests"].elements
            let second = try #require(requests.first?["request"].text)
            try await installation.done(
                "ann", "consent.answer", #"{"request":"\#(second)","allow":true}"#)
            try await installation.publish(Topic.fix("ann"), fix(at: 2))
            try await service.hears("a fix", on: ServicesTests.samples) { $0.isFix(at: 2) }
            // No one else's data, and nothing to anyone else.
            try await installation.publish(Topic.fix("ben"), fix(at: 3))
            // Data published while it is away is not queued, and can be read.
            await service.kill()
            try await installation.publish(Topic.fix("ann"), fix(at: 4))
            let page = try await eventually("the missed fix") {
                let page = try await installation.askAsService(
                    "myheart", "data.get", ServicesTests.ann)
                return page["result"]["samples"].elements.count == 3 ? page["result"] : nil
            }
            #expect(page["samples"].elements.first?.isFix(at: 4) == true)
            _ = try await eventually("what the log says") { () async throws -> Bool? in
                let entries = try await installation.done("ann", "access.log")["entries"].elements
                return Set(entries.compactMap { $0["what"].text }) == [
                    "denied", "requested", "granted", "stream-allowed", "subscribed", "streamed",
                    "read",
                ] ? true : nil
            }
            #expect(service.heard.allSatisfy { !$0.topic.contains("ben") && !$0.isRetained })
        }
    }

    @Test func `No sample follows once a user has withdrawn access`() async throws {
        try await withService { installation in
            try await installation.done(
                "ann", "service.add", #"{"service":"myheart","stream":true}"#)
            _ = try await installation.askAsService("myheart", "data.subscribe", ServicesTests.ann)
            let service = try await installation.listen(
                as: .service("myheart"), to: ServicesTests.samples, "kith/services/myheart/notices")
            let start = Int(Date.now.timeIntervalSince1970 * 1000) - 600_000
            let lines = (0..<4_000).map {
                #"{"latitude":\#(Place.latitude(Double($0))),"longitude":14.5,"timestamp":\#(start + $0 * 100)}"#
            }
            let file = installation.directory + "/lines"
            try (lines.joined(separator: "\n") + "\n").write(
                toFile: file, atomically: true, encoding: .utf8)
            let credentials = try await installation.credentials(.device("ann"))
                .map { "'\($0)'" }.joined(separator: " ")
            let walk = RunningProgram(
                "bash",
                [
                    "-c",
                    "mosquitto_pub \(credentials) -q 1 -l -t '\(Topic.fix("ann"))' < '\(file)'",
                ])
            _ = try await eventually("a hundred samples") {
                // One after the other, or some at once.
                service.heard.reduce(0) { $0 + max(1, $1.json.elements.count) } > 100 ? true : nil
            }
            try await installation.done("ann", "service.remove", #"{"service":"myheart"}"#)
            let end = try await service.hears("the end", on: "kith/services/myheart/notices") {
                $0["kind"] == "consent-revoked"
            }
            _ = try await eventually("the end of the walk") { walk.ending }
            _ = try await eventually("all fixes") {
                let count = try await installation.storedFixCount()
                return count == 4_000 ? true : nil
            }
            let heard = service.heard
            let place = try #require(heard.firstIndex { $0.payload == end.payload })
            #expect(heard.count < 4_000, "It was over before it was taken back.")
            #expect(heard[(place + 1)...].isEmpty)
            #expect(
                try await problem(
                    installation.askAsService("myheart", "data.get", ServicesTests.ann))
                    == "no-consent")
        }
    }

    @Test func `A service that is deleted, or has a new token, is disconnected`() async throws {
        try await withService { installation in
            for method in ["service.token", "service.delete"] {
                let service = try await installation.listen(
                    as: .service("myheart"), to: "kith/services/myheart/#")
                let answer = try await installation.done("acme", method, #"{"service":"myheart"}"#)
                _ = try await eventually("the end of the connection") {
                    service.hasEnded ? true : nil
                }
                if let token = answer["token"].text { installation.keep(token, of: "myheart") }
            }
        }
    }

    @Test func `A service's topics are closed to every other client`() async throws {
        try await withService { installation in
            try await installation.makeService("other")
            try await installation.done(
                "ann", "service.add", #"{"service":"myheart","stream":true}"#)
            _ = try await installation.askAsService("myheart", "data.subscribe", ServicesTests.ann)
            for (client, filter) in [
                (Client.service("other"), ServicesTests.samples),
                (.service("other"), "kith/services/+/notices"),
                (.service("myheart"), "kith/users/ann/#"), (.service("myheart"), "kith/#"),
                (.device("ben"), ServicesTests.samples), (.device("acme"), ServicesTests.samples),
                (.device("ann"), "kith/services/#"),
            ] {
                let result = try await Program.run(
                    "mosquitto_sub",
                    try await installation.credentials(client) + ["-t", filter, "-W", "25", "-E"])
                #expect(
                    (result.output + result.errors).contains(
                        "All subscription requests were denied"), "\(filter)")
            }
        }
    }
}

extension Installation {
    fileprivate nonisolated func storedFixCount() async throws -> Int {
        try await database().read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM fixes") ?? 0 }
    }
}
