internal import Contract
internal import JSON
internal import Tracking

/// The messages that a phone sends.
extension PhoneClient {
    func speak(at now: Duration) {
        guard case .running = phase, line.isOnline, silence(at: now) == nil else { return }
        for request in requests.takeDue(at: now) {
            let topic = Topic.request(phone.user, device: phone.device, method: request.method)
            line.publish(
                .other, topic: options.topics.string(topic), payload: request.payload)
        }
        if let due = sendsAgainAt, due <= now {
            buffer.rewind()
            let longest = options.receiptPatience * PhoneClient.longestReceiptPatience
            receiptPatience = min(receiptPatience * 2, longest)
        }
        while line.hasRoom, buffer.hasUnsent { sendFixes(at: now) }
    }

    private func sendFixes(at now: Duration) {
        let before = buffer.lastNumber
        let fixes = buffer.next(atMost: phone.messageLimit)
        guard let first = fixes.first?.sequence, let last = fixes.last?.sequence else { return }
        line.publish(
            .fixes(first...last), topic: phone.fixTopic(in: options.topics),
            payload: phone.payload(of: fixes, at: wallTime(now)),
            retain: phone.format == .ownTracks)  // As the app does.
        let newCount = Int(buffer.lastNumber - before)
        tally.sent += newCount
        tally.sentAgain += fixes.count - newCount
        quietSince = now
        for fix in fixes { measure(with: fix) }
    }

    private func measure(with fix: Fix) {
        guard let wearable = phone.wearable,
            measuredAt.map({ fix.takenAt >= $0 + Wearable.interval }) ?? true
        else { return }
        measuredAt = fix.takenAt
        let topic = Topic.vitals(phone.user, device: phone.device)
        let payload = JSONWriter.value { $0.vitals(wearable.vitals(with: fix)) }
        line.publish(.other, topic: options.topics.string(topic), payload: payload)
    }

    /// When receipts are overdue, if any are awaited.
    private var sendsAgainAt: Duration? {
        guard phone.wantsReceipts, buffer.sentCount > 0, line.isIdle else { return nil }
        return quietSince + receiptPatience
    }

    /// When ``speak(at:)`` has something to do again, apart from fixes taken until then.
    func speaksNext(after now: Duration) -> Duration? {
        guard line.isOnline else { return nil }
        if let end = silence(at: now) {
            return buffer.isEmpty && requests.count == 0 ? nil : end
        }
        return [sendsAgainAt, requests.nextDue].compactMap(\.self).min()
    }
}
