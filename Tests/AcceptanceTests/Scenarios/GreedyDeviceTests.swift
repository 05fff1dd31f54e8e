import TestSupport
import Testing

/// A device that requests a lot has to wait; others do not.
@Suite(.timeLimit(.minutes(2)))
struct GreedyDeviceTests {
    @Test func `An SOS overtakes another device's requests, which are all answered in the end`()
        async throws
    {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            let phone = try await installation.listen(
                as: .device("ann"), to: Topic.device("ann") + "/#", "kith/groups/\(group)/#")
            let fixes = (1...500).map { fix(at: Double($0), age: Double(600 - $0)) }
            try await installation.publish(Topic.fix("ann"), "[\(fixes.joined(separator: ","))]")
            try await installation.done("ben", "group.list")
            // Pages of 500 fixes each. The gate admits 200 at once and 40 a second.
            async let flood: Void = installation.publish(
                Topic.device("ann") + "/requests/account.export", "{}", ["--repeat", "240"])
            try await phone.hears("an answer", on: Topic.device("ann") + "/replies")
            try await installation.done("ben", "sos.trigger")
            try await phone.hears("Ben's SOS", on: Topic.alerts(group)) { $0["kind"] == "sos" }
            try await flood
            let replies = try await eventually("240 answers", within: .seconds(60)) {
                let heard = phone.heard
                let places = heard.indices.filter { heard[$0].topic.hasSuffix("/replies") }
                return places.count == 240 ? places : nil
            }
            let heard = phone.heard
            #expect(replies.allSatisfy { heard[$0].json["result"] != .null })
            let alert = try #require(heard.firstIndex { $0.topic == Topic.alerts(group) })
            let earlier = replies.count { $0 < alert }
            #expect(earlier < 240, "the SOS came after all answers")
            print("The SOS came after \(earlier) of 240 answers.")
        }
    }
}
