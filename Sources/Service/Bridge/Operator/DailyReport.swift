internal import Contract
internal import Schedules
internal import Tracking

/// When the operator is notified that Kith works: once a day, so that silence means something.
struct DailyReport {
    private let time: TimeOfDay
    /// The day of the last report; a bridge that starts after the time reports on the next day.
    private var day: Int64?

    init(at time: TimeOfDay) { self.time = time }

    /// - Parameter offset: the machine's time zone offset at that time, in seconds east of UTC.
    mutating func isDue(at now: Timestamp, offset: Int) -> Bool {
        let seconds = now.milliseconds / 1000 + Int64(offset) - Int64(time.seconds)
        let current = seconds / 86_400
        defer { day = current }
        // A clock that is set back repeats a day, and skips none.
        return day.map { current > $0 } ?? false
    }
}

/// The daily message's content besides the concerns.
struct DailyFigures: Hashable {
    /// Since the last one, or since the bridge started.
    var fixes: Int
    var calls: Int
    var lastBackup: Timestamp?
    /// Bytes.
    var free: Int64?

    func text(_ concerns: [Concern]) -> String {
        let list = concerns.map { "\($0.text): \($0.wayOut)." }
        let backup =
            lastBackup.map { "The last backup was made at \($0.rfc3339.prefix(16))Z." }
            ?? "\(Concern.noBackup.text)."
        let room = free.map { ["\($0 >> 30) GB of disk space are free."] } ?? []
        let taken =
            "\(fixes) positions and \(calls) calls for help were stored since the last such message or the start."
        return (list + [taken, backup] + room).joined(separator: "\n\n")
    }
}
