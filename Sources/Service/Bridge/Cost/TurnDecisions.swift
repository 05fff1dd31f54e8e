import Contract

/// Decisions of the budgets, the login limits and the sweep's pace in a turn. These are not stored,
/// and a restart forgets them, so an engine that repeats the turn on its own store receives this
/// record.
struct TurnDecisions: Sendable {
    /// The waiting requests that were done, by their rows.
    var served: [Int64] = []
    /// For each received request, and each use of an allowance, in order: whether there was room
    /// for it.
    var admissions: [Bool] = []
    /// For each password attempt and each registration, in order: why it did not begin.
    var refusals: [Problem?] = []
    /// For each check whether a request is already being done, in order: the result.
    var repetitions: [Bool] = []
    /// For each message from an app other than the device's, in order: whether it becomes the
    /// device's app.
    var appChanges: [Bool] = []
    /// For each call by an app after an SOS has ended, in order: whether all its messages are that
    /// late.
    var usualDelays: [Bool] = []
    /// The connections and disconnections that were handled.
    var arrivals: [ReportedConnections.Change] = []
    /// The members whose unread alerts and messages were counted again.
    var recounts: [UnreadRecounts.Member] = []
    /// The place rules that were checked, in order.
    var pruned: [GeofencesState.ShakenRule] = []
    /// The sweep's maximum number of deleted rows of each kind; nil if no sweep was in progress.
    var sweptRows: Int?
}

/// Makes decisions, or follows those of another engine.
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

    /// Whether there is room for a received request, or for another use of an allowance.
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

    /// The reason why an attempt or a registration does not begin; nil if it does.
    mutating func refuses(_ decide: () -> Problem?) -> Problem? {
        let refusal = given == nil ? decide() : given?.refusals.popLast() ?? nil
        decided.refusals.append(refusal)
        return refusal
    }

    /// Begins an attempt or a registration.
    ///
    /// - Throws: the reason why it does not begin.
    mutating func begin(_ attempt: @autoclosure () throws(Problem) -> Void) throws(Problem) {
        let refusal = refuses {
            do throws(Problem) { try attempt() } catch { return error }
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Whether the same request is already being done.
    mutating func repeats(_ decide: () -> Bool) -> Bool {
        let isRepetition = given == nil ? decide() : given?.repetitions.popLast() ?? false
        decided.repetitions.append(isRepetition)
        return isRepetition
    }

    /// Whether the device's app changes.
    mutating func changesApp(_ decide: () -> Bool) -> Bool {
        let isChanged = given == nil ? decide() : given?.appChanges.popLast() ?? false
        decided.appChanges.append(isChanged)
        return isChanged
    }

    /// Whether a message is as late as all messages of its device.
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

    /// The next place rule to check; nil if there is none.
    mutating func prunes(_ take: () -> GeofencesState.ShakenRule?) -> GeofencesState.ShakenRule? {
        let own = take()
        let rule = given == nil ? own : given?.pruned.popLast()
        if let rule { decided.pruned.append(rule) }
        return rule
    }

    /// The maximum number of rows of each kind that the sweep deletes.
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
