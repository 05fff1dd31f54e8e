/// A privacy loss in thousandths, so that spending adds up exactly.
///
/// Losses add up (sequential composition: Dwork and Roth, "The Algorithmic Foundations of
/// Differential Privacy", 2014, theorem 3.16).
public struct Epsilon: Hashable, Comparable, Sendable {
    public static let zero = Epsilon(thousandths: 0)

    public let thousandths: Int

    public init(thousandths: Int) {
        precondition(thousandths >= 0, "a privacy loss is not negative")
        self.thousandths = thousandths
    }

    public static func < (one: Epsilon, other: Epsilon) -> Bool {
        one.thousandths < other.thousandths
    }

    public static func + (one: Epsilon, other: Epsilon) -> Epsilon {
        Epsilon(thousandths: one.thousandths + other.thousandths)
    }
}
