import Contract
import DequeModule
import Store
import Tracking

/// Notices to many people: to a few immediately, to more in steps, so that others are served in
/// between. Each step stores the remaining readers, so a crash neither loses a reader nor notifies
/// one twice.
extension Notices {
    /// Notifies people in the given order, except those who have blocked the person it is about.
    ///
    /// - Parameters:
    ///   - about: as for ``add(_:for:about:by:)``.
    ///   - payer: the person whose budget pays; nil if no one's.
    func add(
        _ news: Notice.News, forAll readers: [Person], about other: Person? = nil,
        by: Person? = nil, payer: Person?
    ) throws {
        guard readers.count > Notices.toldInStep else {
            for reader in try self.readers(readers, about: other?.id) {
                try tell(news, to: reader, about: other, by: by)
            }
            return
        }
        var telling = TellingRow(
            news, about: other.map { .init(user: $0.id, name: $0.displayName) }, by: by?.id,
            payer: payer?.id, readers: readers.map(\.id))
        // A reader who has not been notified yet is notified once, however often it happens.
        if let place = state.tellings.firstIndex(where: { $0.tellsSame(as: telling) }) {
            let known = Set(telling.readers)
            telling.readers += state.tellings[place].readers.filter { !known.contains($0) }
            try transaction.deleteTelling(state.tellings.remove(at: place).id)
        }
        look(at: telling.readers.count)
        state.tellings.append(try transaction.insert(telling))
    }

    /// Notifies the next readers; a call for help is sent first.
    func tellMore() throws {
        guard !turn.hasCallForHelp, var telling = state.tellings.popFirst() else { return }
        let readers = telling.readers.prefix(Notices.toldInStep)
        telling.readers.removeFirst(readers.count)
        let payer = telling.payer.flatMap { memory.people[$0] }
        try charge(payer?.budget) {
            let people = readers.compactMap { memory.people[$0] }
            for reader in try self.readers(people, about: telling.about?.user) {
                try tell(telling, to: reader)
            }
            try transaction.deleteTelling(telling.id)
            // Behind the others, also after a start.
            guard !telling.readers.isEmpty else { return }
            state.tellings.append(try transaction.insert(telling))
        }
    }

    /// Returns those who have not blocked the person it is about.
    private func readers(_ people: [Person], about other: UserID?) throws -> [Person] {
        guard let other else { return people }
        let blockers = try transaction.blockers(of: other, among: people.map(\.id))
        return people.filter { !blockers.contains($0.id) }
    }

    private func tell(_ telling: TellingRow, to reader: Person) throws {
        var about: Person?
        if let other = telling.about?.user {
            guard let person = memory.people[other] else { return }
            about = person
        }
        if telling.news.kind.filed == NoticeKind.observerAdded.filed {
            // It does not concern a member who has left, or who was notified when joining.
            let (key, id) = (telling.news.text("group"), telling.news.text("observer"))
            guard let group = key.flatMap({ GroupKey($0) }).flatMap({ memory.group($0) }),
                reader.membership(in: group.id) != nil,
                group.observers.contains(where: { $0.id.description == id })
            else { return }
        }
        try tell(
            telling.news, to: reader, about: about, by: telling.by.flatMap { memory.people[$0] })
    }

    private func tell(_ news: Notice.News, to reader: Person, about other: Person?, by: Person?)
        throws
    {
        // The log of a service's users ends when it does.
        if news.kind.filed == NoticeKind.serviceEnded.filed,
            let service = news.text("service").flatMap({ Name($0) }),
            let company = news.text("company")
        {
            try transaction.log(
                AccessEntry(at: now, by: .service(service, company: company), what: .ended),
                of: reader.id)
        }
        try add(news, for: reader, about: other, by: by)
    }

    /// The people notified per turn.
    static let toldInStep = 25
}
