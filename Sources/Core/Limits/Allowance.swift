/// A number allowed at once, and a number per second in the long run.
public struct Allowance: Sendable {
    public var burst: Double
    public var perSecond: Double

    public init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }
}
