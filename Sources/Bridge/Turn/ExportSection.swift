import Contract
import Tracking

/// A list of things that are stored about a person, and exported page by page.
struct ExportSection {
    /// Begins the cursors of its pages.
    let key: String
    /// Adds items from a place on, nil: from the beginning, and sets ``ExportPage/next``.
    let fill: (inout ExportPage, Person, String?) throws(Refused) -> Void

    init<Place: ExportPlace>(
        _ key: String, _ fill: @escaping (inout ExportPage, Person, Place?) throws(Refused) -> Void
    ) {
        self.key = key
        self.fill = { page, person, text throws(Refused) in
            guard let text else { return try fill(&page, person, nil) }
            guard let place = Place(text), place.text == text else {
                throw .problem(Turn.foreignCursor)
            }
            try fill(&page, person, place)
        }
    }

    /// Rows read at a time.
    static let rows = 50
}

/// A place in a list, as it stands in a cursor.
protocol ExportPlace {
    init?(_ text: String)
    var text: String { get }
}

extension Int64: ExportPlace { var text: String { description } }
extension Name: ExportPlace {}
extension UUIDv7: ExportPlace { var text: String { description } }

/// A page that is being filled.
struct ExportPage {
    private(set) var items: [[UInt8]] = []
    private var size = 0
    /// Where the next page of the section begins; nil at its end.
    var next: (any ExportPlace)?

    /// The bytes after which a page ends. The largest items have 20,000 (400 points, 500 names),
    /// and 25,000 (a message of newlines); a reply stays below 60 KiB.
    private static let capacity = 36_000

    var hasRoom: Bool { size < ExportPage.capacity }

    mutating func add(_ item: ExportItem) {
        let payload = item.payload
        size += payload.count + 1
        items.append(payload)
    }
}
