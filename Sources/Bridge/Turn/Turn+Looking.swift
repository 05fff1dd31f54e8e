import Contract
import JSON

/// Looking through lists in memory. It costs as reading rows does: whatever list a request reaches is
/// looked through here, so that somebody pays for it.
extension Turn {
    /// Counts entries that are looked at, and bytes that are compared.
    func look(at entries: Int, bytes: Int = 0) {
        looked += Cost.ofLooking(at: entries, bytes: bytes)
    }

    /// Counts all entries of a list, which the caller goes through.
    func look<Entries: Collection>(through list: Entries) -> Entries {
        look(at: list.count)
        return list
    }

    /// Returns a page, `{<key>:[…],"next":…}`, of what is chosen from a list. The page also ends once
    /// it has cost as much as one request may look at, and then may be short or empty; the next one
    /// goes on from there.
    ///
    /// - Parameters:
    ///   - rest: the list, from where the page before has ended.
    ///   - place: where an entry stands in it.
    ///   - add: adds the entry if it is wanted; counts what it costs besides.
    func page<Entry>(
        _ key: StaticString, from rest: some Sequence<Entry>, place: (Entry) -> String,
        add: (Entry, inout ListPage) -> Void
    ) -> [UInt8] {
        var page = ListPage()
        let end = looked + Turn.mostLooking
        for entry in rest {
            guard page.hasRoom, looked < end else { return page.result(key) }
            look(at: 1)
            add(entry, &page)
            page.next = place(entry)
        }
        page.next = nil
        return page.result(key)
    }

    /// What the entries of one page may cost: about three milliseconds.
    static let mostLooking = 300.0
}

extension AreaHandler {
    func look(at entries: Int, bytes: Int = 0) { turn.look(at: entries, bytes: bytes) }
    func look<Entries: Collection>(through list: Entries) -> Entries { turn.look(through: list) }
}
