import Testing

@testable import Simulation

struct SimulationTests {
    @Test func `The same seed is the same life`() throws {
        let first = try Simulation(seed: 1, steps: 60).run()
        let second = try Simulation(seed: 1, steps: 60).run()
        #expect(first.digest == second.digest)
        #expect(first.events == second.events)
        #expect(try Simulation(seed: 2, steps: 60).run().digest != first.digest)
    }
}
