import Contract
import JSON
import Store
import Tracking

/// Reading the user's own positions in a time range, wherever they are stored.
extension History {
    /// Returns a bounded part of them, of a single device, the newest first.
    func positions(
        _ stretch: HistoryCommand.Stretch, every pause: Duration, from place: PositionPlace?,
        of person: Person
    ) throws -> [UInt8] {
        var page = PositionPage(stretch, pause)
        let devices = person.devices.filter { $0.log.last != nil }.sorted { $0.id < $1.id }
        var first = Int64(0)
        var before: Int64?
        switch place {
        case nil: break
        case .device(let device, let fix): (first, before) = (device, fix)
        case .imported(let time):
            let next = try addImported(to: &page, of: person, before: time)
            return try written(page, of: nil, next, for: person)
        }
        guard let index = devices.firstIndex(where: { $0.id.rawValue >= first }) else {
            let next = try addImported(to: &page, of: person, before: nil)
            return try written(page, of: nil, next, for: person)
        }
        let device = devices[index]
        if device.id.rawValue != first { before = nil }
        let rest = try addFixes(to: &page, of: device, before: before)
        let following = devices.dropFirst(index + 1).first
        var next = rest.map { PositionPlace.device(device.id.rawValue, fix: $0) }
        next = next ?? following.map { .device($0.id.rawValue, fix: nil) }
        if next == nil { next = try firstImported(of: person, in: stretch) }
        return try written(page, of: device, next, for: person)
    }

    private func written(
        _ page: PositionPage, of device: Device?, _ next: PositionPlace?, for person: Person
    ) throws -> [UInt8] {
        page.written(of: device, try turn.cursor(next, for: person))
    }

    /// - Returns: the last fix of the last chunk read, if there are more.
    private func addFixes(to page: inout PositionPage, of device: Device, before: Int64?)
        throws -> Int64?
    {
        if before == nil, let open = device.log.openChunk {
            page.add(try transaction.fixes(upTo: open.last, count: open.count))
        }
        let chunks = try transaction.chunks(
            of: device.id, before: before, from: page.stretch.from, to: page.stretch.to,
            limit: History.chunksRead)
        for start in stride(from: 0, to: chunks.count, by: History.chunksAtOnce) {
            let part = chunks.dropFirst(start).prefix(History.chunksAtOnce)
            var rows = try transaction.fixes(in: Array(part))[...]
            let ends = part.dropFirst().map { $0.last } + [FixID(rawValue: 0)]
            for (chunk, older) in zip(part, ends) {
                page.add(rows.prefix { $0.id > older })
                if page.isFull { return Int64?(chunk.last.rawValue) }
                rows = rows.drop { $0.id > older }
            }
        }
        return chunks.count < History.chunksRead ? nil : chunks.last?.last.rawValue
    }

    /// - Parameter time: only positions taken before it, in milliseconds; nil for the end of the
    ///   range.
    private func addImported(to page: inout PositionPage, of person: Person, before time: Int64?)
        throws -> PositionPlace?
    {
        let end = time.map { Timestamp(milliseconds: $0) }
        let to = end.map { min($0, page.stretch.to) } ?? page.stretch.to
        let rows = try transaction.importedPositions(
            of: person.id, from: page.stretch.from, to: to, limit: History.importedRead)
        for row in rows {
            if row.source != nil { page.add(row.position, asReceived: false) }
            if page.isFull { return .imported(before: row.position.takenAt.milliseconds) }
        }
        guard rows.count == History.importedRead, let last = rows.last else { return nil }
        return .imported(before: last.position.takenAt.milliseconds)
    }

    /// Returns the beginning of imported positions; nil if there are none.
    func firstImported(of person: Person, in stretch: HistoryCommand.Stretch)
        throws -> PositionPlace?
    {
        let rows = try transaction.importedPositions(
            of: person.id, from: stretch.from, to: stretch.to, limit: 1)
        return rows.isEmpty ? nil : .imported(before: nil)
    }

    /// Chunks of 32 fixes each.
    private static let chunksRead = 64
    /// The number of them per query; often a few fill a page.
    private static let chunksAtOnce = 8
    private static let importedRead = 2_048
}

/// A page of positions of one device.
private struct PositionPage {
    let stretch: HistoryCommand.Stretch
    private let pause: Duration
    private var fixes: [[UInt8]] = []
    private var last: Timestamp?
    private var size = 0

    init(_ stretch: HistoryCommand.Stretch, _ pause: Duration) {
        (self.stretch, self.pause) = (stretch, pause)
    }

    /// Whether the page is full; another chunk has at most 8,000 bytes.
    var isFull: Bool { size > 36_000 }

    /// - Parameter rows: the newest first.
    mutating func add(_ rows: some Sequence<FixRow>) {
        for row in rows where !row.isForgotten { add(row.fix) }
    }

    mutating func add(_ fix: Fix, asReceived: Bool = true) {
        guard stretch.contains(fix.takenAt) else { return }
        let time = fix.takenAt
        if let last, time > last - pause, time < last + pause { return }
        last = time
        let written = JSONWriter.value { $0.fix(fix, asReceived: asReceived) }
        fixes.append(written)
        size += written.count
    }

    func written(of device: Device?, _ next: String?) -> [UInt8] {
        JSONWriter.object { json in
            json.key("device")
            if let device { json.string(device.name.text) } else { json.null() }
            json.key("positions")
            json.array(fixes) { $0.raw($1) }
            json.key("next")
            if let next { json.string(next) } else { json.null() }
        }
    }
}
