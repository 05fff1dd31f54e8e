internal import Contract

/// The stored rights of connected clients.
extension Gatekeeper {
    func facts(of session: Session) -> AccessFacts {
        switch session.principal {
        case .device(_, let user): facts(of: user)
        case .bearer(let grant):
            if session.row.isOfGroups { facts(of: grant) } else { AccessFacts() }
        case .guest, .service, .system: AccessFacts()
        }
    }

    /// No rights, if they cannot be read.
    private func facts(of grant: Grant) -> AccessFacts {
        do throws(AccessSourceError) {
            return try rights.access(of: grant)?.facts ?? AccessFacts()
        } catch {
            return AccessFacts()
        }
    }

    /// The facts that decide whether the session receives messages published there: for a service
    /// they depend on the samples' user.
    func facts(of session: Session, at match: AccessPolicy.TopicMatch) -> AccessFacts {
        guard case .service(let service) = session.principal else { return facts(of: session) }
        var facts = AccessFacts()
        guard let user = policy.sharer(at: match) else { return facts }
        defer { forgetIfAbsent(user) }
        if self.facts(of: user).services.contains(service) { facts.subscribedUsers = [user] }
        return facts
    }

    /// Forgets a user who is not connected.
    func forgetIfAbsent(_ user: Name) { forgetIfAbsent(.user(user)) }

    func forgetIfAbsent(_ holder: RightsHolder) {
        if clientsByHolder[holder] == nil { rights.forget(holder) }
    }

    /// No rights, if they cannot be read.
    func facts(of user: Name) -> AccessFacts {
        do throws(AccessSourceError) {
            return try rights.user(user)?.facts ?? AccessFacts()
        } catch {
            return AccessFacts()
        }
    }

    /// Applies changes in the store.
    func refresh(at now: Duration) {
        if let changed = rights.refresh(at: now) {
            unreviewed.formUnion(changed.filter { clientsByHolder[$0] != nil })
        } else {
            unreviewed = Set(clientsByHolder.keys)
        }
        guard !unreviewed.isEmpty, now >= nextReview else { return }
        // Not all together, since the broker waits for this. Active sessions are reviewed anyway.
        nextReview = now + AccessPolicy.freshness
        for holder in Array(unreviewed.prefix(Gatekeeper.reviewsAtOnce)) {
            if !review(holder, at: now) { nextReview = now + Rights.patience }
        }
    }

    private static let reviewsAtOnce = 20

    /// Whether the rights include the change of this number. The bridge publishes what follows from
    /// a change only then: the file with the rights may be written by another process.
    func hasChange(_ number: [UInt8], at now: Duration) -> Bool {
        guard let number = Int64(String(decoding: number, as: UTF8.self)) else { return false }
        rights.doubt()
        refresh(at: now)
        let hasIt = rights.isTrusted(at: now) && rights.lastChange >= number
        lackingSince = hasIt ? nil : lackingSince ?? now
        return hasIt
    }

    /// Whether the session's rights are known; otherwise it may do nothing.
    ///
    /// - Parameter match: where it publishes or receives. The service's own programs can report,
    ///   and the operator can read, the service's status even if no rights can be read.
    func isKnown(_ session: Session, for match: AccessPolicy.TopicMatch? = nil, at now: Duration)
        -> Bool
    {
        guard rights.isTrusted(at: now) else {
            guard let match, session.row.isOurs else { return false }
            return policy.isReport(match)
        }
        guard !unreviewed.isEmpty, let holder = session.holder, unreviewed.contains(holder)
        else { return true }
        return review(holder, at: now)
    }

    /// - Returns: false if the rights cannot be read.
    private func review(_ holder: RightsHolder, at now: Duration) -> Bool {
        do throws(AccessSourceError) {
            switch holder {
            case .user(let name): review(name, try rights.user(name), at: now)
            case .grant(let grant):
                review(holder, try rights.access(of: grant)?.tokenHash, at: now)
            }
        } catch {
            return false
        }
        unreviewed.remove(holder)
        return true
    }

    /// - Parameter hash: nil if the grant has ended.
    private func review(_ holder: RightsHolder, _ hash: [UInt8]?, at now: Duration) {
        for session in sessions(of: holder) where session.tokenHash != hash {
            session.isRevoked = true
            cutOff(session, by: now + Gatekeeper.delivery)
        }
    }

    private func sessions(of holder: RightsHolder) -> [Session] {
        (clientsByHolder[holder] ?? []).compactMap { sessions[$0] }
    }

    private func review(_ name: Name, _ user: UserAccess?, at now: Duration) {
        for session in sessions(of: .user(name)) {
            let device: Name
            switch session.principal {
            case .device(let name, _): device = name
            case .service: device = .serviceProgram
            case .guest, .bearer, .system: continue
            }
            if user?.tokenHashes[device] != session.tokenHash, !session.isRevoked {
                session.isRevoked = true
                let patience =
                    session.receivesOnlyReplies ? Gatekeeper.lastWords : Gatekeeper.delivery
                cutOff(session, by: now + patience)
            }
            // Messages queued for it at the broker are only checked again when it reconnects.
            let sources = user?.facts.sources ?? AccessSources()
            if !session.queued.isSubset(of: sources) {
                cutOff(session, by: now + Gatekeeper.delivery)
            }
            session.queued = session.queued.intersection(sources)
                .union(session.queued(of: sources))
        }
    }
}
