/// What the budgets decided in a turn. They are not in the store: another engine that takes the
/// same turn on a store of its own is told.
struct Course: Sendable {
    /// Waiting requests that were done, by their rows.
    var served: [Int64] = []
    /// Of the requests that came, one after the other: whether it was done at once.
    var admissions: [Bool] = []
}

/// A course that is made, or one that is followed.
struct Steering {
    private(set) var course = Course()
    /// Backwards.
    private var given: Course?

    init(following given: Course?) {
        self.given = given.map {
            Course(served: $0.served.reversed(), admissions: $0.admissions.reversed())
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

    /// The waiting request that is done next; nil where none is.
    mutating func next(_ decide: () -> Int64?) -> Int64? {
        let row = given == nil ? decide() : given?.served.popLast()
        if let row { course.served.append(row) }
        return row
    }
}
