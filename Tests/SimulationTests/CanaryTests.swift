import Testing

@testable import Simulation

/// A simulator that finds nothing may be blind: bugs built in on purpose must be found.
struct CanaryTests {
    /// The seeds that are tried at most.
    private static let seeds: ClosedRange<UInt64> = 1...40

    private func firstFailure(_ canary: Canary) throws -> (seed: UInt64, description: String)? {
        for seed in CanaryTests.seeds {
            let report = try Simulation(
                seed: seed, steps: 250, canary: canary, isHostile: canary == .choke
            ).run()
            if let failure = report.failure { return (seed, failure.description) }
        }
        return nil
    }

    @Test(arguments: [
        (Canary.acknowledgeBeforeCommit, "acknowledged is stored"), (.forgetOutbox, "alerts"),
        (.deliverWithoutAsking, "access"), (.raiseAlertsTwice, "told what is stored"),
        (.loseFix, "acknowledged is stored"), (.storeTwice, "stored once"),
        (.trustRetained, "retained"), (.hideUnsharing, "locations"),
        (.tellChatTwice, "told what is stored"), (.forgetChat, "chat"),
        (.reverseChat, "chat order"), (.choke, "passage"),
    ])
    func `It is found`(_ canary: Canary, _ oracle: String) throws {
        let failure = try #require(try firstFailure(canary))
        print("\(canary) was found with seed \(failure.seed): \(failure.description)")
        #expect(failure.description.hasPrefix(oracle))
    }
}
