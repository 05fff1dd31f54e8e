import Contract
import Directory
import Store
import Tracking

/// People who leave the organisation are logged out. Their accounts and data stay.
extension Accounts {
    /// Asks the directory about some of the accounts that are due, once per sweep; with a directory
    /// that cannot be searched, logs out people who have not typed the password for too long.
    func checkDirectory(_ sweep: Sweep) throws {
        guard let directory = settings.directory, state.lastCheck != sweep.startedAt else { return }
        state.lastCheck = sweep.startedAt
        var asked: [UserID: EntryID] = [:]
        let due = try transaction.directoryAccounts(
            dueAt: sweep.startedAt, atMost: directory.checksPerMinute)
        for user in due {
            guard var account = state.directory[user], let person = memory.people[user] else {
                continue
            }
            if directory.settings.canSearch {
                asked[user] = EntryID(stored: account.entry)
                account.due = now + DirectoryLogin.patience
            } else {
                account.due = try nextDueUnconfirmed(account, person, directory)
            }
            try save(account)
        }
        guard !asked.isEmpty else { return }
        turn.work.append(DirectoryWork(question: .presence(asked)))
    }

    private func nextDueUnconfirmed(
        _ account: DirectoryAccountRow, _ person: Person, _ directory: DirectoryLogin
    ) throws -> Timestamp {
        let end = account.confirmedAt + directory.tokenLifetime
        guard end <= now else { return end }
        guard !isReliedOn(person) else { return now + DirectoryLogin.later }
        try endAll(of: person, .unconfirmed)
        return now + directory.tokenLifetime
    }

    /// - Parameter asked: the users the question was about.
    func take(_ answer: DirectoryOutcome.Answer, about asked: [UserID: EntryID]) throws {
        guard let directory = settings.directory else { return }
        let known = asked.keys.sorted { $0.rawValue < $1.rawValue }.filter {
            // Users who have logged in since then are asked about later.
            state.directory[$0]?.entry == asked[$0]?.text && memory.people[$0] != nil
        }
        guard case .present(let present) = answer else {
            count("directory-failures")
            for user in known { try update(user) { $0.due = now + DirectoryLogin.later } }
            return
        }
        count("directory-checks", known.count)
        let missing = known.filter { user in !(asked[user].map(present.contains) ?? true) }
        for user in known where !missing.contains(user) {
            try update(user) { account in
                (account.confirmedAt, account.missed, account.goneAt) = (now, 0, nil)
                account.due = nextDue(now, directory)
            }
        }
        let again = min(DirectoryLogin.secondLook, directory.checkEvery)
        for user in missing {
            try update(user) { account in
                account.missed += 1
                account.due = now + again
            }
        }
        let isDoubtful = state.directory.areSuspiciouslyFew(
            foundSince: now - DirectoryLogin.secondLook * 2)
        for user in missing { try letGo(user, directory, isDoubtful: isDoubtful) }
    }

    private func update(_ user: UserID, _ change: (inout DirectoryAccountRow) -> Void) throws {
        guard var account = state.directory[user] else { return }
        change(&account)
        try save(account)
    }

    /// Logs out a person whom the directory did not find twice in a row; if groups rely on their
    /// position, shortly after that ends.
    private func letGo(_ user: UserID, _ directory: DirectoryLogin, isDoubtful: Bool) throws {
        guard let account = state.directory[user], let person = memory.people[user],
            account.missed >= 2
        else { return }
        if account.goneAt == nil {
            guard !isDoubtful else { return count("directory-doubted") }
            guard !isReliedOn(person) else {
                return try update(user) { $0.due = now + DirectoryLogin.later }
            }
            count("directory-gone")
        }
        guard !isReliedOn(person) else { return }
        try endAll(of: person, .left)
        try update(user) { account in
            account.goneAt = account.goneAt ?? now
            account.due = nextDue(now, directory)
        }
    }

    /// Whether the person is on a journey or in an SOS, or help is being called for them.
    func isReliedOn(_ person: Person) -> Bool {
        person.tracker.undertaking != .nothing || areas.dispatch.needs(person)
    }

    private func endAll(of person: Person, _ why: Notice.Ending) throws {
        for device in person.devices where device.hasToken { try end(device, of: person, why) }
        // An observer would keep access to groups that the person has lost.
        _ = try areas.groups.endObservers(of: person)
    }
}
