internal import CCurl

/// The current transfers of a ``TransferLoop``.
struct Transfers {
    private let multi: MultiHandle
    private var waiting: WaitingTransfers<TransferOrder>
    private var running: [TransferOrder.ID: RunningTransfer] = [:]
    private let sockets: OpenSockets?
    private var mailConnection = MailConnection()

    init(_ multi: MultiHandle, _ bounds: TransferBounds, _ sockets: OpenSockets?) {
        self.multi = multi
        self.sockets = sockets
        waiting = WaitingTransfers(bounds)
    }

    mutating func add(_ order: TransferOrder) {
        if !waiting.add(order, to: order.host, order.lane) { order.finish(.failure(.busy)) }
    }

    /// Begins transfers that there is room for, and ends finished ones.
    mutating func advance() {
        begin()
        guard multi.perform() else {
            for transfer in Array(running.values) {
                end(transfer, .failure(.failed(outOfMemory)))
            }
            return
        }
        while let (id, code) = multi.nextEnded() {
            if let transfer = running[id] { end(transfer, transfer.result(code)) }
        }
        // Uses the room that this has made.
        if begin() { _ = multi.perform() }
    }

    @discardableResult
    private mutating func begin() -> Bool {
        var hasBegun = false
        while let order = waiting.next() {
            do throws(TransferError) {
                let transfer = try RunningTransfer(
                    order, sockets, keepsConnection: keepsConnection(after: order))
                sockets?.begin(order.id)
                guard multi.add(transfer) else { throw .failed(outOfMemory) }
                running[order.id] = transfer
                hasBegun = true
            } catch {
                waiting.finished(order.host, order.lane)
                order.finish(.failure(error))
            }
        }
        return hasBegun
    }

    private mutating func keepsConnection(after order: TransferOrder) -> Bool {
        switch order.work {
        case .http: true
        case .mail: mailConnection.stays(othersWait: !waiting.isEmpty)
        }
    }

    private mutating func end(
        _ transfer: RunningTransfer, _ result: Result<TransferAnswer, TransferError>
    ) {
        let order = transfer.order
        multi.remove(transfer)
        running[order.id] = nil
        waiting.finished(order.host, order.lane)
        order.finish(result)
    }

    mutating func cancel(_ ids: Set<TransferOrder.ID>) {
        for order in waiting.removeAll(where: { ids.contains($0.id) }) {
            order.finish(.failure(.cancelled))
        }
        for transfer in ids.compactMap({ running[$0] }) { end(transfer, .failure(.cancelled)) }
    }

    mutating func cancelAll() {
        for order in waiting.removeAll(where: { _ in true }) { order.finish(.failure(.cancelled)) }
        for transfer in Array(running.values) { end(transfer, .failure(.cancelled)) }
    }
}
