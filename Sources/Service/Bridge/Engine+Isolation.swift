internal import Contract
internal import MQTT
internal import Store
internal import Tracking

/// Isolates messages that the store cannot handle or that end the process: redelivered for ever,
/// they would block all other messages.
extension Engine {
    /// Runs a turn even if the store rejects one of the messages. Each message then gets its own
    /// turn, and those that cannot be handled are refused.
    ///
    /// - Parameter isCareful: whether to do so from the start, since a message may end the process.
    func turnIsolating(
        _ messages: [Message], at now: Timestamp, listeningSince: Timestamp,
        _ tasks: TurnTasks, confirmed: [Int64] = [], outcomes: [any WorkOutcome] = [],
        isCareful: Bool = false
    ) throws(StoreError) -> [Publication] {
        /// Runs a turn that is entered in the record.
        func take(
            _ messages: [Message], isAlone: Bool = false, _ tasks: TurnTasks,
            refusing impossible: [Message] = [], andTheRest: Bool = false
        ) throws(StoreError) -> [Publication] {
            if messages.isEmpty {
                record?.beginWithoutMessages()
            } else {
                record?.begin(isAlone ? messages.first : nil)
            }
            defer { record?.end() }
            return try turn(
                messages, at: now, listeningSince: listeningSince, tasks,
                confirmed: andTheRest ? confirmed : [],
                outcomes: andTheRest ? outcomes : [], impossible: impossible)
        }
        if !isCareful {
            do throws(StoreError) {
                return try take(messages, tasks, andTheRest: true)
            } catch {
                guard error.isAboutInput || error.touchesDamage, !messages.isEmpty else {
                    throw error
                }
            }
        }
        var (publications, impossible) = ([Publication](), [Message]())
        let mode = tasks.intersection(.sparing)
        if !messages.isEmpty {
            // Timed work runs first, so that no message is blamed for it; condemned messages are
            // refused before anything else is tried.
            let condemned = messages.filter { record?.condemns($0) ?? false }
            publications += try take([], mode, refusing: condemned)
            for message in messages where !(record?.condemns(message) ?? false) {
                do throws(StoreError) {
                    publications += try take([message], isAlone: true, mode)
                } catch {
                    guard error.isAboutInput || error.touchesDamage && mayRefuse(message) else {
                        throw error
                    }
                    impossible.append(message)
                }
            }
        }
        publications += try take(
            [], tasks.subtracting(.releasing), refusing: impossible, andTheRest: true)
        guard tasks.contains(.releasing) else { return publications }
        return publications + (try take([], mode.union(.releasing)))
    }

    /// Whether a message that touches damage is refused, so that the others proceed: only requests
    /// whose sender receives the answer, and never calls for help. Everything else waits at the
    /// broker until the database is repaired, and blocks the messages behind it.
    private func mayRefuse(_ message: Message) -> Bool {
        switch settings.topics.parse(message.topic) {
        case .request(_, _, let method):
            method != Turn.call && Method.named(method)?.isUrgent == false
        case .guestRequest, .serviceRequest, .operatorRequest: true
        default: false
        }
    }
}
