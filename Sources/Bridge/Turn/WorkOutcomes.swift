/// What became of work that earlier turns have asked for, and that was done elsewhere.
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
