import Contract
import Store
import Tracking

extension Journeys {
    var exported: [ExportSection] {
        [
            ExportSection("p") { [self] (page, person, place: ExportedPath?) in
                try addPath(of: person, from: place, to: &page)
            }
        ]
    }

    private func addPath(
        of person: Person, from place: ExportedPath?, to page: inout ExportPage
    ) throws {
        let first = place?.number ?? 0
        let row = try transaction.path(of: person.id, from: first)
        guard let row else { return }
        let path = row.path
        let points = try transaction.pathPoints(
            path.number, of: person.id, after: path.number == first ? place?.last : nil,
            atMost: Journeys.exportPoints)
        if !points.isEmpty || place?.last == nil || path.number != first {
            page.add(
                .path(
                    .init(
                        number: path.number, mode: path.mode, startedAt: path.startedAt,
                        endedAt: row.endedAt, points: points.map(\.point))))
        }
        if points.count == Journeys.exportPoints, let last = points.last {
            page.next = ExportedPath(number: path.number, last: last.place)
        } else {
            page.next = ExportedPath(number: path.number + 1, last: nil)
        }
    }

    /// Path points per item.
    private static let exportPoints = 400
}

/// A path, and its last exported point.
private struct ExportedPath: SeekKey {
    let number: Int64
    let last: PointKey?

    init(number: Int64, last: PointKey?) { (self.number, self.last) = (number, last) }

    init?(_ text: String) {
        let numbers = text.split(separator: ".").compactMap { Int64($0) }
        switch numbers.count {
        case 1: last = nil
        case 3:
            last = PointKey(takenAt: Timestamp(milliseconds: numbers[1]), number: numbers[2])
        default: return nil
        }
        number = numbers[0]
    }

    var text: String {
        "\(number)" + (last.map { ".\($0.takenAt.milliseconds).\($0.number)" } ?? "")
    }
}
