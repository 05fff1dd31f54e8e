import Contract
/// What the budgets and the reception decided in a turn. Neither is in the store, and a restart
/// forgets them: another engine that takes the same turn on a store of its own is told.
struct Course: Sendable {
    /// Waiting requests that were done, by their rows.
    var served: [Int64] = []
    /// Of the requests that came, one after the other: whether it was done at once.
    var admissions: [Bool] = []
    /// Of the attempts with a password and the registrations, one after the other: why none began.
    var refusals: [Problem?] = []
    /// Of the questions whether a request is being done already, one after the other.
    var repetitions: [Bool] = []
    /// Of whom it was noticed that they came or went.
    var arrivals: [ConnectionBook.Change] = []
}

/// A course that is made, or one that is followed.
struct Steering {
    private(set) var course = Course()
    /// Backwards.
    private var given: Course?

    init(following given: Course?) {
        self.given = given.map {
            Course(
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
        course.admissions.append(isAdmitted)
        return isAdmitted
    }

    /// Why an attempt or a registration does not begin; nil where it does.
    mutating func refuses(_ decide: () -> Problem?) -> Problem? {
        let refusal = given == nil ? decide() : given?.refusals.popLast() ?? nil
        course.refusals.append(refusal)
        return refusal
    }

    /// Whether the same request is being done.
    mutating func repeats(_ decide: () -> Bool) -> Bool {
        let isRepetition = given == nil ? decide() : given?.repetitions.popLast() ?? false
        course.repetitions.append(isRepetition)
        return isRepetition
    }

    /// Who came or went.
    mutating func arrivals(_ take: () -> [ConnectionBook.Change]) -> [ConnectionBook.Change] {
        let own = take()
        let arrivals = given?.arrivals ?? own
        course.arrivals += arrivals
        return arrivals
    }

    /// The waiting request that is done next; nil where none is.
    mutating func next(_ decide: () -> Int64?) -> Int64? {
        let row = given == nil ? decide() : given?.served.popLast()
        if let row { course.served.append(row) }
        return row
    }
}
