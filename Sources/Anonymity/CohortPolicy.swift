/// What a deployment has settled.
public struct CohortPolicy: Hashable, Sendable {
    /// The fewest people behind anything that is told.
    public let k: Int
    /// What one answer costs.
    public let cost: Epsilon
    /// What one requester may spend on any one hour of data.
    public let requesterBudget: Epsilon
    /// What all requesters together may spend on any one hour of data.
    public let dataBudget: Epsilon
    /// A thousand people, and noise of 12 in the number of people and of each band.
    public static let usual = CohortPolicy(
        k: leastK, cost: Epsilon(thousandths: 1_000),
        requesterBudget: Epsilon(thousandths: 5_000), dataBudget: Epsilon(thousandths: 10_000))
    /// No deployment has fewer.
    public static let leastK = 1_000

    /// Only to show in tests what the rule is for.
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
    /// With earlier answers, of whomever, it would tell fewer than k people from all others.
    case tooRevealing
    case requesterBudgetSpent, dataBudgetSpent
}
