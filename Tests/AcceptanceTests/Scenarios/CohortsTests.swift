import Foundation
import GRDB
import TestBroker
import TestSupport
import Testing

/// What a company's service receives about many people, with stock clients and the numbers that
/// every installation has.
@Suite(.timeLimit(.minutes(3)))
struct CohortsTests {
    private static let people = 1_200

    @Test func `A service gets data on a thousand people, not on fewer, and hourly updates`()
        async throws
    {
        try await withInstallation(["KITH_SERVICES_SECOND_FACTOR": "false"]) { installation in
            _ = try await installation.family("ann")
            try await installation.start()
            try await installation.makeService("myheart")
            let made = try await installation.askAsService("myheart", "cohort.subscribe", "{}")
            let cohort = try #require(made["result"]["cohort"].text)
            #expect(made["result"]["topic"].text == "kith/services/myheart/cohorts/\(cohort)")

            // Many people walk, hours pass, and the bridge was away.
            await installation.crash()
            let now = Int(Date.now.timeIntervalSince1970) / 3_600
            let day = now / 24 - 2
            try await DatabaseQueue(path: installation.directory + "/kith.db").write { database in
                try database.walk(CohortsTests.people, on: day)
                try database.setCompleteHour(now - 4)
            }
            let service = try await installation.listen(
                as: .service("myheart"), to: "kith/services/myheart/cohorts/+")
            try await installation.start()
            let told = try await service.hears(
                "an hour of nobody", on: "kith/services/myheart/cohorts/\(cohort)")
            #expect(told.json["problem"]["type"] == "urn:kith:problem:cohort-too-small")

            let window =
                #""from":\#(day * 86_400_000),"to":\#((day + 1) * 86_400_000)"#
            func ask(_ fields: String) async throws -> JSON {
                try await installation.askAsService("myheart", "cohort.query", "{\(fields)}")
            }
            let answer = try await ask(window)
            let people = try #require(answer["result"]["people"].number)
            // Noise of 12: a tenth of all is eight times the deviation.
            #expect(abs(people - Double(CohortsTests.people)) < 120)
            #expect(answer["result"]["distance"]["mean"].number != nil)
            #expect(try await ask(window) == answer)
            #expect(
                try await ask(#""residence":"nowhere","# + window)["problem"]["type"]
                    == "urn:kith:problem:cohort-too-small")
            await installation.crash()
            try await installation.start()
            #expect(try await ask(window) == answer)
            #expect(
                try await installation.ask("ann", "cohort.query", "{\(window)}")["problem"]["type"]
                    == "urn:kith:problem:not-allowed")
        }
    }
}
