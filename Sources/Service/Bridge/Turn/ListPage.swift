import Contract
import JSON
import Tracking

/// A page of a long list, which fits into a message.
struct ListPage {
    private var items: [[UInt8]] = []
    private var size = 0
    /// The beginning of the next page; nil after the last.
    var next: String?

    /// The bytes after which a page ends. An item has fewer than 3,000.
    private static let capacity = 50_000
    /// Rows read at a time.
    static let rows = 200

    var hasRoom: Bool { size < ListPage.capacity }

    mutating func add(_ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter(capacity: 256)
        write(&json)
        size += json.bytes.count + 1
        items.append(json.bytes)
    }

    /// - Parameter item: returns the position of a row in the list and a function that writes it;
    ///   nil if the row's subject no longer exists.
    mutating func fill<Row>(
        _ rows: [Row], _ item: (Row) -> (place: String, write: (inout JSONWriter) -> Void)?
    ) {
        for row in rows {
            guard let (place, write) = item(row) else { continue }
            add(write)
            next = place
            guard hasRoom else { return }
        }
        if rows.count < ListPage.rows { next = nil }
    }

    /// Fills a page from a list in memory.
    ///
    /// - Parameters:
    ///   - ids: in ascending order.
    ///   - last: `next` of the previous page.
    mutating func fill(
        _ ids: [UUIDv7], after last: UUIDv7?, _ write: (UUIDv7, inout JSONWriter) -> Void
    ) {
        for id in ids[(last.map { last in ids.firstPlace { $0 > last } } ?? 0)...] {
            guard hasRoom else { return }
            add { write(id, &$0) }
            next = id.description
        }
        next = nil
    }

    func result(_ payload: Payload<WrittenPage>) -> [UInt8] { payload.bytes(of: (items, next)) }

    /// Returns `{<key>:[…],"next":…}`, of elements without a payload.
    func result(_ key: StaticString) -> [UInt8] {
        JSONWriter.object { json in
            json.key(key)
            json.array(items) { $0.raw($1) }
            json.key("next")
            if let next { json.string(next) } else { json.null() }
        }
    }
}
