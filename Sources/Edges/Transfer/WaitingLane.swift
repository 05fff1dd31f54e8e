internal import DequeModule

/// One lane of the ``WaitingTransfers``.
struct WaitingLane<Item> {
    private struct Host {
        var waiting: Deque<Item> = []
        var running = 0
        var isInLine = false
    }

    private let bounds: TransferBounds
    private var hosts: [String: Host] = [:]
    /// The hosts that have something waiting, and room for it.
    private var line: Deque<String> = []
    private var waitingCount = 0
    private var runningCount = 0

    init(_ bounds: TransferBounds) { self.bounds = bounds }

    mutating func add(_ item: Item, to name: String) -> Bool {
        guard waitingCount < bounds.waiting else { return false }
        waitingCount += 1
        hosts[name, default: Host()].waiting.append(item)
        lineUp(name)
        return true
    }

    mutating func next() -> Item? {
        while runningCount < bounds.atOnce, let name = line.popFirst() {
            hosts[name]?.isInLine = false
            guard let item = hosts[name]?.waiting.popFirst() else {
                forget(name)
                continue
            }
            waitingCount -= 1
            runningCount += 1
            hosts[name]?.running += 1
            lineUp(name)
            return item
        }
        return nil
    }

    var isEmpty: Bool { waitingCount == 0 }

    mutating func finished(_ name: String) {
        guard let running = hosts[name]?.running, running > 0 else { return }
        hosts[name]?.running -= 1
        runningCount -= 1
        lineUp(name)
        forget(name)
    }

    mutating func removeAll(where isGone: (Item) -> Bool) -> [Item] {
        var removed: [Item] = []
        for (name, host) in hosts {
            let gone = host.waiting.filter(isGone)
            guard !gone.isEmpty else { continue }
            hosts[name]?.waiting.removeAll(where: isGone)
            removed += gone
            forget(name)
        }
        waitingCount -= removed.count
        return removed
    }

    /// Lines up a host behind all others, if there is a reason to.
    private mutating func lineUp(_ name: String) {
        guard let host = hosts[name], !host.isInLine, !host.waiting.isEmpty,
            host.running < bounds.perHost
        else { return }
        hosts[name]?.isInLine = true
        line.append(name)
    }

    private mutating func forget(_ name: String) {
        guard let host = hosts[name], host.waiting.isEmpty, host.running == 0, !host.isInLine else {
            return
        }
        hosts[name] = nil
    }
}
