/// The requests that have not been answered yet. They are lost if the broker dies, so they are made
/// again; having the same id makes that harmless (contract, section 4).
struct PendingRequests {
    struct Request: Hashable {
        var id: String
        var method: String
        var payload: [UInt8]
        fileprivate(set) var sentAt: Duration?
    }

    /// How long to wait for a reply before sending the request again.
    static let patience = Duration.seconds(10)

    private var requests: [Request] = []

    var count: Int { requests.count }

    mutating func add(id: String, method: String, payload: [UInt8]) {
        requests.append(Request(id: id, method: method, payload: payload))
    }

    /// When the first of them has to be sent; nil if there are none.
    var nextDue: Duration? {
        requests.map { $0.sentAt.map { $0 + PendingRequests.patience } ?? .zero }.min()
    }

    /// Returns the requests that have to be sent now; they then count as sent.
    mutating func takeDue(at now: Duration) -> [Request] {
        var due: [Request] = []
        for index in requests.indices {
            if let sentAt = requests[index].sentAt, now < sentAt + PendingRequests.patience {
                continue
            }
            requests[index].sentAt = now
            due.append(requests[index])
        }
        return due
    }

    /// Makes all requests be sent again.
    mutating func rewind() {
        for index in requests.indices { requests[index].sentAt = nil }
    }

    /// - Returns: the method of the request that this answers; nil if there is none.
    mutating func answered(_ id: String) -> String? {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return nil }
        return requests.remove(at: index).method
    }
}
