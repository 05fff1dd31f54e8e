import Store

/// What an area keeps between turns. It is read from the store with the rest of the memory: at the
/// start, and again whenever a transaction fails.
protocol AreaState: AnyObject {
    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError)
}

/// Nothing.
final class NoState: AreaState {
    init(_ transaction: Transaction, _ settings: BridgeSettings) {}
}

extension AreaHandler {
    static func readState(_ transaction: Transaction, _ settings: BridgeSettings)
        throws(StoreError) -> any AreaState
    {
        try State(transaction, settings)
    }

    var state: State { memory.state(State.self) }
}
