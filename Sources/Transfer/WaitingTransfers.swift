/// What has not begun yet, and how much is under way, of which there is only so much at a time.
/// Hosts take turns, so that what waits for one does not delay what is for another.
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

    /// The next that there is room for; it counts as under way from then on.
    mutating func next() -> Item? {
        for lane in TransferLane.allCases {
            if let item = lanes[lane]?.next() { return item }
        }
        return nil
    }

    mutating func finished(_ host: String, _ lane: TransferLane) { lanes[lane]?.finished(host) }

    var isEmpty: Bool { lanes.values.allSatisfy(\.isEmpty) }

    /// Takes out some of what has not begun.
    mutating func removeAll(where isGone: (Item) -> Bool) -> [Item] {
        TransferLane.allCases.flatMap { lanes[$0]?.removeAll(where: isGone) ?? [] }
    }
}
