internal import MQTT
internal import Store
internal import Tracking

extension Engine {
    /// The same as a turn, where one of the messages may hold what the store does not take. Each
    /// of them is taken by itself then, and what cannot be taken is refused: delivered again, it
    /// would keep everybody else's from being taken for ever.
    func turnIsolating(
        _ messages: [Message], at now: Timestamp, listeningSince: Timestamp, _ duties: Duties,
        confirmed: [Int64] = [], passwords: [PasswordOutcome] = []
    ) throws(StoreError) -> [Publication] {
        do throws(StoreError) {
            return try turn(
                messages, at: now, listeningSince: listeningSince, duties, confirmed: confirmed,
                passwords: passwords)
        } catch {
            guard error.isAboutInput, !messages.isEmpty else { throw error }
        }
        var publications: [Publication] = []
        var impossible: [Message] = []
        for message in messages {
            do throws(StoreError) {
                publications += try turn(
                    [message], at: now, listeningSince: listeningSince, [])
            } catch {
                guard error.isAboutInput else { throw error }
                impossible.append(message)
            }
        }
        return publications
            + (try turn(
                [], at: now, listeningSince: listeningSince, duties, confirmed: confirmed,
                passwords: passwords, impossible: impossible))
    }
}
