import Contract

/// What the budgets and the login limits decided in a turn. Neither is in the store, and a restart
/// forgets them: another engine that takes the same turn on a store of its own is told.
struct TurnDecisions: Sendable {
    /// Waiting requests that were done, by their rows.
    var served: [Int64] = []
    /// Of the requests that came, one after the other: whether it was done at once.
    var admissions: [Bool] = []
    /// Of the attempts with a password and the registrations, one after the other: why none began.
    var refusals: [Problem?] = []
    /// Of the questions whether a request is being done already, one after the other.
    var repetitions: [Bool] = []
    /// Of whom it was noticed that they came or went.
    var arrivals: [ReportedConnections.Change] = []
}

/// Decisions that are made, or ones that were made elsewhere and are followed.
struct DecisionSource {
    private(set) var decided = TurnDecisions()
    /// Backwards.
    private var given: TurnDecisions?

    init(following given: TurnDecisions?) {
        self.given = given.map {
            TurnDecisions(
                served: $0.served.reversed(), admissions: $0.admissions.reversed(),
                refusals: $0.refusals.reversed(), repetitions: $0.repetitions.reversed(),
                arrivals: $0.arrivals)
        }
    }

    /// Whether the request that came is done at once.
    mutating func admits(_ decide: () -> Bool) -> Bool {
        let isAdmitted: Bool
        if given == nil {
            isAdmitted = decide()
        } else {
            isAdmitted = given?.admissions.popLast() ?? false
        }
        decided.admissions.append(isAdmitted)
        return isAdmitted
    }

    /// Why an attempt or a registration does not begin; nil where it does.
    mutating func refuses(_ decide: () -> Problem?) -> Problem? {
        let refusal = given == nil ? decide() : given?.refusals.popLast() ?? nil
        decided.refusals.append(refusal)
        return refusal
    }

    /// Whether the same request is being done.
    mutating func repeats(_ decide: () -> Bool) -> Bool {
        let isRepetition = given == nil ? decide() : given?.repetitions.popLast() ?? false
        decided.repetitions.append(isRepetition)
        return isRepetition
    }

    /// Who came or went.
    mutating func arrivals(_ take: () -> [ReportedConnections.Change]) -> [ReportedConnections
        .Change]
    {
        let own = take()
        let arrivals = given?.arrivals ?? own
        decided.arrivals += arrivals
        return arrivals
    }

    /// The waiting request that is done next; nil where none is.
    mutating func next(_ decide: () -> Int64?) -> Int64? {
        let row = given == nil ? decide() : given?.served.popLast()
        if let row { decided.served.append(row) }
        return row
    }
}
