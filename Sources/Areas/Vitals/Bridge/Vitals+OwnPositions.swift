import Contract
import JSON
import Store
import Tracking

/// Reading one's own positions of a time, wherever they are stored.
extension Vitals {
    /// A bounded part of them, of one device, the newest first.
    func positions(
        _ stretch: VitalsCommand.Stretch, every pause: Duration, from place: PositionPlace?,
        of person: Person
    ) throws(Refused) -> [UInt8] {
        let devices = person.devices.filter { $0.log.last != nil }.sorted { $0.id < $1.id }
        let index = devices.firstIndex { $0.id.rawValue >= place?.device ?? 0 }
        guard let index else {
            return Array(#"{"device":null,"positions":[],"next":null}"#.utf8)
        }
        let device = devices[index]
        var before: Int64?
        if let place, place.device == device.id.rawValue, !place.isBeginning { before = place.fix }
        var page = Page(stretch, pause)
        // The chunk that was read last, if there are more.
        let rest = try stored { transaction throws(StoreError) in
            if before == nil, let open = device.log.openChunk {
                page.add(try transaction.fixes(upTo: open.last, count: open.count))
            }
            let chunks = try transaction.chunks(
                of: device.id, before: before, from: stretch.from, to: stretch.to,
                limit: Vitals.chunksRead)
            for chunk in chunks {
                page.add(try transaction.fixes(upTo: chunk.last, count: chunk.count))
                if page.isFull { return Int64?(chunk.last.rawValue) }
            }
            return chunks.count < Vitals.chunksRead ? nil : chunks.last?.last.rawValue
        }
        let next =
            rest.map { PositionPlace(device: device.id.rawValue, fix: $0) }
            ?? devices.dropFirst(index + 1).first.map {
                PositionPlace(beginning: $0.id.rawValue)
            }
        return JSONWriter.object { json in
            json.key("device")
            json.string(device.name.text)
            json.key("positions")
            json.array(page.fixes) { $0.raw($1) }
            json.key("next")
            if let next { json.string(next.description) } else { json.null() }
        }
    }

    /// Of 32 fixes each.
    private static let chunksRead = 64

    private struct Page {
        private(set) var fixes: [[UInt8]] = []
        private let stretch: VitalsCommand.Stretch
        private let pause: Duration
        private var last: Timestamp?
        private var size = 0

        init(_ stretch: VitalsCommand.Stretch, _ pause: Duration) {
            (self.stretch, self.pause) = (stretch, pause)
        }

        /// A chunk more has at most 8,000 bytes.
        var isFull: Bool { size > 36_000 }

        /// - Parameter rows: the newest first.
        mutating func add(_ rows: [FixRow]) {
            for row in rows where !row.isForgotten && stretch.contains(row.fix.takenAt) {
                let time = row.fix.takenAt
                if let last, time > last - pause, time < last + pause { continue }
                last = time
                let fix = JSONWriter.value { $0.fix(row.fix) }
                fixes.append(fix)
                size += fix.count
            }
        }
    }
}
