internal import Clocks
internal import Foundation
internal import Glibc
internal import Store
internal import Tracking

/// The cost of inserting a fix's row into the store and nothing else, in transactions as large as
/// those of a full turn.
struct RowCost {
    private static let rows = 100_000
    private static let batch = 1_000
    private static let devices: Int64 = 10_000

    /// - Returns: microseconds of processor time per row, in this process.
    static func measure() throws -> Double {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "kith-bench-rows-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        let now = Timestamp.now
        let store = try Store.open(path.appending(path: "kith.db").path, at: now)
        var last: [Int64: FixID] = [:]
        let before = cpu()
        for start in stride(from: 0, to: rows, by: batch) {
            try store.transaction { transaction in
                for number in start..<start + batch {
                    let device = Int64(number) % devices
                    let id = FixID(rawValue: Int64(number) + 1)
                    try transaction.insert(
                        FixPublisher.fix(number % 10_000, now), as: id,
                        of: DeviceID(rawValue: device + 1), after: last[device])
                    last[device] = id
                }
            }
        }
        let used = cpu() - before
        try FileManager.default.removeItem(at: path)
        return used / Double(rows) * 1e6
    }

    /// In seconds, user and system.
    private static func cpu() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
