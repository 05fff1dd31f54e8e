import Foundation
import TestSupport
import Testing

/// A service's program without MQTT.
@Suite(.timeLimit(.minutes(2)))
struct ServiceHTTPTests {
    @Test func `A service requests access, reads all data as lines and receives new data`()
        async throws
    {
        try await withInstallation(["KITH_SERVICES_SECOND_FACTOR": "false"]) { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            try await installation.makeService("myheart")
            let site = try await Site(installation, [:])
            let credentials = try await installation.credentials(.service("myheart"))
            let token = try #require(
                credentials.firstIndex(of: "-P").map { credentials[$0 + 1] })
            let bearer = ["-H", "Authorization: Bearer \(token)"]
            let start = Int(Date.now.timeIntervalSince1970 * 1000) - 1_300_000
            for part in 0..<2 {
                let fixes = (0..<600).map { number in
                    let index = part * 600 + number
                    return
                        #"{"latitude":\#(Place.latitude(Double(index))),"longitude":14.5,"#
                        + #""timestamp":\#(start + index * 1000)}"#
                }
                try await installation.publish(
                    Topic.fix("ann"), "[\(fixes.joined(separator: ","))]")
            }
            let refused = try await site.curl("/api/samples/ann", bearer)
            #expect(refused.status == 403)
            #expect(refused.problem == "urn:kith:problem:no-consent")
            try await installation.done(
                "ann", "service.add", #"{"service":"myheart","stream":true}"#)
            let lines = try await eventually("all of it") {
                let answer = try await site.curl("/api/samples/ann", bearer)
                let lines = answer.body.split(separator: "\n").map { JSON(parsing: String($0)) }
                return answer.status == 200 && lines.count == 1_200 ? lines : nil
            }
            #expect(lines.first?.isFix(at: 1_199) == true && lines.last?.isFix(at: 0) == true)
            let subscribed = try await site.ask(token, "data.subscribe", #"{"user":"ann"}"#)
            let topic = try #require(subscribed.json["topic"].text)
            let events = try await site.events(token, topic)
            try await installation.publish(Topic.fix("ann"), fix(at: 2_000))
            _ = try await eventually("an event") {
                events.lines.contains { $0.contains("\(Place.latitude(2_000))") } ? true : nil
            }
            // It gets neither another user's data nor what is for people only.
            #expect(try await site.curl("/api/samples/ben", bearer).status == 403)
            #expect(try await site.curl("/api/samples/nobody", bearer).status == 403)
            #expect(try await site.curl("/api/export.zip", bearer).status == 401)
            #expect(try await site.ask(token, "group.list").status == 403)
            let person = try await installation.token("ann")
            #expect(
                try await site.curl(
                    "/api/samples/ann", ["-H", "Authorization: Bearer \(person)"]
                ).status == 403)
            await events.kill()
            await site.program.kill()
        }
    }
}
