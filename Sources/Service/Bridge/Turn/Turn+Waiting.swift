import Contract
import DequeModule
import MQTT
import Store
import Tracking

extension Turn {
    /// Returns whether a new request is done immediately. It has to wait behind earlier ones of the
    /// same device, while the person's budget is overdrawn, and once the turn has done its share.
    func admits(_ person: Person, _ device: Device) -> Bool {
        let hasRoom = spentOnRequests < settings.fairness.turnShare
        return decisions.admits {
            device.waiting.isEmpty && hasRoom && person.budget.take(.request, at: now)
        }
    }

    /// Returns whether the request may be stored. Passwords are never stored, not even briefly; and
    /// requests that cannot be done may be refused immediately.
    func mayWait(_ message: Message, _ method: String, _ person: Person, _ device: Device)
        -> Bool
    {
        guard asker(message, of: person, device).refusal == nil else { return false }
        do throws(Problem) {
            let request = try Request(message.payload)
            let command = try Command(method: method, request, at: now, settings.limits)
            return method != Turn.call && !command.method.hasPassword && !command.method.isUrgent
        } catch {
            return false
        }
    }

    /// Stores the request for a later turn, or refuses it if too many wait.
    func putOff(_ message: Message, _ method: String, _ person: Person, _ device: Device) throws {
        let request = WaitingRequest(
            user: person.id, device: device.id, method: method, payload: message.payload,
            responseTopic: message.responseTopic, correlationData: message.correlationData,
            packetID: message.packetID, receivedAt: now, listeningSince: listeningSince)
        let limit = BridgeSettings.maximumWaitingRequests
        guard device.waiting.count < limit,
            device.waitingBytes + request.size <= BridgeSettings.maximumWaitingBytes
        else {
            count("requests-refused")
            let problem = Problem(
                .tooMany,
                "Too many pending requests for this device. Wait for their replies."
            )
            return try answer(message, method, from: person, device, received, refusal: problem)
        }
        count("requests-put-off")
        let row = try transaction.insert(request)
        memory.line.append(
            .init(row: row, method: method, size: request.size), of: person, device)
    }

    /// Does waiting requests, the first of each device in turn, as far as their people's budgets
    /// allow and until the turn has done its share of them. Requests that the store rejected, or
    /// that ended the process repeatedly, are refused.
    func serveWaiting() throws {
        let start = spent
        var isLast = false
        while !isLast, let row = nextWaiting(since: start) {
            guard let (person, device) = memory.line.owner(of: row),
                let request = try transaction.waitingRequest(row)
            else { throw StoreError(.decode, reason: "a request that waited is not there") }
            try remove(row, of: device)
            serving = .waitingRequest(row: row)
            let message = message(request, from: person, device)
            let isCondemned = record?.condemns(message) ?? false
            // A request that may end the process has the turn to itself, and is blamed for all of
            // it. A refusal is on disk before the next one is tried.
            isLast = isCondemned || (record?.isCareful ?? false)
            try charge(person.budget) {
                if isCondemned || rejected.contains(.waitingRequest(row: row)) {
                    return try refuse(message)
                }
                record?.begin(message)
                let refusal = lacksRoom(for: request.method) ? Turn.noRoom : nil
                try answer(request, from: person, device, refusal: refusal)
                guard !isLast else { return }
                record?.end()
                record?.begin(nil)
            }
            serving = nil
        }
    }

    private func nextWaiting(since start: Double) -> Int64? {
        let hasRoom = spent - start < settings.fairness.turnShare
        return decisions.next {
            hasRoom ? memory.line.next { $0.budget.take(.request, at: now) } : nil
        }
    }

    private func answer(
        _ request: WaitingRequest, from person: Person, _ device: Device,
        refusal: Problem? = nil
    ) throws {
        let message = message(request, from: person, device)
        let received = Received(at: request.receivedAt, listeningSince: request.listeningSince)
        try answer(message, request.method, from: person, device, received, refusal: refusal)
    }

    /// Restores the original message.
    private func message(_ request: WaitingRequest, from person: Person, _ device: Device)
        -> Message
    {
        let topic = Topic.request(person.name, device: device.name, method: request.method)
        return Message(
            topic: topics.string(topic), payload: request.payload, packetID: request.packetID,
            responseTopic: request.responseTopic, correlationData: request.correlationData)
    }

    private func remove(_ row: Int64, of device: Device) throws {
        memory.line.remove(row, of: device)
        try transaction.deleteWaitingRequest(row)
    }

    // MARK: Dropping requests

    /// Drops the requests of a device that is logged out, as it cannot be answered.
    func dropWaiting(of device: Device) throws {
        for place in device.waiting { try transaction.deleteWaitingRequest(place.row) }
        memory.line.removeAll(of: device)
    }

    /// Returns whether a request to end the SOS waits to be done.
    func awaitsEnd(_ person: Person) -> Bool {
        person.devices.contains { $0.waiting.contains { $0.method == Turn.endOfCall } }
    }

    /// Refuses waiting requests to end the SOS when the person calls for help, as they must not be
    /// done after the call.
    ///
    /// - Returns: whether there were any.
    func takeBackEnds(of person: Person) throws -> Bool {
        var hasTaken = false
        for device in person.devices {
            for place in device.waiting where place.method == Turn.endOfCall {
                guard let request = try transaction.waitingRequest(place.row) else { continue }
                hasTaken = true
                try remove(place.row, of: device)
                let problem = Problem(.alreadyInSOS, "You have since sent another SOS.")
                try answer(request, from: person, device, refusal: problem)
            }
        }
        return hasTaken
    }
}
