import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct BadInputTests {
    @Test func `A fix that cannot be accepted is refused once, clearly, and stops no one else`()
        async throws
    {
        try await expectRefusals(of: BadInput.fixes)
    }

    @Test func `An invalid topic is refused once, clearly, and stops no one else`() async throws {
        try await expectRefusals(of: BadInput.topics)
    }

    @Test func `An impossible request is refused once, clearly, and stops no one else`()
        async throws
    {
        try await expectRefusals(of: BadInput.requests)
    }

    @Test func `An array's good fixes are accepted and its bad ones named`() async throws {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let phone = try await installation.phone(of: "ann")
            try await installation.publish(
                Topic.fix("ann"),
                """
                [\(fix(at: 0, age: 9, #","seq":1"#)),{"latitude":91,"seq":2},\
                \(fix(at: 5, age: 8, #","seq":3"#))]
                """)
            let refusal = try await phone.hears("it", on: Topic.device("ann") + "/rejected")
            #expect(refusal.json["seq"].elements.map(\.number) == [2])
            #expect(
                refusal.json["problem"]["errors"].elements.compactMap(\.["field"].text) == [
                    "[1].latitude", "[1].longitude", "[1].timestamp",
                ])
            try await phone.hears("a receipt", on: Topic.device("ann") + "/stored") {
                $0["seq"].number == 3
            }
        }
    }

    /// Sends each of the inputs alone, followed by a fix of Ben's: between the two Ann receives
    /// only the refusal, on any of her topics. In the end the counters agree.
    private func expectRefusals(of inputs: [BadInput]) async throws {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            try await installation.done("ben", "sharing.start", #"{"groups":"all"}"#)
            try await installation.publish(Topic.fix("ann"), fix(at: 0, age: 100))
            let all = try await installation.listen(
                as: .device("ann"), to: Topic.device("ann") + "/#", "kith/users/ann/groups",
                "kith/users/ann/notices", "kith/groups/\(group)/#", "owntracks/ann/+")
            try await all.hears("Ann's fix", on: Topic.member(group, "ann")) {
                $0["fix"].isFix(at: 0)
            }
            // The last message that a starting bridge corrects.
            try await all.hears("Ann's groups", on: "kith/users/ann/groups")
            var place = 10.0
            for input in inputs {
                let start = all.count
                let payload = input.payload.replacing("GROUP", with: group)
                try await installation.publish(
                    input.topic, payload, input.arguments, as: .device("ann"))
                place += 1
                try await installation.publish(Topic.fix("ben"), fix(at: place))
                let next = try await all.hears(
                    "Ben after “\(input)”", on: Topic.member(group, "ben"), since: start
                ) { $0["fix"].isFix(at: place) }
                #expect(next.json["state"] == "active")
                // Requests and fixes have no order between them.
                try await all.hears("“\(input)”", on: input.answer, since: start) { _ in true }
                let sent = [input.topic, Topic.member(group, "ben")]
                let answers = all.heard.dropFirst(start).filter { heard in
                    !sent.contains(heard.topic)
                }
                #expect(answers.map(\.topic) == [input.answer], "\(input)")
                expectProblem(answers.first?.json["problem"] ?? .null, of: input)
            }
            try await expectCounters(of: inputs, installation)
        }
    }

    private func expectProblem(_ problem: JSON, of input: BadInput) {
        #expect(problem["type"].text == "urn:kith:problem:\(input.problem)", "\(input)")
        #expect(problem["title"].text?.isEmpty == false, "\(input)")
        #expect(problem["detail"].text?.hasSuffix(".") == true, "\(input)")
        #expect((400..<500).contains(problem["status"].number ?? 0), "\(input)")
        if input.problem == "invalid" {
            #expect(!problem["errors"].elements.isEmpty, "\(input)")
        }
    }

    private func expectCounters(of inputs: [BadInput], _ installation: Installation) async throws {
        let inputs = inputs.filter { !$0.isRefusedByTheGate }
        let metrics = try await installation.listen(as: .operator, to: "kith/system/metrics/+")
        var counts = Dictionary(grouping: inputs, by: { "rejected-\($0.problem)" })
            .mapValues { Double($0.count) }
        counts["rejected"] = Double(inputs.count)
        for (name, count) in counts {
            try await metrics.hears("\(count)", on: "kith/system/metrics/\(name)") {
                $0.number == count
            }
        }
    }
}
