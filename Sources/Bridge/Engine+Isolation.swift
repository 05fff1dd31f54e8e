internal import Contract
internal import MQTT
internal import Store
internal import Tracking

/// Keeps a message that the store cannot take, or that ends the process, from blocking everybody
/// else's: it would be delivered again for ever.
extension Engine {
    /// Takes a turn even if one of the messages contains something that the store rejects. Each
    /// message then gets a turn of its own, and those that cannot be taken are refused.
    ///
    /// - Parameter isCareful: whether this is done at once, since a message may end the process.
    func turnIsolating(
        _ messages: [Message], at now: Timestamp, listeningSince: Timestamp,
        _ tasks: TurnTasks, confirmed: [Int64] = [], outcomes: WorkOutcomes = WorkOutcomes(),
        isCareful: Bool = false
    ) throws(StoreError) -> [Publication] {
        /// Takes a turn of which the record knows.
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
                outcomes: andTheRest ? outcomes : WorkOutcomes(), impossible: impossible)
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
            // What the clock calls for comes first, so that no message is blamed for it; and what is
            // condemned is refused before anything else is tried.
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

    /// Whether a message that touches damage is refused, so that the others go on: a request whose sender
    /// gets the answer, and no call for help. Everything else waits at the broker until the database is
    /// mended, and holds up what comes behind it.
    private func mayRefuse(_ message: Message) -> Bool {
        switch settings.topics.parse(message.topic) {
        case .request(_, _, let method):
            method != Turn.call && Method.named(method)?.isUrgent == false
        case .guestRequest, .serviceRequest, .operatorRequest: true
        default: false
        }
    }
}
