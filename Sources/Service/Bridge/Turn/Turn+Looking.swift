import Contract
import JSON

/// Scans of lists in memory. They cost as much as reading rows: all lists that requests reach are
/// scanned here, so that the cost is charged.
extension Turn {
    /// Counts scanned entries and compared bytes.
    func look(at entries: Int, bytes: Int = 0) {
        looked += Cost.ofLooking(at: entries, bytes: bytes)
    }

    /// Counts all entries of a list that the caller scans.
    func look<Entries: Collection>(through list: Entries) -> Entries {
        look(at: list.count)
        return list
    }

    /// Returns a page of entries chosen from a list. The page also ends at the maximum cost of one
    /// request, and then may be short or empty; the next one continues from there.
    ///
    /// - Parameters:
    ///   - rest: the list, starting at the end of the previous page.
    ///   - place: an entry's place in the list.
    ///   - add: adds the entry if it is wanted; counts its additional cost.
    func page<Entry>(
        from rest: some Sequence<Entry>, place: (Entry) -> String,
        add: (Entry, inout ListPage) -> Void
    ) -> ListPage {
        var page = ListPage()
        let end = looked + Turn.mostLooking
        for entry in rest {
            guard page.hasRoom, looked < end else { return page }
            look(at: 1)
            add(entry, &page)
            page.next = place(entry)
        }
        page.next = nil
        return page
    }

    /// The maximum cost of one page's entries: about three milliseconds.
    static let mostLooking = 300.0
}

extension AreaHandler {
    func look(at entries: Int, bytes: Int = 0) { turn.look(at: entries, bytes: bytes) }
    func look<Entries: Collection>(through list: Entries) -> Entries { turn.look(through: list) }
}
