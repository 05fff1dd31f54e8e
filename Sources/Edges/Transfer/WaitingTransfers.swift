/// The transfers that have not begun yet, and the limits on those under way. Hosts take turns, so
/// that transfers to one do not delay those to another.
struct WaitingTransfers<Item> {
    private let bounds: TransferBounds
    private var lanes: [TransferLane: WaitingLane<Item>]

    init(_ bounds: TransferBounds) {
        self.bounds = bounds
        lanes = Dictionary(
            TransferLane.allCases.map { ($0, WaitingLane(bounds)) }, uniquingKeysWith: { $1 })
    }

    /// - Returns: whether there was room for it to wait.
    mutating func add(_ item: Item, to host: String, _ lane: TransferLane) -> Bool {
        lanes[lane]?.add(item, to: host) ?? false
    }

    /// Returns the next transfer that there is room for; it counts as under way from then on.
    mutating func next() -> Item? {
        for lane in TransferLane.allCases {
            if let item = lanes[lane]?.next() { return item }
        }
        return nil
    }

    mutating func finished(_ host: String, _ lane: TransferLane) { lanes[lane]?.finished(host) }

    var isEmpty: Bool { lanes.values.allSatisfy(\.isEmpty) }

    /// Removes some of the transfers that have not begun.
    mutating func removeAll(where isGone: (Item) -> Bool) -> [Item] {
        TransferLane.allCases.flatMap { lanes[$0]?.removeAll(where: isGone) ?? [] }
    }
}
