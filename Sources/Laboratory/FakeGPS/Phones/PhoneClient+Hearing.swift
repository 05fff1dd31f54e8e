internal import Contract
internal import JSON
internal import MQTT
internal import Tracking

/// How a phone handles what it receives.
extension PhoneClient {
    func hear(at now: Duration) {
        for news in line.takeNews(at: now) {
            switch news {
            case .online: introduce(at: now)
            case .offline(let error):
                tally.connected = 0
                report(.trouble(error.sentence))
            case .delivered(.fixes(let numbers)):
                tally.confirmed += numbers.count
                quietSince = now
                if !phone.wantsReceipts { _ = buffer.release(numbers) }
            case .refused(.fixes(let numbers)) where !phone.wantsReceipts:
                tally.rejected += buffer.release(numbers)
                report(.fixesRefused(problem: "by the broker"))
            case .delivered(.other), .refused: continue
            case .message(let message): take(message, at: now)
            }
        }
    }

    /// Subscribes on a new connection. Replies to messages sent before the subscriptions are
    /// acknowledged still arrive, since the broker handles everything in order.
    private func introduce(at now: Duration) {
        if wasOnline { tally.reconnects += 1 }
        wasOnline = true
        tally.connected = 1
        buffer.rewind()
        requests.rewind()
        quietSince = now
        receiptPatience = options.receiptPatience
        let (user, device, topics) = (phone.user, phone.device, options.topics)
        var filters: [Topic] = [.rejected(user, device: device)]
        if phone.wantsReceipts { filters.append(.stored(user, device: device)) }
        if !phone.actions.isEmpty { filters.append(.replies(user, device: device, suffix: "")) }
        line.subscribe(to: filters.map { topics.string($0) })
        guard phone.format == .kith else { return }
        line.publish(
            .other, topic: topics.string(.status(user, device: device)),
            payload: Array("online".utf8), retain: true)
    }

    private func take(_ message: Message, at now: Duration) {
        guard let topic = options.topics.parse(message.topic), let content = content(of: message)
        else { return }
        switch topic {
        case .stored: takeReceipt(content, at: now)
        case .rejected: takeRejection(content)
        case .replies: takeReply(content)
        default: return
        }
    }

    private func content(of message: Message) -> JSONValue? {
        do {
            return try JSONValue.parse(message.payload)
        } catch {
            report(.trouble("a message from the service is not JSON"))
            return nil
        }
    }

    private func takeReceipt(_ receipt: JSONValue, at now: Duration) {
        guard let number = receipt["seq"]?.integer, phone.wantsReceipts else { return }
        tally.receipted += buffer.release(through: number)
        if case .array(let runs) = receipt["beyond"] {
            // Fixes that are stored although a number before them is missing.
            for case .array(let ends) in runs where ends.count == 2 {
                guard let first = ends[0].integer, let last = ends[1].integer else { continue }
                let (from, through) = (max(first, 0), min(last, buffer.lastNumber))
                if from <= through { tally.receipted += buffer.release(from...through) }
            }
        }
        quietSince = now
        receiptPatience = options.receiptPatience
    }

    private func takeRejection(_ rejection: JSONValue) {
        guard rejection["taken"] != .bool(true) else { return }
        if case .array(let elements) = rejection["seq"], phone.wantsReceipts {
            // Fixes refused only for their time have to be sent again, like all those without a
            // receipt.
            var refused = Set(elements.compactMap(\.integer))
            if case .array(let again) = rejection["again"] {
                refused.subtract(again.compactMap(\.integer))
            }
            tally.rejected += buffer.release(refused)
        } else {
            tally.rejected += 1
        }
        report(.fixesRefused(problem: rejection["problem"].problemKind))
    }

    private func takeReply(_ reply: JSONValue) {
        guard case .string(let id) = reply["id"], let method = requests.answered(id),
            let problem = reply["problem"]
        else { return }
        report(.requestRefused(method: method, problem: Optional(problem).problemKind))
    }
}

extension MQTTError {
    /// The error as text, without the full stop that some of the library's reasons have.
    fileprivate var sentence: String {
        let text = reason.last == "." ? reason.dropLast() : reason[...]
        return "the connection failed (\(operation.rawValue): \(text))"
    }
}

extension JSONValue? {
    /// `not-a-member` of `urn:kith:problem:not-a-member`; contains nothing that could do harm on a
    /// terminal.
    fileprivate var problemKind: String {
        guard case .string(let type) = self?["type"], let kind = type.split(separator: ":").last,
            kind.utf8.count <= 64,
            kind.utf8.allSatisfy({ $0 == 0x2D || $0 &- 0x61 < 26 || $0 &- 0x30 < 10 })
        else { return "unknown" }
        return String(kind)
    }
}
