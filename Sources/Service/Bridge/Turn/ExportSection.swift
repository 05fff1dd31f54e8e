import Contract
import Tracking

/// A list of data stored about a person, exported page by page.
struct ExportSection {
    /// The prefix of its pages' cursors.
    let key: String
    /// Adds items starting at a place (nil: the beginning), and sets ``ExportPage/next``.
    let fill: (inout ExportPage, Person, String?) throws -> Void

    init<Key: SeekKey>(
        _ key: String, _ fill: @escaping (inout ExportPage, Person, Key?) throws -> Void
    ) {
        self.key = key
        self.fill = { page, person, text in
            guard let text else { return try fill(&page, person, nil) }
            guard let key = Key(text), key.text == text else { throw Turn.foreignCursor("cursor") }
            try fill(&page, person, key)
        }
    }

    /// Rows read at a time.
    static let rows = 50
}

/// A place in a list, as stored in a cursor.
protocol SeekKey {
    init?(_ text: String)
    var text: String { get }
}

extension Int64: SeekKey { var text: String { description } }
extension Name: SeekKey {}
extension String: SeekKey { var text: String { self } }
extension UUIDv7: SeekKey { var text: String { description } }

/// A page that is being filled.
struct ExportPage {
    private(set) var items: [[UInt8]] = []
    private var size = 0
    /// Where the next page of the section begins; nil at its end.
    var next: (any SeekKey)?

    /// The bytes after which a page ends. The largest items have 20,000 (400 points, 500 names),
    /// and 25,000 (a message of newlines); a reply stays below 60 KiB.
    private static let capacity = 36_000

    /// The maximum number of reads per page, ``ExportSection/rows`` rows each: rows without items,
    /// such as deleted ones, add nothing to its size.
    static let mostReadings = 40
    private var readings = 0

    var hasRoom: Bool { size < ExportPage.capacity && readings < ExportPage.mostReadings }

    mutating func noteReading() { readings += 1 }

    mutating func add(_ item: ExportItem) {
        let payload = item.payload
        size += payload.count + 1
        items.append(payload)
    }
}
