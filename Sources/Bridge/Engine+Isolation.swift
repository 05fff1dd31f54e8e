internal import MQTT
internal import Store
internal import Tracking

/// Keeps a message that the store cannot take, or that ends the process, from blocking everybody
/// else's: it would be delivered again for ever.
extension Engine {
    /// Takes a turn even if one of the messages contains something that the store rejects. Each
    /// message then gets a turn of its own, and those that cannot be taken are refused.
    func turnIsolating(
        _ messages: [Message], at now: Timestamp, listeningSince: Timestamp,
        missedSince: Timestamp? = nil, _ tasks: TurnTasks,
        confirmed: [Int64] = [], outcomes: WorkOutcomes = WorkOutcomes(),
        record: TurnRecord? = nil, isCareful: Bool = false
    ) throws(StoreError) -> [Publication] {
        if !isCareful || messages.isEmpty {
            record?.begin(nil)
            defer { record?.end() }
            do throws(StoreError) {
                return try turn(
                    messages, at: now, listeningSince: listeningSince,
                    missedSince: missedSince, tasks, confirmed: confirmed, outcomes: outcomes,
                    record: record)
            } catch {
                guard error.isAboutInput, !messages.isEmpty else { throw error }
            }
        }
        let (publications, impossible) = try turns(
            messages, at: now, listeningSince: listeningSince, missedSince: missedSince,
            tasks.intersection(.sparing), record)
        record?.begin(nil)
        defer { record?.end() }
        return publications
            + (try turn(
                [], at: now, listeningSince: listeningSince, missedSince: missedSince, tasks,
                confirmed: confirmed, outcomes: outcomes, impossible: impossible, record: record))
    }

    /// Takes a turn for each message.
    ///
    /// - Returns: what is to be published, and the messages that were not taken.
    private func turns(
        _ messages: [Message], at now: Timestamp, listeningSince: Timestamp,
        missedSince: Timestamp?, _ tasks: TurnTasks, _ record: TurnRecord?
    ) throws(StoreError) -> ([Publication], impossible: [Message]) {
        var publications: [Publication] = []
        var impossible: [Message] = []
        for message in messages {
            if let record, record.condemns(message) {
                impossible.append(message)
                continue
            }
            record?.begin(message)
            defer { record?.end() }
            do throws(StoreError) {
                publications += try turn(
                    [message], at: now, listeningSince: listeningSince,
                    missedSince: missedSince, tasks)
            } catch {
                guard error.isAboutInput else { throw error }
                impossible.append(message)
            }
        }
        return (publications, impossible)
    }
}
