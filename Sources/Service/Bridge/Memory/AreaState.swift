import Store

/// An area's state between turns. It is read from the store with the rest of the memory: at the
/// start, and again whenever a transaction fails.
protocol AreaState: AnyObject {
    init(_ transaction: Transaction, _ settings: BridgeSettings) throws

    /// Carries over state that is not stored, after a turn has failed and this was read again.
    func takeOver(_ old: Self)
}

extension AreaState {
    func takeOver(_ old: Self) {}

    /// - Parameter old: a state of the same area.
    fileprivate func takeOver(any old: any AreaState) {
        if let old = old as? Self { takeOver(old) }
    }
}

extension [ObjectIdentifier: any AreaState] {
    func takeOver(_ old: Self) {
        for (area, state) in self {
            if let old = old[area] { state.takeOver(any: old) }
        }
    }
}

/// The state of areas without any.
final class NoState: AreaState {
    init(_ transaction: Transaction, _ settings: BridgeSettings) {}
}

extension AreaHandler {
    static func readState(_ transaction: Transaction, _ settings: BridgeSettings)
        throws -> any AreaState
    {
        try State(transaction, settings)
    }

    var state: State { memory.state(State.self) }
}
