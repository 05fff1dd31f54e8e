import DequeModule

/// Requests that are in the store and wait to be done: each device's in order of arrival, and the
/// devices in rotation.
struct WaitingRequests {
    private var devices: Deque<(person: Person, device: Device)> = []
    private(set) var count = 0

    var isEmpty: Bool { devices.isEmpty }

    /// A waiting request in memory.
    struct Entry {
        let row: Int64
        let method: String
        let size: Int
    }

    var people: some Sequence<Person> { devices.lazy.map(\.person) }

    mutating func append(_ entry: Entry, of person: Person, _ device: Device) {
        if device.waiting.isEmpty { devices.append((person, device)) }
        device.waiting.append(entry)
        device.waitingBytes += entry.size
        count += 1
    }

    /// Returns the first request of the next device in rotation whose person is eligible; that
    /// device then goes to the end of the line.
    mutating func next(where mayHave: (Person) -> Bool) -> Int64? {
        for _ in devices.indices {
            let first = devices.removeFirst()
            devices.append(first)
            if mayHave(first.person) { return first.device.waiting.first?.row }
        }
        return nil
    }

    /// Returns the sender of the request in this row, if it is its device's first.
    func owner(of row: Int64) -> (person: Person, device: Device)? {
        devices.last { $0.device.waiting.first?.row == row }
    }

    mutating func remove(_ row: Int64, of device: Device) {
        guard let index = device.waiting.firstIndex(where: { $0.row == row }) else { return }
        device.waitingBytes -= device.waiting.remove(at: index).size
        count -= 1
        if device.waiting.isEmpty { devices.removeAll { $0.device === device } }
    }

    mutating func removeAll(of device: Device) {
        guard !device.waiting.isEmpty else { return }
        count -= device.waiting.count
        (device.waiting, device.waitingBytes) = ([], 0)
        devices.removeAll { $0.device === device }
    }
}
