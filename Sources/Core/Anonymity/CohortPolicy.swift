/// A deployment's settings.
public struct CohortPolicy: Hashable, Sendable {
    /// The minimum number of people behind anything disclosed.
    public let k: Int
    /// The cost of one answer.
    public let cost: Epsilon
    /// The most that one requester may spend on any one hour of data.
    public let requesterBudget: Epsilon
    /// The most that all requesters together may spend on any one hour of data.
    public let dataBudget: Epsilon
    /// A thousand people, and noise of 12 in the number of people and of each band.
    public static let usual = CohortPolicy(
        k: leastK, cost: Epsilon(thousandths: 1_000),
        requesterBudget: Epsilon(thousandths: 5_000), dataBudget: Epsilon(thousandths: 10_000))
    /// The minimum for every deployment.
    public static let leastK = 1_000

    /// False only in tests that show the rule's purpose.
    var comparesAnswers = true

    public init(k: Int, cost: Epsilon, requesterBudget: Epsilon, dataBudget: Epsilon) {
        precondition(k > 1, "one person is not a cohort")
        precondition(cost > .zero, "an answer without a cost would have no noise")
        (self.k, self.cost) = (k, cost)
        (self.requesterBudget, self.dataBudget) = (requesterBudget, dataBudget)
    }
}

/// Why there is no answer.
public enum CohortRefusal: Error, Hashable, Sendable {
    /// Fewer than k people contributed.
    case tooSmall
    /// Combined with any requesters' earlier answers, it would single out fewer than k people.
    case tooRevealing
    case requesterBudgetSpent, dataBudgetSpent
}
