import Contract
import Store
import Tracking

extension ShareLinks {
    /// Creates a link, and replies itself: the secret is sent once, and not stored.
    func create(
        _ what: SharedThing, until: Timestamp?, _ precision: Precision, by person: Person,
        _ asker: Requester
    ) throws {
        guard links(of: person).count < ShareLinks.maximum else {
            let limit = ShareLinks.maximum
            throw Problem(.tooMany, "A user may have at most \(limit) links. End some.")
        }
        var end = until
        if what == .journey {
            guard let journey = person.tracker.plannedJourney else {
                throw Problem(.notOnAJourney, "You are not on a journey.")
            }
            end =
                until
                ?? min(
                    max(now, journey.eta) + ShareLinks.afterETA,
                    now + TimeLimits.end.upperBound)
        }
        guard let end else { throw Problem.incomplete }
        let secret = TokenSecret(using: &random)
        let row = ShareLinkRow(
            id: UUIDv7(at: now, random: (random.next(), random.next())), user: person.id,
            what: what, journey: what == .journey ? person.tracker.plannedJourney?.number : nil,
            precision: precision,
            salt: TokenSecret(using: &random), at: now, until: end)
        person.tracker.store(true)
        try turn.apply(person.tracker.resume(at: now), to: person)
        note([.save, .shareLinks], person)
        try transaction.insert(row, secret)
        state.set(row)
        scheduleEnds(of: person)
        try turn.reply(to: asker, secretly: row.result(secret), without: row.result())
        noteUsage(.changes, of: person)
        count("share-links-made")
    }

    func list(of person: Person) -> [UInt8] {
        ShareResult.list.bytes(of: links(of: person).reversed().map(\.link))
    }

    private static let loggedEvery = Duration.seconds(3_600)

    func perform(
        _ command: ShareGuestCommand, from source: AttemptBook.Source, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .open(let link, _): try open(link, from: source)
        }
    }

    /// Opens a link for its holder, and counts that.
    private func open(_ link: TokenSecret, from source: AttemptBook.Source) throws -> [UInt8] {
        let attempts = authentication.tokens
        try turn.decisions.begin(try attempts.check(.guest(source), at: now))
        let row = try transaction.shareLink(withTokenHash: link.hash)
        guard let row else {
            attempts.noteFailure(of: .guest(source), at: now)
            throw ShareLinks.unknown("There is no such link.")
        }
        // A link that has ended is no longer in memory.
        guard let person = memory.people[row.user], row.until > now,
            var opened = links(of: person).first(where: { $0.id == row.id })
        else { throw ShareLinks.unknown("It has ended.") }
        try transaction.noteOpening(of: row.id, at: now)
        // The link's holder must not fill the log.
        if let last = state.loggedAt[row.id], now >= last, now < last + ShareLinks.loggedEvery {
            try transaction.countOpening(of: row.id, of: person.id)
        } else {
            state.loggedAt[row.id] = now
            try transaction.log(
                AccessEntry(at: now, by: .link(row.id), what: .opened, count: 1),
                of: person.id)
        }
        opened.opened += 1
        opened.openedAt = now
        state.set(opened)
        count("share-links-opened")
        let token = PrincipalToken(
            .bearer(Grant(.share, row.id)), secret: link.derived(row.salt))
        return ShareResult.opened.bytes(of: (row.id, topics.string(.share(row.id)), token))
    }
}

extension ShareLinkRow {
    fileprivate func result(_ secret: TokenSecret? = nil) -> [UInt8] {
        ShareResult.created.bytes(of: (link, secret))
    }
}
