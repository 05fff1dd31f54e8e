/// The deadline of a computation. Long computations check it now and then.
struct Deadline: Sendable {
    private let end: @Sendable () -> Bool

    /// - Parameter end: whether it has passed.
    init(_ end: @escaping @Sendable () -> Bool) { self.end = end }

    static func after(_ time: Duration) -> Deadline {
        let end = ContinuousClock.now + time
        return Deadline { ContinuousClock.now >= end }
    }

    static let never = Deadline { false }

    var isOver: Bool { end() }

    /// - Throws: ``Overtime``, once it has passed.
    func check() throws(Overtime) { if isOver { throw Overtime() } }
}

/// A computation has reached its time limit.
struct Overtime: Error {}
