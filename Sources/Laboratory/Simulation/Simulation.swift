internal import Tracking

/// A simulated installation, with people and everything that can go wrong, from one seed: the same
/// seed gives the same run.
public struct Simulation: Sendable {
    public var seed: UInt64
    public var steps: Int
    /// Whether one of the people sends whatever a connection accepts, while nothing else goes
    /// wrong.
    public var isHostile = false
    private var canary: Canary?

    public init(seed: UInt64, steps: Int) {
        self.seed = seed
        self.steps = steps
    }

    package init(seed: UInt64, steps: Int, canary: Canary?, isHostile: Bool = false) {
        self.init(seed: seed, steps: steps)
        self.isHostile = isHostile
        self.canary = canary
    }

    /// The result of a run.
    public struct Report: Sendable {
        /// A digest of everything that happened.
        public let digest: UInt64
        public let events: Int
        /// The step of the failure, and its description; nil if nothing went wrong.
        public let failure: (step: Int, description: String)?
        /// The methods that were requested.
        package let asked: Set<String>
        /// The last lines of the record.
        public let trace: [String]
    }

    /// - Parameter echo: called with everything that happens, line by line.
    public func run(echo: ((String) -> Void)? = nil) throws -> Report {
        let trace = Trace(echo: echo)
        let world = try World(seed: seed, canary: canary, isHostile: isHostile, trace: trace)
        var step = 0
        while step < steps, world.oracles.failure == nil {
            step += 1
            trace.note("— step \(step) at \(world.wall.milliseconds)")
            try world.step()
        }
        if world.oracles.failure == nil { try world.comeToRest() }
        return Report(
            digest: trace.digest, events: trace.count,
            failure: world.oracles.failure.map { (step, $0.description) },
            asked: world.methodsAsked, trace: trace.end)
    }
}
