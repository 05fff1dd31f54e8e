internal import HeapModule
internal import Store
internal import Tracking

/// A device's fixes in the order in which they were taken, read one run at a time.
///
/// Runs are in order of arrival, which is mostly that of time. Runs with overlapping times are
/// merged as long as that takes no more than ``maximumOpen`` fixes in memory. Beyond that, which
/// only a device that sends its history out of order can cause, the order is not kept.
struct FixHistory {
    private let reader: Reader
    /// The pieces at the start of the export, the earliest last.
    private var pieces: [Person.Piece]
    private var open = Heap<Entry>()
    private let device: DeviceID

    private struct Entry: Comparable {
        let row: FixRow
        static func == (left: Entry, right: Entry) -> Bool { left.row.id == right.row.id }
        static func < (left: Entry, right: Entry) -> Bool {
            (left.row.fix.takenAt, left.row.id) < (right.row.fix.takenAt, right.row.id)
        }
    }

    static let maximumOpen = 200_000

    init(_ history: Person.History, _ reader: Reader) {
        self.reader = reader
        device = history.device
        pieces = history.pieces.sorted { ($0.earliest, $0.last) > ($1.earliest, $1.last) }
    }

    /// - Returns: nil at the end.
    mutating func next() throws(ExportError) -> Fix? {
        while let piece = pieces.last, open.count < FixHistory.maximumOpen,
            open.min.map({ piece.earliest <= $0.row.fix.takenAt }) ?? true
        {
            pieces.removeLast()
            for row in try reader.fixes(upTo: piece.last, count: Int(piece.count), of: device)
            where !row.isForgotten {
                open.insert(Entry(row: row))
            }
        }
        return open.popMin()?.row.fix
    }
}
