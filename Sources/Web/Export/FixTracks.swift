internal import Contract
internal import HeapModule
internal import Tracking

/// A GPX document with a track for each device.
///
/// Fixes must be added in the order in which they arrived. Within a track they are sorted by the
/// time at which they were taken, unless a fix arrived after more than ``maximumOpen`` later ones.
struct FixTracks {
    private var gpx = GPXWriter()
    private var device: String?
    /// Fixes held back because earlier ones may still arrive.
    private var open = Heap<Entry>()
    private var count = 0

    private struct Entry: Comparable {
        let place: Coordinate
        let takenAt: Timestamp
        let altitude: Double?
        let number: Int

        static func < (left: Entry, right: Entry) -> Bool {
            (left.takenAt, left.number) < (right.takenAt, right.number)
        }
    }

    /// Enough for a phone that was offline for five hours at one fix per second; about 1 MB.
    static let maximumOpen = 20_000

    init() { gpx.begin() }

    mutating func add(_ item: JSONValue) {
        guard let device = item.text("device"), let fix = item["fix"], let place = fix.place,
            let time = fix.text("timestamp").flatMap({ Timestamp(rfc3339: $0) })
        else { return }
        if device != self.device {
            endTrack()
            gpx.beginTrack(device)
            self.device = device
        }
        count += 1
        open.insert(
            Entry(
                place: place, takenAt: time, altitude: fix.number("altitude"), number: count))
        if open.count > FixTracks.maximumOpen { writeFirst() }
    }

    mutating func end() {
        endTrack()
        gpx.end()
    }

    mutating func take() -> [UInt8] { gpx.takeBytes() }

    private mutating func writeFirst() {
        guard let first = open.popMin() else { return }
        gpx.point(first.place, first.takenAt, altitude: first.altitude)
    }

    private mutating func endTrack() {
        guard device != nil else { return }
        while !open.isEmpty { writeFirst() }
        gpx.endTrack()
        device = nil
    }
}
