import Contract

/// What the budgets, the login limits and the pace of the sweep decided in a turn. None is in the
/// store, and a restart forgets them, so another engine that repeats the turn on a store of its own
/// is given these.
struct TurnDecisions: Sendable {
    /// The waiting requests that were done, by their rows.
    var served: [Int64] = []
    /// For each request that came, and each use of an allowance, in order: whether there was room for it.
    var admissions: [Bool] = []
    /// For each attempt with a password and each registration, in order: why it did not begin.
    var refusals: [Problem?] = []
    /// For each check whether a request is already being done, in order: the result.
    var repetitions: [Bool] = []
    /// For each message of another app than the device's, in order: whether that is the device's from now on.
    var appChanges: [Bool] = []
    /// For each call of an app after an SOS has ended, in order: whether all its messages are that late.
    var usualDelays: [Bool] = []
    /// The connections and disconnections that were handled.
    var arrivals: [ReportedConnections.Change] = []
    /// The members whose unread alerts and messages were counted again.
    var recounts: [UnreadRecounts.Member] = []
    /// The rules about places that were looked at, in order.
    var pruned: [GeofencesState.ShakenRule] = []
    /// How many rows of each kind the sweep deleted at most; nil if none was in progress.
    var sweptRows: Int?
}

/// Makes decisions, or follows ones that were made elsewhere.
struct DecisionSource {
    private(set) var decided = TurnDecisions()
    /// In reverse order.
    private var given: TurnDecisions?

    init(following given: TurnDecisions?) {
        self.given = given.map {
            TurnDecisions(
                served: $0.served.reversed(), admissions: $0.admissions.reversed(),
                refusals: $0.refusals.reversed(), repetitions: $0.repetitions.reversed(),
                appChanges: $0.appChanges.reversed(), usualDelays: $0.usualDelays.reversed(),
                arrivals: $0.arrivals, recounts: $0.recounts, pruned: $0.pruned.reversed(),
                sweptRows: $0.sweptRows)
        }
    }

    /// Whether there is room for a request that came, or for another use of an allowance.
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

    /// Why an attempt or a registration does not begin; nil if it does.
    mutating func refuses(_ decide: () -> Problem?) -> Problem? {
        let refusal = given == nil ? decide() : given?.refusals.popLast() ?? nil
        decided.refusals.append(refusal)
        return refusal
    }

    /// Whether the same request is already being done.
    mutating func repeats(_ decide: () -> Bool) -> Bool {
        let isRepetition = given == nil ? decide() : given?.repetitions.popLast() ?? false
        decided.repetitions.append(isRepetition)
        return isRepetition
    }

    /// Whether a device's app is another one from now on.
    mutating func changesApp(_ decide: () -> Bool) -> Bool {
        let isChanged = given == nil ? decide() : given?.appChanges.popLast() ?? false
        decided.appChanges.append(isChanged)
        return isChanged
    }

    /// Whether a message is as late as all of its device are.
    mutating func isUsualDelay(_ decide: () -> Bool) -> Bool {
        let isUsual = given == nil ? decide() : given?.usualDelays.popLast() ?? false
        decided.usualDelays.append(isUsual)
        return isUsual
    }

    /// The connections and disconnections to handle.
    mutating func arrivals(_ take: () -> [ReportedConnections.Change]) -> [ReportedConnections
        .Change]
    {
        let own = take()
        let arrivals = given?.arrivals ?? own
        decided.arrivals += arrivals
        return arrivals
    }

    /// The members to count for.
    mutating func recounts(_ take: () -> [UnreadRecounts.Member]) -> [UnreadRecounts.Member] {
        let own = take()
        decided.recounts = given?.recounts ?? own
        return decided.recounts
    }

    /// The rule about a place to look at next; nil if there is none.
    mutating func prunes(_ take: () -> GeofencesState.ShakenRule?) -> GeofencesState.ShakenRule? {
        let own = take()
        let rule = given == nil ? own : given?.pruned.popLast()
        if let rule { decided.pruned.append(rule) }
        return rule
    }

    /// How many rows of each kind the sweep deletes at most.
    mutating func sweptRows(_ own: Int) -> Int {
        let rows = given?.sweptRows ?? own
        decided.sweptRows = rows
        return rows
    }

    /// The waiting request to do next; nil if there is none.
    mutating func next(_ decide: () -> Int64?) -> Int64? {
        let row = given == nil ? decide() : given?.served.popLast()
        if let row { decided.served.append(row) }
        return row
    }
}
