internal import Contract

/// The outcomes of work that earlier turns have requested, and that was done elsewhere.
package struct WorkOutcomes: Sendable {
    package var passwords: [PasswordOutcome]
    package var deliveries: [DeliveryOutcome]
    package var dispatch: [DispatchOutcome]
    package var cohorts: [CohortOutcome]
    package var directory: [DirectoryOutcome]

    package init(
        passwords: [PasswordOutcome] = [], deliveries: [DeliveryOutcome] = [],
        dispatch: [DispatchOutcome] = [], cohorts: [CohortOutcome] = [],
        directory: [DirectoryOutcome] = []
    ) {
        (self.passwords, self.deliveries) = (passwords, deliveries)
        (self.dispatch, self.cohorts) = (dispatch, cohorts)
        self.directory = directory
    }

    var count: Int {
        passwords.count + deliveries.count + dispatch.count + cohorts.count + directory.count
    }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ others: WorkOutcomes) {
        passwords += others.passwords
        deliveries += others.deliveries
        dispatch += others.dispatch
        cohorts += others.cohorts
        directory += others.directory
    }
}

extension Turn {
    /// Handles outcomes. One that the store rejects, or that ended the process, is answered with a
    /// problem if a client waits for the answer; otherwise it is ignored.
    ///
    /// - Parameter isStarting: whether an earlier process may have been at work when it ended.
    func take(_ outcomes: WorkOutcomes, isStarting: Bool) throws {
        if isStarting, begins(.takingDeliveries) { try areas.channels.takeBackLoans() }
        try takeEach(of: outcomes.passwords, .takingPasswords) { outcome in
            try areas.accounts.take(outcome)
        } refuse: {
            try refuse($0.asker)
        }
        try takeEach(of: outcomes.directory, .takingDirectory) { outcome in
            try areas.accounts.take(outcome)
        } refuse: { outcome in
            guard case .password(_, let asker, _) = outcome.question else { return }
            try refuse(asker)
        }
        try takeEach(of: outcomes.deliveries, .takingDeliveries) { try areas.channels.finish($0) }
        try takeEach(of: outcomes.dispatch, .takingDispatch) { try areas.dispatch.take($0) }
        try takeEach(of: outcomes.cohorts, .takingCohorts) { try areas.cohorts.take($0) }
        endWork()
    }

    private func takeEach<Outcome>(
        of outcomes: [Outcome], _ work: ClockWork,
        _ take: (Outcome) throws -> Void,
        refuse: (Outcome) throws -> Void = { _ in }
    ) throws {
        for (index, outcome) in outcomes.enumerated() {
            let piece = Piece.outcome(work, index)
            guard begins(work), !rejected.contains(piece) else {
                try refuse(outcome)
                continue
            }
            serving = piece
            try take(outcome)
            serving = nil
        }
    }

    private func refuse(_ asker: Requester) throws {
        try areas.accounts.goOn(with: asker) { throw Turn.impossible }
    }

    /// The answer to work without a message that the store rejects, or that ended the process.
    static let impossible = Problem(
        .malformed,
        "The service cannot do this: its database rejects it, or the bridge ended over it.")
}
